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
    /// The token it begins with.
    pub at: usize,
    /// How many tokens it has.
    pub length: usize,
}

impl Date {
    /// Whether another date says all that this one says.
    #[must_use]
    pub fn is_within(&self, other: &Date) -> bool {
        let agree = |one: Option<u32>, other: Option<u32>| one == other || one.is_none();
        self.month == other.month && agree(self.day, other.day) && agree(self.year, other.year)
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
}
