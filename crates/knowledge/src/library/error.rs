//! Why something about a library could not be done.

use super::store::StoreFailed;
use crate::rank::segment::Damaged;

/// What went wrong, in a sentence that names the field or file and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// A field has an unusable value.
    #[error("`{field}` {message}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What it wants.
        message: String,
    },
    /// A file that gives no document.
    #[error("{0}")]
    Document(String),
    /// More than a document or a collection may have.
    #[error("{0}")]
    TooLarge(String),
    /// A format that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// Nothing there, or somebody else's.
    #[error("{0}")]
    NotFound(String),
    /// Others write to the same collection. Nothing was changed.
    #[error("others are writing to the collection; try again")]
    Busy,
    /// Somebody else has a collection of this name embedded anew. Nothing was changed.
    #[error(
        "collection `{0}` is being embedded by the `embedding_model` that is set; try again when that is done"
    )]
    BeingEmbedded(String),
    /// There is no database that documents can be kept in.
    #[error("{0}")]
    NoDatabase(String),
    /// A provider's model gave no vectors that can be used. Nothing was changed, and what was paid for is kept.
    #[error("{why}")]
    NotEmbedded {
        /// What failed, and what to do.
        why: String,
        /// Whether a retry may help.
        passes: Option<Passes>,
    },
    /// The database does not answer, or refused. A retry may help.
    #[error("the database failed: {0}; try again")]
    Unavailable(String),
    /// What is there is not what was written.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

/// Something that a retry may help against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// After how long, where whoever refused says so.
    pub wait_ms: Option<u64>,
}

impl LibraryError {
    /// The same, said about a document, where it is about its vectors.
    pub(super) fn about(self, document: &str) -> Self {
        match self {
            LibraryError::NotEmbedded { why, passes } => {
                LibraryError::NotEmbedded { why: format!("{document}: {why}"), passes }
            }
            LibraryError::TooLarge(why) => LibraryError::TooLarge(format!("{document}: {why}")),
            error => error,
        }
    }

    /// A field with an unusable value.
    pub(crate) fn field(field: &'static str, message: impl Into<String>) -> Self {
        LibraryError::Field { field, message: message.into() }
    }
}

impl From<StoreFailed> for LibraryError {
    fn from(failed: StoreFailed) -> Self {
        match failed {
            StoreFailed::None(why) => LibraryError::NoDatabase(format!(
                "documents need a SQLite database that is kept: {why}"
            )),
            StoreFailed::Failed(why) => LibraryError::Unavailable(why),
        }
    }
}
