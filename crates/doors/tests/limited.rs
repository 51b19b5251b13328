//! An ask that a provider's limit ended tells at every door that has a place for it what it used by then.

#![cfg(test)]

mod common;

use common::{streamed, why};
use quarry_events::EventName;
use serde_json::{Value, json};

/// All that is sent of an ask that a limit ended, each a JSON value.
fn told(path: &str, body: &Value, limit: &Value) -> Vec<Value> {
    common::told(path, body, vec![(EventName::QuotaExceeded, limit.clone())])
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
    vec![
        (
            "/v1/responses",
            streamed("/v1/responses"),
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
            why("/api/chat"),
            vec![
                ("/messageMetadata/usage/outputTokens", json!(40)),
                ("/messageMetadata/usage/cachedInputTokens", json!(80)),
                ("/messageMetadata/cost", json!(0.5)),
            ],
        ),
        (
            "/agui",
            why("/agui"),
            vec![
                ("/usage/0/inputTokens", json!(200)),
                ("/usage/0/reasoningTokens", json!(10)),
                ("/result/cost", json!(0.5)),
            ],
        ),
        (
            "/mcp",
            why("/mcp"),
            vec![
                ("/result/structuredContent/usage/total_tokens", json!(240)),
                ("/result/structuredContent/cost", json!(0.5)),
            ],
        ),
        (
            "/ask",
            why("/ask"),
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
