//! A model, a search and a search of documents that never answer: each is given up when its time is over, and the run
//! goes on. Here nothing says when that is: a run that waited for them would not end.

use super::*;
use quarry_test_provider::{Match, Phase};
use std::net::TcpListener;

/// A place that takes what is sent and says nothing.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

fn named<'e>(events: &'e [Event], name: &str) -> Vec<&'e Event> {
    events.iter().filter(|event| event.name == name).collect()
}

/// What the run waits for first; it is ended then.
async fn waits_for(quarry: &Quarry, id: &str) -> Value {
    let url = format!("{}/runs/{id}/events", quarry.url);
    let headers = [("accept", "text/event-stream")];
    let mut open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    loop {
        let event = open.next().await.unwrap().unwrap();
        if event.name == "run_waiting" {
            send(quarry, &format!("POST /runs/{id}/abort"), &Value::Null).await;
            return event.data["waiting"]["reason"].clone();
        }
    }
}

fn with_timeouts(timeouts: &Value) -> Value {
    let mut body = task();
    body["config"] = json!({ "timeouts": timeouts, "retry_policy": { "attempts": 1 } });
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_never_answers_is_given_up_and_rules_do_its_step() {
    let quarry = start(&[]).await;
    let never = Reply::text("").hold("never");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [never]));
    let id = begin(&quarry, &with_timeouts(&json!({ "model": 5 }))).await;
    let told = events(&quarry, &id).await;
    assert_eq!(told.last().unwrap().name, "run_completed");
    let failed = named(&told, "step_failed");
    assert_eq!((failed.len(), &failed[0].data["fallback"]), (1, &json!("rules")), "{failed:?}");
    let message = failed[0].data["message"].as_str().unwrap();
    assert!(message.contains("time"), "{message}");
    // What it may have cost is on the record.
    let metrics = &told.last().unwrap().data["summary_metrics"];
    assert_eq!(metrics["unsettled_calls"], 1, "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_that_is_never_answered_is_given_up_and_told() {
    let (_open, url) = silent();
    let quarry = start(&[("searxng_url", &url), ("search_providers", "searxng")]).await;
    let id = begin(&quarry, &with_timeouts(&json!({ "query": 1 }))).await;
    // No search was ever answered: the run waits for the provider, as it says.
    assert_eq!(waits_for(&quarry, &id).await, "provider_down");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_of_documents_that_is_never_answered_is_given_up_in_the_same_time() {
    let quarry = start(&[("embedding_model", "openai:text-embedding-3-small")]).await;
    let embeds = Match::Phase(Phase::Embedding);
    quarry.provider.set_script(script().always(embeds.clone(), Reply::text("")));
    let document = json!({ "markdown": "# Bridges\n\nThe Orrin Bridge cost 186 million euros.\n" });
    let (status, loaded) = send(&quarry, "POST /knowledge/documents", &document).await;
    assert_eq!(status, 201, "{loaded}");
    quarry.provider.set_script(script().first_always(embeds, Reply::text("").hold("never")));
    let mut body = with_timeouts(&json!({ "query": 1 }));
    body["sources"] = json!(["knowledge"]);
    let id = begin(&quarry, &body).await;
    // Whatever the provider of vectors has time for, the search has none.
    assert_eq!(waits_for(&quarry, &id).await, "provider_down");
}

/// Nobody waits for it any more, so its provider is to write no more of it, and to bill no more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_under_way_when_the_runs_time_is_over_is_let_go_of_before_the_report() {
    let quarry = start(&[]).await;
    let never = Reply::text("").hold("never");
    let report = Reply::json(&replies()[3]).hold("writing");
    let script = script().first(asked(ASKED[2]), [never]).first(asked(ASKED[3]), [report]);
    quarry.provider.set_script(script);
    let id = begin(&quarry, &with_timeouts(&json!({ "run": 10 }))).await;
    quarry.provider.holding("never", 1).await;
    quarry.provider.holding("writing", 1).await;
    quarry.provider.left("never", 1).await;
    quarry.provider.release("writing");
    let told = events(&quarry, &id).await;
    let last = told.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["partial"]), ("run_completed", &json!(true)));
    assert_eq!(last.data["summary_metrics"]["unsettled_calls"], 1, "{:?}", last.data);
}
