//! How requests and replies read in events: the reference's internal shapes (its section 19).

use quarry_evidence::Source;
use quarry_types::text::cut;
use quarry_types::{
    ChatRequest, Completion, Message, ModelId, ReasoningEffort, Role, ToolCall, ToolSpec, Usage,
};
use serde::Serialize;
use serde_json::{Value, json};

/// Characters of a description that events show.
const DESCRIPTION: usize = 300;

/// Sources as events show them, without the text of their pages.
#[must_use]
pub fn listing(sources: &[Source]) -> Vec<quarry_events::Source> {
    let shown = |source: &Source| quarry_events::Source {
        n: source.n,
        title: source.title.clone(),
        url: source.url.clone(),
        date: source.date.clone(),
        description: cut(&source.description, DESCRIPTION),
    };
    sources.iter().map(shown).collect()
}

/// A request without any key. It borrows: conversations are long, and every call shows one.
#[derive(Debug, Serialize)]
pub struct Request<'a> {
    model: &'a ModelId,
    input: Vec<Item<'a>>,
    tools: Vec<Tool<'a>>,
    options: Options,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Output {
        #[serde(rename = "type")]
        kind: &'static str,
        call_id: Option<&'a str>,
        output: &'a str,
    },
    Message {
        role: Role,
        content: &'a str,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
}

/// A tool call as an assistant message carries it.
#[derive(Debug, Serialize)]
struct Call<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    spec: &'a ToolSpec,
}

#[derive(Debug, Serialize)]
struct Options {
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(rename = "reasoningEffort")]
    reasoning_effort: Option<ReasoningEffort>,
    #[serde(rename = "timeoutMs")]
    timeout_ms: u64,
    #[serde(rename = "responseFormat", skip_serializing_if = "Option::is_none")]
    response_format: Option<&'static str>,
}

impl<'a> Request<'a> {
    /// A request of which the provider gives up after so many milliseconds.
    #[must_use]
    pub fn new(request: &'a ChatRequest, timeout_ms: u64) -> Self {
        Request {
            model: &request.model,
            input: request.messages.iter().map(Item::from).collect(),
            tools: request.tools.iter().map(|spec| Tool { kind: "function", spec }).collect(),
            options: Options {
                max_tokens: request.max_output_tokens,
                temperature: request.temperature,
                reasoning_effort: request.reasoning_effort,
                timeout_ms,
                response_format: request.json.then_some("json_object"),
            },
        }
    }
}

impl<'a> From<&'a Message> for Item<'a> {
    fn from(message: &'a Message) -> Self {
        match message.role {
            Role::Tool => Item::Output {
                kind: "function_call_output",
                call_id: message.tool_call_id.as_deref(),
                output: &message.content,
            },
            Role::System | Role::User | Role::Assistant => Item::Message {
                role: message.role,
                content: &message.content,
                tool_calls: message.tool_calls.iter().map(Call::from).collect(),
            },
        }
    }
}

impl<'a> From<&'a ToolCall> for Call<'a> {
    fn from(call: &'a ToolCall) -> Self {
        let function = Function { name: &call.name, arguments: &call.arguments };
        Call { id: &call.id, kind: "function", function }
    }
}

/// `{ output, text, usage, … }`.
#[must_use]
pub fn response(completion: &Completion) -> Value {
    let output: Vec<Value> = completion
        .tool_calls
        .iter()
        .map(|call| {
            json!({
                "type": "function_call",
                "id": call.id,
                "call_id": call.id,
                "name": call.name,
                "arguments": call.arguments,
            })
        })
        .collect();
    json!({
        "output": output,
        "text": completion.text,
        "usage": usage(&completion.usage),
        "model": completion.model,
        "finishReason": completion.finish_reason,
        "attempts": completion.attempts,
    })
}

/// Usage with the field names that clients know from Chat Completions.
#[must_use]
pub fn usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total(),
        "cached_tokens": usage.cached_input,
        "reasoning_tokens": usage.reasoning,
        "estimated": !usage.reported,
    })
}
