//! The tour of responses.

use super::{QUESTION, Tour, start};
use quarry_scenarios::client;
use quarry_scenarios::contract::Answered;
use quarry_scenarios::quarry::{Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script, sign};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub const PATH: &str = "/v1/responses";

/// Whether a path of the document streams frames of responses.
pub fn is_one(path: Option<&str>) -> bool {
    path.is_some_and(|path| path.starts_with(PATH))
}

/// The frames of a stream, each as documented.
pub fn read(path: &str, method: &str, sent: &str) -> Value {
    let answered = Answered::new(method, path, 200, Some("text/event-stream"));
    let data = sent.split_terminator("\n\n").filter_map(|frame| frame.split_once("\ndata: "));
    let frames = data.map(|(_, data)| {
        let frame: Value = serde_json::from_str(data).unwrap();
        assert_eq!(answered.item(&frame), Vec::<String>::new(), "{frame}");
        frame
    });
    Value::Array(frames.collect())
}

fn question() -> Value {
    json!({ "input": QUESTION })
}

fn post() -> String {
    format!("POST {PATH}")
}

/// What is done with the response of this id.
fn others(id: &str) -> [String; 4] {
    [
        format!("GET {PATH}/{id}"),
        format!("GET {PATH}/{id}/input_items"),
        format!("POST {PATH}/{id}/cancel"),
        format!("DELETE {PATH}/{id}"),
    ]
}

pub async fn tour(tour: &mut Tour) {
    in_good_order(tour).await;
    under_way(tour).await;
    of_another_version(tour).await;
    with_settings(tour).await;
}

async fn in_good_order(tour: &mut Tour) {
    let quarry = start(&[]).await;
    let made = tour.json(&quarry, &post(), question(), 200).await;
    let id = made["id"].as_str().unwrap();
    let mut streamed = question();
    streamed["stream"] = json!(true);
    let mut other = question();
    other["temperature"] = json!(0.5);
    tour.meet_reused_key(&quarry, PATH, [&question(), &other]).await;
    tour.json(&quarry, &post(), streamed, 200).await;
    tour.json(&quarry, &format!("GET {PATH}/{id}?stream=true"), Value::Null, 200).await;
    tour.json(&quarry, &format!("GET {PATH}/{id}?stream=perhaps"), Value::Null, 400).await;
    tour.json(&quarry, &format!("GET {PATH}/{id}/input_items?limit=0"), Value::Null, 400).await;
    tour.json(&quarry, &post(), json!({}), 400).await;
    let mut unknown = question();
    unknown["model"] = json!("gpt-4o");
    tour.json(&quarry, &post(), unknown, 404).await;
    tour.json(&quarry, &post(), json!({ "input": "q".repeat(4 << 20) }), 413).await;
    for path in [PATH.to_owned(), format!("{PATH}/{id}")] {
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("PATCH {path}"), Value::Null, 405).await;
    }
    for rest in ["input_items", "cancel"] {
        let path = format!("{PATH}/{id}/{rest}");
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("DELETE {path}"), Value::Null, 405).await;
    }
    for status in [200, 404] {
        for line in others(id) {
            // What is deleted last is not there the second time.
            tour.json(&quarry, &line, Value::Null, status).await;
        }
    }
}

async fn under_way(tour: &mut Tour) {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut asked = question();
    asked["background"] = json!(true);
    let made = tour.json(&quarry, &post(), asked, 200).await;
    quarry.provider.holding("planning", 1).await;
    let id = made["id"].as_str().unwrap();
    tour.json(&quarry, &format!("DELETE {PATH}/{id}"), Value::Null, 409).await;
    quarry.provider.release("planning");
}

/// What another version of the server kept.
async fn of_another_version(tour: &mut Tour) {
    let quarry = start(&[]).await;
    let made = tour.json(&quarry, &post(), question(), 200).await;
    let id = made["id"].as_str().unwrap();
    let file = quarry.sqlite().unwrap();
    let newer =
        "UPDATE log_value SET value = CAST('{\"version\":999}' AS BLOB) WHERE place = 'kept'";
    assert_eq!(file.execute(newer, []).unwrap(), 1);
    for line in others(id) {
        tour.json(&quarry, &line, Value::Null, 409).await;
    }
    let mut next = question();
    next["previous_response_id"] = json!(id);
    tour.json(&quarry, &post(), next, 409).await;
}

async fn with_settings(tour: &mut Tour) {
    let closed = [
        ("access_secret", "open sesame"),
        ("google_client_id", "quarry-test.apps.example.com"),
        ("allowed_emails", "*@example.com"),
        ("rate_limit_requests", "12"),
        ("rate_limit_window_seconds", "3600"),
    ];
    let closed = start(&closed).await;
    let misspelt = start(&[("max_tool_iterations", "many")]).await;
    let mut setup = Setup::new(Script::ordinary());
    setup.stores = Stores::None;
    let storeless = setup.start().await.unwrap();
    tour.json(&misspelt, &post(), question(), 500).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://accounts.google.com", "aud": "quarry-test.apps.example.com", "sub": "1",
        "email": "ada@example.org", "email_verified": true, "iat": now - 10, "exp": now + 600,
    });
    let bearer = format!("Bearer {}", sign(&claims).unwrap());
    let id = format!("resp_{}", "0".repeat(32));
    let all: Vec<String> = others(&id).into_iter().chain([post()]).collect();
    let body = |line: &str| if line == post() { question() } else { Value::Null };
    for line in &all {
        tour.json(&closed, line, body(line), 401).await;
        tour.json(&storeless, line, body(line), 503).await;
    }
    for line in &all {
        let (method, path) = line.split_once(' ').unwrap();
        let body = if *line == post() { question().to_string() } else { String::new() };
        let headers = [("authorization", bearer.as_str())];
        let url = format!("{}{path}", closed.url);
        let open = client::send(method, &url, &headers, body).await.unwrap();
        assert_eq!(open.status, 403, "{line}");
        tour.read(open).await;
    }
    // Guesses are counted, whatever they are made at.
    while client::get(&format!("{}{PATH}/{id}", closed.url), &[]).await.unwrap().status != 429 {}
    for line in &all {
        tour.json(&closed, line, body(line), 429).await;
    }
}
