//! The Messages wire format, provider's side.

use crate::openai::{arguments, call_id};
use crate::pieces;
use crate::script::Reply;
use serde_json::{Value, json};

/// The frames of a reply: event names with their data.
pub(crate) fn frames(reply: &Reply, request: &Value) -> Vec<(String, String)> {
    let usage = reply.usage;
    let mut frames = vec![json!({
        "type": "message_start",
        "message": {
            "id": "msg_scripted", "type": "message", "role": "assistant",
            "model": request["model"], "content": [], "stop_reason": null,
            "usage": {
                "input_tokens": usage.input.saturating_sub(usage.cached),
                "cache_read_input_tokens": usage.cached,
                "cache_creation_input_tokens": 0,
                "output_tokens": 1,
            },
        },
    })];
    let mut index = 0;
    if !reply.text.is_empty() {
        frames.push(start(index, json!({ "type": "text", "text": "" })));
        frames.push(json!({ "type": "ping" }));
        for piece in pieces::of_text(&reply.text, reply.piece) {
            frames.push(delta(index, json!({ "type": "text_delta", "text": piece })));
        }
        frames.push(stop(index));
        index += 1;
    }
    for (place, call) in reply.calls.iter().enumerate() {
        let id = call_id(call, place);
        let block = json!({ "type": "tool_use", "id": id, "name": call.name, "input": {} });
        frames.push(start(index, block));
        for piece in pieces::of_text(&arguments(call), reply.piece) {
            frames.push(delta(index, json!({ "type": "input_json_delta", "partial_json": piece })));
        }
        frames.push(stop(index));
        index += 1;
    }
    let reason = reply.finish.clone().unwrap_or_else(|| {
        if reply.calls.is_empty() { "end_turn".to_owned() } else { "tool_use".to_owned() }
    });
    frames.push(json!({
        "type": "message_delta",
        "delta": { "stop_reason": reason, "stop_sequence": null },
        "usage": { "output_tokens": usage.output },
    }));
    frames.push(json!({ "type": "message_stop" }));
    frames.into_iter().map(|frame| (kind(&frame), frame.to_string())).collect()
}

fn start(index: usize, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: usize, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop(index: usize) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

pub(crate) fn error(reply: &Reply, status: u16) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    let kind = reply.code.as_deref().unwrap_or(kind);
    json!({ "type": "error", "error": { "type": kind, "message": reply.message } })
}

/// The event's name, which the data repeats.
fn kind(frame: &Value) -> String {
    frame.get("type").and_then(Value::as_str).unwrap_or_default().to_owned()
}
