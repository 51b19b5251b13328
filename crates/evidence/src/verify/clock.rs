//! Times of a day, however they are written: `10 pm`, `10:30 p.m.`, `22:00`, `22.00 Uhr`.
//!
//! Border: tokens in, times out. What words around a time say of it is read in `day.rs`.

use super::unit::{self, Unit};
use super::value::{digits, spelled};
use crate::text::{Shape, Token, small_number};

/// Hours of a day, minutes of an hour, and minutes of half a day.
const HOURS: u16 = 24;
const MINUTES: u16 = 60;
const HALF: u16 = 12 * MINUTES;

/// What is known of the half of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    /// The hour itself tells it: `22:00`.
    Told,
    /// A word beside it tells it: `10 pm`, `10:00 in the evening`.
    Named,
    /// Nothing tells it: `10:00` is before noon where hours are counted through, and may be either elsewhere.
    Bare,
    /// It is told further off, perhaps of another: `8:00 to 10:00 pm`, `this evening the fair opens at 8:00`.
    Shared,
}

/// A time of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Minutes since midnight.
    minute: u16,
    half: Half,
}

impl Clock {
    /// Whether a passage that has this other says it. Of who tells the half of the day, it has to be that half; what a
    /// passage leaves open is before noon.
    #[must_use]
    pub const fn is_said_by(self, other: Clock) -> bool {
        match (self.half, other.half) {
            (Half::Told | Half::Named, Half::Told | Half::Named | Half::Bare) => {
                self.minute == other.minute
            }
            (Half::Told | Half::Named, Half::Shared) | (Half::Bare | Half::Shared, _) => {
                self.minute % HALF == other.minute % HALF
            }
        }
    }

    /// Whether nothing tells its half of the day.
    #[must_use]
    pub fn is_bare(self) -> bool {
        self.half == Half::Bare
    }

    /// Whether a word tells its half of the day.
    #[must_use]
    pub fn is_named(self) -> bool {
        self.half == Half::Named
    }

    /// Its hour, as far as its half of the day is known: 0 to 23.
    #[must_use]
    pub const fn hour(self) -> u16 {
        self.minute / MINUTES
    }

    /// The same time in this half of the day.
    #[must_use]
    pub fn in_half(self, half: Unit) -> Clock {
        let behind_noon = if half == Unit::AfterNoon { HALF } else { 0 };
        Clock { minute: self.minute % HALF + behind_noon, half: Half::Named }
    }

    /// The same where it may be of either half.
    #[must_use]
    pub const fn in_either(self) -> Clock {
        Clock { half: Half::Shared, ..self }
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

/// The time that these tokens begin with, as far as it tells itself.
pub fn time(tokens: &[Token], before: &[Token]) -> Option<Time> {
    let first = tokens.first()?;
    if first.shape != Shape::Number && small_number(&first.word).is_none() {
        return None;
    }
    let Written { hour, minute, length, is_joined } = written(tokens, before)?;
    let mark = mark(tokens.get(length..).unwrap_or_default());
    let mark = mark.filter(|mark| mark.half.is_none() || hour <= HALF / MINUTES);
    let (half, marks) = match mark {
        Some(mark) => (mark.half, mark.length),
        None if is_joined => (None, 0),
        None => return None,
    };
    let is_open = half.is_none() && (1..=HALF / MINUTES).contains(&hour);
    let told = if is_open { Half::Bare } else { Half::Told };
    let clock = Clock { minute: hour * MINUTES + minute, half: told };
    Some(Time {
        clock: half.map_or(clock, |half| clock.in_half(half)),
        value: f64::from(hour) + f64::from(minute) / f64::from(MINUTES),
        length,
        marks,
        half,
    })
}

/// An hour and minutes as they are written.
struct Written {
    hour: u16,
    minute: u16,
    length: usize,
    /// Whether a colon joins them, so that nothing else has to say that they are a time.
    is_joined: bool,
}

fn written(tokens: &[Token], before: &[Token]) -> Option<Written> {
    let joined = with_colon(tokens, before);
    let found = joined.or_else(|| with_stop(tokens)).or_else(|| bare(tokens, before));
    let is_joined = joined.is_some();
    found.map(|(hour, minute, length)| Written { hour, minute, length, is_joined })
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
fn digits_below(token: &Token, until: u16) -> Option<u16> {
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
    let (hour, minute) = (digits_below(hour, HOURS)?, digits_below(minute, MINUTES)?);
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
    use super::super::quantity::Figures;
    use super::*;
    use crate::text::tokens;

    fn clock(text: &str) -> Option<Clock> {
        Figures::of(&tokens(text)).quantities.first()?.clock
    }

    #[test]
    fn a_time_has_many_writings() {
        let of_day = Some(22 * MINUTES);
        for text in
            ["10 pm", "10 p.m.", "10PM", "22:00", "22.00 Uhr", "22 Uhr", "22:00 Uhr", "ten pm"]
        {
            let clock = clock(text);
            assert_eq!(clock.map(|it| it.minute), of_day, "{text}");
            assert!(clock.is_some_and(|it| !it.is_bare()), "{text}");
        }
        let of_half = Some(Clock { minute: 10 * MINUTES + 30, half: Half::Bare });
        for text in ["10:30", "10.30 Uhr"] {
            assert_eq!(clock(text), of_half, "{text}");
        }
        assert_eq!(clock("12 am").map(|it| it.minute), Some(0));
        assert_eq!(clock("12:30 pm").map(|it| it.minute), Some(12 * MINUTES + 30));
        for none in
            ["22", "22.00", "22.00 boats", "1:2", "9:75", "2:03:59", "25:10", "13 pm", "10, Uhr"]
        {
            assert_eq!(clock(none), None, "{none}");
        }
    }

    #[test]
    fn a_half_of_the_day_is_said_where_it_is_told() {
        for (one, other, is_said, says) in [
            ("10 pm", "22:00", true, true),
            ("10 am", "22:00", false, false),
            ("10 pm", "10 am", false, false),
            ("10:00", "10 pm", true, false),
            ("10:00", "10 am", true, true),
            ("10:30", "22:00", false, false),
            ("10:00", "22:00", true, false),
            ("12:30", "12:30 pm", true, true),
            ("12:30", "12:30 am", true, false),
        ] {
            let (first, second) = clock(one).zip(clock(other)).unwrap();
            let both = (first.is_said_by(second), second.is_said_by(first));
            assert_eq!(both, (is_said, says), "{one} {other}");
        }
    }
}
