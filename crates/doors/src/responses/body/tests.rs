//! Bodies, honoured, refused and named.

use super::*;
use serde_json::json;

fn read(more: &Value) -> Parsed {
    let mut body = json!({ "input": "why?" });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    Parsed::read(body.to_string().as_bytes())
}

#[test]
fn what_is_honoured_reaches_the_ask() {
    let parsed = read(&json!({
        "model": "quarry-groq", "instructions": "Be brief.", "max_output_tokens": 99, "temperature": 0.5,
        "reasoning": { "effort": "high", "summary": "none" }, "stream": true, "tool_choice": "none",
        "tools": [{ "type": "file_search" }], "metadata": { "a": "b" }, "service_tier": "flex", "top_p": 0.9, "max_tool_calls": 7,
        "include": ["code_interpreter_call.outputs", "web_search_call.action.sources", "message.output_text.logprobs"],
        "stream_options": { "include_obfuscation": false }, "background_options": { "latency": "soonest" },
        "top_logprobs": 0,
    }));
    let request = parsed.request.unwrap();
    assert!(parsed.streams && !parsed.record.has_summaries && parsed.record.shows_outputs);
    assert!(parsed.record.shows_sources && !parsed.record.shows_results);
    assert_eq!(request.wish.instructions.as_deref(), Some("Be brief."));
    assert_eq!((request.wish.max_tokens, request.wish.temperature), (Some(99), Some(0.5)));
    assert_eq!(request.wish.effort, Some(ReasoningEffort::High));
    assert!(request.wish.is_direct && request.sources.knowledge && !request.sources.web);
    assert_eq!((request.wish.top_p, request.max_tool_calls), (Some(0.9), Some(7)));
    assert_eq!(parsed.ignored, ["service_tier", "top_logprobs", "background_options", "include"]);
    let echo = parsed.record.echo;
    assert_eq!((echo.model.as_str(), echo.max_output_tokens), ("quarry-groq", Some(99)));
    assert_eq!((echo.tool_choice.as_str(), echo.store), ("none", true));
}

#[test]
fn where_no_tool_is_named_all_are_used_but_for_what_the_extension_says() {
    let sources = |more: Value| read(&more).request.unwrap().sources;
    let all = Sources { web: true, knowledge: true, program: true };
    assert_eq!(sources(json!({})), all);
    assert_eq!(sources(json!({ "tools": [{ "type": "function", "name": "f" }] })), all);
    let web = Sources { knowledge: false, ..all };
    assert_eq!(sources(json!({ "quarry": { "sources": "web" } })), web);
    let named = read(&json!({ "quarry": { "collection": "boats" } })).request.unwrap();
    assert_eq!((named.sources, named.collection.unwrap().as_str()), (all, "boats"));
    let searches = Sources { program: false, ..web };
    assert_eq!(sources(json!({ "tools": [{ "type": "web_search" }] })), searches);
}

#[test]
fn who_wants_nothing_left_out_says_so_and_is_shown_it_again() {
    for (said, wants_all) in
        [(json!("auto"), false), (json!("disabled"), true), (json!(null), false)]
    {
        let parsed = read(&json!({ "truncation": said }));
        assert_eq!(parsed.request.unwrap().wish.wants_all_said, wants_all);
        assert_eq!(parsed.record.echo.truncation, said.as_str().unwrap_or("auto"));
        assert!(parsed.ignored.is_empty(), "{:?}", parsed.ignored);
    }
    let refusal = read(&json!({ "truncation": "middle" })).request.unwrap_err();
    assert!(refusal.to_string().contains("wants auto or disabled"), "{refusal}");
}

/// As agents send their own tools, of which some may be called.
#[test]
fn functions_are_shown_again_and_a_choice_among_them_is_none() {
    let function = json!({ "type": "function", "name": "f", "description": null, "parameters": {}, "strict": true });
    let tools = json!([{ "type": "web_search" }, function]);
    let among = json!([{ "type": "function", "name": "f" }, { "type": "web_search" }]);
    let choice = json!({ "type": "allowed_tools", "mode": "auto", "tools": among });
    let parsed = read(&json!({ "tools": tools, "tool_choice": choice }));
    let request = parsed.request.unwrap();
    assert!(request.sources.web && !request.wish.is_direct);
    assert_eq!(parsed.ignored, ["tools.function"]);
    let echo = parsed.record.echo;
    assert_eq!((json!(echo.tools), echo.tool_choice.as_str()), (tools, "auto"));
}

#[test]
fn whom_a_caller_asks_for_is_shown_again_whole_or_refused() {
    let asking = |user: String| read(&json!({ "user": user, "safety_identifier": "s" }));
    let parsed = asking("u".repeat(MAX_ECHO));
    assert_eq!(parsed.record.echo.user.map(|user| user.len()), Some(MAX_ECHO));
    assert!(parsed.request.is_ok());
    assert_eq!(parsed.ignored, ["safety_identifier", "user"]);
    match asking("u".repeat(MAX_ECHO + 1)).request.unwrap_err() {
        Refusal::InvalidField { field, message } => {
            assert!(field == "user" && message.contains("at most 256"), "{field} {message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_ignored_within_a_field_is_named() {
    let parsed = read(&json!({
        "reasoning": { "effort": "low", "summary": "auto", "generate_summary": "concise", "context": null },
        "text": { "verbosity": "low", "format": { "type": "json_schema", "name": "a", "schema": {}, "grammar": "x" } },
        "stream_options": { "include_obfuscation": true, "include_usage": true },
        "tools": [
            { "type": "web_search", "user_location": { "country": "DE" }, "max_results": 3, "include": [] },
            { "type": "file_search", "vector_store_ids": [], "filters": { "a": 1 }, "max_results": 4 },
        ],
    }));
    assert!(parsed.request.is_ok());
    assert_eq!(
        parsed.ignored,
        [
            "stream_options.include_usage",
            "reasoning.generate_summary",
            "text.verbosity",
            "text.format.grammar",
            "tools.user_location",
            "tools.max_results",
            "tools.filters",
        ]
    );
}

#[test]
fn what_is_wrong_is_named() {
    for (more, field) in [
        (json!({ "input": "" }), "messages"),
        (json!({ "input": 7 }), "input"),
        (json!({ "stream_options": 5 }), "stream_options"),
        (json!({ "input": [{ "role": "user" }] }), "input[0].content"),
        (json!({ "input": [{ "role": "user", "content": 5 }] }), "input[0].content"),
        (json!({ "background": true, "store": false }), "background"),
        (json!({ "conversation": "c" }), "conversation"),
        (json!({ "prompt": { "id": "p" } }), "prompt"),
        (json!({ "top_logprobs": 2 }), "top_logprobs"),
        (json!({ "background_options": { "latency": "8h" } }), "background_options"),
        (json!({ "tools": [{ "type": "mcp" }] }), "tools"),
        (json!({ "tool_choice": "required" }), "tool_choice"),
        (
            json!({
                "tools": [{ "type": "web_search" }, { "type": "file_search" }],
                "tool_choice": { "type": "allowed_tools", "mode": "auto", "tools": [{ "type": "file_search" }] },
            }),
            "tool_choice",
        ),
        (json!({ "text": { "format": { "type": "json_schema" } } }), "text.format.name"),
        (json!({ "text": { "format": { "type": "grammar" } } }), "text.format.type"),
        (json!({ "text": { "format": { "name": "a", "schema": {} } } }), "text.format.type"),
        (
            json!({ "text": { "format": { "type": "json_schema", "name": "a", "schema": { "if": {} } } } }),
            "text.format.schema",
        ),
        (json!({ "top_p": 1.1 }), "top_p"),
        (json!({ "max_tool_calls": 0 }), "max_tool_calls"),
        (json!({ "metadata": { "a": 1 } }), "metadata"),
        (json!({ "reasoning": { "summary": "long" } }), "reasoning.summary"),
        (json!({ "messages": [] }), "input"),
        (json!({ "stream": "yes" }), "stream"),
        (json!({ "quarry": { "progress": "think" } }), "quarry.progress"),
    ] {
        match read(&more).request.unwrap_err() {
            Refusal::InvalidField { field: told, .. } => assert_eq!(told, field, "{more}"),
            other => panic!("{more}: {other:?}"),
        }
    }
}

#[test]
fn without_a_question_an_earlier_response_goes_on() {
    let body = json!({ "previous_response_id": "resp_0af3" }).to_string();
    let request = Parsed::read(body.as_bytes()).request.unwrap();
    assert_eq!(request.resume, Some(Continuation::Kept("0af3".to_owned())));
    assert_eq!((request.query.as_str(), request.manners.follows.as_deref()), ("", Some("0af3")));
}

#[test]
fn a_form_reaches_the_ask_and_is_shown_again() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^x" } } });
    let format = json!({ "type": "json_schema", "name": "a", "schema": schema, "strict": true });
    let parsed = read(&json!({ "text": { "format": format, "verbosity": "low" } }));
    let wish = parsed.request.unwrap().wish;
    let form =
        AnswerForm::JsonSchema { name: "a".into(), schema: schema.to_string(), strict: true };
    assert_eq!(wish.form, Some(form));
    assert_eq!(parsed.ignored, ["text.verbosity", "text.format.pattern"]);
    assert_eq!(json!(parsed.record.echo.text), json!({ "format": format }));
    let parsed = read(&json!({ "text": { "format": { "type": "json_object" } } }));
    assert_eq!(parsed.request.unwrap().wish.form, Some(AnswerForm::JsonObject));
    assert_eq!(json!(parsed.record.echo.text), json!({ "format": { "type": "json_object" } }));
    let kept = parsed.record.write("q", &[]);
    assert_eq!(json!(Record::unchecked(&kept).unwrap().echo.text)["format"]["type"], "json_object");
    let parsed = read(&json!({ "text": { "format": { "type": "text", "schema": {} } } }));
    assert_eq!(parsed.ignored, ["text.format.schema"]);
    assert_eq!(json!(parsed.record.echo.text), json!({ "format": { "type": "text" } }));
}

#[test]
fn instructions_come_before_those_in_the_conversation_and_are_never_what_has_no_room() {
    let long = "x".repeat(20_000);
    let parsed = read(&json!({
        "instructions": "Be brief.",
        "input": [{ "role": "system", "content": long }, { "role": "user", "content": "Who?" }],
    }));
    let told = parsed.request.unwrap().wish.instructions.unwrap();
    assert!(told.starts_with("Be brief.\n\nxxx"), "{told}");
    assert_eq!(parsed.ignored, ["input.system"]);
}
