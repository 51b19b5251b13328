//! Whether a passage says a sentence.
//!
//! Border: passages and claims in; verdicts with what they rest on out. Pure and linear in both: an
//! [`Index`] takes the evidence apart once, a [`Claim`] a sentence.

mod beside;
mod bound;
mod claim;
mod clause;
mod clock;
mod column;
mod counted;
mod covered;
mod date;
mod day;
mod dense;
mod forms;
mod index;
mod joint;
mod kin;
mod layout;
mod lexicon;
mod named;
mod narrower;
mod negation;
mod number;
#[cfg(test)]
mod plain;
mod proviso;
mod quantity;
mod range;
mod rate;
mod reserve;
mod rival;
mod roles;
mod roots;
mod share;
mod synonyms;
#[cfg(test)]
mod tests;
mod turned;
mod unit;
mod unreal;
mod value;
mod veto;
mod voice;
mod window;
mod words;

pub use claim::{Claim, Step, Word, squeezed};
pub use covered::Covered;
pub use date::Date;
pub use index::{Index, Text};
pub use quantity::{Figures, Measure, Quantity, is_same};
pub use rate::Per;
pub use reserve::is_reserve;
pub use unit::Unit;
pub use veto::Veto;
pub use words::{is_negation, root};

use dense::Best;
use quarry_types::order;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::ops::Range;
use window::{Sought, Window};

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
        self.best_in(claim, passage..passage.saturating_add(1))
    }

    /// Checks a claim against all passages; the best of them.
    #[must_use]
    pub fn best(&self, claim: &Claim) -> Option<Check> {
        self.best_in(claim, 0..self.len())
    }

    /// Checks a claim against some passages in a row; the best of them.
    #[must_use]
    pub fn best_in(&self, claim: &Claim, passages: Range<usize>) -> Option<Check> {
        let passages = passages.start.min(self.len())..passages.end.min(self.len());
        let sought = Sought::new(claim, self, passages.clone());
        let best = densest(passages.map(|passage| sought.look(passage)), CLOSELY);
        sought.best_of(best.iter().flat_map(|best| sought.windows(best)).collect())
    }

    /// Checks a claim against groups of passages in a row, such as the pages of the evidence: the best of each
    /// group, for so many groups that have most of it. Of these only passages that are wanted are checked.
    #[must_use]
    pub fn best_of_each(
        &self,
        claim: &Claim,
        groups: impl IntoIterator<Item = Range<usize>>,
        most: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<Check> {
        let sought = Sought::new(claim, self, 0..self.len());
        let best = groups.into_iter().filter_map(|group| {
            let looked = group.map(|passage| sought.look(passage));
            looked.max_by(|one, other| one.most().total_cmp(&other.most()))
        });
        let best = densest(best.into_iter(), most);
        let wanted = best.iter().filter(|best| is_wanted(best.passage));
        wanted.filter_map(|best| sought.best_of(sought.windows(best).collect())).collect()
    }
}

/// So many of those that have most; of equals the first.
fn densest(all: impl Iterator<Item = Best>, count: usize) -> Vec<Best> {
    let mut kept: Vec<(f64, Best)> = Vec::new();
    for best in all {
        let most = best.most();
        let at = kept.partition_point(|(other, _)| other.total_cmp(&most).is_ge());
        if at < count {
            kept.truncate(count - 1);
            kept.insert(at, (most, best));
        }
    }
    kept.into_iter().map(|(_, best)| best).collect()
}

/// How good a check is: of equals the first is best.
type Rank = (Verdict, f64, Reverse<usize>);

impl Sought<'_> {
    /// The best of some windows. None is better than its coverage lets hope, so that few are looked at closely.
    fn best_of(&self, windows: Vec<Window>) -> Option<Check> {
        let hope = |window: &Window| match window {
            _ if window.coverage < FOUND => Verdict::NotFound,
            _ if window.is_said() => Verdict::Supported,
            _ => Verdict::Partly,
        };
        let ranked = windows.iter().zip(0..);
        let mut hopes: Vec<(Rank, &Window)> = ranked
            .map(|(window, at)| ((hope(window), window.coverage, Reverse(at)), window))
            .collect();
        order::sort_by(&mut hopes, |(one, _), (other, _)| {
            other.partial_cmp(one).unwrap_or(Ordering::Equal)
        });
        let mut best: Option<(Rank, Check)> = None;
        for ((hope, coverage, at), window) in hopes {
            if best.as_ref().is_some_and(|(best, _)| *best > (hope, coverage, at)) {
                break;
            }
            let check = self.judge(window);
            let rank = (check.verdict, coverage, at);
            if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                best = Some((rank, check));
            }
        }
        best.map(|(_, check)| check)
    }

    fn judge(&self, window: &Window) -> Check {
        let Sought { claim, index, .. } = *self;
        let mut vetoes = veto::vetoes(self, window);
        if index.is_unread(window.passage) {
            vetoes.insert(Veto::Unread);
        }
        let verdict = if window.coverage < FOUND || vetoes.contains(&Veto::Quotation) {
            Verdict::NotFound
        } else if window.is_said() && vetoes.is_empty() {
            Verdict::Supported
        } else {
            Verdict::Partly
        };
        let sentences = index.sentences(window.sentences.clone());
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
