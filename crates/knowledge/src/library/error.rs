//! Why something about a library could not be done.

use super::spent::Spent;
use super::store::StoreFailed;
use crate::rank::segment::Damaged;
use quarry_schema::trouble::Defect;
use quarry_types::{ChatError, CollectionNameError, ModelId, text};
use std::borrow::Cow;

/// What went wrong, in a sentence that names the field or file and what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LibraryError {
    /// A field has an unusable value.
    #[error("`{field}` {message}")]
    Field {
        /// Its name.
        field: Cow<'static, str>,
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
    /// A document of the same id comes from elsewhere. Nothing was changed.
    #[error(
        "{document} is there already and comes from {kept}, this one from {comes}; load it into another collection, or say \
         that it is to take the place of that one (`replace`, `--replace` of the task `ingest`)"
    )]
    Elsewhere {
        /// What people know it by.
        document: String,
        /// Where the one that is there comes from.
        kept: String,
        /// Where the other does.
        comes: String,
    },
    /// Another file has the same id. Nothing was changed.
    #[error(
        "{document} has the same `id` as {other}, which is there already and whose place it would take; give each an id of \
         its own, or, where it is that file under another name, say that it is to take its place (`replace`, `--replace` of \
         the task `ingest`)"
    )]
    Twin {
        /// The name of the file that comes.
        document: String,
        /// That of the file which is there.
        other: String,
    },
    /// A document of the same id is there that says something else, and somebody is to be asked first. Nothing was changed.
    #[error(
        "{0} is there already and says something else; load this one under another name or into another collection, or say \
         that it is to take the place of that one (`replace`)"
    )]
    Taken(String),
    /// Nothing there, or somebody else's.
    #[error("{0}")]
    NotFound(String),
    /// Others write to the same collection. Nothing was changed.
    #[error("others are writing to the collection; try again")]
    Busy,
    /// As many load documents as may at once. Nothing was changed.
    #[error(
        "this server loads documents for {} at most at once, and does; try again soon",
        text::count(u64::from(*.0), "request", "requests")
    )]
    Crowded(u32),
    /// Somebody else makes the index of this collection anew, by the model of embeddings that is set or without one.
    /// Nothing was changed.
    #[error("the index of collection `{0}` is being made anew; try again when that is done")]
    BeingRenewed(String),
    /// The documents of this collection went faster than its index was made anew. Nothing was changed.
    #[error(
        "documents of collection `{0}` are replaced or deleted faster than its index is made anew; searches have the \
         one before: let nobody change it meanwhile, and try again"
    )]
    Outrun(String),
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
    /// The provider of the model that embeds does not serve it. Nothing was changed, and what was paid for is kept.
    #[error("{why}")]
    Unserved {
        /// What failed, and what to do.
        why: String,
        /// Why it does not.
        by: Unserved,
    },
    /// A provider's model gives vectors that cannot stand beside those of the collection. Nothing was changed.
    #[error("{0}")]
    OtherDimension(String),
    /// The database does not answer, or refused. A retry may help.
    #[error("the database failed: {0}; try again")]
    Unavailable(String),
    /// The database has no room left. A retry helps when it has some again.
    #[error(
        "the database has no room left ({0}); nothing was changed: make room, then send it again"
    )]
    Full(String),
    /// Somebody has to mend the database first. A retry helps then.
    #[error("{0}, then send it again")]
    Defective(Defect),
    /// Others have held the database for longer than is waited for it. A retry may help.
    #[error("others have held the database for too long ({0}); nothing was changed: send it again")]
    Held(String),
    /// What is there is not what was written.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// One of these befell a document that was to be loaded.
    #[error("{document}: {error}")]
    Of {
        /// What people know it by.
        document: String,
        /// What it was.
        error: Box<LibraryError>,
    },
    /// One of these, when embeddings had been paid for.
    #[error("{error} ({spent} had been paid for by then)")]
    Paid {
        /// What it was.
        error: Box<LibraryError>,
        /// What they cost.
        spent: Spent,
    },
}

/// Something that a retry may help against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// After how long, where whoever refused says so.
    pub wait_ms: Option<u64>,
}

/// Why a provider embeds nothing until somebody has seen to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unserved {
    /// It refuses the key.
    Key,
    /// There is no key.
    NoKey,
    /// Its account has no credit.
    NoCredit,
    /// It does not have the model.
    Model,
    /// It serves nobody where this server stands.
    Place,
    /// It takes less text.
    Length,
    /// It refuses the texts, or gave what is no reply.
    Texts,
}

impl Unserved {
    /// What an error of a provider says of it; none: it passes, or was none of the provider's.
    #[must_use]
    pub fn of(error: &ChatError) -> Option<Unserved> {
        match error {
            ChatError::Unauthorized { .. } => Some(Unserved::Key),
            ChatError::MissingKey { .. } => Some(Unserved::NoKey),
            ChatError::NoCredit { .. } => Some(Unserved::NoCredit),
            ChatError::UnknownModel { .. } => Some(Unserved::Model),
            ChatError::ContextTooLong { .. } => Some(Unserved::Length),
            ChatError::Rejected { .. } if error.is_of_place() => Some(Unserved::Place),
            ChatError::Rejected { .. } | ChatError::Malformed { .. } => Some(Unserved::Texts),
            ChatError::RateLimited { .. }
            | ChatError::Timeout { .. }
            | ChatError::Connection { .. }
            | ChatError::Unreached { .. }
            | ChatError::Unsent { .. }
            | ChatError::ProviderFailed { .. }
            | ChatError::Other { .. } => None,
        }
    }

    /// What to do about it, behind what went wrong; nothing where that says it.
    pub(super) fn way_out(self, model: &str) -> String {
        let key = || model.parse::<ModelId>().map(|model| model.provider.key_variable());
        match self {
            Unserved::Key => {
                key().map(|key| format!("; set `{key}` to a key that it takes")).unwrap_or_default()
            }
            Unserved::NoKey => key().map(|key| format!("; set `{key}`")).unwrap_or_default(),
            Unserved::NoCredit => {
                "; give the account credit, or set another `embedding_model`".to_owned()
            }
            Unserved::Model => "; set another `embedding_model`".to_owned(),
            Unserved::Place => "; set an `embedding_model` of another provider".to_owned(),
            Unserved::Length => "; set an `embedding_model` that takes more".to_owned(),
            Unserved::Texts => String::new(),
        }
    }
}

impl LibraryError {
    /// The same, said about a document, where its words name none.
    pub(super) fn about(self, document: &str) -> Self {
        match self {
            LibraryError::Field { .. }
            | LibraryError::Document(_)
            | LibraryError::Unsupported(_)
            | LibraryError::Elsewhere { .. }
            | LibraryError::Twin { .. }
            | LibraryError::Taken(_)
            | LibraryError::NotFound(_)
            | LibraryError::NoDatabase(_)
            | LibraryError::Of { .. }
            | LibraryError::Paid { .. } => self,
            LibraryError::TooLarge(_)
            | LibraryError::Busy
            | LibraryError::Crowded(_)
            | LibraryError::BeingRenewed(_)
            | LibraryError::Outrun(_)
            | LibraryError::NotEmbedded { .. }
            | LibraryError::Unserved { .. }
            | LibraryError::OtherDimension(_)
            | LibraryError::Unavailable(_)
            | LibraryError::Full(_)
            | LibraryError::Defective(_)
            | LibraryError::Held(_)
            | LibraryError::Damaged(_) => {
                LibraryError::Of { document: document.to_owned(), error: Box::new(self) }
            }
        }
    }

    /// What went wrong, whatever it befell.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            LibraryError::Of { error, .. } | LibraryError::Paid { error, .. } => error.cause(),
            error => error,
        }
    }

    /// Whether the database did not take it: it answers nothing else then, either.
    #[must_use]
    pub fn is_of_database(&self) -> bool {
        matches!(
            self.cause(),
            LibraryError::Unavailable(_)
                | LibraryError::Full(_)
                | LibraryError::Defective(_)
                | LibraryError::Held(_)
        )
    }

    /// What had been paid for embeddings by then; none: nothing.
    #[must_use]
    pub const fn spent(&self) -> Option<&Spent> {
        match self {
            LibraryError::Paid { spent, .. } => Some(spent),
            _ => None,
        }
    }

    /// A field with an unusable value.
    pub(crate) fn field(field: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        LibraryError::Field { field: field.into(), message: message.into() }
    }
}

impl From<CollectionNameError> for LibraryError {
    fn from(wrong: CollectionNameError) -> Self {
        LibraryError::field("collection", wrong.to_string())
    }
}

impl From<StoreFailed> for LibraryError {
    fn from(failed: StoreFailed) -> Self {
        match failed {
            StoreFailed::None(why) => LibraryError::NoDatabase(format!(
                "documents need a SQLite database that is kept: {why}"
            )),
            StoreFailed::Full(why) => LibraryError::Full(why),
            StoreFailed::Defective(defect) => LibraryError::Defective(defect),
            StoreFailed::Held(why) => LibraryError::Held(why),
            StoreFailed::Failed(why) => LibraryError::Unavailable(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_database_did_not_take_is_known_whatever_it_befell() {
        let held = || LibraryError::Held("locked".to_owned()).about("fees.md");
        let spent = Spent::nothing("openai:small");
        let paid = LibraryError::Paid { error: Box::new(held()), spent };
        assert!(held().is_of_database() && paid.is_of_database());
        assert!(LibraryError::Full("disk".to_owned()).is_of_database());
        assert!(!LibraryError::Busy.about("fees.md").is_of_database(), "others are faster");
        assert!(!LibraryError::Document("empty".to_owned()).is_of_database());
    }
}
