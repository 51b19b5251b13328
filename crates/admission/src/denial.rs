//! Why a caller is not let in.
//!
//! Border: messages say what to do and never repeat a secret. Which status and which words of a
//! protocol it gets is a door's.

/// A caller that is not let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// The caller did not say who it is, or could not prove it.
    #[error("{0}")]
    Unauthorized(String),
    /// The caller may not.
    #[error("{0}")]
    Forbidden(String),
    /// The caller has asked too often.
    #[error("too many requests; try again in {retry_after} s")]
    RateLimited {
        /// Seconds.
        retry_after: u64,
    },
    /// The operator's settings cannot be used: nobody is let in by guessing what they meant.
    #[error("{0}")]
    Misconfigured(String),
}
