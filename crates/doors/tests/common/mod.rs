//! What is asked at each door that answers asks, and what it sends of their events.

use quarry_doors::{Entrance, Event, Head, McpHead, enter};
use quarry_events::EventName;
use quarry_types::Timestamp;
use serde_json::{Value, json};

/// The shortest question that the door at this path takes.
pub fn why(path: &str) -> Value {
    match path {
        "/ask" => json!({ "query": "why?" }),
        "/v1/responses" => json!({ "input": "why?" }),
        "/v1/chat/completions" => json!({ "messages": said() }),
        "/api/chat" => {
            let parts = json!([{ "type": "text", "text": "why?" }]);
            json!({ "id": "c", "messages": [{ "id": "m", "role": "user", "parts": parts }] })
        }
        "/agui" => json!({ "threadId": "t", "runId": "r", "messages": said() }),
        "/mcp" => {
            let call = json!({ "name": "research", "arguments": { "question": "why?" } });
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call })
        }
        path => panic!("nothing is asked at {path}"),
    }
}

fn said() -> Value {
    json!([{ "id": "m", "role": "user", "content": "why?" }])
}

/// The same as a stream, at a door that is told so in the body.
pub fn streamed(path: &str) -> Value {
    let mut body = why(path);
    body["stream"] = json!(true);
    body
}

/// All that is sent of a stream, or of the whole answer, each a JSON value. The last event is the ask's.
pub fn told(path: &str, body: &Value, events: Vec<(EventName, Value)>) -> Vec<Value> {
    let mcp = McpHead { version: Some("2025-11-25".to_owned()), ..McpHead::default() };
    let (method, at) = ("POST".to_owned(), path.to_owned());
    let head = Head { method, path: at, mcp, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, body.to_string().as_bytes());
    assert!(opened.order.is_ok(), "{body}");
    let mut voice = opened.voice;
    voice.begin("0af3");
    let event = |(number, (name, data)): (u64, (EventName, Value))| Event {
        sequence: Some(number),
        name,
        data: data.to_string(),
    };
    let told = voice.tell((1..).zip(events).map(event).collect());
    assert!(told.last, "{path}");
    let sent = if voice.streams() { told.bytes } else { voice.whole(None).body.into_owned() };
    let sent = String::from_utf8(sent).unwrap();
    let values = sent.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    values.filter_map(|value| serde_json::from_str(value).ok()).collect()
}
