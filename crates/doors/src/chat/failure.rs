//! Why there is no completion, in the words of the OpenAI protocol: four keys that are always there, a status, and
//! whether its clients, which try again by themselves, should.

use quarry_events::FailureKind;
use serde::Serialize;
use serde_json::json;

use crate::reply::{challenge, retry_after};
use crate::status::status;
use crate::{Headers, Refusal, Reply};

/// Seconds that the official clients wait for what `Retry-After` says. Where it is more they come back within seconds,
/// and meet the same limit.
const LONGEST_WAIT: u64 = 120;

/// Why there is no completion.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failed {
    status: u16,
    words: Words,
    /// Seconds after which a retry may help.
    retry_after: Option<u64>,
    /// Whether a retry is worth its price.
    is_retried: bool,
}

/// A failure as OpenAI's clients read it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OpenAiError"))]
pub(crate) struct Body {
    /// The failure.
    error: Words,
}

/// The failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Words {
    /// What is wrong and what to do.
    message: String,
    /// The kind that clients sort by.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(
        extend("examples" = ["invalid_request_error", "rate_limit_error", "server_error"])
    ))]
    kind: &'static str,
    /// The field that has an unusable value.
    param: Option<String>,
    /// The same more precisely.
    code: Option<&'static str>,
}

const INVALID: &str = "invalid_request_error";
const SERVER: &str = "server_error";
const NO_CREDIT: &str = "insufficient_quota";
const LIMITED: &str = "rate_limit_error";

impl Failed {
    fn new(
        status: u16,
        kind: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Failed {
        let words = Words { message: message.into(), kind, param: None, code: Some(code) };
        Failed { status, words, retry_after: None, is_retried: false }
    }

    fn with_param(mut self, param: &str) -> Failed {
        self.words.param = Some(param.to_owned());
        self
    }

    fn after(mut self, seconds: Option<u64>) -> Failed {
        self.is_retried = true;
        self.retry_after = seconds;
        self
    }

    /// Somebody has to pay first: no client needs to try before, though every 429 says when it may.
    fn paid_later(mut self) -> Failed {
        self.retry_after = Some(3_600);
        self
    }

    /// A request that is not carried out.
    pub fn refused(refusal: &Refusal) -> Failed {
        let message = refusal.in_head().to_string();
        match refusal {
            Refusal::InvalidField { field, .. } => wrong_field(field, message),
            Refusal::InvalidJson(why) | Refusal::NoObject { why, .. } => {
                let message =
                    format!("the body is not a JSON object ({why}); send {{\"messages\": […]}}");
                Failed::new(400, INVALID, "invalid_json", message)
            }
            Refusal::BadContinuation(_) => Failed::new(400, INVALID, "bad_continuation", message),
            Refusal::BrokeOff => Failed::new(400, INVALID, "invalid_json", message),
            Refusal::NoDocument(_) => Failed::new(400, INVALID, "invalid_value", message),
            Refusal::NotFound(_) => Failed::new(404, INVALID, "not_found", message),
            Refusal::Unauthorized(_) | Refusal::Forbidden(_) => match refusal.of_bearer() {
                Some(message) => Failed::new(401, INVALID, "invalid_api_key", message),
                None => Failed::new(403, "permission_error", "forbidden", message),
            },
            Refusal::ForeignPage(_) => Failed::new(403, "permission_error", "forbidden", message),
            Refusal::MissingKey(_) | Refusal::NeedsKey(_) => {
                let message = refusal.to_bearer().to_string();
                Failed::new(401, INVALID, "missing_provider_key", message)
            }
            Refusal::MethodNotAllowed { .. } => {
                Failed::new(405, INVALID, "method_not_allowed", message)
            }
            Refusal::NotAcceptable(_) => Failed::new(406, INVALID, "not_acceptable", message),
            Refusal::Conflict { .. } | Refusal::Taken(_) => {
                Failed::new(409, INVALID, "conflict", message)
            }
            Refusal::ReusedKey => Failed::new(409, INVALID, "idempotency_key_reuse", message),
            Refusal::TooLarge { .. } | Refusal::TooMuch(_) => {
                Failed::new(413, INVALID, "request_too_large", message)
            }
            Refusal::TooSlow { .. } => {
                Failed::new(408, INVALID, "request_timeout", message).after(None)
            }
            Refusal::RateLimited { retry_after } | Refusal::Busy { retry_after, .. } => {
                Failed::new(429, LIMITED, "rate_limit_exceeded", message).after(Some(*retry_after))
            }
            Refusal::Unavailable(_) => Failed::new(503, SERVER, "unavailable", message).after(None),
            Refusal::Provider { kind, .. } => Failed::of(*kind, &message, 0),
            Refusal::Internal(_) => Failed::new(500, SERVER, "internal_error", message),
        }
    }

    /// An ask that began and failed, with what it had found.
    pub fn of(kind: FailureKind, message: &str, found: usize) -> Failed {
        let message = match found {
            0 => message.to_owned(),
            1 => format!("{message} (1 source had been found.)"),
            found => format!("{message} ({found} sources had been found.)"),
        };
        match kind {
            FailureKind::NoCredit => Failed::new(429, NO_CREDIT, NO_CREDIT, message).paid_later(),
            FailureKind::BudgetExceeded => {
                Failed::new(429, NO_CREDIT, "budget_exceeded", message).paid_later()
            }
            FailureKind::Unauthorized => Failed::new(401, INVALID, "invalid_api_key", message),
            FailureKind::MissingKey => Failed::new(401, INVALID, "missing_provider_key", message),
            FailureKind::UnknownModel => {
                Failed::new(404, INVALID, "model_not_found", message).with_param("model")
            }
            FailureKind::ContextTooLong => {
                Failed::new(400, INVALID, "context_length_exceeded", message).with_param("messages")
            }
            FailureKind::ProviderFailed => Failed::new(500, SERVER, "provider_error", message),
            FailureKind::InvalidOutput => Failed::new(500, SERVER, "invalid_output", message),
            FailureKind::Interrupted => Failed::new(500, SERVER, "interrupted", message),
            kind => Failed::new(status(kind), SERVER, "internal_error", message),
        }
    }

    /// A provider's rate limit: the same request, sent again, goes on where this one ended.
    pub fn limited(message: &str, seconds: f64) -> Failed {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates; waits are small and not negative"
        )]
        let wait = (seconds.max(0.0).ceil() as u64).max(1);
        let limited = Failed::new(429, LIMITED, "rate_limit_exceeded", message).after(Some(wait));
        Failed { is_retried: wait <= LONGEST_WAIT, ..limited }
    }

    /// The model's provider failed, and the answer is what rules made of the evidence.
    pub fn provider(answer: &str) -> Failed {
        let message =
            format!("The model's provider failed before it wrote an answer. Without it: {answer}");
        Failed::new(500, SERVER, "provider_error", message)
    }

    pub fn stopped() -> Failed {
        Failed::new(409, SERVER, "stopped", "The ask was stopped before its answer.")
    }

    pub fn unfinished() -> Failed {
        Failed::new(500, SERVER, "interrupted", "The stream ended before the answer.")
    }

    pub fn unreadable() -> Failed {
        Failed::new(500, SERVER, "internal_error", "The last event of the ask cannot be read.")
    }

    /// The same where a request's question stands in `input`, and a response is what is not found.
    pub fn of_input(mut self) -> Failed {
        let words = &mut self.words;
        for (theirs, ours) in [("messages", "input"), ("response_format", "text.format")] {
            if words.param.as_deref() == Some(theirs) {
                words.param = Some(ours.to_owned());
                words.message = words.message.replace(&format!("`{theirs}`"), &format!("`{ours}`"));
            }
        }
        words.message = words.message.replace("{\"messages\": […]}", "{\"input\": \"…\"}");
        if words.code == Some("not_found") {
            words.code = Some("response_not_found");
        }
        self
    }

    /// In words.
    pub fn message(&self) -> &str {
        &self.words.message
    }

    /// As a frame or a body has it.
    pub fn body(&self) -> Body {
        Body { error: self.words.clone() }
    }

    /// The response.
    pub fn reply(&self) -> Reply {
        let mut reply = Reply::json(self.status, json!(self.body()).to_string());
        self.put(&mut reply.headers);
        reply
    }

    fn put(&self, headers: &mut Headers) {
        if let Some(seconds) = self.retry_after {
            headers.push(retry_after(seconds));
            headers.push(("retry-after-ms", seconds.saturating_mul(1_000).to_string().into()));
        }
        if self.status == 401 {
            headers.push(challenge());
        }
        if !self.is_retried {
            headers.push(("x-should-retry", "false".into()));
        }
    }
}

/// Fields of an ask by the names that they have here.
fn wrong_field(field: &str, message: String) -> Failed {
    let param = match field {
        "query" => "messages".to_owned(),
        "format" => "response_format".to_owned(),
        "budget.usd" | "budget.tokens" | "sources" | "collection" | "verify_with_model" => {
            format!("quarry.{field}")
        }
        field => field.to_owned(),
    };
    let message = message.replace(&format!("`{field}`"), &format!("`{param}`"));
    let is_name =
        !["not supported", "wants a text", "too long"].iter().any(|it| message.contains(it));
    if param == "model" && is_name {
        return Failed::new(404, INVALID, "model_not_found", message).with_param("model");
    }
    let code = if param == "previous_response_id" && message.contains("names no response") {
        "previous_response_not_found"
    } else if message.contains("is missing") {
        "missing_required_parameter"
    } else if message.contains("too long") {
        "string_above_max_length"
    } else if message.contains("` is not supported;") {
        // Whatever its value is.
        "unsupported_parameter"
    } else if message.contains("not supported") {
        "unsupported_value"
    } else if message.contains("unsupported content") {
        "unsupported_content"
    } else {
        "invalid_value"
    };
    Failed::new(400, INVALID, code, message).with_param(&param)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_admission::{Proof, Unproven};
    use serde_json::Value;

    fn refused(refusal: &Refusal) -> (u16, Value, Option<String>) {
        let reply = Failed::refused(refusal).reply();
        let body: Value = serde_json::from_slice(&reply.body).unwrap();
        let retries = reply.headers.iter().find(|(name, _)| *name == "x-should-retry");
        (reply.status, body["error"].clone(), retries.map(|(_, value)| value.to_string()))
    }

    #[test]
    fn all_four_keys_are_always_there() {
        for refusal in [
            Refusal::Internal("x".into()),
            Refusal::field("n", "is not supported"),
            Refusal::NotFound("x".into()),
            Refusal::RateLimited { retry_after: 7 },
        ] {
            let (_, error, _) = refused(&refusal);
            let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["message", "type", "param", "code"], "{refusal:?}");
        }
    }

    #[test]
    fn what_is_wrong_has_the_names_of_this_protocol() {
        let (status, error, retried) = refused(&Refusal::field("query", "is too long; send less"));
        assert_eq!((status, retried.as_deref()), (400, Some("false")));
        assert_eq!(
            error,
            json!({ "message": "`messages` is too long; send less", "type": "invalid_request_error",
                    "param": "messages", "code": "string_above_max_length" })
        );
        let (status, error, _) = refused(&Refusal::field("model", "names nobody"));
        assert_eq!(
            (status, &error["code"], &error["param"]),
            (404, &json!("model_not_found"), &json!("model"))
        );
        for (wants, code) in [
            ("is not supported; leave it out", "unsupported_parameter"),
            ("is not supported above 1; ask again", "unsupported_value"),
            ("is not supported with `store: false`: it is not kept", "unsupported_value"),
        ] {
            assert_eq!(refused(&Refusal::field("n", wants)).1["code"], code, "{wants}");
        }
        let (status, error, _) = refused(&Refusal::field("budget.usd", "cannot be held"));
        assert_eq!((status, &error["param"]), (400, &json!("quarry.budget.usd")));
        let named = refused(&Refusal::field("collection", "no documents are searched")).1;
        assert_eq!(named["param"], "quarry.collection");
    }

    #[test]
    fn a_wrong_bearer_is_401_whichever_way_it_is_wrong() {
        let wrong = || Unproven::new(Proof::AccessSecret, "`accessSecret` is not the right one");
        for refusal in [Refusal::Forbidden(wrong()), Refusal::Unauthorized(wrong())] {
            let (status, error, _) = refused(&refusal);
            assert_eq!((status, &error["code"]), (401, &json!("invalid_api_key")));
            assert_eq!(error["message"], "the Bearer token is not the right one");
        }
        let unlisted = Refusal::Forbidden(Unproven::new(Proof::Account, "not listed"));
        assert_eq!(refused(&unlisted).0, 403);
    }

    #[test]
    fn only_what_costs_nothing_is_tried_again() {
        for (failed, status, retried) in [
            (Failed::limited("later", 6.2), 429, true),
            (Failed::limited("tomorrow", 120.0), 429, true),
            (Failed::limited("tomorrow", 120.5), 429, false),
            (Failed::of(FailureKind::NoCredit, "x", 0), 429, false),
            (Failed::of(FailureKind::BudgetExceeded, "x", 2), 429, false),
            (Failed::of(FailureKind::ProviderFailed, "x", 1), 500, false),
            (Failed::of(FailureKind::ContextTooLong, "x", 0), 400, false),
            (Failed::provider("y"), 500, false),
            (Failed::stopped(), 409, false),
            (Failed::refused(&Refusal::ReusedKey), 409, false),
            (Failed::refused(&Refusal::RateLimited { retry_after: 7 }), 429, true),
            (Failed::refused(&Refusal::Unavailable("x".into())), 503, true),
        ] {
            let reply = failed.reply();
            let says_no = reply.headers.iter().any(|(name, _)| *name == "x-should-retry");
            assert_eq!((reply.status, !says_no), (status, retried), "{failed:?}");
        }
        let reply = Failed::limited("later", 6.2).reply();
        let header =
            |name| reply.headers.iter().find(|(known, _)| *known == name).map(|(_, v)| &**v);
        assert_eq!((header("retry-after"), header("retry-after-ms")), (Some("7"), Some("7000")));
        let failed = Failed::of(FailureKind::Interrupted, "It broke.", 2);
        assert_eq!(failed.words.message, "It broke. (2 sources had been found.)");
    }
}
