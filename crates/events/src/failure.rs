//! Why an ask ends in `error`: one closed list of kinds, each with the code that programs of the
//! original's style look for.
//!
//! Border: words only. Whoever fails picks the kind and writes the sentence.

use serde::{Deserialize, Serialize};

/// Declares the kinds: `Name = "type", "CODE";`.
macro_rules! failures {
    ($( $(#[$meta:meta])+ $name:ident = $text:literal, $code:literal; )+) => {
        /// The kind of a failure: `type` and `code` of `error`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum FailureKind {
            $( $(#[$meta])+ #[serde(rename = $text)] $name, )+
        }

        impl FailureKind {
            /// Every kind.
            pub const ALL: [FailureKind; [$($text),+].len()] = [$(FailureKind::$name),+];

            /// The kind on the wire: `type`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( FailureKind::$name => $text, )+ }
            }

            /// The upper-case word on the wire: `code`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $( FailureKind::$name => $code, )+ }
            }
        }
    };
}

failures! {
    /// The body is no JSON object.
    InvalidJson = "invalid_json", "INVALID_JSON";
    /// A field has an unusable value.
    InvalidField = "invalid_field", "INVALID_FIELD";
    /// A continuation that cannot be taken up.
    BadContinuation = "bad_continuation", "BAD_CONTINUATION";
    /// The caller, or the provider's key, was not accepted.
    Unauthorized = "unauthorized", "UNAUTHORIZED";
    /// There is no provider key to use.
    MissingKey = "missing_key", "NO_API_KEY";
    /// The caller may not.
    Forbidden = "forbidden", "FORBIDDEN";
    /// Nothing there.
    NotFound = "not_found", "NOT_FOUND";
    /// The path answers other methods.
    MethodNotAllowed = "method_not_allowed", "METHOD_NOT_ALLOWED";
    /// None of the forms that the caller takes is to be had.
    NotAcceptable = "not_acceptable", "NOT_ACCEPTABLE";
    /// A run is not in a state for this.
    Conflict = "conflict", "CONFLICT";
    /// The body is over the limit.
    TooLarge = "too_large", "TOO_LARGE";
    /// The body did not arrive in time.
    TooSlow = "too_slow", "TOO_SLOW";
    /// The caller has asked too often, or, of a question to documents, its model's provider is; a provider's limit of
    /// an ask is `quota_exceeded` instead.
    RateLimited = "rate_limited", "RATE_LIMITED";
    /// As many asks are under way as may be, or others hold the database.
    Busy = "busy", "BUSY";
    /// The server is at fault.
    Internal = "internal", "INTERNAL";
    /// Something that the server needs is away.
    Unavailable = "unavailable", "UNAVAILABLE";
    /// The provider's account has no credit left.
    NoCredit = "no_credit", "NO_CREDIT";
    /// The provider does not know the model.
    UnknownModel = "unknown_model", "UNKNOWN_MODEL";
    /// The provider failed, and nothing had been found that could be answered from.
    ProviderFailed = "provider_failed", "PROVIDER_FAILED";
    /// The question leaves no room for an answer in the model's context.
    ContextTooLong = "context_too_long", "CONTEXT_TOO_LONG";
    /// Not even a short answer fits the budget.
    BudgetExceeded = "budget_exceeded", "BUDGET_EXCEEDED";
    /// The model wrote no JSON that fits what was asked for, twice.
    InvalidOutput = "invalid_output", "INVALID_OUTPUT";
    /// The ask died while under way; it can be resumed by its id.
    Interrupted = "interrupted", "INTERRUPTED";
}

#[cfg(test)]
mod tests {
    use super::FailureKind;
    use std::collections::BTreeSet;

    #[test]
    fn kinds_and_codes_are_distinct_and_read_back() {
        for kind in FailureKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(serde_json::from_value::<FailureKind>(kind.as_str().into()).unwrap(), kind);
            assert_eq!(kind.code(), kind.code().to_uppercase());
        }
        let codes: BTreeSet<&str> = FailureKind::ALL.into_iter().map(FailureKind::code).collect();
        assert_eq!(codes.len(), FailureKind::ALL.len());
        assert_eq!(FailureKind::MissingKey.code(), "NO_API_KEY");
    }
}
