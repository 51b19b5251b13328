//! The Responses wire format, provider's side.

use crate::openai::{arguments, call_id};
use crate::pieces;
use crate::script::Reply;
use serde_json::{Value, json};

/// The frames of a reply: event names with their data.
pub(crate) fn frames(reply: &Reply, request: &Value) -> Vec<(String, String)> {
    let begun = response(request, "in_progress", &[]);
    let mut frames = vec![
        json!({ "type": "response.created", "response": begun }),
        json!({ "type": "response.in_progress", "response": begun }),
    ];
    let mut output = Vec::new();
    if let Some(sealed) = &reply.sealed {
        // Who does not ask for it is not given it.
        let is_wanted = wants(request, "reasoning.encrypted_content");
        let content = if is_wanted { json!(sealed) } else { Value::Null };
        let item = json!({ "id": "rs_scripted", "type": "reasoning", "summary": [], "encrypted_content": content });
        let pieces = Vec::new();
        push(&mut frames, &mut output, item, pieces);
    }
    if !reply.text.is_empty() {
        let part = json!({ "type": "output_text", "text": reply.text, "annotations": [] });
        let item = json!({ "id": "msg_scripted", "type": "message", "status": "completed",
            "role": "assistant", "content": [part] });
        let piece = |text| json!({ "type": "response.output_text.delta", "content_index": 0, "delta": text });
        let pieces = pieces::of_text(&reply.text, reply.piece).into_iter().map(piece).collect();
        push(&mut frames, &mut output, item, pieces);
    }
    for (place, call) in reply.calls.iter().enumerate() {
        let item = json!({ "id": format!("fc_{place}"), "type": "function_call", "status": "completed",
            "call_id": call_id(call, place), "name": call.name, "arguments": arguments(call) });
        let piece =
            |text| json!({ "type": "response.function_call_arguments.delta", "delta": text });
        let texts = pieces::of_text(&arguments(call), reply.piece);
        push(&mut frames, &mut output, item, texts.into_iter().map(piece).collect());
    }
    frames.push(last(reply, request, &output));
    let numbered = frames.into_iter().enumerate().map(|(number, mut frame)| {
        set(&mut frame, "sequence_number", number);
        (kind(&frame), frame.to_string())
    });
    numbered.collect()
}

/// An item, from its beginning to its end.
fn push(frames: &mut Vec<Value>, output: &mut Vec<Value>, item: Value, pieces: Vec<Value>) {
    let index = output.len();
    let begun = json!({ "id": item.get("id"), "type": item.get("type") });
    frames.push(
        json!({ "type": "response.output_item.added", "output_index": index, "item": begun }),
    );
    for mut piece in pieces {
        set(&mut piece, "output_index", index);
        set(&mut piece, "item_id", item.get("id").cloned());
        frames.push(piece);
    }
    frames
        .push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    output.push(item);
}

fn last(reply: &Reply, request: &Value, output: &[Value]) -> Value {
    let status = if reply.finish.is_some() { "incomplete" } else { "completed" };
    let mut whole = response(request, status, output);
    if let Some(reason) = &reply.finish {
        set(&mut whole, "incomplete_details", json!({ "reason": reason }));
    }
    if !reply.no_usage {
        let usage = reply.usage;
        let usage = json!({
            "input_tokens": usage.input,
            "input_tokens_details": { "cached_tokens": usage.cached },
            "output_tokens": usage.output,
            "output_tokens_details": { "reasoning_tokens": usage.reasoning },
            "total_tokens": usage.input + usage.output,
        });
        set(&mut whole, "usage", usage);
    }
    json!({ "type": format!("response.{status}"), "response": whole })
}

fn response(request: &Value, status: &str, output: &[Value]) -> Value {
    json!({
        "id": "resp_scripted", "object": "response", "created_at": 1_700_000_000, "status": status,
        "model": request["model"], "store": request["store"], "error": null,
        "incomplete_details": null, "output": output, "usage": null,
    })
}

fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value.into());
    }
}

fn wants(request: &Value, what: &str) -> bool {
    request["include"].as_array().is_some_and(|all| all.iter().any(|it| it == what))
}

/// An error in the middle of a stream.
pub(crate) fn error(reply: &Reply) -> Value {
    json!({ "type": "error", "code": reply.code, "message": reply.message, "param": null })
}

/// The event's name, which the data repeats.
fn kind(frame: &Value) -> String {
    frame.get("type").and_then(Value::as_str).unwrap_or_default().to_owned()
}
