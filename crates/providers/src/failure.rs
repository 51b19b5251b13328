//! What went wrong, from what the provider said.
//!
//! Border: status, headers and body in, a classified failure out. Messages are the provider's
//! words, shortened and free of keys.

use crate::refused::{self, Parameter};
use crate::wait::{self, Header};
use quarry_types::ChatError;
use quarry_types::chat::PLACES;
use quarry_types::text::unended;
use serde_json::Value;

/// Characters of a provider's words that an error keeps.
const MESSAGE_LIMIT: usize = 500;
/// Seconds to wait when a provider says "too many" but not for how long. Most limits are counted
/// by the minute.
pub const UNKNOWN_WAIT_SECONDS: f64 = 60.0;

/// A failed try: the error that the caller gets if it was the last, and the wait that the provider
/// asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What to tell the caller.
    pub error: ChatError,
    /// Seconds, if the provider named a wait.
    pub wait_seconds: Option<f64>,
    /// The parameter that was refused before anything was paid for, where that is why.
    pub refused: Option<Parameter>,
}

impl Failure {
    /// A provider's own failure behind the beginning of its reply. What it had written may be billed, so it is what a
    /// connection is that broke off: nobody knows what it cost.
    #[must_use]
    pub fn behind_output(self) -> Self {
        match self.error {
            ChatError::ProviderFailed { message, .. } => {
                let message = format!("the provider broke off: {message}");
                Failure::from(ChatError::Connection { message })
            }
            error => Failure { error, ..self },
        }
    }
}

impl From<ChatError> for Failure {
    fn from(error: ChatError) -> Self {
        let wait_seconds = error.wait_seconds();
        Failure { error, wait_seconds, refused: None }
    }
}

/// What a provider says, taken from its error body.
#[derive(Debug, Default)]
struct Said {
    message: String,
    /// `type`, `code` and `status`, lower case, joined.
    kind: String,
    /// The parameter that it names apart, lower case.
    param: String,
    /// A status that the body names.
    status: Option<u16>,
}

/// Classifies an HTTP response that is not 200. `now` is in Unix seconds.
#[must_use]
pub fn from_response(status: u16, headers: &[Header], body: &[u8], now: f64) -> Failure {
    let said = match serde_json::from_slice::<Value>(body) {
        Ok(value) => said(&value),
        Err(_) => Said { message: plain(&String::from_utf8_lossy(body)), ..Said::default() },
    };
    let wait_seconds = wait::wanted(headers, &String::from_utf8_lossy(body), now);
    classify(status, said, wait_seconds)
}

/// Classifies an error inside a stream, where the HTTP status was 200 already.
#[must_use]
pub fn in_stream(error: &Value) -> Failure {
    let said = said(error);
    let status = said.status.unwrap_or_else(|| status_of(&said.kind));
    let wait_seconds = wait::wanted(&[], &error.to_string(), 0.0);
    // What began may be billed.
    Failure { refused: None, ..classify(status, said, wait_seconds) }
}

fn classify(status: u16, said: Said, wait_seconds: Option<f64>) -> Failure {
    let message =
        if said.message.is_empty() { format!("HTTP status {status}") } else { said.message };
    let lower = message.to_lowercase();
    let has =
        |words: &[&str]| words.iter().any(|word| lower.contains(word) || said.kind.contains(word));
    let refused = refused::parameter(&said.kind, &said.param, &lower).filter(|it| match it {
        Parameter::ChatCompletions => matches!(status, 400 | 404),
        _ => matches!(status, 400 | 422),
    });
    let error = match status {
        402 => ChatError::NoCredit { message },
        // Whole phrases, no words: OpenAI's ordinary rate limit speaks of billing, too.
        400 | 403 | 429 if no_credit(&said.kind, &lower) => ChatError::NoCredit { message },
        // More than a minute's tokens at once: no wait makes it fit.
        429 if lower.contains("request too large") => ChatError::ContextTooLong { message },
        429 => ChatError::RateLimited {
            wait_seconds: wait_seconds.unwrap_or(UNKNOWN_WAIT_SECONDS),
            message,
        },
        400 if has(&["api key not valid", "api_key_invalid", "invalid_api_key"]) => {
            ChatError::Unauthorized { message }
        }
        // No key is refused there.
        403 if has(&PLACES) => ChatError::Rejected { status, message },
        403 if said.kind.contains("model_not_found") => ChatError::UnknownModel { message },
        401 | 403 => ChatError::Unauthorized { message },
        400 | 404 | 422 if refused.is_none() && unknown_model(status, &said.kind, &lower) => {
            ChatError::UnknownModel { message }
        }
        400 | 413 | 422
            if status == 413
                || has(&[
                    "context_length",
                    "context length",
                    "context window",
                    "maximum context",
                    "maximum input length",
                    "prompt is too long",
                    "too many tokens",
                    "input token count",
                    "reduce the length",
                ]) =>
        {
            ChatError::ContextTooLong { message }
        }
        408 | 504 | 524 => ChatError::Timeout { message },
        // A provider that is overloaded and says for how long is a rate limit in all but name.
        500..=599 => match wait_seconds {
            Some(wait_seconds) if matches!(status, 503 | 529) => {
                ChatError::RateLimited { wait_seconds, message }
            }
            _ => ChatError::ProviderFailed { status, message },
        },
        _ => ChatError::Rejected { status, message },
    };
    let refused = refused.filter(|_| matches!(error, ChatError::Rejected { .. }));
    Failure { error, wait_seconds, refused }
}

fn no_credit(kind: &str, message: &str) -> bool {
    let by_kind =
        ["insufficient_quota", "billing_error", "insufficient_credits", "payment_required"];
    let by_message = [
        "exceeded your current quota, please check your plan",
        "credit balance is too low",
        "insufficient balance",
        "insufficient credit",
        "out of credit",
        "no credit",
        "requires more credits",
        "spending limit",
    ];
    // Gemini says "exceeded your current quota" for its per-minute limits, with a wait.
    let names_a_wait = wait::in_message(message).is_some() || kind.contains("resource_exhausted");
    by_kind.iter().any(|word| kind.contains(word))
        || (!names_a_wait && by_message.iter().any(|words| message.contains(words)))
}

fn unknown_model(status: u16, kind: &str, message: &str) -> bool {
    // Who says what a model does not do has it.
    let has_it = ["with this model", "for this model", "by this model"]
        .iter()
        .any(|words| message.contains(words));
    kind.contains("model_not_found")
        || kind.contains("invalid_model")
        || (!has_it && message.contains("model")
            && ["does not exist", "not found", "not a valid model", "unknown model", "invalid model",
                "model not exist", "not supported", "unable to access", "decommissioned"]
                .iter()
                .any(|words| message.contains(words)))
        // Anthropic's message for an unknown model is only `model: name`.
        || (status == 404 && message.starts_with("model"))
}

/// The HTTP status that an error's kind stands for, where a stream has no status of its own.
fn status_of(kind: &str) -> u16 {
    [
        ("insufficient_quota", 429),
        ("rate_limit", 429),
        ("resource_exhausted", 429),
        ("too_many_requests", 429),
        ("authentication", 401),
        ("invalid_api_key", 401),
        ("permission", 403),
        ("not_found", 404),
        ("request_too_large", 413),
        ("context_length", 400),
        ("invalid_request", 400),
        ("invalid_prompt", 400),
        ("timeout", 504),
        ("overloaded", 529),
    ]
    .into_iter()
    .find_map(|(word, status)| kind.contains(word).then_some(status))
    // An error without a name, in the middle of a stream, is the server's.
    .unwrap_or(500)
}

/// Finds the words in the many shapes of error bodies: `{error: {…}}`, `{error: "…"}`,
/// `{message}`, `{detail}`, Gemini's list around one of them, or the inner object alone.
fn said(value: &Value) -> Said {
    let value = value.get(0).unwrap_or(value);
    let inner = match value.get("error") {
        Some(Value::String(text)) => {
            let (kind, param) = (kind(value), param(value));
            return Said { message: text.clone(), kind, param, status: status(value) };
        }
        Some(inner @ Value::Object(_)) => inner,
        _ => value,
    };
    let message = ["message", "detail", "msg"]
        .into_iter()
        .filter_map(|key| inner.get(key))
        .find(|found| !found.is_null())
        .map(text)
        .or_else(|| inner.as_str().map(str::to_owned))
        .unwrap_or_default();
    let status = status(inner).or_else(|| status(value));
    Said { message, kind: kind(inner), param: param(inner), status }
}

fn param(value: &Value) -> String {
    value.get("param").and_then(Value::as_str).unwrap_or_default().to_lowercase()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn kind(value: &Value) -> String {
    ["type", "code", "status"]
        .into_iter()
        .filter_map(|key| value.get(key).and_then(Value::as_str))
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

fn status(value: &Value) -> Option<u16> {
    ["status_code", "code", "status"]
        .into_iter()
        .filter_map(|key| value.get(key))
        .filter_map(|found| found.as_u64().or_else(|| found.as_str()?.parse().ok()))
        .filter_map(|number| u16::try_from(number).ok())
        .find(|number| (400..=599).contains(number))
}

/// An error page of a proxy, without its tags.
fn plain(body: &str) -> String {
    let mut inside = false;
    let text: String = body
        .chars()
        .filter_map(|character| match (character, inside) {
            ('<', _) => {
                inside = true;
                Some(' ')
            }
            ('>', true) => {
                inside = false;
                None
            }
            (_, true) => None,
            (other, false) => Some(other),
        })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(message: String) -> String {
    match message.char_indices().nth(MESSAGE_LIMIT) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message,
    }
}

/// Takes keys out of an error: the one in use wherever it stands, and whatever looks like one; then
/// bounds its length. Providers quote refused keys, some of them whole. Its final stop goes, too: more is
/// said behind it.
#[must_use]
pub fn without_keys(mut error: ChatError, key: Option<&str>) -> ChatError {
    let message = match &mut error {
        ChatError::RateLimited { message, .. }
        | ChatError::NoCredit { message }
        | ChatError::Unauthorized { message }
        | ChatError::MissingKey { message }
        | ChatError::UnknownModel { message }
        | ChatError::ContextTooLong { message }
        | ChatError::Rejected { message, .. }
        | ChatError::Timeout { message }
        | ChatError::Connection { message }
        | ChatError::Unreached { message }
        | ChatError::Unsent { message }
        | ChatError::ProviderFailed { message, .. }
        | ChatError::Malformed { message }
        | ChatError::Other { message } => message,
    };
    *message = unended(&told(message, key)).to_owned();
    error
}

const REDACTED: &str = "[key]";

/// A provider's words as they may be told: without keys, then of bounded length. A key that was cut
/// before would no longer be found.
#[must_use]
pub fn told(message: &str, key: Option<&str>) -> String {
    short(redact(message, key))
}

/// Takes keys out of a text.
fn redact(message: &str, key: Option<&str>) -> String {
    let whole = match key.map(str::trim).filter(|key| !key.is_empty()) {
        Some(key) => message.replace(key, REDACTED),
        None => message.to_owned(),
    };
    // A key can be quoted in part: its beginning or its end, the rest as stars.
    let is_key_like = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '*');
        let part = |edge: &str| edge.len() >= 4 && key.is_some_and(|key| key.contains(edge));
        // Behind the name of a field, too: `"key":"sk-…"`, `api_key=sk-…`.
        let values = bare.split(['"', '\'', '=', ':', ',']);
        ["sk-", "gsk_", "sk_", "xai-", "AIza", "tgp_", "pplx-"].iter().any(|prefix| {
            let is_key = |value: &str| value.starts_with(prefix) && value.len() > prefix.len() + 2;
            values.clone().any(is_key)
        }) || (bare.contains("**") && bare.split('*').any(part))
    };
    whole
        .split_inclusive(char::is_whitespace)
        .flat_map(|word| {
            let bare = word.trim_end();
            let blank = word.get(bare.len()..).unwrap_or_default();
            [if is_key_like(bare) { REDACTED } else { bare }, blank]
        })
        .collect()
}

#[cfg(test)]
mod tests;
