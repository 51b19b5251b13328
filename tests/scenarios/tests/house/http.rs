//! The HTTP interface on the built components: statuses, JSON answers, callers.

use crate::account::{self, CLIENT_ID};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script, Signer, sign, sign_with};
use serde_json::{Value, json};
use std::time::Duration;

const JSON: [(&str, &str); 2] =
    [("accept", "application/json"), ("content-type", "application/json")];

async fn start() -> Quarry {
    Setup::new(Script::ordinary()).start().await.unwrap()
}

async fn post(quarry: &Quarry, body: String) -> Open {
    client::send("POST", &format!("{}/ask", quarry.url), &JSON, body).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_stream_there_is_one_json_object() {
    let quarry = start().await;
    let answer = post(&quarry, json!({ "query": "What is 6 times 7?" }).to_string()).await;
    assert_eq!(answer.status, 200);
    let text = answer.json().await.unwrap().to_string();
    assert!(text.contains("31.2 percent"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_get_their_status_before_any_model_is_called() {
    let quarry = start().await;
    for (body, status) in [
        ("{}".to_owned(), 400),
        ("no json".to_owned(), 400),
        (json!({ "query": "q".repeat(32_769) }).to_string(), 400),
        (json!({ "query": "x".repeat(1 << 20) }).to_string(), 413),
    ] {
        let answer = post(&quarry, body).await;
        assert_eq!(answer.status, status);
        let body = answer.json().await.unwrap();
        assert!(body.pointer("/error/message").is_some_and(Value::is_string), "{body}");
    }
    let url = format!("{}/ask", quarry.url);
    let answer = client::send("DELETE", &url, &JSON, String::new()).await.unwrap();
    assert_eq!(answer.status, 405);
    assert!(answer.header("allow").is_some_and(|allow| allow.contains("POST")));
    let answer = client::get(&format!("{}/nothing", quarry.url), &JSON).await.unwrap();
    assert_eq!(answer.status, 404);
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_has_its_headers_and_errors_as_events() {
    let quarry = start().await;
    let open = client::ask(&quarry.url, &json!({ "query": "What is 6 times 7?" })).await.unwrap();
    assert!(open.header("content-type").unwrap().starts_with("text/event-stream"));
    assert_eq!(open.header("cache-control"), Some("no-cache"));
    assert_eq!(open.header("x-accel-buffering"), Some("no"));
    drop(open);
    let open = client::ask(&quarry.url, &json!({})).await.unwrap();
    assert_eq!(open.status, 200);
    let events = open.events().await.unwrap();
    assert_eq!(events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["error"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_and_description_are_served() {
    let quarry = start().await;
    let health = client::get(&format!("{}/healthz", quarry.url), &[]).await.unwrap();
    assert_eq!(health.status, 200);
    // Tests run without network rules, as demo mode does.
    assert_eq!(health.json().await.unwrap()["network"], "open");
    let url = format!("{}/openapi.json", quarry.url);
    let document = client::get(&url, &[]).await.unwrap().json().await.unwrap();
    assert!(document["paths"]["/ask"]["post"].is_object());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_components_cannot_be_reached_from_outside() {
    let quarry = start().await;
    for path in ["/javascript/run", "/pages/read", "/search/search", "/network/state"] {
        let url = format!("{}{path}", quarry.url);
        let answer = client::send("POST", &url, &JSON, "{}".to_owned()).await.unwrap();
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_access_secret_is_asked_for() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry = setup.start().await.unwrap();
    for (secret, status) in [(Some("open sesame"), 200), (Some("wrong"), 403), (None, 401)] {
        let body = json!({ "query": "What is 6 times 7?", "accessSecret": secret });
        assert_eq!(post(&quarry, body.to_string()).await.status, status, "{secret:?}");
    }
}

/// How long a variable is believed at most (ARCHITECTURE.md).
const BELIEVED: Duration = Duration::from_secs(30);

/// Whoever admits callers and whoever calls providers are different components of one instance, which a
/// stream that is held open keeps alive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variable_that_is_changed_arrives_within_half_a_minute() {
    let waits = Reply::text("").hold("the test ends");
    let script = Script::ordinary().first(Match::Phase(Phase::Setup), [waits]);
    let quarry = Setup::new(script).variable("access_secret", "open sesame").start().await.unwrap();
    let body = |secret: &str| json!({ "query": "What is 6 times 7?", "accessSecret": secret });
    let mut held = client::ask(&quarry.url, &body("open sesame")).await.unwrap();
    held.until("init").await.unwrap();
    quarry.provider.holding("the test ends", 1).await;

    for (name, value) in [("access_secret", "lost and changed"), ("openai_api_key", "new-key")] {
        if !quarry.change_variable(name, value, BELIEVED).unwrap() {
            return;
        }
    }
    assert_eq!(post(&quarry, body("open sesame").to_string()).await.status, 403);
    quarry.provider.forget();
    let asked = client::ask(&quarry.url, &body("lost and changed")).await.unwrap();
    assert_eq!(asked.events().await.unwrap().last().unwrap().name, "complete");
    let calls = quarry.provider.calls();
    assert!(!calls.is_empty(), "no model was asked");
    for call in calls {
        assert_eq!(call.header("authorization"), Some("Bearer new-key"));
    }
}

fn claims() -> Value {
    let mut claims = account::claims("ada@example.com", 10);
    claims["name"] = json!("Ada");
    claims
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_that_looks_like_a_token_is_one_where_none_is_read() {
    const SECRET: &str = "eyJhbGciOiJub25lIn0.e30.c2VzYW1l";
    let setup = Setup::new(Script::ordinary())
        .variable("access_secret", SECRET)
        .variable("drive_secret", SECRET)
        .variable("run_list_nameless", "yes");
    let quarry = setup.start().await.unwrap();
    let asked = json!({ "query": "What is 6 times 7?", "model": "local:extractive" }).to_string();
    for (method, path, body) in [
        ("GET", "/runs", ""),
        ("POST", "/runs/drive", ""),
        ("GET", "/knowledge/collections", ""),
        ("POST", "/knowledge/documents", r##"{"markdown":"# Sums\n\nSix times seven is 42."}"##),
        ("POST", "/knowledge/ask", &asked),
        ("GET", "/v1/models", ""),
    ] {
        let url = format!("{}{path}", quarry.url);
        for (token, is_let_in) in [(SECRET, true), ("eyJhbGciOiJub25lIn0.e30.b3RoZXI", false)] {
            let bearer = format!("Bearer {token}");
            let headers = [("authorization", bearer.as_str()), ("accept", "application/json")];
            let open = client::send(method, &url, &headers, body.to_owned()).await.unwrap();
            assert_eq!(open.status.is_success(), is_let_in, "{path}: {}", open.status);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_cannot_be_one_is_refused_and_the_operator_pays_for_nothing() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let spoken = json!([{ "role": "user", "content": "What is 6 times 7?" }]);
    let body = json!({ "model": "quarry", "messages": spoken }).to_string();
    let long = "k".repeat(4_097);
    let headers = [("x-provider-key", long.as_str())];
    let url = format!("{}/v1/chat/completions", quarry.url);
    let open = client::send("POST", &url, &headers, body).await.unwrap();
    assert_eq!(open.status, 400);
    let refused = open.json().await.unwrap();
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("`X-Provider-Key` is too long"), "{refused}");
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_google_token_is_verified_and_its_caller_named() {
    let setup = Setup::new(Script::ordinary())
        .variable("google_client_id", CLIENT_ID)
        .variable("allowed_emails", "*@example.com");
    let quarry = setup.start().await.unwrap();
    let token = sign(&claims()).unwrap();
    let body = json!({ "query": "What is 6 times 7?", "google_token": token });
    let mut open = client::ask(&quarry.url, &body).await.unwrap();
    let init = open.until("init").await.unwrap();
    assert_eq!(init.data["user"]["email"], "ada@example.com");
    assert_eq!(init.data["allowEnvFallback"], true);
    assert_eq!(open.events().await.unwrap().last().unwrap().name, "complete");

    let header = json!({ "alg": "RS256", "kid": "quarry-test-1" });
    let none = json!({ "alg": "none", "kid": "quarry-test-1" });
    let forged = [
        ("signature", sign_with(Signer::Unknown, &header, &claims())),
        ("algorithm", sign_with(Signer::Known, &none, &claims())),
        ("audience", sign(&with("aud", json!("someone-else")))),
        ("issuer", sign(&with("iss", json!("https://evil.example")))),
        ("expiry", sign(&with("exp", json!(1_000_000)))),
        ("unverified address", sign(&with("email_verified", json!(false)))),
        ("unlisted address", sign(&with("email", json!("ada@example.org")))),
    ];
    let calls = quarry.provider.calls().len();
    for (what, token) in forged {
        let body = json!({ "query": "What is 6 times 7?", "googleToken": token.unwrap() });
        let status = post(&quarry, body.to_string()).await.status;
        assert!(status == 401 || status == 403, "{what}: {status}");
    }
    assert_eq!(quarry.provider.calls().len(), calls, "a forged token reached the provider");
    let keys = quarry.provider.requests().into_iter().filter(|request| request.path == "/keys");
    assert_eq!(keys.count(), 1, "the key set is cached for its max-age");
}
