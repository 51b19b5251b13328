//! The answer to a question, as clients get it.

use super::confidence::{Confidence, Level};
use super::enrich::EnrichedCitation;
use super::related::{RelatedDoc, Source};
use serde::Serialize;

/// What is answered where nothing was found.
pub const NO_RESULTS: &str = "I found nothing about this in the documents. Try other words, or load a document that answers it.";

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What the model wrote.
    pub answer: String,
    /// The addresses outside of what it cites.
    pub sources: Vec<Source>,
    /// The documents of all chunks that were found.
    pub related_docs: Vec<RelatedDoc>,
    /// The citations that mean a chunk.
    pub citations: Vec<EnrichedCitation>,
    /// How far it can be relied on.
    pub confidence: Confidence,
    /// What it took.
    pub metadata: AnswerMetadata,
}

/// What an answer took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerMetadata {
    /// What was asked.
    pub query: String,
    /// Chunks at or above the threshold.
    pub chunks_retrieved: usize,
    /// Citations that mean a chunk.
    pub chunks_used: usize,
    /// Milliseconds from the question to the answer.
    pub latency_ms: u64,
    /// The model that wrote it; none where nothing was found.
    pub model: Option<String>,
}

/// The answer where no chunk is at or above the threshold: no model is asked.
#[must_use]
pub fn build_no_results_response(query: &str, latency_ms: u64) -> Answer {
    Answer {
        answer: NO_RESULTS.to_owned(),
        sources: Vec::new(),
        related_docs: Vec::new(),
        citations: Vec::new(),
        confidence: Confidence {
            level: Level::Low,
            reason: "no chunk reached the threshold".to_owned(),
        },
        metadata: AnswerMetadata {
            query: query.to_owned(),
            chunks_retrieved: 0,
            chunks_used: 0,
            latency_ms,
            model: None,
        },
    }
}

/// Whatever went wrong on the way to an answer, in the form that clients know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Pipeline error: {0}")]
pub struct PipelineError(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_found_is_an_answer_of_the_same_shape() {
        assert_eq!(
            serde_json::to_value(build_no_results_response("Fees?", 12)).unwrap(),
            json!({
                "answer": NO_RESULTS, "sources": [], "relatedDocs": [], "citations": [],
                "confidence": { "level": "Low", "reason": "no chunk reached the threshold" },
                "metadata": { "query": "Fees?", "chunksRetrieved": 0, "chunksUsed": 0, "latencyMs": 12, "model": null },
            })
        );
    }

    #[test]
    fn an_error_says_that_it_is_the_pipelines() {
        assert_eq!(
            PipelineError("the store is away".to_owned()).to_string(),
            "Pipeline error: the store is away"
        );
    }
}
