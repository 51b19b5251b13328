//! How often one caller may ask, whatever it says about itself.

use crate::account::{CLIENT_ID, claims, token};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Script, Signer, sign_with};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

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

/// The same, signed by somebody else in Google's name.
fn forged(email: &str) -> String {
    let header = json!({ "alg": "RS256", "kid": "quarry-test-1" });
    sign_with(Signer::Unknown, &header, &claims(email, 10)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_that_say_nobody_are_counted_where_they_come_from() {
    let quarry = start().await;
    let ask = |token: String| json!({ "query": "What is 6 times 7?", "google_token": token });
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(status(&quarry, &ask(forged("ada@example.com"))).await);
    }
    assert_eq!(statuses, [401, 401, 429]);
    // So they are where nothing is asked, and whoever sends them there.
    let bearer = format!("Bearer {}", forged("ada@example.com"));
    let url = format!("{}/v1/responses/resp_{}", quarry.url, "0".repeat(32));
    let read = client::get(&url, &[("authorization", &bearer)]).await.unwrap();
    assert_eq!(read.status, 429);
    // An account that shares the address is not kept out by them.
    assert_eq!(status(&quarry, &ask(token("ada@example.com"))).await, 200);
}

/// A place that has keys for nobody, and how often it was asked.
async fn keyless() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut wire, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let Ok(byte) = wire.read_u8().await else { break };
                head.push(byte);
            }
            if head.starts_with(b"GET /keys ") {
                count.fetch_add(1, Ordering::SeqCst);
                let none = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";
                _ = wire.write_all(none).await;
            }
        }
    });
    (origin, asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_cannot_be_had_are_not_fetched_for_every_request() {
    let (origin, asked) = keyless().await;
    // Nor counted: who sends a token has done nothing wrong.
    let setup = Setup::new(Script::ordinary())
        .variable("rate_limit_requests", "2")
        .variable("rate_limit_window_seconds", "3600")
        .variable("google_client_id", CLIENT_ID)
        .variable("google_keys_url", &format!("{origin}/keys"))
        .variable("google_keys_origin", &origin);
    let quarry = setup.start().await.unwrap();
    let body = json!({ "query": "What is 6 times 7?", "google_token": token("ada@example.com") });
    for _ in 0..4 {
        assert_eq!(status(&quarry, &body).await, 503);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    // A little later somebody tries again.
    let later = Duration::from_secs(60);
    if quarry.change_variable("google_client_id", CLIENT_ID, later).unwrap() {
        for _ in 0..2 {
            assert_eq!(status(&quarry, &body).await, 503);
        }
        assert_eq!(asked.load(Ordering::SeqCst), 2);
    }
    assert!(quarry.provider.calls().is_empty());
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
