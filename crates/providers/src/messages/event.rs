//! Stream events and whole answers.
//!
//! Border: JSON in, pieces of a reply out. Event types that this version does not know are
//! skipped, as the format asks of its readers.

use crate::json::{count, lenient, nullable};
use crate::reply::Reply;
use quarry_types::{FinishReason, ToolCall, Usage};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum StreamEvent {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        index: usize,
        content_block: Block,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    MessageDelta {
        delta: Ending,
        #[serde(default, deserialize_with = "lenient")]
        usage: Option<WireUsage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// `ping`, `content_block_stop`, and whatever comes later.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    #[serde(default)]
    model: String,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<WireUsage>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// Thoughts, server tools: nothing of the answer.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Ending {
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
pub(crate) struct WireUsage {
    #[serde(default, deserialize_with = "count")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "count")]
    cache_creation_input_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WholeAnswer {
    #[serde(default)]
    model: String,
    #[serde(default, deserialize_with = "nullable")]
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<WireUsage>,
    #[serde(default)]
    pub(crate) error: Option<Value>,
}

#[derive(Debug)]
struct OpenCall {
    index: usize,
    call: ToolCall,
    /// The input that came with the block's start; deltas replace it.
    input: Value,
}

/// Puts a reply together from events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    calls: Vec<OpenCall>,
    model: String,
    usage: WireUsage,
    has_usage: bool,
    finish_reason: Option<FinishReason>,
    stopped: bool,
}

impl Decoder {
    /// Takes an event in; its text is appended to `text`. An error event is given back.
    pub(crate) fn take(&mut self, event: StreamEvent, text: &mut String) -> Option<Value> {
        match event {
            StreamEvent::MessageStart { message } => {
                self.model = message.model;
                self.take_usage(message.usage);
            }
            StreamEvent::ContentBlockStart { index, content_block } => {
                self.take_block(index, content_block, text);
            }
            StreamEvent::ContentBlockDelta { index, delta } => match delta {
                Delta::Text { text: piece } => text.push_str(&piece),
                Delta::InputJson { partial_json } => {
                    if let Some(open) = self.calls.iter_mut().rfind(|open| open.index == index) {
                        open.call.arguments.push_str(&partial_json);
                    }
                }
                Delta::Unknown => {}
            },
            StreamEvent::MessageDelta { delta, usage } => {
                self.take_usage(usage);
                if let Some(reason) = delta.stop_reason {
                    self.finish_reason = Some(finish_reason(&reason));
                }
            }
            StreamEvent::MessageStop => self.stopped = true,
            StreamEvent::Error { error } => return Some(error),
            StreamEvent::Unknown => {}
        }
        None
    }

    pub(crate) fn take_whole(&mut self, answer: WholeAnswer, text: &mut String) {
        self.model = answer.model;
        self.take_usage(answer.usage);
        for (index, block) in answer.content.into_iter().enumerate() {
            self.take_block(index, block, text);
        }
        self.finish_reason = answer.stop_reason.as_deref().map(finish_reason);
        self.stopped = true;
    }

    fn take_block(&mut self, index: usize, block: Block, text: &mut String) {
        match block {
            Block::Text { text: piece } => text.push_str(&piece),
            Block::ToolUse { id, name, input } => {
                let call = ToolCall { id, name, arguments: String::new(), signature: None };
                self.calls.push(OpenCall { index, call, input });
            }
            Block::Unknown => {}
        }
    }

    fn take_usage(&mut self, usage: Option<WireUsage>) {
        let Some(usage) = usage else { return };
        self.has_usage = true;
        // Figures are cumulative: a later one replaces an earlier one.
        let seen = &mut self.usage;
        seen.input_tokens = usage.input_tokens.or(seen.input_tokens);
        seen.output_tokens = usage.output_tokens.or(seen.output_tokens);
        seen.cache_read_input_tokens =
            usage.cache_read_input_tokens.or(seen.cache_read_input_tokens);
        seen.cache_creation_input_tokens =
            usage.cache_creation_input_tokens.or(seen.cache_creation_input_tokens);
    }

    /// Whether the provider said that the reply is whole.
    pub(crate) const fn is_finished(&self) -> bool {
        self.stopped || self.finish_reason.is_some()
    }

    /// The reply, with the text that was collected meanwhile.
    pub(crate) fn into_reply(self, text: String) -> Reply {
        let cached = self.usage.cache_read_input_tokens.unwrap_or(0);
        let written = self.usage.cache_creation_input_tokens.unwrap_or(0);
        let usage = Usage {
            input: self
                .usage
                .input_tokens
                .unwrap_or(0)
                .saturating_add(cached)
                .saturating_add(written),
            output: self.usage.output_tokens.unwrap_or(0),
            cached_input: cached,
            reasoning: 0,
            reported: true,
        };
        let tool_calls = self
            .calls
            .into_iter()
            .map(|open| match open.call.arguments.is_empty() {
                true if open.input.is_object() => {
                    ToolCall { arguments: open.input.to_string(), ..open.call }
                }
                _ => open.call,
            })
            .collect();
        Reply {
            text,
            tool_calls,
            // Thoughts may be left out of what is sent back here.
            reasoning: None,
            usage: self.has_usage.then_some(usage),
            // Who says that this was all, and not why, was done.
            finish_reason: self.finish_reason.unwrap_or(FinishReason::Stop),
            model: self.model,
        }
    }
}

fn finish_reason(text: &str) -> FinishReason {
    match text {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    }
}
