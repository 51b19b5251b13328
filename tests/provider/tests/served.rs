//! The provider as a client sees it, over a bare connection, so that cuts stay visible.

#![cfg(test)]

use quarry_test_provider::{Fault, Match, Phase, Reply, Script, ScriptedProvider, Split};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CHAT: &str = "/v1/chat/completions";
const MESSAGES: &str = "/v1/messages";
const RESPONSES: &str = "/v1/responses";

async fn open(provider: &ScriptedProvider, path: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut stream = TcpStream::connect(provider.address()).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: p\r\nconnection: close\r\nauthorization: Bearer key-1\r\n\
         x-api-key: key-1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The head and the body without its chunking, and whether the body ended in good order.
async fn post(provider: &ScriptedProvider, path: &str, body: &Value) -> (String, Vec<u8>, bool) {
    let mut stream = open(provider, path, body).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return (String::new(), Vec::new(), false);
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let body = &bytes[end + 4..];
    if !head.contains("chunked") {
        return (head, body.to_vec(), true);
    }
    let (body, complete) = unchunk(body);
    (head, body, complete)
}

fn unchunk(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    (body, false)
}

fn data(body: &[u8]) -> Vec<Value> {
    std::str::from_utf8(body)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn openai_text(body: &[u8]) -> String {
    let pieces = data(body);
    pieces.iter().filter_map(|p| p["choices"][0]["delta"]["content"].as_str()).collect()
}

fn ask(text: &str) -> Value {
    json!({
        "model": "m", "stream": true, "stream_options": { "include_usage": true },
        "messages": [{ "role": "user", "content": text }],
    })
}

#[tokio::test]
async fn a_completion_streams_text_calls_usage_and_end() {
    let text = "Die Brücke ist 1 284 Meter lang — länger als gedacht.";
    let reply = Reply::text(text).and_call("search_web", json!({ "query": "Brücke" }));
    for split in [Split::Whole, Split::Frames, Split::Awkward] {
        let script = Script::new().always(Match::Any, reply.clone().split(split));
        let provider = ScriptedProvider::start(script).await.unwrap();
        let (head, body, complete) = post(&provider, CHAT, &ask("?")).await;
        assert!(head.starts_with("HTTP/1.1 200") && complete, "{head}");
        assert_eq!(openai_text(&body), text);
        let frames = data(&body);
        let arguments: String = frames
            .iter()
            .filter_map(|f| {
                f["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"].as_str()
            })
            .collect();
        assert_eq!(arguments, r#"{"query":"Brücke"}"#);
        assert_eq!(frames.last().unwrap()["usage"]["prompt_tokens"], 120);
        assert!(body.ends_with(b"data: [DONE]\n\n") || body.ends_with(b"data: [DONE]\r\n\r\n"));
    }
}

#[tokio::test]
async fn messages_stream_in_the_other_wire_format() {
    let reply = Reply::text("Hello there").and_call("execute_javascript", json!({ "code": "1" }));
    let provider = ScriptedProvider::start(Script::new().always(Match::Any, reply)).await.unwrap();
    let (_, body, complete) = post(&provider, MESSAGES, &ask("?")).await;
    let frames = data(&body);
    let of = |kind: &str| frames.iter().filter(|f| f["type"] == kind).count();
    assert!(complete);
    assert_eq!((of("message_start"), of("content_block_stop"), of("message_stop")), (1, 2, 1));
    assert!(frames.iter().any(|f| f["delta"]["stop_reason"] == "tool_use"));
}

#[tokio::test]
async fn responses_stream_their_items_and_keep_thoughts_from_who_does_not_want_them() {
    let reply = Reply::text("Hello there").and_call("search_web", json!({ "query": "x" }));
    let reply = reply.sealed("c2VhbGVk");
    let provider = ScriptedProvider::start(Script::new().always(Match::Any, reply)).await.unwrap();
    let asked = |include: Value| {
        let input = [json!({ "role": "user", "content": "?" })];
        json!({ "model": "m", "stream": true, "input": input, "include": include })
    };
    for (include, sealed) in
        [(json!(["reasoning.encrypted_content"]), json!("c2VhbGVk")), (json!([]), Value::Null)]
    {
        let (_, body, complete) = post(&provider, RESPONSES, &asked(include)).await;
        let frames = data(&body);
        let done: Vec<&Value> = frames
            .iter()
            .filter(|frame| frame["type"] == "response.output_item.done")
            .map(|frame| &frame["item"])
            .collect();
        assert!(complete && !String::from_utf8_lossy(&body).contains("[DONE]"));
        assert_eq!((done.len(), &done[0]["encrypted_content"]), (3, &sealed));
        assert_eq!(done[2]["arguments"], r#"{"query":"x"}"#);
        let last = frames.last().unwrap();
        assert_eq!(last["type"], "response.completed");
        assert_eq!(last["response"]["usage"]["input_tokens"], 120);
    }
}

#[tokio::test]
async fn rules_answer_by_phase_and_by_order() {
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [Reply::rate_limited("7"), Reply::status(500, "x")]);
    let provider = ScriptedProvider::start(script).await.unwrap();
    let planning = ask("\"optimal_persona\"");
    let (head, ..) = post(&provider, CHAT, &planning).await;
    assert!(head.starts_with("HTTP/1.1 429") && head.contains("retry-after: 7"), "{head}");
    assert!(post(&provider, CHAT, &planning).await.0.starts_with("HTTP/1.1 500"));
    let (_, body, _) = post(&provider, CHAT, &planning).await;
    assert!(openai_text(&body).contains("research_questions"));
    let phases: Vec<_> = provider.calls().iter().map(|call| call.phase().unwrap()).collect();
    assert_eq!(phases, [Phase::Planning; 3]);
    assert_eq!(provider.calls()[0].header("authorization"), Some("Bearer key-1"));
}

#[tokio::test]
async fn faults_are_what_they_say() {
    let long = "word ".repeat(60);
    for split in [Split::Whole, Split::Frames, Split::Awkward] {
        for (fault, ends) in
            [(Fault::Cut, false), (Fault::Truncate, true), (Fault::BrokenFrame, true)]
        {
            let reply = Reply::text(&long).split(split).fault(fault);
            let provider =
                ScriptedProvider::start(Script::new().always(Match::Any, reply)).await.unwrap();
            let (_, body, complete) = post(&provider, CHAT, &ask("?")).await;
            assert_eq!(complete, ends, "{fault:?} {split:?}");
            let text = String::from_utf8_lossy(&body);
            assert_eq!(text.contains("[DONE]"), fault == Fault::BrokenFrame, "{fault:?} {split:?}");
            assert!(text.contains("word"), "{fault:?} {split:?}");
        }
    }
    let refusing = Script::new().always(Match::Any, Reply::text("x").fault(Fault::Refuse));
    let provider = ScriptedProvider::start(refusing).await.unwrap();
    assert_eq!(post(&provider, CHAT, &ask("?")).await.0, "");
}

#[tokio::test]
async fn held_replies_wait_for_their_signal() {
    let reply = Reply::text("word ".repeat(60)).split(Split::Frames).hold("a").hold_midway("b");
    let provider = ScriptedProvider::start(Script::new().always(Match::Any, reply)).await.unwrap();
    let mut stream = open(&provider, CHAT, &ask("?")).await;
    provider.called(1).await;
    provider.holding("a", 1).await;
    provider.release("a");
    provider.holding("b", 1).await;
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("word") {
        assert_ne!(stream.read_buf(&mut seen).await.unwrap(), 0);
    }
    assert!(!String::from_utf8_lossy(&seen).contains("[DONE]"));
    provider.release("b");
    stream.read_to_end(&mut seen).await.unwrap();
    assert!(String::from_utf8_lossy(&seen).contains("[DONE]"));
}

#[tokio::test]
async fn keys_unstreamed_calls_and_unscripted_ones_are_refused() {
    let provider = ScriptedProvider::start(Script::new().key("key-1")).await.unwrap();
    assert!(post(&provider, CHAT, &ask("?")).await.0.starts_with("HTTP/1.1 418"));
    assert!(post(&provider, CHAT, &json!({ "model": "m" })).await.0.starts_with("HTTP/1.1 400"));
    provider.set_script(Script::new().key("key-2"));
    assert!(post(&provider, CHAT, &ask("?")).await.0.starts_with("HTTP/1.1 401"));
    assert!(post(&provider, MESSAGES, &ask("?")).await.0.starts_with("HTTP/1.1 401"));
}
