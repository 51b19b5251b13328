//! Bodies, and replies as Anthropic's documentation shows them.

use super::*;
use crate::refused::{Parameter, Refused};
use crate::reply::{Progress, Reply, ReplyReader};
use crate::{Failure, Wire};
use quarry_types::{
    ChatError, ChatRequest, FinishReason, Json, Message, ReplySchema, ToolCall, ToolSpec, Usage,
};
use serde_json::{Value, json};

fn request(messages: Vec<Message>) -> ChatRequest {
    ChatRequest {
        model: "anthropic:claude-haiku-4-5".parse().unwrap(),
        messages,
        tools: Vec::new(),
        temperature: Some(1.7),
        max_output_tokens: 512,
        reasoning_effort: None,
        top_p: None,
        json: false,
        schema: None,
        streams_text: false,
    }
}

fn written(request: &ChatRequest) -> Value {
    serde_json::from_slice(&body(request, &Refused::default())).unwrap()
}

fn call(id: &str, arguments: &str) -> ToolCall {
    let (id, name) = (id.to_owned(), "search_web".to_owned());
    ToolCall { id, name, arguments: arguments.to_owned(), signature: None }
}

#[test]
fn system_text_goes_apart_and_results_become_one_turn() {
    let mut asked = request(vec![
        Message::system("role"),
        Message::user("hi"),
        Message::assistant("Looking.", vec![call("a", "{\"query\":\"x\"}"), call("b", "not json")]),
        Message::tool_result("a", "one"),
        Message::tool_result("b", "two"),
        Message::system("more"),
        Message::user("so?"),
    ]);
    asked.tools.push(ToolSpec {
        name: "search_web".to_owned(),
        description: "Searches.".to_owned(),
        parameters: Json::of(&json!({ "type": "object" })),
    });
    assert_eq!(
        written(&asked),
        json!({
            "model": "claude-haiku-4-5",
            "max_tokens": 512,
            "stream": true,
            "system": "role\n\nmore",
            "messages": [
                { "role": "user", "content": [{ "type": "text", "text": "hi" }] },
                { "role": "assistant", "content": [
                    { "type": "text", "text": "Looking." },
                    { "type": "tool_use", "id": "a", "name": "search_web", "input": { "query": "x" } },
                    { "type": "tool_use", "id": "b", "name": "search_web", "input": { "unparsed": "not json" } }
                ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "a", "content": "one" },
                    { "type": "tool_result", "tool_use_id": "b", "content": "two" },
                    { "type": "text", "text": "so?" }
                ] }
            ],
            "tools": [{ "name": "search_web", "description": "Searches.", "input_schema": { "type": "object" } }],
            "temperature": 1.0
        })
    );
}

#[test]
fn a_conversation_begins_with_the_user_and_json_is_asked_for_in_words() {
    let mut asked = request(vec![Message::assistant("I", vec![]), Message::user(" ")]);
    asked.json = true;
    let body = written(&asked);
    assert_eq!(body["messages"][0]["role"], "user");
    assert_eq!(body["messages"].as_array().unwrap().len(), 2, "no empty block: {body}");
    assert!(body["system"].as_str().unwrap().contains("JSON"));
}

#[test]
fn what_a_reply_must_fit_is_said_in_words_and_one_of_two_ways_of_drawing_is_sent() {
    let schema = Json::of(&json!({ "required": ["year"] }));
    let schema = ReplySchema { name: "lamp".into(), schema, strict: false, in_words: false };
    let asked = request(vec![Message::system("role"), Message::user("hi")]);
    let asked = ChatRequest {
        json: true,
        tools: Vec::new(),
        schema: Some(schema),
        top_p: Some(0.5),
        ..asked
    };
    let body = written(&asked);
    let system = body["system"].as_str().unwrap();
    assert!(
        system.starts_with("role\n\n") && system.contains("{\"required\":[\"year\"]}"),
        "{system}"
    );
    assert!(body.get("top_p").is_none() && body["temperature"].is_number(), "{body}");
    let body = written(&ChatRequest { temperature: None, ..asked });
    assert_eq!((&body["top_p"], body.get("temperature")), (&json!(0.5), None));
}

#[test]
fn a_temperature_goes_only_to_models_that_take_one() {
    let mut asked = ChatRequest { top_p: Some(0.5), ..request(vec![Message::user("hi")]) };
    let refused = Refused::default().with(Parameter::Temperature).unwrap();
    let body: Value = serde_json::from_slice(&body(&asked, &refused)).unwrap();
    assert_eq!((&body["top_p"], body.get("temperature")), (&json!(0.5), None));
    for model in ["anthropic:claude-opus-4-7", "anthropic:claude-sonnet-5-5", "anthropic:claude-x"]
    {
        asked.model = model.parse().unwrap();
        let body = written(&asked);
        assert!(body.get("temperature").is_none() && body.get("top_p").is_none(), "{body}");
    }
}

fn read(chunks: &[&[u8]]) -> Result<Reply, Failure> {
    let mut reader = ReplyReader::new(Wire::Messages);
    for chunk in chunks {
        if reader.push(chunk)? == Progress::Done {
            break;
        }
    }
    reader.finish()
}

fn stream(events: &[Value]) -> String {
    events
        .iter()
        .map(|e| format!("event: {}\ndata: {e}\n\n", e["type"].as_str().unwrap()))
        .collect()
}

fn ordinary() -> Vec<Value> {
    vec![
        json!({ "type": "message_start", "message": { "id": "m", "model": "claude-haiku-4-5-20251001", "content": [],
            "usage": { "input_tokens": 20, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 5, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "hm" } }),
        json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "Let me see – " } }),
        json!({ "type": "content_block_stop", "index": 1 }),
        json!({ "type": "content_block_start", "index": 2, "content_block": { "type": "tool_use", "id": "toolu_1", "name": "search_web", "input": {} } }),
        json!({ "type": "content_block_delta", "index": 2, "delta": { "type": "input_json_delta", "partial_json": "" } }),
        json!({ "type": "content_block_delta", "index": 2, "delta": { "type": "input_json_delta", "partial_json": "{\"query\":" } }),
        json!({ "type": "content_block_delta", "index": 2, "delta": { "type": "input_json_delta", "partial_json": "\"x\"}" } }),
        json!({ "type": "content_block_start", "index": 3, "content_block": { "type": "tool_use", "id": "toolu_2", "name": "now", "input": {} } }),
        json!({ "type": "something_new", "index": 3 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use", "stop_sequence": null }, "usage": { "output_tokens": 42 } }),
        json!({ "type": "message_stop" }),
    ]
}

#[test]
fn a_stream_with_text_and_calls_however_it_is_cut() {
    let text = stream(&ordinary());
    let search = ToolCall {
        id: "toolu_1".into(),
        name: "search_web".into(),
        arguments: "{\"query\":\"x\"}".into(),
        signature: None,
    };
    let now = ToolCall {
        id: "toolu_2".into(),
        name: "now".into(),
        arguments: "{}".into(),
        signature: None,
    };
    let expected = Reply {
        text: "Let me see – ".to_owned(),
        tool_calls: vec![search, now],
        reasoning: None,
        usage: Some(Usage {
            input: 125,
            output: 42,
            cached_input: 100,
            reasoning: 0,
            reported: true,
        }),
        finish_reason: FinishReason::ToolCalls,
        model: "claude-haiku-4-5-20251001".to_owned(),
    };
    for size in [1, 5, 100, text.len()] {
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        assert_eq!(read(&chunks).unwrap(), expected, "{size}");
    }
}

#[test]
fn a_reply_says_why_it_ends() {
    for (said, reason) in [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("max_tokens", FinishReason::Length),
        ("model_context_window_exceeded", FinishReason::Length),
        ("tool_use", FinishReason::ToolCalls),
        ("refusal", FinishReason::ContentFilter),
        ("pause_turn", FinishReason::Other),
    ] {
        let whole = json!({ "stop_reason": said, "usage": { "input_tokens": 1,
            "cache_read_input_tokens": u64::MAX, "cache_creation_input_tokens": u64::MAX } });
        let reply = read(&[whole.to_string().as_bytes()]).unwrap();
        assert_eq!(reply.finish_reason, reason, "{said}");
        assert_eq!(reply.usage.unwrap().input, u64::MAX, "whatever a provider counts");
    }
}

#[test]
fn errors_and_breaks_inside_a_stream() {
    let mut events = ordinary();
    events.truncate(6);
    let torn = read(&[stream(&events).as_bytes()]).unwrap_err();
    assert!(matches!(torn.error, ChatError::Connection { .. }), "{torn:?}");
    events.push(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }));
    let overloaded = read(&[stream(&events).as_bytes()]).unwrap_err();
    let message = "the provider broke off: Overloaded".to_owned();
    assert_eq!(
        overloaded.error,
        ChatError::Connection { message },
        "what was written may be billed"
    );
    let at_once = read(&[stream(&events.split_off(events.len() - 1)).as_bytes()]).unwrap_err();
    let expected = ChatError::ProviderFailed { status: 529, message: "Overloaded".to_owned() };
    assert_eq!(at_once.error, expected);
    let junk =
        read(&[b"event: message_start\ndata: {\"type\":\"message_start\"}\n\n"]).unwrap_err();
    assert!(matches!(junk.error, ChatError::Malformed { .. }), "{junk:?}");
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let whole = json!({ "type": "message", "model": "m", "stop_reason": "end_turn",
        "content": [{ "type": "text", "text": "hello" }, { "type": "tool_use", "id": "t", "name": "n", "input": { "a": 1 } }],
        "usage": { "input_tokens": 3, "output_tokens": 1 } });
    let reply = read(&[whole.to_string().as_bytes()]).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("hello", FinishReason::Stop));
    assert_eq!(reply.tool_calls[0].arguments, "{\"a\":1}");
}

#[test]
fn usage_that_counts_nothing_is_no_report() {
    for usage in [json!({}), json!({ "input_tokens": 0, "output_tokens": 0 }), json!(null)] {
        let head = json!({ "type": "message_start", "message": { "usage": usage } });
        let end = json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage });
        let reply = read(&[stream(&[head, end]).as_bytes()]).unwrap();
        assert_eq!(reply.usage, None, "{usage}");
        let whole = json!({ "stop_reason": "end_turn", "usage": usage });
        let reply = read(&[whole.to_string().as_bytes()]).unwrap();
        assert_eq!(reply.usage, None, "{usage}");
        let completion = reply.into_completion(&request(vec![Message::user("hello there")]), 1);
        assert!(completion.usage.input > 0 && !completion.usage.reported, "it is estimated");
    }
}
