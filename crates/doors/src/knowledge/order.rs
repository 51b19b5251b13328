//! What a request asks of one's documents.
//!
//! Border: what needs no document has been checked. Whose a document is, and whether it can be read, is for the
//! callee to say.

use std::sync::Arc;

use crate::Refusal;
use crate::runs::Credentials;

use super::reply::Telling;

/// What is to be done with documents, and who asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// By what the caller proves who it is. Documents are their owner's: whoever asks has to pass what an ask has
    /// to.
    pub credentials: Credentials,
    /// What is to be done.
    pub call: Call,
}

/// What is to be done with documents.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// Load these, one after the other, whatever becomes of the others.
    Load(Batch),
    /// List those of a collection.
    List(Listing),
    /// Show one.
    Show(String),
    /// Show its chunks.
    Chunks(Opening),
    /// Delete one.
    Delete(String),
    /// Search.
    Search(Box<Query>),
    /// List collections.
    Collections,
    /// Show what a collection is made of.
    Stats(String),
    /// Make the index of a collection anew.
    Reindex(String),
}

/// Documents that are loaded together.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Each as it came.
    pub sources: Vec<Source>,
    /// How their loading is told.
    pub telling: Telling,
}

/// A document as it comes.
#[derive(Clone, PartialEq)]
pub struct Source {
    /// None: `default`.
    pub collection: Option<String>,
    /// What there is of it.
    pub content: Content,
    /// In place of its own.
    pub title: Option<String>,
    /// Fields in place of its own. What a form says of all its files is there once.
    pub metadata: Arc<[(String, FieldValue)]>,
    /// Where it comes from; there once, too.
    pub origin: Option<Arc<str>>,
    /// Of which other one it takes the place.
    pub replace: Replace,
}

/// Of which document that is there with other bytes one takes the place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replace {
    /// Of none: somebody is asked first.
    Nothing,
    /// Of one that does not come from elsewhere.
    #[default]
    Own,
    /// Of whatever is there.
    Anything,
}

impl Replace {
    /// As the field `replace` says it, or nothing does.
    pub(super) fn said(field: Option<bool>) -> Replace {
        match field {
            Some(true) => Replace::Anything,
            Some(false) => Replace::Nothing,
            None => Replace::Own,
        }
    }
}

impl std::fmt::Debug for Source {
    /// Without the text, which may be long.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Source");
        shown.field("collection", &self.collection).field("title", &self.title);
        shown.field("metadata", &self.metadata).finish_non_exhaustive()
    }
}

/// What is said of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// Several.
    List(Vec<String>),
}

/// What of a document is there.
#[derive(Clone, PartialEq, Eq)]
pub enum Content {
    /// Paragraphs.
    Text(String),
    /// With front matter perhaps.
    Markdown(String),
    /// A page.
    Html(String),
    /// An address.
    Url(String),
    /// A file.
    File {
        /// With folders perhaps.
        name: String,
        /// As its sender says.
        media_type: Option<String>,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// Which documents are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// None: `default`.
    pub collection: Option<String>,
    /// Of this category alone, whatever its case; none: of all.
    pub category: Option<String>,
    /// Documents at most.
    pub limit: u32,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// Which chunks of a document are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The document.
    pub id: String,
    /// The number of the first.
    pub from: u32,
    /// Chunks at most.
    pub limit: u32,
    /// The mark of the state in which the document was cited; none: nobody says.
    pub as_of: Option<String>,
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The question.
    pub text: String,
    /// None: `default`.
    pub collection: Option<String>,
    /// Chunks at most.
    pub top_k: u32,
    /// The least score.
    pub threshold: f64,
    /// Categories that count; none: all.
    pub categories: Vec<String>,
    /// Source organisations that count; none: all.
    pub source_orgs: Vec<String>,
    /// Documents that count; none: all.
    pub documents: Vec<String>,
}

/// What a caller is told where there is nothing to load.
pub(super) fn nothing() -> Refusal {
    Refusal::field(
        "markdown",
        "is missing, and so are text, html and url; send one of them, or files as multipart/form-data",
    )
}
