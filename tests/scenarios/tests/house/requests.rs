//! What is sent alike whatever is tested.

use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::Quarry;
use quarry_types::AskId;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// A request as a line has it, with a JSON body, or none where that is null.
pub async fn send(quarry: &Quarry, line: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client::by_line(&quarry.url, line, headers, body).await.unwrap()
}

/// A key of its sender's that nobody gives by chance, so it means one body.
pub const KEY: (&str, &str) = ("idempotency-key", "2f6f5c1c-55a1-4b6e-9d20-0c8c6f5b1f2a");

/// `POST`, and the body is said to be JSON.
pub async fn post(quarry: &Quarry, path: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    let headers = [&[("content-type", "application/json")], headers].concat();
    send(quarry, &format!("POST {path}"), &headers, body).await
}

/// The id of an ask that was begun so many seconds ago.
pub fn begun_ago(seconds: u64) -> AskId {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    AskId::new(u64::try_from(now).unwrap() - seconds * 1_000, seconds.into())
}

/// The titles of the documents that a question finds, the best first.
pub async fn finds(quarry: &Quarry, question: &str) -> Vec<String> {
    let asked = json!({ "query": question });
    let found = send(quarry, "POST /knowledge/search", &[], &asked).await;
    assert_eq!(found.status, 200);
    let found = found.json().await.unwrap();
    let chunks = found["chunks"].as_array().unwrap();
    chunks.iter().map(|chunk| chunk["title"].as_str().unwrap().to_owned()).collect()
}
