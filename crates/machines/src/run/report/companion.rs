//! The report for machines: what it claims and what that rests on, what is open, how far it can be relied on.
//!
//! Border: what leaves as JSON. Its schema is checked in as `schemas/run_report.json`.

use super::words::Language;
use quarry_events::At;
use quarry_events::run::{
    ConflictFound, CutShort, NodeState, ResolutionReason, RunStatus, Sufficiency, SummaryMetrics,
};
use quarry_evidence::Confidence;
use quarry_evidence::verify::{Verdict, Veto};
use quarry_types::{ReportStyle, RunId};
use serde::{Deserialize, Serialize};

/// A report for machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunReport"))]
pub struct Companion {
    /// Of which run.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub run_id: RunId,
    /// What was to be found out.
    pub task: String,
    /// Where the run stood.
    pub status: RunStatus,
    /// Whether something is missing: the run has not ended, or research was cut short.
    pub partial: bool,
    /// Why research was cut short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<CutShort>,
    /// When it was written; ISO 8601, UTC.
    pub written_at: At,
    /// In which language.
    pub language: Language,
    /// In which style.
    pub report_style: ReportStyle,
    /// False when `local:extractive` did it all.
    pub language_model: bool,
    /// Whether a model wrote section 1; else rules chose quotations.
    pub answer_by_model: bool,
    /// The sections, in order; always the eight.
    pub sections: Vec<ReportSection>,
    /// What it claims: the sentences of section 1, the findings of section 3, what section 5 is unsure of where sources
    /// say it, and what section 6 says of all these that is not verified.
    pub claims: Vec<Claim>,
    /// Its sources: those that have a number first, then what was consulted too.
    pub sources: Vec<ReportSource>,
    /// Questions that are open.
    pub unresolved: Vec<Unresolved>,
    /// Every question, with how well it is answered.
    pub nodes: Vec<NodeSufficiency>,
    /// Who contradicts whom.
    pub conflicts: Vec<ConflictFound>,
    /// How far it can be relied on.
    pub confidence: ReportConfidence,
    /// What people said on the way.
    pub guidance: Vec<String>,
    /// What may be asked next.
    pub follow_up: Vec<String>,
    /// What the run did and used.
    pub summary_metrics: SummaryMetrics,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportSection {
    /// 1 to 8.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// What it says, in Markdown, without its title: places of citations count its code points. Absent in runs that
    /// were asked for before it was written down here; their Markdown has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

/// Something that the report says of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReportClaim"))]
pub struct Claim {
    /// Names it in the report.
    pub claim_id: String,
    /// Where it stands: 1, 3, 5 or 6.
    pub section: u32,
    /// What it says.
    pub text: String,
    /// Whether its sources say it; in section 6 it is false.
    pub verified: bool,
    /// The finding that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding_id: Option<String>,
    /// The question that it was found for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// Whether the answer rests on it.
    pub critical: bool,
    /// Whether a source of tier 1, or two independent ones of tier 2, say it.
    pub well_backed: bool,
    /// Of a finding: 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Of a finding: what speaks against it or is not known.
    pub uncertainties: Vec<String>,
    /// What it rests on.
    pub citations: Vec<ClaimCitation>,
}

/// What a claim rests on: words of a passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReportCitation"))]
pub struct ClaimCitation {
    /// The number of the source; none where the report does not cite it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// What the run calls the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_id: Option<String>,
    /// The address of the place.
    pub url: String,
    /// The title of the source.
    pub title: String,
    /// The short name of the passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage_id: Option<String>,
    /// The anchor of the passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
    /// What it says there, cut from it.
    pub quote: String,
    /// Whether the passage says the claim; none where nothing of it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The weighted share of the claim that the passage has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// What speaks against it.
    pub vetoes: Vec<Veto>,
    /// Whether the model cited another passage, which does not say it.
    pub moved: bool,
    /// Whether the model cited nothing.
    pub added: bool,
    /// Where the marker begins, in code points of the section's Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// Where it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportSource {
    /// Its number; none where nothing cites it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// What the run calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_id: Option<String>,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// 1 official or primary, 2 reputable secondary, 3 other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_tier: Option<u8>,
    /// Why it has that tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier_reason: Option<String>,
    /// When it was published, as far as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// When it was read; ISO 8601, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<At>,
    /// Who speaks there.
    pub voice: String,
    /// The source that it is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
}

/// A question that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "UnresolvedQuestion")
)]
pub struct Unresolved {
    /// Its node.
    pub node_id: String,
    /// What it asks.
    pub question: String,
    /// Where it stands.
    pub state: NodeState,
    /// Why it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ResolutionReason>,
    /// What is missing.
    pub gaps: Vec<String>,
}

/// A question, and how well it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeSufficiency {
    /// Its node.
    pub node_id: String,
    /// The node that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// Steps below the root.
    pub depth: u32,
    /// What it asks.
    pub question: String,
    /// Where it stands.
    pub state: NodeState,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_reason: Option<ResolutionReason>,
    /// How well it is answered, once that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sufficiency: Option<Sufficiency>,
}

/// How far a report can be relied on, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportConfidence {
    /// In a word and in a number.
    #[serde(flatten)]
    pub confidence: Confidence,
    /// What it is made of.
    pub parts: Vec<Part>,
    /// What was down and what stood in for it.
    pub penalties: Vec<String>,
    /// What it cannot say; two at least.
    pub limitations: Vec<String>,
}

/// A part of confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ReportConfidencePart")
)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it came to.
    pub value: f64,
    /// What that says.
    pub words: String,
}

/// The schema of [`Companion`], as it is written: what is always there is required.
#[cfg(feature = "schema")]
#[must_use]
pub fn schema() -> serde_json::Value {
    let mut written = quarry_events::schema::written();
    let root = written.subschema_for::<Companion>();
    let mut schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The report of a run",
        "components": { "schemas": written.take_definitions(true) },
    });
    if let Some((name, place)) = root.as_object().and_then(|root| root.iter().next()) {
        quarry_types::json::put(&mut schema, name, place.clone());
    }
    schema
}
