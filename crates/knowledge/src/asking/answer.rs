//! What an answer says where there is none.

/// What is answered where nothing was found.
pub const NO_RESULTS: &str = "I found nothing about this in the documents. Try other words, or load a document that answers it.";

/// Whatever went wrong on the way to an answer, in the form that clients know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Pipeline error: {0}")]
pub struct PipelineError(pub String);
