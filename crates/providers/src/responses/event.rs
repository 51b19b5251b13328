//! Stream events and whole answers.
//!
//! Border: JSON in, pieces of a reply out. Events and items that this version does not know are skipped, and what of one
//! has another shape is not there. Read by hand: readers that serde derives are more code.

use crate::chat_completions::MOST_CALLS;
use crate::failure::{self, Failure};
use crate::json::{TextOrJson, at, items, number, words};
use crate::reply::Reply;
use quarry_types::{FinishReason, ToolCall, Usage};
use serde_json::Value;

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
    /// Takes an event in; its text is appended to `text`.
    pub(crate) fn take(&mut self, event: &Value, text: &mut String) -> Result<(), Failure> {
        let response = at(event, "response");
        match words(event, "type") {
            "response.output_text.delta" | "response.refusal.delta" => {
                self.has_pieces = true;
                self.say(words(event, "delta"), text);
            }
            "response.output_item.done" => self.take_item(at(event, "item"), text),
            "response.completed" => self.take_response(response, FinishReason::Stop, text),
            "response.incomplete" => self.take_response(response, FinishReason::Other, text),
            "response.failed" => return Err(failure::in_stream(at(response, "error"))),
            kind if kind == "error" || !at(event, "error").is_null() => {
                return Err(failure::in_stream(event));
            }
            // Beginnings, and pieces of what comes whole as well.
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
        let otherwise = match words(answer, "status") == "incomplete" {
            true => FinishReason::Other,
            false => FinishReason::Stop,
        };
        self.take_response(answer, otherwise, text);
        Ok(())
    }

    /// `otherwise`: why it ended, where nothing cut it off.
    fn take_response(&mut self, response: &Value, otherwise: FinishReason, text: &mut String) {
        // Its items came one by one, unless somebody in between has left that out.
        if !self.has_items {
            for item in items(response, "output") {
                self.take_item(item, text);
            }
        }
        self.usage = usage(at(response, "usage"));
        words(response, "model").clone_into(&mut self.model);
        let reason = words(at(response, "incomplete_details"), "reason");
        self.finish_reason = Some(match reason {
            "" => otherwise,
            "max_output_tokens" => FinishReason::Length,
            "content_filter" => FinishReason::ContentFilter,
            _ => FinishReason::Other,
        });
    }

    fn take_item(&mut self, item: &Value, text: &mut String) {
        self.has_items = true;
        match words(item, "type") {
            "message" => {
                if !std::mem::take(&mut self.has_pieces) {
                    for part in items(item, "content") {
                        self.say(words(part, "text"), text);
                        self.say(words(part, "refusal"), text);
                    }
                }
                self.has_ended = true;
            }
            "reasoning" => {
                let sealed = words(item, "encrypted_content");
                if !sealed.is_empty() {
                    self.thoughts.push_str(sealed);
                    self.thoughts.push('\n');
                }
            }
            "function_call" => self.take_call(item),
            // Tools of the provider's own: nothing of the answer.
            _ => {}
        }
    }

    fn take_call(&mut self, item: &Value) {
        let [id, name] = ["call_id", "name"].map(|field| words(item, field).to_owned());
        if name.is_empty() || self.calls.len() >= MOST_CALLS {
            return;
        }
        let place = self.calls.len() + 1;
        let arguments = TextOrJson::Json(at(item, "arguments").clone()).into_text();
        let thoughts = std::mem::take(&mut self.thoughts);
        self.calls.push(ToolCall {
            id: if id.is_empty() { format!("call_{place}") } else { id },
            name,
            arguments,
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

/// None where nothing was counted: an empty object is no report.
fn usage(counts: &Value) -> Option<Usage> {
    let count = |counts: &Value, field: &str| number(counts, field).unwrap_or_default();
    let (input, output) = (count(counts, "input_tokens"), count(counts, "output_tokens"));
    let [of_input, of_output] =
        ["input_tokens_details", "output_tokens_details"].map(|field| at(counts, field));
    (input > 0 || output > 0).then(|| Usage {
        input,
        output,
        cached_input: count(of_input, "cached_tokens"),
        reasoning: count(of_output, "reasoning_tokens"),
        reported: true,
    })
}
