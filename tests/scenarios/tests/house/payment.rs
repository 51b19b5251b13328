//! Asks that nobody's key pays for: refused so that an old front end shows it, or answered by
//! another model that says so.

use quarry_scenarios::client::{self, Event, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";
const MODEL: &str = "openai:scripted";

/// Without a key for the scripted provider.
async fn start(fallback: &str) -> Quarry {
    let setup = Setup::new(Script::ordinary())
        .variable("openai_api_key", "")
        .variable("default_model", MODEL)
        .variable("fallback_model", fallback);
    setup.start().await.unwrap()
}

async fn post(quarry: &Quarry, body: &Value) -> Open {
    let url = format!("{}/ask", quarry.url);
    client::send("POST", &url, &[("accept", "application/json")], body.to_string()).await.unwrap()
}

async fn stream(quarry: &Quarry, body: &Value) -> Vec<Event> {
    client::ask(&quarry.url, body).await.unwrap().events().await.unwrap()
}

fn find<'e>(events: &'e [Event], name: &str) -> &'e Value {
    &events.iter().find(|event| event.name == name).unwrap().data
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_is_introduced_before_it_is_refused() {
    // The second one has a fallback that needs a key as well.
    for fallback in ["", "groq:llama-3.1-8b-instant"] {
        let quarry = start(fallback).await;
        let events = stream(&quarry, &json!({ "query": QUESTION })).await;
        let numbered: Vec<_> =
            events.iter().map(|event| (event.sequence, event.name.as_str())).collect();
        assert_eq!(numbered, [(1, "log"), (2, "init"), (3, "error")]);
        let init = find(&events, "init");
        assert_eq!(
            (&init["id"], &init["query"], &init["model"]),
            (&json!(null), &json!(QUESTION), &json!(MODEL))
        );
        assert_eq!(init["allowEnvFallback"], true);
        let error = find(&events, "error");
        assert_eq!((&error["type"], &error["code"]), (&json!("missing_key"), &json!("NO_API_KEY")));
        // Whoever reads JSON has its status.
        let answer = post(&quarry, &json!({ "query": QUESTION })).await;
        assert_eq!(answer.status, 401);
        let body = answer.json().await.unwrap();
        assert_eq!(body["error"]["code"], "NO_API_KEY");
        assert_eq!(body["error"]["message"], error["error"]);
        assert!(quarry.provider.calls().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_model_answers_and_says_so() {
    let quarry = start("local:extractive").await;
    let events = stream(&quarry, &json!({ "query": QUESTION })).await;
    assert_eq!(events.last().unwrap().name, "complete");
    let says_so = |log: &str| log.contains("local:extractive") && log.contains(MODEL);
    let mut logs = events.iter().filter(|event| event.name == "log");
    assert!(logs.any(|log| says_so(log.data["message"].as_str().unwrap())));
    let init = find(&events, "init");
    assert_eq!(
        (&init["model"], &init["languageModel"]),
        (&json!("local:extractive"), &json!(false))
    );
    let fallback = &init["fallback"];
    assert_eq!(fallback["requested"], MODEL);
    assert!(fallback["reason"].as_str().unwrap().contains("openai"));
    assert_eq!(&find(&events, "final_answer")["fallback"], fallback);
    let answer = post(&quarry, &json!({ "query": QUESTION, "model": MODEL })).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json().await.unwrap()["model"], "local:extractive");
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_a_key_gets_the_model_that_was_asked_for() {
    let quarry = start("local:extractive").await;
    let events = stream(&quarry, &json!({ "query": QUESTION, "apiKey": "own-key-77" })).await;
    assert_eq!(find(&events, "init")["model"], MODEL);
    assert_eq!(find(&events, "init").get("fallback"), None);
    assert_eq!(find(&events, "final_answer").get("fallback"), None);
    assert!(!quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fallback_that_is_no_model_is_named() {
    let quarry = start("nobody:knows").await;
    let answer = post(&quarry, &json!({ "query": QUESTION })).await;
    assert_eq!(answer.status, 500);
    let body = answer.json().await.unwrap();
    assert!(body["error"]["message"].as_str().unwrap().contains("fallback_model"), "{body}");
}
