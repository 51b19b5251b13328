//! Why a page, a search or a program brought nothing, and the words in which models read it.

use crate::{FailureKind, ToolFailure};

/// Why a page was not read; `quarry:web/pages` has the same cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageFailure {
    /// A rule forbids it.
    Refused(String),
    /// Not an address that pages have.
    InvalidUrl(String),
    /// The server's answer was this error status.
    Status(u16),
    /// More redirects than are followed, or a loop.
    TooManyRedirects,
    /// A media type that is not read.
    UnsupportedType(String),
    /// The time was over.
    Timeout,
    /// No connection, or what counts as none.
    Unreachable(String),
    /// No text could be had from the response.
    Unreadable(String),
    /// A setting cannot be used, or the reader cannot be called.
    Unavailable(String),
}

/// Why a search found nothing out; `quarry:web/search` has the same cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchFailure {
    /// No provider answered; one sentence for each.
    AllFailed(Vec<String>),
    /// No provider is configured; says what to set.
    NotConfigured(String),
    /// The query is empty or too long.
    InvalidQuery(String),
    /// The time was over.
    Timeout,
    /// A setting cannot be used, or the searcher cannot be called.
    Unavailable(String),
}

/// Why documents of one's own could not be searched; `quarry:knowledge/search` has cases for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnowledgeFailure {
    /// The question, the collection's name or a filter cannot be used.
    Invalid(String),
    /// There is no such collection.
    NotFound(String),
    /// A store or component failed, or is not there; later it may be.
    Unavailable(String),
    /// Others hold the database, or keep changing the collection.
    Busy {
        /// In words.
        reason: String,
        /// When a retry may help.
        retry_after_ms: u64,
    },
    /// Anything else.
    Other(String),
}

/// Why a program did not run; `quarry:sandbox/javascript` has the same cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunFailure {
    /// The sandbox crashed, or cannot be called.
    Unavailable(String),
    /// Anything else.
    Other(String),
}

impl From<PageFailure> for ToolFailure {
    fn from(failure: PageFailure) -> Self {
        use FailureKind as Kind;
        let (kind, message) = match failure {
            PageFailure::Refused(reason) => {
                (Kind::Refused, format!("the address is refused: {reason}"))
            }
            PageFailure::InvalidUrl(reason) => {
                (Kind::RefusedArguments, format!("not a usable address: {reason}"))
            }
            PageFailure::Status(status) => {
                let kind = if matches!(status, 404 | 410) { Kind::NotFound } else { Kind::Failed };
                (kind, format!("the server answered with status {status}"))
            }
            PageFailure::TooManyRedirects => (Kind::Failed, "too many redirects".to_owned()),
            PageFailure::UnsupportedType(kind) => {
                (Kind::Failed, format!("pages of type {kind} are not read"))
            }
            PageFailure::Timeout => (Kind::Timeout, "the page did not come in time".to_owned()),
            PageFailure::Unreachable(reason) => {
                (Kind::Unavailable, format!("the server is unreachable: {reason}"))
            }
            PageFailure::Unreadable(reason) => {
                (Kind::Failed, format!("no text could be read: {reason}"))
            }
            PageFailure::Unavailable(reason) => (Kind::Unavailable, reason),
        };
        ToolFailure::new(kind, message)
    }
}

impl From<SearchFailure> for ToolFailure {
    fn from(failure: SearchFailure) -> Self {
        use FailureKind as Kind;
        let (kind, message) = match failure {
            SearchFailure::AllFailed(reasons) => {
                (Kind::Unavailable, format!("no search provider answered: {}", reasons.join("; ")))
            }
            SearchFailure::NotConfigured(reason) => (Kind::NotConfigured, reason),
            SearchFailure::InvalidQuery(reason) => {
                (Kind::RefusedArguments, format!("the query is unusable: {reason}"))
            }
            SearchFailure::Timeout => (Kind::Timeout, "the search did not end in time".to_owned()),
            SearchFailure::Unavailable(reason) => (Kind::Unavailable, reason),
        };
        ToolFailure::new(kind, message)
    }
}

impl From<KnowledgeFailure> for ToolFailure {
    fn from(failure: KnowledgeFailure) -> Self {
        use FailureKind as Kind;
        let not_now = |reason: &str| format!("the documents cannot be searched now: {reason}");
        let (kind, message) = match failure {
            KnowledgeFailure::Invalid(reason) => (Kind::RefusedArguments, reason),
            KnowledgeFailure::NotFound(reason) => (Kind::NotFound, reason),
            KnowledgeFailure::Unavailable(reason) => (Kind::Unavailable, not_now(&reason)),
            KnowledgeFailure::Busy { reason, retry_after_ms } => {
                (Kind::Busy { retry_after_ms }, not_now(&reason))
            }
            KnowledgeFailure::Other(reason) => (Kind::Failed, reason),
        };
        ToolFailure::new(kind, message)
    }
}

impl From<RunFailure> for ToolFailure {
    fn from(failure: RunFailure) -> Self {
        match failure {
            RunFailure::Unavailable(reason) => ToolFailure::new(
                FailureKind::Unavailable,
                format!("the sandbox is unavailable: {reason}"),
            ),
            RunFailure::Other(message) => ToolFailure::new(FailureKind::Failed, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_gone_is_no_failure_of_its_server() {
        let kind = |status| ToolFailure::from(PageFailure::Status(status)).kind;
        assert_eq!([404, 410].map(kind), [FailureKind::NotFound; 2]);
        assert_eq!([403, 500].map(kind), [FailureKind::Failed; 2]);
    }

    #[test]
    fn documents_that_others_hold_say_when_to_come_again() {
        let held = KnowledgeFailure::Busy { reason: "it is locked".into(), retry_after_ms: 1_500 };
        let told = ToolFailure::from(held);
        assert_eq!(told.kind, FailureKind::Busy { retry_after_ms: 1_500 });
        assert_eq!(told.message, "the documents cannot be searched now: it is locked");
    }

    #[test]
    fn every_provider_that_failed_is_told() {
        let failure = SearchFailure::AllFailed(vec!["a blocked us".into(), "b is away".into()]);
        let told = ToolFailure::from(failure).message;
        assert_eq!(told, "no search provider answered: a blocked us; b is away");
    }
}
