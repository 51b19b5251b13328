//! The request body.
//!
//! Border: a `ChatRequest` becomes JSON that the provider in it accepts; nothing is decided twice.

use crate::catalogue;
use crate::refused::{Parameter, Refused};
use crate::told::{Fit, told};
use quarry_types::{
    ChatRequest, Json, Message, ModelId, Provider, ReasoningEffort, ReplySchema, Role, Thoughts,
    ToolCall, fnv,
};
use serde::Serialize;
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Effort {
    Wished(ReasoningEffort),
    /// Not to think at all. Nobody wishes for it: some models do their work no other way.
    Silent(&'static str),
}

const SILENT: Effort = Effort::Silent("none");

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonObject,
    JsonSchema { json_schema: NamedSchema<'a> },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: &'a Json,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: Role,
    /// `null` only beside tool calls.
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<WireCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: WireFunction<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<ExtraContent<'a>>,
}

#[derive(Serialize)]
struct ExtraContent<'a> {
    google: GoogleExtra<'a>,
}

#[derive(Serialize)]
struct GoogleExtra<'a> {
    thought_signature: &'a str,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: ToolFunction<'a>,
}

#[derive(Serialize)]
struct ToolFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Json,
}

/// Writes the body of `POST {base}/chat/completions`.
pub(crate) fn body(request: &ChatRequest, refused: &Refused) -> Vec<u8> {
    let provider = request.model.provider;
    let name = request.model.name.as_str();
    let offers_tools = !request.tools.is_empty();
    let fit = Fit::of(request, refused);
    // OpenAI's reasoning models refuse a temperature and its like.
    let [temperature, top_p] = refused.drawn(request);
    let [max_tokens, max_completion_tokens] = ceilings(request, refused);
    let mut messages: Vec<WireMessage<'_>> =
        request.messages.iter().map(|message| wire_message(&request.model, message)).collect();
    if let Some(schema) = fit.told {
        tell(schema, &mut messages);
    }
    let body = Body {
        model: name,
        messages,
        stream: true,
        // Mistral always reports usage and refuses the option.
        stream_options: (provider != Provider::Mistral)
            .then_some(StreamOptions { include_usage: true }),
        tools: request.tools.iter().map(tool).collect(),
        tool_choice: offers_tools.then_some("auto"),
        temperature,
        top_p,
        max_tokens,
        max_completion_tokens,
        reasoning_effort: effort(request, refused),
        response_format: fit.has_place.then(|| format(fit.placed)),
    };
    // Plain data with text keys always serialises.
    serde_json::to_vec(&body).unwrap_or_default()
}

/// The ceiling, as `max_tokens` or as `max_completion_tokens`: under the other name where the usual one was refused.
fn ceilings(request: &ChatRequest, refused: &Refused) -> [Option<u32>; 2] {
    let ModelId { provider, name } = &request.model;
    let is_newer = match *provider == Provider::OpenAi && catalogue::is_openai_reasoning(name) {
        true => !refused.contains(Parameter::MaxCompletionTokens),
        false => refused.contains(Parameter::MaxTokens),
    };
    let most = request.max_output_tokens;
    [(!is_newer).then_some(most), is_newer.then_some(most)]
}

fn effort(request: &ChatRequest, refused: &Refused) -> Option<Effort> {
    if refused.contains(Parameter::ReasoningEffort) {
        return None;
    }
    let ModelId { provider, name } = &request.model;
    let is_silent = *provider == Provider::OpenAi && catalogue::is_openai_silent_with_tools(name);
    // What is left out stands for the model's own effort, which is refused beside tools like any other.
    if !request.tools.is_empty() && (is_silent || refused.contains(Parameter::Thinking)) {
        return Some(SILENT);
    }
    let wanted = request.reasoning_effort;
    wanted.filter(|_| catalogue::takes_reasoning_effort(&request.model)).map(Effort::Wished)
}

fn format(placed: Option<&ReplySchema>) -> Format<'_> {
    match placed {
        Some(ReplySchema { name, schema, strict, .. }) => {
            Format::JsonSchema { json_schema: NamedSchema { name, schema, strict: *strict } }
        }
        None => Format::JsonObject,
    }
}

/// Says what the reply must fit with the system's words, of which some servers take one message alone.
fn tell(schema: &ReplySchema, messages: &mut Vec<WireMessage<'_>>) {
    let words = told(schema);
    match messages.first_mut().filter(|first| first.role == Role::System) {
        Some(first) => {
            let before = first.content.take().unwrap_or_default();
            first.content = Some(format!("{before}\n\n{words}").into());
        }
        None => {
            let content = Some(words.into());
            let (tool_calls, tool_call_id, reasoning_content) = (Vec::new(), None, None);
            let role = Role::System;
            let words = WireMessage { role, content, tool_calls, tool_call_id, reasoning_content };
            messages.insert(0, words);
        }
    }
}

/// Google's word for a signature that nobody has.
const UNSIGNED: &str = "skip_thought_signature_validator";

fn wire_message<'a>(model: &ModelId, message: &'a Message) -> WireMessage<'a> {
    let (provider, calls) = (model.provider, &message.tool_calls);
    let silent = message.content.is_empty() && !calls.is_empty();
    let is_unsigned =
        catalogue::misses_signatures(model) && calls.iter().all(|call| call.signature.is_none());
    // Of calls that were made together Google signs the first.
    let of_none = |at: usize| (is_unsigned && at == 0).then_some(UNSIGNED);
    let calls = calls.iter().enumerate();
    let thoughts = message.reasoning.as_deref();
    WireMessage {
        role: message.role,
        content: (!silent).then_some(Cow::Borrowed(message.content.as_str())),
        tool_calls: calls.map(|(at, call)| wire_call(provider, call, of_none(at))).collect(),
        tool_call_id: message.tool_call_id.as_deref().map(|id| call_id(provider, id)),
        reasoning_content: match provider.sheet().thoughts {
            Thoughts::Forgotten | Thoughts::Signed => None,
            Thoughts::Told if message.tool_calls.is_empty() => None,
            Thoughts::Told => Some(thoughts.unwrap_or_default()),
            Thoughts::AsTheyCame => thoughts,
        },
    }
}

fn wire_call<'a>(
    provider: Provider,
    call: &'a ToolCall,
    of_none: Option<&'static str>,
) -> WireCall<'a> {
    let is_signed = matches!(provider.sheet().thoughts, Thoughts::Signed | Thoughts::AsTheyCame);
    let signature = call.signature.as_deref().filter(|_| is_signed).or(of_none);
    WireCall {
        extra_content: signature
            .map(|thought_signature| ExtraContent { google: GoogleExtra { thought_signature } }),
        id: call_id(provider, &call.id),
        r#type: "function",
        function: WireFunction { name: &call.name, arguments: call.sent_arguments() },
    }
}

/// Mistral takes only ids of nine letters and digits, so ids of other providers (an ask that goes
/// on with another model) are mapped, always to the same ones.
fn call_id(provider: Provider, id: &str) -> Cow<'_, str> {
    let fits = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if provider != Provider::Mistral || fits {
        return Cow::Borrowed(id);
    }
    let hash = fnv::bits64(id.bytes());
    Cow::Owned(format!("{hash:016x}").chars().take(9).collect())
}

fn tool(spec: &quarry_types::ToolSpec) -> Tool<'_> {
    Tool {
        r#type: "function",
        function: ToolFunction {
            name: &spec.name,
            description: &spec.description,
            parameters: &spec.parameters,
        },
    }
}
