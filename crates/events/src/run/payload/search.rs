//! Queries, and the sources that they bring.

use crate::run::{By, QueryRule};
use quarry_types::RunId;
use serde::{Deserialize, Serialize};

/// `queries_generated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueriesGenerated {
    /// By a model, or by rules where it gave none that can be used.
    pub by: By,
    /// What will be searched for.
    pub queries: Vec<String>,
}

/// `query_executed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueryExecuted {
    /// What was searched for.
    pub query: String,
    /// Why it was.
    pub rule: QueryRule,
    /// From 1; later attempts are broader.
    pub attempt: u32,
    /// Results asked for.
    pub wanted: u32,
    /// Results that came.
    pub results: u64,
    /// Passages that nobody had seen.
    pub new_passages: u64,
    /// Why nothing came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where it was searched for. Absent: in the web.
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    pub searched_in: SearchedIn,
}

/// Where a query was searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SearchedIn {
    /// In the web.
    #[default]
    Web,
    /// In documents of one's own.
    Knowledge,
}

impl SearchedIn {
    /// Whether it is the web.
    #[must_use]
    pub fn is_web(&self) -> bool {
        *self == SearchedIn::Web
    }

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SearchedIn::Web => "web",
            SearchedIn::Knowledge => "knowledge",
        }
    }
}

/// `query_skipped_cached`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuerySkippedCached {
    /// What would have been searched for.
    pub query: String,
    /// The earlier query of the same intent.
    pub same_as: String,
    /// Why it was skipped.
    pub rule: QueryRule,
    /// Seconds since the earlier one.
    pub age: u64,
    /// The run of the same caller's that searched for it; none: this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub from_run_id: Option<RunId>,
    /// Where it would have been searched for. Absent: in the web.
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    pub searched_in: SearchedIn,
}

/// A source as a run lists it. Source: the reference's *Citation*.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunCitation"))]
pub struct Citation {
    /// Names it in the whole run.
    pub citation_id: String,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// What kind of page it is, as far as its page says: `article`, `dataset`, ….
    pub source_type: String,
    /// When it was read; ISO 8601, UTC.
    pub retrieved_at: crate::At,
    /// When it was published, as far as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// 1 official or primary, 2 reputable secondary, 3 other.
    pub quality_tier: u8,
    /// Why it has that tier, in a few words.
    pub tier_reason: String,
    /// How well it fits the question that found it, 0 to 1.
    pub relevance_score: f64,
    /// Who speaks there: sites of one owner, and copies of one text, are one voice.
    pub voice: String,
    /// The source that it is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
}

/// `sources_ranked`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcesRanked {
    /// Those that are read for findings, best first.
    pub sources: Vec<Citation>,
    /// Those that are not.
    pub dropped: Vec<DroppedSource>,
}

/// A source that is not read for findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DroppedSource {
    /// Which.
    pub citation_id: String,
    /// Why, in a sentence.
    pub reason: String,
}
