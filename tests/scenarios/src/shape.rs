//! The shape of a stream: names, order and payload keys, without values. Golden files hold shapes,
//! so that a changed sentence breaks none and a renamed field breaks one.

use crate::client::Event;
use serde_json::{Map, Value, json};

/// Payload fields whose inside belongs to tools, models and pages and is not ours to fix.
const OPAQUE: [&str; 5] = ["args", "request", "response", "result", "evidence"];

/// One line for each event; a run of `answer_delta` is one line, because where a provider cuts
/// its text is no promise of ours.
pub fn lines(events: &[Event]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for event in ordered(events) {
        let line = json!({ "event": event.name, "data": of(&event.data) }).to_string();
        if event.name == "answer_delta" && lines.last() == Some(&line) {
            continue;
        }
        lines.push(line);
    }
    lines
}

/// Tool calls of one iteration run at once and end in any order: sort each run of results.
fn ordered(events: &[Event]) -> Vec<&Event> {
    let mut ordered: Vec<&Event> = events.iter().collect();
    for run in ordered.chunk_by_mut(|a, b| a.name == "tool_result" && b.name == "tool_result") {
        run.sort_by_key(|event| event.data.get("call_id").map(Value::to_string));
    }
    ordered
}

fn of(value: &Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Bool(_) => json!("bool"),
        Value::Number(_) => json!("number"),
        Value::String(_) => json!("string"),
        Value::Array(items) => match items.first() {
            Some(first) => json!([of(first)]),
            None => json!([]),
        },
        Value::Object(fields) => {
            let mut shape = Map::new();
            let mut names: Vec<_> = fields.keys().collect();
            names.sort();
            for name in names {
                let Some(field) = fields.get(name) else { continue };
                let opaque = OPAQUE.contains(&name.as_str()) && field.is_object();
                let inside = if opaque { json!("object") } else { of(field) };
                shape.insert(name.clone(), inside);
            }
            Value::Object(shape)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: Value) -> Event {
        Event { sequence: 0, name: name.to_owned(), raw: data.to_string(), data }
    }

    #[test]
    fn shapes_have_keys_and_no_values() {
        let data = json!({ "b": 1, "a": [{ "x": "y" }, {}], "args": { "any": 1 }, "n": null });
        assert_eq!(
            lines(&[event("tools", data)]),
            [
                r#"{"event":"tools","data":{"a":[{"x":"string"}],"args":"object","b":"number","n":"null"}}"#
            ]
        );
    }

    #[test]
    fn deltas_are_one_line_and_results_are_in_order() {
        let result = |id: &str, key: &str| event("tool_result", json!({ "call_id": id, key: 1 }));
        let delta = || event("answer_delta", json!({ "text": "x" }));
        let one = [result("b", "second"), result("a", "first"), delta(), delta()];
        let other = [result("a", "first"), result("b", "second"), delta()];
        assert_eq!(lines(&one), lines(&other));
        assert_eq!(lines(&one).len(), 3);
    }
}
