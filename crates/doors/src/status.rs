//! Which status a failure has for callers who read statuses.

use quarry_events::FailureKind;

/// What failed, as statuses tell it apart; its number is the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub(crate) enum Status {
    InvalidRequest = 400,
    Unauthorized = 401,
    PaymentRequired = 402,
    Forbidden = 403,
    NotFound = 404,
    MethodNotAllowed = 405,
    NotAcceptable = 406,
    TooSlow = 408,
    Conflict = 409,
    TooLarge = 413,
    RateLimited = 429,
    Internal = 500,
    ProviderFailed = 502,
    Unavailable = 503,
}

impl Status {
    pub(crate) const fn of(kind: FailureKind) -> Status {
        match kind {
            FailureKind::InvalidJson
            | FailureKind::InvalidField
            | FailureKind::BadContinuation
            | FailureKind::UnknownModel
            | FailureKind::ContextTooLong => Status::InvalidRequest,
            FailureKind::Unauthorized | FailureKind::MissingKey => Status::Unauthorized,
            FailureKind::NoCredit | FailureKind::BudgetExceeded => Status::PaymentRequired,
            FailureKind::Forbidden => Status::Forbidden,
            FailureKind::NotFound => Status::NotFound,
            FailureKind::MethodNotAllowed => Status::MethodNotAllowed,
            FailureKind::NotAcceptable => Status::NotAcceptable,
            FailureKind::Conflict => Status::Conflict,
            FailureKind::TooSlow => Status::TooSlow,
            FailureKind::TooLarge => Status::TooLarge,
            FailureKind::RateLimited | FailureKind::Busy => Status::RateLimited,
            FailureKind::Internal => Status::Internal,
            FailureKind::ProviderFailed | FailureKind::InvalidOutput | FailureKind::Interrupted => {
                Status::ProviderFailed
            }
            FailureKind::Unavailable => Status::Unavailable,
        }
    }

    pub(crate) const fn number(self) -> u16 {
        self as u16
    }
}

/// The status, whether the ask was refused or began and failed.
#[must_use]
pub const fn status(kind: FailureKind) -> u16 {
    Status::of(kind).number()
}
