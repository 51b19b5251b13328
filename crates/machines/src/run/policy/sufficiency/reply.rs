//! What a judge replied of a node.

use super::{MOST_GAPS, RATIONALE_CHARACTERS};
use crate::core::reply::{object, share_of, text_of, texts_of};
use quarry_types::text::cut;

/// What a judge replied of a node, as far as it could be read; each score 0 to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// How much of the question is answered.
    pub coverage: Option<f64>,
    /// By how good sources.
    pub quality: Option<f64>,
    /// Whether contradictions are named.
    pub contradiction_handling: Option<f64>,
    /// Whether it is recent enough; none where that does not matter.
    pub recency: Option<f64>,
    /// Why.
    pub rationale: Option<String>,
    /// What is missing.
    pub gaps: Vec<String>,
}

impl Reply {
    /// Reads a reply; none where it has no score at all.
    #[must_use]
    pub fn read(text: &str) -> Option<Reply> {
        let value = object(text, "gaps")?;
        // Some judges keep their scores together.
        let scores = value.get("scores").filter(|scores| scores.is_object()).unwrap_or(&value);
        let reply = Reply {
            coverage: share_of(scores, "coverage"),
            quality: share_of(scores, "quality"),
            contradiction_handling: share_of(scores, "contradiction_handling"),
            recency: share_of(scores, "recency"),
            rationale: text_of(&value, "rationale").map(|text| cut(&text, RATIONALE_CHARACTERS)),
            gaps: texts_of(&value, "gaps", MOST_GAPS).unwrap_or_default(),
        };
        let scores = [reply.coverage, reply.quality, reply.contradiction_handling];
        scores.iter().any(Option::is_some).then_some(reply)
    }
}
