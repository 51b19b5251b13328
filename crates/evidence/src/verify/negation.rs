//! What a sentence denies, and what it says only with reserve.

use super::quantity::Figures;
use super::{reserve, words};
use crate::text::{Shape, Token};
use std::ops::Range;

/// Words behind a negation that it turns around.
const REACH: usize = 4;

/// Characters behind a negation of Chinese that it turns around.
const WIDE_REACH: usize = 2;

/// Words behind a reserve that it speaks of.
const RESERVED: usize = 3;

/// Words behind what says that something is not so, or before it, of which that is said.
const REJECTED: usize = 6;

/// Tokens between a denial and what would be shown: `no trial has been able to show that`.
const SHOWN: usize = 10;

/// Characters before a negation of Japanese or Korean that it turns around.
const WIDE_BEFORE: usize = 5;

/// Words behind the name of what is planned within which it says what that will be.
const PLANNED: usize = 8;

/// Words before `May` with which it is the month.
const BEFORE_MAY: &[&str] = &[
    "after", "before", "by", "during", "early", "from", "in", "last", "late", "mid", "next", "of",
    "since", "to", "until",
];

/// Tokens that a word of reserve speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reserved {
    /// Those behind it in its clause.
    pub part: Range<usize>,
    /// Whether the word only says that there is none yet of what will be so: `the planned tunnel will be long`.
    pub is_planned: bool,
}

/// The tokens that each word of reserve speaks of: those behind it.
pub fn reserved(tokens: &[Token], figures: &Figures) -> Vec<Reserved> {
    let next = |at: usize| tokens.get(at + 1).map_or("", |token| token.word.as_str());
    let marks = tokens.iter().enumerate();
    let marks = marks.filter(|(at, token)| {
        reserve::is_reserve_before(&token.word, next(*at)) && !is_may(tokens, *at, figures)
    });
    let marks = marks.map(|(at, token)| {
        let is_far =
            matches!(token.word.as_str(), "little" | "scant") || reserve::is_mistake(&token.word);
        let is_far = is_far || reserve::is_rejection(&token.word);
        let reach = if is_far { REJECTED } else { RESERVED };
        let behind = tokens.iter().skip(at + 1).take(reach);
        let part = at + 1..at + 1 + behind.take_while(|token| goes_on(token)).count();
        Reserved { part, is_planned: is_planned(tokens, at) }
    });
    let rejected = (0..tokens.len()).filter_map(|at| rejected(tokens, at));
    marks.chain(rejected.map(|part| Reserved { part, is_planned: false })).collect()
}

/// What a word at the end of a clause says not to be so, or "far from" before it: `the idea that it heals was refuted`.
fn rejected(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let token = tokens.get(at)?;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    if token.word == "far" && word(at + 1) == "from" {
        let is_way = tokens.get(at + 2).is_none_or(|it| it.is_name() || !words::tells(it));
        return (!is_way).then_some(at + 2..at + 3);
    }
    if !reserve::is_rejection(&token.word) {
        return None;
    }
    let last = |back: usize| at.checked_sub(back).map_or("", word);
    let is_said = |word: &str| matches!(word, "are" | "be" | "been" | "is" | "was" | "were");
    let is_of_all = is_said(last(1)) || (matches!(last(1), "a" | "an" | "the") && is_said(last(2)));
    let before = tokens.get(..at).unwrap_or_default().iter().rev();
    let length = before.take(REJECTED).take_while(|token| goes_on(token)).count();
    is_of_all.then_some(at - length..at)
}

/// Whether a word of reserve stands before the name of what the clause says that it will be.
fn is_planned(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let before = at.checked_sub(1).map_or("", word);
    let is_said = matches!(before, "are" | "be" | "been" | "being" | "is" | "was" | "were");
    let mut behind = tokens.iter().skip(at + 1).take(PLANNED).take_while(|token| goes_on(token));
    matches!(word(at), "expected" | "likely" | "planned" | "proposed")
        && !is_said
        && !words::is_function_word(word(at + 1))
        && behind.any(|token| token.word == "will")
}

/// Whether a token is the month of May, and not the word.
pub fn is_may(tokens: &[Token], at: usize, figures: &Figures) -> bool {
    let Some(token) = tokens.get(at).filter(|it| it.word == "may" && it.is_name()) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |it| it.word.as_str());
    figures.is_in_date(at) || (token.shape == Shape::Capital && BEFORE_MAY.contains(&before))
}

/// The tokens that each negation of a sentence turns around: those behind it in its clause.
pub fn denied(tokens: &[Token]) -> Vec<Range<usize>> {
    // Inside a sentence "None" is the name of a value.
    let is_value = |it: &Token| it.word == "none" && it.is_name() && !it.begins;
    let negation = |at: usize| {
        tokens.get(at).is_some_and(|token| words::is_negation(&token.word) && !is_value(token))
    };
    let is_wide = |at: usize| {
        let next = tokens.get(at + 1).filter(|token| goes_on_wide(token));
        let pair = tokens.get(at).zip(next);
        pair.is_some_and(|(token, next)| words::is_wide_negation(&token.word, &next.word))
    };
    let is_prefix =
        |at: usize| tokens.get(at).is_some_and(|token| token.word == "non" && token.after == '-');
    let is_only = |at: usize| {
        let word = tokens.get(at).map_or("", |token| token.word.as_str());
        matches!(word, "only" | "just" | "nur" | "bara" | "bare" | "tylko" | "только" | "alleen")
    };
    let denied = (0..tokens.len())
        .filter(|at| (negation(*at) && !is_only(at + 1) && !is_prefix(*at)) || is_wide(*at))
        .map(|at| {
            if is_wide(at) {
                return wide_reach(tokens, at + 1);
            }
            let behind = tokens.iter().skip(at + 1).take(REACH);
            let reach = behind.take_while(|token| goes_on(token) && token.word != "but").count();
            if reach > 0 {
                return at + 1..at + 1 + reach;
            }
            // At the end of a clause it turns around what comes before in it.
            let clause = tokens.get(..=at).unwrap_or_default().iter().rev();
            let before = clause.take(REACH).take_while(|token| goes_on(token)).count();
            at - before..at
        });
    let mut denied: Vec<Range<usize>> = denied.collect();
    denied.extend((0..tokens.len()).filter_map(|at| not_shown(tokens, at)));
    denied.extend((0..tokens.len()).filter_map(|at| wide_before(tokens, at)));
    denied
}

/// What nobody has shown to be so: `no trial has been able to show that the drug heals`.
fn not_shown(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    const SHOWS: [&str; 9] = [
        "confirm",
        "confirmed",
        "demonstrate",
        "demonstrated",
        "evidence",
        "proof",
        "prove",
        "show",
        "shown",
    ];
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    if word(at) != "that" || !SHOWS.contains(&at.checked_sub(1).map_or("", word)) {
        return None;
    }
    let before = tokens.get(at.saturating_sub(SHOWN)..at).unwrap_or_default().iter().rev();
    let length = before.clone().position(|it| it.begins).map_or(SHOWN, |at| at + 1);
    let is_no = |it: &Token| matches!(it.word.as_str(), "no" | "not" | "neither" | "never");
    let is_denied = before.take(length).any(is_no);
    let behind = tokens.iter().skip(at + 1).take(REACH);
    is_denied.then(|| at + 1..at + 1 + behind.take_while(|token| goes_on(token)).count())
}

/// What a negation of Japanese or Korean behind it turns around: `開放されなかった`, `개방되지 않았다`.
fn wide_before(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let denies = match word(at) {
        "않" => true,
        "な" => matches!(word(at + 1), "い" | "か"),
        "ま" => word(at + 1) == "せ" && word(at + 2) == "ん",
        _ => false,
    };
    let before = tokens.get(..at).unwrap_or_default().iter().rev().take(WIDE_BEFORE);
    denies.then(|| at - before.take_while(|token| goes_on_wide(token)).count()..at)
}

/// The same, as roots of the words that say something.
pub fn roots(tokens: &[Token]) -> Vec<Vec<String>> {
    let roots = |part: Range<usize>| {
        let part = tokens.get(part).unwrap_or_default().iter();
        let said = part.filter(|token| words::tells(token));
        said.map(|token| words::root(&token.word).into_owned()).collect::<Vec<_>>()
    };
    denied(tokens).into_iter().map(roots).filter(|roots| !roots.is_empty()).collect()
}

/// What a negation of Chinese turns around, from the character behind it on: `是` and `有` only join it to that.
fn wide_reach(tokens: &[Token], from: usize) -> Range<usize> {
    let joins = tokens.get(from).is_some_and(|token| matches!(token.word.as_str(), "是" | "有"));
    let from = from + usize::from(joins);
    let behind = tokens.iter().skip(from).take(WIDE_REACH);
    from..from + behind.take_while(|token| goes_on_wide(token)).count()
}

/// Whether a token goes on with the clause of the one before, where commas and stops are wide.
const fn goes_on_wide(token: &Token) -> bool {
    goes_on(token) && !matches!(token.before, '，' | '。' | '、' | '；' | '：' | '！' | '？')
}

/// Whether a token goes on with the clause of the one before.
const fn goes_on(token: &Token) -> bool {
    !token.opens && !token.begins
}
