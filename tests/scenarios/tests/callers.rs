//! How often one caller may ask, whatever it says about itself.

#![cfg(test)]

use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Script, sign};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

const CLIENT_ID: &str = "quarry-test.apps.example.com";

/// Two requests an hour: no test takes long enough for one to fade.
async fn start() -> Quarry {
    let setup = Setup::new(Script::ordinary())
        .variable("rate_limit_requests", "2")
        .variable("rate_limit_window_seconds", "3600")
        .variable("google_client_id", CLIENT_ID);
    setup.start().await.unwrap()
}

async fn post(quarry: &Quarry, headers: &[(&str, &str)], body: &Value) -> Open {
    let url = format!("{}/ask", quarry.url);
    client::send("POST", &url, headers, body.to_string()).await.unwrap()
}

/// The status of an answer that was read to its end.
async fn status(quarry: &Quarry, body: &Value) -> u16 {
    let answer = post(quarry, &[], body).await;
    let status = answer.status.as_u16();
    answer.json().await.unwrap();
    status
}

fn token(email: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://accounts.google.com", "aud": CLIENT_ID, "sub": "1", "email": email,
        "email_verified": true, "iat": now - 10, "exp": now + 600,
    });
    sign(&claims).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_address_does_not_evade_the_limit() {
    let quarry = start().await;
    let body = json!({ "query": "What is 6 times 7?" });
    let mut statuses = Vec::new();
    for number in 1..=4 {
        let forged = format!("203.0.113.{number}:{number}");
        let headers = [
            ("spin-client-addr", forged.as_str()),
            ("spin-client-addr", "198.51.100.1:1"),
            ("x-forwarded-for", forged.as_str()),
        ];
        let answer = post(&quarry, &headers, &body).await;
        statuses.push(answer.status.as_u16());
        if answer.status == 429 {
            let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
            // The window and at most a twelfth of it, less what this test has taken so far.
            assert!((3_000..3_900).contains(&wait), "{wait}");
            assert_eq!(answer.json().await.unwrap()["error"]["type"], "rate_limited");
        }
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
    // A stream is told in its own way, and waits the same.
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0].name.as_str(), &events[0].data["type"]),
        ("error", &json!("rate_limited"))
    );
    assert!(events[0].data["waitTime"].as_u64().is_some_and(|wait| wait > 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_counted_wherever_it_asks_from() {
    let quarry = start().await;
    let ask = |email: &str| json!({ "query": "What is 6 times 7?", "google_token": token(email) });
    let mut statuses = Vec::new();
    for email in ["ada@example.com", "Ada@Example.com", "ada@example.com", "bob@example.com"] {
        statuses.push(status(&quarry, &ask(email)).await);
    }
    assert_eq!(statuses, [200, 200, 429, 200]);
    // The same address without an account has a count of its own.
    assert_eq!(status(&quarry, &json!({ "query": "What is 6 times 7?" })).await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_count_outlives_the_process() {
    let quarry = start().await;
    let body = json!({ "query": "What is 6 times 7?" });
    for _ in 0..2 {
        assert_eq!(status(&quarry, &body).await, 200);
    }
    let quarry = quarry.restart().await.unwrap();
    assert_eq!(status(&quarry, &body).await, 429);
}
