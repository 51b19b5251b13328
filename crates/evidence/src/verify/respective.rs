//! Whether a claim gives one of two what the passage gives the other: `Sker and Lund have 3 and 5 boats, respectively`.
//!
//! Border: a claim and sentences in, yes or no out. Only two and two are read, with what stands right beside "and".
//! English.

use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Words of one of two that are looked at.
const MOST: usize = 3;

/// Whether a claim has one of the first two with the other's of the second two.
pub fn is_swapped(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let (Some(word), Some(and)) = (index.term_of("respectively"), index.term_of("and")) else {
        return false;
    };
    let own: BTreeSet<Term> = claim.tokens.iter().filter_map(|it| index.term_of(&it.word)).gather();
    if own.contains(&word) {
        return false;
    }
    sentences.iter().any(|sentence| {
        let at = sentence.terms.iter().position(|it| *it == word);
        let before = at.and_then(|at| sentence.terms.get(..at)).unwrap_or_default();
        let joins = |terms: &[Term]| terms.iter().rposition(|it| *it == and);
        let Some(second) = joins(before) else { return false };
        let Some((left, right)) = before.split_at_checked(second) else { return false };
        let Some(first) = joins(left) else { return false };
        let pairs = [Pair::around(index, left, first), Pair::new(index, left, right)];
        let [Some(one), Some(other)] = pairs.map(|it| it.side(&own)) else { return false };
        one != other
    })
}

/// What stands before an "and" and behind it.
struct Pair<'p> {
    before: Vec<&'p Term>,
    behind: Vec<&'p Term>,
}

impl<'p> Pair<'p> {
    fn around(index: &Index, terms: &'p [Term], at: usize) -> Self {
        let (before, behind) = terms.split_at_checked(at).unwrap_or_default();
        Pair::new(index, before, behind)
    }

    /// The second begins with the "and".
    fn new(index: &Index, before: &'p [Term], behind: &'p [Term]) -> Self {
        // A letter or a figure tells here what a small word does not: `compound A`.
        let is_figure = |it: &Term| index.root(*it).starts_with(|it: char| it.is_ascii_digit());
        let tells =
            |it: &&Term| !index.is_small(**it) || is_figure(it) || index.root(**it).len() == 1;
        let only = |all: Vec<&'p Term>| {
            // What is counted may be the same of both.
            let figure = all.iter().find(|it| is_figure(it)).copied();
            figure.map_or(all, |it| vec![it])
        };
        let behind = behind.iter().skip(1).skip_while(|it| !tells(it));
        Pair {
            before: only(before.iter().rev().take(MOST).take_while(tells).collect()),
            behind: only(behind.take(MOST).take_while(tells).collect()),
        }
    }

    /// Whether a claim has only what stands behind. None: both or neither.
    fn side(&self, own: &BTreeSet<Term>) -> Option<bool> {
        let has = |one: &[&Term], other: &[&Term]| {
            one.iter().any(|it| own.contains(it) && !other.contains(it))
        };
        let sides = (has(&self.before, &self.behind), has(&self.behind, &self.before));
        (sides.0 != sides.1).then_some(sides.1)
    }
}
