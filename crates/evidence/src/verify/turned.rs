//! Whether a claim turns a passage round though all its words are there: who was for what and who against it, which of
//! two numbers comes first, and of what a number is.

use super::claim::{Claim, Step};
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity, is_same};
use super::{negation, words};
use std::ops::Range;

/// Tokens before a side within which stands whose side it is: `voted against`.
const TAKER: usize = 2;
/// Tokens behind whoever takes a side within which it stands.
const SIDE: usize = 3;
/// The same where both are taken: `against the amendment, and for the plan`.
const SIDES: usize = 5;
/// Tokens between a word and the number that it speaks of: `closures on the 19 days`.
const BETWEEN: usize = 3;
/// The same where another number comes before it: `a limit of 40 tonnes until 2024, and of 26 since`.
const LATER: usize = 12;
/// What stands between two numbers of which the first is somebody's, or comes first: `five votes to two`.
const JOINS: [&str; 2] = ["to", "against"];
/// Words behind a number that say what of a thing it measures.
const DIMENSIONS: [&str; 7] = ["deep", "high", "long", "old", "tall", "thick", "wide"];

/// Whether somebody is for what the passage has them against, or against what it has them for.
pub fn takes_other_side(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    claim.tokens.iter().enumerate().any(|(at, token)| {
        let other = match token.word.as_str() {
            "for" => "against",
            "against" => "for",
            _ => return false,
        };
        let before = claim.tokens.get(at.saturating_sub(TAKER)..at).unwrap_or_default();
        let is_taker =
            |it: &&crate::text::Token| it.is_word() && !words::is_function_word(&it.word);
        let taker = before.iter().rev().find(is_taker);
        let taker = taker.and_then(|it| index.term(&words::root(&it.word)));
        let side = |word: &str| index.term(&words::root(word));
        let (Some(taker), Some(other)) = (taker, side(other)) else { return false };
        let own = side(&token.word);
        let has = |side: Option<Term>, reach: usize| {
            sentences.iter().any(|it| places(it, taker).any(|at| is_behind(it, at, side, reach)))
        };
        has(Some(other), SIDE) && !has(own, SIDES)
    })
}

/// Whether a term stands so many tokens behind a place at most.
fn is_behind(sentence: &Sentence, place: usize, term: Option<Term>, reach: usize) -> bool {
    let behind = sentence.terms.get(place + 1..).unwrap_or_default();
    term.is_some_and(|term| behind.iter().take(reach).any(|it| *it == term))
}

/// Where a term stands in a sentence.
fn places(sentence: &Sentence, term: Term) -> impl Iterator<Item = usize> {
    let terms = sentence.terms.iter().enumerate();
    terms.filter(move |(_, it)| **it == term).map(|(at, _)| at)
}

/// The tokens of a sentence that say a claim word for word. What the sentence denies elsewhere speaks of something else:
/// `The toll was 6 euros; since 2022 there has been no toll`.
pub fn word_for_word(claim: &Claim, index: &Index, sentence: &Sentence) -> Option<Range<usize>> {
    if sentence.denied.is_empty() || claim.tokens.len() > sentence.terms.len() {
        return None;
    }
    let term = |token: &crate::text::Token| index.term(&words::root(&token.word));
    let terms: Vec<_> = claim.tokens.iter().map(term).collect::<Option<_>>()?;
    let at = sentence.terms.windows(terms.len().max(1)).position(|part| *part == *terms)?;
    Some(at..at + terms.len())
}

/// Whether a number of the claim is one that the passage names to say that it is not so, and no other: `19 years, not 31`.
pub fn is_denied_number(claim: &Claim, sentences: &[Sentence]) -> bool {
    let own = negation::denied(&claim.tokens);
    let is_denied = |quantity: &Quantity, denied: &[Range<usize>]| {
        denied.iter().any(|denied| denied.start == quantity.at)
    };
    let quantities = claim.figures.quantities.iter();
    quantities.filter(|it| !it.is_vague && !is_denied(it, &own)).any(|quantity| {
        let mut there = sentences
            .iter()
            .flat_map(|sentence| sentence.figures.quantities.iter().map(move |it| (sentence, it)))
            .filter(|(_, other)| quantity.has_value(other))
            .peekable();
        there.peek().is_some() && there.all(|(sentence, it)| is_denied(it, &sentence.denied))
    })
}

/// Whether two numbers that belong together stand the other way round in the passage, and nowhere as they do here.
pub fn swaps_numbers(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let claimed = pairs(&claim.figures.quantities, |at| {
        let token = claim.tokens.get(at);
        token.is_some_and(|token| JOINS.contains(&token.word.as_str()))
    });
    if claimed.is_empty() {
        return false;
    }
    let joins = JOINS.map(|word| index.term(&words::root(word)));
    let there: Vec<(f64, f64)> = sentences
        .iter()
        .flat_map(|sentence| {
            let is_join = |at: usize| {
                let term = sentence.terms.get(at).copied();
                term.is_some() && joins.contains(&term)
            };
            pairs(&sentence.figures.quantities, is_join)
        })
        .collect();
    let says = |one: f64, other: f64| {
        there.iter().any(|(first, second)| is_same(*first, one) && is_same(*second, other))
    };
    claimed.iter().any(|(one, other)| says(*other, *one) && !says(*one, *other))
}

/// The values of numbers in a row with only this between them, and what the first counts.
fn pairs(quantities: &[Quantity], is_join: impl Fn(usize) -> bool) -> Vec<(f64, f64)> {
    let pairs = quantities.iter().zip(quantities.iter().skip(1));
    let joined = pairs.filter(|(one, other)| {
        let end = one.at + one.length + one.unit;
        let gap = other.at.saturating_sub(end);
        (1..=2).contains(&gap) && is_join(other.at - 1)
    });
    joined.map(|(one, other)| (one.value, other.value)).collect()
}

/// Whether a number is that of something else: where its word stands in the passage, another of its kind stands beside it.
pub fn is_of_another(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    (0..claim.steps.len()).any(|step| {
        let Some(Step::Quantity(at)) = claim.steps.get(step) else { return false };
        let quantity = claim.figures.quantities.get(*at);
        let Some(quantity) = quantity.filter(|it| matches!(it.measure, Measure::Of(_))) else {
            return false;
        };
        let said_of = said_of(claim, step, quantity).and_then(|root| index.term(root));
        let dimension = dimension(claim, quantity).and_then(|root| index.term(&root));
        said_of.is_some_and(|term| has_rival(quantity, term, index, sentences))
            || dimension.is_some_and(|term| measures_other(quantity, term, sentences))
    })
}

/// The root of the word before a number, with nothing that tells between them.
fn said_of<'c>(claim: &'c Claim, step: usize, quantity: &Quantity) -> Option<&'c str> {
    let before = step.checked_sub(1)?;
    let (Some(Step::Word(word)), Some(at)) = (claim.steps.get(before), claim.at.get(before)) else {
        return None;
    };
    let is_beside = quantity.at.saturating_sub(*at) <= BETWEEN + 1;
    claim.words.get(*word).filter(|_| is_beside).map(|word| word.root.as_str())
}

/// The root of the word behind a number that says what of a thing it measures.
fn dimension(claim: &Claim, quantity: &Quantity) -> Option<String> {
    let behind = claim.tokens.get(quantity.at + quantity.length + quantity.unit)?;
    let is_one = DIMENSIONS.contains(&behind.word.as_str());
    is_one.then(|| words::root(&behind.word).into_owned())
}

/// Whether another number of this kind stands right behind a word, and this one nowhere behind it.
fn has_rival(quantity: &Quantity, word: Term, index: &Index, sentences: &[Sentence]) -> bool {
    let mut found = false;
    for sentence in sentences {
        for place in places(sentence, word) {
            let mut behind =
                sentence.figures.quantities.iter().filter(|it| it.at > place).peekable();
            let next = behind.peek().copied();
            if behind.take_while(|it| it.at - place <= LATER).any(|it| quantity.is_said_by(it)) {
                return false;
            }
            found |= next.is_some_and(|it| {
                it.at - place <= BETWEEN + 1
                    && it.measure == quantity.measure
                    && says_little(sentence, index, place + 1..it.at)
            });
        }
    }
    found
}

fn says_little(sentence: &Sentence, index: &Index, tokens: Range<usize>) -> bool {
    let terms = sentence.terms.get(tokens).unwrap_or_default();
    terms.iter().all(|term| words::is_function_word(index.root(*term)))
}

/// Whether a sentence with this number has another of its kind right before the word for what it measures, and none has this
/// one near that word.
fn measures_other(quantity: &Quantity, word: Term, sentences: &[Sentence]) -> bool {
    let mut found = false;
    for sentence in sentences {
        let quantities = || sentence.figures.quantities.iter();
        let end = |it: &Quantity| it.at + it.length + it.unit;
        for place in places(sentence, word) {
            let is_near = |it: &&Quantity| match it.at > place {
                true => it.at == place + 1,
                false => place.saturating_sub(end(it)) <= 1,
            };
            if quantities().filter(is_near).any(|it| quantity.is_said_by(it)) {
                return false;
            }
            found |= quantities().any(|it| quantity.is_said_by(it))
                && quantities().any(|it| end(it) == place && it.measure == quantity.measure);
        }
    }
    found
}
