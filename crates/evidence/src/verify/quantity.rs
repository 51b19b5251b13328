//! Numbers as they are meant: `1.2 million` is `1,200,000`, `March 3rd` is `2026-03-03` without its year.
//!
//! Border: tokens in, quantities and dates out.

use super::bound::is_year;
use super::clock::Clock;
use super::counted::{is_counted, is_of_range, noun, row};
use super::covered::{Covered, covers};
use super::date::{Date, date};
use super::day;
use super::number::{per, quantity};
use super::range;
use super::rate::{self, Per};
use super::unit::{self, Unit};
use super::value::YEARS;
use crate::text::Token;

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
    /// Whether its digits stand in groups, as those of no year do: `1,900`.
    pub is_grouped: bool,
    /// Whether it is so much of its unit an hour or the like.
    pub is_rate: bool,
    /// For how long it holds, where that is told: `40 cars a week`.
    pub per: Option<Per>,
    /// Whether a word behind them says what it counts: `40 storeys`.
    pub counts: bool,
    /// How many tokens stand between it and the one that names what it counts: `40 old boats`.
    pub noun: Option<u8>,
    /// How many tokens behind it may all be of the name of that: `40 old fishing boats`.
    pub row: u8,
    /// Whether it is before Christ.
    pub is_bc: bool,
    /// Whether it stands at one end of a range: `10 to 20`.
    pub is_end: bool,
    /// Whether something stands before it with which it may be one: `from 10 to 20`, `up to 20`.
    pub may_be_end: bool,
    /// How many digits it has behind its point.
    pub decimals: u8,
    /// Whether it is the number of a version, of which each of these counts: `2.10`.
    pub is_version: bool,
    /// Whether only a dash stands between it and the number before it: `3-1`.
    pub is_dashed: bool,
    /// The time of a day that it is.
    pub clock: Option<Clock>,
    /// Other values that say as much: of `1990s` its years, of `over 250` what is not far above.
    pub covers: Option<Covered>,
}

impl Quantity {
    /// How many tokens say nothing but what it says. Those of its unit are no words beside it: whoever writes `m²` has
    /// none of `square metres`.
    #[must_use]
    pub const fn own_tokens(&self) -> usize {
        self.length + self.unit
    }

    /// Whether a year says it.
    #[must_use]
    pub fn has_year(&self, year: u32) -> bool {
        let year = f64::from(year);
        match self.measure {
            Measure::Plain => {
                !self.is_grouped && self.covers.is_none() && is_same(self.value, year)
            }
            Measure::Decade | Measure::Ordinal => self.covers.is_some_and(|it| it.has(year)),
            Measure::Of(_) => false,
        }
    }

    fn is_time_of(&self, other: &Quantity) -> bool {
        matches!((self.clock, other.clock), (Some(own), Some(clock)) if own.is_said_by(clock))
    }

    /// The token that names what it counts, where that is known.
    #[must_use]
    pub fn noun(&self) -> Option<usize> {
        self.noun.map(|behind| self.at + self.length + usize::from(behind))
    }

    /// Whether another number says its value, whatever that measures.
    #[must_use]
    pub fn has_value(&self, other: &Quantity) -> bool {
        #[cfg(test)]
        COMPARED.with(|count| count.set(count.get() + 1));
        is_same(self.value, other.value)
            || self.is_time_of(other)
            || self.has_covered(other)
            || self.is_in_other_unit(other)
    }

    /// Whether another gives it in a greater or a smaller unit of the same row: `5 km`, `5,000 m`.
    fn is_in_other_unit(&self, other: &Quantity) -> bool {
        let (Measure::Of(one), Measure::Of(unit)) = (self.measure, other.measure) else {
            return false;
        };
        let is_plain = |it: &Quantity| it.covers.is_none() && !it.is_rate && it.per.is_none();
        let both = one.in_least().zip(unit.in_least()).filter(|_| one != unit);
        let is_it = both.is_some_and(|((row, own), (other_row, there))| {
            row == other_row && is_same(self.value * own, other.value * there)
        });
        is_it && is_plain(self) && is_plain(other)
    }

    /// Whether something says of another number that it is none of this kind: of years before Christ, of the end of a range, of
    /// a version.
    fn is_of_other_row(&self, other: &Quantity) -> bool {
        let is_version = self.is_version || other.is_version;
        self.is_bc != other.is_bc
            || (other.is_end && !self.may_be_end && self.covers.is_none())
            || (is_version && self.decimals != other.decimals)
    }

    /// Whether another number says it.
    #[must_use]
    pub fn is_said_by(&self, other: &Quantity) -> bool {
        #[cfg(test)]
        COMPARED.with(|count| count.set(count.get() + 1));
        match (self.clock, other.clock) {
            (Some(own), Some(clock)) => return own.is_said_by(clock),
            // What counts something is no time, though `22:00` begins with it.
            (Some(_), None) if self.measure == Measure::Plain && other.counts => return false,
            (None, Some(_)) if other.measure == Measure::Plain && self.counts => return false,
            _ => {}
        }
        if self.per.zip(other.per).is_some_and(|(own, per)| own != per)
            || self.is_of_other_row(other)
        {
            return false;
        }
        let fits = match (self.measure, other.measure) {
            (Measure::Of(one), Measure::Of(unit)) => {
                one == unit && (!one.is_way() || self.is_rate == other.is_rate)
            }
            (Measure::Ordinal | Measure::Decade, other) => self.measure == other,
            (Measure::Of(_), Measure::Ordinal | Measure::Decade)
            | (
                Measure::Plain,
                Measure::Ordinal
                | Measure::Decade
                | Measure::Of(Unit::Percent | Unit::PercentagePoint),
            ) => false,
            // What counts something measures nothing else; a bare one may be of a row or a range.
            (Measure::Of(unit), Measure::Plain) => unit.is_hour_of_day() || !other.counts,
            _ => true,
        };
        let is_it = is_same(self.value, other.value)
            && match (self.covers, other.covers) {
                (Some(own), Some(there)) => own.has_all_of(&there),
                // Of `almost 200` there were less.
                (None, Some(there)) => there.until > other.value,
                _ => !self.is_beyond_itself(),
            };
        (fits && is_it) || self.has_covered(other) || self.is_in_other_unit(other)
    }

    /// Whether it speaks of what is more than its value, or less, and not of that: `over 250`. A century is counted.
    fn is_beyond_itself(&self) -> bool {
        self.measure != Measure::Ordinal && self.covers.is_some_and(|it| !it.has(self.value))
    }

    fn has_covered(&self, other: &Quantity) -> bool {
        // Against another "over" only the same number will do: it is the one that was meant. Of `over 1,500` a bare 1900 is
        // more often a year.
        other.covers.is_none()
            && (self.measure != Measure::Plain || !is_year(other))
            && self.covers.is_some_and(|it| it.measure == other.measure && it.has(other.value))
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
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.quantities.is_empty() && self.dates.is_empty()
    }

    /// Whether they have a number's value, or the year that it is.
    #[must_use]
    pub fn has_quantity(&self, quantity: &Quantity) -> bool {
        let is_year = |date: &Date| date.year.is_some_and(|year| quantity.has_year(year));
        self.quantities.iter().any(|other| quantity.has_value(other))
            || self.dates.iter().any(is_year)
    }

    /// Whether they have a date, or a closer one.
    #[must_use]
    pub fn has_date(&self, date: &Date) -> bool {
        self.dates.iter().any(|other| date.is_within(other))
    }

    /// The number that begins with a token.
    #[must_use]
    pub fn beginning(&self, at: usize) -> Option<&Quantity> {
        self.quantities.get(self.first_from(at)).filter(|it| it.at == at)
    }

    /// The number that a token stands right behind, or that counts it.
    #[must_use]
    pub fn counting(&self, at: usize) -> Option<&Quantity> {
        let last = self.first_from(at).checked_sub(1)?;
        self.quantities.get(last).filter(|it| it.at + it.length == at || it.noun() == Some(at))
    }

    /// Which is the first number that begins with this token or behind it. They stand one behind the other, and a
    /// sentence may have a hundred thousand.
    fn first_from(&self, at: usize) -> usize {
        self.quantities.partition_point(|it| {
            #[cfg(test)]
            LOOKED_AT.with(|count| count.set(count.get() + 1));
            it.at < at
        })
    }

    /// The date that begins with a token.
    #[must_use]
    pub fn date_beginning(&self, at: usize) -> Option<&Date> {
        let found = self.dates.binary_search_by_key(&at, |it| it.at).ok();
        found.and_then(|n| self.dates.get(n))
    }

    /// Whether a token is part of a date.
    #[must_use]
    pub fn is_in_date(&self, at: usize) -> bool {
        let behind = self.dates.partition_point(|it| it.at <= at);
        let last = behind.checked_sub(1).and_then(|n| self.dates.get(n));
        last.is_some_and(|it| at < it.at + it.length)
    }

    /// Those of these tokens.
    #[must_use]
    pub fn of(tokens: &[Token]) -> Figures {
        let mut figures = Figures::default();
        let mut at = 0;
        while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
            let before = tokens.get(..at).unwrap_or_default();
            if let Some((date, length)) = date(rest, before.last()) {
                figures.dates.push(Date { at, length, ..date });
                at += length;
            } else if let Some((quantity, length)) = quantity(rest, before) {
                figures.quantities.push(beside(quantity, length, at, tokens));
                at += length;
            } else {
                at += 1;
            }
        }
        day::tell(&mut figures.quantities, tokens);
        range::tell(&mut figures.quantities, tokens);
        figures
    }
}

#[cfg(test)]
thread_local! {
    /// How many numbers were looked at to find some by their place.
    pub static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    /// How many pairs of numbers were compared.
    pub static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A number of so many tokens from this one on, with what the tokens around it say of it.
fn beside(quantity: Quantity, length: usize, at: usize, tokens: &[Token]) -> Quantity {
    let (before, rest) = tokens.split_at_checked(at).unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default();
    let value = range::signed(&quantity, before, behind);
    let quantity = Quantity { value, ..quantity };
    let covers = covers(&quantity, before, behind.first());
    // The century is what its number counts.
    let is_century = quantity.measure == Measure::Ordinal && covers.is_some();
    let unit = quantity.unit + usize::from(is_century);
    let may_count =
        quantity.measure == Measure::Plain && quantity.clock.is_none() && !is_of_range(before);
    let counts = may_count && is_counted(behind);
    let is_year = length == 1 && !quantity.is_grouped && YEARS.contains(&quantity.value);
    let noun = if may_count { noun(behind, counts) } else { None };
    let noun = noun.filter(|at| *at == 0 || !is_year);
    let own = behind.first().filter(|_| quantity.unit == 1);
    let own = own.and_then(|unit| rate::of_unit(&unit.word));
    let begins_rate = behind.get(unit).is_some_and(unit::begins_rate);
    let per = own.or_else(|| per(&quantity, rest, length + unit));
    Quantity {
        at,
        length,
        covers,
        unit,
        is_rate: own.is_some() || begins_rate,
        per,
        counts,
        noun: noun.and_then(|noun| u8::try_from(noun).ok()),
        row: if noun.is_some() { row(behind) } else { 0 },
        ..quantity
    }
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
    fn a_year_that_is_cut_short_is_the_year() {
        for text in ["2018–19", "2018-19", "2018/19", "2018–2019", "2018-2019"] {
            assert_eq!(values(text), [2018.0, 2019.0], "{text}");
        }
        assert_eq!(values("the 1899-1900 season"), [1899.0, 1900.0]);
        // What goes back, is grouped, or stands apart is something else.
        for (text, expected) in [
            ("2018–05", [2018.0, 5.0]),
            ("1,819–20", [1819.0, 20.0]),
            ("in 2018, 19 of them", [2018.0, 19.0]),
            ("2018 – 19", [2018.0, 19.0]),
            ("9918–19", [9918.0, 19.0]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
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
