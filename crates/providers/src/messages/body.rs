//! The request body.
//!
//! Border: a `ChatRequest` becomes JSON that the Messages endpoint accepts: system text apart,
//! turns that alternate, tool results as blocks of a user turn.

use crate::refused::Refused;
use crate::told::told;
use quarry_types::model::Sampling;
use quarry_types::{ChatRequest, Json, Message, Role};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    system: String,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Json,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: Speaker,
    content: Vec<Block<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Speaker {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text { text: &'a str },
    ToolUse { id: &'a str, name: &'a str, input: Value },
    ToolResult { tool_use_id: &'a str, content: &'a str },
}

/// Stands in for the words of the user where pruning has left none at the beginning.
const OPENING: &str = "Go on.";
/// This wire has no switch for JSON.
const JSON_ONLY: &str = "Answer with one JSON object and nothing else.";

/// Writes the body of `POST {base}/messages`.
pub(crate) fn body(request: &ChatRequest, refused: &Refused) -> Vec<u8> {
    let [temperature, top_p] = refused.drawn(request);
    let body = Body {
        model: &request.model.name,
        max_tokens: request.max_output_tokens,
        stream: true,
        system: system(request),
        messages: turns(&request.messages),
        tools: request
            .tools
            .iter()
            .map(|tool| Tool {
                name: &tool.name,
                description: &tool.description,
                input_schema: &tool.parameters,
            })
            .collect(),
        // Others take up to 2. Doors name what is taken off.
        temperature: temperature.map(|degrees| degrees.clamp(0.0, Sampling::HOTTEST_OF_ONE)),
        top_p,
    };
    // Plain data with text keys always serialises.
    serde_json::to_vec(&body).unwrap_or_default()
}

fn system(request: &ChatRequest) -> String {
    let wants_json = request.json && request.tools.is_empty();
    let json = wants_json.then(|| match &request.schema {
        Some(schema) => Cow::Owned(told(schema)),
        None => Cow::Borrowed(JSON_ONLY),
    });
    request
        .messages
        .iter()
        .filter(|message| message.role == Role::System && !message.content.is_empty())
        .map(|message| Cow::Borrowed(message.content.as_str()))
        .chain(json)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for message in messages {
        let speaker = match message.role {
            Role::System => continue,
            Role::User | Role::Tool => Speaker::User,
            Role::Assistant => Speaker::Assistant,
        };
        let blocks = blocks(message);
        match turns.last_mut() {
            // Results of calls made together belong into one turn, and turns must alternate.
            Some(turn) if turn.role == speaker => turn.content.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => turns.push(Turn { role: speaker, content: blocks }),
        }
    }
    if turns.first().is_none_or(|turn| turn.role == Speaker::Assistant) {
        turns.insert(0, Turn { role: Speaker::User, content: vec![Block::Text { text: OPENING }] });
    }
    turns
}

fn blocks(message: &Message) -> Vec<Block<'_>> {
    if let (Role::Tool, Some(id)) = (message.role, &message.tool_call_id) {
        return vec![Block::ToolResult { tool_use_id: id, content: &message.content }];
    }
    // Empty text blocks are refused.
    let text =
        (!message.content.trim().is_empty()).then_some(Block::Text { text: &message.content });
    let calls = message.tool_calls.iter().map(|call| Block::ToolUse {
        id: &call.id,
        name: &call.name,
        input: object(&call.arguments),
    });
    text.into_iter().chain(calls).collect()
}

/// The arguments as the object that this wire wants; what is none is kept, wrapped, so that the
/// model sees what it wrote.
fn object(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ if arguments.trim().is_empty() => Value::Object(serde_json::Map::new()),
        _ => serde_json::json!({ "unparsed": arguments }),
    }
}
