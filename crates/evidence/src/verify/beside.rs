//! Whether the passage counts with a number of the claim only what stands beside that which the claim counts: `three new
//! ships and old boats` are no `three old boats`.
//!
//! Border: a claim and sentences in, yes or no out. Each number and each word of the sentences is looked at once, however
//! many numbers the claim has. Where the passage leaves open what a number counts, nothing speaks against a claim.

use super::bound::{COUNTED, is_count, term};
use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Figures, Quantity, is_same};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

/// What joins another thing to one that is counted. What stands behind "or" is often the same in another word.
const JOINT: &str = "and";
/// With what a name points back to those of whom was spoken: `40 men died. The old miners were buried`.
const POINTING: [&str; 4] = ["all", "the", "these", "those"];

/// A number of the claim with what it counts.
struct Claimed {
    value: f64,
    noun: Term,
    /// What tells that from others.
    telling: Vec<Term>,
    /// What is joined to it.
    joined: Vec<Term>,
}

/// What a number of one value counts wherever the passage has it.
#[derive(Default)]
struct Counted {
    is_there: bool,
    /// Whether that is not told in one of the places.
    is_open: bool,
    /// The words of its names.
    names: BTreeSet<Term>,
    /// Words that are joined to it, with the nouns of that to which they are.
    joined: BTreeMap<Term, BTreeSet<Term>>,
}

/// Whether the passage counts something else wherever it has a number of the claim, and names what the claim counts without
/// a number. What is only named elsewhere may be the same thing; with its own word before it, it is another.
pub fn counts_what_is_beside(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let counts = claim.figures.quantities.iter().filter(|it| is_count(it) && it.row > 0);
    let claimed: Vec<Claimed> = counts.filter_map(|it| Claimed::of(it, claim, index)).collect();
    let mut values: Vec<f64> = claimed.iter().map(|it| it.value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|one, other| is_same(*one, *other));
    let counted = counted(&values, index, sentences);
    let of = |it: &Claimed| place(&values, it.value).and_then(|at| counted.get(at));
    let counts_other =
        |it: &Counted, noun: Term| it.is_there && !it.is_open && !it.names.contains(&noun);
    let other = claimed.iter().filter_map(|own| Some((own, of(own)?)));
    let others: Vec<(&Claimed, &Counted)> =
        other.filter(|(own, there)| counts_other(there, own.noun)).collect();
    let is_joined = |(own, there): &(&Claimed, &Counted)| {
        // Of `40 boats and ferries` each is counted, in whatever order they are named.
        let nouns = there.joined.get(&own.noun);
        nouns.is_some_and(|nouns| nouns.iter().any(|noun| !own.joined.contains(noun)))
    };
    others.iter().any(is_joined) || {
        let nouns = others.iter().filter(|(own, _)| !own.telling.is_empty());
        let named = named(nouns.map(|(own, _)| own.noun).gather(), index, sentences);
        let is_named = |own: &Claimed| {
            let before = named.get(&own.noun);
            before.is_some_and(|before| own.telling.iter().any(|it| before.contains(it)))
        };
        others.iter().any(|(own, _)| is_named(own))
    }
}

impl Claimed {
    fn of(number: &Quantity, claim: &Claim, index: &Index) -> Option<Claimed> {
        let own = |at: usize| term(claim, index, at);
        let noun = number.noun()?;
        Some(Claimed {
            value: number.value,
            noun: own(noun)?,
            telling: (number.at + number.length..noun).filter_map(own).collect(),
            joined: joined(index, &claim.figures, own, number),
        })
    }
}

/// Which of some values in order this is.
fn place(values: &[f64], value: f64) -> Option<usize> {
    let at = values.partition_point(|it| *it < value && !is_same(*it, value));
    values.get(at).filter(|it| is_same(**it, value)).map(|_| at)
}

/// For each of some values in order what it counts in the passage.
fn counted(values: &[f64], index: &Index, sentences: &[Sentence]) -> Vec<Counted> {
    let mut counted: Vec<Counted> = values.iter().map(|_| Counted::default()).collect();
    if values.is_empty() {
        return counted;
    }
    for sentence in sentences {
        for number in &sentence.figures.quantities {
            let place = place(values, number.value);
            let Some(counted) = place.and_then(|at| counted.get_mut(at)) else { continue };
            counted.is_there = true;
            let noun = number.noun().filter(|_| number.row > 0);
            let Some(noun) = noun.and_then(|at| sentence.terms.get(at)) else {
                counted.is_open = true;
                continue;
            };
            let from = number.at + number.length;
            counted.names.extend(sentence.terms_of(&(from..from + usize::from(number.row))));
            counted.names.insert(*noun);
            let at = |at: usize| sentence.terms.get(at).copied();
            for word in joined(index, &sentence.figures, at, number) {
                counted.joined.entry(word).or_default().insert(*noun);
            }
        }
    }
    counted
}

/// The words that are joined, without a number, to what a number counts: `three new ships and old boats`.
fn joined(
    index: &Index,
    figures: &Figures,
    term: impl Fn(usize) -> Option<Term>,
    number: &Quantity,
) -> Vec<Term> {
    let end = number.at + number.length + usize::from(number.row);
    let is_joined = term(end).is_some_and(|it| index.term_of(JOINT) == Some(it));
    let behind = (end + 1..=end + COUNTED).filter(|_| is_joined);
    let behind = behind.take_while(|at| figures.beginning(*at).is_none());
    behind.map_while(term).take_while(|it| !index.is_small(*it)).collect()
}

/// For each of some nouns the words right before it in the passage, as far as they tell and do not point back.
fn named(
    nouns: BTreeSet<Term>,
    index: &Index,
    sentences: &[Sentence],
) -> BTreeMap<Term, BTreeSet<Term>> {
    let mut named: BTreeMap<Term, BTreeSet<Term>> = BTreeMap::new();
    if nouns.is_empty() {
        return named;
    }
    let pointing: Vec<Term> = POINTING.iter().filter_map(|word| index.term_of(word)).collect();
    for sentence in sentences {
        for (at, noun) in sentence.terms.iter().enumerate().filter(|(_, it)| nouns.contains(it)) {
            let before = sentence.terms_of(&(at.saturating_sub(COUNTED)..at));
            let telling = before.iter().rev().take_while(|it| !index.is_small(**it)).count();
            let (ahead, telling) = before.split_at(before.len() - telling);
            if ahead.last().is_none_or(|it| !pointing.contains(it)) {
                named.entry(*noun).or_default().extend(telling);
            }
        }
    }
    named
}
