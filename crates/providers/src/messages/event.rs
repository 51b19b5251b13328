//! Stream events and whole answers.
//!
//! Border: JSON in, pieces of a reply out. Event types that this version does not know are
//! skipped, as the format asks of its readers. Read by hand: readers that serde derives are more code.

use crate::chat_completions::MOST_CALLS;
use crate::failure::{self, Failure};
use crate::json::{at, items, number, words};
use crate::reply::{Reply, malformed};
use quarry_types::{FinishReason, ToolCall, Usage};
use serde_json::Value;

#[derive(Debug, Default, Clone, Copy)]
struct WireUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

#[derive(Debug)]
struct OpenCall {
    index: Option<u64>,
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
    finish_reason: Option<FinishReason>,
    stopped: bool,
}

impl Decoder {
    /// Takes an event in; its text is appended to `text`.
    pub(crate) fn take(&mut self, event: &Value, text: &mut String) -> Result<(), Failure> {
        let index = number(event, "index");
        match words(event, "type") {
            "message_start" => {
                let message = at(event, "message");
                if !message.is_object() {
                    return Err(malformed("a message begins, and is none".to_owned()));
                }
                self.take_head(message);
            }
            "content_block_start" => self.take_block(index, at(event, "content_block"), text),
            "content_block_delta" => self.take_delta(index, at(event, "delta"), text),
            "message_delta" => {
                self.take_usage(at(event, "usage"));
                self.take_reason(at(event, "delta"));
            }
            "message_stop" => self.stopped = true,
            "error" => return Err(failure::in_stream(at(event, "error"))),
            // `ping`, `content_block_stop`, and whatever comes later.
            _ => {}
        }
        Ok(())
    }

    /// Takes an answer in that is not streamed.
    pub(crate) fn take_whole(&mut self, answer: &Value, text: &mut String) -> Result<(), Failure> {
        let error = at(answer, "error");
        if !error.is_null() {
            return Err(failure::in_stream(error));
        }
        self.take_head(answer);
        for block in items(answer, "content") {
            self.take_block(None, block, text);
        }
        self.take_reason(answer);
        self.stopped = true;
        Ok(())
    }

    fn take_head(&mut self, message: &Value) {
        words(message, "model").clone_into(&mut self.model);
        self.take_usage(at(message, "usage"));
    }

    fn take_block(&mut self, index: Option<u64>, block: &Value, text: &mut String) {
        match words(block, "type") {
            "text" => text.push_str(words(block, "text")),
            "tool_use" if !words(block, "name").is_empty() && self.calls.len() < MOST_CALLS => {
                let [id, name] = ["id", "name"].map(|field| words(block, field).to_owned());
                let call = ToolCall { id, name, arguments: String::new(), signature: None };
                self.calls.push(OpenCall { index, call, input: at(block, "input").clone() });
            }
            // Thoughts, server tools: nothing of the answer.
            _ => {}
        }
    }

    fn take_delta(&mut self, index: Option<u64>, delta: &Value, text: &mut String) {
        match words(delta, "type") {
            "text_delta" => text.push_str(words(delta, "text")),
            "input_json_delta" => {
                if let Some(open) = self.calls.iter_mut().rfind(|open| open.index == index) {
                    open.call.arguments.push_str(words(delta, "partial_json"));
                }
            }
            _ => {}
        }
    }

    fn take_reason(&mut self, told: &Value) {
        if let Some(reason) = at(told, "stop_reason").as_str() {
            self.finish_reason = Some(finish_reason(reason));
        }
    }

    fn take_usage(&mut self, told: &Value) {
        // Figures are cumulative: a later one replaces an earlier one.
        let seen = &mut self.usage;
        let count = |field, seen| number(told, field).or(seen);
        seen.input_tokens = count("input_tokens", seen.input_tokens);
        seen.output_tokens = count("output_tokens", seen.output_tokens);
        seen.cache_read_input_tokens =
            count("cache_read_input_tokens", seen.cache_read_input_tokens);
        seen.cache_creation_input_tokens =
            count("cache_creation_input_tokens", seen.cache_creation_input_tokens);
    }

    /// Whether the provider said that nothing follows.
    pub(crate) const fn has_stopped(&self) -> bool {
        self.stopped
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
            // An object without a count is no report.
            usage: (usage.input > 0 || usage.output > 0).then_some(usage),
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
