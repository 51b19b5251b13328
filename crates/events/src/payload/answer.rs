//! The answer: its pieces, its text, what it cites, how it ended.

use crate::{At, CostTotals, Source};
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

/// A place in the answer that cites a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Citation {
    /// The source's number.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Where the link begins: code points of the answer before it.
    pub start: usize,
    /// Where it ends: code points of the answer up to and with its last.
    pub end: usize,
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
    /// The provider broke off while writing it.
    Broken,
    /// The provider failed before it wrote any.
    ProviderError,
}

/// The answer was made without a language model where one was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Degraded {
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

/// `final_answer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FinalAnswer {
    /// Markdown.
    pub content: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
    /// Sums.
    pub cost_summary: CostTotals,
    /// What the answer may cite, numbered as in the evidence.
    pub sources: Vec<Source>,
    /// True when research was cut short by a budget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// What the answer cites, in the order of the text; each covers a whole Markdown link.
    pub citations: Vec<Citation>,
    /// Why it ends where it does.
    pub finish: Finish,
    /// Set when it was made without the language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<Degraded>,
    /// Set when another model answered than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
}
