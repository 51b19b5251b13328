//! A tour of the HTTP interface: every response and every event that the OpenAPI document has is
//! met here. That nothing else is ever met, the client sees to in all tests.

mod apps;
mod chat;
mod knowledge;
mod mcp;
mod responses;
mod runs;

use crate::requests::{KEY, begun_ago};
use futures::future::join_all;
use quarry_doors::native::Collector;
use quarry_doors::openapi_text;
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::contract::{self, Answered};
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::{Fault, Match, Phase, Reply, Script, Usage};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const QUESTION: &str = "What is six times seven?";
/// The two addresses of an ask.
const ASKS: [&str; 2] = ["/", "/ask"];

/// What was met so far.
#[derive(Default)]
struct Tour {
    answers: BTreeSet<Answered>,
    /// Names with the fields of their payloads.
    events: BTreeMap<String, BTreeSet<String>>,
}

impl Tour {
    /// Sends a request and reads the whole response; the client compares it with the document.
    async fn meet(
        &mut self,
        quarry: &Quarry,
        line: &str,
        accept: &str,
        body: &Value,
        expected: u16,
    ) -> Value {
        let (method, path) = line.split_once(' ').unwrap();
        let headers = [("accept", accept), ("origin", "https://front.example")];
        let url = format!("{}{path}", quarry.url);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let open = client::send(method, &url, &headers, body).await.unwrap();
        assert_eq!(open.status, expected, "{line}");
        self.read(open).await
    }

    /// Sends two bodies with one key: the first is answered, the second a conflict.
    async fn meet_reused_key(&mut self, quarry: &Quarry, path: &str, bodies: [&Value; 2]) {
        let headers = [KEY, ("origin", "https://front.example")];
        for (body, expected) in bodies.into_iter().zip([200, 409]) {
            let url = format!("{}{path}", quarry.url);
            let open = client::send("POST", &url, &headers, body.to_string()).await.unwrap();
            assert_eq!(open.status, expected, "{path}");
            self.read(open).await;
        }
    }

    async fn read(&mut self, open: Open) -> Value {
        self.answers.insert(open.answered.clone());
        match open.answered.media_type.as_str() {
            "text/event-stream" if open.answered.path.as_deref() == Some(chat::PATH) => {
                chat::read(&open.text().await.unwrap())
            }
            "text/event-stream" if open.answered.path.as_deref() == Some(mcp::PATH) => {
                let method = open.answered.method.clone();
                mcp::read(&method, &open.text().await.unwrap())
            }
            "text/event-stream" if apps::is_one(open.answered.path.as_deref()) => {
                let (path, method) = (open.answered.path.clone(), open.answered.method.clone());
                apps::read(&path.unwrap(), &method, &open.text().await.unwrap())
            }
            "text/event-stream" if responses::is_one(open.answered.path.as_deref()) => {
                let (path, method) = (open.answered.path.clone(), open.answered.method.clone());
                responses::read(&path.unwrap(), &method, &open.text().await.unwrap())
            }
            "text/event-stream" if open.answered.path.as_deref() == Some(knowledge::LOADS) => {
                knowledge::read(&open.text().await.unwrap())
            }
            "text/event-stream" => {
                let events = open.events().await.unwrap();
                for event in &events {
                    let fields = self.events.entry(event.name.clone()).or_default();
                    fields.extend(event.data.as_object().unwrap().keys().cloned());
                }
                json!(events.iter().map(|event| event.data.clone()).collect::<Vec<_>>())
            }
            "application/json" => open.json().await.unwrap(),
            "" => {
                assert_eq!(open.text().await.unwrap(), "");
                Value::Null
            }
            _ => {
                assert_ne!(open.text().await.unwrap(), "");
                Value::Null
            }
        }
    }

    async fn json(&mut self, quarry: &Quarry, line: &str, body: Value, expected: u16) -> Value {
        self.meet(quarry, line, "application/json", &body, expected).await
    }

    async fn stream(&mut self, quarry: &Quarry, line: &str, body: Value) -> Value {
        self.meet(quarry, line, "text/event-stream", &body, 200).await
    }
}

async fn start(variables: &[(&str, &str)]) -> Quarry {
    let mut setup = Setup::new(Script::ordinary())
        .variable("cors_allowed_origins", "https://front.example, https://other.example");
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    setup.start().await.unwrap()
}

fn question() -> Value {
    json!({ "query": QUESTION })
}

/// What goes well, and what the caller did wrong.
async fn in_good_order(tour: &mut Tour) {
    let quarry = start(&[]).await;
    for path in ASKS {
        let post = format!("POST {path}");
        tour.json(&quarry, &post, question(), 200).await;
        let other = json!({ "query": "And times eight?" });
        tour.meet_reused_key(&quarry, path, [&question(), &other]).await;
        tour.json(&quarry, &post, json!({}), 400).await;
        let unknown = json!({ "continuation": true, "continuationContext": { "id": "unknown" } });
        tour.json(&quarry, &post, unknown, 404).await;
        tour.json(&quarry, &format!("DELETE {path}"), Value::Null, 405).await;
        tour.json(&quarry, &post, json!({ "query": "q".repeat(1 << 20) }), 413).await;
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        let events = tour.stream(&quarry, &post, question()).await;
        let id = events.pointer("/1/id").and_then(Value::as_str).unwrap().to_owned();
        let join = format!("/ask/{id}/events");
        tour.stream(&quarry, &format!("GET {join}"), Value::Null).await;
        let last = events.as_array().unwrap().len();
        tour.json(&quarry, &format!("GET {join}?after={last}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("GET {join}?after=x"), Value::Null, 400).await;
        tour.json(&quarry, &format!("POST {join}"), Value::Null, 405).await;
        tour.json(&quarry, &format!("OPTIONS {join}"), Value::Null, 204).await;
        let stop = format!("/ask/{id}/stop");
        tour.json(&quarry, &format!("POST {stop}"), Value::Null, 202).await;
        tour.json(&quarry, &format!("GET {stop}"), Value::Null, 405).await;
        tour.json(&quarry, &format!("OPTIONS {stop}"), Value::Null, 204).await;
    }
    tour.json(&quarry, "GET /ask/unknown/events", Value::Null, 404).await;
    tour.json(&quarry, "POST /ask/unknown/stop", Value::Null, 404).await;
    for (path, status) in [("/healthz", 200), ("/openapi.json", 200)] {
        let body = tour.json(&quarry, &format!("GET {path}"), Value::Null, status).await;
        assert!(
            path == "/healthz"
                || body == serde_json::from_str::<Value>(&openapi_text().unwrap()).unwrap()
        );
        tour.json(&quarry, &format!("POST {path}"), Value::Null, 405).await;
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
    }
    tour.json(&quarry, "GET /nowhere", Value::Null, 404).await;
    // What streams tells a wrong method in a stream; what does not has a status for everybody.
    tour.stream(&quarry, "GET /ask", Value::Null).await;
    for (line, status) in [
        ("DELETE /healthz", 405),
        ("POST /openapi.json?stream=true", 405),
        ("POST /ask/unknown/stop", 404),
        ("GET /nowhere", 404),
    ] {
        tour.meet(&quarry, line, "text/event-stream", &Value::Null, status).await;
    }
}

/// Whoever sends less than was announced, wherever a body is read. They alone ask a server that waits for one second, all at
/// once: on a slow machine a whole body takes as long.
async fn too_slow(tour: &mut Tour) {
    let quarry = start(&[("body_timeout_seconds", "1"), mcp::FRONT]).await;
    let of_runs = runs::READ.into_iter().map(runs::at);
    let paths = ASKS.map(str::to_owned).into_iter().chain(of_runs);
    let others = [chat::PATH, responses::PATH, mcp::PATH, mcp::CONNECTOR];
    let others = others.into_iter().chain(apps::READ).chain(knowledge::READ).map(str::to_owned);
    let sent = paths.chain(others).map(|path| {
        let url = format!("{}{path}", quarry.url);
        async move {
            let (unfinished, body) = client::piecewise(2);
            let open = client::send_body("POST", &url, &[], body).await.unwrap();
            assert_eq!(open.status, 408, "{path}");
            (open, unfinished)
        }
    });
    for (open, unfinished) in join_all(sent).await {
        tour.read(open).await;
        drop(unfinished);
    }
}

/// What a provider may spoil, in both forms.
async fn with_a_provider_that_fails(tour: &mut Tour) {
    let quarry = start(&[]).await;
    let no_credit = Reply {
        code: Some("insufficient_quota".into()),
        ..Reply::status(429, "You exceeded your current quota, please check your billing details.")
    };
    for (phase, reply, status, kind) in [
        (Phase::Setup, Reply::status(401, "Incorrect API key"), 401, "unauthorized"),
        (Phase::Setup, Reply::status(404, "The model does not exist"), 400, "unknown_model"),
        (Phase::Setup, no_credit, 402, "no_credit"),
        (Phase::Iteration(2), Reply::rate_limited("60"), 429, "quota_exceeded"),
    ] {
        let script = Script::ordinary().first_always(Match::Phase(phase), reply);
        quarry.provider.set_script(script);
        for path in ASKS {
            let post = format!("POST {path}");
            let body = tour.json(&quarry, &post, question(), status).await;
            assert_eq!(body.pointer("/error/type"), Some(&json!(kind)), "{body}");
            let events = tour.stream(&quarry, &post, question()).await;
            if kind == "quota_exceeded" && path == "/ask" {
                let id = events.pointer("/1/id");
                let again = json!({ "continuation": true, "continuationContext": { "id": id } });
                quarry.provider.set_script(Script::ordinary());
                tour.stream(&quarry, &post, again).await;
            }
        }
    }
    told_by_some(tour, &quarry).await;
}

/// What only some asks have to tell.
async fn told_by_some(tour: &mut Tour, quarry: &Quarry) {
    let search = json!({ "query": "Orrin Bridge cost", "limit": 2 });
    let thinking = Reply { text: "First the bridge.".into(), ..Reply::call("search_web", search) };
    let thinking = thinking.and_call("browse", json!({}));
    let gone = Reply::status(400, "out of order");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [Reply::rate_limited("1")])
        .first(Match::Phase(Phase::Iteration(1)), [thinking]);
    quarry.provider.set_script(script.first_always(Match::Phase(Phase::Synthesis), gone.clone()));
    tour.stream(quarry, "POST /", question()).await;
    // A model that takes no tools.
    let script = Script::ordinary().first_always(Match::AnyIteration, gone);
    quarry.provider.set_script(script);
    tour.stream(quarry, "POST /", question()).await;
    // Citations that fail beside each other, and more than are checked.
    let search = json!({ "query": "Orrin Bridge cost", "limit": 1, "load_content": true });
    let both = "Nobody ever painted such a tall lantern yellow [q1, q2]. ";
    let cites = Reply::text(format!("{both}{}", "So it is [q1]. ".repeat(1_002)));
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Iteration(1)), [Reply::call("search_web", search)]);
    quarry.provider.set_script(script.first_always(Match::Phase(Phase::Synthesis), cites));
    tour.stream(quarry, "POST /", question()).await;
    let cut = Reply::text("An answer that breaks off after a while.").fault(Fault::Cut);
    let digits = |n: u32| Reply::call("execute_javascript", json!({ "code": format!("{n} * 11") }));
    let thirsty = Usage { input: 1_500, output: 60, ..Usage::default() };
    let many = (0..9).map(|n| digits(111 + n).usage(thirsty));
    let script = Script::ordinary().first(Match::AnyIteration, many);
    quarry.provider.set_script(script.first_always(Match::Phase(Phase::Synthesis), cut));
    let budget = json!({ "query": QUESTION, "budget": { "tokens": 6_000 }, "max_iterations": 9 });
    tour.stream(quarry, "POST /", budget).await;
    // A provider that counts more than it could leaves no room even for an answer.
    let all = Usage { input: 5_990, output: 1, ..Usage::default() };
    let script = Script::ordinary().first(Match::AnyIteration, [digits(7).usage(all)]);
    quarry.provider.set_script(script);
    let budget = json!({ "query": QUESTION, "budget": { "tokens": 6_000 } });
    tour.stream(quarry, "POST /", budget).await;
}

/// What the operator's settings and the host decide.
async fn with_settings(tour: &mut Tour) {
    let secret = start(&[("access_secret", "open sesame")]).await;
    let limited =
        start(&[("rate_limit_requests", "1"), ("rate_limit_window_seconds", "3600")]).await;
    let misspelt = start(&[("max_tool_iterations", "many"), ("ask_retention_hours", "many")]).await;
    let unlimited = start(&[("rate_limit_requests", "many")]).await;
    let mut setup = Setup::new(Script::ordinary());
    setup.stores = Stores::None;
    let storeless = setup.start().await.unwrap();
    let keyless = start(&[("openai_api_key", ""), ("fallback_model", "local:extractive")]).await;
    tour.stream(&keyless, "POST /", question()).await;
    tour.json(&limited, "POST /ask", question(), 200).await;
    for path in ASKS {
        let post = format!("POST {path}");
        tour.json(&secret, &post, question(), 401).await;
        let wrong = json!({ "query": QUESTION, "accessSecret": "wrong" });
        tour.json(&secret, &post, wrong, 403).await;
        tour.json(&limited, &post, question(), 429).await;
        tour.stream(&limited, &post, question()).await;
        tour.json(&misspelt, &post, question(), 500).await;
        tour.json(&unlimited, &post, question(), 503).await;
    }
    let id = "0".repeat(32);
    tour.json(&misspelt, &format!("GET /ask/{id}/events"), Value::Null, 500).await;
    tour.json(&storeless, &format!("GET /ask/{id}/events"), Value::Null, 503).await;
    tour.json(&storeless, &format!("POST /ask/{id}/stop"), Value::Null, 503).await;
    // Others hold the database.
    let mut setup = Setup::new(Script::ordinary());
    setup.keeper = Keeper::Scripted;
    let held = setup.start().await.unwrap();
    let server = held.database.scripted().unwrap();
    server.fault("FROM log_value", 0..u32::MAX, quarry_test_libsql::Fault::Busy);
    let events = format!("GET /ask/{}/events", begun_ago(0));
    tour.json(&held, &events, Value::Null, 429).await;
}

/// An orchestrator that ends a stream without a last event breaks its own contract, so this
/// answer is made by hand.
fn broken_off(tour: &mut Tour) {
    let reply = Collector::new("0af3".into()).finish(None);
    let body = serde_json::from_slice(&reply.body).unwrap();
    for path in ASKS {
        let answered = Answered::new("POST", path, reply.status, Some("application/json"));
        assert_eq!(answered.body(&body), Vec::<String>::new());
        tour.answers.insert(answered);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_documented_is_met() {
    let mut tour = Tour::default();
    in_good_order(&mut tour).await;
    too_slow(&mut tour).await;
    with_a_provider_that_fails(&mut tour).await;
    with_settings(&mut tour).await;
    broken_off(&mut tour);
    chat::tour(&mut tour).await;
    responses::tour(&mut tour).await;
    apps::tour(&mut tour).await;
    mcp::tour(&mut tour).await;
    knowledge::tour(&mut tour).await;
    runs::tour(&mut tour).await;
    let missed: Vec<_> = contract::documented()
        .into_iter()
        .filter(|answer| !tour.answers.contains(answer))
        .collect();
    assert!(missed.is_empty(), "documented and never met: {missed:#?}");
    // What runs tell is theirs; that each event is as documented the client has seen to.
    tour.events.retain(|name, _| quarry_events::EventName::parse(name).is_some());
    assert_eq!(tour.events, contract::emitted_events());
}

#[test]
fn what_is_not_documented_is_noticed() {
    let head = |method: &str, path: &str, status, headers: &[(&str, &str)]| {
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Answered::new(method, path, status, Some("application/json")).head(&headers).join("; ")
    };
    let cached = ("cache-control", "no-cache");
    assert_eq!(head("GET", "/healthz", 200, &[cached]), "");
    assert!(head("GET", "/healthz", 201, &[cached]).contains("not documented"));
    assert!(head("GET", "/elsewhere", 200, &[cached]).contains("not documented"));
    assert!(head("GET", "/healthz", 200, &[]).contains("Cache-Control is missing"));
    assert!(head("GET", "/healthz", 200, &[("cache-control", "public")]).contains("no-cache"));
    assert!(head("GET", "/healthz", 200, &[cached, ("x-more", "1")]).contains("x-more"));
    let stream = Answered::new("POST", "/", 200, Some("text/event-stream; charset=utf-8"));
    let event = |data: Value| client::Event {
        sequence: 1,
        name: "log".into(),
        raw: data.to_string(),
        data,
    };
    let time = "2026-01-02T03:04:05.678Z";
    let wrong = |data| stream.event(&event(data)).join("; ");
    assert_eq!(wrong(json!({ "message": "m", "timestamp": time })), "");
    assert!(
        wrong(json!({ "message": "m", "timestamp": time, "more": 1 }))
            .contains("'more' was unexpected")
    );
    assert!(wrong(json!({ "message": "m" })).contains("\"timestamp\" is a required property"));
}
