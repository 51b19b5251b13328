//! The chunks of the AI SDK's UI message stream that an ask becomes: of its closed list only those that versions 5, 6
//! and 7 all know.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One chunk.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UiMessageChunk"))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(crate) enum Chunk<'a> {
    /// The first one.
    Start {
        /// The answer's message.
        message_id: &'a str,
        /// `createdAt`, in milliseconds since 1970, and what is known by then of who answers.
        message_metadata: Value,
    },
    /// What is known of the message since.
    MessageMetadata {
        /// `model`, `provider:name`, and `turnsLeftOut`, where the model has no room for so many of the oldest turns.
        message_metadata: Value,
    },
    /// A step begins: research, then the answer.
    StartStep,
    /// It ends.
    FinishStep,
    /// A line that a page may show while nothing else happens; it is no part of the message.
    DataStatus {
        /// `status`.
        id: &'static str,
        /// The line.
        data: Status<'a>,
        /// Always.
        transient: bool,
    },
    /// A limit of the provider's: `waitSeconds`, `resumeAfter`, and `resume`, the ask to be gone on with.
    DataQuota {
        /// `quota`.
        id: &'static str,
        /// What can be done.
        data: Value,
    },
    /// What goes on.
    ReasoningStart {
        /// The part.
        id: &'a str,
    },
    /// Its text.
    ReasoningDelta {
        /// The part.
        id: &'a str,
        /// A piece.
        delta: &'a str,
    },
    /// It ends.
    ReasoningEnd {
        /// The part.
        id: &'a str,
    },
    /// A tool call begins.
    ToolInputStart {
        /// Who, and whose.
        #[serde(flatten)]
        call: Called<'a>,
        /// The tool.
        tool_name: &'a str,
    },
    /// Its arguments.
    ToolInputAvailable {
        /// Who, and whose.
        #[serde(flatten)]
        call: Called<'a>,
        /// The tool.
        tool_name: &'a str,
        /// The arguments.
        #[cfg_attr(feature = "schema", schemars(with = "Value"))]
        input: &'a RawValue,
    },
    /// What it came to.
    ToolOutputAvailable {
        /// Who, and whose.
        #[serde(flatten)]
        call: Called<'a>,
        /// The result.
        #[cfg_attr(feature = "schema", schemars(with = "Value"))]
        output: Output<'a>,
    },
    /// Why it brought nothing.
    ToolOutputError {
        /// Who, and whose.
        #[serde(flatten)]
        call: Called<'a>,
        /// In words.
        error_text: &'a str,
    },
    /// A page that the answer may cite.
    SourceUrl {
        /// `s` and its number.
        source_id: &'a str,
        /// Its address.
        url: &'a str,
        /// Its title.
        title: &'a str,
    },
    /// A document of one's own.
    SourceDocument {
        /// `s` and its number.
        source_id: &'a str,
        /// `text/plain`: what is cited is text, whatever the document was.
        media_type: &'static str,
        /// Its title.
        title: &'a str,
    },
    /// The answer begins.
    TextStart {
        /// The part.
        id: &'static str,
    },
    /// A piece of it.
    TextDelta {
        /// The part.
        id: &'static str,
        /// The piece.
        delta: &'a str,
    },
    /// It ends.
    TextEnd {
        /// The part.
        id: &'static str,
        /// What it cites, with places in UTF-16 units. Versions 5 and 6 do not read them.
        #[serde(skip_serializing_if = "<[Citation]>::is_empty")]
        citations: &'a [Citation],
    },
    /// What failed.
    Error {
        /// In words, as the reader is shown it.
        error_text: &'a str,
    },
    /// The ask was stopped.
    Abort {
        /// In words.
        reason: &'static str,
    },
    /// The last one.
    Finish {
        /// Why.
        finish_reason: &'static str,
        /// `usage`, where it is known of every call, and `cost` where that is.
        #[serde(skip_serializing_if = "Option::is_none")]
        message_metadata: Option<Value>,
    },
}

/// A line for whoever waits.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Status<'a> {
    /// In words.
    pub text: &'a str,
}

/// What a tool gave.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Output<'a> {
    /// JSON, as it is.
    Json(&'a RawValue),
    /// What is none.
    Text(&'a str),
}

/// Whose a tool call is.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Called<'a> {
    /// Unique in the message.
    tool_call_id: &'a str,
    /// Always: pages do not declare our tools.
    dynamic: bool,
    /// Always: pages must not run them.
    provider_executed: bool,
}

impl Called<'_> {
    /// Ours.
    pub(super) const fn ours(tool_call_id: &str) -> Called<'_> {
        Called { tool_call_id, dynamic: true, provider_executed: true }
    }
}

/// A place in the answer, and its source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Citation {
    /// As in the source's chunk.
    pub source: Value,
    /// UTF-16 units before it.
    pub start_index: usize,
    /// UTF-16 units up to its end.
    pub end_index: usize,
    /// The passage that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cited_text: Option<String>,
}
