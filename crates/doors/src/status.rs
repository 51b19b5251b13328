//! Which status a failure has for callers who read statuses.

use quarry_events::FailureKind;

/// The status, whether the ask was refused or began and failed.
#[must_use]
pub const fn status(kind: FailureKind) -> u16 {
    match kind {
        FailureKind::InvalidJson
        | FailureKind::InvalidField
        | FailureKind::BadContinuation
        | FailureKind::UnknownModel
        | FailureKind::ContextTooLong => 400,
        FailureKind::Unauthorized | FailureKind::MissingKey => 401,
        FailureKind::NoCredit | FailureKind::BudgetExceeded => 402,
        FailureKind::Forbidden => 403,
        FailureKind::NotFound => 404,
        FailureKind::MethodNotAllowed => 405,
        FailureKind::TooSlow => 408,
        FailureKind::TooLarge => 413,
        FailureKind::RateLimited | FailureKind::Busy => 429,
        FailureKind::Internal => 500,
        FailureKind::ProviderFailed | FailureKind::Interrupted => 502,
        FailureKind::Unavailable => 503,
    }
}
