//! Shares in words: `half of the boats`, `two thirds`, `one in ten`, as percentages.
//!
//! Border: the tokens that may begin with one in, its percentage out. English.

use crate::text::{Token, small_number};

/// Words before "half" with which it is one of two parts, and no share: `the first half of the film`.
const PARTS: &[&str] = &[
    "a", "another", "back", "bottom", "each", "earlier", "east", "eastern", "either", "every",
    "first", "front", "last", "later", "latter", "left", "lower", "north", "northern", "one",
    "other", "right", "second", "south", "southern", "that", "the", "their", "third", "this",
    "top", "upper", "west", "western",
];
/// What has a first half: `half of 2020`, `half of the season`.
const TIMES: &[&str] = &[
    "century", "day", "decade", "fiscal", "game", "hour", "match", "mile", "month", "season",
    "week", "year",
];
/// The greatest number of which a text says how many: `one in a hundred`.
const MOST_OF: f64 = 1_000.0;

/// The share that the tokens begin with, in percent, and how many of them say it.
pub fn share(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    half(tokens, before).or_else(|| fraction(tokens, before)).or_else(|| of_so_many(tokens, before))
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).filter(|it| at == 0 || (!it.opens && !it.begins)).map_or("", |it| &it.word)
}

fn half(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    if word(tokens, 0) != "half" {
        return None;
    }
    let last = before.last().map_or("", |it| it.word.as_str());
    let is_part =
        PARTS.contains(&last) || before.last().is_some_and(Token::is_number) || last == "and";
    let next = word(tokens, 1);
    let whole = usize::from(next == "of") + 1;
    let whole = whole + usize::from(matches!(word(tokens, whole), "a" | "an" | "the"));
    let is_time =
        TIMES.contains(&word(tokens, whole)) || tokens.get(whole).is_some_and(Token::is_number);
    let is_share = matches!(next, "all" | "of" | "the") && !is_part && !is_time;
    is_share.then_some((50.0, 1))
}

/// `two thirds`, `a quarter of`.
fn fraction(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    let (first, name) = (word(tokens, 0), word(tokens, 1));
    let parts = match name.strip_suffix('s').unwrap_or(name) {
        "third" => 3.0,
        "quarter" => 4.0,
        "fifth" => 5.0,
        "sixth" => 6.0,
        "eighth" => 8.0,
        "tenth" => 10.0,
        _ => return None,
    };
    let count = if first == "a" { 1.0 } else { small_number(first)? };
    let is_many = name.ends_with('s');
    let goes_on = word(tokens, 2);
    let is_whole = count < parts && (count > 1.0) == is_many;
    let is_one = count > 1.0 || goes_on == "of";
    let is_mixed = before.last().is_some_and(|it| it.word == "and");
    let is_time = TIMES.contains(&word(tokens, 4)) || tokens.get(3).is_some_and(Token::is_number);
    (is_whole && is_one && !is_mixed && !(goes_on == "of" && is_time))
        .then_some((count / parts * 100.0, 2))
}

/// `one in ten`, `four out of ten`.
fn of_so_many(tokens: &[Token], before: &[Token]) -> Option<(f64, usize)> {
    let value = |at: usize| {
        let token = tokens.get(at).filter(|it| at == 0 || (!it.opens && !it.begins))?;
        small_number(&token.word).or_else(|| {
            let is_whole = token.is_number() && token.characters < 4;
            token.word.parse::<f64>().ok().filter(|_| is_whole)
        })
    };
    let at = match (word(tokens, 1), word(tokens, 2)) {
        ("in", _) => 2,
        ("out", "of") => 3,
        _ => return None,
    };
    let (count, whole) = (value(0)?, value(at)?);
    let is_small = before.last().is_none_or(|it| !it.is_number());
    let is_share = (0.0..whole).contains(&count) && whole <= MOST_OF && is_small;
    // A number that goes on, as of `one in two hundred`, is none of these.
    let ends = tokens.get(at + 1).is_none_or(|it| super::value::scale(&it.word).is_none());
    (is_share && ends).then_some((count / whole * 100.0, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn a_share_is_a_percentage() {
        for (text, expected) in [
            ("half of the boats", Some((50.0, 1))),
            ("half the boats", Some((50.0, 1))),
            ("three quarters of them", Some((75.0, 2))),
            ("a quarter of them", Some((25.0, 2))),
            ("one in ten keepers", Some((10.0, 3))),
            ("4 out of 10 keepers", Some((40.0, 4))),
            ("half a million", None),
            ("half of 2020", None),
            ("half of the season", None),
            ("a third man", None),
            ("a quarter", None),
            ("one in 2020", None),
            ("3 in May", None),
        ] {
            assert_eq!(share(&tokens(text), &[]), expected, "{text}");
        }
        let all = tokens("the first half of the road");
        assert_eq!(share(&all[2..], &all[..2]), None);
    }
}
