//! Days and months as they are meant: `March 3rd` is `2026-03-03` without its year.
//!
//! Border: tokens in, dates out.

use crate::text::{Shape, Token};

/// A day, or a month: at least the month is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The year, when it is said.
    pub year: Option<u32>,
    /// The month, from 1.
    pub month: u32,
    /// The day, when it is said.
    pub day: Option<u32>,
    /// Whether the day and the month may be the other way round: `03/04/1823`.
    pub is_ambiguous: bool,
    /// The token it begins with.
    pub at: usize,
    /// How many tokens it has.
    pub length: usize,
}

impl Date {
    /// Whether another date says all that this one says. One that can be read in two ways is said by its own writing
    /// alone.
    #[must_use]
    pub fn is_within(&self, other: &Date) -> bool {
        let agree = |one: Option<u32>, other: Option<u32>| one == other || one.is_none();
        self.is_ambiguous == other.is_ambiguous
            && self.month == other.month
            && agree(self.day, other.day)
            && agree(self.year, other.year)
    }

    /// Whether both may be one day, in some reading, or one of them the month of the other.
    #[must_use]
    pub fn may_be(&self, other: &Date) -> bool {
        let is_one = |one: &Date, other: &Date| one.is_within(other) || other.is_within(one);
        let others = other.readings();
        self.readings().iter().any(|one| others.iter().any(|it| is_one(one, it)))
    }

    /// What it may mean; twice the same where it can be read in one way.
    const fn readings(&self) -> [Date; 2] {
        let read = Date { is_ambiguous: false, ..*self };
        match (self.is_ambiguous, self.day) {
            (true, Some(day)) => [read, Date { month: day, day: Some(self.month), ..read }],
            _ => [read, read],
        }
    }
}

fn month(token: Option<&Token>) -> Option<u32> {
    let token = token.filter(|token| token.shape != Shape::Number)?;
    let word = if token.word == "sept" { "sep" } else { token.word.as_str() };
    // No two begin with the same three letters.
    let (name, month) = match word.as_bytes().get(..3)? {
        b"jan" => ("january", 1),
        b"feb" => ("february", 2),
        b"mar" => ("march", 3),
        b"apr" => ("april", 4),
        b"may" => ("may", 5),
        b"jun" => ("june", 6),
        b"jul" => ("july", 7),
        b"aug" => ("august", 8),
        b"sep" => ("september", 9),
        b"oct" => ("october", 10),
        b"nov" => ("november", 11),
        b"dec" => ("december", 12),
        _ => return None,
    };
    (word.len() == 3 || word == name).then_some(month)
}

/// A whole number within a range, with the token of its ordinal ending if it has one.
fn whole(tokens: &[Token], at: usize, least: u32, most: u32) -> Option<(u32, usize)> {
    let token = tokens.get(at).filter(|token| token.shape == Shape::Number)?;
    let n: u32 = token.word.parse().ok().filter(|n| (least..=most).contains(n))?;
    let ending =
        tokens.get(at + 1).filter(|next| token.touches(next) && is_ordinal_ending(&next.word));
    Some((n, if ending.is_some() { 2 } else { 1 }))
}

/// Whether a word is the end of `3rd`.
pub fn is_ordinal_ending(word: &str) -> bool {
    matches!(word, "st" | "nd" | "rd" | "th")
}

fn year(tokens: &[Token], at: usize) -> Option<u32> {
    let token = tokens.get(at).filter(|token| token.word.len() == 4)?;
    let is_decade = tokens.get(at + 1).is_some_and(|next| token.touches(next) && next.word == "s");
    whole(tokens, at, 1000, 2999).map(|(year, _)| year).filter(|_| !is_decade)
}

/// The date that the tokens begin with, and how many of them it takes.
pub fn date(tokens: &[Token], before: Option<&Token>) -> Option<(Date, usize)> {
    let date = |year, month, day, length| {
        Some((Date { year, month, day, is_ambiguous: false, at: 0, length }, length))
    };
    if let Some(found) = in_digits(tokens, before) {
        return Some(found);
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

/// A date in digits alone: `2026-03-13`, `2026/03/13`, `13.3.2026`, `13/03/2026`, `3/13/2026`.
fn in_digits(tokens: &[Token], before: Option<&Token>) -> Option<(Date, usize)> {
    let first = tokens.first().filter(|token| token.shape == Shape::Number)?;
    let date = |year, month, day, is_ambiguous, length| {
        let day = Some(day);
        Some((Date { year: Some(year), month, day, is_ambiguous, at: 0, length }, length))
    };
    let part = |at: usize, most: u32| whole(tokens, at, 1, most).map(|(n, _)| n);
    // With stops the tokenizer takes day and month for one number, and everybody writes the day first.
    if let Some((day, month)) = day_and_month(first).filter(|_| is_joined(tokens, 1, '.')) {
        return date(year(tokens, 1)?, month, day, false, 2);
    }
    let sign = ['-', '/'].into_iter().find(|sign| is_joined(tokens, 1, *sign))?;
    let goes_on = |token: &Token| token.shape == Shape::Number && first.before == sign;
    if !is_joined(tokens, 2, sign) || is_joined(tokens, 3, sign) || before.is_some_and(goes_on) {
        return None;
    }
    if let Some(year) = year(tokens, 0) {
        return date(year, part(1, 12)?, part(2, 31)?, false, 3);
    }
    let (one, other, year) = (part(0, 31)?, part(1, 31)?, year(tokens, 2)?);
    match (one <= 12, other <= 12) {
        (true, true) => date(year, other, one, one != other, 3),
        (false, true) => date(year, other, one, false, 3),
        (true, false) => date(year, one, other, false, 3),
        (false, false) => None,
    }
}

/// Whether nothing but this sign stands between a number and the one before it.
fn is_joined(tokens: &[Token], at: usize, sign: char) -> bool {
    let last = at.checked_sub(1).and_then(|at| tokens.get(at));
    tokens.get(at).zip(last).is_some_and(|(token, last)| {
        let is_beside = token.start == last.end + sign.len_utf8();
        token.shape == Shape::Number && token.before == sign && is_beside
    })
}

/// The day and the month of `13.3`, as what begins `13.3.2026`.
fn day_and_month(token: &Token) -> Option<(u32, u32)> {
    let (day, month) = token.word.split_once('.')?;
    let part = |digits: &str, most: u32| {
        let n: u32 = digits.parse().ok().filter(|_| digits.len() <= 2)?;
        (1..=most).contains(&n).then_some(n)
    };
    Some((part(day, 31)?, part(month, 12)?))
}

#[cfg(test)]
mod tests {
    use crate::text::tokens;
    use crate::verify::Figures;

    fn dates(text: &str) -> Vec<(Option<u32>, u32, Option<u32>)> {
        let dates = Figures::of(&tokens(text)).dates;
        dates.into_iter().map(|date| (date.year, date.month, date.day)).collect()
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

    #[test]
    fn dates_in_digits_are_read_where_they_can_be_read_in_one_way() {
        for text in [
            "2026-03-13",
            "2026/03/13",
            "13.3.2026",
            "13.03.2026",
            "13/03/2026",
            "3/13/2026",
            "13-03-2026",
        ] {
            assert_eq!(dates(text), [(Some(2026), 3, Some(13))], "{text}");
            assert!(!Figures::of(&tokens(text)).dates[0].is_ambiguous, "{text}");
        }
        assert_eq!(dates("on 03.04.1823."), [(Some(1823), 4, Some(3))]);
        for none in ["13.13.2026", "1.2.3", "10/11/12/2026", "13/14/2026", "1/2", "3.14 2026"] {
            assert!(dates(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn a_date_that_can_be_read_in_two_ways_is_no_other_and_contradicts_neither() {
        let of = |text: &str| Figures::of(&tokens(text)).dates[0];
        let written = of("03/04/1823");
        assert!(written.is_ambiguous && !of("04/04/1823").is_ambiguous);
        assert!(written.is_within(&of("3/4/1823")));
        for other in ["04/03/1823", "3 April 1823", "April 1823"] {
            assert!(!written.is_within(&of(other)) && !of(other).is_within(&written), "{other}");
        }
        for other in ["04/03/1823", "3 April 1823", "March 4, 1823", "April 1823"] {
            assert!(written.may_be(&of(other)) && of(other).may_be(&written), "{other}");
        }
        assert!(!written.may_be(&of("5 April 1823")));
    }
}
