//! A node: taken up, searched for, read, judged, parted.

use crate::run::{By, ResolutionReason};
use serde::{Deserialize, Serialize};

/// `node_started`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeStarted {
    /// What it asks.
    pub question: String,
    /// The node that it is a part of; none for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// Steps below the root.
    pub depth: u32,
    /// How often it was taken up, this time included.
    pub attempt: u32,
}

/// `node_resolved`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeResolved {
    /// Whether its own evidence or its children answer it.
    pub resolution_reason: ResolutionReason,
    /// The mean of its scores.
    pub score: f64,
    /// Findings that it rests on.
    pub findings: u64,
}

/// `node_unresolved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeUnresolved {
    /// Why.
    pub resolution_reason: ResolutionReason,
    /// In a sentence.
    pub message: String,
}

/// What a finding rests on: words of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvidenceSnippet {
    /// Of which source.
    pub citation_id: String,
    /// Cut from it.
    pub quote: String,
    /// The short name of the passage that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
}

/// What a node's sources say. Source: the reference's *Finding*.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunFinding"))]
pub struct Finding {
    /// Names it in the whole run.
    pub finding_id: String,
    /// What it says.
    pub claim: String,
    /// What it rests on.
    pub evidence_snippets: Vec<EvidenceSnippet>,
    /// The sources of its snippets.
    pub citation_ids: Vec<String>,
    /// 0 to 1, computed.
    pub confidence: f64,
    /// What speaks against it or is not known.
    pub uncertainties: Vec<String>,
    /// Whether its snippets stand in their sources and say it.
    pub verified: bool,
}

/// `synthesis_completed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SynthesisCompleted {
    /// By a model or by rules.
    pub by: By,
    /// The findings that are new, and those of before that rest on more sources now: the same by their `finding_id`.
    pub findings: Vec<Finding>,
    /// Snippets that stand nowhere in their sources, and were left out.
    pub rejected_snippets: u64,
}

/// Scores of how well a question is answered, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SufficiencyScores {
    /// How much of it.
    pub coverage: f64,
    /// By how good sources.
    pub quality: f64,
    /// Whether contradictions are named.
    pub contradiction_handling: f64,
    /// Whether it is recent enough; none where that does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recency: Option<f64>,
}

/// Whether a question is answered. Source: the reference's *sufficiency* (score, rationale, gaps).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sufficiency {
    /// The mean of the scores.
    pub score: f64,
    /// The scores, capped by rules.
    pub scores: SufficiencyScores,
    /// Whether it is answered well enough.
    pub sufficient: bool,
    /// In a sentence or two.
    pub rationale: String,
    /// What is missing.
    pub gaps: Vec<String>,
    /// The rules that lowered a score, a sentence each.
    pub caps: Vec<String>,
    /// By a model or by rules.
    pub by: By,
}

/// `node_sufficiency_evaluated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeSufficiencyEvaluated {
    /// What was found.
    pub sufficiency: Sufficiency,
    /// Whether it was judged from its children's outcomes.
    pub from_children: bool,
}

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Child {
    /// Its node.
    pub node_id: String,
    /// What it asks.
    pub question: String,
}

/// A part that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedChild {
    /// What it asks.
    pub question: String,
    /// Why, in a sentence.
    pub reason: String,
}

/// `node_decomposed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeDecomposed {
    /// By a model or by rules.
    pub by: By,
    /// The parts, in the order in which they are taken up; none: all were dropped.
    pub children: Vec<Child>,
    /// Those that were left out.
    pub dropped: Vec<DroppedChild>,
}
