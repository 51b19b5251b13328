//! Sentences that say nearly the same.
//!
//! Border: ranked quotations in, fewer out.

use super::rank::Quotation;
use super::{EvidenceSource, disagree, polar};
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Shared words, of all words of both, above which two sentences say the same.
const SAME: f64 = 0.7;

/// A source that says the same as another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Also<'a> {
    /// The sentence in which it does.
    pub text: String,
    pub source: &'a EvidenceSource<'a>,
}

impl<'a> From<Quotation<'a>> for Also<'a> {
    fn from(quotation: Quotation<'a>) -> Self {
        Also { text: quotation.text, source: quotation.source }
    }
}

impl<'a> From<&Quotation<'a>> for Also<'a> {
    fn from(quotation: &Quotation<'a>) -> Self {
        Also { text: quotation.text.clone(), source: quotation.source }
    }
}

/// Ranked quotations without those that say what a better one says; their sources are named with it.
pub(super) fn folded(ranked: Vec<Quotation<'_>>) -> Vec<Quotation<'_>> {
    let mut kept: Vec<Quotation<'_>> = Vec::new();
    let mut known: Vec<Said> = Vec::new();
    for quotation in ranked {
        let said = Said::by(&quotation.stems, polar::denies(&quotation.text));
        let same = kept.iter().zip(&known).position(|(kept, known)| {
            known.is_nearly(&said) && !disagree::answers_otherwise(kept, &quotation)
        });
        match same.and_then(|at| kept.get_mut(at)) {
            Some(first) => {
                let is_known = first.source.n == quotation.source.n
                    || first.also.iter().any(|also| also.source.n == quotation.source.n);
                if !is_known {
                    first.also.push(quotation.into());
                }
            }
            None => {
                kept.push(quotation);
                known.push(said);
            }
        }
    }
    kept
}

/// What a sentence says, as far as its words show.
struct Said {
    words: BTreeSet<String>,
    figures: BTreeSet<String>,
    /// Whether it denies anything: the small words that do are no stems.
    denies: bool,
}

impl Said {
    fn by(stems: &[String], denies: bool) -> Self {
        let words: BTreeSet<String> = stems.iter().cloned().gather();
        let figures = words.iter().filter(|word| word.chars().any(|c| c.is_ascii_digit()));
        Said { figures: figures.cloned().gather(), words, denies }
    }

    /// Whether another sentence says nearly the same. Other figures are another statement, and a denial is.
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    fn is_nearly(&self, other: &Said) -> bool {
        if self.figures != other.figures || self.denies != other.denies {
            return false;
        }
        let shared = self.words.intersection(&other.words).count();
        let all = self.words.len() + other.words.len() - shared;
        shared as f64 / all.max(1) as f64 > SAME
    }
}
