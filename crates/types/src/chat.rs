//! Chat with a model, in one shape for every provider.
//!
//! Mirrors `quarry:models/chat`; each component converts in its `convert.rs`.

mod place;
mod told;

pub use place::PLACES;

use crate::{Json, ModelId, Usage, tokens};
use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The operator's instructions.
    System,
    /// The asker.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

/// A call of a tool that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id for the call; results refer to it.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as the model wrote them: meant to be one JSON object, not checked.
    #[serde(serialize_with = "crate::json::long::serialize")]
    pub arguments: String,
    /// What its provider signed it with, and wants back with it. Nobody else can read it, nor is shown it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl ToolCall {
    /// The arguments as they are sent back: every provider wants an object, and a model without arguments may have
    /// written nothing.
    #[must_use]
    pub fn sent_arguments(&self) -> &str {
        if self.arguments.trim().is_empty() { "{}" } else { &self.arguments }
    }

    /// Estimated tokens of it, with what its provider signed it with: that is sent back, and may be all its thoughts.
    fn estimate(&self) -> u64 {
        let signature = self.signature.as_deref().map_or(0, tokens::estimate);
        tokens::estimate(&self.name) + tokens::estimate(&self.arguments) + signature
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text.
    #[serde(serialize_with = "crate::json::long::serialize")]
    pub content: String,
    /// Calls that an assistant message makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// For `Role::Tool`: the id of the call that this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What the model thought before its calls, where its provider wants that back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

impl Message {
    /// A system message.
    pub fn system(content: impl Into<String>) -> Self {
        Message::plain(Role::System, content)
    }

    /// A user message.
    pub fn user(content: impl Into<String>) -> Self {
        Message::plain(Role::User, content)
    }

    /// An assistant message, with the calls it makes.
    pub fn assistant(content: impl Into<String>, tool_calls: Vec<ToolCall>) -> Self {
        Message { tool_calls, ..Message::plain(Role::Assistant, content) }
    }

    /// The result of a tool call.
    pub fn tool_result(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Message { tool_call_id: Some(call_id.into()), ..Message::plain(Role::Tool, content) }
    }

    /// Estimated tokens of it, with the four of its frame that providers document.
    #[must_use]
    pub fn estimate(&self) -> u64 {
        let calls: u64 = self.tool_calls.iter().map(ToolCall::estimate).sum();
        let thoughts = self.reasoning.as_deref().map_or(0, tokens::estimate);
        tokens::estimate(&self.content) + thoughts + calls + 4
    }

    fn plain(role: Role, content: impl Into<String>) -> Self {
        let (content, tool_calls) = (content.into(), Vec::new());
        Message { role, content, tool_calls, tool_call_id: None, reasoning: None }
    }
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of its arguments.
    #[cfg_attr(feature = "schema", schemars(extend("type" = "object", "additionalProperties" = true)))]
    pub parameters: Json,
}

/// How long a reasoning model may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReasoningEffort {
    /// Little.
    Low,
    /// The usual.
    Medium,
    /// Much.
    High,
}

/// Which key pays for a call. Deliberately neither `Serialize` nor printable in full.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// The operator's, from configuration.
    Operator,
    /// The caller's own.
    Caller(String),
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Credential::Operator => "Operator",
            Credential::Caller(_) => "Caller(…)",
        })
    }
}

/// What a reply must fit. Where its provider has a place for it, it stands there; else the model is told in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// Letters, digits, `_` and `-`: a name that providers take.
    pub name: String,
    /// JSON Schema of the reply.
    pub schema: Json,
    /// Whether the provider is to hold the model to it as it writes, where it can.
    pub strict: bool,
    /// Whether the model is told in words even where the provider has a place for it.
    #[serde(default)]
    pub in_words: bool,
}

/// A call to a model. Holds no key, so it may be shown and stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The model.
    pub model: ModelId,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Tools on offer; none for plain text.
    pub tools: Vec<ToolSpec>,
    /// 0 to 2; none: the provider's default.
    pub temperature: Option<f64>,
    /// Output tokens at most.
    pub max_output_tokens: u32,
    /// For reasoning models.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The share of likely words that are drawn from, 0 to 1; none: the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Ask for one JSON object instead of prose.
    pub json: bool,
    /// What that object must fit; none: whatever it likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ReplySchema>,
    /// Give the text piece by piece as it comes, too. A call whose text nobody has seen can be tried
    /// again when it breaks off in the middle.
    pub streams_text: bool,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It was done.
    Stop,
    /// It reached the output limit.
    Length,
    /// It wants tools called.
    ToolCalls,
    /// The provider's filter cut in.
    ContentFilter,
    /// Anything else.
    Other,
}

/// A model's whole reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The text, empty when there are only calls.
    #[serde(serialize_with = "crate::json::long::serialize")]
    pub text: String,
    /// The calls it asks for, in order.
    pub tool_calls: Vec<ToolCall>,
    /// What the model thought before its calls, where its provider wants that back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What it used.
    pub usage: Usage,
    /// Why it stopped.
    pub finish_reason: FinishReason,
    /// The model's name as the provider reports it, else as it was asked for.
    pub model: String,
    /// Tries it took, from 1.
    pub attempts: u32,
}

/// Why a call to a model failed, after its retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case", try_from = "told::Told")]
pub enum ChatError {
    /// The provider wants us to wait longer than we sleep.
    #[error("rate limit reached: {message}")]
    RateLimited {
        /// Seconds until it accepts calls again.
        wait_seconds: f64,
        /// The provider's words.
        message: String,
    },
    /// The account has no credit.
    #[error("the provider account has no credit: {message}")]
    NoCredit {
        /// The provider's words.
        message: String,
    },
    /// The key was refused.
    #[error("the provider refused the key: {message}")]
    Unauthorized {
        /// The provider's words.
        message: String,
    },
    /// There is no key.
    #[error("{message}")]
    MissingKey {
        /// Which variable to set.
        message: String,
    },
    /// The provider does not have this model.
    #[error("unknown model: {message}")]
    UnknownModel {
        /// The provider's words.
        message: String,
    },
    /// The messages do not fit the model's context.
    #[error("the conversation does not fit the model's context: {message}")]
    ContextTooLong {
        /// The provider's words.
        message: String,
    },
    /// The provider refused the request.
    #[error("the provider refused the request ({status}): {message}")]
    Rejected {
        /// HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// A timeout.
    #[error("timed out: {message}")]
    Timeout {
        /// What was waited for, or the provider's words.
        message: String,
    },
    /// The connection broke.
    #[error("the exchange with the provider failed: {message}")]
    Connection {
        /// What happened.
        message: String,
    },
    /// No connection was made: nothing was sent.
    #[error("no connection to the provider: {message}")]
    Unreached {
        /// What happened.
        message: String,
    },
    /// It was refused here, before anything was sent.
    #[error("{message}")]
    Unsent {
        /// Why.
        message: String,
    },
    /// The provider failed.
    #[error("the provider failed ({status}): {message}")]
    ProviderFailed {
        /// HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// The reply could not be understood.
    #[error("the provider's reply could not be understood: {message}")]
    Malformed {
        /// What was wrong.
        message: String,
    },
    /// Anything else.
    #[error("{message}")]
    Other {
        /// What happened.
        message: String,
    },
}

impl ChatError {
    /// A rate limit, with the wait that it asks for in milliseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "waits stay far below 2^53 milliseconds")]
    pub fn rate_limited(wait_ms: u64, message: String) -> Self {
        ChatError::RateLimited { wait_seconds: wait_ms as f64 / 1000.0, message }
    }

    /// Whether the same call may succeed when it is made again: rate limits, 5xx, broken
    /// connections and timeouts pass. What is wrong with a request is as wrong next time, and a
    /// reply that could not be understood was paid for like any other.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        match self {
            ChatError::RateLimited { .. }
            | ChatError::Timeout { .. }
            | ChatError::Connection { .. }
            | ChatError::Unreached { .. }
            | ChatError::ProviderFailed { .. } => true,
            ChatError::NoCredit { .. }
            | ChatError::Unauthorized { .. }
            | ChatError::MissingKey { .. }
            | ChatError::UnknownModel { .. }
            | ChatError::ContextTooLong { .. }
            | ChatError::Rejected { .. }
            | ChatError::Unsent { .. }
            | ChatError::Malformed { .. }
            | ChatError::Other { .. } => false,
        }
    }

    /// Whether a call that ended so may have used tokens. A provider that answers with an error bills nothing, nor one
    /// that was never called; where no whole answer came, nobody knows.
    #[must_use]
    pub const fn may_have_cost(&self) -> bool {
        match self {
            ChatError::RateLimited { .. }
            | ChatError::NoCredit { .. }
            | ChatError::Unauthorized { .. }
            | ChatError::MissingKey { .. }
            | ChatError::UnknownModel { .. }
            | ChatError::ContextTooLong { .. }
            | ChatError::Rejected { .. }
            | ChatError::Unreached { .. }
            | ChatError::Unsent { .. }
            | ChatError::ProviderFailed { .. } => false,
            ChatError::Timeout { .. }
            | ChatError::Connection { .. }
            | ChatError::Malformed { .. }
            | ChatError::Other { .. } => true,
        }
    }

    /// The wait that a rate limit asks for, in seconds.
    #[must_use]
    pub const fn wait_seconds(&self) -> Option<f64> {
        match self {
            ChatError::RateLimited { wait_seconds, .. } => Some(*wait_seconds),
            _ => None,
        }
    }

    /// The wait that a rate limit asks for, in whole milliseconds.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range that fits"
    )]
    pub fn wait_ms(&self) -> Option<u64> {
        self.wait_seconds().map(|seconds| (seconds * 1000.0).round().clamp(0.0, 1e15) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every error, and whether a retry helps; `quarry:models/chat` says the same of each case.
    fn all() -> [(ChatError, bool); 14] {
        let message = String::new;
        [
            (ChatError::rate_limited(1, message()), true),
            (ChatError::NoCredit { message: message() }, false),
            (ChatError::Unauthorized { message: message() }, false),
            (ChatError::MissingKey { message: message() }, false),
            (ChatError::UnknownModel { message: message() }, false),
            (ChatError::ContextTooLong { message: message() }, false),
            (ChatError::Rejected { status: 400, message: message() }, false),
            (ChatError::Timeout { message: message() }, true),
            (ChatError::Connection { message: message() }, true),
            (ChatError::Unreached { message: message() }, true),
            (ChatError::Unsent { message: message() }, false),
            (ChatError::ProviderFailed { status: 500, message: message() }, true),
            (ChatError::Malformed { message: message() }, false),
            (ChatError::Other { message: message() }, false),
        ]
    }

    #[test]
    fn what_passes_is_worth_a_retry_and_the_interface_says_so() {
        let wit = include_str!("../../../wit/deps/quarry-models/chat.wit");
        let (_, errors) = wit.split_once("variant chat-error {").unwrap();
        let (errors, _) = errors.split_once("\n    }").unwrap();
        let lines: Vec<&str> = errors.lines().map(str::trim).collect();
        for (error, helps) in all() {
            assert_eq!(error.is_retryable(), helps, "{error:?}");
            let kind =
                serde_json::to_value(&error).unwrap()["type"].as_str().unwrap().replace('_', "-");
            let at = lines.iter().position(|line| line.starts_with(&format!("{kind}(")));
            let said = lines[at.unwrap_or_else(|| panic!("no case {kind}")) - 1];
            let promise = if helps { "A retry may help" } else { "A retry will not help" };
            assert!(said.contains(promise), "{kind}: {said}");
        }
        assert_eq!(lines.iter().filter(|line| line.ends_with("),")).count(), all().len());
    }

    #[test]
    fn what_a_provider_has_sealed_travels_with_a_call_and_counts() {
        let call = |signature: Option<String>| ToolCall {
            id: "c1".to_owned(),
            name: "search_web".to_owned(),
            arguments: "{}".to_owned(),
            signature,
        };
        let message = |signature| Message::assistant("", vec![call(signature)]).estimate();
        assert_eq!(message(Some("x".repeat(4_000))), message(None) + 1_000);
    }

    #[test]
    fn a_wait_is_the_same_in_seconds_and_milliseconds() {
        for (seconds, ms) in [(7.66, 7_660), (0.0, 0), (59.9996, 60_000), (-1.0, 0), (f64::NAN, 0)]
        {
            let error = ChatError::RateLimited { wait_seconds: seconds, message: String::new() };
            assert_eq!(error.wait_ms(), Some(ms), "{seconds}");
        }
        assert_eq!(ChatError::rate_limited(7_660, String::new()).wait_seconds(), Some(7.66));
        assert_eq!(ChatError::Other { message: String::new() }.wait_ms(), None);
    }
}
