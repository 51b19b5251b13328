//! When something was published, as far as it says, so that two can be compared.
//!
//! Border: a date as a page or a search writes it in; which of two is later out, where that is known.

use crate::text::tokens;
use crate::verify::Figures;
use std::cmp::Ordering;

/// A year, perhaps with its month and its day. Its order is whole, so that it can sort: what says less of a time
/// stands before what says more of it. Whether one was published later than another, [`Published::compare`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Published {
    year: u32,
    month: Option<u32>,
    day: Option<u32>,
}

impl Published {
    /// Reads `2024`, `2024-05`, `2024-05-01`, with a time behind it or not, `13.5.2024`, and dates in words, such as
    /// `May 2024`.
    /// None: it is no date, or one that can be read in two ways.
    #[must_use]
    pub fn parse(text: &str) -> Option<Published> {
        let text = text.trim();
        Self::in_digits(text).or_else(|| Self::in_words(text))
    }

    fn in_digits(text: &str) -> Option<Published> {
        let date = text.split(['T', 't', ' ']).next().unwrap_or_default();
        let mut parts = date.split(['-', '/']);
        let mut number = |digits: usize| match parts.next() {
            None => Some(None),
            Some(part) => {
                let is_number =
                    part.len() == digits && part.bytes().all(|digit| digit.is_ascii_digit());
                is_number.then(|| part.parse::<u32>().ok())
            }
        };
        let (year, month, day) = (number(4)??, number(2)?, number(2)?);
        let is_month = month.is_none_or(|month| (1..=12).contains(&month));
        let is_day = day.is_none_or(|day| (1..=31).contains(&day));
        // What follows the day is its time, and a year alone has none.
        let is_whole = parts.next().is_none() && (day.is_some() || date.len() == text.len());
        (is_month && is_day && is_whole).then_some(Published { year, month, day })
    }

    fn in_words(text: &str) -> Option<Published> {
        match Figures::of(&tokens(text)).dates.as_slice() {
            [date] if !date.is_ambiguous => {
                Some(Published { year: date.year?, month: Some(date.month), day: date.day })
            }
            _ => None,
        }
    }

    /// Which of two was published later. None where they do not say it as exactly as that needs: a year against a
    /// month of it.
    #[must_use]
    pub fn compare(self, other: Published) -> Option<Ordering> {
        let parts =
            [(Some(self.year), Some(other.year)), (self.month, other.month), (self.day, other.day)];
        for (one, other) in parts {
            match (one, other) {
                (Some(one), Some(other)) if one != other => return Some(one.cmp(&other)),
                (Some(_), Some(_)) => {}
                (None, None) => return Some(Ordering::Equal),
                _ => return None,
            }
        }
        Some(Ordering::Equal)
    }

    /// The same of two dates as they are written. None also where one of them is no date.
    #[must_use]
    pub fn compared(one: Option<&str>, other: Option<&str>) -> Option<Ordering> {
        Published::parse(one?)?.compare(Published::parse(other?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    #[test]
    fn dates_are_compared_as_days_and_not_as_words() {
        for (one, other, expected) in [
            ("2024-05-01", "2023-12-31", Some(Greater)),
            ("2024-05-01T10:00:00Z", "2024-05-02", Some(Less)),
            ("2024-05-01 10:00", "2024-05-01T23:59:59+02:00", Some(Equal)),
            ("9 May 2024", "10 May 2024", Some(Less)),
            ("May 2024", "April 2024", Some(Greater)),
            ("March 3rd, 2026", "2026-03-03", Some(Equal)),
            ("2019", "2024-05", Some(Less)),
            ("2024/06/01", "June 2023", Some(Greater)),
            ("2024", "2024", Some(Equal)),
            ("13.05.2024", "5/12/2023", None),
            ("13.05.2024", "12/31/2023", Some(Greater)),
            // A year against a month of it, and what can be read in two ways or not at all.
            ("2024", "2024-05", None),
            ("2024-05", "2024-05-01", None),
            ("05/06/2024", "2023-01-01", None),
            ("last week", "2023-01-01", None),
            ("2024-13-01", "2023-01-01", None),
            ("", "2023-01-01", None),
        ] {
            assert_eq!(Published::compared(Some(one), Some(other)), expected, "{one} {other}");
            let turned = expected.map(Ordering::reverse);
            assert_eq!(Published::compared(Some(other), Some(one)), turned, "{other} {one}");
        }
    }

    #[test]
    fn dates_are_sorted_as_days_and_agree_with_which_is_later() {
        let written =
            ["2023", "June 2023", "9 May 2024", "2024-05-10", "2024/06/01", "2025-01-01T08:00"];
        let dates: Vec<Published> = written.iter().filter_map(|it| Published::parse(it)).collect();
        assert_eq!(dates.len(), written.len());
        assert!(dates.is_sorted());
        for (one, other) in dates.iter().zip(dates.iter().skip(1)) {
            assert!(matches!(one.compare(*other), Some(Less) | None), "{one:?} {other:?}");
        }
    }
}
