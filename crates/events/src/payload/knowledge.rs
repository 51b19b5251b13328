//! An answer from documents of one's own, in the shape that clients of such services know.

use crate::At;
use quarry_evidence::Conflict;
use quarry_evidence::cite::VerifiedCitation;
use quarry_evidence::verify::Verdict;
use serde::{Deserialize, Serialize};

/// `knowledge_answer`: the answer to a question to the documents, with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeAnswer {
    /// The id of the question, under which its events can be read again.
    pub id: String,
    /// The answer as it was written: documents are cited as `[Title]` or `[Title > Section]`.
    pub answer: String,
    /// The same after the check of its citations, as Markdown: each is a numbered link that opens its passage.
    pub content: String,
    /// The addresses outside of what it cites, each once.
    pub sources: Vec<KnowledgeSource>,
    /// The documents of all chunks that were found, cited or not, each once.
    pub related_docs: Vec<RelatedDocument>,
    /// The citations of `answer` that mean a chunk, each title once.
    pub citations: Vec<KnowledgeCitation>,
    /// Every place of `content` that names a passage, in order, as `final_answer` has them.
    pub verified_citations: Vec<VerifiedCitation>,
    /// Sentences that state something and rest on nothing that was found.
    #[serde(default)]
    pub uncited: usize,
    /// Names and addresses that the model cited and nothing has: they were taken out of `content`. The first 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// How many there were. Absent: none.
    #[serde(default, skip_serializing_if = "super::answer::is_zero")]
    pub unknown_count: usize,
    /// Markers that nobody checked, as in `final_answer`. Absent: none.
    #[serde(default, skip_serializing_if = "super::answer::is_zero")]
    pub unchecked: usize,
    /// Citations that do not hold beside one that does, as in `final_answer`. Absent: none.
    #[serde(default, skip_serializing_if = "super::answer::is_zero")]
    pub failed: usize,
    /// Where documents contradict each other in what it cites, as `final_answer` has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// How far it can be relied on.
    pub confidence: KnowledgeConfidence,
    /// What was not as it is set up to be, as where a provider of embeddings failed: sentences for people. Left out
    /// where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it took.
    pub metadata: KnowledgeFigures,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// An address outside that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeSource {
    /// The document's title.
    pub title: String,
    /// Who published it; empty where nobody is named.
    pub org: String,
    /// Where.
    pub url: String,
    /// The section that was cited.
    pub section: Option<String>,
}

/// A document of which something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RelatedDocument {
    /// Its title.
    pub title: String,
    /// Its category, by the operator's map; empty where it has none.
    pub category: String,
    /// The document.
    pub doc_id: String,
    /// Where it is published.
    pub url: Option<String>,
}

/// A citation of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeCitation {
    /// With its brackets.
    pub raw: String,
    /// Before the `>`.
    pub title: String,
    /// Behind it.
    pub section: Option<String>,
    /// Where it stands in `answer`, in code points.
    pub position: usize,
    /// Whether a chunk has this title, or one like it. It does not say that the chunk says the sentence.
    pub matched: bool,
    /// Where the document is published; what can be opened.
    pub source_urls: Vec<String>,
    /// The document.
    pub doc_id: Option<String>,
    /// How well the chunk fits the question, 0 to 1.
    pub score: Option<f64>,
    /// The document's title.
    pub full_title: Option<String>,
    /// The page of a PDF file on which the chunk begins, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The number that the document has in `content`; none: it is not cited there.
    pub n: Option<usize>,
    /// The path that opens the passage; none: nothing of the document stands for the sentence.
    pub url: Option<String>,
    /// What the passage says, cut from it.
    pub quote: Option<String>,
    /// Whether the document says what it is cited for: the worst verdict on the sentences that `answer` cites it for,
    /// of which `url` and `quote` are. None: no sentence was checked against it.
    pub verdict: Option<Verdict>,
}

/// How far an answer can be relied on, by what was found for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnowledgeLevel {
    /// Three chunks or more, with ½ on average.
    High,
    /// Two or more, with 0.3.
    Medium,
    /// Whatever else.
    Low,
}

/// How far an answer can be relied on, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeConfidence {
    /// By what was found.
    pub level: KnowledgeLevel,
    /// For people.
    pub reason: String,
    /// The share of the cited sentences that their passages say, 0 to 1; none: nothing is cited.
    pub verified: Option<f64>,
}

/// What an answer took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeFigures {
    /// What was asked.
    pub query: String,
    /// Chunks at or above the threshold.
    pub chunks_retrieved: usize,
    /// Citations that mean a chunk.
    pub chunks_used: usize,
    /// Milliseconds from the question to the answer.
    pub latency_ms: u64,
    /// The model that wrote it, `provider:name`; none where nothing was found.
    pub model: Option<String>,
    /// How long the stages took. In the answer as one JSON object alone: in a stream their `stage` events say when each
    /// began and ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<KnowledgeTimes>,
}

/// How long the stages of an answer took, in milliseconds, by the times of their `stage` events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeTimes {
    /// The documents are searched: `retrieve`.
    pub retrieval_ms: u64,
    /// The model writes, with its retries and their waits: `generate`. 0 where nothing was found.
    pub generation_ms: u64,
    /// Citations are matched, checked and told: `citations`.
    pub citation_ms: u64,
    /// From the question to the answer, as `latencyMs`. More than the sum of the others where something was between
    /// them, such as the making of the context.
    pub total_ms: u64,
}

/// What the words of each of its errors begin with.
const OF_PIPELINE: &str = "Pipeline error: ";

/// Whatever went wrong on the way to an answer from documents, in the form that clients know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{prefix}{0}", prefix = OF_PIPELINE)]
pub struct PipelineError(String);

impl PipelineError {
    /// Of these words, which may have that form already.
    #[must_use]
    pub fn new(words: &str) -> Self {
        PipelineError(words.strip_prefix(OF_PIPELINE).unwrap_or(words).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::PipelineError;

    #[test]
    fn words_have_the_form_of_the_pipelines_errors_once() {
        let once = PipelineError::new("the store is away").to_string();
        assert_eq!(once, "Pipeline error: the store is away");
        assert_eq!(PipelineError::new(&once).to_string(), once);
    }
}
