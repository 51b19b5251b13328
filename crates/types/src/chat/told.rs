//! Errors as they are read: all fields of all kinds side by side.
//!
//! Reading them kind by kind would first make a tree of whatever holds them, and a reader a kind: ten times
//! the code of this.

use super::ChatError;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    RateLimited,
    NoCredit,
    Unauthorized,
    MissingKey,
    UnknownModel,
    ContextTooLong,
    Rejected,
    Timeout,
    Connection,
    Unreached,
    Unsent,
    ProviderFailed,
    Malformed,
    Other,
}

/// An error with the fields of every kind.
#[derive(Deserialize)]
pub(super) struct Told {
    #[serde(rename = "type")]
    kind: Kind,
    message: String,
    wait_seconds: Option<f64>,
    status: Option<u16>,
}

/// A field that its kind wants is not there.
#[derive(Debug, thiserror::Error)]
#[error("missing field `{0}`")]
pub(super) struct Missing(&'static str);

impl TryFrom<Told> for ChatError {
    type Error = Missing;

    fn try_from(told: Told) -> Result<Self, Missing> {
        let Told { kind, message, wait_seconds, status } = told;
        let status = status.ok_or(Missing("status"));
        Ok(match kind {
            Kind::RateLimited => ChatError::RateLimited {
                wait_seconds: wait_seconds.ok_or(Missing("wait_seconds"))?,
                message,
            },
            Kind::NoCredit => ChatError::NoCredit { message },
            Kind::Unauthorized => ChatError::Unauthorized { message },
            Kind::MissingKey => ChatError::MissingKey { message },
            Kind::UnknownModel => ChatError::UnknownModel { message },
            Kind::ContextTooLong => ChatError::ContextTooLong { message },
            Kind::Rejected => ChatError::Rejected { status: status?, message },
            Kind::Timeout => ChatError::Timeout { message },
            Kind::Connection => ChatError::Connection { message },
            Kind::Unreached => ChatError::Unreached { message },
            Kind::Unsent => ChatError::Unsent { message },
            Kind::ProviderFailed => ChatError::ProviderFailed { status: status?, message },
            Kind::Malformed => ChatError::Malformed { message },
            Kind::Other => ChatError::Other { message },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_read_as_it_was_written() {
        let message = || "its words".to_owned();
        for error in [
            ChatError::RateLimited { wait_seconds: 1.5, message: message() },
            ChatError::NoCredit { message: message() },
            ChatError::Unauthorized { message: message() },
            ChatError::MissingKey { message: message() },
            ChatError::UnknownModel { message: message() },
            ChatError::ContextTooLong { message: message() },
            ChatError::Rejected { status: 400, message: message() },
            ChatError::Timeout { message: message() },
            ChatError::Connection { message: message() },
            ChatError::Unreached { message: message() },
            ChatError::Unsent { message: message() },
            ChatError::ProviderFailed { status: 503, message: message() },
            ChatError::Malformed { message: message() },
            ChatError::Other { message: message() },
        ] {
            let written = serde_json::to_string(&error).unwrap();
            assert_eq!(serde_json::from_str::<ChatError>(&written).unwrap(), error, "{written}");
        }
    }

    #[test]
    fn what_a_kind_wants_is_missed_by_its_name() {
        for (kind, field) in [("rejected", "status"), ("rate_limited", "wait_seconds")] {
            let text = format!(r#"{{"type":"{kind}","message":"m"}}"#);
            let error = serde_json::from_str::<ChatError>(&text).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
