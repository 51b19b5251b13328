//! Bodies, and replies as the providers' documentation shows them.

use super::*;
use crate::refused::{Parameter, Refused};
use crate::reply::{Progress, Reply, ReplyReader};
use crate::{Failure, Wire};
use quarry_types::{
    ChatError, ChatRequest, FinishReason, Json, Message, ReasoningEffort, ReplySchema, ToolCall,
    ToolSpec, Usage,
};
use serde_json::{Value, json};

mod back;

fn request(model: &str) -> ChatRequest {
    ChatRequest {
        model: model.parse().unwrap(),
        messages: vec![
            Message::system("role"),
            Message::user("hi"),
            Message::assistant(
                "",
                vec![ToolCall {
                    id: "call_abc".to_owned(),
                    name: "search_web".to_owned(),
                    arguments: "{\"query\":\"x\"}".to_owned(),
                    signature: None,
                }],
            ),
            Message::tool_result("call_abc", "found"),
        ],
        tools: vec![ToolSpec {
            name: "search_web".to_owned(),
            description: "Searches.".to_owned(),
            parameters: Json::of(&json!({ "type": "object", "additionalProperties": false })),
        }],
        temperature: Some(0.2),
        max_output_tokens: 512,
        reasoning_effort: Some(ReasoningEffort::Low),
        top_p: None,
        json: false,
        schema: None,
        streams_text: false,
    }
}

fn written(request: &ChatRequest) -> Value {
    without(&[], request)
}

fn without(refused: &[Parameter], request: &ChatRequest) -> Value {
    let refused = refused.iter().fold(Refused::default(), |all, it| all.with(*it).unwrap());
    serde_json::from_slice(&body(request, &refused)).unwrap()
}

#[test]
fn an_ordinary_body() {
    assert_eq!(
        written(&request("groq:llama-3.1-8b-instant")),
        json!({
            "model": "llama-3.1-8b-instant",
            "messages": [
                { "role": "system", "content": "role" },
                { "role": "user", "content": "hi" },
                { "role": "assistant", "content": null, "tool_calls": [{
                    "id": "call_abc", "type": "function",
                    "function": { "name": "search_web", "arguments": "{\"query\":\"x\"}" }
                }] },
                { "role": "tool", "content": "found", "tool_call_id": "call_abc" }
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
            "tools": [{ "type": "function", "function": {
                "name": "search_web", "description": "Searches.",
                "parameters": { "type": "object", "additionalProperties": false }
            } }],
            "tool_choice": "auto",
            "temperature": 0.2,
            "max_tokens": 512
        })
    );
}

#[test]
fn openais_reasoning_models_take_other_parameters() {
    let body = written(&request("openai:o4-mini"));
    assert_eq!(body["max_completion_tokens"], 512);
    assert_eq!(body["reasoning_effort"], "low");
    assert!(body.get("temperature").is_none() && body.get("max_tokens").is_none());
    let body = written(&request("openai:gpt-4o"));
    assert!(body.get("reasoning_effort").is_none());
}

#[test]
fn the_newest_ones_are_told_not_to_think_where_they_are_offered_tools() {
    for model in ["openai:gpt-5.4", "openai:gpt-5.6-luna", "openai:gpt-6-sol", "openai:gpt-7.1"] {
        let mut asked = request(model);
        let body = written(&asked);
        assert_eq!(body["reasoning_effort"], "none", "{model}");
        assert_eq!(body["max_completion_tokens"], 512, "{model}");
        assert!(body.get("temperature").is_none() && body.get("max_tokens").is_none(), "{model}");
        asked.reasoning_effort = None;
        assert_eq!(written(&asked)["reasoning_effort"], "none", "the model's own is refused, too");
        asked.tools.clear();
        assert!(written(&asked).get("reasoning_effort").is_none());
        asked.reasoning_effort = Some(ReasoningEffort::High);
        assert_eq!(written(&asked)["reasoning_effort"], "high");
    }
    for model in ["openai:gpt-5.1", "openai:o4-mini", "openrouter:openai/gpt-6-sol"] {
        assert_eq!(written(&request(model))["reasoning_effort"], "low", "{model}");
    }
}

#[test]
fn what_was_refused_is_left_out_or_said_otherwise() {
    use Parameter::{MaxCompletionTokens, MaxTokens, ReasoningEffort, Temperature, Thinking};
    let mut asked = request("custom:m");
    asked.top_p = Some(0.5);
    let body = without(&[MaxTokens, Temperature, Parameter::TopP], &asked);
    assert_eq!(body["max_completion_tokens"], 512);
    for parameter in ["max_tokens", "temperature", "top_p"] {
        assert!(body.get(parameter).is_none(), "{body}");
    }
    let older = without(&[MaxCompletionTokens], &request("openai:o4-mini"));
    assert_eq!(older["max_tokens"], 512);
    let asked = request("openai:o4-mini");
    assert_eq!(without(&[Thinking], &asked)["reasoning_effort"], "none");
    assert!(without(&[Thinking, ReasoningEffort], &asked).get("reasoning_effort").is_none());
    let mut wants_json = request("custom:m");
    (wants_json.tools, wants_json.json) = (Vec::new(), true);
    let body = without(&[Parameter::ResponseFormat], &wants_json);
    assert!(body.get("response_format").is_none(), "{body}");
    let body = without(&[Parameter::ResponseFormat], &fitting("openai:gpt-4o-mini"));
    assert_eq!(body["response_format"], json!({ "type": "json_object" }));
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.contains("\"required\":[\"year\"]"), "the schema is said in words: {system}");
}

#[test]
fn json_is_asked_for_only_without_tools() {
    let mut wants_json = request("openai:gpt-4o-mini");
    wants_json.json = true;
    assert!(written(&wants_json).get("response_format").is_none());
    wants_json.tools.clear();
    let body = written(&wants_json);
    assert_eq!(body["response_format"], json!({ "type": "json_object" }));
    assert!(body.get("tools").is_none() && body.get("tool_choice").is_none());
}

fn fitting(model: &str) -> ChatRequest {
    let schema = Json::of(&json!({ "type": "object", "required": ["year"] }));
    let schema = ReplySchema { name: "lamp".into(), schema, strict: true, in_words: false };
    let mut request = request(model);
    request.tools.clear();
    ChatRequest { json: true, schema: Some(schema), top_p: Some(0.5), ..request }
}

#[test]
fn what_a_reply_must_fit_has_its_place_or_is_said_in_words() {
    let body = written(&fitting("openai:gpt-4o-mini"));
    let placed = json!({ "type": "json_schema", "json_schema": {
        "name": "lamp", "schema": { "type": "object", "required": ["year"] }, "strict": true,
    } });
    assert_eq!((&body["response_format"], &body["top_p"]), (&placed, &json!(0.5)));
    assert_eq!(body["messages"][0]["content"], "role");
    let mut in_words = fitting("openai:gpt-4o-mini");
    in_words.schema.as_mut().unwrap().in_words = true;
    for asked in [in_words, fitting("groq:llama-3.1-8b-instant"), fitting("openai:gpt-4-turbo")] {
        let body = written(&asked);
        assert_eq!(body["response_format"], json!({ "type": "json_object" }));
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert!(
            system.starts_with("role\n\n") && system.contains("\"required\":[\"year\"]"),
            "{system}"
        );
    }
    let mut alone = fitting("groq:x");
    alone.messages = vec![Message::user("hi")];
    let body = written(&alone);
    assert_eq!(
        (&body["messages"][0]["role"], body["messages"].as_array().unwrap().len()),
        (&json!("system"), 2)
    );
    // OpenAI's reasoning models take neither a temperature nor this.
    assert!(written(&fitting("openai:o4-mini")).get("top_p").is_none());
}

#[test]
fn arguments_are_an_object_even_where_a_model_wrote_none() {
    let mut asked = request("openai:gpt-4o");
    asked.messages[2].tool_calls[0].arguments = " ".to_owned();
    assert_eq!(written(&asked)["messages"][2]["tool_calls"][0]["function"]["arguments"], "{}");
}

#[test]
fn mistral_gets_no_stream_options_and_its_own_ids() {
    let body = written(&request("mistral:mistral-small-latest"));
    assert!(body.get("stream_options").is_none());
    let id = body["messages"][2]["tool_calls"][0]["id"].as_str().unwrap();
    assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    assert_eq!(body["messages"][3]["tool_call_id"], id);
}

fn read(chunks: &[&[u8]]) -> Result<Reply, Failure> {
    let mut reader = ReplyReader::new(Wire::ChatCompletions);
    for chunk in chunks {
        if reader.push(chunk)? == Progress::Done {
            break;
        }
    }
    reader.finish()
}

/// A stream of these chunks, as OpenAI frames them.
fn stream(chunks: &[Value]) -> String {
    let mut out: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    out.push_str("data: [DONE]\n\n");
    out
}

fn delta(delta: Value) -> Value {
    json!({ "id": "c", "object": "chat.completion.chunk", "model": "gpt-4o-mini-2024-07-18",
        "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": null }], "usage": null })
}

fn ending(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

#[test]
fn text_usage_and_model_come_out_however_the_bytes_are_cut() {
    let text = stream(&[
        delta(json!({ "role": "assistant", "content": "", "refusal": null })),
        delta(json!({ "content": "Zürich — " })),
        delta(json!({ "content": "日本 🦀" })),
        ending("stop"),
        json!({ "choices": [], "usage": {
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": { "cached_tokens": 64, "audio_tokens": 0 },
            "completion_tokens_details": { "reasoning_tokens": 8 }
        } }),
    ]);
    let expected = Reply {
        text: "Zürich — 日本 🦀".to_owned(),
        tool_calls: vec![],
        reasoning: None,
        usage: Some(Usage {
            input: 100,
            output: 20,
            cached_input: 64,
            reasoning: 8,
            reported: true,
        }),
        finish_reason: FinishReason::Stop,
        model: "gpt-4o-mini-2024-07-18".to_owned(),
    };
    for size in [1, 2, 3, 7, 64, usize::MAX] {
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(size.min(text.len())).collect();
        assert_eq!(read(&chunks).unwrap(), expected, "{size}");
    }
    let windows = text.replace('\n', "\r\n");
    assert_eq!(read(&[windows.as_bytes()]).unwrap(), expected);
}

#[test]
fn parallel_calls_are_put_together_by_index() {
    let call = |index: usize, id: Value, name: Value, arguments: &str| {
        delta(json!({ "tool_calls": [{ "index": index, "id": id, "type": "function",
            "function": { "name": name, "arguments": arguments } }] }))
    };
    let reply = read(&[stream(&[
        call(0, json!("call_1"), json!("search_web"), ""),
        call(0, Value::Null, Value::Null, "{\"query\":"),
        call(1, json!("call_2"), json!("execute_javascript"), "{\"code\""),
        call(0, Value::Null, Value::Null, "\"x\"}"),
        call(1, Value::Null, Value::Null, ":\"1\"}"),
        ending("tool_calls"),
    ])
    .as_bytes()])
    .unwrap();
    let calls: Vec<_> = reply
        .tool_calls
        .iter()
        .map(|c| (c.id.as_str(), c.name.as_str(), c.arguments.as_str()))
        .collect();
    assert_eq!(
        calls,
        [
            ("call_1", "search_web", "{\"query\":\"x\"}"),
            ("call_2", "execute_javascript", "{\"code\":\"1\"}"),
        ]
    );
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
}

#[test]
fn whole_calls_with_the_same_index_stay_apart() {
    // Gemini: every call whole, index 0, ids that may be empty; Ollama: arguments as an object.
    let gemini = |name: &str, arguments: Value| {
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": 0, "id": "",
            "function": { "name": name, "arguments": arguments } }] } }] })
    };
    let reply = read(&[stream(&[
        gemini("search_web", json!("{\"query\":\"a\"}")),
        gemini("search_web", json!({ "query": "b" })),
        ending("stop"),
    ])
    .as_bytes()])
    .unwrap();
    let arguments: Vec<_> = reply.tool_calls.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(arguments, ["{\"query\":\"a\"}", "{\"query\":\"b\"}"]);
    let ids: Vec<_> = reply.tool_calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_1", "call_2"]);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
}

/// The calls that come of these pieces of calls: id, name, arguments.
fn calls(pieces: &[Value]) -> Vec<(String, String, String)> {
    let mut chunks: Vec<Value> =
        pieces.iter().map(|piece| delta(json!({ "tool_calls": [piece] }))).collect();
    chunks.push(ending("tool_calls"));
    let reply = read(&[stream(&chunks).as_bytes()]).unwrap();
    reply.tool_calls.into_iter().map(|call| (call.id, call.name, call.arguments)).collect()
}

#[test]
fn calls_are_told_apart_by_their_ids_where_the_index_does_not() {
    let piece = |id: &str, name: &str, arguments: &str| json!({ "id": id, "function": { "name": name, "arguments": arguments } });
    let expected = [("a", "search_web", "{\"q\":1}"), ("b", "search_web", "{\"q\":2}")]
        .map(|(id, name, text)| (id.to_owned(), name.to_owned(), text.to_owned()));
    let without_index = [
        piece("a", "search_web", "{\"q\""),
        piece("b", "search_web", "{\"q\""),
        piece("a", "", ":1}"),
        piece("b", "", ":2}"),
    ];
    assert_eq!(calls(&without_index), expected);
    // What has no id either goes on with the last one.
    let without_anything = [
        piece("a", "search_web", "{\"q\":1}"),
        piece("b", "search_web", ""),
        piece("", "", "{\"q\":2}"),
    ];
    assert_eq!(calls(&without_anything), expected);
    let mut same_index =
        [piece("a", "search_web", "{\"q\":1}"), piece("b", "search_web", "{\"q\":2}")];
    same_index.iter_mut().for_each(|piece| piece["index"] = 0.into());
    assert_eq!(calls(&same_index), expected);
}

#[test]
fn a_call_without_a_name_is_none_and_a_second_choice_is_not_followed() {
    assert_eq!(calls(&[json!({ "index": 0, "function": { "arguments": "{}" } })]), []);
    let two = json!({ "choices": [
        { "index": 0, "delta": { "content": "one" }, "finish_reason": "stop" },
        { "index": 1, "delta": { "content": "two" }, "finish_reason": "length" },
    ] });
    let reply = read(&[stream(&[two]).as_bytes()]).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("one", FinishReason::Stop));
}

#[test]
fn a_refusal_is_the_answer() {
    let text = stream(&[delta(json!({ "content": null, "refusal": "I won't." })), ending("stop")]);
    assert_eq!(read(&[text.as_bytes()]).unwrap().text, "I won't.");
}

#[test]
fn thoughts_are_not_text_and_thoughts_outside_the_count_are_counted() {
    let reply = read(&[stream(&[
        delta(json!({ "reasoning_content": "hmm", "content": null })),
        delta(json!({ "content": [{ "type": "thinking", "thinking": [] }, { "type": "text", "text": "four" }] })),
        ending("stop"),
        json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40 } }),
    ])
    .as_bytes()])
    .unwrap();
    assert_eq!(reply.text, "four");
    let usage = reply.usage.unwrap();
    assert_eq!((usage.output, usage.reasoning), (30, 25));
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let whole = json!({ "id": "x", "model": "m", "choices": [{ "index": 0, "finish_reason": "length",
        "message": { "role": "assistant", "content": "hello" } }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 1, "prompt_cache_hit_tokens": 2 } });
    let text = format!("\n {whole}");
    let (head, tail) = text.as_bytes().split_at(9);
    let reply = read(&[head, tail]).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("hello", FinishReason::Length));
    assert_eq!(reply.usage.unwrap().cached_input, 2);
}

#[test]
fn a_reply_says_why_it_ends() {
    for (said, reason) in [
        ("stop", FinishReason::Stop),
        ("STOP", FinishReason::Stop),
        ("length", FinishReason::Length),
        ("content_filter: PROHIBITED_CONTENT", FinishReason::ContentFilter),
        ("function_call_filter: MALFORMED_FUNCTION_CALL", FinishReason::Other),
        ("insufficient_system_resource", FinishReason::Other),
    ] {
        let text = stream(&[delta(json!({ "content": "So" })), ending(said)]);
        assert_eq!(read(&[text.as_bytes()]).unwrap().finish_reason, reason, "{said}");
    }
    let unsaid = stream(&[delta(json!({ "content": "So" }))]);
    assert_eq!(read(&[unsaid.as_bytes()]).unwrap().finish_reason, FinishReason::Stop);
}

#[test]
fn groqs_usage_and_errors_inside_a_stream() {
    let groq = stream(&[
        delta(json!({ "content": "x" })),
        json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }],
            "x_groq": { "id": "r", "usage": { "prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8 } } }),
    ]);
    assert_eq!(read(&[groq.as_bytes()]).unwrap().usage.unwrap().input, 7);

    let error = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: error\ndata: {\"error\":{\"message\":\"over capacity, please try again in 3s\",\"type\":\"rate_limit_exceeded\"}}\n\n";
    let failure = read(&[error.as_bytes()]).unwrap_err();
    assert!(
        matches!(failure.error, ChatError::RateLimited { wait_seconds, .. } if wait_seconds == 3.0),
        "{failure:?}"
    );

    let named = "event: error\ndata: {\"message\":\"overloaded\",\"type\":\"server_error\"}\n\n";
    let failure = read(&[named.as_bytes()]).unwrap_err();
    assert!(matches!(failure.error, ChatError::ProviderFailed { status: 500, .. }), "{failure:?}");

    let router = json!({ "error": { "code": 502, "message": "upstream died" }, "choices": [] });
    let failure = read(&[stream(&[router]).as_bytes()]).unwrap_err();
    assert!(matches!(failure.error, ChatError::ProviderFailed { status: 502, .. }), "{failure:?}");
}

#[test]
fn what_breaks_off_is_a_broken_connection_and_junk_is_malformed() {
    let text = stream(&[delta(json!({ "content": "Hello" })), ending("stop")]);
    for cut in 0..text.find("\"finish_reason\":\"stop\"").unwrap() {
        let failure = read(&[text.get(..cut).unwrap().as_bytes()]).unwrap_err();
        assert!(matches!(failure.error, ChatError::Connection { .. }), "{cut}: {failure:?}");
    }
    let without_done = text.replace("data: [DONE]\n\n", "");
    assert_eq!(read(&[without_done.as_bytes()]).unwrap().text, "Hello");
    for junk in [
        "data: {\"choices\": [\n\n",
        "data: <html>\n\n",
        "data: {\"choices\":{}}\n\n",
        "{\"choices\":",
        "[1,2",
        "{\"hello\":1}",
    ] {
        let failure = read(&[junk.as_bytes()]).unwrap_err();
        assert!(matches!(failure.error, ChatError::Malformed { .. }), "{junk}: {failure:?}");
    }
    let failure = read(&[]).unwrap_err();
    assert!(matches!(failure.error, ChatError::Connection { .. }));
}
