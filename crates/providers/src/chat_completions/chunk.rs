//! Streamed chunks and whole answers.
//!
//! Border: JSON in, pieces of a reply out. Tolerant of the ways in which providers differ, strict
//! about what is no chunk at all.

use crate::json::{TextOrJson, count, lenient, nullable};
use crate::reply::Reply;
use quarry_types::{FinishReason, ToolCall, Usage};
use serde::Deserialize;

/// One chunk of a stream, or a whole answer: they differ in `delta` and `message`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Chunk {
    #[serde(default, deserialize_with = "nullable")]
    model: String,
    #[serde(default, deserialize_with = "nullable")]
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<WireUsage>,
    /// Where Groq used to put the usage.
    #[serde(default, deserialize_with = "lenient")]
    x_groq: Option<GroqExtra>,
    /// Errors travel inside streams too.
    #[serde(default)]
    error: Option<serde_json::Value>,
}

impl Chunk {
    /// What went wrong. Some proxies write an empty error beside what went well.
    pub(crate) fn take_error(&mut self) -> Option<serde_json::Value> {
        self.error.take().filter(|error| match error {
            serde_json::Value::String(text) => !text.is_empty(),
            serde_json::Value::Object(members) => !members.is_empty(),
            serde_json::Value::Bool(is_wrong) => *is_wrong,
            _ => true,
        })
    }
}

#[derive(Debug, Deserialize)]
struct GroqExtra {
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<WireUsage>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default, deserialize_with = "nullable")]
    index: u32,
    #[serde(default)]
    delta: Option<Delta>,
    /// In place of `delta` where the answer is not streamed.
    #[serde(default)]
    message: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Delta {
    #[serde(default)]
    content: Option<Content>,
    /// OpenAI's words for why it does not answer.
    #[serde(default)]
    refusal: Option<String>,
    /// `DeepSeek`'s name for thoughts, and of many who serve models.
    #[serde(default, deserialize_with = "lenient")]
    reasoning_content: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    tool_calls: Vec<CallDelta>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    /// Mistral's thinking models write parts, some of them thoughts.
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CallDelta {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default, deserialize_with = "nullable")]
    id: String,
    #[serde(default, deserialize_with = "nullable")]
    function: FunctionDelta,
    #[serde(default, deserialize_with = "lenient")]
    extra_content: Option<ExtraContent>,
}

#[derive(Debug, Deserialize)]
struct ExtraContent {
    google: GoogleExtra,
}

#[derive(Debug, Deserialize)]
struct GoogleExtra {
    thought_signature: String,
}

#[derive(Debug, Default, Deserialize)]
struct FunctionDelta {
    #[serde(default, deserialize_with = "nullable")]
    name: String,
    #[serde(default)]
    arguments: Option<TextOrJson>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct WireUsage {
    #[serde(deserialize_with = "count")]
    prompt_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    completion_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    total_tokens: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    prompt_tokens_details: Option<PromptDetails>,
    #[serde(deserialize_with = "lenient")]
    completion_tokens_details: Option<CompletionDetails>,
    /// `DeepSeek`'s name for cached input.
    #[serde(deserialize_with = "count")]
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct PromptDetails {
    #[serde(deserialize_with = "count")]
    cached_tokens: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct CompletionDetails {
    #[serde(deserialize_with = "count")]
    reasoning_tokens: Option<u64>,
}

impl WireUsage {
    fn into_usage(self) -> Option<Usage> {
        let input = self.prompt_tokens.unwrap_or_default();
        let output = self.completion_tokens.unwrap_or_default();
        // An empty object is no report.
        if input == 0 && output == 0 {
            return None;
        }
        // Gemini's door leaves thoughts out of the completion but not out of the total.
        let parts = input.saturating_add(output);
        let thoughts = self.total_tokens.unwrap_or_default().saturating_sub(parts);
        let cached = self.prompt_tokens_details.and_then(|details| details.cached_tokens);
        let reasoning = self.completion_tokens_details.and_then(|details| details.reasoning_tokens);
        Some(Usage {
            input,
            output: output.saturating_add(thoughts),
            cached_input: cached.max(self.prompt_cache_hit_tokens).unwrap_or_default(),
            reasoning: reasoning.unwrap_or_default().max(thoughts),
            reported: true,
        })
    }
}

/// Calls of one reply that are put together: more is no work that anybody asked for.
pub(crate) const MOST_CALLS: usize = 1_000;

/// Bytes of arguments that are looked through for their end in one reply: whoever repeats the name with each of very many
/// pieces has all of them looked through each time.
const MOST_JUDGED: usize = 32 * 1024 * 1024;

#[derive(Debug)]
struct OpenCall {
    index: Option<usize>,
    call: ToolCall,
}

/// Puts a reply together from chunks.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    calls: Vec<OpenCall>,
    /// Bytes of arguments that were looked through for their end.
    judged: usize,
    reasoning: String,
    finish_reason: Option<FinishReason>,
    usage: Option<Usage>,
    model: String,
}

impl Decoder {
    /// Takes a chunk in; its text is appended to `text`.
    pub(crate) fn take(&mut self, chunk: Chunk, text: &mut String) {
        if self.model.is_empty() {
            self.model = chunk.model;
        }
        let usage = chunk.usage.or_else(|| chunk.x_groq.and_then(|extra| extra.usage));
        if let Some(usage) = usage.and_then(WireUsage::into_usage) {
            self.usage = Some(usage);
        }
        // One choice was asked for; a provider that sends more is not followed.
        for choice in chunk.choices.into_iter().filter(|choice| choice.index == 0) {
            let delta = choice.delta.or(choice.message).unwrap_or_default();
            match delta.content {
                Some(Content::Text(piece)) => text.push_str(&piece),
                Some(Content::Parts(parts)) => {
                    parts
                        .iter()
                        .filter(|part| part.r#type == "text")
                        .for_each(|part| text.push_str(part.text.as_deref().unwrap_or_default()));
                }
                None => {}
            }
            text.push_str(delta.refusal.as_deref().unwrap_or_default());
            self.reasoning.push_str(delta.reasoning_content.as_deref().unwrap_or_default());
            for call in delta.tool_calls {
                self.take_call(call);
            }
            if let Some(reason) = choice.finish_reason.as_deref().filter(|text| !text.is_empty()) {
                self.finish_reason = Some(finish_reason(&reason.to_lowercase()));
            }
        }
    }

    fn take_call(&mut self, delta: CallDelta) {
        let arguments = delta.function.arguments.map(TextOrJson::into_text).unwrap_or_default();
        let signature = delta.extra_content.map(|extra| extra.google.thought_signature);
        let position = self.continued(delta.index, &delta.id, &delta.function.name);
        if let Some(open) = position.and_then(|position| self.calls.get_mut(position)) {
            if open.call.id.is_empty() {
                open.call.id = delta.id;
            }
            // Some repeat the whole name with every piece; none sends it in pieces.
            if open.call.name.is_empty() {
                open.call.name = delta.function.name;
            }
            open.call.arguments.push_str(&arguments);
            open.call.signature = signature.or(open.call.signature.take());
        } else if self.calls.len() < MOST_CALLS {
            let (id, name) = (delta.id, delta.function.name);
            let call = ToolCall { id, name, arguments, signature };
            self.calls.push(OpenCall { index: delta.index, call });
        }
    }

    /// Which open call a delta goes on with; none: it opens one.
    ///
    /// Not every provider numbers its calls: Gemini and Ollama send each call whole, all of them
    /// with index 0 or with none.
    fn continued(&mut self, index: Option<usize>, id: &str, name: &str) -> Option<usize> {
        let position = match index {
            Some(_) => self.calls.iter().rposition(|open| open.index == index)?,
            None if id.is_empty() => self.calls.len().checked_sub(1)?,
            None => self.calls.iter().rposition(|open| open.call.id == id)?,
        };
        let call = &self.calls.get(position)?.call;
        let other_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
        let whole_before = id.is_empty()
            && !name.is_empty()
            && !call.name.is_empty()
            && self.judged < MOST_JUDGED
            && {
                self.judged += call.arguments.len();
                serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_ok()
            };
        (!other_id && !whole_before).then_some(position)
    }

    /// Whether the provider said that the reply is whole.
    pub(crate) const fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// The reply, with the text that was collected meanwhile.
    pub(crate) fn into_reply(self, text: String) -> Reply {
        let mut tool_calls: Vec<ToolCall> = self
            .calls
            .into_iter()
            .map(|open| open.call)
            .filter(|call| !call.name.is_empty())
            .collect();
        for (position, call) in tool_calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{}", position + 1);
            }
        }
        // Who says that this was all, and not why, was done.
        let finish_reason = match self.finish_reason.unwrap_or(FinishReason::Stop) {
            // Gemini and Ollama say `stop` where others say `tool_calls`.
            FinishReason::Stop | FinishReason::Other if !tool_calls.is_empty() => {
                FinishReason::ToolCalls
            }
            reason => reason,
        };
        let reasoning = Some(self.reasoning).filter(|thoughts| !thoughts.is_empty());
        let (usage, model) = (self.usage, self.model);
        Reply { text, tool_calls, reasoning, usage, finish_reason, model }
    }
}

fn finish_reason(text: &str) -> FinishReason {
    match text {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "complete" => {
            FinishReason::Stop
        }
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        "safety" | "recitation" | "blocklist" | "prohibited_content" | "spii" => {
            FinishReason::ContentFilter
        }
        // Gemini says behind it which one.
        filter if filter.starts_with("content_filter") => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    }
}
