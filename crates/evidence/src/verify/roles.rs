//! Whether who does something and to whom it is done have changed places around the verb: `the brewery sued the bakery`.
//!
//! Border: a claim and sentences in, yes or no out. Names around a verb are compared by where they stand (`layout.rs`);
//! here are words of any kind, and names that little stands between. English.

use super::claim::{Claim, Step};
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::roots::Roots;
use super::turned;
use super::words;
use crate::text::{Shape, Token};
use std::ops::Range;
use std::sync::LazyLock;

/// Tokens before a verb within which stands who does it.
const DOER: usize = 12;
/// What stands before the one who does, in a passive.
const BY: &str = "by";
/// Tokens behind a verb within which that stands: `was bought in 2021 by`.
const TO_BY: usize = 3;
/// What may stand between a verb and to whom it is done.
const ARTICLES: [&str; 8] = ["a", "an", "her", "his", "its", "our", "the", "their"];
static ARTICLE_ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots::of(ARTICLES));
/// Verbs that say the same either way round.
static EITHER_WAY: LazyLock<Roots> = LazyLock::new(|| {
    Roots::of([
        "adjoin", "border", "divorce", "equal", "face", "fight", "join", "marry", "meet", "merge",
        "play", "resemble", "touch",
    ])
});

/// Tokens between two names that are compared with what stands between them in the passage: `a critic of the`.
const BETWEEN: usize = 4;
/// Words between two names that join them as equals.
const JOINS: [&str; 8] = ["and", "et", "near", "or", "und", "versus", "vs", "with"];

/// Whether a root is that of a verb that says the same either way round.
pub fn is_either_way(root: &str) -> bool {
    EITHER_WAY.has(root)
}

/// Whether somebody does in the claim what is done to them in the passage, by whom they do it to.
pub fn are_swapped(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let steps = claim.steps.iter().zip(&claim.at);
    steps.filter(|(step, _)| matches!(step, Step::Word(_))).any(|(_, verb)| {
        let Some(token) = claim.tokens.get(*verb).filter(|it| is_verb(it)) else { return false };
        let root = words::root(&token.word);
        let (Some(term), false) = (index.term(&root), is_either_way(&root)) else { return false };
        let behind = claim.tokens.iter().skip(verb + 1).take(turned::SECOND_END);
        let mut behind = behind.take_while(|it| !it.opens && !it.begins);
        let other = behind.find(|it| !ARTICLES.contains(&&*it.word)).filter(|it| words::tells(it));
        let Some(other) = other.and_then(|it| index.term_of(&it.word)) else { return false };
        let doers = claim.tokens.get(verb.saturating_sub(DOER)..*verb).unwrap_or_default();
        let doers = doers.iter().rev().take_while(|it| !it.opens || it.begins);
        let doers = doers.filter(|it| words::tells(it)).filter_map(|it| index.term_of(&it.word));
        let doers: Vec<Term> = doers.filter(|it| *it != other).collect();
        let (mut is_turned, mut is_said) = (false, false);
        for (before, whom) in sentences.iter().flat_map(|it| done(it, index, term)) {
            is_said |= whom == other;
            is_turned |= doers.contains(&whom) && before.contains(&other);
        }
        is_turned && !is_said
    })
}

/// Whether one of two does in the claim what the other does to it in the passage, where both name them in the same order and
/// only one says "by": `Sker was bought by Lund`, `Sker bought Lund`.
pub fn are_swapped_by_passive(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let by = index.term_of(BY);
    let steps = claim.steps.iter().zip(&claim.at);
    steps.filter(|(step, _)| matches!(step, Step::Word(_))).any(|(_, verb)| {
        let Some(token) = claim.tokens.get(*verb).filter(|it| is_verb(it)) else { return false };
        let root = words::root(&token.word);
        let (Some(term), false) = (index.term(&root), is_either_way(&root)) else { return false };
        let behind = claim.tokens.iter().skip(verb + 1).take_while(|it| !it.opens && !it.begins);
        let behind: Vec<&Token> = behind.take(TO_BY + turned::SECOND_END).collect();
        let by_at = behind.iter().take(TO_BY).position(|it| it.word == BY);
        let mut ends = behind.iter().skip(by_at.map_or(0, |at| at + 1)).take(turned::SECOND_END);
        let end = ends.find(|it| !ARTICLES.contains(&&*it.word)).filter(|it| words::tells(it));
        let Some(end) = end.and_then(|it| index.term_of(&it.word)) else { return false };
        let firsts = claim.tokens.get(verb.saturating_sub(DOER)..*verb).unwrap_or_default();
        let firsts = firsts.iter().rev().take_while(|it| !it.opens || it.begins);
        let firsts = firsts.filter(|it| words::tells(it)).filter_map(|it| index.term_of(&it.word));
        let firsts: Vec<Term> = firsts.filter(|it| *it != end).collect();
        let (mut is_turned, mut is_said) = (false, false);
        for there in sentences.iter().flat_map(|it| acts(it, index, term, by)) {
            let is_same_order =
                there.end == end && there.before.iter().any(|it| firsts.contains(it));
            let is_other_order = firsts.contains(&there.end) && there.before.contains(&end);
            let is_alike = there.has_by == by_at.is_some();
            is_said |= if is_alike { there.end == end } else { is_other_order };
            is_turned |= is_same_order && !is_alike;
        }
        is_turned && !is_said
    })
}

/// A verb of a sentence with what stands around it.
struct Act<'s> {
    before: &'s [Term],
    has_by: bool,
    /// Behind "by", or behind the verb.
    end: Term,
}

/// Where a sentence has a verb: what stands before it, and who it is done by or to whom.
fn acts<'s>(
    sentence: &'s Sentence,
    index: &'s Index,
    verb: Term,
    by: Option<Term>,
) -> impl Iterator<Item = Act<'s>> {
    turned::places(sentence, verb).filter_map(move |at| {
        let before = sentence.terms.get(at.saturating_sub(DOER)..at)?;
        let mut behind = sentence.terms.iter().skip(at + 1).take(TO_BY);
        let by_at = behind.position(|it| by == Some(*it));
        let from = by_at.map_or(at, |by| at + 1 + by);
        let end = turned::second_end(sentence, index, from, &ARTICLE_ROOTS)?;
        Some(Act { before, has_by: by_at.is_some(), end })
    })
}

fn is_verb(token: &Token) -> bool {
    let is_past = token.word.len() > 4 && token.word.ends_with("ed");
    token.shape == Shape::Lower && (is_past || words::is_past(&token.word))
}

/// Where a sentence has a verb: what stands before it, and the word behind it, articles aside.
fn done<'s>(
    sentence: &'s Sentence,
    index: &'s Index,
    verb: Term,
) -> impl Iterator<Item = (&'s [Term], Term)> {
    turned::places(sentence, verb).filter_map(move |at| {
        let before = sentence.terms.get(at.saturating_sub(DOER)..at)?;
        Some((before, turned::second_end(sentence, index, at, &ARTICLE_ROOTS)?))
    })
}

/// Whether two names have changed places around the same words, and stand nowhere as they do here: `Ghent of Lund`.
pub fn are_names_swapped(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    if claim.is_cut {
        // It is not called supported anyway.
        return false;
    }
    let names = names(&claim.tokens);
    names.iter().zip(names.iter().skip(1)).any(|(one, other)| {
        let between = claim.tokens.get(one.end..other.start).unwrap_or_default();
        let joins =
            |it: &Token| JOINS.contains(&&*it.word) || is_either_way(&words::root(&it.word));
        let opens = claim.tokens.get(one.end..=other.start).unwrap_or_default();
        if between.is_empty()
            || between.len() > BETWEEN
            || between.iter().any(joins)
            || opens.iter().any(|it| it.opens || it.begins)
        {
            return false;
        }
        let row = |one: usize, other: usize| -> Option<Vec<Term>> {
            let ends = [claim.tokens.get(one)?, claim.tokens.get(other)?];
            let row =
                ends.iter().take(1).copied().chain(between).chain(ends.iter().skip(1).copied());
            row.map(|it| index.term_of(&it.word)).collect()
        };
        let has = |row: Option<Vec<Term>>| {
            let has = |row: &Vec<Term>| {
                sentences.iter().any(|it| it.terms.windows(row.len()).any(|part| part == row))
            };
            row.as_ref().is_some_and(has)
        };
        has(row(other.end - 1, one.start)) && !has(row(one.end - 1, other.start))
    })
}

/// Names in a row of tokens, without the small words that begin a sentence before them.
pub fn names(tokens: &[Token]) -> Vec<Range<usize>> {
    let is_name = |it: &Token| it.is_name() && words::tells(it);
    let mut names: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, it)| is_name(it)) {
        match names.last_mut() {
            Some(last) if last.end == at && !token.opens => last.end = at + 1,
            _ => names.push(at..at + 1),
        }
    }
    names
}
