//! The answer: its pieces, its text, what it cites, how it ended.

use crate::{At, CostTotals, Source};
pub use quarry_evidence::cite::VerifiedCitation as Citation;
pub use quarry_evidence::{Confidence, Conflict};
use serde::{Deserialize, Serialize};

/// `answer_delta`. All pieces together are `final_answer.content`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerDelta {
    /// The next piece of the answer.
    pub text: String,
    /// Code points of the answer before this piece.
    pub at: usize,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `citation`: a place in the answer that names a source, and what it rests on. It comes before the
/// `answer_delta` that shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cited {
    /// The citation.
    #[serde(flatten)]
    pub citation: Citation,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// The share of each verdict among the citations of an answer, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdicts {
    /// The passage says the sentence.
    pub supported: f64,
    /// It says part of it.
    pub partly: f64,
    /// It does not seem to say it.
    pub not_found: f64,
}

/// Why the answer ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It is whole.
    Stop,
    /// It reached its length limit.
    Length,
    /// The budget cut research short.
    Budget,
    /// The provider's filter held it back.
    Filter,
    /// The provider broke off: while writing it, or before research was complete.
    Broken,
    /// The provider failed before it wrote any.
    ProviderError,
}

/// The form of an answer that is no Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    /// One JSON text.
    Json,
}

/// The answer was made without a language model where one was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Degraded {
    /// In words.
    pub reason: String,
}

/// Research ended before it was complete, because a call to the model failed or its reply was of no use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndedEarly {
    /// In words.
    pub reason: String,
}

/// Another model answers than was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fallback {
    /// `provider:name` of the model that was asked for.
    pub requested: String,
    /// In words.
    pub reason: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// `final_answer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FinalAnswer {
    /// Markdown, unless `format` says otherwise.
    pub content: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
    /// Sums.
    pub cost_summary: CostTotals,
    /// What the answer may cite: what it does cite first, by the numbers that it has there.
    pub sources: Vec<Source>,
    /// True when research was cut short: by a budget, or for the reason in `endedEarly`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// What the answer cites, in the order of the text; each covers a whole Markdown link, or the
    /// "(unverified)" that stands in the place of one.
    pub citations: Vec<Citation>,
    /// How many of them hold, with those that `failed` beside them.
    #[serde(default)]
    pub verdicts: Verdicts,
    /// Sentences that state something and rest on nothing that was found.
    #[serde(default)]
    pub uncited: usize,
    /// Names and addresses that the model cited and nothing has: they were taken out. The first 32.
    #[serde(default)]
    pub unknown: Vec<String>,
    /// How many there were. Absent: none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_count: usize,
    /// Markers beyond the first 1,000 checks, which nobody checked: "(unverified)" stands there, and `citations` has
    /// none of them. Absent: none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unchecked: usize,
    /// Citations that do not hold beside another of the same sentence, for which a link stands or "(unverified)":
    /// nothing stands for them, and `citations` has none of them; in `verdicts` they are not found. Absent: none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: usize,
    /// Where sources contradict each other.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// How far the answer can be relied on. Absent where it rests on no source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Why it ends where it does.
    pub finish: Finish,
    /// Set when the content is no Markdown: one JSON text, as its asker wanted it. Its citations are those of the
    /// words that it was made of, and have no place in it: their `start` and `end` are 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<AnswerFormat>,
    /// Set when it was made without the language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<Degraded>,
    /// Set when research ended before it was complete: the answer is `partial` then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<EndedEarly>,
    /// Set when another model answered than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
}
