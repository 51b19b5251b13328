//! What an answer says where there is none.

/// What is answered where nothing was found.
pub const NO_RESULTS: &str = "I found nothing about this in the documents. Try other words, or load a document that answers it.";
