//! The tour of the doors of pages and apps.

use super::{QUESTION, Tour, start};
use quarry_scenarios::client;
use quarry_scenarios::contract::Answered;
use quarry_scenarios::quarry::{Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script, sign};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

const CHAT: &str = "/api/chat";
const AGUI: &str = "/agui";
const CAPABILITIES: &str = "/agui/capabilities";
const JOINED: &str = "/api/chat/c1/stream";
const STOPPED: &str = "/api/chat/c1/stop";

/// Where a body is read.
pub const READ: [&str; 2] = [CHAT, AGUI];

/// Whether a path of the document streams frames without ids here.
pub fn is_one(path: Option<&str>) -> bool {
    path.is_some_and(|path| path.starts_with(CHAT) || path == AGUI)
}

/// The frames of a stream, each as documented.
pub fn read(path: &str, method: &str, sent: &str) -> Value {
    let answered = Answered::new(method, path, 200, Some("text/event-stream"));
    let data = sent.split_terminator("\n\n").map(|frame| frame.strip_prefix("data: ").unwrap());
    let frames = data.filter(|data| *data != "[DONE]").map(|data| {
        let frame: Value = serde_json::from_str(data).unwrap();
        assert_eq!(answered.item(&frame), Vec::<String>::new(), "{frame}");
        frame
    });
    Value::Array(frames.collect())
}

/// A request that is right.
fn request(path: &str) -> Value {
    if path == AGUI {
        let messages = json!([{ "id": "m1", "role": "user", "content": QUESTION }]);
        return json!({ "threadId": "t1", "runId": "r1", "messages": messages, "tools": [], "context": [] });
    }
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    json!({ "id": "c1", "messages": [{ "id": "m1", "role": "user", "parts": parts }] })
}

pub async fn tour(tour: &mut Tour) {
    in_good_order(tour).await;
    with_settings(tour).await;
    of_what_is_running(tour).await;
}

/// An app goes on with an ask that has not ended.
async fn of_what_is_running(tour: &mut Tour) {
    let held = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = open.until("init").await.unwrap().data["id"].clone();
    quarry.provider.holding("planning", 1).await;
    let mut resumed = request(AGUI);
    resumed["resume"] = json!([{ "interruptId": id, "status": "resolved" }]);
    tour.json(&quarry, &format!("POST {AGUI}"), resumed, 409).await;
    quarry.provider.release("planning");
    open.events().await.unwrap();
}

async fn in_good_order(tour: &mut Tour) {
    let quarry = start(&[]).await;
    tour.json(&quarry, &format!("GET {JOINED}"), Value::Null, 204).await;
    tour.json(&quarry, &format!("POST {STOPPED}"), Value::Null, 404).await;
    for path in READ {
        let post = format!("POST {path}");
        tour.json(&quarry, &post, request(path), 200).await;
        tour.json(&quarry, &post, json!({}), 400).await;
        tour.json(&quarry, &post, json!({ "messages": "q".repeat(4 << 20) }), 413).await;
    }
    let mut resumed = request(AGUI);
    resumed["resume"] = json!([{ "interruptId": "0".repeat(32), "status": "resolved" }]);
    resumed["runId"] = json!("r2");
    tour.json(&quarry, &format!("POST {AGUI}"), resumed, 404).await;
    tour.json(&quarry, &format!("GET {JOINED}"), Value::Null, 200).await;
    tour.json(&quarry, &format!("POST {STOPPED}"), Value::Null, 202).await;
    tour.json(&quarry, &format!("GET {CAPABILITIES}"), Value::Null, 200).await;
    for path in [CHAT, AGUI, CAPABILITIES, JOINED, STOPPED] {
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("DELETE {path}"), Value::Null, 405).await;
    }
}

async fn with_settings(tour: &mut Tour) {
    let closed = [
        ("access_secret", "open sesame"),
        ("google_client_id", "quarry-test.apps.example.com"),
        ("allowed_emails", "*@example.com"),
    ];
    let closed = start(&closed).await;
    let limited =
        start(&[("rate_limit_requests", "1"), ("rate_limit_window_seconds", "3600")]).await;
    let misspelt = start(&[("max_tool_iterations", "many")]).await;
    let unlimited = start(&[("rate_limit_requests", "many")]).await;
    let mut storeless = Setup::new(Script::ordinary());
    storeless.stores = Stores::None;
    let storeless = storeless.start().await.unwrap();
    tour.json(&storeless, &format!("GET {JOINED}"), Value::Null, 503).await;
    tour.json(&storeless, &format!("POST {STOPPED}"), Value::Null, 503).await;
    tour.json(&limited, "POST /ask", json!({ "query": QUESTION }), 200).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://accounts.google.com", "aud": "quarry-test.apps.example.com", "sub": "1",
        "email": "ada@example.org", "email_verified": true, "iat": now - 10, "exp": now + 600,
    });
    let bearer = format!("Bearer {}", sign(&claims).unwrap());
    for path in [CHAT, AGUI] {
        let post = format!("POST {path}");
        tour.json(&closed, &post, request(path), 401).await;
        tour.json(&limited, &post, request(path), 429).await;
        tour.json(&unlimited, &post, request(path), 503).await;
        tour.json(&misspelt, &post, request(path), 500).await;
    }
    let headers = [("authorization", bearer.as_str())];
    for (method, path, body) in [
        ("POST", CHAT, request(CHAT).to_string()),
        ("POST", AGUI, request(AGUI).to_string()),
        ("GET", JOINED, String::new()),
        ("POST", STOPPED, String::new()),
    ] {
        let url = format!("{}{path}", closed.url);
        let open = client::send(method, &url, &headers, body).await.unwrap();
        assert_eq!(open.status, 403, "{path}");
        tour.read(open).await;
    }
    who_may_not_read(tour).await;
}

/// Whoever asks again for what others began is not counted; whoever guesses is.
async fn who_may_not_read(tour: &mut Tour) {
    let guarded = [
        ("access_secret", "open sesame"),
        ("rate_limit_requests", "1"),
        ("rate_limit_window_seconds", "3600"),
    ];
    for line in [format!("GET {JOINED}"), format!("POST {STOPPED}")] {
        let quarry = start(&guarded).await;
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("{}{path}", quarry.url);
        let nothing = if method == "GET" { 204 } else { 404 };
        let tries = [
            ("open sesame", nothing),
            ("open sesame", nothing),
            ("a guess", 401),
            ("another", 429),
            // Else whoever guesses on would be told by this one answer.
            ("open sesame", 429),
        ];
        for (secret, status) in tries {
            let headers = [("authorization", &*format!("Bearer {secret}"))];
            let open = client::send(method, &url, &headers, String::new()).await.unwrap();
            assert_eq!(open.status, status, "{line}: {secret}");
            tour.read(open).await;
        }
        let unproven = start(&[("access_secret", "open sesame")]).await;
        tour.json(&unproven, &line, Value::Null, 401).await;
    }
}
