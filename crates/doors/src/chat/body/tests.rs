//! Each field: honoured, refused, or named.

use serde_json::json;

use super::*;
use crate::Sources;
use crate::order::Wish;
use crate::talk::Progress;

fn parsed(mut body: Value) -> Parsed {
    if let Some(fields) = body.as_object_mut() {
        fields.entry("messages").or_insert(json!([{ "role": "user", "content": "why?" }]));
    }
    Parsed::read(body.to_string().as_bytes())
}

fn read(body: Value) -> AskRequest {
    parsed(body).request.unwrap()
}

fn refused(body: Value) -> (String, String) {
    match parsed(body.clone()).request {
        Err(Refusal::InvalidField { field, message }) => (field, message),
        other => panic!("{body} gave {other:?}"),
    }
}

#[test]
fn a_message_is_enough() {
    let parsed = parsed(json!({}));
    assert!(!parsed.streams && parsed.ignored.is_empty());
    assert_eq!(parsed.record, Record { model: "quarry".into(), ..Record::default() });
    let request = parsed.request.unwrap();
    assert_eq!((request.query.as_str(), request.model), ("why?", None));
    assert_eq!(request.wish, Wish::default());
    assert_eq!(request.sources, Sources { web: true, knowledge: false, program: true });
}

/// As front ends send inputs that nobody filled in.
#[test]
fn what_is_empty_is_as_good_as_not_given() {
    let parsed = parsed(json!({
        "model": "", "stream": "", "max_tokens": "", "temperature": "", "top_p": "", "stop": "",
        "reasoning_effort": "", "tool_choice": "", "n": "", "metadata": "", "response_format": "",
        "service_tier": "", "audio": "", "function_call": "", "modalities": "",
        "quarry": { "progress": "", "sources": "", "collection": "", "max_iterations": "", "budget": "" },
    }));
    assert_eq!(parsed.request.unwrap().wish, Wish::default());
    assert!(!parsed.streams && parsed.ignored.is_empty(), "{:?}", parsed.ignored);
}

#[test]
fn what_is_honoured_reaches_the_ask() {
    let body = json!({
        "model": "groq:x", "stream": true, "stream_options": { "include_usage": true },
        "max_tokens": 100, "max_completion_tokens": 100, "temperature": 0.5, "stop": "END",
        "reasoning_effort": "high", "response_format": { "type": "text" }, "n": 1, "logprobs": false,
        "modalities": ["text"], "tool_choice": "auto",
        "quarry": { "budget": { "tokens": 5000 }, "max_iterations": 2, "sources": "both",
                    "collection": "boats", "progress": "think", "verify_with_model": true },
    });
    let parsed = parsed(body);
    assert!(parsed.streams && parsed.ignored.is_empty(), "{:?}", parsed.ignored);
    let record = Record { model: "groq:x".into(), progress: Progress::Think, includes_usage: true };
    assert_eq!(parsed.record, record);
    let request = parsed.request.unwrap();
    let wish = &request.wish;
    assert_eq!(
        (wish.max_tokens, wish.temperature, wish.effort),
        (Some(100), Some(0.5), Some(ReasoningEffort::High))
    );
    assert_eq!(wish.stop, ["END"]);
    assert_eq!(request.model.as_deref(), Some("groq:x"));
    assert_eq!((request.budget.tokens, request.max_iterations), (Some(5_000), Some(2)));
    assert!(request.verify_with_model == Some(true) && request.sources.knowledge);
    assert_eq!(request.collection.unwrap().as_str(), "boats");
}

#[test]
fn a_choice_among_functions_may_be_none() {
    let function = json!({ "type": "function", "function": { "name": "f" } });
    let allowed = json!({ "mode": "auto", "tools": [function] });
    let choice = json!({ "type": "allowed_tools", "allowed_tools": allowed });
    let parsed = parsed(json!({ "tools": [function], "tool_choice": choice }));
    assert_eq!(parsed.request.unwrap().wish, Wish::default());
    assert_eq!(parsed.ignored, ["tools"]);
}

#[test]
fn what_is_ignored_is_named() {
    let fields = [
        "seed",
        "presence_penalty",
        "frequency_penalty",
        "logit_bias",
        "service_tier",
        "parallel_tool_calls",
        "prompt_cache_key",
        "safety_identifier",
        "verbosity",
        "web_search_options",
        "store",
        "tools",
        "functions",
        "anything",
    ];
    for field in fields {
        assert_eq!(parsed(json!({ field: 1 })).ignored, [field]);
        assert_eq!(parsed(json!({ field: null })).ignored, Vec::<String>::new(), "{field}");
    }
    assert_eq!(parsed(json!({ "tools": [] })).ignored, Vec::<String>::new());
    let two = parsed(json!({ "max_tokens": 9, "max_completion_tokens": 100 }));
    assert_eq!(two.ignored, ["max_tokens"]);
    assert_eq!(two.request.unwrap().wish.max_tokens, Some(100));
    let text = json!({ "type": "text", "json_schema": { "name": "a" } });
    let ignored = parsed(json!({ "response_format": text })).ignored;
    assert_eq!(ignored, ["response_format.json_schema"]);
    let tool = json!([{ "role": "tool", "content": "7" }, { "role": "user", "content": "x" }]);
    assert_eq!(parsed(json!({ "messages": tool, "seed": 1 })).ignored, ["seed", "messages.tool"]);
    // Whatever a name is made of, the header stays one line.
    assert_eq!(parsed(json!({ "x\r\nset-cookie: a": 1, "ü": 1 })).ignored, ["xset-cookiea"]);
}

#[test]
fn what_cannot_be_done_is_refused_by_its_name() {
    for (body, field) in [
        (json!({ "n": 2 }), "n"),
        (json!({ "logprobs": true }), "logprobs"),
        (json!({ "function_call": { "name": "extract" } }), "function_call"),
        (json!({ "audio": { "voice": "x" } }), "audio"),
        (json!({ "modalities": ["text", "audio"] }), "modalities"),
        (json!({ "tool_choice": "required" }), "tool_choice"),
        (
            json!({ "tool_choice": { "type": "function", "function": { "name": "f" } } }),
            "tool_choice",
        ),
        (
            json!({ "tool_choice": { "type": "allowed_tools", "allowed_tools": { "mode": "required", "tools": [] } } }),
            "tool_choice",
        ),
        (json!({ "response_format": { "type": "json_schema" } }), "response_format.json_schema"),
        (json!({ "response_format": { "json_schema": { "name": "a" } } }), "response_format.type"),
        (
            json!({ "response_format": { "type": "json_schema", "json_schema": {} } }),
            "response_format.json_schema.name",
        ),
        (
            json!({ "response_format": { "type": "json_schema", "json_schema": { "name": "a b" } } }),
            "response_format.json_schema.name",
        ),
        (
            json!({ "response_format": { "type": "json_schema", "json_schema": {
                "name": "a", "schema": { "patternProperties": {} } } } }),
            "response_format.json_schema.schema",
        ),
        (
            json!({ "response_format": { "type": "json_schema", "json_schema": {
                "name": "a", "schema": { "description": "x".repeat(70_000) } } } }),
            "response_format.json_schema.schema",
        ),
        (json!({ "response_format": { "type": "grammar" } }), "response_format.type"),
        (json!({ "response_format": { "type": "json_object" }, "stop": "}" }), "stop"),
        (
            json!({ "response_format": { "type": "json_object" }, "quarry": { "progress": "think" } }),
            "quarry.progress",
        ),
        (json!({ "top_p": 2 }), "top_p"),
        (json!({ "user": 7 }), "user"),
        (json!({ "metadata": { "a": "x".repeat(513) } }), "metadata"),
        (json!({ "messages": [] }), "messages"),
        (json!({ "messages": null, "input": "why?" }), "messages"),
        (json!({ "messages": [{ "role": "user", "content": " " }] }), "messages"),
        (json!({ "messages": [{ "role": "user", "content": "q".repeat(32_769) }] }), "messages"),
        (json!({ "messages": [{ "role": "assistant", "content": "It" }] }), "messages"),
        (json!({ "temperature": 3 }), "temperature"),
        (json!({ "temperature": "hot" }), "temperature"),
        (json!({ "max_tokens": 0 }), "max_tokens"),
        (json!({ "stop": ["a", "b", "c", "d", "e"] }), "stop"),
        (json!({ "stop": [1] }), "stop"),
        (json!({ "reasoning_effort": "heroic" }), "reasoning_effort"),
        (json!({ "stream": "yes" }), "stream"),
        (json!({ "quarry": { "budget": { "usd": -1 } } }), "quarry.budget.usd"),
        (json!({ "quarry": { "sources": "moon" } }), "quarry.sources"),
        (json!({ "quarry": { "collection": "A b" } }), "quarry.collection"),
        (json!({ "quarry": { "progress": "loud" } }), "quarry.progress"),
        (json!({ "quarry": { "bugdet": {} } }), "quarry"),
    ] {
        let (named, message) = refused(body.clone());
        assert_eq!(named, field, "{body}: {message}");
    }
    let (_, message) = refused(json!({ "messages": null, "input": "why?" }));
    assert!(message.contains("/v1/responses"), "{message}");
    let (_, message) = refused(json!({ "quarry": { "bugdet": {} } }));
    assert!(message.contains("budget"), "{message}");
}

#[test]
fn a_body_that_is_no_object_is_refused() {
    for bytes in ["", "[]", "no json", "7"] {
        assert!(
            matches!(Parsed::read(bytes.as_bytes()).request, Err(Refusal::InvalidJson(_))),
            "{bytes}"
        );
    }
}

#[test]
fn models_are_resolved_as_far_as_that_needs_no_settings() {
    assert!(read(json!({ "model": "quarry-direct" })).wish.is_direct);
    assert_eq!(read(json!({ "model": "quarry-groq" })).model.as_deref(), Some("groq"));
    let mut request = read(json!({ "model": "o3-deep-research" }));
    assert!(request.wants_settings());
    let aliases = "o3-deep-research=quarry, mine = groq:x ,title=quarry-direct";
    assert_eq!(request.settle(aliases, ""), Ok(()));
    assert_eq!((request.model, request.wish.is_direct), (None, false));
    let mut request = read(json!({ "model": "mine" }));
    assert_eq!(request.settle(aliases, ""), Ok(()));
    assert_eq!(request.model.as_deref(), Some("groq:x"));
    let mut request = read(json!({ "model": "title" }));
    assert_eq!((request.settle(aliases, ""), request.wish.is_direct), (Ok(()), true));
    let mut request = read(json!({ "model": "gpt-4o" }));
    assert!(
        matches!(request.settle(aliases, ""), Err(Refusal::InvalidField { field, .. }) if field == "model")
    );
    let mut request = read(json!({ "model": "x" }));
    assert_eq!(request.settle("quarry", "").unwrap_err().status(), 503);
}

#[test]
fn what_is_ignored_within_a_field_is_named() {
    let schema =
        json!({ "name": "a", "schema": {}, "strict": true, "grammar": "x", "a: b\r\n": 1 });
    let parsed = parsed(json!({
        "stream_options": { "include_usage": true, "include_obfuscation": false, "chunk_size": 7 },
        "response_format": { "type": "json_schema", "json_schema": schema, "strict": true, "empty": [] },
    }));
    assert!(parsed.request.is_ok());
    assert_eq!(
        parsed.ignored,
        [
            "stream_options.chunk_size",
            "response_format.strict",
            "response_format.json_schema.grammar",
            "response_format.json_schema.ab",
        ]
    );
}

#[test]
fn side_tasks_of_chat_programs_are_answered_at_once() {
    let title = json!([{ "role": "user", "content": "### Task:\nGenerate a title" }]);
    let side_task = || read(json!({ "messages": title }));
    assert!(side_task().manners.is_side_task);
    let settled = |word| {
        let mut request = side_task();
        request.settle("", word).map(|()| request.wish.is_direct)
    };
    assert_eq!(
        (settled(""), settled("direct"), settled("research")),
        (Ok(true), Ok(true), Ok(false))
    );
    let refused = settled("refuse").unwrap_err().to_string();
    assert!(refused.contains("a title, tags or follow-up questions"), "{refused}");
    assert!(settled("perhaps").is_err());
    assert!(!read(json!({ "messages": title, "stream": true })).manners.is_side_task);
    let later = json!([{ "role": "user", "content": "a" }, { "role": "assistant", "content": "b" }, title[0]]);
    assert!(!read(json!({ "messages": later })).manners.is_side_task);
}

#[test]
fn a_form_reaches_the_ask() {
    let schema = json!({ "type": "object", "properties": { "year": { "type": "integer", "format": "year" } } });
    let named =
        json!({ "name": "lamp", "description": "A lamp.", "schema": schema, "strict": true });
    let parsed =
        parsed(json!({ "response_format": { "type": "json_schema", "json_schema": named } }));
    assert_eq!(parsed.ignored, ["response_format.format"]);
    let Some(Form::JsonSchema { name, schema, strict }) = parsed.request.unwrap().wish.form else {
        panic!()
    };
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!((name.as_str(), &schema["description"], strict), ("lamp", &json!("A lamp."), true));
    assert_eq!(schema["properties"]["year"]["type"], "integer");
    let read = |format: Value| read(json!({ "response_format": format })).wish.form;
    assert_eq!(read(json!({ "type": "json_object" })), Some(Form::JsonObject));
    assert_eq!(read(json!({ "type": "text" })), None);
    assert_eq!(read(Value::Null), None);
}

#[test]
fn notes_are_kept_where_there_are_any() {
    assert_eq!(read(json!({})).manners.keeps, None);
    let kept = read(json!({ "metadata": { "a": "b" }, "user": "u-1", "top_p": 0.5 }))
        .manners
        .keeps
        .unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let echo = &kept["echo"];
    assert_eq!(
        (&echo["metadata"], &echo["user"], &echo["top_p"]),
        (&json!({ "a": "b" }), &json!("u-1"), &json!(0.5))
    );
    assert_eq!(kept["question"], "why?");
}
