//! The request body.
//!
//! Border: a `ChatRequest` becomes JSON that the Responses endpoint accepts: one list of what was said, thought, called
//! and found.

use crate::catalogue;
use crate::refused::{Parameter, Refused};
use crate::told::{Fit, told};
use quarry_types::{
    ChatRequest, Json, Message, ReasoningEffort, ReplySchema, Role, ToolCall, ToolSpec,
};
use serde::Serialize;
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: Vec<Item<'a>>,
    stream: bool,
    store: bool,
    include: [&'static str; 1],
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item<'a> {
    Message {
        role: Role,
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<Phase>,
    },
    Reasoning {
        /// Wanted, though none was asked for.
        summary: [&'static str; 0],
        encrypted_content: &'a str,
    },
    FunctionCall {
        call_id: &'a str,
        name: &'a str,
        arguments: &'a str,
    },
    FunctionCallOutput {
        call_id: &'a str,
        output: &'a str,
    },
}

/// What an assistant's words were. Models from GPT-5.3 on do worse where nobody tells them.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    Commentary,
    FinalAnswer,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Json,
    /// Here it would be so unless told otherwise, and schemas with parameters that may be left out do not fit.
    strict: bool,
}

#[derive(Serialize)]
struct Reasoning {
    effort: ReasoningEffort,
}

#[derive(Serialize)]
struct Text<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonObject,
    JsonSchema { name: &'a str, schema: &'a Json, strict: bool },
}

/// Tokens below which the endpoint takes no ceiling.
const LEAST_CEILING: u32 = 16;

/// Writes the body of `POST {base}/responses`.
pub(crate) fn body(request: &ChatRequest, refused: &Refused) -> Vec<u8> {
    let fit = Fit::of(request, refused);
    let [temperature, top_p] = refused.drawn(request);
    let effort = request.reasoning_effort.filter(|_| {
        catalogue::takes_reasoning_effort(&request.model)
            && !refused.contains(Parameter::ReasoningEffort)
    });
    let words = fit.told.map(|schema| message(Role::System, Cow::Owned(told(schema)), None));
    let body = Body {
        model: &request.model.name,
        input: words.into_iter().chain(request.messages.iter().flat_map(items)).collect(),
        stream: true,
        store: false,
        include: ["reasoning.encrypted_content"],
        max_output_tokens: request.max_output_tokens.max(LEAST_CEILING),
        tools: request.tools.iter().map(tool).collect(),
        temperature,
        top_p,
        reasoning: effort.map(|effort| Reasoning { effort }),
        text: fit.has_place.then(|| Text { format: format(fit.placed) }),
    };
    // Plain data with text keys always serialises.
    serde_json::to_vec(&body).unwrap_or_default()
}

fn message(role: Role, content: Cow<'_, str>, phase: Option<Phase>) -> Item<'_> {
    Item::Message { role, content, phase }
}

fn items(said: &Message) -> Vec<Item<'_>> {
    let role = match (said.role, &said.tool_call_id) {
        (Role::Tool, Some(call_id)) => {
            return vec![Item::FunctionCallOutput { call_id, output: &said.content }];
        }
        (Role::Tool, None) => Role::User,
        (role, _) => role,
    };
    let calls = &said.tool_calls;
    let phase = (role == Role::Assistant).then_some(match calls.is_empty() {
        true => Phase::FinalAnswer,
        false => Phase::Commentary,
    });
    let is_silent = said.content.is_empty() && !calls.is_empty();
    let words = (!is_silent).then(|| message(role, Cow::Borrowed(said.content.as_str()), phase));
    words.into_iter().chain(calls.iter().flat_map(thought_and_called)).collect()
}

/// A call behind what was thought before it, as the decoder puts it together.
fn thought_and_called(call: &ToolCall) -> impl Iterator<Item = Item<'_>> {
    let sealed = call.signature.as_deref().unwrap_or_default().lines();
    let thoughts =
        sealed.map(|encrypted_content| Item::Reasoning { summary: [], encrypted_content });
    let called = Item::FunctionCall {
        call_id: &call.id,
        name: &call.name,
        arguments: call.sent_arguments(),
    };
    thoughts.chain([called])
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    Tool {
        r#type: "function",
        name: &spec.name,
        description: &spec.description,
        parameters: &spec.parameters,
        strict: false,
    }
}

fn format(placed: Option<&ReplySchema>) -> Format<'_> {
    match placed {
        Some(ReplySchema { name, schema, strict, .. }) => {
            Format::JsonSchema { name, schema, strict: *strict }
        }
        None => Format::JsonObject,
    }
}
