//! What a number counts: the noun behind it, with what tells that from others between.
//!
//! Border: the tokens behind a number in, places among them out. English.

use super::{unit, words};
use crate::text::{Shape, Token};

/// Tokens behind a number within which a row of words ends with its unit.
const ROW: usize = 8;
/// Tokens behind a number within which stands the noun that it counts: `three newly built bridges`.
const REACH: usize = 4;
/// Nouns in the plural that do not end like one.
const PLURALS: [&str; 18] = [
    "aircraft", "cattle", "children", "clergy", "crew", "deer", "feet", "fish", "geese", "men",
    "mice", "oxen", "people", "police", "sheep", "staff", "teeth", "women",
];
/// Words that end like one in the plural, or are one, and stand before the noun that is counted: `news channels`.
const FIRST_HALVES: [&str; 6] = ["arts", "goods", "news", "police", "sales", "sports"];

/// Whether the words behind a number say what that counts. A unit may stand behind other words, `6 million metric
/// tons`, `long, hard and bitter days`; and who writes its nouns with capitals writes those of units so, too.
pub fn is_counted(behind: &[Token]) -> bool {
    let clause = behind.iter().take(3).take_while(|token| !token.opens && !token.begins).count();
    let is_first = behind.first().is_some_and(|it| is_thing(it) && !it.word.ends_with("ly"));
    clause > 0 && !has_unit(behind, clause) && is_first
}

/// Which of the tokens behind a number is the noun that it counts: the first in the plural, or the one right behind it
/// where that is one that numbers count (`counts`). None: nothing tells.
pub fn noun(behind: &[Token], counts: bool) -> Option<usize> {
    if behind.first().is_some_and(|it| is_plural(&it.word)) {
        return counts.then_some(0);
    }
    let plural = things(behind, REACH)
        .position(|it| is_plural(&it.word))
        .filter(|at| !has_unit(behind, at + 1));
    plural.or(counts.then_some(0))
}

/// How many tokens behind a number are the name of what it counts, as far as their writing tells: none that joins another to
/// it. Where none of them is a noun in the plural there is none: what is counted may stand behind what joins, as in `12
/// primary and secondary schools`.
pub fn row(behind: &[Token]) -> u8 {
    let is_noun = |it: &Token| {
        let is_first_half = FIRST_HALVES.contains(&&*it.word) || is_possessive(it);
        is_plural(&it.word) && !is_first_half
    };
    if !things(behind, ROW).any(is_noun) {
        return 0;
    }
    u8::try_from(things(behind, ROW).count()).unwrap_or_default()
}

/// Those of so many tokens behind a number that may be of the name of one thing, up to what ends it.
fn things(behind: &[Token], reach: usize) -> impl Iterator<Item = &Token> {
    let behind = behind.iter().take(reach);
    behind.take_while(|it| !it.opens && !it.begins && is_thing(it) && !it.is_number())
}

/// Whether a word says whose something is: `three men's and women's clubs`.
fn is_possessive(token: &Token) -> bool {
    token.characters > token.word.chars().count() || matches!(token.after, '\'' | '’')
}

fn is_plural(word: &str) -> bool {
    (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"))
        || PLURALS.contains(&word)
}

fn is_thing(token: &Token) -> bool {
    token.shape == Shape::Lower && token.word.len() > 1 && !words::is_function_word(&token.word)
}

/// Whether a unit begins among so many tokens, or further on in a row of words.
fn has_unit(behind: &[Token], clause: usize) -> bool {
    let is_of_row = |it: &&Token| {
        !it.begins && (it.word == "and" || (is_thing(it) && !it.word.ends_with("ly")))
    };
    let row = behind.iter().take(ROW).take_while(is_of_row).count();
    (0..clause.max(row)).any(|at| behind.get(at..).and_then(|it| unit::of(it, false)).is_some())
}

/// Whether a number is the second of a range, whose unit may stand with the first.
pub fn is_of_range(before: &[Token]) -> bool {
    let is_number = |token: &Token| token.shape == Shape::Number;
    match before {
        [.., last] if is_number(last) => true,
        [.., first, last] => is_number(first) && matches!(last.word.as_str(), "to" | "and" | "or"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn the_noun_stands_behind_what_tells_it_from_others() {
        for (text, expected) in [
            ("bridges", Some(0)),
            ("newly built bridges", Some(2)),
            ("old keepers of the towers", Some(1)),
            ("other people", None),
            ("staff", Some(0)),
            ("of the bridges", None),
            ("long and bitter days", None),
            ("Bridges", None),
            ("old, keepers", Some(0)),
        ] {
            let behind = &tokens(&format!("3 {text}"))[1..];
            assert_eq!(noun(behind, is_counted(behind)), expected, "{text}");
        }
    }

    #[test]
    fn a_row_ends_where_another_thing_is_joined_to_it() {
        for (text, expected) in [
            ("old fishing boats and ships", 3),
            ("children's boats", 2),
            ("boats, ships", 1),
            ("boats of Sker", 1),
            ("boats two ships", 1),
            ("primary and secondary schools", 0),
            ("large, bright rooms", 0),
            ("news and sports channels", 0),
            ("news channels and ships", 2),
            ("police and fire stations", 0),
            ("men's and women's clubs", 0),
            ("boys' and girls' schools", 0),
        ] {
            assert_eq!(row(&tokens(&format!("3 {text}"))[1..]), expected, "{text}");
        }
    }
}
