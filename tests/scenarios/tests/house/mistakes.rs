//! Mistakes of a client: each is refused before any model is called, and the message names the
//! field and says what to send instead, in both forms.

use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};

/// Asks for JSON and for a stream; both must say the same.
async fn refused(quarry: &Quarry, body: &str, status: u16, kind: &str) -> String {
    let url = format!("{}/ask", quarry.url);
    let as_json = [("accept", "application/json"), ("content-type", "application/json")];
    let open = client::send("POST", &url, &as_json, body.to_owned()).await.unwrap();
    assert_eq!(open.status, status, "{body:.200}");
    let error = open.json().await.unwrap()["error"].clone();
    assert_eq!(error["type"], kind, "{body:.200}");
    let as_stream = [("accept", "text/event-stream"), ("content-type", "application/json")];
    let open = client::send("POST", &url, &as_stream, body.to_owned()).await.unwrap();
    assert_eq!(open.status, 200);
    let events = open.events().await.unwrap();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].name, "error");
    assert_eq!(
        (&events[0].data["type"], &events[0].data["error"]),
        (&json!(kind), &error["message"])
    );
    error["message"].as_str().unwrap().to_owned()
}

async fn start() -> Quarry {
    Setup::new(Script::ordinary()).start().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_field_is_named_with_what_it_wants() {
    let quarry = start().await;
    let state = json!({ "toolCallCycles": [], "currentIteration": 0 });
    let long_model = format!("openai:{}", "x".repeat(200));
    let mut wordy = state.clone();
    (wordy["query"], wordy["model"]) = (json!("q"), json!(long_model.repeat(1_000)));
    for (fields, field, wants) in [
        (json!({}), "query", "send the question as a text"),
        (json!({ "query": "" }), "query", "send the question as a text"),
        (json!({ "query": " \n\t" }), "query", "send the question as a text"),
        (json!({ "query": null }), "query", "send the question as a text"),
        (json!({ "query": 42 }), "query", "wants a text"),
        (json!({ "query": ["q"] }), "query", "wants a text"),
        (json!({ "query": "ä".repeat(32_769) }), "query", "at most 32768 characters"),
        (json!({ "query": "q", "model": 7 }), "model", "wants a text"),
        (json!({ "query": "q", "model": "gpt" }), "model", "provider:name"),
        (json!({ "query": "q", "model": "nobody:gpt" }), "model", "openai"),
        (json!({ "query": "q", "model": "local:other" }), "model", "local:extractive"),
        (json!({ "query": "q", "apiKey": {} }), "apiKey", "wants a text"),
        (json!({ "query": "q", "accessSecret": 1 }), "accessSecret", "wants a text"),
        (json!({ "query": "q", "google_token": true }), "google_token", "wants a text"),
        (json!({ "query": "q", "googleToken": [] }), "googleToken", "wants a text"),
        (json!({ "query": "q", "stream": "yes" }), "stream", "wants true or false"),
        (json!({ "query": "q", "continuation": "true" }), "continuation", "wants true or false"),
        (json!({ "continuation": true }), "continuationContext", "continuationState"),
        (json!({ "continuation": true, "continuationContext": {} }), "continuationContext", "id"),
        (
            json!({ "continuation": true, "continuationContext": "x" }),
            "continuationContext",
            "wants an object",
        ),
        (
            json!({ "continuation": true, "continuationContext": { "id": 7 } }),
            "continuationContext.id",
            "wants the id",
        ),
        (
            json!({ "continuation": true, "continuationContext": state }),
            "query",
            "must not be empty",
        ),
        (json!({ "query": "q", "model": long_model }), "model", "at most 200 characters"),
        (
            json!({ "continuation": true, "continuationContext": wordy }),
            "model",
            "at most 200 characters",
        ),
        (json!({ "query": "q", "apiKey": "k".repeat(4_097) }), "apiKey", "at most 4096"),
        (
            json!({ "query": "q", "accessSecret": "s".repeat(1_025) }),
            "accessSecret",
            "at most 1024",
        ),
        (
            json!({ "query": "q", "google_token": "t".repeat(16_385) }),
            "google_token",
            "at most 16384",
        ),
        (
            json!({ "query": "q", "googleToken": "t".repeat(16_385) }),
            "googleToken",
            "at most 16384",
        ),
        (json!({ "query": "q", "budget": 5 }), "budget", "wants an object"),
        (json!({ "query": "q", "budget": { "usd": 0 } }), "budget.usd", "wants a number above 0"),
        (json!({ "query": "q", "budget": { "usd": 1 } }), "budget.usd", "use budget.tokens"),
        (json!({ "query": "q", "budget": { "tokens": 1.5 } }), "budget.tokens", "whole number"),
        (json!({ "query": "q", "max_iterations": 0 }), "max_iterations", "from 1 to 50"),
        (json!({ "query": "q", "max_iterations": 51 }), "max_iterations", "from 1 to 50"),
        (json!({ "query": "q", "max_iterations": "3" }), "max_iterations", "whole number"),
        (json!({ "query": "q", "verify_with_model": "yes" }), "verify_with_model", "true or false"),
        (
            json!({ "query": "q", "model": "local:extractive", "verify_with_model": true }),
            "verify_with_model",
            "needs a language model",
        ),
        (json!({ "query": "q", "sources": [] }), "sources", "\"web\""),
        (json!({ "query": "q", "sources": ["books"] }), "sources", "\"web\""),
        (json!({ "query": "q", "collection": "A b" }), "collection", "wants 1 to 64"),
        (json!({ "query": "q", "collection": "boats" }), "collection", "\"knowledge\""),
    ] {
        let message = refused(&quarry, &fields.to_string(), 400, "invalid_field").await;
        let named = message.starts_with(&format!("`{field}` "));
        assert!(named && message.contains(wants), "{fields:.200}: {message}");
    }
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_no_object_or_too_large_are_told_so() {
    let quarry = start().await;
    for body in [
        "",
        "no json",
        "{\"query\": \"unfinished",
        "[]",
        "\"text\"",
        "null",
        "{\"query\":\"\\ud800\"}",
    ] {
        let message = refused(&quarry, body, 400, "invalid_json").await;
        assert!(message.contains("JSON object") && message.contains("{\"query\""), "{message}");
    }
    let large = json!({ "query": "q", "note": "x".repeat(1 << 20) }).to_string();
    let message = refused(&quarry, &large, 413, "too_large").await;
    assert!(message.contains("1048576 bytes"), "{message}");
    // To the byte.
    let most = (1 << 20) - json!({ "query": "q", "note": "" }).to_string().len();
    let fits = json!({ "query": "q", "note": "x".repeat(most) }).to_string();
    let url = format!("{}/ask", quarry.url);
    let answer = client::send("POST", &url, &[], fits.clone()).await.unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(client::send("POST", &url, &[], fits + " ").await.unwrap().status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn states_that_are_not_ours_are_refused() {
    let quarry = start().await;
    let resume = |context: Value| json!({ "query": "q", "continuation": true, "continuationContext": context });
    for (context, kind, status, words) in [
        (json!({ "more": 1, "other": 2 }), "bad_continuation", 400, "toolCallCycles is missing"),
        (json!({ "version": 99, "toolCallCycles": [] }), "bad_continuation", 400, "version 99"),
        (
            json!({ "toolCallCycles": 1, "x": 1 }),
            "bad_continuation",
            400,
            "continuationState unchanged",
        ),
        (json!({ "id": "0".repeat(32) }), "not_found", 404, "ask again"),
    ] {
        let message = refused(&quarry, &resume(context).to_string(), status, kind).await;
        assert!(message.contains(words), "{message}");
    }
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_unknown_or_empty_is_passed_over() {
    let quarry = start().await;
    let body = json!({
        "query": "What is 6 times 7?", "model": "", "apiKey": "", "google_token": null, "budget": null,
        "sources": null, "max_iterations": null, "stream": null, "continuation": false,
        "continuationContext": {}, "theme": "dark", "history": [{ "role": "user" }],
    });
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "complete");
}
