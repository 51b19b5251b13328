//! Asking: what becomes of the chunks that were found, before and after a model has answered.
//!
//! Border: chunks and a model's text in; prompts and JSON out. Names of fields, thresholds and formats are those of
//! the service that this one stands in for, so that its clients need not change.

mod answer;
mod citations;
mod confidence;
mod context;
mod enrich;
mod related;
mod retry;
mod similarity;

pub use answer::{Answer, AnswerMetadata, NO_RESULTS, PipelineError, build_no_results_response};
pub use citations::{Citation, deduplicate_citations, extract_citations, match_citation_to_chunk};
pub use confidence::{Confidence, Level, calculate_confidence};
pub use context::{
    ChunkMetadata, CitationMetadata, MAX_CONTEXT, RetrievedChunk, filter_by_threshold,
    format_context, get_metadata_for_citation,
};
pub use enrich::{
    CitationResult, EnrichedCitation, Stats, addresses, enrich_citations,
    format_citations_markdown, process_citations,
};
pub use related::{Categories, RelatedDoc, Source, build_related_docs, build_sources};
pub use retry::{LlmFailed, MAX_RETRIES, calculate_backoff, wait_after};
pub use similarity::{SIMILARITY_THRESHOLD, similarity};
