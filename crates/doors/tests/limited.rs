//! An ask that a provider's limit ended tells at every door that has a place for it what it used by then.

#![cfg(test)]

use quarry_doors::door::Voice;
use quarry_doors::{Entrance, Event, Head, McpHead, enter};
use quarry_events::EventName;
use quarry_types::Timestamp;
use serde_json::{Value, json};

/// The voice that answers this request.
fn voice(path: &str, body: &Value) -> Box<dyn Voice> {
    let mcp = McpHead { version: Some("2025-11-25".to_owned()), ..McpHead::default() };
    let (method, path) = ("POST".to_owned(), path.to_owned());
    let head = Head { method, path, mcp, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, body.to_string().as_bytes());
    assert!(opened.order.is_ok(), "{body}");
    let mut voice = opened.voice;
    voice.begin("0af3");
    voice
}

/// All that is sent of a stream, or of the whole answer, each a JSON value.
fn told(path: &str, body: &Value, limit: &Value) -> Vec<Value> {
    let mut voice = voice(path, body);
    let (sequence, name, data) = (Some(1), EventName::QuotaExceeded, limit.to_string());
    let told = voice.tell(vec![Event { sequence, name, data }]);
    assert!(told.last, "{path}");
    let sent = if voice.streams() { told.bytes } else { voice.whole(None).body.into_owned() };
    let sent = String::from_utf8(sent).unwrap();
    let values = sent.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    values.filter_map(|value| serde_json::from_str(value).ok()).collect()
}

fn limit(costs: Option<Value>) -> Value {
    let mut limit = json!({
        "message": "Later.", "waitTime": 60, "continuationState": {},
        "timestamp": "2026-12-01T00:00:00.000Z", "resumeAfter": "2026-12-01T00:01:00.000Z",
        "costSummary": { "totalCost": 0.5, "costKnown": true, "unpricedCalls": 0, "totalTokens": 240, "modelName": "x" },
    });
    if let Some(costs) = costs {
        limit["costs"] = costs;
    }
    limit
}

/// Two calls.
fn costs() -> Value {
    let step = json!({
        "stepName": "planning", "phase": "planning", "model": "groq:x", "cost": 0.25, "costKnown": true,
        "inputTokens": 100, "outputTokens": 20, "cachedInputTokens": 40, "reasoningTokens": 5, "reported": true,
        "duration": 7, "description": "Planning", "timestamp": "2026-12-01T00:00:00.000Z",
    });
    json!({
        "totalCost": 0.5, "costKnown": true, "unpricedCalls": 0,
        "tokenCounts": { "input": 200, "output": 40, "total": 240 },
        "stepCosts": [step, step], "modelName": "x", "provider": "groq",
        "timestamp": "2026-12-01T00:00:00.000Z",
    })
}

/// A door, a request to it, and where its last value has tokens and costs.
type Door = (&'static str, Value, Vec<(&'static str, Value)>);

fn doors() -> Vec<Door> {
    let said = json!([{ "id": "m", "role": "user", "content": "why?" }]);
    let parts =
        json!([{ "id": "m", "role": "user", "parts": [{ "type": "text", "text": "why?" }] }]);
    let call = json!({ "name": "research", "arguments": { "question": "why?" } });
    vec![
        (
            "/v1/responses",
            json!({ "input": "why?", "stream": true }),
            vec![
                ("/response/usage/input_tokens", json!(200)),
                ("/response/usage/input_tokens_details/cached_tokens", json!(80)),
                ("/response/usage/output_tokens_details/reasoning_tokens", json!(10)),
                ("/response/usage/total_tokens", json!(240)),
                ("/response/usage/cost", json!(0.5)),
            ],
        ),
        (
            "/api/chat",
            json!({ "id": "c", "messages": parts }),
            vec![
                ("/messageMetadata/usage/outputTokens", json!(40)),
                ("/messageMetadata/usage/cachedInputTokens", json!(80)),
                ("/messageMetadata/cost", json!(0.5)),
            ],
        ),
        (
            "/agui",
            json!({ "threadId": "t", "runId": "r", "messages": said }),
            vec![
                ("/usage/0/inputTokens", json!(200)),
                ("/usage/0/reasoningTokens", json!(10)),
                ("/result/cost", json!(0.5)),
            ],
        ),
        (
            "/mcp",
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call }),
            vec![
                ("/result/structuredContent/usage/total_tokens", json!(240)),
                ("/result/structuredContent/cost", json!(0.5)),
            ],
        ),
        (
            "/ask",
            json!({ "query": "why?" }),
            vec![
                ("/costSummary/totalCost", json!(0.5)),
                ("/costSummary/tokenCounts/total", json!(240)),
            ],
        ),
    ]
}

#[test]
fn whoever_is_told_of_a_limit_is_told_what_was_used() {
    for (path, body, places) in doors() {
        let all = told(path, &body, &limit(Some(costs())));
        let last = all.last().unwrap();
        for (place, value) in places {
            assert_eq!(last.pointer(place), Some(&value), "{path}: {last}");
        }
    }
}

#[test]
fn the_state_of_an_app_has_the_cost_of_what_a_limit_ended() {
    let (path, body, _) = doors().into_iter().find(|(path, ..)| *path == "/agui").unwrap();
    let cost = json!([{ "op": "replace", "path": "/cost", "value": 0.5 }]);
    let says = |limit: &Value| told(path, &body, limit).iter().any(|frame| frame["delta"] == cost);
    assert!(says(&limit(Some(costs()))));
    assert!(!says(&limit(None)));
}

/// Logs of before it was told are read as ever, and a sum without a call whose use is unknown would be wrong.
#[test]
fn what_nobody_knows_is_not_told() {
    let mut unsettled = costs();
    unsettled["unsettledCalls"] = json!([{
        "stepName": "planning", "model": "groq:x", "reason": "x", "mostTokens": 9, "mostCost": null,
    }]);
    for (path, body, places) in doors() {
        let old = told(path, &body, &limit(None));
        assert!(old.iter().any(|value| value.to_string().contains("Later.")), "{path}: {old:?}");
        for (place, _) in &places {
            assert_eq!(old.last().unwrap().pointer(place), None, "{path}: {old:?}");
        }
        // The house's own answer has the sums with what they lack.
        if path == "/ask" {
            continue;
        }
        let all = told(path, &body, &limit(Some(unsettled.clone())));
        let last = all.last().unwrap();
        for (place, _) in places {
            assert_eq!(last.pointer(place), None, "{path}: {last}");
        }
    }
}
