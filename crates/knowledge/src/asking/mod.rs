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

pub use answer::NO_RESULTS;
pub use citations::{Citation, deduplicate_citations, extract_citations, match_citation_to_chunk};
pub use confidence::{Confidence, Level, calculate_confidence};
pub use context::{ChunkMetadata, MAX_CONTEXT, RetrievedChunk, format_context, in_label};
pub use enrich::{
    CitationResult, EnrichedCitation, Stats, addresses, enrich_citations,
    format_citations_markdown, process_citations,
};
pub use quarry_evidence::cite::{SIMILARITY_THRESHOLD, similarity};
pub use related::{Categories, RelatedDoc, Source, build_related_docs, build_sources};
pub use retry::{LlmFailed, MAX_RETRIES};
