//! The number that some tokens begin with: its digits or words, its scale, its unit.
//!
//! Border: tokens in, a number out. What the words around it say of it is told elsewhere.

use super::clock::time;
use super::date::is_ordinal_ending;
use super::quantity::{Measure, Quantity, is_same};
use super::range;
use super::rate::{self, Per};
use super::share::share;
use super::unit::{self, Unit};
use super::value::{
    YEARS, century, digits, ordinal, scale, scale_before_currency, scale_of_count, scale_of_letter,
    spelled,
};
use crate::text::{Shape, Token};

/// The number that the tokens begin with, and how many of them it takes.
pub fn quantity(tokens: &[Token], before: &[Token]) -> Option<(Quantity, usize)> {
    let first = tokens.first()?;
    if let Some(found) = of_day(tokens, before) {
        return Some(found);
    }
    if let Some((share, used)) = share(tokens, before) {
        return Some((plain(share, Measure::Of(Unit::Percent), first), used));
    }
    if first.word == "twice" {
        return Some((plain(2.0, Measure::Plain, first), 1));
    }
    let (mut value, mut used, is_word) = match first.shape {
        Shape::Number => digits(tokens, before).map(|(value, used)| (value, used, false))?,
        Shape::Sign => return None,
        _ => match ordinal(&first.word) {
            Some(value) => return Some((plain(value, Measure::Ordinal, first), 1)),
            None => {
                let (value, used) = spelled(tokens)?;
                (value, used, true)
            }
        },
    };
    if !is_word {
        if let Some((measure, length)) = row_of(tokens, used, before) {
            return Some((plain(value, measure, first), length));
        }
        let scales = tokens.iter().skip(used).take_while(|token| !token.opens && !token.begins);
        for factor in scales.map_while(|token| scale(&token.word)) {
            value *= factor;
            used += 1;
        }
    }
    let touching = |used: usize| touching(tokens, used).map(|token| token.word.as_str());
    if let Some(currency) = unit::currency(before) {
        let factor = touching(used).and_then(scale_of_letter);
        let value = value * factor.unwrap_or(1.0);
        used += usize::from(factor.is_some());
        return Some((plain(value, Measure::Of(currency), first), used));
    }
    let behind = tokens.get(used..).unwrap_or_default();
    let of_count = || scale_of_count(tokens.get(used.checked_sub(1)?)?, behind);
    if let Some(factor) = scale_before_currency(behind).or_else(of_count).filter(|_| !is_word) {
        value *= factor;
        used += 1;
    }
    let is_touching = touching(used).is_some();
    let behind = tokens.get(used..).unwrap_or_default();
    let may_be_hour = (0.0..13.0).contains(&value) || (first.before == ':' && value < 60.0);
    let unit = unit_of(behind, is_touching, may_be_hour);
    let measure = unit.map_or(Measure::Plain, |(unit, _)| Measure::Of(unit));
    let unit = unit.map_or(0, |(_, tokens)| tokens);
    let year = before.last().filter(|_| measure == Measure::Plain && used == 1);
    let century = year.and_then(|year| century(year, first)).unwrap_or_default();
    Some((Quantity { unit, ..plain(century + value, measure, first) }, used))
}

/// The time of a day that the tokens begin with.
fn of_day(tokens: &[Token], before: &[Token]) -> Option<(Quantity, usize)> {
    let time = time(tokens, before)?;
    let measure = time.half.map_or(Measure::Plain, Measure::Of);
    let number = plain(time.value, measure, tokens.first()?);
    Some((Quantity { unit: time.marks, clock: Some(time.clock), ..number }, time.length))
}

/// The token right behind so many, where nothing stands between.
fn touching(tokens: &[Token], used: usize) -> Option<&Token> {
    let last = tokens.get(used.checked_sub(1)?)?;
    tokens.get(used).filter(|token| last.touches(token))
}

/// Whether digits of so many tokens are a place in a row or a decade: `3rd`, `1990s`, `1990's`.
fn row_of(tokens: &[Token], used: usize, before: &[Token]) -> Option<(Measure, usize)> {
    let first = tokens.first()?;
    match touching(tokens, used).map(|token| token.word.as_str()) {
        Some(ending) if is_ordinal_ending(ending) => Some((Measure::Ordinal, used + 1)),
        Some("s") if may_be_decade(first, before) => Some((Measure::Decade, used + 1)),
        None if tokens.get(used).is_some_and(|token| is_decade_ending(first, token)) => {
            Some((Measure::Decade, used + 1))
        }
        _ => None,
    }
}

/// Whether an "s" behind a number makes it a decade, and no seconds: `the 30s`, `a limit of 30s`.
fn may_be_decade(number: &Token, before: &[Token]) -> bool {
    let last = before.last().map_or("", |it| it.word.as_str());
    number.word.len() == 4
        || matches!(number.before, '\'' | '’' | '‘')
        || matches!(last, "early" | "her" | "his" | "late" | "mid" | "my" | "the" | "their")
}

/// The unit behind a number of the same clause. In German `am` is a word of many sentences.
fn unit_of(behind: &[Token], is_touching: bool, may_be_hour: bool) -> Option<(Unit, usize)> {
    behind.first().filter(|token| !token.opens && !token.begins)?;
    unit::of(behind, is_touching).filter(|(unit, _)| may_be_hour || !unit.is_hour_of_day())
}

fn plain(value: f64, measure: Measure, first: &Token) -> Quantity {
    let is_vague = first.word == "one" && measure == Measure::Plain && is_same(value, 1.0);
    Quantity {
        value,
        measure,
        at: 0,
        length: 0,
        unit: 0,
        is_vague,
        is_grouped: first.shape == Shape::Number && first.characters > first.word.len(),
        is_rate: false,
        per: None,
        counts: false,
        noun: None,
        row: 0,
        is_bc: false,
        is_end: false,
        may_be_end: false,
        decimals: range::decimals(first),
        is_version: false,
        is_dashed: false,
        clock: None,
        covers: None,
    }
}

/// For how long a number holds, by what stands behind it from this token on.
pub fn per(quantity: &Quantity, tokens: &[Token], behind: usize) -> Option<Per> {
    let is_year = |token: &Token| token.shape == Shape::Number && token.characters == 4;
    let may_be_year = quantity.measure == Measure::Plain
        && YEARS.contains(&quantity.value)
        && tokens.first().is_some_and(is_year);
    let holds = matches!(quantity.measure, Measure::Plain | Measure::Of(_));
    let behind = tokens.get(behind..).filter(|_| holds)?;
    rate::per(behind, may_be_year)
}

/// Whether this is the end of `1990's`.
fn is_decade_ending(first: &Token, ending: &Token) -> bool {
    let is_apart =
        matches!(ending.before, '\'' | '’') && ending.start - first.end <= '’'.len_utf8();
    is_apart && ending.word == "s" && first.word.len() == 4 && first.word.ends_with('0')
}
