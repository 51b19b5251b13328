//! The last events: done, failed, interrupted by a rate limit.

use crate::{At, CostSummary, CostTotals, FailureKind, Json, Seconds, Source};
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};

/// How a completed ask ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// With an answer.
    Answered,
    /// On request, before the answer.
    Stopped,
}

/// Figures of an ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultFigures {
    /// Sources.
    #[serde(rename = "totalResults")]
    pub total_results: usize,
    /// Research iterations.
    #[serde(rename = "searchIterations")]
    pub search_iterations: usize,
    /// Tool calls.
    #[serde(rename = "totalToolCalls")]
    pub total_tool_calls: usize,
    /// Model calls.
    #[serde(rename = "totalLLMCalls")]
    pub total_llm_calls: usize,
    /// `provider:name`.
    #[serde(rename = "finalModel")]
    pub final_model: String,
    /// US dollars of the set-up, as far as known.
    pub setup_cost: f64,
    /// US dollars of the rest, as far as known.
    pub query_cost: f64,
    /// US dollars: the sum of the calls whose price is known.
    pub total_cost: f64,
    /// Whether that is the cost of every call.
    #[serde(rename = "costKnown")]
    pub cost_known: bool,
    /// Calls whose cost is unknown.
    #[serde(rename = "unpricedCalls")]
    pub unpriced_calls: usize,
}

/// Everything about an ask in one object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskResult {
    /// The ask's id.
    pub id: String,
    /// The question.
    pub query: String,
    /// What was searched for.
    pub searches: Vec<String>,
    /// What the answer may cite.
    pub search_results: Vec<Source>,
    /// The answer; null when the ask was stopped before it.
    pub response: Option<String>,
    /// The expert role.
    pub persona: String,
    /// The questions that were researched.
    pub questions: Vec<String>,
    /// Whether the ask was stopped.
    pub stopped: bool,
    /// Whether research was cut short.
    pub partial: bool,
    /// Figures.
    pub metadata: ResultFigures,
}

/// `complete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Complete {
    /// Everything about the ask in one object.
    pub result: AskResult,
    /// Milliseconds.
    pub execution_time: u64,
    /// ISO 8601, UTC.
    pub timestamp: At,
    /// How it ended.
    pub ended: Ended,
}

/// A program that was run, as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calculation {
    /// The program.
    pub code: String,
    /// What came out.
    pub result: String,
}

/// `error`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What went wrong and what to do, in words.
    pub error: String,
    /// The kind, for programs.
    #[serde(rename = "type")]
    pub kind: FailureKind,
    /// The kind in upper case, as programs of the original's style look for it; a missing
    /// provider key is `NO_API_KEY`.
    pub code: String,
    /// What had been found by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<Source>>,
    /// ISO 8601, UTC.
    pub timestamp: At,
    /// Results of programs among the evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calculations: Vec<Calculation>,
    /// Seconds after which a new try may help, for `rate_limited` and `busy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_time: Option<u64>,
}

impl Failure {
    /// A failure with nothing but its words.
    #[must_use]
    pub fn new(kind: FailureKind, error: impl Into<String>, now: Timestamp) -> Self {
        Failure {
            error: error.into(),
            kind,
            code: kind.code().to_owned(),
            evidence: None,
            timestamp: At(now),
            calculations: Vec::new(),
            wait_time: None,
        }
    }
}

/// `quota_exceeded`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QuotaExceeded {
    /// In words.
    pub message: String,
    /// Seconds until the limit lifts.
    pub wait_time: Seconds,
    /// Send it back unchanged as `continuationContext`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::continuation_state"))]
    pub continuation_state: Json,
    /// ISO 8601, UTC.
    pub timestamp: At,
    /// What the ask has cost so far.
    pub cost_summary: CostTotals,
    /// ISO 8601, UTC: when the limit lifts.
    pub resume_after: At,
    /// The same call by call, as `cost_summary` tells it at other ends. Logs of before it was told have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CostSummary>,
}
