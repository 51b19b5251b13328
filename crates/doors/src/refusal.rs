//! Why a request is refused, as a status for JSON callers and as an `error` event for streams.
//!
//! Border: messages say what to do and never repeat a secret.

use quarry_admission::Denial;
use serde_json::json;

/// A request that is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The body is no JSON object.
    #[error("the body is not a JSON object ({0}); send {{\"query\": \"…\"}}")]
    InvalidJson(String),
    /// A field has an unusable value.
    #[error("`{field}` {message}")]
    InvalidField {
        /// Its name, with dots for nesting.
        field: String,
        /// What it wants.
        message: String,
    },
    /// A continuation that cannot be taken up.
    #[error("{0}")]
    BadContinuation(String),
    /// The caller did not say who it is, or could not prove it.
    #[error("{0}")]
    Unauthorized(String),
    /// There is no provider key to use.
    #[error("{0}")]
    MissingKey(String),
    /// The caller may not.
    #[error("{0}")]
    Forbidden(String),
    /// Nothing there.
    #[error("{0}")]
    NotFound(String),
    /// The path answers other methods.
    #[error("this path answers {allow} only")]
    MethodNotAllowed {
        /// Value of `Allow`.
        allow: &'static str,
    },
    /// The body is over the limit.
    #[error("the body is over {limit} bytes; send less")]
    TooLarge {
        /// Bytes a body may have.
        limit: usize,
    },
    /// The caller has asked too often.
    #[error("too many requests; try again in {retry_after} s")]
    RateLimited {
        /// Seconds.
        retry_after: u64,
    },
    /// As much is under way as may be.
    #[error("{message}")]
    Busy {
        /// In words.
        message: String,
        /// Seconds.
        retry_after: u64,
    },
    /// Something that we need is away.
    #[error("{0}")]
    Unavailable(String),
    /// We are at fault.
    #[error("{0}")]
    Internal(String),
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::Unauthorized(message) => Refusal::Unauthorized(message),
            Denial::Forbidden(message) => Refusal::Forbidden(message),
            Denial::MissingKey(message) => Refusal::MissingKey(message),
            Denial::RateLimited { retry_after } => Refusal::RateLimited { retry_after },
            Denial::Misconfigured(message) => Refusal::Unavailable(message),
        }
    }
}

impl Refusal {
    /// A field with an unusable value.
    #[must_use]
    pub fn field(field: &str, message: &str) -> Self {
        Refusal::InvalidField { field: field.to_owned(), message: message.to_owned() }
    }

    /// The status for JSON callers.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Refusal::InvalidJson(_)
            | Refusal::InvalidField { .. }
            | Refusal::BadContinuation(_) => 400,
            Refusal::Unauthorized(_) | Refusal::MissingKey(_) => 401,
            Refusal::Forbidden(_) => 403,
            Refusal::NotFound(_) => 404,
            Refusal::MethodNotAllowed { .. } => 405,
            Refusal::TooLarge { .. } => 413,
            Refusal::RateLimited { .. } | Refusal::Busy { .. } => 429,
            Refusal::Internal(_) => 500,
            Refusal::Unavailable(_) => 503,
        }
    }

    /// The kind, for programs.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Refusal::InvalidJson(_) => "invalid_json",
            Refusal::InvalidField { .. } => "invalid_field",
            Refusal::BadContinuation(_) => "bad_continuation",
            Refusal::Unauthorized(_) => "unauthorized",
            Refusal::MissingKey(_) => "missing_key",
            Refusal::Forbidden(_) => "forbidden",
            Refusal::NotFound(_) => "not_found",
            Refusal::MethodNotAllowed { .. } => "method_not_allowed",
            Refusal::TooLarge { .. } => "too_large",
            Refusal::RateLimited { .. } => "rate_limited",
            Refusal::Busy { .. } => "busy",
            Refusal::Internal(_) => "internal",
            Refusal::Unavailable(_) => "unavailable",
        }
    }

    /// Seconds after which a retry may help.
    #[must_use]
    pub const fn retry_after(&self) -> Option<u64> {
        match self {
            Refusal::RateLimited { retry_after } | Refusal::Busy { retry_after, .. } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    /// The body for JSON callers.
    #[must_use]
    pub fn json(&self) -> String {
        json!({ "error": { "type": self.kind(), "message": self.to_string() } }).to_string()
    }

    /// The payload of the `error` event for streams.
    #[must_use]
    pub fn event_data(&self, timestamp: &str) -> String {
        let mut data =
            json!({ "error": self.to_string(), "type": self.kind(), "timestamp": timestamp });
        if let (Some(seconds), Some(fields)) = (self.retry_after(), data.as_object_mut()) {
            fields.insert("waitTime".into(), seconds.into());
        }
        data.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_carry_kind_and_words() {
        let refusal = Refusal::field("model", "wants provider:name");
        assert_eq!(
            refusal.json(),
            r#"{"error":{"type":"invalid_field","message":"`model` wants provider:name"}}"#
        );
        assert_eq!(
            refusal.event_data("T"),
            r#"{"error":"`model` wants provider:name","type":"invalid_field","timestamp":"T"}"#
        );
        let refusal = Refusal::RateLimited { retry_after: 7 };
        assert!(refusal.event_data("T").ends_with(r#""timestamp":"T","waitTime":7}"#));
    }
}
