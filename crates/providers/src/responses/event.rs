//! Stream events and whole answers.
//!
//! Border: JSON in, pieces of a reply out. Events and items that this version does not know are skipped, and what of one
//! has another shape is not there.

use crate::chat_completions::MOST_CALLS;
use crate::json::{TextOrJson, count, lenient, nullable};
use crate::reply::Reply;
use quarry_types::{FinishReason, ToolCall, Usage};
use serde::Deserialize;
use serde_json::Value;

/// An event, with the fields of every kind side by side: read kind by kind, it would be a tree first.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    #[serde(rename = "type", default)]
    kind: Kind,
    #[serde(default, deserialize_with = "lenient")]
    delta: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    item: Option<Item>,
    #[serde(default, deserialize_with = "lenient")]
    response: Option<Response>,
    /// Where errors of the official kind and of those in between have it.
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Kind {
    #[serde(rename = "response.output_text.delta")]
    TextDelta,
    #[serde(rename = "response.refusal.delta")]
    RefusalDelta,
    #[serde(rename = "response.output_item.done")]
    ItemDone,
    #[serde(rename = "response.completed")]
    Completed,
    #[serde(rename = "response.incomplete")]
    Incomplete,
    #[serde(rename = "response.failed")]
    Failed,
    #[serde(rename = "error")]
    Error,
    /// Beginnings, pieces of what comes whole as well, and whatever comes later.
    #[default]
    #[serde(other)]
    Unknown,
}

impl Event {
    /// Whether it says what went wrong, and is no response.
    pub(crate) const fn is_error(&self) -> bool {
        matches!(self.kind, Kind::Error) || self.error.is_some()
    }
}

/// A response: as its stream's last event has it, or an answer that is not streamed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Response {
    #[serde(deserialize_with = "nullable")]
    model: String,
    #[serde(deserialize_with = "nullable")]
    output: Vec<Item>,
    #[serde(deserialize_with = "lenient")]
    usage: Option<WireUsage>,
    #[serde(deserialize_with = "lenient")]
    incomplete_details: Option<IncompleteDetails>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct IncompleteDetails {
    reason: Limit,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Limit {
    MaxOutputTokens,
    ContentFilter,
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Item {
    #[serde(rename = "type")]
    kind: ItemKind,
    #[serde(deserialize_with = "lenient")]
    content: Option<Vec<Part>>,
    #[serde(deserialize_with = "lenient")]
    call_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    arguments: Option<TextOrJson>,
    #[serde(deserialize_with = "lenient")]
    encrypted_content: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ItemKind {
    Message,
    Reasoning,
    FunctionCall,
    /// Tools of the provider's own: nothing of the answer.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A part of a message: its text, or why there is none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part {
    #[serde(deserialize_with = "nullable")]
    text: String,
    #[serde(deserialize_with = "nullable")]
    refusal: String,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct WireUsage {
    #[serde(deserialize_with = "count")]
    input_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    output_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    input_tokens_details: Option<Details>,
    #[serde(deserialize_with = "lenient")]
    output_tokens_details: Option<Details>,
}

/// Of the input the one, of the output the other.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "count")]
    cached_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    reasoning_tokens: Option<u64>,
}

impl WireUsage {
    fn into_usage(self) -> Option<Usage> {
        let input = self.input_tokens.unwrap_or_default();
        let output = self.output_tokens.unwrap_or_default();
        let cached = self.input_tokens_details.and_then(|details| details.cached_tokens);
        let reasoning = self.output_tokens_details.and_then(|details| details.reasoning_tokens);
        // An empty object is no report.
        (input > 0 || output > 0).then_some(Usage {
            input,
            output,
            cached_input: cached.unwrap_or_default(),
            reasoning: reasoning.unwrap_or_default(),
            reported: true,
        })
    }
}

/// Puts a reply together from events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    calls: Vec<ToolCall>,
    /// Sealed thoughts that no call has come of yet, a line each.
    thoughts: String,
    /// Whether an item has come whole.
    has_items: bool,
    /// Whether the message under way came in pieces, and whether one has ended before what comes next.
    has_pieces: bool,
    has_ended: bool,
    usage: Option<Usage>,
    finish_reason: Option<FinishReason>,
    model: String,
}

impl Decoder {
    /// Takes an event in; its text is appended to `text`. Why a response failed is given back.
    pub(crate) fn take(&mut self, event: Event, text: &mut String) -> Option<Value> {
        match event.kind {
            Kind::TextDelta | Kind::RefusalDelta => {
                self.has_pieces = true;
                self.say(event.delta.as_deref().unwrap_or_default(), text);
            }
            Kind::ItemDone => {
                if let Some(item) = event.item {
                    self.take_item(item, text);
                }
            }
            Kind::Completed => self.take_response(event.response.unwrap_or_default(), text),
            Kind::Incomplete => {
                self.take_response(event.response.unwrap_or_default(), text);
                // It is for a reason that nobody told.
                self.finish_reason = self.finish_reason.map(|reason| match reason {
                    FinishReason::Stop => FinishReason::Other,
                    told => told,
                });
            }
            Kind::Failed => {
                return Some(event.response.and_then(|it| it.error).unwrap_or_default());
            }
            Kind::Error => return Some(event.error.unwrap_or_default()),
            Kind::Unknown => {}
        }
        None
    }

    /// Takes an answer in that is not streamed. Why it failed is given back.
    pub(crate) fn take_whole(&mut self, mut answer: Response, text: &mut String) -> Option<Value> {
        let error = answer.error.take();
        if error.is_none() {
            self.take_response(answer, text);
        }
        error
    }

    fn take_response(&mut self, response: Response, text: &mut String) {
        // Its items came one by one, unless somebody in between has left that out.
        if !self.has_items {
            for item in response.output {
                self.take_item(item, text);
            }
        }
        self.usage = response.usage.and_then(WireUsage::into_usage);
        self.model = response.model;
        self.finish_reason = Some(match response.incomplete_details.map(|it| it.reason) {
            None => FinishReason::Stop,
            Some(Limit::MaxOutputTokens) => FinishReason::Length,
            Some(Limit::ContentFilter) => FinishReason::ContentFilter,
            Some(Limit::Unknown) => FinishReason::Other,
        });
    }

    fn take_item(&mut self, item: Item, text: &mut String) {
        self.has_items = true;
        match item.kind {
            ItemKind::Message => {
                if !std::mem::take(&mut self.has_pieces) {
                    for part in item.content.unwrap_or_default() {
                        self.say(&part.text, text);
                        self.say(&part.refusal, text);
                    }
                }
                self.has_ended = true;
            }
            ItemKind::Reasoning => {
                if let Some(sealed) = item.encrypted_content {
                    self.thoughts.push_str(&sealed);
                    self.thoughts.push('\n');
                }
            }
            ItemKind::FunctionCall => self.take_call(item),
            ItemKind::Unknown => {}
        }
    }

    fn take_call(&mut self, item: Item) {
        let name = item.name.unwrap_or_default();
        if name.is_empty() || self.calls.len() >= MOST_CALLS {
            return;
        }
        let id = item.call_id.filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| format!("call_{}", self.calls.len() + 1));
        let thoughts = std::mem::take(&mut self.thoughts);
        self.calls.push(ToolCall {
            id,
            name,
            arguments: item.arguments.map(TextOrJson::into_text).unwrap_or_default(),
            signature: (!thoughts.is_empty()).then_some(thoughts),
        });
    }

    /// Appends words: those of a second message stand apart from the first one's.
    fn say(&mut self, words: &str, text: &mut String) {
        if words.is_empty() {
            return;
        }
        if std::mem::take(&mut self.has_ended) && !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(words);
    }

    /// Whether there is nothing of an answer.
    pub(crate) const fn is_empty(&self) -> bool {
        !self.has_items
    }

    /// Whether the provider said that the reply is whole.
    pub(crate) const fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// The reply, with the text that was collected meanwhile.
    pub(crate) fn into_reply(self, text: String) -> Reply {
        let finish_reason = match self.finish_reason.unwrap_or(FinishReason::Stop) {
            FinishReason::Stop if !self.calls.is_empty() => FinishReason::ToolCalls,
            reason => reason,
        };
        let Decoder { calls: tool_calls, usage, model, .. } = self;
        // They are sealed, and travel with the calls.
        let reasoning = None;
        Reply { text, tool_calls, reasoning, usage, finish_reason, model }
    }
}
