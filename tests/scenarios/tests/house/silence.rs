//! Streams that are silent, and clients that leave.

use quarry_scenarios::client::{self, Event};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::json;

const QUESTION: &str = "What is six times seven?";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_stream_gives_signs_of_life() {
    let held = Reply::text("{}").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
    let setup = Setup::new(script).variable("keep_alive_seconds", "1");
    let quarry = setup.start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    quarry.provider.holding("planning", 1).await;
    // The provider is silent until two signs have come: without them this would wait for ever.
    let mut text = String::new();
    while text.matches(": keep-alive\n\n").count() < 2 {
        let chunk = open.chunk().await.unwrap().expect("the stream must stay open");
        text += std::str::from_utf8(&chunk).unwrap();
    }
    quarry.provider.release("planning");
    while let Some(chunk) = open.chunk().await.unwrap() {
        text += std::str::from_utf8(&chunk).unwrap();
    }
    // A comment stands between frames, never inside one.
    for block in text.trim_end().split("\n\n") {
        let is_frame = block.starts_with("id: ") && block.lines().count() == 3;
        assert!(is_frame || block == ": keep-alive", "{block}");
    }
    assert!(text.contains("\nevent: complete\n"));
}

/// By what each protocol has for it; that it comes after ten seconds where nothing is configured is tested without
/// waiting for them, beside `Vigil`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_door_of_conversations_shows_life_in_silence() {
    let messages = json!([{ "role": "user", "content": QUESTION }]);
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    let call = json!({ "name": "research", "arguments": { "question": QUESTION } });
    for (path, body, sign) in [
        ("/v1/chat/completions", json!({ "messages": messages, "stream": true }), "\"delta\":{}"),
        ("/v1/responses", json!({ "input": QUESTION, "stream": true }), ":\n"),
        (
            "/api/chat",
            json!({ "messages": [{ "role": "user", "parts": parts }] }),
            ": keep-alive\n\n",
        ),
        (
            "/agui",
            json!({ "threadId": "t", "runId": "r", "messages": messages }),
            ": keep-alive\n\n",
        ),
        (
            "/mcp",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call }),
            ":\n",
        ),
    ] {
        let held = Reply::text("{}").hold("planning");
        let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
        let setup = Setup::new(script).variable("keep_alive_seconds", "1");
        let quarry = setup.start().await.unwrap();
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let url = format!("{}{path}", quarry.url);
        let mut open = client::send("POST", &url, &headers, body.to_string()).await.unwrap();
        quarry.provider.holding("planning", 1).await;
        let mut text = String::new();
        while text.matches(sign).count() < 2 {
            let chunk = open.chunk().await.unwrap().expect("the stream must stay open");
            text += std::str::from_utf8(&chunk).unwrap();
        }
        quarry.provider.release("planning");
        while open.chunk().await.unwrap().is_some() {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_misspelt_interval_is_said_and_not_guessed() {
    let setup = Setup::new(Script::ordinary()).variable("keep_alive_seconds", "soon");
    let quarry = setup.start().await.unwrap();
    let url = format!("{}/ask", quarry.url);
    let body = json!({ "query": QUESTION }).to_string();
    let answer = client::send("POST", &url, &[], body).await.unwrap();
    assert_eq!(answer.status, 503);
    let message = answer.json().await.unwrap()["error"]["message"].to_string();
    assert!(message.contains("keep_alive_seconds"), "{message}");
    assert!(quarry.provider.calls().is_empty());
}

/// Leaves while the plan is awaited. The second iteration is never answered, so the ask ends
/// only if somebody ends it.
async fn left(on_disconnect: &str) -> (Quarry, String) {
    let plan = Reply::json(&json!({ "research_questions": ["a"], "complexity_assessment": "low" }));
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [plan.hold("planning")])
        .first(Match::Phase(Phase::Iteration(2)), [Reply::text("Enough.").hold("iteration")]);
    let setup = Setup::new(script)
        .variable("keep_alive_seconds", "1")
        .variable("on_disconnect", on_disconnect);
    let quarry = setup.start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = open.until("init").await.unwrap().data["id"].as_str().unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    drop(open);
    quarry.provider.release("planning");
    (quarry, id)
}

async fn logged(quarry: &Quarry, id: &str) -> Vec<Event> {
    let url = format!("{}/ask/{id}/events", quarry.url);
    client::get(&url, &[]).await.unwrap().events().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_is_so_configured_an_ask_ends_when_its_client_leaves() {
    let (quarry, id) = left("stop").await;
    let events = logged(&quarry, &id).await;
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    let last = events.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["result"]["stopped"]), ("complete", &json!(true)));
    assert_eq!(last.data["result"]["response"], json!(null));
    let phases: Vec<_> = quarry.provider.calls().iter().map(|c| c.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Synthesis), "{phases:?}");
    // Nothing found is lost: the state is kept under the ask's id.
    quarry.provider.release("iteration");
    let body = json!({ "continuation": true, "continuationContext": { "id": id } });
    let resumed = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    let last = resumed.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["result"]["stopped"]), ("complete", &json!(false)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn else_it_goes_on_without_its_client() {
    let (quarry, id) = left("continue").await;
    quarry.provider.holding("iteration", 1).await;
    quarry.provider.release("iteration");
    let events = logged(&quarry, &id).await;
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    let last = events.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["result"]["stopped"]), ("complete", &json!(false)));
    assert!(last.data["result"]["response"].as_str().unwrap().contains("31.2 percent"));
}
