//! What numbers are worth, however they are written: in digits, in words, with a scale behind them.
//!
//! Border: tokens in, values out.

use super::{unit, words};
use crate::text::{Gate, Shape, Token, small_number};
use std::ops::Range;

/// Years as they are written without more.
pub const YEARS: Range<f64> = 1_000.0..2_200.0;

/// Tokens of one number that are grouped by stops.
const MOST_GROUPED: usize = 6;

/// The place in a row that a word names.
pub fn ordinal(word: &str) -> Option<f64> {
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
    const GATE: Gate = Gate::of(&ORDINALS);
    let at = ORDINALS.iter().position(|name| GATE.may_have(word) && *name == word)?;
    u32::try_from(at + 1).ok().map(f64::from)
}

/// What a word multiplies the number before it by.
pub fn scale(word: &str) -> Option<f64> {
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

/// What a letter right behind an amount of money multiplies it by: `€40k`.
pub fn scale_of_letter(letter: &str) -> Option<f64> {
    match letter {
        "k" => Some(1e3),
        "m" => Some(1e6),
        "b" => Some(1e9),
        _ => None,
    }
}

/// The same where the money stands behind the letter: `40k euros`. Elsewhere `40m` are metres.
pub fn scale_before_currency(tokens: &[Token]) -> Option<f64> {
    let goes_on = |token: &&Token| !token.opens && !token.begins;
    let factor = scale_of_letter(&tokens.first().filter(goes_on)?.word)?;
    let behind = tokens.get(1..)?;
    behind.first().filter(goes_on)?;
    let (unit, _) = unit::of(behind, false)?;
    unit.is_currency().then_some(factor)
}

/// The same right behind a number that counts something: `40k residents`, `3M users`. A small `m` there is a metre, and a
/// capital `K` with nothing behind it a degree. In brackets it is the same letter: `401(k)`.
pub fn scale_of_count(number: &Token, behind: &[Token]) -> Option<f64> {
    let is_behind = |it: &&Token| {
        let is_bracketed = it.before == '(' && it.after == ')' && it.start == number.end + 1;
        number.shape == Shape::Number && (number.touches(it) || is_bracketed)
    };
    let letter = behind.first().filter(is_behind)?;
    let is_counted = behind.get(1).is_some_and(|it| {
        let is_thing = it.shape == Shape::Lower && it.word.len() > 1;
        is_thing && !it.opens && !it.begins && !words::is_function_word(&it.word)
    });
    let may_be = match letter.word.as_str() {
        "k" => letter.shape == Shape::Lower || is_counted,
        _ => letter.shape == Shape::Capital && is_counted,
    };
    scale_of_letter(&letter.word).filter(|_| may_be)
}

/// The value of digits, and how many tokens have them. Most of Europe writes `1.200.000`, and `1,5` for one and a half.
pub fn digits(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    let first = tokens.first()?;
    grouped(tokens)
        .or_else(|| with_comma(tokens, before))
        .or_else(|| first.word.parse().ok().map(|value| (value, 1)))
}

/// Whether nothing but this sign stands between two tokens.
const fn is_joined(one: &Token, sign: char, other: &Token) -> bool {
    other.before == sign && other.start == one.end + sign.len_utf8()
}

/// Whether a token is written with these digits and stops alone: no grouping, no sign before it.
fn is_bare(token: &Token) -> bool {
    token.shape == Shape::Number && token.characters == token.word.len()
}

/// Groups of three digits with stops between them. Two groups may be `1.234` for what is a little more than one.
fn grouped(tokens: &[Token]) -> Option<(f64, usize)> {
    let first = tokens.first().filter(|it| is_bare(it) && it.word.contains('.'))?;
    let others = tokens.iter().zip(tokens.iter().skip(1));
    let others = others.take_while(|(one, other)| is_joined(one, '.', other) && is_bare(other));
    let others: Vec<&Token> = others.map(|(_, other)| other).take(MOST_GROUPED).collect();
    let mut groups = first.word.split('.').chain(others.iter().flat_map(|it| it.word.split('.')));
    let is_first = groups.next().is_some_and(|group| group.len() <= 3 && group != "0");
    let is_grouped = is_first && !others.is_empty() && groups.all(|group| group.len() == 3);
    if !is_grouped || others.len() == MOST_GROUPED {
        return None;
    }
    let mut digits = first.word.replace('.', "");
    digits.extend(others.iter().flat_map(|it| it.word.chars()).filter(|c| *c != '.'));
    Some((digits.parse().ok()?, 1 + others.len()))
}

/// One digit or two behind a comma without a blank, before a unit or a scale: elsewhere these are two of a list.
fn with_comma(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    let [first, second, rest @ ..] = tokens else { return None };
    let is_whole = |it: &Token| is_bare(it) && !it.word.contains('.');
    let is_list = before.last().is_some_and(|it| is_joined(it, ',', first));
    let is_decimal = is_whole(first)
        && first.characters <= 3
        && is_whole(second)
        && second.characters <= 2
        && is_joined(first, ',', second);
    let third = rest.first().filter(|it| !it.opens && !it.begins);
    let is_touching = third.is_some_and(|it| second.touches(it));
    let is_measured = || {
        (second.characters == 2 && unit::currency(before).is_some())
            || third.is_some_and(|it| {
                scale(&it.word).is_some() || unit::of(rest, is_touching).is_some()
            })
    };
    if is_list || !is_decimal || !is_measured() {
        return None;
    }
    Some((format!("{}.{}", first.word, second.word).parse().ok()?, 2))
}

/// What `19` leaves out of `2018–19`: the years to which both belong.
pub fn century(year: &Token, short: &Token) -> Option<f64> {
    let is_year = year.shape == Shape::Number && year.characters == 4;
    let is_short = short.shape == Shape::Number && short.characters == 2;
    let is_apart = matches!(short.before, '-' | '–' | '/')
        && short.start - year.end == short.before.len_utf8();
    let year = if is_year && is_short && is_apart { year.word.parse::<u32>().ok()? } else { 0 };
    let goes_on = short.word.parse::<u32>().ok()? > year % 100;
    ((1_000..2_200).contains(&year) && goes_on).then(|| f64::from(year - year % 100))
}

/// A number in words: `twenty-one`, `two hundred and five`, `a million`.
pub fn spelled(tokens: &[Token]) -> Option<(f64, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    fn value(text: &str) -> Option<(f64, usize)> {
        digits(&tokens(text), &[])
    }

    #[test]
    fn digits_are_read_as_most_of_europe_writes_them() {
        assert_eq!(value("1.200.000 people"), Some((1_200_000.0, 2)));
        assert_eq!(value("1.200.000.000"), Some((1_200_000_000.0, 2)));
        assert_eq!(value("1,5 percent"), Some((1.5, 2)));
        assert_eq!(value("1,25 million"), Some((1.25, 2)));
        assert_eq!(value("1,5km"), Some((1.5, 2)));
    }

    #[test]
    fn what_may_be_something_else_is_read_as_it_was() {
        assert_eq!(value("1.200 people"), Some((1.2, 1)));
        assert_eq!(value("1.20.300"), Some((1.2, 1)));
        assert_eq!(value("0.200.300"), Some((0.2, 1)));
        assert_eq!(value("1,2,3 percent"), Some((1.0, 1)));
        assert_eq!(value("1, 5 percent"), Some((1.0, 1)));
        assert_eq!(value("1,5 of them"), Some((1.0, 1)));
        assert_eq!(value("2019,12 percent"), Some((2019.0, 1)));
        let all = tokens("1,2,3 percent");
        assert_eq!(digits(&all[1..], &all[..1]), Some((2.0, 1)));
    }

    #[test]
    fn a_letter_is_a_scale_before_money_alone() {
        let scale = |text: &str| scale_before_currency(&tokens(text)[1..]);
        assert_eq!(scale("40k euros"), Some(1e3));
        assert_eq!(scale("40M US dollars"), Some(1e6));
        assert_eq!(scale("40m of rope"), None);
        assert_eq!(scale("40k, euros"), None);
    }

    #[test]
    fn a_letter_right_behind_what_counts_is_a_scale() {
        for (text, expected) in [
            ("40k residents", Some(1e3)),
            ("40K residents", Some(1e3)),
            ("401(k)", Some(1e3)),
            ("3M users", Some(1e6)),
            ("3B users", Some(1e9)),
            ("40k.", Some(1e3)),
            ("40K", None),
            ("3M", None),
            ("40m rope", None),
            ("40 k residents", None),
            ("3M of them", None),
        ] {
            let all = tokens(text);
            assert_eq!(scale_of_count(&all[0], &all[1..]), expected, "{text}");
        }
    }
}
