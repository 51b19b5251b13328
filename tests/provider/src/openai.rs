//! The Chat Completions wire format, provider's side.

use crate::pieces;
use crate::script::{Call, Reply};
use serde_json::{Value, json};

/// The frames of a reply, without their fields' names and ends.
pub(crate) fn frames(reply: &Reply, request: &Value) -> Vec<String> {
    let model = request.get("model").and_then(Value::as_str).unwrap_or("unnamed");
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": "chatcmpl-scripted",
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        })
    };
    let mut frames = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    for piece in pieces::of_text(&reply.text, reply.piece) {
        frames.push(chunk(json!({ "content": piece }), Value::Null));
    }
    for (index, call) in reply.calls.iter().enumerate() {
        let head = json!({
            "index": index, "id": call_id(call, index), "type": "function",
            "function": { "name": call.name, "arguments": "" },
        });
        frames.push(chunk(json!({ "tool_calls": [head] }), Value::Null));
        for piece in pieces::of_text(&arguments(call), reply.piece) {
            let part = json!({ "index": index, "function": { "arguments": piece } });
            frames.push(chunk(json!({ "tool_calls": [part] }), Value::Null));
        }
    }
    let finish = reply.finish.clone().unwrap_or_else(|| {
        if reply.calls.is_empty() { "stop".to_owned() } else { "tool_calls".to_owned() }
    });
    frames.push(chunk(json!({}), json!(finish)));
    if !reply.no_usage
        && request.pointer("/stream_options/include_usage") == Some(&Value::Bool(true))
    {
        frames.push(usage_chunk(reply, model));
    }
    let mut frames: Vec<_> = frames.iter().map(Value::to_string).collect();
    frames.push("[DONE]".to_owned());
    frames
}

/// The last chunk: no choices, only what was used.
fn usage_chunk(reply: &Reply, model: &str) -> Value {
    let usage = reply.usage;
    json!({
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": model,
        "choices": [],
        "usage": {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": { "cached_tokens": usage.cached },
            "completion_tokens_details": { "reasoning_tokens": usage.reasoning },
        },
    })
}

pub(crate) fn error(reply: &Reply, status: u16) -> Value {
    let kind = match status {
        429 => "rate_limit_error",
        401 | 403 => "authentication_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    };
    json!({ "error": {
        "message": reply.message, "type": kind, "param": null, "code": reply.code,
    } })
}

pub(crate) fn call_id(call: &Call, index: usize) -> String {
    call.id.clone().unwrap_or_else(|| format!("call_{}_{index}", call.name))
}

/// Arguments as they go over the wire: strings as they are, anything else as JSON.
pub(crate) fn arguments(call: &Call) -> String {
    match &call.arguments {
        Value::String(raw) => raw.clone(),
        value => value.to_string(),
    }
}
