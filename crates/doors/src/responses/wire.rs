//! Responses as they are written: the object, its items, and the frames of a stream.
//!
//! Border: names and shapes of the protocol; what they say is the fold's.

use quarry_events::FailureKind;
use quarry_types::json::{self, Formless, Written};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::order::Form;
use crate::talk::Costs;

/// Bytes of a response, as a rule.
const MOST_OBJECTS: usize = 2_048;

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseStatus"))]
pub(crate) enum Status {
    /// It has not begun.
    Queued,
    /// It is under way.
    InProgress,
    /// It is whole.
    Completed,
    /// It ended before its end.
    Incomplete,
    /// There is nothing of it.
    Failed,
    /// Somebody ended it.
    Cancelled,
}

/// What of a request its response shows again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Echo {
    /// As it was asked for.
    pub model: String,
    /// How to answer.
    pub instructions: Option<String>,
    /// The response that it follows.
    pub previous_response_id: Option<String>,
    /// The caller's own notes.
    pub metadata: Map<String, Value>,
    /// Whether it can be fetched and followed.
    pub store: bool,
    /// Whether it goes on without a reader.
    pub background: bool,
    /// Of the answer.
    pub temperature: f64,
    /// Of the answer.
    pub top_p: f64,
    /// Always 0.
    pub presence_penalty: f64,
    /// Always 0.
    pub frequency_penalty: f64,
    /// Always 0.
    pub top_logprobs: u32,
    /// Tokens of the answer at most.
    pub max_output_tokens: Option<u32>,
    /// Calls of tools at most.
    pub max_tool_calls: Option<u64>,
    /// The tools that were named.
    pub tools: Vec<Value>,
    /// `auto` or `none`.
    pub tool_choice: String,
    /// Shown again, and not used.
    pub parallel_tool_calls: bool,
    /// What happens to a history that is too long: its oldest turns are left out.
    pub truncation: String,
    /// The answer's form.
    pub text: TextForm,
    /// How much thought there is, and whether it is told.
    pub reasoning: Thinking,
    /// Always `default`.
    pub service_tier: String,
    /// Shown again, and not used.
    pub safety_identifier: Option<String>,
    /// Shown again, and not used.
    pub prompt_cache_key: Option<String>,
    /// Shown again, and not used.
    pub user: Option<String>,
}

/// The answer's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct TextForm {
    /// Which.
    pub format: Format,
}

/// A form of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Format {
    /// `text`, `json_object` or `json_schema`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Of a schema.
    #[serde(flatten)]
    pub schema: Option<NamedSchema>,
}

/// What an answer fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct NamedSchema {
    /// As it was asked for.
    pub name: String,
    /// As it was asked for.
    pub schema: Value,
    /// Whether the provider is to hold the model to it.
    pub strict: bool,
}

impl Format {
    /// Words, in Markdown.
    pub(crate) fn text() -> Format {
        Format { kind: "text".to_owned(), schema: None }
    }

    /// A form that is no text.
    pub(crate) fn of(form: &Form) -> Format {
        let (kind, schema) = match form {
            Form::JsonObject => ("json_object", None),
            Form::JsonSchema { name, schema, strict } => {
                let schema = serde_json::from_str(schema).unwrap_or_default();
                ("json_schema", Some(NamedSchema { name: name.clone(), schema, strict: *strict }))
            }
        };
        Format { kind: kind.to_owned(), schema }
    }
}

/// How much thought there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Thinking {
    /// As it was asked for.
    pub effort: Option<quarry_types::ReasoningEffort>,
    /// As it was asked for.
    pub summary: Option<String>,
}

/// A response.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseObject"))]
pub(crate) struct Object<'a> {
    /// How far it has come.
    #[serde(flatten)]
    pub so_far: SoFar<'a>,
    /// What was asked for.
    #[serde(flatten)]
    pub echo: &'a Echo,
    /// What only this server tells.
    #[serde(flatten)]
    pub more: More<'a>,
}

impl Object<'_> {
    /// As JSON: what serde makes of it, without its way of putting one object into another.
    ///
    /// # Errors
    /// [`Formless`] for what is no JSON.
    pub fn text(&self) -> Result<String, Formless> {
        let mut out = Vec::with_capacity(MOST_OBJECTS);
        json::write(&self.so_far, &mut out)?;
        json::write_beside(self.echo, &mut out)?;
        json::write_beside(&self.more, &mut out)?;
        String::from_utf8(out).map_err(|_| Formless)
    }
}

/// A response as far as it has come.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct SoFar<'a> {
    /// Opens the ask behind it, `resp_` and its id, or the run, `resp_run_` and its id.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created_at: u64,
    /// Seconds since 1970.
    pub completed_at: Option<u64>,
    /// Where it stands.
    pub status: Status,
    /// Why it is `incomplete`.
    pub incomplete_details: Option<Incomplete>,
    /// Why it `failed`.
    pub error: Option<&'a Failure>,
    /// What came of it so far.
    pub output: &'a [Item],
    /// Sums over all of the ask's model calls; null until they are known.
    pub usage: Option<&'a Usage>,
}

/// What no other server tells of a response.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct More<'a> {
    /// What only Quarry knows.
    pub quarry: Beside<'a>,
}

/// Why a response ended before its end.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Incomplete {
    /// `max_output_tokens` or `content_filter`.
    pub reason: &'static str,
}

/// Why a response failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Failure {
    /// `server_error`, `rate_limit_exceeded` or `invalid_prompt`.
    pub code: &'static str,
    /// In words.
    pub message: String,
}

/// What only Quarry knows.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Beside<'a> {
    /// The model that answers, `provider:name`; null until it is known.
    pub model: Option<&'a str>,
    /// How many of the oldest turns of the conversation were left out, because the model has no room for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns_left_out: Option<usize>,
    /// Seconds after which the provider's limit is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_seconds: Option<f64>,
    /// Why it failed, in the word that an ask's `error` has for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// Sources that had been found before it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<usize>,
    /// The run behind it, as `/runs/{id}` knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<&'a str>,
    /// Tokens of all of a run's calls whose use is known, in and out together. Of a run that was begun before they were told
    /// apart `usage` is null. Whoever cancels a run may cut a call off: its use is unknown, so it is in no sum, and no cost is
    /// told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars of all of a run's calls, where each is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// What was used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseUsage"))]
pub(crate) struct Usage {
    input_tokens: u64,
    input_tokens_details: InputDetails,
    output_tokens: u64,
    output_tokens_details: OutputDetails,
    total_tokens: u64,
    /// US dollars; absent where not every call's cost is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct InputDetails {
    /// Read from the provider's cache.
    cached_tokens: u64,
    /// Always 0: what a provider wrote into its cache is part of the input. Clients of typed languages want the field.
    cache_write_tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct OutputDetails {
    /// Thoughts that are not shown. Of a run that was begun before they were kept, 0, as what came from a cache.
    reasoning_tokens: u64,
}

impl Usage {
    /// None where a call's use is unknown: a sum without it would be wrong.
    pub(super) fn of(costs: &Costs) -> Option<Usage> {
        costs.is_whole().then(|| Usage {
            input_tokens: costs.token_counts.input,
            input_tokens_details: InputDetails {
                cached_tokens: costs.sum(|step| step.cached_input_tokens),
                cache_write_tokens: 0,
            },
            output_tokens: costs.token_counts.output,
            output_tokens_details: OutputDetails {
                reasoning_tokens: costs.sum(|step| step.reasoning_tokens),
            },
            total_tokens: costs.token_counts.total,
            cost: costs.known(),
        })
    }
}

/// Something that came of a response.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseItem"))]
pub(crate) enum Item {
    /// What goes on, told to people.
    Reasoning { id: String, status: Status, summary: Vec<Part>, encrypted_content: Option<String> },
    /// A search of the web, or a page that is read.
    WebSearchCall { id: String, status: Status, action: Action },
    /// A program that is run.
    CodeInterpreterCall {
        id: String,
        status: Status,
        code: String,
        container_id: &'static str,
        outputs: Option<Vec<Output>>,
    },
    /// A search of documents of one's own.
    FileSearchCall {
        id: String,
        status: Status,
        queries: Vec<String>,
        /// What was found, where `include` names it; else null.
        results: Option<Vec<Value>>,
    },
    /// The answer.
    Message {
        id: String,
        status: Status,
        role: &'static str,
        phase: &'static str,
        content: Vec<Part>,
    },
}

impl Item {
    /// Its id.
    pub(super) fn id(&self) -> &str {
        match self {
            Item::Reasoning { id, .. }
            | Item::WebSearchCall { id, .. }
            | Item::CodeInterpreterCall { id, .. }
            | Item::FileSearchCall { id, .. }
            | Item::Message { id, .. } => id,
        }
    }

    /// Says where it stands.
    pub(super) fn set(&mut self, now: Status) {
        match self {
            Item::Reasoning { status, .. }
            | Item::WebSearchCall { status, .. }
            | Item::CodeInterpreterCall { status, .. }
            | Item::FileSearchCall { status, .. }
            | Item::Message { status, .. } => *status = now,
        }
    }

    /// Its only part, where it has one.
    pub(super) fn part(&self) -> Option<&Part> {
        match self {
            Item::Reasoning { summary: parts, .. } | Item::Message { content: parts, .. } => {
                parts.first()
            }
            _ => None,
        }
    }

    /// Its only part, to be changed.
    pub(super) fn part_mut(&mut self) -> Option<&mut Part> {
        match self {
            Item::Reasoning { summary: parts, .. } | Item::Message { content: parts, .. } => {
                parts.first_mut()
            }
            _ => None,
        }
    }
}

/// A piece of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponsePart"))]
pub(crate) enum Part {
    /// What goes on, in Markdown with a bold title.
    SummaryText { text: String },
    /// The answer, in Markdown. There are never any `logprobs`.
    OutputText { text: String, annotations: Vec<Annotation>, logprobs: Vec<Value> },
}

impl Part {
    /// Its text.
    pub(super) fn text(&self) -> &str {
        match self {
            Part::SummaryText { text } | Part::OutputText { text, .. } => text,
        }
    }
}

/// A place in the answer that cites a source. Indexes are code points, half-open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ResponseAnnotation"))]
pub(crate) enum Annotation {
    /// A page.
    UrlCitation { start_index: usize, end_index: usize, url: String, title: String },
    /// A document of one's own, and where its citation ends.
    FileCitation { index: usize, file_id: String, filename: String },
}

/// What is done on the web.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) enum Action {
    /// A search; the addresses that it found, where `include` names them.
    Search {
        query: String,
        queries: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sources: Option<Vec<Value>>,
    },
    /// A page is read.
    OpenPage { url: String },
}

/// What a program gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) enum Output {
    /// As JSON text.
    Logs { logs: String },
}

/// A frame of a stream. Which fields there are depends on the type.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseFrame"))]
pub(crate) struct Frame<'a> {
    /// The same as the event's name.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// From 0, without gaps.
    pub sequence_number: u64,
    /// The response as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Object<'a>>"))]
    pub response: Option<Written<'a>>,
    /// Which item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_index: Option<usize>,
    /// The item as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<&'a Item>,
    /// The item's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<&'a str>,
    /// Which part of an answer: always 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_index: Option<u32>,
    /// Which part of a summary: always 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_index: Option<u32>,
    /// The part as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'a Part>,
    /// What is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<&'a str>,
    /// All of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// The whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
    /// Which annotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotation_index: Option<usize>,
    /// The annotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotation: Option<&'a Annotation>,
    /// Always empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<Value>>,
}

#[cfg(test)]
mod tests;
