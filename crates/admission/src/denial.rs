//! Why a caller is not let in.
//!
//! Border: messages say what to do and never repeat a secret. Which status and which words of a
//! protocol it gets is a door's.

/// What a caller is asked to prove itself by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The operator's access secret: missing or wrong.
    AccessSecret,
    /// An ID token that was good once.
    ExpiredToken,
    /// An ID token: the one that was sent is not valid, or says too little.
    Token,
    /// An account that is listed.
    Account,
    /// The operator's secret for taking up runs: missing, wrong or not set.
    DriveSecret,
}

impl Proof {
    /// Every proof.
    pub const ALL: [Proof; 5] = [
        Proof::AccessSecret,
        Proof::ExpiredToken,
        Proof::Token,
        Proof::Account,
        Proof::DriveSecret,
    ];

    /// The word that front ends of the original look for, where it had one.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Proof::AccessSecret => Some("INVALID_ACCESS_SECRET"),
            Proof::ExpiredToken => Some("TOKEN_EXPIRED"),
            Proof::Token | Proof::Account | Proof::DriveSecret => None,
        }
    }
}

/// What a caller could not prove, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// What is wanted.
    pub proof: Proof,
    /// In words.
    pub message: String,
}

impl Unproven {
    /// A proof that is missing or not good.
    #[must_use]
    pub fn new(proof: Proof, message: impl Into<String>) -> Self {
        Unproven { proof, message: message.into() }
    }
}

impl std::fmt::Display for Unproven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// A caller that is not let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// The caller did not say who it is, or could not prove it.
    #[error("{0}")]
    Unauthorized(Unproven),
    /// The caller may not.
    #[error("{0}")]
    Forbidden(Unproven),
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
