//! For how long a number holds: `40 cars a week`, `5 euros per night`.
//!
//! Border: the tokens behind a number in; a time, where one is told, out.

use super::words;
use crate::text::{Shape, Token};

/// Words between a number and the time for which it holds: `40 new electric cars a week`.
const BETWEEN: usize = 4;

/// The time for which a number holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Per {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// That which a unit says by itself.
pub fn of_unit(word: &str) -> Option<Per> {
    match word {
        "mph" | "kph" | "kmh" | "kmph" => Some(Per::Hour),
        _ => None,
    }
}

/// That which the tokens behind a number and its unit tell. What may be a year has one only behind what it counts:
/// `1500 cars a day`, but not `in 1990 daily tours began`.
pub fn per(behind: &[Token], may_be_year: bool) -> Option<Per> {
    let first = usize::from(may_be_year);
    for (at, token) in behind.iter().enumerate().take(BETWEEN + 1) {
        if token.opens || token.begins || token.is_number() {
            return None;
        }
        let named = match token.word.as_str() {
            _ if token.before == '/' => short(&token.word),
            "per" => period(behind.get(at + 1)),
            "a" | "an" if at >= first && is_each(behind, at) => period(behind.get(at + 1)),
            "each" | "every" if !may_be_year => period(behind.get(at + 1)),
            word if !may_be_year && token.shape == Shape::Lower => adverb(word),
            _ => None,
        };
        if named.is_some() {
            return named;
        }
    }
    None
}

/// Whether an article says "each": it stands behind the number, or what that counts, and before no `day later`.
fn is_each(behind: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| behind.get(at));
    let is_behind_noun = before.is_none_or(|it| !words::is_function_word(&it.word));
    let next = behind.get(at + 2).filter(|it| !it.opens && !it.begins);
    let goes_on = matches!(
        next.map_or("", |it| it.word.as_str()),
        "after"
            | "ago"
            | "apart"
            | "before"
            | "earlier"
            | "later"
            | "long"
            | "off"
            | "old"
            | "older"
            | "time"
            | "younger"
    );
    is_behind_noun && !goes_on
}

fn period(token: Option<&Token>) -> Option<Per> {
    match token.filter(|it| !it.opens && !it.begins)?.word.as_str() {
        "second" | "sec" => Some(Per::Second),
        "minute" | "min" => Some(Per::Minute),
        "hour" | "hr" => Some(Per::Hour),
        // Who sleeps there pays for the night, or the day.
        "day" | "night" => Some(Per::Day),
        "week" => Some(Per::Week),
        "month" => Some(Per::Month),
        "year" | "annum" => Some(Per::Year),
        _ => None,
    }
}

/// One behind a stroke: `km/h`.
fn short(word: &str) -> Option<Per> {
    match word {
        "s" | "sec" | "second" => Some(Per::Second),
        "min" | "minute" => Some(Per::Minute),
        "h" | "hr" | "hour" => Some(Per::Hour),
        "d" | "day" | "night" => Some(Per::Day),
        "week" | "wk" => Some(Per::Week),
        "month" | "mo" => Some(Per::Month),
        "year" | "yr" => Some(Per::Year),
        _ => None,
    }
}

fn adverb(word: &str) -> Option<Per> {
    match word {
        "hourly" => Some(Per::Hour),
        "daily" | "nightly" => Some(Per::Day),
        "weekly" => Some(Per::Week),
        "monthly" => Some(Per::Month),
        "annual" | "annually" | "yearly" => Some(Per::Year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn the_time_is_that_of_the_number() {
        for (text, expected) in [
            ("cars a week", Some(Per::Week)),
            ("new electric cars per day", Some(Per::Day)),
            ("a night", Some(Per::Day)),
            ("/h", Some(Per::Hour)),
            ("weekly flights", Some(Per::Week)),
            ("boats that sail every year", Some(Per::Year)),
            ("per cent a year", Some(Per::Year)),
            ("people a day later", None),
            ("boats within a week", None),
            ("cars, a day", None),
            ("cars and 20 a day", None),
            ("cars and ten a day", None),
            ("readers of the Daily", None),
            ("new cars for the people of a day", None),
        ] {
            assert_eq!(per(&tokens(&format!("40 {text}"))[1..], false), expected, "{text}");
        }
        assert_eq!(per(&tokens("1990 daily tours began")[1..], true), None);
        assert_eq!(per(&tokens("1990 a day of rest began")[1..], true), None);
        assert_eq!(per(&tokens("1500 cars a day")[1..], true), Some(Per::Day));
    }
}
