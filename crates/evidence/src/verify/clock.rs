//! Times of a day, however they are written: `10 pm`, `10:30 p.m.`, `22:00`, `22.00 Uhr`.
//!
//! Border: tokens in, times out.

use super::unit::{self, Unit};
use super::value::{digits, spelled};
use crate::text::{Shape, Token, small_number};

/// Hours of a day, minutes of an hour, and minutes of half a day.
const HOURS: u16 = 24;
const MINUTES: u16 = 60;
const HALF: u16 = 12 * MINUTES;

/// A time of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Minutes since midnight.
    minute: u16,
    /// Whether its writing tells the half of the day: `10:00` may be one in the evening.
    is_half_known: bool,
}

impl Clock {
    /// Whether another is the same time, as far as their writings tell.
    #[must_use]
    pub const fn is(self, other: Clock) -> bool {
        if self.is_half_known && other.is_half_known {
            self.minute == other.minute
        } else {
            self.minute % HALF == other.minute % HALF
        }
    }
}

/// A time as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    /// The time.
    pub clock: Clock,
    /// The hour that is written, its minutes as a part of it.
    pub value: f64,
    /// How many tokens have the hour and the minutes.
    pub length: usize,
    /// How many tokens behind them say that it is a time.
    pub marks: usize,
    /// The half of the day, where it is named.
    pub half: Option<Unit>,
}

/// The time that these tokens begin with.
pub fn time(tokens: &[Token], before: &[Token]) -> Option<Time> {
    let first = tokens.first()?;
    if first.shape != Shape::Number && small_number(&first.word).is_none() {
        return None;
    }
    let joined = with_colon(tokens, before);
    let (hour, minute, length) = match joined.or_else(|| with_stop(tokens)) {
        Some(written) => written,
        None => bare(tokens, before)?,
    };
    let mark = mark(tokens.get(length..).unwrap_or_default());
    let mark = mark.filter(|mark| mark.half.is_none() || hour <= HALF / MINUTES);
    let (half, marks) = match mark {
        Some(mark) => (mark.half, mark.length),
        None if joined.is_some() => (None, 0),
        None => return None,
    };
    let of_half = match half {
        Some(Unit::AfterNoon) => hour % 12 + 12,
        Some(_) => hour % 12,
        None => hour,
    };
    let is_half_known = half.is_some() || hour == 0 || hour > 12;
    Some(Time {
        clock: Clock { minute: of_half * MINUTES + minute, is_half_known },
        value: f64::from(hour) + f64::from(minute) / f64::from(MINUTES),
        length,
        marks,
        half,
    })
}

/// What says behind a number that it is a time.
struct Mark {
    half: Option<Unit>,
    length: usize,
}

fn mark(behind: &[Token]) -> Option<Mark> {
    let first = behind.first().filter(|it| !it.opens && !it.begins)?;
    if matches!(first.word.as_str(), "uhr" | "oclock") {
        return Some(Mark { half: None, length: 1 });
    }
    let (unit, length) = unit::of(behind, false)?;
    unit.is_hour_of_day().then_some(Mark { half: Some(unit), length })
}

/// A whole number of two digits at most.
fn part(token: &Token, until: u16) -> Option<u16> {
    let is_bare = token.shape == Shape::Number && token.characters == token.word.len();
    let value = token.word.parse().ok().filter(|value| *value < until);
    value.filter(|_| is_bare && token.word.len() <= 2)
}

/// Whether nothing but a colon stands between two numbers.
fn is_joined(one: &Token, other: &Token) -> bool {
    other.shape == Shape::Number && other.before == ':' && other.start == one.end + 1
}

/// The hour and the minutes of `22:30`. With seconds it is as often how long something took.
fn with_colon(tokens: &[Token], before: &[Token]) -> Option<(u16, u16, usize)> {
    let [hour, minute, rest @ ..] = tokens else { return None };
    let goes_on = rest.first().is_some_and(|it| is_joined(minute, it))
        || before.last().is_some_and(|it| is_joined(it, hour));
    let is_time = is_joined(hour, minute) && minute.word.len() == 2 && !goes_on;
    let (hour, minute) = (part(hour, HOURS)?, part(minute, MINUTES)?);
    is_time.then_some((hour, minute, 2))
}

/// Those of `22.30`, which is one token, and a time only by what stands behind it.
fn with_stop(tokens: &[Token]) -> Option<(u16, u16, usize)> {
    let token = tokens.first().filter(|it| it.characters == it.word.len())?;
    let (hour, minute) = token.word.split_once('.').filter(|(_, minute)| minute.len() == 2)?;
    let hour = hour.parse().ok().filter(|it| *it < HOURS)?;
    let minute = minute.parse().ok().filter(|it| *it < MINUTES)?;
    Some((hour, minute, 1))
}

/// The hour of `10 pm` and `ten o'clock`.
fn bare(tokens: &[Token], before: &[Token]) -> Option<(u16, u16, usize)> {
    let first = tokens.first()?;
    let (value, length) = match first.shape {
        Shape::Number => digits(tokens, before)?,
        Shape::Sign => return None,
        Shape::Lower | Shape::Capital | Shape::Upper => spelled(tokens)?,
    };
    // The minutes of what is written otherwise are no hour.
    let is_minute = before.last().is_some_and(|it| is_joined(it, first));
    let hour = (0..HOURS).find(|hour| f64::from(*hour).to_bits() == value.to_bits())?;
    (!is_minute).then_some((hour, 0, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    fn clock(text: &str) -> Option<Clock> {
        time(&tokens(text), &[]).map(|time| time.clock)
    }

    #[test]
    fn a_time_has_many_writings() {
        let of_day = Some(Clock { minute: 22 * MINUTES, is_half_known: true });
        for text in
            ["10 pm", "10 p.m.", "10PM", "22:00", "22.00 Uhr", "22 Uhr", "22:00 Uhr", "ten pm"]
        {
            assert_eq!(clock(text), of_day, "{text}");
        }
        let of_half = Some(Clock { minute: 10 * MINUTES + 30, is_half_known: false });
        for text in ["10:30", "10.30 Uhr"] {
            assert_eq!(clock(text), of_half, "{text}");
        }
        assert_eq!(clock("12 am"), clock("0:00"));
        assert_eq!(clock("12:30 pm").map(|it| it.minute), Some(12 * MINUTES + 30));
        for none in
            ["22", "22.00", "22.00 boats", "1:2", "9:75", "2:03:59", "25:10", "13 pm", "10, Uhr"]
        {
            assert_eq!(clock(none), None, "{none}");
        }
    }

    #[test]
    fn the_half_of_the_day_counts_where_both_tell_it() {
        let is = |one: &str, other: &str| clock(one).zip(clock(other)).unwrap();
        for (one, other, expected) in [
            ("10 pm", "22:00", true),
            ("10 am", "22:00", false),
            ("10 pm", "10 am", false),
            ("10:00", "10 pm", true),
            ("10:00", "10 am", true),
            ("10:30", "22:00", false),
        ] {
            let (first, second) = is(one, other);
            assert_eq!((first.is(second), second.is(first)), (expected, expected), "{one} {other}");
        }
    }
}
