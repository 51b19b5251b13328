//! Which model a path names.

use super::*;
use crate::{Entrance, Event, enter};
use quarry_events::EventName;
use quarry_types::Timestamp;
use serde_json::json;

#[test]
fn a_model_in_a_path_is_read_through_its_percent_signs() {
    for (id, model) in [
        ("groq:llama-3", "groq:llama-3"),
        ("groq%3Allama", "groq:llama"),
        ("groq:a+b", "groq:a+b"),
        ("openrouter:meta%2fllama", "openrouter:meta/llama"),
        ("100%", "100%"),
        ("%zz", "%zz"),
        ("%ff", "%ff"),
    ] {
        let order = Chat::Show.open(&Head::default(), id, b"").order;
        assert_eq!(order, Ok(Order::Models(Some(model.to_owned()))), "{id}");
    }
}

#[test]
fn what_the_answering_model_does_not_take_is_named_beside_what_is_ignored() {
    let path = "/v1/chat/completions".to_owned();
    let head = Head { method: "POST".to_owned(), path, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let messages = json!([{ "role": "user", "content": "why?" }]);
    let body = json!({ "messages": messages, "temperature": 0.5, "seed": 7, "stream": true });
    let mut voice = visit.open(&head, body.to_string().as_bytes()).voice;
    let ignored = |voice: &dyn AnyVoice| {
        let headers = voice.head();
        let named = headers.into_iter().find(|(name, _)| *name == "x-quarry-ignored");
        named.map(|(_, names)| names.into_owned())
    };
    assert_eq!(ignored(&*voice).as_deref(), Some("seed"), "nobody knows who answers");
    let data = json!({ "query": "why?", "model": "openai:o4-mini" }).to_string();
    voice.tell(vec![Event { sequence: Some(1), name: EventName::Init, data }]);
    assert_eq!(ignored(&*voice).as_deref(), Some("seed, temperature"));
}
