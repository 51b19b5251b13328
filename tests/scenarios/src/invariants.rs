//! What holds for every ask, whatever the scenario.

use crate::client::Event;
use quarry_test_provider::{Recorded, Wire};
use serde_json::Value;
use std::collections::BTreeSet;

/// What is wrong with a stream; nothing, if all is well.
pub fn of_stream(events: &[Event]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let expected = index as u64 + 1;
        if event.sequence != expected {
            wrong.push(format!("event {expected} ({}) has number {}", event.name, event.sequence));
        }
        if event.raw.contains('\n') {
            wrong.push(format!("event {expected} ({}) has more than one line", event.name));
        }
    }
    let last: Vec<_> = events.iter().filter(|event| event.is_last()).collect();
    if last.len() != 1 || !events.last().is_some_and(Event::is_last) {
        let names: Vec<_> = events.iter().map(|event| event.name.as_str()).collect();
        wrong.push(format!("the stream must end with its one last event; it has {names:?}"));
    }
    wrong.extend(cost_parts(events));
    wrong
}

/// The sums of `cost_summary` are the sums of its parts.
fn cost_parts(events: &[Event]) -> Vec<String> {
    let mut wrong = Vec::new();
    for event in events.iter().filter(|event| event.name == "cost_summary") {
        let steps = event.data.get("stepCosts").and_then(Value::as_array).cloned();
        let steps = steps.unwrap_or_default();
        for (name, field) in [("input", "inputTokens"), ("output", "outputTokens")] {
            let parts: u64 = steps.iter().filter_map(|step| step.get(field)?.as_u64()).sum();
            let whole = event.data.pointer(&format!("/tokenCounts/{name}")).and_then(Value::as_u64);
            if whole != Some(parts) {
                wrong.push(format!("cost_summary: {name} is {whole:?}, its parts make {parts}"));
            }
        }
    }
    wrong
}

/// What is wrong with the model calls.
pub fn of_calls(calls: &[Recorded]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        if let Some((Wire::Responses, phase)) = call.call {
            wrong.extend(
                of_items(&call.body).map(|what| format!("call {index} ({phase:?}) {what}")),
            );
        }
        let Some((Wire::OpenAi, phase)) = call.call else { continue };
        let messages = call.body.get("messages").and_then(Value::as_array);
        let messages = messages.map(Vec::as_slice).unwrap_or_default();
        let role = |message: &Value| {
            message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let systems = messages.iter().filter(|message| role(message) == "system").count();
        if systems > 1 {
            wrong.push(format!("call {index} ({phase:?}) has {systems} system messages"));
        }
        let mut asked = BTreeSet::new();
        for message in messages {
            for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
                asked.insert(call.get("id").map(Value::to_string));
            }
            if role(message) == "tool"
                && !asked.contains(&message.get("tool_call_id").map(Value::to_string))
            {
                wrong.push(format!("call {index} ({phase:?}) has a result that nobody asked for"));
            }
        }
    }
    wrong
}

/// What is wrong with the items of a request for a response.
fn of_items(body: &Value) -> impl Iterator<Item = &'static str> {
    let items = body.get("input").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ids_of = |kind: &str| -> BTreeSet<String> {
        let of_kind = items.iter().filter(|item| item.get("type").is_some_and(|it| it == kind));
        of_kind.filter_map(|item| item.get("call_id")).map(Value::to_string).collect()
    };
    let is_same = ids_of("function_call") == ids_of("function_call_output");
    (!is_same).then_some("has calls or results that have no other half").into_iter()
}
