//! Whether a passage says a sentence.
//!
//! Border: passages and claims in; verdicts with what they rest on out. Pure and linear in both: an
//! [`Index`] takes the evidence apart once, a [`Claim`] a sentence.

mod claim;
mod date;
mod index;
mod kin;
mod layout;
mod lexicon;
mod negation;
mod quantity;
mod synonyms;
#[cfg(test)]
mod tests;
mod unit;
mod veto;
mod window;
mod words;

pub use claim::{Claim, Step, Word, squeezed};
pub use date::Date;
pub use index::{Index, Text};
pub use quantity::{Covered, Figures, Measure, Quantity, is_same};
pub use unit::Unit;
pub use veto::Veto;
pub use words::{is_negation, is_reserve, root};

use quarry_types::order;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use window::{Hits, Sought, Window};

/// Below this coverage a sentence was not found.
const FOUND: f64 = 0.40;
/// Passages that are looked at closely when the best of all is sought.
const CLOSELY: usize = 3;

/// Whether a passage says a sentence. In the order of what is better.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It does not seem to. That is not to say that the sentence is false.
    #[default]
    NotFound,
    /// Part of it, or something speaks against it: to be checked by a person.
    Partly,
    /// It does.
    Supported,
}

/// What the check of a sentence against a passage gave. By default: nothing is there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Check {
    /// Whether it says it.
    pub verdict: Verdict,
    /// The weighted share of the claim that the window has, 0 to 1.
    pub coverage: f64,
    /// What speaks against it.
    pub vetoes: BTreeSet<Veto>,
    /// The passage, as the index counts them.
    pub passage: usize,
    /// Up to three sentences of the passage that say most of it, in bytes.
    pub window: Range<usize>,
    /// Words of the claim that the window does not have.
    pub missing: Vec<String>,
}

impl Index {
    /// Checks a claim against one passage. None: there is no such passage, or it is empty.
    #[must_use]
    pub fn check(&self, claim: &Claim, passage: usize) -> Option<Check> {
        let sought = Sought::new(claim, self);
        self.best_of(claim, sought.windows(&sought.look(passage)))
    }

    /// Checks a claim against all passages; the best of them.
    #[must_use]
    pub fn best(&self, claim: &Claim) -> Option<Check> {
        self.best_in(claim, 0..self.len())
    }

    /// Checks a claim against some passages in a row; the best of them.
    #[must_use]
    pub fn best_in(&self, claim: &Claim, passages: Range<usize>) -> Option<Check> {
        let sought = Sought::new(claim, self);
        let passages = passages.start..passages.end.min(self.len());
        let mut hits: Vec<Hits> = passages.map(|passage| sought.look(passage)).collect();
        order::sort_by(&mut hits, |one, other| other.most().total_cmp(&one.most()));
        hits.truncate(CLOSELY);
        self.best_of(claim, hits.iter().flat_map(|hits| sought.windows(hits)))
    }

    /// Checks a claim against groups of passages in a row, such as the pages of the evidence: the best of each
    /// group, for so many groups that have most of it.
    #[must_use]
    pub fn best_of_each(
        &self,
        claim: &Claim,
        groups: impl IntoIterator<Item = Range<usize>>,
        most: usize,
    ) -> Vec<Check> {
        let sought = Sought::new(claim, self);
        let best = groups.into_iter().filter_map(|group| {
            let looked = group.map(|passage| sought.look(passage));
            looked.max_by(|one, other| one.most().total_cmp(&other.most()))
        });
        let mut hits: Vec<Hits> = best.collect();
        order::sort_by(&mut hits, |one, other| other.most().total_cmp(&one.most()));
        hits.truncate(most);
        hits.iter().filter_map(|hits| self.best_of(claim, sought.windows(hits))).collect()
    }

    fn best_of(&self, claim: &Claim, windows: impl IntoIterator<Item = Window>) -> Option<Check> {
        let checks = windows.into_iter().map(|window| self.judge(claim, &window));
        checks.reduce(|best, next| {
            let rank = |check: &Check| (check.verdict, check.coverage);
            if rank(&next) > rank(&best) { next } else { best }
        })
    }

    fn judge(&self, claim: &Claim, window: &Window) -> Check {
        let mut vetoes = veto::vetoes(claim, window, self);
        if self.is_unread(window.passage) {
            vetoes.insert(Veto::Unread);
        }
        let verdict = if window.coverage < FOUND || vetoes.contains(&Veto::Quotation) {
            Verdict::NotFound
        } else if window.is_said() && vetoes.is_empty() {
            Verdict::Supported
        } else {
            Verdict::Partly
        };
        let sentences = self.sentences(window.sentences.clone());
        let start = sentences.first().map_or(0, |first| first.range.start);
        let end = sentences.last().map_or(start, |last| last.range.end);
        let missing = claim.words.iter().zip(&window.has).filter(|(_, has)| !**has);
        let missing = missing.map(|(word, _)| word.shown.clone()).collect();
        Check {
            verdict,
            coverage: window.coverage,
            vetoes,
            passage: window.passage,
            window: start..end,
            missing,
        }
    }
}
