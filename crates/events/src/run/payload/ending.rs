//! The run as a whole: its beginning, its rounds, its report, its ends.

use crate::run::{CutShort, RunStatus, Stop};
use quarry_evidence::Confidence;
use quarry_types::Knobs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `run_started`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunStarted {
    /// What is to be found out.
    pub task: String,
    /// `provider:name` of the run's model.
    pub model: String,
    /// False when `local:extractive` does it all.
    pub language_model: bool,
    /// The root of the tree.
    pub root_node_id: String,
    /// Every knob.
    pub config: Knobs,
    /// The version of each policy, by its name.
    pub policies: BTreeMap<String, u32>,
}

/// What a run did and used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SummaryMetrics {
    /// Queries that were searched for; one that is looked up in the web and in documents counts twice.
    pub queries: u64,
    /// Queries that an earlier one answered.
    pub queries_cached: u64,
    /// Sources that were found.
    pub sources: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Rounds that were begun.
    pub rounds: u32,
    /// Findings with verified evidence.
    pub findings: u64,
    /// Tokens in and out.
    pub tokens: u64,
    /// Those of them that went in. Runs of before do not tell them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Those that came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Of those that went in, what providers had kept; absent: nothing, or the run is of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
    /// Of those that came out, thoughts that are not shown; absent: none, or the run is of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// US dollars, as far as they are known.
    pub cost: f64,
    /// Whether every call's cost is known.
    pub cost_known: bool,
    /// Paid calls whose use is unknown, because their instance died or could not store what came of them.
    pub unsettled_calls: u64,
    /// Milliseconds from the start to now, or the end.
    pub latency: u64,
}

/// `round_started`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundStarted {
    /// The nodes that are unresolved, in the order in which they are taken up.
    pub frontier: Vec<String>,
}

/// `round_completed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundCompleted {
    /// Nodes of the whole tree that are resolved.
    pub resolved: u64,
    /// Nodes of the whole tree that are not.
    pub unresolved: u64,
    /// Verified findings that this round brought.
    pub new_findings: u64,
}

/// `pass_sufficiency_evaluated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassSufficiencyEvaluated {
    /// Whether the task is answered.
    pub sufficient: bool,
    /// What is open and matters.
    pub critical_gaps: Vec<String>,
    /// Whether following them up could materially change the conclusion.
    pub could_change_conclusion: bool,
    /// In a sentence or two.
    pub rationale: String,
    /// Why no further round follows; none: one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
}

/// `report_generated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportGenerated {
    /// Sections; always the eight.
    pub sections: u32,
    /// Characters of its Markdown.
    pub characters: u64,
    /// Sources that it cites.
    pub citations: u64,
    /// How far it can be relied on.
    pub confidence: Confidence,
}

/// `report_delta`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportDelta {
    /// Of which section, 1 to 8.
    pub section: u32,
    /// The piece. All pieces joined, from the last on that begins anew, are the report in Markdown.
    pub text: String,
    /// Whether the report begins anew with this piece: none before it counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anew: bool,
}

/// `run_completed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunCompleted {
    /// `completed`.
    pub status: RunStatus,
    /// Whether research was cut short.
    pub partial: bool,
    /// Why it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<CutShort>,
    /// How far the report can be relied on.
    pub confidence: Confidence,
    /// What the run did and used.
    pub summary_metrics: SummaryMetrics,
}

/// `run_failed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunFailed {
    /// `failed`.
    pub status: RunStatus,
    /// Why, in a sentence.
    pub message: String,
    /// What the run did and used.
    pub summary_metrics: SummaryMetrics,
}

/// `run_aborted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunAborted {
    /// `aborted`.
    pub status: RunStatus,
    /// What the run did and used.
    pub summary_metrics: SummaryMetrics,
}
