//! The tour of chat completions and models.

use super::{QUESTION, Tour, start};
use quarry_doors::door::Voice;
use quarry_doors::{Entrance, Event, Head, enter};
use quarry_events::EventName;
use quarry_scenarios::client;
use quarry_scenarios::contract::Answered;
use quarry_scenarios::quarry::Quarry;
use quarry_test_provider::{Match, Phase, Reply, Script, sign};
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub const PATH: &str = "/v1/chat/completions";
const MODELS: [&str; 2] = ["/v1/models", "/v1/models/quarry"];

/// The chunks of a stream, each as documented; but for failures, which have their own form.
pub fn read(sent: &str) -> Value {
    let answered = Answered::new("POST", PATH, 200, Some("text/event-stream"));
    let data = sent.split_terminator("\n\n").map(|frame| frame.strip_prefix("data: ").unwrap());
    let chunks = data.filter(|data| *data != "[DONE]").map(|data| {
        let chunk: Value = serde_json::from_str(data).unwrap();
        assert_eq!(answered.item(&chunk), Vec::<String>::new(), "{chunk}");
        chunk
    });
    Value::Array(chunks.collect())
}

fn question() -> Value {
    json!({ "messages": [{ "role": "user", "content": QUESTION }] })
}

fn post() -> String {
    format!("POST {PATH}")
}

pub async fn tour(tour: &mut Tour) {
    in_good_order(tour).await;
    with_settings(tour).await;
    stopped(tour);
}

async fn in_good_order(tour: &mut Tour) {
    let quarry = start(&[]).await;
    tour.json(&quarry, &post(), question(), 200).await;
    let mut streamed = question();
    streamed["stream"] = json!(true);
    let mut other = question();
    other["temperature"] = json!(0.5);
    tour.meet_reused_key(&quarry, PATH, [&question(), &other]).await;
    tour.json(&quarry, &post(), streamed, 200).await;
    told_of_a_conversation(tour, &quarry).await;
    told_in_json(tour, &quarry).await;
    tour.json(&quarry, &post(), json!({}), 400).await;
    let mut unknown = question();
    unknown["model"] = json!("gpt-4o");
    tour.json(&quarry, &post(), unknown, 404).await;
    tour.json(&quarry, &post(), json!({ "messages": "q".repeat(4 << 20) }), 413).await;
    for path in [PATH, MODELS[0], MODELS[1]] {
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("DELETE {path}"), Value::Null, 405).await;
    }
    for path in MODELS {
        tour.json(&quarry, &format!("GET {path}"), Value::Null, 200).await;
    }
    tour.json(&quarry, "GET /v1/models/gpt-4o", Value::Null, 404).await;
}

/// The log behind it tells of the question that was made of a conversation.
async fn told_of_a_conversation(tour: &mut Tour, quarry: &Quarry) {
    let setup = r#"{"question": "What is 6 times 7?", "persona": "p", "questions": ["q"]}"#;
    let script = Script::ordinary().first(Match::Phase(Phase::Setup), [Reply::text(setup)]);
    quarry.provider.set_script(script);
    let mut asked = question();
    asked["messages"] = json!([
        { "role": "user", "content": "What is six?" }, { "role": "assistant", "content": "A number." },
        { "role": "user", "content": "And times seven?" },
    ]);
    // No model has room for the first of them.
    asked["messages"][0]["content"] = json!("word ".repeat(100_000));
    let url = format!("{}{PATH}", quarry.url);
    for streams in [false, true] {
        asked["stream"] = json!(streams);
        let open = client::send("POST", &url, &[], asked.to_string()).await.unwrap();
        let ask = open.header("x-quarry-ask").unwrap().to_owned();
        let told = tour.read(open).await;
        let last = told.as_array().and_then(|chunks| chunks.last()).unwrap_or(&told);
        assert_eq!(last["quarry"], json!({ "turns_left_out": 1 }), "{last}");
        tour.stream(quarry, &format!("GET /ask/{ask}/events"), Value::Null).await;
    }
}

/// The log behind it tells what was wanted, and that it did not come.
async fn told_in_json(tour: &mut Tour, quarry: &Quarry) {
    let mut asked = question();
    asked["top_p"] = json!(0.5);
    asked["metadata"] = json!({ "a": "b" });
    let schema = json!({ "type": "object", "required": ["a"] });
    asked["response_format"] =
        json!({ "type": "json_schema", "json_schema": { "name": "a", "schema": schema } });
    for (reply, status) in [("{\"a\": 1}", 200), ("{}", 500)] {
        let script =
            Script::ordinary().first_always(Match::Phase(Phase::Format), Reply::text(reply));
        quarry.provider.set_script(script);
        let url = format!("{}{PATH}", quarry.url);
        let open = client::send("POST", &url, &[], asked.to_string()).await.unwrap();
        assert_eq!(open.status, status, "{reply}");
        let ask = open.header("x-quarry-ask").unwrap().to_owned();
        tour.read(open).await;
        tour.stream(quarry, &format!("GET /ask/{ask}/events"), Value::Null).await;
    }
    quarry.provider.set_script(Script::ordinary());
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
    tour.json(&limited, &post(), question(), 200).await;
    tour.json(&misspelt, &post(), question(), 500).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://accounts.google.com", "aud": "quarry-test.apps.example.com", "sub": "1",
        "email": "ada@example.org", "email_verified": true, "iat": now - 10, "exp": now + 600,
    });
    let bearer = format!("Bearer {}", sign(&claims).unwrap());
    let all = [
        (post(), question()),
        (format!("GET {}", MODELS[0]), Value::Null),
        (format!("GET {}", MODELS[1]), Value::Null),
    ];
    for (line, body) in all {
        tour.json(&closed, &line, body.clone(), 401).await;
        tour.json(&limited, &line, body.clone(), 429).await;
        tour.json(&unlimited, &line, body.clone(), 503).await;
        let (method, path) = line.split_once(' ').unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let headers = [("authorization", bearer.as_str())];
        let open =
            client::send(method, &format!("{}{path}", closed.url), &headers, body).await.unwrap();
        assert_eq!(open.status, 403, "{line}");
        tour.read(open).await;
    }
}

/// Nobody can stop an ask whose id it is told with its answer, so this one is told by hand.
fn stopped(tour: &mut Tour) {
    let head = Head { method: "POST".into(), path: PATH.into(), ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let mut voice: Box<dyn Voice> = visit.open(&head, question().to_string().as_bytes()).voice;
    voice.begin("0af3");
    let complete = Event { sequence: Some(1), name: EventName::Complete, data: "{}".into() };
    assert!(voice.tell(vec![complete]).last);
    let reply = voice.whole(None);
    let answered = Answered::new("POST", PATH, 409, Some("application/json"));
    let body = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((reply.status, answered.body(&body)), (409, Vec::new()));
    tour.answers.insert(answered);
}
