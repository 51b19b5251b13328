//! Who pays for a run from the moment on in which somebody has it go on, and who may end one.

use super::*;
use crate::account::{CLIENT_ID, bearer, token};

const ADA: &str = "ada@example.com";

/// A body of Ada's.
fn hers(body: Value) -> Value {
    let mut body = body;
    body["google_token"] = json!(token(ADA));
    body
}

/// A run of hers that waits for a larger budget.
async fn poor(quarry: &Quarry) -> String {
    let asked = json!({ "task": TASK, "effort": "quick", "budget": { "tokens": 100 } });
    let id = begin(quarry, &hers(asked)).await;
    assert_eq!(last_told(quarry, &id).await, "run_waiting");
    id
}

/// The name of the last event that she is told of it.
async fn last_told(quarry: &Quarry, id: &str) -> String {
    let url = format!("{}/runs/{id}/events", quarry.url);
    let authorization = bearer(ADA);
    let headers = [("accept", "text/event-stream"), ("authorization", authorization.as_str())];
    let open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    open.events().await.unwrap().pop().unwrap().name
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_was_taken_off_the_list_has_no_run_go_on_at_the_operators_expense() {
    const OWN: &str = "canary-callers-key-83d0";
    let quarry = start(&[("google_client_id", CLIENT_ID), ("allowed_emails", ADA)]).await;
    let id = poor(&quarry).await;
    let quarry = quarry.restart_with("allowed_emails", "bob@example.com").await.unwrap();
    quarry.provider.forget();
    let resume = format!("POST /runs/{id}/resume");
    let more = json!({ "budget": { "tokens": 200_000 } });
    let (status, refused) = send(&quarry, &resume, &hers(more.clone())).await;
    assert_eq!((status, &refused["error"]["type"]), (401, &json!("missing_key")), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("apiKey"), "{refused}");
    assert!(quarry.provider.calls().is_empty());
    // With a key of her own it is hers to pay.
    let mut own = hers(more);
    own["apiKey"] = json!(OWN);
    let (status, shown) = send(&quarry, &resume, &own).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(last_told(&quarry, &id).await, "run_completed");
    let calls = quarry.provider.calls();
    let is_own = |key: Option<&str>| key == Some(&format!("Bearer {OWN}"));
    assert!(!calls.is_empty() && calls.iter().all(|call| is_own(call.header("authorization"))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_on_the_list_still_has_it_go_on_so() {
    let quarry = start(&[("google_client_id", CLIENT_ID), ("allowed_emails", ADA)]).await;
    let id = poor(&quarry).await;
    let more = hers(json!({ "budget": { "tokens": 200_000 } }));
    let (status, shown) = send(&quarry, &format!("POST /runs/{id}/resume"), &more).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(last_told(&quarry, &id).await, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_of_an_account_is_ended_by_whoever_says_so_in_the_body() {
    let quarry = start(&[("google_client_id", CLIENT_ID)]).await;
    let id = poor(&quarry).await;
    let abort = format!("POST /runs/{id}/abort");
    assert_eq!(send(&quarry, &abort, &Value::Null).await.0, 404, "it is hers");
    let (status, aborted) = send(&quarry, &abort, &hers(json!({}))).await;
    assert_eq!(status, 202, "{aborted}");
    assert_eq!(last_told(&quarry, &id).await, "run_aborted");
}
