//! Bodies, and streams as the official clients read them.

use super::*;
use crate::refused::{Parameter, Refused};
use crate::reply::{Progress, Reply, ReplyReader};
use crate::{Failure, Wire};
use proptest::prelude::*;
use quarry_types::{
    ChatError, ChatRequest, FinishReason, Json, Message, ReasoningEffort, ReplySchema, ToolCall,
    ToolSpec, Usage,
};
use serde_json::{Value, json};

fn request() -> ChatRequest {
    ChatRequest {
        model: "openai:gpt-6.2-sol".parse().unwrap(),
        messages: vec![Message::system("role"), Message::user("hi")],
        tools: vec![ToolSpec {
            name: "search_web".to_owned(),
            description: "Searches.".to_owned(),
            parameters: Json::of(&json!({ "type": "object", "additionalProperties": false })),
        }],
        temperature: Some(0.2),
        max_output_tokens: 512,
        reasoning_effort: Some(ReasoningEffort::Low),
        top_p: Some(0.9),
        json: false,
        schema: None,
        streams_text: false,
    }
}

fn written(request: &ChatRequest, refused: &[Parameter]) -> Value {
    let refused = refused.iter().fold(Refused::default(), |all, it| all.with(*it).unwrap());
    serde_json::from_slice(&body(request, &refused)).unwrap()
}

/// A response that ends with these items.
fn ended(output: &Value) -> Value {
    json!({ "id": "resp_1", "object": "response", "status": "completed", "model": "gpt-6.2-sol-2026-11-17",
        "error": null, "incomplete_details": null, "output": output, "usage": {
            "input_tokens": 100, "input_tokens_details": { "cached_tokens": 64, "cache_write_tokens": 0 },
            "output_tokens": 30, "output_tokens_details": { "reasoning_tokens": 12 }, "total_tokens": 130 } })
}

fn stream(events: &[Value]) -> String {
    let frame = |event: &Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    events.iter().map(frame).collect()
}

fn thought(sealed: &str) -> Value {
    json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": sealed })
}

fn called(id: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": "fc_1", "call_id": id, "name": "search_web",
        "arguments": arguments, "status": "completed" })
}

fn said(text: &str) -> Value {
    json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": text, "annotations": [] }] })
}

fn piece(text: &str) -> Value {
    json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0,
        "item_id": "msg_1", "delta": text, "logprobs": [] })
}

fn done(item: &Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": 0, "item": item })
}

fn end(kind: &str, response: &Value) -> Value {
    json!({ "type": kind, "sequence_number": 9, "response": response })
}

/// What a model streams that thinks, says something and calls a tool twice.
fn events() -> Vec<Value> {
    let items = [
        thought("c2VhbGVk"),
        said("Zürich — 日本 🦀"),
        called("call_1", "{\"query\":\"a\"}"),
        thought("bW9yZQ=="),
        thought("eWV0"),
        called("call_2", "{\"query\":\"b\"}"),
    ];
    let mut events = vec![
        end("response.created", &ended(&json!([]))),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": thought("bm90") }),
        done(&items[0]),
        piece("Zürich — "),
        piece("日本 🦀"),
        json!({ "type": "response.output_text.done", "text": "Zürich — 日本 🦀" }),
    ];
    events.extend(items[1..].iter().map(done));
    events.insert(8, json!({ "type": "response.function_call_arguments.delta", "delta": "{\"qu" }));
    events.push(end("response.completed", &ended(&json!(items))));
    events
}

fn expected() -> Reply {
    let call = |id: &str, arguments: &str, thoughts: &str| ToolCall {
        id: id.to_owned(),
        name: "search_web".to_owned(),
        arguments: arguments.to_owned(),
        signature: Some(thoughts.to_owned()),
    };
    Reply {
        text: "Zürich — 日本 🦀".to_owned(),
        tool_calls: vec![
            call("call_1", "{\"query\":\"a\"}", "c2VhbGVk\n"),
            call("call_2", "{\"query\":\"b\"}", "bW9yZQ==\neWV0\n"),
        ],
        reasoning: None,
        usage: Some(Usage {
            input: 100,
            output: 30,
            cached_input: 64,
            reasoning: 12,
            reported: true,
        }),
        finish_reason: FinishReason::ToolCalls,
        model: "gpt-6.2-sol-2026-11-17".to_owned(),
    }
}

fn read(chunks: &[&[u8]]) -> Result<Reply, Failure> {
    let mut reader = ReplyReader::new(Wire::Responses);
    for chunk in chunks {
        if reader.push(chunk)? == Progress::Done {
            break;
        }
    }
    reader.finish()
}

fn read_all(events: &[Value]) -> Result<Reply, Failure> {
    read(&[stream(events).as_bytes()])
}

#[test]
fn an_ordinary_body() {
    assert_eq!(
        written(&request(), &[]),
        json!({
            "model": "gpt-6.2-sol",
            "input": [
                { "type": "message", "role": "system", "content": "role" },
                { "type": "message", "role": "user", "content": "hi" },
            ],
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "max_output_tokens": 512,
            "tools": [{ "type": "function", "name": "search_web", "description": "Searches.",
                "parameters": { "type": "object", "additionalProperties": false }, "strict": false }],
            "reasoning": { "effort": "low" },
        })
    );
}

#[test]
fn what_was_refused_is_left_out() {
    let mut asked = request();
    (asked.model, asked.max_output_tokens) = ("custom:m".parse().unwrap(), 3);
    let body = written(&asked, &[Parameter::ChatCompletions, Parameter::TopP]);
    assert_eq!((&body["temperature"], body.get("top_p")), (&json!(0.2), None));
    assert_eq!(body["max_output_tokens"], 16, "less is refused");
    assert!(body.get("reasoning").is_none(), "nobody knows whether it thinks");
    let body = written(&request(), &[Parameter::ReasoningEffort]);
    assert!(body.get("reasoning").is_none());
}

#[test]
fn a_schema_has_its_place_or_is_said_in_words() {
    let mut asked = request();
    let schema = Json::of(&json!({ "type": "object" }));
    (asked.tools, asked.json) = (Vec::new(), true);
    assert_eq!(written(&asked, &[])["text"]["format"], json!({ "type": "json_object" }));
    let (name, strict, in_words) = ("product".to_owned(), true, false);
    asked.schema = Some(ReplySchema { name, schema, strict, in_words });
    let body = written(&asked, &[]);
    assert_eq!(
        body["text"]["format"],
        json!({ "type": "json_schema", "name": "product", "schema": { "type": "object" }, "strict": true })
    );
    assert_eq!(body["input"].as_array().unwrap().len(), 2);
    let body = written(&asked, &[Parameter::ResponseFormat]);
    assert_eq!(body["text"]["format"], json!({ "type": "json_object" }));
    let words = body["input"][0]["content"].as_str().unwrap();
    assert!(words.contains("JSON Schema") && body["input"][0]["role"] == "system", "{words}");
}

#[test]
fn what_a_model_thought_goes_back_before_the_calls_that_came_of_it() {
    let mut asked = request();
    let done = expected().into_completion(&asked, 1);
    asked.messages.extend([
        Message::assistant(done.text, done.tool_calls),
        Message::tool_result("call_1", "found"),
        Message::tool_result("call_2", "nothing"),
        Message::assistant("So it is.", Vec::new()),
    ]);
    let thought =
        |sealed: &str| json!({ "type": "reasoning", "summary": [], "encrypted_content": sealed });
    let called = |id: &str, arguments: &str| json!({ "type": "function_call", "call_id": id, "name": "search_web", "arguments": arguments });
    let found = |id: &str, output: &str| json!({ "type": "function_call_output", "call_id": id, "output": output });
    let spoken = |phase: &str, text: &str| json!({ "type": "message", "role": "assistant", "content": text, "phase": phase });
    assert_eq!(
        written(&asked, &[])["input"].as_array().unwrap()[2..],
        [
            spoken("commentary", "Zürich — 日本 🦀"),
            thought("c2VhbGVk"),
            called("call_1", "{\"query\":\"a\"}"),
            thought("bW9yZQ=="),
            thought("eWV0"),
            called("call_2", "{\"query\":\"b\"}"),
            found("call_1", "found"),
            found("call_2", "nothing"),
            spoken("final_answer", "So it is."),
        ]
    );
}

#[test]
fn text_calls_thoughts_and_usage_come_out_however_the_bytes_are_cut() {
    let text = stream(&events());
    for size in [1, 2, 3, 7, 64, usize::MAX] {
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(size.min(text.len())).collect();
        assert_eq!(read(&chunks).unwrap(), expected(), "{size}");
    }
    let windows = text.replace('\n', "\r\n");
    assert_eq!(read(&[windows.as_bytes()]).unwrap(), expected());
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let items =
        json!([thought("c2VhbGVk"), said("Yes."), { "type": "web_search_call", "name": 7 }]);
    let reply = read(&[ended(&items).to_string().as_bytes()]).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("Yes.", FinishReason::Stop));
    // So is a stream of which somebody in between has passed on the end alone.
    let reply = read_all(&[end("response.completed", &ended(&items))]).unwrap();
    assert_eq!(reply.text, "Yes.");
    let failed =
        json!({ "status": "failed", "error": { "code": "server_error", "message": "oops" } });
    let failure = read(&[failed.to_string().as_bytes()]).unwrap_err();
    assert!(matches!(failure.error, ChatError::ProviderFailed { .. }), "{failure:?}");
}

#[test]
fn a_second_message_stands_apart_and_a_refusal_is_the_answer() {
    let refusal = json!({ "type": "response.refusal.delta", "delta": "I won't." });
    let whole =
        json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "I won't." }] });
    let events = [
        piece("Let me see."),
        done(&said("Let me see.")),
        refusal,
        done(&whole),
        done(&said("Sorry.")),
        end("response.completed", &ended(&json!([]))),
    ];
    assert_eq!(read_all(&events).unwrap().text, "Let me see.\n\nI won't.\n\nSorry.");
}

#[test]
fn a_response_that_is_not_whole_says_why() {
    for (details, reason) in [
        (json!({ "reason": "max_output_tokens" }), FinishReason::Length),
        (json!({ "reason": "content_filter" }), FinishReason::ContentFilter),
        (json!({ "reason": "the moon" }), FinishReason::Other),
        (Value::Null, FinishReason::Other),
        (json!({ "reason": null }), FinishReason::Other),
    ] {
        let mut response = ended(&json!([]));
        response["incomplete_details"] = details.clone();
        let events = [piece("So"), end("response.incomplete", &response)];
        let reply = read_all(&events).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish_reason), ("So", reason), "{details}");
        assert_eq!(reply.usage.unwrap().reasoning, 12);
    }
}

#[test]
fn what_goes_wrong_in_a_stream_is_told_apart() {
    let begun = || end("response.created", &ended(&json!([])));
    let failed = |code: &str| {
        let error = json!({ "code": code, "message": "try again in 3s" });
        end("response.failed", &json!({ "status": "failed", "error": error }))
    };
    let limit = read_all(&[begun(), failed("rate_limit_exceeded")]).unwrap_err();
    assert_eq!(limit.error.wait_seconds(), Some(3.0));
    let refused = read_all(&[begun(), failed("invalid_prompt")]).unwrap_err();
    assert!(matches!(refused.error, ChatError::Rejected { status: 400, .. }), "{refused:?}");
    // What broke off may be billed.
    for last in [
        failed("server_error"),
        end("response.failed", &Value::Null),
        json!({ "type": "error", "code": "server_error", "message": "oops", "param": null }),
        json!({ "type": "error", "error": { "type": "server_error", "message": "oops" } }),
        json!({ "error": { "message": "oops" } }),
    ] {
        let failure = read_all(&[begun(), piece("So"), last.clone()]).unwrap_err();
        assert!(matches!(failure.error, ChatError::Connection { .. }), "{last}: {failure:?}");
    }
    let long = json!({ "type": "error", "error": { "type": "invalid_request_error",
        "code": "context_length_exceeded", "message": "Your input exceeds the context window." } });
    let failure = read_all(&[begun(), long]).unwrap_err();
    assert!(matches!(failure.error, ChatError::ContextTooLong { .. }), "{failure:?}");
}

#[test]
fn what_breaks_off_is_a_broken_connection_and_junk_is_malformed() {
    let text = stream(&events());
    let last = text.find("event: response.completed").unwrap();
    for cut in (0..last).filter(|cut| text.is_char_boundary(*cut)) {
        let failure = read(&[text.get(..cut).unwrap().as_bytes()]).unwrap_err();
        assert!(matches!(failure.error, ChatError::Connection { .. }), "{cut}: {failure:?}");
    }
    for junk in ["data: {\"type\":\n\n", "data: <html>\n\n", "data: 7\n\n", "{}", "[1"] {
        let failure = read(&[junk.as_bytes()]).unwrap_err();
        assert!(matches!(failure.error, ChatError::Malformed { .. }), "{junk}: {failure:?}");
    }
}

#[test]
fn calls_without_a_name_are_none_and_those_without_an_id_get_one() {
    let events = [
        done(&json!({ "type": "function_call", "call_id": "a", "arguments": "{}" })),
        done(
            &json!({ "type": "function_call", "name": "search_web", "arguments": { "query": "x" } }),
        ),
        end("response.completed", &ended(&json!([]))),
    ];
    let calls = read_all(&events).unwrap().tool_calls;
    let [call] = calls.as_slice() else { panic!("{calls:?}") };
    assert_eq!((call.id.as_str(), call.arguments.as_str()), ("call_1", "{\"query\":\"x\"}"));
    let many: Vec<Value> = (0..5_000).map(|n| done(&called(&format!("c{n}"), "{}"))).collect();
    let many = [many, vec![end("response.completed", &ended(&json!([])))]].concat();
    assert_eq!(read_all(&many).unwrap().tool_calls.len(), 1_000);
}

/// Events that are not of this version, and fields of other shapes.
fn strange() -> impl Strategy<Value = Value> {
    let shape = prop_oneof![
        Just(Value::Null),
        Just(json!(7)),
        Just(json!("x")),
        Just(json!(["x"])),
        Just(json!({ "type": "thing", "content": 7 })),
    ];
    let field = prop_oneof![Just("delta"), Just("item"), Just("response"), Just("part")];
    (field, shape)
        .prop_map(|(field, shape)| json!({ "type": "response.later.thing", field: shape }))
}

proptest! {
    #[test]
    fn events_that_nobody_knows_change_nothing(
        strangers in proptest::collection::vec((any::<prop::sample::Index>(), strange()), 0..8),
    ) {
        let mut all = events();
        for (place, stranger) in strangers {
            all.insert(place.index(all.len()), stranger);
        }
        prop_assert_eq!(read_all(&all).unwrap(), expected());
    }

    #[test]
    fn no_bytes_break_the_reader(
        chunks in proptest::collection::vec(prop_oneof![
            Just(b"data: ".to_vec()),
            Just(b"\n\n".to_vec()),
            Just(b"{\"type\":\"response.output_item.done\",\"item\":".to_vec()),
            Just(b"{\"type\":\"function_call\",\"name\":\"x\"}}".to_vec()),
            Just(b"{\"type\":\"response.completed\",\"response\":{}}".to_vec()),
            Just(b"null}".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ], 0..20),
    ) {
        let mut reader = ReplyReader::new(Wire::Responses);
        let fine = chunks.iter().try_for_each(|chunk| reader.push(chunk).map(|_| ())).is_ok();
        if fine {
            let _ = reader.finish();
        }
    }
}
