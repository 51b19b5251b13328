//! Whoever sends a longer conversation than the model has room for is told so at every door.

#![cfg(test)]

mod common;

use common::{streamed, why};
use quarry_events::EventName;
use serde_json::{Value, json};

/// All that is sent of an ask that began so and was answered, each a JSON value.
fn told(path: &str, body: &Value, init: &Value) -> Vec<Value> {
    let events = vec![
        (EventName::Init, init.clone()),
        (EventName::AnswerDelta, json!({ "text": "Because.", "at": 0 })),
        (
            EventName::FinalAnswer,
            json!({ "content": "Because.", "sources": [], "finish": "stop", "citations": [] }),
        ),
        (EventName::Complete, json!({ "result": {}, "executionTime": 1, "ended": "answered" })),
    ];
    common::told(path, body, events)
}

/// Doors, requests to them, and where what they are answered with has the number.
fn doors() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("/v1/responses", why("/v1/responses"), "/quarry/turns_left_out"),
        ("/v1/responses", streamed("/v1/responses"), "/response/quarry/turns_left_out"),
        ("/v1/chat/completions", why("/v1/chat/completions"), "/quarry/turns_left_out"),
        ("/v1/chat/completions", streamed("/v1/chat/completions"), "/quarry/turns_left_out"),
        ("/api/chat", why("/api/chat"), "/messageMetadata/turnsLeftOut"),
        ("/agui", why("/agui"), "/result/turnsLeftOut"),
        ("/mcp", why("/mcp"), "/result/structuredContent/turns_left_out"),
        ("/ask", why("/ask"), "/events/0/data/turnsLeftOut"),
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
