//! The tour of the door of the Model Context Protocol.

use super::{QUESTION, Tour, start};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::contract::Answered;
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::{Script, sign};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub const PATH: &str = "/mcp";
pub const CONNECTOR: &str = "/mcp/connector";
const BOTH: &str = "application/json, text/event-stream";
pub const FRONT: (&str, &str) = ("mcp_allowed_origins", "https://front.example");

/// The messages of a stream, each as documented.
pub fn read(method: &str, sent: &str) -> Value {
    let answered = Answered::new(method, PATH, 200, Some("text/event-stream"));
    let data = sent.split_terminator("\n\n").filter_map(|frame| frame.split_once("data: {"));
    let frames = data.map(|(_, data)| {
        let frame: Value = serde_json::from_str(&format!("{{{data}")).unwrap();
        assert_eq!(answered.item(&frame), Vec::<String>::new(), "{frame}");
        frame
    });
    Value::Array(frames.collect())
}

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })
}

fn research() -> Value {
    let arguments = json!({ "question": QUESTION });
    let params =
        json!({ "name": "research", "arguments": arguments, "_meta": { "progressToken": 1 } });
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params })
}

async fn send(quarry: &Quarry, method: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    let mut all = vec![("accept", BOTH), ("mcp-protocol-version", "2025-11-25")];
    all.extend(headers);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client::send(method, &format!("{}{PATH}", quarry.url), &all, body).await.unwrap()
}

async fn meet(
    tour: &mut Tour,
    quarry: &Quarry,
    method: &str,
    headers: &[(&str, &str)],
    body: &Value,
    expected: u16,
) -> Value {
    let open = send(quarry, method, headers, body).await;
    assert_eq!(open.status, expected, "{method} {headers:?} {body}");
    tour.read(open).await
}

pub async fn tour(tour: &mut Tour) {
    let last = in_good_order(tour).await;
    with_settings(tour, &last).await;
    of_a_connector(tour).await;
}

/// A connector answers as the whole does, but for streams.
async fn of_a_connector(tour: &mut Tour) {
    let quarry = start(&[FRONT]).await;
    let at = |quarry: &Quarry| format!("{}{CONNECTOR}", quarry.url);
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let long = json!({ "jsonrpc": "2.0", "method": "q".repeat(4 << 20) });
    let evil = ("origin", "https://evil.example");
    for (header, body, status) in [
        (("accept", BOTH), ping(), 200),
        (("accept", BOTH), told, 202),
        (("accept", BOTH), json!({}), 400),
        (evil, ping(), 403),
        (("accept", "text/html"), ping(), 406),
        (("accept", BOTH), long, 413),
    ] {
        let open = client::send("POST", &at(&quarry), &[header], body.to_string()).await.unwrap();
        assert_eq!(open.status, status, "{header:?}");
        tour.read(open).await;
    }
    tour.json(&quarry, &format!("GET {CONNECTOR}"), Value::Null, 405).await;
    tour.json(&quarry, &format!("OPTIONS {CONNECTOR}"), Value::Null, 204).await;
    in_the_new_era(tour, &at(&quarry)).await;
    let closed = start(&[
        ("access_secret", "open sesame"),
        ("rate_limit_requests", "1"),
        ("rate_limit_window_seconds", "3600"),
    ])
    .await;
    let unlimited = start(&[("rate_limit_requests", "many")]).await;
    for (quarry, status) in [(&closed, 401), (&closed, 429), (&unlimited, 503)] {
        let open = client::send("POST", &at(quarry), &[], ping().to_string()).await.unwrap();
        assert_eq!(open.status, status);
        tour.read(open).await;
    }
}

/// Gives the id of a frame.
async fn in_good_order(tour: &mut Tour) -> String {
    let quarry = start(&[FRONT]).await;
    let none = Value::Null;
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let open = send(&quarry, "POST", &[], &hello).await;
    let session = open.header("mcp-session-id").unwrap().to_owned();
    tour.read(open).await;
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    meet(tour, &quarry, "POST", &[], &told, 202).await;
    let sent = send(&quarry, "POST", &[], &research()).await;
    tour.answers.insert(sent.answered.clone());
    let sent = sent.text().await.unwrap();
    read("POST", &sent);
    let last = sent.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
    let rest = meet(tour, &quarry, "GET", &[("last-event-id", &last)], &none, 200).await;
    assert_eq!(rest, read("POST", &sent));
    meet(tour, &quarry, "GET", &[("last-event-id", "x")], &none, 400).await;
    meet(tour, &quarry, "GET", &[], &none, 405).await;
    meet(tour, &quarry, "DELETE", &[("mcp-session-id", &session)], &none, 204).await;
    meet(tour, &quarry, "DELETE", &[], &none, 400).await;
    let new = [("mcp-protocol-version", "2026-07-28"), ("mcp-session-id", session.as_str())];
    let url = format!("{}{PATH}", quarry.url);
    let open = client::send("DELETE", &url, &new, String::new()).await.unwrap();
    assert_eq!(open.status, 405);
    tour.read(open).await;
    meet(tour, &quarry, "PATCH", &[], &none, 405).await;
    for method in ["POST", "GET", "DELETE"] {
        let headers = [("origin", "https://evil.example"), ("last-event-id", last.as_str())];
        meet(tour, &quarry, method, &headers, &none, 403).await;
    }
    meet(tour, &quarry, "POST", &[("last-event-id", "")], &json!({}), 400).await;
    tour.json(&quarry, &format!("POST {PATH}"), ping(), 406).await;
    let long = json!({ "jsonrpc": "2.0", "method": "q".repeat(4 << 20) });
    meet(tour, &quarry, "POST", &[], &long, 413).await;
    tour.json(&quarry, &format!("OPTIONS {PATH}"), none, 204).await;
    in_the_new_era(tour, &format!("{}{PATH}", quarry.url)).await;
    last
}

async fn in_the_new_era(tour: &mut Tour, url: &str) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let unknown =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "_meta": meta } });
    let headers =
        [("accept", BOTH), ("mcp-protocol-version", "2026-07-28"), ("mcp-method", "ping")];
    let open = client::send("POST", url, &headers, unknown.to_string()).await.unwrap();
    assert_eq!(open.status, 404);
    tour.read(open).await;
}

async fn with_settings(tour: &mut Tour, last: &str) {
    let closed = start(&[
        ("access_secret", "open sesame"),
        ("google_client_id", "quarry-test.apps.example.com"),
        ("allowed_emails", "*@example.com"),
        ("rate_limit_requests", "5"),
        ("rate_limit_window_seconds", "3600"),
    ])
    .await;
    let misspelt = start(&[("max_tool_iterations", "many")]).await;
    let mut storeless = Setup::new(Script::ordinary());
    storeless.stores = Stores::None;
    let storeless = storeless.start().await.unwrap();
    meet(tour, &misspelt, "POST", &[], &research(), 500).await;
    let unlimited = start(&[("rate_limit_requests", "many")]).await;
    meet(tour, &unlimited, "POST", &[], &research(), 503).await;
    let session = ("mcp-session-id", "0af3");
    meet(tour, &unlimited, "DELETE", &[session], &Value::Null, 503).await;
    let joins = ("last-event-id", last);
    meet(tour, &storeless, "GET", &[joins], &Value::Null, 503).await;
    meet(tour, &closed, "POST", &[], &research(), 401).await;
    meet(tour, &closed, "GET", &[joins], &Value::Null, 401).await;
    meet(tour, &closed, "DELETE", &[session], &Value::Null, 401).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://accounts.google.com", "aud": "quarry-test.apps.example.com", "sub": "1",
        "email": "ada@example.org", "email_verified": true, "iat": now - 10, "exp": now + 600,
    });
    let bearer = format!("Bearer {}", sign(&claims).unwrap());
    meet(tour, &closed, "POST", &[("authorization", &bearer)], &ping(), 403).await;
    // Guesses are counted, whatever they are made at.
    while send(&closed, "POST", &[], &ping()).await.status != 429 {}
    meet(tour, &closed, "POST", &[], &research(), 429).await;
    meet(tour, &closed, "GET", &[joins], &Value::Null, 429).await;
    meet(tour, &closed, "DELETE", &[session], &Value::Null, 429).await;
}
