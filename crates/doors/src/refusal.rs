//! Why a request is refused.
//!
//! Border: messages say what to do and never repeat a secret.

use quarry_admission::{Denial, Proof, Unproven};
use quarry_events::{FailureKind, User};
use serde::Serialize;
use serde_json::json;

use crate::status::status;

/// A request that is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The body is no JSON object.
    #[error("the body is not a JSON object ({0}); send {{\"query\": \"…\"}}")]
    InvalidJson(String),
    /// The same, where something else is to be sent.
    #[error("the body is not a JSON object ({why}); send {send}")]
    NoObject {
        /// What is wrong with it.
        why: String,
        /// What to send.
        send: &'static str,
    },
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
    Unauthorized(Unproven),
    /// There is no provider key to use.
    #[error("{}", .0.message)]
    MissingKey(Box<Keyless>),
    /// There is no provider key to use, and nothing is to be shown before that is said.
    #[error("{0}")]
    NeedsKey(String),
    /// The caller may not.
    #[error("{0}")]
    Forbidden(Unproven),
    /// A page of a site that may not call.
    #[error("pages of {0} may not call; the operator can list it in cors_allowed_origins")]
    ForeignPage(String),
    /// Nothing there.
    #[error("{0}")]
    NotFound(String),
    /// The path answers other methods.
    #[error("this path answers {allow} only")]
    MethodNotAllowed {
        /// Value of `Allow`.
        allow: String,
    },
    /// None of the forms that the caller takes is to be had.
    #[error("there is {0} to be had; `Accept` takes none of them")]
    NotAcceptable(&'static str),
    /// A run, an ask, a response or a collection is not in a state for this.
    #[error("{message}")]
    Conflict {
        /// In words.
        message: String,
        /// Where it stands.
        status: String,
    },
    /// Something else stands in its place.
    #[error("{0}")]
    Taken(String),
    /// The key that the sender gave the request came before with another one.
    #[error(
        "this `Idempotency-Key` came before with another body, and nothing was begun; send that body again, or this one with \
         a new key"
    )]
    ReusedKey,
    /// The body is over the limit.
    #[error("the body is over {limit} bytes; send less")]
    TooLarge {
        /// Bytes a body may have.
        limit: usize,
    },
    /// A document has, or a collection would have, more than may be.
    #[error("{0}")]
    TooMuch(String),
    /// A file that gives no document, or is of a format that is not read.
    #[error("{0}")]
    NoDocument(String),
    /// The body ended before all of it was there.
    #[error("the body broke off before its end; send the request again")]
    BrokeOff,
    /// The body did not arrive in time.
    #[error("the body did not arrive within {seconds} s; send the request again, without pauses")]
    TooSlow {
        /// Seconds that a body may take.
        seconds: u64,
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
    /// The provider of a model that we call for this does not serve us.
    #[error("{message}")]
    Provider {
        /// As of an ask that fails so.
        kind: FailureKind,
        /// In words.
        message: String,
    },
    /// Something that we need is away.
    #[error("{0}")]
    Unavailable(String),
    /// We are at fault.
    #[error("{0}")]
    Internal(String),
}

/// An ask that nobody's key pays for. What is known of it is shown before the refusal where a
/// front end waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyless {
    /// What to do about it.
    pub message: String,
    /// The question.
    pub query: String,
    /// `provider:name`.
    pub model: String,
    /// `frugal` or `roomy`.
    pub context_profile: &'static str,
    /// The caller, when identified.
    pub user: Option<User>,
    /// Whether the operator's keys could have been used.
    pub operator_keys: bool,
}

/// Why a request was refused.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Error"))]
pub(crate) struct Body {
    /// The refusal.
    error: Words,
}

/// The refusal.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Words {
    /// The kind, for programs.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::openapi::kinds"))]
    kind: FailureKind,
    /// The same in the spelling of the original, for its front ends.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::openapi::codes"))]
    code: &'static str,
    /// What is wrong and what to do.
    message: String,
    /// The field that has an unusable value, with dots for nesting.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// Where a run stands that is not in a state for this: `queued`, `running`, …; of an ask that is still running, the same;
    /// of a collection `other_dimension`.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::Unauthorized(why) => Refusal::Unauthorized(why),
            Denial::Forbidden(why) => Refusal::Forbidden(why),
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

    /// The kind, for programs.
    #[must_use]
    pub const fn kind(&self) -> FailureKind {
        match self {
            Refusal::InvalidJson(_) | Refusal::NoObject { .. } | Refusal::BrokeOff => {
                FailureKind::InvalidJson
            }
            Refusal::InvalidField { .. } => FailureKind::InvalidField,
            Refusal::BadContinuation(_) => FailureKind::BadContinuation,
            Refusal::Unauthorized(_) => FailureKind::Unauthorized,
            Refusal::MissingKey(_) | Refusal::NeedsKey(_) => FailureKind::MissingKey,
            Refusal::Forbidden(_) | Refusal::ForeignPage(_) => FailureKind::Forbidden,
            Refusal::NotFound(_) => FailureKind::NotFound,
            Refusal::MethodNotAllowed { .. } => FailureKind::MethodNotAllowed,
            Refusal::NotAcceptable(_) => FailureKind::NotAcceptable,
            Refusal::Conflict { .. } | Refusal::Taken(_) | Refusal::ReusedKey => {
                FailureKind::Conflict
            }
            Refusal::TooLarge { .. } | Refusal::TooMuch(_) => FailureKind::TooLarge,
            Refusal::NoDocument(_) => FailureKind::InvalidField,
            Refusal::TooSlow { .. } => FailureKind::TooSlow,
            Refusal::RateLimited { .. } => FailureKind::RateLimited,
            Refusal::Busy { .. } => FailureKind::Busy,
            Refusal::Provider { kind, .. } => *kind,
            Refusal::Internal(_) => FailureKind::Internal,
            Refusal::Unavailable(_) => FailureKind::Unavailable,
        }
    }

    /// What a client that sends a Bearer is told of one that is missing or not the right one: to it both are 401.
    #[must_use]
    pub fn of_bearer(&self) -> Option<String> {
        let is_of_bearer = match self {
            Refusal::Unauthorized(_) => true,
            Refusal::Forbidden(why) => why.proof == Proof::AccessSecret,
            _ => false,
        };
        is_of_bearer.then(|| by_bearer(&self.to_string()))
    }

    /// The same as whoever is told it who can say nothing in a body: what it did not prove is wanted as a Bearer.
    #[must_use]
    pub(crate) fn in_head(&self) -> Refusal {
        let said = |why: &Unproven| Unproven::new(why.proof, by_bearer(&why.message));
        match self {
            Refusal::Unauthorized(why) => Refusal::Unauthorized(said(why)),
            Refusal::Forbidden(why) => Refusal::Forbidden(said(why)),
            _ => self.clone(),
        }
    }

    /// The same as such a client is told it. It has no `apiKey` in its body.
    #[must_use]
    pub(crate) fn to_bearer(&self) -> Refusal {
        if let Refusal::MissingKey(_) | Refusal::NeedsKey(_) = self {
            let message = self.to_string().replace("send apiKey", "send it as `X-Provider-Key`");
            return Refusal::NeedsKey(message);
        }
        match (self, self.of_bearer()) {
            (Refusal::Unauthorized(why) | Refusal::Forbidden(why), Some(message)) => {
                Refusal::Unauthorized(Unproven::new(why.proof, message))
            }
            _ => self.in_head(),
        }
    }

    /// The word that front ends of the original look for: theirs where they had one.
    #[must_use]
    pub fn code(&self) -> &'static str {
        let theirs = match self {
            Refusal::Unauthorized(why) | Refusal::Forbidden(why) => why.proof.code(),
            _ => None,
        };
        theirs.unwrap_or_else(|| self.kind().code())
    }

    /// The status for callers who read JSON.
    #[must_use]
    pub const fn status(&self) -> u16 {
        status(self.kind())
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

    /// Whether the same request may be taken a little later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Refusal::RateLimited { .. } | Refusal::Busy { .. } | Refusal::Unavailable(_))
    }

    /// The body for callers who read JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let (kind, code, message) = (self.kind(), self.code(), self.to_string());
        let (field, status) = match self {
            Refusal::InvalidField { field, .. } => (Some(field.clone()), None),
            Refusal::Conflict { status, .. } => (None, Some(status.clone())),
            _ => (None, None),
        };
        json!(Body { error: Words { kind, code, message, field, status } }).to_string()
    }
}

/// Words about what proves a caller, where it is sent as a Bearer.
fn by_bearer(words: &str) -> String {
    words
        .replace("`accessSecret` or `google_token`", "either as `Authorization: Bearer`")
        .replace("send it as `accessSecret`", "send it as `Authorization: Bearer`")
        .replace("or send `accessSecret`", "or send the access secret as `Authorization: Bearer`")
        .replace("`accessSecret`", "the Bearer token")
        .replace("`google_token`", "the Bearer token")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_admission::identity::{Identity, TokenError};
    use quarry_admission::{Access, EmailAddress, Proof};

    /// Every sentence of those who let nobody in.
    fn unproven() -> Vec<Refusal> {
        let bob = || EmailAddress::parse("bob@example.org").unwrap();
        let bob = || Some(Identity { email: bob(), name: None });
        let secret = Access::read("sesame", "", "").unwrap();
        let both = Access::read("sesame", "ada@example.org", "id").unwrap();
        let denied = [
            secret.admit(None, None),
            secret.admit(Some("x"), None),
            both.admit(None, None),
            both.admit(None, bob()),
        ];
        let denied = denied.map(|denied| Refusal::from(denied.unwrap_err()));
        let token = Refusal::from(Denial::from(TokenError::Expired));
        denied.into_iter().chain([token]).collect()
    }

    #[test]
    fn who_can_say_nothing_in_a_body_is_not_told_to() {
        for refusal in unproven() {
            let told = refusal.in_head();
            assert_eq!((told.status(), told.code()), (refusal.status(), refusal.code()));
            let told = told.to_string();
            assert!(told.contains("Bearer"), "{told}");
            for field in ["accessSecret", "google_token"] {
                assert!(!told.contains(field), "{told}");
            }
            if let Some(message) = refusal.of_bearer() {
                assert_eq!(message, told);
            }
        }
        let wanted = unproven().remove(2).in_head().to_string();
        assert!(wanted.ends_with("; send either as `Authorization: Bearer`"), "{wanted}");
        let other = Refusal::field("text", "is missing");
        assert_eq!(other.in_head(), other);
    }

    #[test]
    fn it_carries_kind_code_and_words() {
        assert_eq!(
            Refusal::field("model", "wants provider:name").json(),
            r#"{"error":{"type":"invalid_field","code":"INVALID_FIELD","message":"`model` wants provider:name","field":"model"}}"#
        );
    }

    #[test]
    fn a_conflict_says_where_the_run_stands() {
        let (message, status) = ("the run has ended".to_owned(), "completed".to_owned());
        let refusal = Refusal::Conflict { message, status };
        assert_eq!(refusal.status(), 409);
        assert_eq!(
            refusal.json(),
            r#"{"error":{"type":"conflict","code":"CONFLICT","message":"the run has ended","status":"completed"}}"#
        );
    }

    #[test]
    fn what_stands_in_the_place_of_another_is_a_conflict_too() {
        assert_eq!(
            Refusal::Taken("it is there".to_owned()).json(),
            r#"{"error":{"type":"conflict","code":"CONFLICT","message":"it is there"}}"#
        );
    }

    #[test]
    fn a_key_with_another_body_is_a_conflict_that_names_it_and_no_retry_helps() {
        let refusal = Refusal::ReusedKey;
        assert_eq!((refusal.status(), refusal.is_passing()), (409, false));
        let told = refusal.json();
        assert!(told.contains("`Idempotency-Key` came before with another body"), "{told}");
        assert!(told.contains("with a new key\""), "{told}");
    }

    #[test]
    fn what_a_provider_refuses_has_the_status_of_an_ask_that_fails_so() {
        let of = |kind| Refusal::Provider { kind, message: "it says no".to_owned() };
        for (kind, status) in [
            (FailureKind::Unauthorized, 401),
            (FailureKind::NoCredit, 402),
            (FailureKind::ProviderFailed, 502),
        ] {
            let refusal = of(kind);
            assert_eq!(
                (refusal.status(), refusal.kind(), refusal.is_passing()),
                (status, kind, false)
            );
            assert_eq!(refusal.of_bearer(), None, "it is none of the caller's secrets");
        }
        assert_eq!(
            of(FailureKind::NoCredit).json(),
            r#"{"error":{"type":"no_credit","code":"NO_CREDIT","message":"it says no"}}"#
        );
    }

    #[test]
    fn the_originals_words_stand_where_it_had_one() {
        let code = |proof| Refusal::Unauthorized(Unproven::new(proof, "")).code();
        assert_eq!(code(Proof::AccessSecret), "INVALID_ACCESS_SECRET");
        assert_eq!(code(Proof::ExpiredToken), "TOKEN_EXPIRED");
        assert_eq!(code(Proof::Token), "UNAUTHORIZED");
        let wrong = Unproven::new(Proof::AccessSecret, "");
        assert_eq!(Refusal::Forbidden(wrong).code(), "INVALID_ACCESS_SECRET");
    }
}
