//! What the words of an answer come to, whatever their writing: `€186 million` and `186 million euros` are one value.
//!
//! Border: the words that answer in; a value that can be compared with others out. What has no one value has none.

use super::words;
use quarry_evidence::text::{Token, is_stop_word, tokens};
use quarry_evidence::verify::{Date, Figures, Measure, Per, Quantity, Unit, is_same};
use std::ops::Range;

/// Words before a figure that may tell its bounds: `no more than`.
const BOUNDING: usize = 3;
/// Of two values in different units, the share up to which the one may be the other, rounded: 38 m are 125 feet.
const ROUNDED: f64 = 0.02;

/// What words come to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// So much of something.
    Amount(Amount),
    /// A day, or a month.
    Day(Date),
    /// A year.
    Year(f64),
}

/// So much of something.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    value: f64,
    of: Of,
    /// For how long it holds.
    per: Option<Per>,
    /// What is said of it in its place, from the least up to the first that is too large: of `over 250 metres` what is not
    /// far above.
    bounds: Option<Range<f64>>,
}

/// What there is so much of.
#[derive(Debug, Clone, PartialEq)]
enum Of {
    Unit(Unit),
    /// Its stems; none where a number in millions stands alone.
    Words(String),
}

/// What is measured by a unit, as far as other units measure the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quality {
    Length,
    Area,
    Weight,
    Volume,
    Time,
    Power,
    Energy,
}

/// Units that measure the same, with what one of them comes to in the base of the quality.
const SCALES: [(Unit, Quality, f64); 40] = [
    (Unit::Millimetre, Quality::Length, 0.001),
    (Unit::Centimetre, Quality::Length, 0.01),
    (Unit::Metre, Quality::Length, 1.0),
    (Unit::Kilometre, Quality::Length, 1_000.0),
    (Unit::Inch, Quality::Length, 0.0254),
    (Unit::Foot, Quality::Length, 0.3048),
    (Unit::Yard, Quality::Length, 0.9144),
    (Unit::Mile, Quality::Length, 1_609.344),
    (Unit::NauticalMile, Quality::Length, 1_852.0),
    (Unit::SquareMetre, Quality::Area, 1.0),
    (Unit::SquareKilometre, Quality::Area, 1e6),
    (Unit::SquareFoot, Quality::Area, 0.092_903),
    (Unit::SquareMile, Quality::Area, 2_589_988.0),
    (Unit::Hectare, Quality::Area, 10_000.0),
    (Unit::Acre, Quality::Area, 4_046.856),
    (Unit::Microgram, Quality::Weight, 1e-6),
    (Unit::Milligram, Quality::Weight, 0.001),
    (Unit::Gram, Quality::Weight, 1.0),
    (Unit::Kilogram, Quality::Weight, 1_000.0),
    (Unit::Tonne, Quality::Weight, 1e6),
    (Unit::Kilotonne, Quality::Weight, 1e9),
    (Unit::Millilitre, Quality::Volume, 0.001),
    (Unit::Centilitre, Quality::Volume, 0.01),
    (Unit::Decilitre, Quality::Volume, 0.1),
    (Unit::Litre, Quality::Volume, 1.0),
    (Unit::Hectolitre, Quality::Volume, 100.0),
    (Unit::CubicMetre, Quality::Volume, 1_000.0),
    (Unit::Second, Quality::Time, 1.0),
    (Unit::Minute, Quality::Time, 60.0),
    (Unit::Hour, Quality::Time, 3_600.0),
    (Unit::Day, Quality::Time, 86_400.0),
    (Unit::Week, Quality::Time, 604_800.0),
    (Unit::Watt, Quality::Power, 1.0),
    (Unit::Kilowatt, Quality::Power, 1e3),
    (Unit::Megawatt, Quality::Power, 1e6),
    (Unit::Gigawatt, Quality::Power, 1e9),
    (Unit::WattHour, Quality::Energy, 1.0),
    (Unit::KilowattHour, Quality::Energy, 1e3),
    (Unit::MegawattHour, Quality::Energy, 1e6),
    (Unit::GigawattHour, Quality::Energy, 1e9),
];

fn scale(unit: Unit) -> Option<(Quality, f64)> {
    let known = SCALES.iter().find(|(known, ..)| *known == unit);
    known.map(|(_, quality, factor)| (*quality, *factor))
}

impl Value {
    /// What an amount, a count or a date comes to.
    fn read(answer: &str) -> Option<Value> {
        let tokens = tokens(answer);
        let figures = Figures::of(&tokens);
        let amount = Amount::of_figures(&figures, &tokens).map(Value::Amount);
        amount.or_else(|| Value::of_times(&figures))
    }

    /// What a date comes to.
    pub(super) fn of_time(answer: &str) -> Option<Value> {
        Value::of_times(&Figures::of(&tokens(answer)))
    }

    fn of_times(figures: &Figures) -> Option<Value> {
        match (figures.dates.as_slice(), figures.quantities.as_slice()) {
            ([date], []) => Some(Value::Day(*date)),
            ([], [quantity]) => is_year(quantity).then_some(Value::Year(quantity.value)),
            _ => None,
        }
    }

    /// Whether two values are different ones of the same; none where they cannot be compared.
    pub(super) fn differs(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            (Value::Amount(one), Value::Amount(other)) => one.differs(other),
            (Value::Day(one), Value::Day(other)) => {
                // What is so each year has a day in none.
                one.year.zip(other.year).map(|_| !one.may_be(other))
            }
            (Value::Year(_) | Value::Day(_), Value::Year(_) | Value::Day(_)) => {
                let years = self.year().zip(other.year());
                years.map(|(one, other)| !is_same(one, other))
            }
            (Value::Amount(_), Value::Day(_) | Value::Year(_))
            | (Value::Day(_) | Value::Year(_), Value::Amount(_)) => None,
        }
    }

    /// Whether they are days or months of one year.
    pub(super) fn is_of_year_of(&self, other: &Value) -> bool {
        self.year().zip(other.year()).is_some_and(|(one, other)| is_same(one, other))
    }

    fn year(&self) -> Option<f64> {
        match self {
            Value::Amount(_) => None,
            Value::Day(date) => date.year.map(f64::from),
            Value::Year(year) => Some(*year),
        }
    }
}

impl Amount {
    /// What an amount or a count comes to.
    pub(super) fn read(answer: &str) -> Option<Amount> {
        let tokens = tokens(answer);
        Amount::of_figures(&Figures::of(&tokens), &tokens)
    }

    /// That at these bytes of a text, within the bounds that the words before it tell: `over 250 metres`.
    pub(super) fn read_in(text: &str, bytes: &Range<usize>) -> Option<Amount> {
        let amount = Amount::read(text.get(bytes.clone())?)?;
        Some(Amount { bounds: amount.bounds_in(text, bytes), ..amount })
    }

    fn bounds_in(&self, text: &str, bytes: &Range<usize>) -> Option<Range<f64>> {
        let before = text.get(..bytes.start)?;
        let from = before.rmatch_indices(' ').nth(BOUNDING).map_or(0, |(at, _)| at);
        let tokens = tokens(text.get(from..bytes.end)?);
        let own = bytes.start - from;
        let is_own = |it: &&Quantity| tokens.get(it.at).is_some_and(|token| token.start >= own);
        let figures = Figures::of(&tokens);
        // Of several parts the first has them, and the whole is more by as much.
        let first = figures.quantities.iter().find(is_own).filter(|it| it.value > 0.0);
        let (covered, share) = first.and_then(|it| Some((it.covers?, self.value / it.value)))?;
        Some(covered.from * share..covered.until * share)
    }

    fn of_figures(figures: &Figures, tokens: &[Token]) -> Option<Amount> {
        let all = &figures.quantities;
        let (first, rest) = all.split_first().filter(|_| figures.dates.is_empty())?;
        let mut parts = all.iter().zip(rest);
        parts.try_fold(Amount::of(first, tokens)?, |sum, (before, part)| sum.joined(before, part))
    }

    fn of(quantity: &Quantity, tokens: &[Token]) -> Option<Amount> {
        let of = match quantity.measure {
            Measure::Of(unit) => Of::Unit(unit),
            Measure::Plain => Of::Words(counted(quantity, tokens)),
            Measure::Ordinal | Measure::Decade => return None,
        };
        // A bare number counts anything; in millions it is what was asked for.
        let is_told = of != Of::Words(String::new()) || quantity.length > 1;
        is_told.then_some(Amount { value: quantity.value, of, per: quantity.per, bounds: None })
    }

    /// `1 hour 30 minutes`: with a part in a smaller unit of the same that is less than one of the larger.
    fn joined(self, before: &Quantity, part: &Quantity) -> Option<Amount> {
        let Of::Unit(unit) = self.of else { return None };
        let value = self.value + share_of(before, part)? * part_of(unit, before)?;
        Some(Amount { value, ..self })
    }

    /// Whether it is another amount of the same; none where they cannot be compared.
    pub(super) fn differs(&self, other: &Amount) -> Option<bool> {
        if self.per != other.per {
            return None;
        }
        match (&self.of, &other.of) {
            (Of::Unit(one), Of::Unit(unit)) if one != unit => {
                let ((quality, factor), (same, others)) = (scale(*one)?, scale(*unit)?);
                let (one, other) = (self.times(factor), other.times(others));
                let most = one.value.abs().max(other.value.abs()) * ROUNDED;
                let is_near = (one.value - other.value).abs() <= most;
                (quality == same).then(|| !one.may_be(&other, is_near))
            }
            (one, of) => (one == of).then(|| !self.may_be(other, is_same(self.value, other.value))),
        }
    }

    /// Whether what is said of it leaves room for other amounts: `over 250 metres`.
    pub(super) fn is_bounded(&self) -> bool {
        self.bounds.is_some()
    }

    fn times(&self, factor: f64) -> Amount {
        let bounds = self.bounds.as_ref().map(|it| it.start * factor..it.end * factor);
        Amount { value: self.value * factor, bounds, ..self.clone() }
    }

    /// Whether two in one unit may be said of the same, given whether their values are one: within the bounds of the one
    /// that has some, or of both.
    fn may_be(&self, other: &Amount, is_near: bool) -> bool {
        match (&self.bounds, &other.bounds) {
            (None, None) => is_near,
            (Some(bounds), None) => is_near || bounds.contains(&other.value),
            (None, Some(bounds)) => is_near || bounds.contains(&self.value),
            (Some(one), Some(other)) => one.start < other.end && other.start < one.end,
        }
    }

    /// By how much it is more than another in the same unit, or less; none where they have no unit of their own.
    pub(super) fn more_than(&self, other: &Amount) -> Option<(f64, Unit)> {
        match (&self.of, &other.of) {
            (Of::Unit(unit), Of::Unit(others)) if unit == others && self.per == other.per => {
                // `4.1 million` is not quite 4,100,000 to a computer.
                let are_same = is_same(self.value, other.value);
                Some((if are_same { 0.0 } else { self.value - other.value }, *unit))
            }
            (Of::Unit(_) | Of::Words(_), Of::Unit(_) | Of::Words(_)) => None,
        }
    }

    /// Whether it counts people.
    pub(super) fn is_of_people(&self) -> bool {
        matches!(&self.of, Of::Words(stems) if *stems == words::stem("people"))
    }
}

/// What a quantity in a smaller unit is of one in the unit before it: of `1 hour 30 minutes` the half. None where it is
/// none of its parts.
fn share_of(before: &Quantity, part: &Quantity) -> Option<f64> {
    let (Measure::Of(unit), Measure::Of(smaller)) = (before.measure, part.measure) else {
        return None;
    };
    let ((quality, factor), (same, less)) = (scale(unit)?, scale(smaller)?);
    let share = part.value * less / factor;
    let is_part = quality == same && less < factor && before.per == part.per;
    (is_part && (0.0..1.0).contains(&share)).then_some(share)
}

/// What one of a quantity's unit comes to in another.
fn part_of(unit: Unit, quantity: &Quantity) -> Option<f64> {
    let Measure::Of(own) = quantity.measure else { return None };
    let ((quality, factor), (same, less)) = (scale(unit)?, scale(own)?);
    (quality == same).then_some(less / factor)
}

/// Whether a figure that stands in these bytes of a text is only a part of one: a smaller unit goes on with it, or it
/// goes on with a larger.
pub(super) fn is_part(text: &str, bytes: &Range<usize>) -> bool {
    let tokens = tokens(text);
    let quantities = Figures::of(&tokens).quantities;
    let is_in = |it: &Quantity| tokens.get(it.at).is_some_and(|token| bytes.contains(&token.start));
    let adjoins = |before: &Quantity, part: &Quantity| {
        let last = tokens.get((before.at + before.own_tokens()).saturating_sub(1));
        let gap = last.zip(tokens.get(part.at)).and_then(|(last, next)| {
            text.get(last.end..next.start).map(|gap| gap.trim().trim_start_matches(',').trim())
        });
        matches!(gap, Some("" | "and" | "&"))
    };
    quantities.windows(2).any(|pair| match pair {
        [before, part] => {
            is_in(before) != is_in(part)
                && share_of(before, part).is_some()
                && adjoins(before, part)
        }
        _ => false,
    })
}

/// Whether words are a figure of several units: `6 feet 2 inches`.
pub(super) fn is_compound(text: &str) -> bool {
    let tokens = tokens(text);
    let figures = Figures::of(&tokens);
    figures.quantities.len() > 1 && Amount::of_figures(&figures, &tokens).is_some()
}

/// Whether a number may be that of a year.
fn is_year(quantity: &Quantity) -> bool {
    quantity.measure == Measure::Plain
        && quantity.length == 1
        && quantity.value.fract() == 0.0
        && (1000.0..3000.0).contains(&quantity.value)
}

/// The stems of what is counted.
fn counted(quantity: &Quantity, tokens: &[Token]) -> String {
    let own = quantity.at..quantity.at + quantity.length;
    let others = tokens.iter().enumerate().filter(|(at, _)| !own.contains(at));
    let words = others.filter(|(_, token)| token.is_word() && !is_stop_word(&token.word));
    words.map(|(_, token)| words::stem(&token.word)).collect::<Vec<_>>().join(" ")
}

/// Whether two amounts are one, in whatever units.
pub(super) fn are_same(one: &str, other: &str) -> bool {
    let amounts = Amount::read(one).zip(Amount::read(other));
    amounts.is_some_and(|(one, other)| one.differs(&other) == Some(false))
}

/// By what an answer is the same as another's: one value has one key, however it is written.
pub(super) fn key(answer: &str) -> String {
    key_of(Value::read(answer).as_ref(), answer)
}

fn key_of(value: Option<&Value>, answer: &str) -> String {
    match value {
        Some(Value::Amount(Amount { value, of, per, .. })) => {
            // Nine digits: `4.35 million` is not quite 4,350,000 to a computer.
            let of = match of {
                Of::Unit(unit) => format!("{unit:?}"),
                Of::Words(stems) => stems.clone(),
            };
            let per = per.map_or_else(String::new, |per| format!(" {per:?}"));
            format!("{value:.8e} {of}{per}")
        }
        Some(Value::Day(date)) if !date.is_ambiguous => {
            format!("{:?} {} {:?}", date.year, date.month, date.day)
        }
        Some(Value::Day(_) | Value::Year(_)) | None => {
            answer.to_lowercase().replace([' ', '\u{a0}'], "")
        }
    }
}

/// The same of the words at these bytes of a text, with the bounds that the words before them tell.
pub(super) fn key_in(text: &str, bytes: &Range<usize>) -> Option<String> {
    let answer = text.get(bytes.clone())?;
    let value = Value::read(answer);
    let bounds = match &value {
        Some(Value::Amount(amount)) => amount.bounds_in(text, bytes),
        Some(Value::Day(_) | Value::Year(_)) | None => None,
    };
    let key = key_of(value.as_ref(), answer);
    let bounds = bounds.map(|it| format!(" {:.8e}..{:.8e}", it.start, it.end));
    Some(key + &bounds.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_compared_by_what_they_come_to() {
        for (one, other, differs) in [
            ("€186 million", "212 million euros", Some(true)),
            ("€186 million", "186 million euros", Some(false)),
            ("38 m", "40 metres", Some(true)),
            ("38 m", "38 metres", Some(false)),
            ("38 m", "125 feet", Some(false)),
            ("38 m", "150 ft", Some(true)),
            ("900 million", "1.2 billion", Some(true)),
            ("1.2 billion people", "1,200 million people", Some(false)),
            ("90 minutes", "1.5 hours", Some(false)),
            ("1 hour 30 minutes", "90 minutes", Some(false)),
            ("1 day 2 hours 30 minutes", "1,590 minutes", Some(false)),
            ("6 feet 2 inches", "1.88 metres", Some(false)),
            ("3 tonnes 500 kilograms", "3.5 tonnes", Some(false)),
            ("1 hour 90 minutes", "150 minutes", None),
            ("12 %", "12 percent", Some(false)),
            ("196 steps", "212 steps", Some(true)),
            ("196 steps", "3 floors", None),
            ("12 euros a day", "30 euros a week", None),
            ("12 euros", "12 dollars", None),
            ("2 kg", "2 km", None),
            ("12", "13", None),
            ("10 to 12 metres", "11 metres", None),
        ] {
            let amounts = Amount::read(one).zip(Amount::read(other));
            assert_eq!(
                amounts.and_then(|(one, other)| one.differs(&other)),
                differs,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn what_may_lie_within_bounds_is_no_other_amount() {
        let read = |text: &str| {
            let figure = text.find(|c: char| c.is_ascii_digit()).unwrap();
            Amount::read_in(text, &(figure..text.len())).unwrap()
        };
        for (one, other, differs) in [
            ("it is over 250 metres", "it is 262 metres", false),
            ("it is over 250 metres", "860 feet", false),
            ("it is over 250 metres", "250 metres", false),
            ("it is over 250 metres", "240 metres", true),
            ("it is at most 200 metres", "262 metres", true),
            ("it is no more than 250 metres", "262 metres", true),
            ("it takes over 1 hour 30 minutes", "100 minutes", false),
            ("it takes over 1 hour 30 minutes", "80 minutes", true),
            ("over 250 metres", "at least 300 metres", false),
            ("over 250 metres", "at most 250 metres", true),
            ("over 250 boats", "262 boats", false),
            ("it is nearly 250 metres", "130 metres", true),
            ("it is nearly 250 metres", "240 metres", false),
            ("it is not under 250 metres", "262 metres", false),
            ("it is not under 250 metres", "240 metres", true),
            ("over here it is 250 metres", "262 metres", true),
        ] {
            assert_eq!(read(one).differs(&read(other)), Some(differs), "{one} {other}");
            assert_eq!(read(other).differs(&read(one)), Some(differs), "{other} {one}");
        }
        let key = |text: &str| key_in(text, &(text.find("250").unwrap()..text.len()));
        assert_eq!(key("over 250 m"), key("it is more than 250 metres"));
        assert_ne!(key("over 250 m"), key("it is at most 250 m"));
        assert_ne!(key("over 250 m"), key("it is 250 m"));
    }

    #[test]
    fn days_are_compared_as_far_as_both_tell_them() {
        for (one, other, differs) in [
            ("14 May 2012", "15 June 2012", Some(true)),
            ("14 May 2012", "2012-05-14", Some(false)),
            ("14 May 2012", "May 2012", Some(false)),
            ("14 May 2012", "2012", Some(false)),
            ("14 May 2012", "2013", Some(true)),
            ("2012", "2013", Some(true)),
            ("14 May", "15 June 2012", None),
            ("14 May", "15 June", None),
            ("15 May to 15 September", "2012", None),
        ] {
            let values = Value::of_time(one).zip(Value::of_time(other));
            assert_eq!(
                values.and_then(|(one, other)| one.differs(&other)),
                differs,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn one_value_has_one_key() {
        for (one, other) in [
            ("€4.35 million", "4,350,000 euros"),
            ("12 %", "12 percent"),
            ("3rd of March 2026", "2026-03-03"),
            ("Ada  Holm", "ada holm"),
        ] {
            assert_eq!(key(one), key(other));
        }
        for (one, other) in
            [("12 euros a day", "12 euros"), ("03/04/1823", "3 April 1823"), ("2012", "May 2012")]
        {
            assert_ne!(key(one), key(other));
        }
    }
}
