//! Numbers as they are meant: `1.2 million` is `1,200,000`, `March 3rd` is `2026-03-03` without its year.
//!
//! Border: tokens in, quantities and dates out.

use super::unit::{self, Unit};
use crate::text::{Shape, Token, small_number};

/// How a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A count, a year, a name's number: nothing says what it measures.
    Plain,
    /// A place in a row.
    Ordinal,
    /// All years that begin alike: `1990s`.
    Decade,
    /// So much of a unit.
    Of(Unit),
}

/// A number of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// Its value, scales such as million included.
    pub value: f64,
    /// How it is meant.
    pub measure: Measure,
    /// The token it begins with.
    pub at: usize,
    /// How many tokens it has, its unit not included.
    pub length: usize,
    /// How many tokens behind them name its unit.
    pub unit: usize,
    /// Whether it is the word "one", which is more often no number.
    pub is_vague: bool,
}

/// A day, or a month: at least the month is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The year, when it is said.
    pub year: Option<u32>,
    /// The month, from 1.
    pub month: u32,
    /// The day, when it is said.
    pub day: Option<u32>,
    /// The token it begins with.
    pub at: usize,
    /// How many tokens it has.
    pub length: usize,
}

impl Date {
    /// Whether another date says all that this one says, as far as both say it.
    #[must_use]
    pub fn is_within(&self, other: &Date) -> bool {
        let agree = |one: Option<u32>, other: Option<u32>| one == other || one.is_none();
        self.month == other.month
            && agree(self.day, other.day)
            && (self.year == other.year || self.year.is_none() || other.year.is_none())
    }
}

/// The numbers and dates of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// Numbers outside dates.
    pub quantities: Vec<Quantity>,
    /// Dates.
    pub dates: Vec<Date>,
}

impl Figures {
    /// Those of these tokens.
    #[must_use]
    pub fn of(tokens: &[Token]) -> Figures {
        let mut figures = Figures::default();
        let mut at = 0;
        while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            if let Some((date, length)) = date(rest, before) {
                figures.dates.push(Date { at, length, ..date });
                at += length;
            } else if let Some((quantity, length)) = quantity(rest, before) {
                figures.quantities.push(Quantity { at, length, ..quantity });
                at += length;
            } else {
                at += 1;
            }
        }
        figures
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn month(token: Option<&Token>) -> Option<u32> {
    let token = token.filter(|token| token.shape != Shape::Number)?;
    let word = if token.word == "sept" { "sep" } else { token.word.as_str() };
    let is_it = |name: &str| name == word || (word.len() == 3 && name.starts_with(word));
    let at = MONTHS.iter().position(|name| is_it(name))?;
    u32::try_from(at + 1).ok()
}

/// A whole number within a range, with the token of its ordinal ending if it has one.
fn whole(tokens: &[Token], at: usize, least: u32, most: u32) -> Option<(u32, usize)> {
    let token = tokens.get(at).filter(|token| token.shape == Shape::Number)?;
    let n: u32 = token.word.parse().ok().filter(|n| (least..=most).contains(n))?;
    let ending =
        tokens.get(at + 1).filter(|next| token.touches(next) && is_ordinal_ending(&next.word));
    Some((n, if ending.is_some() { 2 } else { 1 }))
}

fn is_ordinal_ending(word: &str) -> bool {
    matches!(word, "st" | "nd" | "rd" | "th")
}

fn year(tokens: &[Token], at: usize) -> Option<u32> {
    let token = tokens.get(at).filter(|token| token.word.len() == 4)?;
    let is_decade = tokens.get(at + 1).is_some_and(|next| token.touches(next) && next.word == "s");
    whole(tokens, at, 1000, 2999).map(|(year, _)| year).filter(|_| !is_decade)
}

fn date(tokens: &[Token], before: Option<&Token>) -> Option<(Date, usize)> {
    let date = |year, month, day, length| Some((Date { year, month, day, at: 0, length }, length));
    // 2026-03-03
    let dashed = |at: usize| tokens.get(at).is_some_and(|token| token.before == '-');
    if let (Some(year), true, true) = (year(tokens, 0), dashed(1), dashed(2))
        && let (Some((month, _)), Some((day, _))) =
            (whole(tokens, 1, 1, 12), whole(tokens, 2, 1, 31))
    {
        return date(Some(year), month, Some(day), 3);
    }
    // 3 March 2026, 3rd of March
    if let Some((day, used)) = whole(tokens, 0, 1, 31) {
        let of = usize::from(tokens.get(used).is_some_and(|token| token.word == "of"));
        let month = month(tokens.get(used + of))?;
        let year = year(tokens, used + of + 1);
        return date(year, month, Some(day), used + of + 1 + usize::from(year.is_some()));
    }
    // March 3rd, 2026; March 2026
    let month = month(tokens.first())?;
    if let Some((day, used)) = whole(tokens, 1, 1, 31) {
        let year = year(tokens, 1 + used);
        return date(year, month, Some(day), 1 + used + usize::from(year.is_some()));
    }
    if let Some(year) = year(tokens, 1) {
        return date(Some(year), month, None, 2);
    }
    // Alone, May and March are more often words.
    let is_name = tokens.first().is_some_and(|token| token.is_name() && token.word.len() > 3);
    let in_time = |word: &str| {
        matches!(
            word,
            "in" | "of"
                | "since"
                | "until"
                | "by"
                | "during"
                | "early"
                | "late"
                | "mid"
                | "last"
                | "next"
        )
    };
    let is_ambiguous = matches!(month, 3 | 5);
    (is_name && (!is_ambiguous || before.is_some_and(|word| in_time(&word.word))))
        .then(|| date(None, month, None, 1))?
}

fn ordinal(word: &str) -> Option<f64> {
    const ORDINALS: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let at = ORDINALS.iter().position(|name| *name == word)?;
    u32::try_from(at + 1).ok().map(f64::from)
}

fn scale(word: &str) -> Option<f64> {
    match word {
        "dozen" => Some(12.0),
        "hundred" => Some(1e2),
        "thousand" => Some(1e3),
        "lakh" => Some(1e5),
        "million" | "mn" | "millions" => Some(1e6),
        "crore" => Some(1e7),
        "billion" | "bn" | "billions" => Some(1e9),
        "trillion" | "tn" | "trillions" => Some(1e12),
        _ => None,
    }
}

/// The number that the tokens begin with, and how many of them it takes.
fn quantity(tokens: &[Token], before: Option<&Token>) -> Option<(Quantity, usize)> {
    let first = tokens.first()?;
    let (mut value, mut used, is_word) = match first.shape {
        Shape::Number => (first.word.parse::<f64>().ok()?, 1, false),
        Shape::Sign => return None,
        _ => match ordinal(&first.word) {
            Some(value) => return Some((plain(value, Measure::Ordinal, first), 1)),
            None => {
                let (value, used) = spelled(tokens)?;
                (value, used, true)
            }
        },
    };
    let next = |used: usize| tokens.get(used);
    let touching = |used: usize| {
        let last = tokens.get(used.checked_sub(1)?)?;
        next(used).filter(|token| last.touches(token)).map(|token| token.word.as_str())
    };
    if !is_word {
        match touching(used) {
            Some(ending) if is_ordinal_ending(ending) => {
                return Some((plain(value, Measure::Ordinal, first), used + 1));
            }
            Some("s") => return Some((plain(value, Measure::Decade, first), used + 1)),
            _ => {}
        }
        while let Some(factor) = next(used)
            .filter(|token| !token.opens && !token.begins)
            .and_then(|token| scale(&token.word))
        {
            value *= factor;
            used += 1;
        }
    }
    let currency = before.and_then(|sign| unit::currency(&sign.word));
    if let Some(currency) = currency {
        let factor = match touching(used) {
            Some("k") => 1e3,
            Some("m") => 1e6,
            Some("b") => 1e9,
            _ => 1.0,
        };
        value *= factor;
        used += usize::from(factor > 1.0);
        return Some((plain(value, Measure::Of(currency), first), used));
    }
    let is_touching = touching(used).is_some();
    let behind = tokens.get(used..).unwrap_or_default();
    let goes_on = behind.first().is_some_and(|token| !token.opens && !token.begins);
    let unit = if goes_on { unit::of(behind, is_touching) } else { None };
    let measure = unit.map_or(Measure::Plain, |(unit, _)| Measure::Of(unit));
    let unit = unit.map_or(0, |(_, tokens)| tokens);
    Some((Quantity { unit, ..plain(value, measure, first) }, used))
}

fn plain(value: f64, measure: Measure, first: &Token) -> Quantity {
    let is_vague = first.word == "one" && measure == Measure::Plain;
    Quantity { value, measure, at: 0, length: 0, unit: 0, is_vague }
}

/// A number in words: `twenty-one`, `two hundred and five`, `a million`.
fn spelled(tokens: &[Token]) -> Option<(f64, usize)> {
    let (mut total, mut part, mut used) = (0.0, 0.0, 0);
    let mut last_was_small = None;
    while let Some(token) = tokens.get(used) {
        let word = token.word.as_str();
        if let Some(value) = small_number(word) {
            // Beside a number only `twenty one` goes on with it.
            let goes_on = last_was_small.is_none_or(|last: f64| last >= 20.0 && value < 10.0);
            if !goes_on {
                break;
            }
            part += value;
            last_was_small = Some(value);
            used += 1;
        } else if let Some(factor) = scale(word).filter(|_| used > 0) {
            if factor < 1e3 {
                part = f64::max(part, 1.0) * factor;
            } else {
                total += f64::max(part, 1.0) * factor;
                part = 0.0;
            }
            last_was_small = None;
            used += 1;
        } else if matches!(word, "a" | "an")
            && used == 0
            && tokens.get(1).is_some_and(|next| scale(&next.word).is_some())
        {
            part = 1.0;
            used += 1;
        } else if word == "and"
            && used > 0
            && last_was_small.is_none()
            && tokens.get(used + 1).is_some_and(|next| small_number(&next.word).is_some())
        {
            used += 1;
        } else {
            break;
        }
    }
    (used > 0).then_some((total + part, used))
}

/// Whether two values are one, as far as their writing can tell.
#[must_use]
pub fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;
    use proptest::prelude::*;

    fn values(text: &str) -> Vec<f64> {
        Figures::of(&tokens(text)).quantities.into_iter().map(|quantity| quantity.value).collect()
    }

    fn dates(text: &str) -> Vec<(Option<u32>, u32, Option<u32>)> {
        let dates = Figures::of(&tokens(text)).dates;
        dates.into_iter().map(|date| (date.year, date.month, date.day)).collect()
    }

    #[test]
    fn one_value_has_many_writings() {
        for text in [
            "1.2 million",
            "1,200,000",
            "$1.2m",
            "one million two hundred thousand",
            "1200 thousand",
        ] {
            assert_eq!(values(text), [1_200_000.0], "{text}");
        }
        assert_eq!(values("two hundred and five of twenty-one"), [205.0, 21.0]);
        assert_eq!(values("a million, a dozen and a half"), [1e6, 12.0]);
        assert_eq!(values("five six"), [5.0, 6.0]);
    }

    #[test]
    fn measures_are_told_apart() {
        let measures = |text: &str| -> Vec<Measure> {
            Figures::of(&tokens(text)).quantities.into_iter().map(|q| q.measure).collect()
        };
        assert_eq!(
            measures("3rd third 1990s 3"),
            [Measure::Ordinal, Measure::Ordinal, Measure::Decade, Measure::Plain]
        );
        assert_eq!(measures("5 km, 5 kilometres, 5km"), [Measure::Of(Unit::Kilometre); 3]);
        assert_eq!(measures("5 % or 5 percent or 5 per cent"), [Measure::Of(Unit::Percent); 3]);
        assert_eq!(measures("€5 and 5 euros"), [Measure::Of(Unit::Euro); 2]);
    }

    #[test]
    fn one_day_has_many_writings() {
        for text in
            ["2026-03-03", "March 3rd, 2026", "3 March 2026", "the 3rd of March 2026", "Mar 3 2026"]
        {
            assert_eq!(dates(text), [(Some(2026), 3, Some(3))], "{text}");
        }
        assert_eq!(
            dates("in March; May I; in April 1900"),
            [(None, 3, None), (Some(1900), 4, None)]
        );
    }

    #[test]
    fn a_date_that_says_less_is_within_one_that_says_more() {
        let of = |text: &str| Figures::of(&tokens(text)).dates[0];
        assert!(of("in March 2026").is_within(&of("3 March 2026")));
        assert!(of("3 March").is_within(&of("3 March 2026")));
        assert!(!of("4 March").is_within(&of("3 March 2026")));
        assert!(!of("3 March 2025").is_within(&of("3 March 2026")));
    }

    proptest! {
        #[test]
        fn any_tokens_give_figures_within_them(text in "([0-9]{1,5}|million|and|two|hundred|March|st|s|-|,| |\\$|one|\\PC){0,30}") {
            let tokens = tokens(&text);
            let figures = Figures::of(&tokens);
            let places = figures.quantities.iter().map(|q| q.at + q.length);
            for end in places.chain(figures.dates.iter().map(|date| date.at + date.length)) {
                prop_assert!(end <= tokens.len());
            }
        }
    }
}
