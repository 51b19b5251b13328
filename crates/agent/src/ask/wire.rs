//! How requests and replies read in events: the reference's internal shapes (its section 19).

use crate::json::put;
use quarry_types::{ChatRequest, Completion, Message, Role, ToolCall, Usage};
use serde_json::{Value, json};

/// `{ model, input, tools, options }`, without any key.
#[must_use]
pub fn request(request: &ChatRequest) -> Value {
    let input: Vec<Value> = request.messages.iter().map(message).collect();
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            })
        })
        .collect();
    let mut options = json!({ "max_tokens": request.max_output_tokens });
    if let Some(temperature) = request.temperature {
        put(&mut options, "temperature", temperature);
    }
    if let Some(effort) = request.reasoning_effort {
        put(&mut options, "reasoningEffort", json!(effort));
    }
    if request.json {
        put(&mut options, "responseFormat", "json_object");
    }
    json!({ "model": request.model, "input": input, "tools": tools, "options": options })
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

/// A tool call as an assistant message carries it.
#[must_use]
pub fn tool_call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

fn message(message: &Message) -> Value {
    if message.role == Role::Tool {
        return json!({
            "type": "function_call_output",
            "call_id": message.tool_call_id,
            "output": message.content,
        });
    }
    let mut value = json!({ "role": message.role, "content": message.content });
    if !message.tool_calls.is_empty() {
        put(&mut value, "tool_calls", message.tool_calls.iter().map(tool_call).collect::<Value>());
    }
    value
}
