//! What stands in the answer for a citation, and what it rests on: said once, for answers of models and of rules.

use super::known::Known;
use super::proof::{Numbers, VerifiedCitation};
use crate::verify::Check;
use quarry_types::text::cut;

/// Characters of a quotation.
pub const MOST_QUOTE: usize = 600;
/// What stands in the place of a marker that nothing supports.
pub const UNVERIFIED: &str = "(unverified)";

/// How a citation came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The model cited it.
    Cited,
    /// The model cited another passage.
    Moved,
    /// The model cited nothing.
    Added,
    /// Nothing says it.
    Unverified,
}

/// A marker as a reader sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// `[n](address of the place)`, or that nothing vouches for it.
    pub text: String,
    /// What it rests on.
    pub citation: VerifiedCitation,
}

impl Marker {
    /// The marker of a claim that was checked, which begins at this code point; its source is given a number.
    pub fn new(
        known: &Known,
        claim: &str,
        check: &Check,
        origin: Origin,
        numbers: &mut Numbers,
        start: usize,
    ) -> Option<Self> {
        let citable = known.passage(check.passage)?;
        let n = (origin != Origin::Unverified).then(|| numbers.of(citable.source));
        let text = match n {
            Some(n) => format!("[{n}]({})", citable.address),
            None => UNVERIFIED.to_owned(),
        };
        let title = known.source(citable.source).map(|source| source.title.clone());
        let quote = known.text(check.passage).get(check.window.clone()).unwrap_or_default();
        let citation = VerifiedCitation {
            n,
            id: citable.id.to_string(),
            url: citable.address.clone(),
            title: title.unwrap_or_default(),
            passage: citable.anchor.as_ref().map(ToString::to_string),
            claim: cut(claim.trim(), MOST_QUOTE),
            quote: cut(quote, MOST_QUOTE),
            start,
            end: start + text.chars().count(),
            verdict: check.verdict,
            // What is told needs no more than three digits.
            coverage: (check.coverage * 1_000.0).round() / 1_000.0,
            vetoes: check.vetoes.iter().copied().collect(),
            missing: check.missing.clone(),
            moved: origin == Origin::Moved,
            added: origin == Origin::Added,
            by_model: false,
        };
        Some(Marker { text, citation })
    }
}
