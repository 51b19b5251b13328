//! Whoever sends a longer conversation than the model has room for is told so at every door.

#![cfg(test)]

use quarry_doors::{Entrance, Event, Head, McpHead, enter};
use quarry_events::EventName;
use quarry_types::Timestamp;
use serde_json::{Value, json};

/// An ask that was answered, from its beginning on.
fn events(init: &Value) -> Vec<Event> {
    let all = [
        (EventName::Init, init.clone()),
        (EventName::AnswerDelta, json!({ "text": "Because.", "at": 0 })),
        (
            EventName::FinalAnswer,
            json!({ "content": "Because.", "sources": [], "finish": "stop", "citations": [] }),
        ),
        (EventName::Complete, json!({ "result": {}, "executionTime": 1, "ended": "answered" })),
    ];
    let event = |(sequence, (name, data)): (u64, (EventName, Value))| Event {
        sequence: Some(sequence),
        name,
        data: data.to_string(),
    };
    (1..).zip(all).map(event).collect()
}

/// All that a request is answered with, each a JSON value.
fn told(path: &str, body: &Value, init: &Value) -> Vec<Value> {
    let mcp = McpHead { version: Some("2025-11-25".to_owned()), ..McpHead::default() };
    let (method, at) = ("POST".to_owned(), path.to_owned());
    let head = Head { method, path: at, mcp, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, body.to_string().as_bytes());
    assert!(opened.order.is_ok(), "{body}");
    let mut voice = opened.voice;
    voice.begin("0af3");
    let told = voice.tell(events(init));
    let sent = if voice.streams() { told.bytes } else { voice.whole(None).body.into_owned() };
    let sent = String::from_utf8(sent).unwrap();
    let values = sent.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    values.filter_map(|value| serde_json::from_str(value).ok()).collect()
}

/// Doors, requests to them, and where what they are answered with has the number.
fn doors() -> Vec<(&'static str, Value, &'static str)> {
    let said = json!([{ "id": "m", "role": "user", "content": "why?" }]);
    let parts =
        json!([{ "id": "m", "role": "user", "parts": [{ "type": "text", "text": "why?" }] }]);
    let call = json!({ "name": "research", "arguments": { "question": "why?" } });
    vec![
        ("/v1/responses", json!({ "input": "why?" }), "/quarry/turns_left_out"),
        (
            "/v1/responses",
            json!({ "input": "why?", "stream": true }),
            "/response/quarry/turns_left_out",
        ),
        ("/v1/chat/completions", json!({ "messages": said }), "/quarry/turns_left_out"),
        (
            "/v1/chat/completions",
            json!({ "messages": said, "stream": true }),
            "/quarry/turns_left_out",
        ),
        ("/api/chat", json!({ "id": "c", "messages": parts }), "/messageMetadata/turnsLeftOut"),
        (
            "/agui",
            json!({ "threadId": "t", "runId": "r", "messages": said }),
            "/result/turnsLeftOut",
        ),
        (
            "/mcp",
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call }),
            "/result/structuredContent/turns_left_out",
        ),
        ("/ask", json!({ "query": "why?" }), "/events/0/data/turnsLeftOut"),
    ]
}

#[test]
fn every_door_says_how_many_turns_were_left_out() {
    let init = json!({ "query": "why?", "model": "groq:x", "turns": 3, "turnsLeftOut": 2 });
    for (path, body, place) in doors() {
        let all = told(path, &body, &init);
        let says: Vec<&Value> = all.iter().filter_map(|value| value.pointer(place)).collect();
        assert_eq!(says.last(), Some(&&json!(2)), "{path}: {all:?}");
    }
}

#[test]
fn nothing_is_said_where_nothing_was_left_out() {
    let init = json!({ "query": "why?", "model": "groq:x", "turns": 3 });
    for (path, body, place) in doors() {
        let all = told(path, &body, &init);
        assert!(all.iter().any(|value| value.to_string().contains("Because.")), "{path}: {all:?}");
        assert!(all.iter().all(|value| value.pointer(place).is_none()), "{path}: {all:?}");
    }
}

#[test]
fn who_reads_what_goes_on_is_told_in_words() {
    let words =
        "The 2 oldest turns of the conversation are left out: the model has no room for them";
    let init = json!({ "query": "why?", "model": "groq:x", "turns": 3, "turnsLeftOut": 2 });
    for (path, body, _) in doors() {
        let wants = matches!(path, "/v1/chat/completions" | "/agui");
        let all = told(path, &body, &init);
        assert_eq!(all.iter().any(|value| value.to_string().contains(words)), wants, "{path}");
    }
}
