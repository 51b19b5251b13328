//! What an answer rests on: its citations, and what it could not rest on.

use crate::verify::{Verdict, Veto};
use serde::{Deserialize, Serialize};

/// A place in an answer that names a source, and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Citation"))]
pub struct VerifiedCitation {
    /// The number of its source in this answer; none where the marker became "(unverified)".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// The short name of the passage.
    pub id: String,
    /// The address that leads to it.
    pub url: String,
    /// The title of the source.
    pub title: String,
    /// The anchor of the passage, where the page was cut into passages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
    /// The sentence of the answer that rests on it.
    pub claim: String,
    /// What the passage says, cut from it.
    pub quote: String,
    /// Where the marker begins, in code points of the answer.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether the passage says the sentence.
    pub verdict: Verdict,
    /// The weighted share of the sentence that the passage has.
    pub coverage: f64,
    /// What speaks against it.
    pub vetoes: Vec<Veto>,
    /// Words of the sentence that the passage does not have there.
    pub missing: Vec<String>,
    /// Whether the model cited another passage, which does not say it.
    pub moved: bool,
    /// Whether the model cited nothing.
    pub added: bool,
    /// Whether a language model gave the verdict, and not the check.
    pub by_model: bool,
}

/// What an answer rests on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// All citations, in order.
    pub citations: Vec<VerifiedCitation>,
    /// Sentences that state something and rest on nothing.
    pub uncited: usize,
    /// Names and addresses that were taken out, because nothing has them; the first 32.
    pub unknown: Vec<String>,
    /// How many there were.
    pub unknown_count: usize,
    /// Markers beyond the first 1,000 checks, which nobody checked: "(unverified)" stands there.
    pub unchecked: usize,
    /// Citations that failed beside another of the same sentence: no mark stands for them.
    #[serde(default)]
    pub failed: usize,
    /// What each checked marker named that was written, and what became of it.
    #[serde(default)]
    pub named: Vec<Named>,
    /// Which source has which number.
    pub numbers: Numbers,
}

/// A source that a marker named, and the citation that its sentence has of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The place of the source in the evidence.
    pub source: usize,
    /// The place of the citation among [`Proof::citations`]; none: the source does not say the sentence, and nothing
    /// stands for it, or another passage in its place.
    pub citation: Option<usize>,
}

/// The numbers that sources have in an answer: each is given at the first use of its source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers(Vec<usize>);

impl Numbers {
    /// The number of a source, by its place in the evidence.
    pub fn of(&mut self, source: usize) -> usize {
        self.find(source).unwrap_or_else(|| {
            self.0.push(source);
            self.0.len()
        })
    }

    /// The number of a source, by its place in the evidence; none: it has none.
    #[must_use]
    pub fn find(&self, source: usize) -> Option<usize> {
        self.0.iter().position(|known| *known == source).map(|at| at + 1)
    }

    /// The places in the evidence of the sources that have a number, in the order of their numbers.
    #[must_use]
    pub fn places(&self) -> &[usize] {
        &self.0
    }
}

impl Proof {
    /// The worst verdict on the sentences for which markers name a source, and the citation that has it, where one
    /// stands for it; none: no marker that was checked names the source.
    #[must_use]
    pub fn worst_of(&self, source: usize) -> Option<(Verdict, Option<&VerifiedCitation>)> {
        let judged = self.named.iter().filter(|named| named.source == source).map(|named| {
            let citation = named.citation.and_then(|at| self.citations.get(at));
            (citation.map_or(Verdict::NotFound, |citation| citation.verdict), citation)
        });
        // Of several that are equally bad the first that can be shown.
        judged.min_by_key(|(verdict, citation)| (*verdict, citation.is_none()))
    }

    /// The share of each verdict among the citations that were checked: supported, partly, not found.
    #[must_use]
    pub fn shares(&self) -> [f64; 3] {
        let count = |verdict| self.citations.iter().filter(|it| it.verdict == verdict).count();
        let not_found = count(Verdict::NotFound) + self.failed;
        let all = (self.citations.len() + self.failed).max(1);
        #[allow(clippy::cast_precision_loss, reason = "an answer has few citations")]
        let share = |count: usize| count as f64 / all as f64;
        [count(Verdict::Supported), count(Verdict::Partly), not_found].map(share)
    }
}
