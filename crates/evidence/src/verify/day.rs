//! The half of the day that words around a time tell: `10:00 in the evening`, `7:00 and 9:00 pm`.
//!
//! Border: the numbers of a sentence with its tokens in, the times among them told out. English and German. Words beside a
//! time bind it; what stands further off only leaves open of which half it is.

use super::clock::Clock;
use super::quantity::Quantity;
use super::unit::Unit;
use crate::text::{Shape, Token};
use std::collections::BTreeSet;
use std::ops::Range;

/// Words between a time and the part of the day beside it: `at 10:00 on the same evening`.
const BETWEEN: usize = 3;
/// Those words.
const SMALL: [&str; 14] = [
    "am", "at", "der", "each", "every", "heute", "in", "jeden", "on", "same", "that", "the",
    "this", "zu",
];
/// Words between a part of the day and a time that is of it.
const LEADS: [&str; 10] =
    ["about", "around", "at", "bis", "by", "from", "gegen", "till", "um", "until"];
/// Those before the end of a time: from the morning until 8:00 it may be evening, and from the evening until 2:00 it is not.
const ENDS: [&str; 3] = ["bis", "till", "until"];
/// Hours of the morning at which what began in the evening ends.
const SMALL_HOURS: [u16; 5] = [12, 1, 2, 3, 4];
/// What begins to tell of something else than the time before it, beside what joins.
const ELSE: [&str; 3] = ["aber", "but", "while"];
/// What does not, behind a comma: `10:00, at night`.
const STILL: [&str; 5] = ["am", "at", "in", "late", "on"];
/// What joins two parts of the day.
const BOTH: [&str; 4] = ["and", "oder", "or", "und"];
/// What joins two times, beside those.
const TO: [&str; 2] = ["through", "to"];
/// Tokens between two times that are joined: `7:00 and at 9:00`.
const JOINED: usize = 2;
/// The first hour that is not of the morning.
const NOON: u16 = 12;
/// Hours that are one of the evening where they are "at night": at one it is morning.
const OF_NIGHT: Range<u16> = 6..12;

/// Parts of a day, by what they tell of an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Morning,
    Noon,
    /// The evening, and the afternoon.
    Evening,
    Night,
    Midnight,
}

impl Part {
    fn of(token: &Token) -> Option<Part> {
        let noun = match token.word.as_str() {
            "morgen" | "vormittag" => Some(Part::Morning),
            "mittag" => Some(Part::Noon),
            "abend" | "nachmittag" => Some(Part::Evening),
            "nacht" => Some(Part::Night),
            "mitternacht" => Some(Part::Midnight),
            _ => None,
        };
        if noun.is_some() {
            // In small letters "morgen" is tomorrow.
            return noun.filter(|_| token.shape == Shape::Capital);
        }
        let part = match token.word.as_str() {
            "morgens" | "morning" | "mornings" | "vormittags" => Part::Morning,
            "mittags" | "noon" => Part::Noon,
            "abends" | "afternoon" | "afternoons" | "evening" | "evenings" | "nachmittags"
            | "tonight" => Part::Evening,
            "nachts" | "night" | "nightly" | "nights" => Part::Night,
            "midnight" => Part::Midnight,
            _ => return None,
        };
        (token.shape == Shape::Lower || token.begins).then_some(part)
    }

    /// The half of the day that it tells of an hour of twelve.
    fn half(self, hour: u16) -> Option<Unit> {
        match self {
            Part::Morning => Some(Unit::BeforeNoon),
            Part::Evening => Some(Unit::AfterNoon),
            Part::Night if OF_NIGHT.contains(&hour) => Some(Unit::AfterNoon),
            Part::Night => Some(Unit::BeforeNoon),
            Part::Noon => matches!(hour, 12 | 1 | 2).then_some(Unit::AfterNoon),
            Part::Midnight => (hour == 12).then_some(Unit::BeforeNoon),
        }
    }
}

/// Tells of which half of the day the times of a sentence are, as far as its words do.
pub fn tell(quantities: &mut [Quantity], tokens: &[Token]) {
    if !quantities.iter().any(|it| it.clock.is_some_and(Clock::is_bare)) {
        return;
    }
    let mut told = BTreeSet::new();
    for quantity in quantities.iter_mut() {
        let Some(clock) = quantity.clock.filter(|it| it.is_bare()) else { continue };
        if let Some((of_day, part)) = beside(quantity, clock, tokens) {
            quantity.clock = Some(of_day);
            told.insert(part);
        }
    }
    share_in_rows(quantities, tokens);
    // With the place at which each stands first.
    let mut parts: Vec<(Part, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_new = |it: &Part| !told.contains(&at) && parts.iter().all(|(part, _)| part != it);
        let part = Part::of(token).filter(is_new);
        parts.extend(part.map(|it| (it, at)));
    }
    if parts.is_empty() {
        return;
    }
    let untils = until_something_else(tokens);
    for quantity in quantities {
        let bare = quantity.clock.filter(|it| it.is_bare());
        let end = quantity.at + quantity.own_tokens();
        let until = untils.get(end).copied().unwrap_or(tokens.len());
        let is_other = |clock: Clock| {
            let near = parts.iter().filter(|(_, at)| *at < until);
            let mut halves = near.filter_map(|(it, _)| it.half(clock.hour()));
            halves.any(|half| clock.in_half(half).hour() != clock.hour())
        };
        if let Some(clock) = bare.filter(|it| is_other(*it)) {
            quantity.clock = Some(clock.in_either());
        }
    }
}

/// From each token on, where the next begins that tells of something else: `opens at 10:00 and has a night tour`.
fn until_something_else(tokens: &[Token]) -> Vec<usize> {
    let mut until = tokens.len();
    let behind = tokens.iter().enumerate().rev().map(|(at, token)| {
        let word = &&*token.word;
        let is_else = BOTH.contains(word) || ELSE.contains(word);
        if is_else || token.begins || (token.opens && !STILL.contains(word)) {
            until = at;
        }
        until
    });
    let mut untils: Vec<usize> = behind.collect();
    untils.reverse();
    untils
}

/// A time as words next to it tell it, and which of them does: `10:00 in the evening`, `tonight at 10:00`.
fn beside(quantity: &Quantity, clock: Clock, tokens: &[Token]) -> Option<(Clock, usize)> {
    let half = |at: usize| Part::of(tokens.get(at)?)?.half(clock.hour());
    let end = quantity.at + quantity.own_tokens();
    let behind = tokens.iter().enumerate().skip(end).take(BETWEEN + 1);
    let mut behind = behind.take_while(|(_, it)| !it.opens && !it.begins);
    let next = behind.find(|(_, it)| Part::of(it).is_some() || !is_small(it)).map(|(at, _)| at);
    if let Some((at, own)) = next.and_then(|at| Some((at, half(at)?))) {
        let away = tokens.iter().skip(at + 1);
        return Some((bound(clock, own, away), at));
    }
    let lead = tokens.get(quantity.at.checked_sub(1)?)?;
    let at = quantity.at.checked_sub(2).filter(|_| LEADS.contains(&&*lead.word))?;
    let own = half(at)?;
    let ends_in_other = own == Unit::BeforeNoon || SMALL_HOURS.contains(&clock.hour());
    if ends_in_other && ENDS.contains(&&*lead.word) {
        return Some((clock.in_either(), at));
    }
    let away = tokens.get(..at)?.iter().rev();
    Some((bound(clock, own, away), at))
}

/// A time in its half of the day, if the words away from it do not join the other half to that: `in the morning and in the
/// evening at 6:00`.
fn bound<'t>(clock: Clock, own: Unit, away: impl Iterator<Item = &'t Token>) -> Clock {
    let mut is_joined = false;
    for token in away.take(BETWEEN + 1) {
        let is_joint = BOTH.contains(&&*token.word);
        is_joined |= is_joint;
        let half = Part::of(token).and_then(|it| it.half(clock.hour()));
        if is_joined && half.is_some_and(|it| it != own) {
            return clock.in_either();
        }
        if half.is_some() || !(is_joint || is_small(token)) {
            break;
        }
    }
    clock.in_half(own)
}

/// `10:00 on Friday evening`
fn is_small(token: &Token) -> bool {
    token.shape == Shape::Capital || SMALL.contains(&&*token.word)
}

/// Leaves the half open of those that are joined to one of which it is told: `7:00, 9:00 and 11:00 pm`. What ends at noon
/// begins before it.
fn share_in_rows(quantities: &mut [Quantity], tokens: &[Token]) {
    let is_told = |it: &Quantity| it.clock.is_some_and(|it| it.is_named() && it.hour() != 12);
    for row in quantities.chunk_by_mut(|one, other| are_joined(one, other, tokens)) {
        if !row.iter().any(is_told) {
            continue;
        }
        let mut next: Option<Clock> = None;
        for quantity in row.iter_mut().rev() {
            let Some(clock) = quantity.clock else { continue };
            if clock.is_named() {
                next = Some(clock);
            }
            // `9:00 and 11:00 in the morning` are both of it.
            let is_before = next.is_some_and(|it| clock.hour() < it.hour() && it.hour() < NOON);
            if clock.is_bare() && !is_before {
                quantity.clock = Some(clock.in_either());
            }
        }
    }
}

/// Whether nothing that tells stands between two times.
fn are_joined(one: &Quantity, other: &Quantity, tokens: &[Token]) -> bool {
    let end = one.at + one.own_tokens();
    let joins = |it: &Token| [&BOTH[..], &TO, &LEADS].iter().any(|them| them.contains(&&*it.word));
    one.clock.is_some()
        && other.clock.is_some()
        && other.at <= end + JOINED
        && tokens.get(end..other.at).is_some_and(|between| between.iter().all(joins))
        && tokens.get(end..=other.at).is_some_and(|them| !them.iter().any(|it| it.begins))
}

#[cfg(test)]
mod tests {
    use super::super::quantity::Figures;
    use crate::text::tokens;

    /// Whether a text whose first time is of one half by its writing says it of both: before noon, and behind it.
    fn said(text: &str, time: &str) -> [bool; 2] {
        let clock = |text: &str| {
            Figures::of(&tokens(text)).quantities.iter().find_map(|it| it.clock).unwrap()
        };
        let text = clock(text);
        ["am", "pm"].map(|half| clock(&format!("{time} {half}")).is_said_by(text))
    }

    #[test]
    fn a_word_beside_a_time_tells_its_half_of_the_day() {
        for (text, time, expected) in [
            ("10:00 in the evening", "10", [false, true]),
            ("10:00 at night", "10", [false, true]),
            ("10:00 on Friday evening", "10", [false, true]),
            ("10:00 every night", "10", [false, true]),
            ("10 o'clock tonight", "10", [false, true]),
            ("10 Uhr abends", "10", [false, true]),
            ("8 Uhr am Abend", "8", [false, true]),
            ("am Abend um 8 Uhr", "8", [false, true]),
            ("2:00 at night", "2", [true, false]),
            ("5:00 at night", "5", [true, false]),
            ("12:00 midnight", "12", [true, false]),
            ("12:00 noon", "12", [false, true]),
            ("12 Uhr mittags", "12", [false, true]),
            ("um Mitternacht um 12 Uhr", "12", [true, false]),
            ("this evening at 10:00", "10", [false, true]),
            ("Tonight at 10:00", "10", [false, true]),
            ("in the evening until 10:00", "10", [false, true]),
            ("at 10:00 in the morning, and closed in the evening", "10", [true, false]),
            ("at 6:00 in the morning and 8:00 in the evening", "6", [true, false]),
        ] {
            assert_eq!(said(text, time), expected, "{text}");
        }
    }

    #[test]
    fn what_is_told_further_off_leaves_the_half_open() {
        for (text, time) in [
            ("8:00 to 10:00 pm", "8"),
            ("8:00–10:00 pm", "8"),
            ("8:00-10:00 every evening", "8"),
            ("from 6:00 to 9:00 in the evening", "6"),
            ("at 7:00, 9:00 and 11:00 pm", "7"),
            ("7:00/9:00 pm", "7"),
            ("at 7:00 and at 9:00 pm", "7"),
            ("on the night of 14 April it struck at 11:40", "11:40"),
            ("on the night of 14 April it struck at 12:10", "12:10"),
            ("this evening the fair starts at 8:00", "8"),
            ("at 8:15 local time in the evening", "8:15"),
            ("10:00, at night", "10"),
            ("the evening of 10:00", "10"),
            ("in the morning and in the evening at 6:00", "6"),
            ("at 6:00 in the morning and evening", "6"),
            ("from morning until 8:00", "8"),
            ("open every evening until 2:00", "2"),
            ("from 8:00 to 2:00 am", "8"),
            ("the morning ferry sails and the evening ferry at 6:00", "6"),
        ] {
            assert_eq!(said(text, time), [true, true], "{text}");
        }
    }

    #[test]
    fn what_tells_of_another_time_tells_nothing_of_this() {
        for (text, time) in [
            ("8:00 and 10 boats", "8"),
            ("10:00 Saturday Night", "10"),
            ("opens at 10:00 and closes at 6:00 in the evening", "10"),
            ("opens at 10:00 and closes at 6:00 pm", "10"),
            ("opens at 10:00 and has a night tour", "10"),
            ("opens at 9:00, but closes in the evening", "9"),
            ("sails at 7:00, reaching Lund by evening", "7"),
            ("leaves at 9:00 and 11:00 in the morning", "9"),
            ("open from 8:00 to 11:00 am", "8"),
            ("from 8:00 to 22:00", "8"),
            ("from 8:00 to 12:00 noon", "8"),
            ("in the morning the fair opens at 10:00", "10"),
            ("from 10:00 to midnight", "10"),
        ] {
            assert_eq!(said(text, time), [true, false], "{text}");
        }
    }
}
