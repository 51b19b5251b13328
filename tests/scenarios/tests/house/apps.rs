//! The doors of pages made with the AI SDK and of apps that speak AG-UI: every golden log through both folds, read by
//! the rules that the official readers hold, and the built components.

#[path = "apps/agui.rs"]
mod agui;
#[path = "apps/ui.rs"]
mod ui;

use quarry_doors::door::Voice;
use quarry_doors::{Entrance, Head, Refusal, enter};
use quarry_scenarios::client;
use quarry_scenarios::golden::{self, events};
use quarry_scenarios::native::Log;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::sync::LazyLock;

const QUESTION: &str = "What is six times seven?";

/// The logs of all scenarios that run natively, by name.
static LOGS: LazyLock<Vec<(String, Log)>> = LazyLock::new(|| golden::logs().unwrap());

async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

fn voice(path: &str, body: &Value, id: &str) -> Box<dyn Voice> {
    let head = Head { method: "POST".to_owned(), path: path.to_owned(), ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, body.to_string().as_bytes());
    assert!(opened.order.is_ok());
    let mut voice = opened.voice;
    voice.begin(id);
    voice
}

/// What is sent when events come in batches of this size.
fn streamed(path: &str, body: &Value, log: &Log, batch: usize) -> String {
    let mut voice = voice(path, body, &log.id);
    golden::told(&mut *voice, log, batch).unwrap()
}

/// The JSON of frames that are data alone: no ids, no names, no lines within. Comments stand alone.
fn frames(sent: &str) -> Vec<Value> {
    let frames = sent.split_terminator("\n\n").filter(|frame| !frame.starts_with(':'));
    let frame = |frame: &str| {
        let data = frame.strip_prefix("data: ").unwrap_or_else(|| panic!("{frame}"));
        assert!(!data.contains('\n'));
        serde_json::from_str(data).unwrap_or_else(|_| panic!("{data}"))
    };
    frames.map(frame).collect()
}

/// What any two streams of one log must have in common, and what must not leave by them.
fn is_a_fold(path: &str, body: &Value) {
    for (name, log) in LOGS.iter() {
        let whole = streamed(path, body, log, usize::MAX);
        for batch in [1, 3, 7] {
            assert_eq!(streamed(path, body, log, batch), whole, "{name} in batches of {batch}");
        }
        assert!(!whole.contains("[[outside-"), "{name}: a prompt");
    }
}

/// Has every log break off behind each of its events but the last, and gives each stream with its name to the check.
fn broken_off(path: &str, body: &Value, check: impl Fn(&str, &str)) {
    let why = Refusal::Unavailable("the store is away".into());
    for (name, log) in LOGS.iter() {
        let events = events(log);
        for cut in 0..events.len() - 1 {
            let at = format!("{name} at {cut}");
            let mut voice = voice(path, body, &log.id);
            let mut sent = voice.tell(events[..cut].to_vec()).bytes;
            sent.extend(voice.broke_off(&why, Timestamp(0)));
            // Whatever comes then comes too late.
            assert!(voice.tell(events[cut..].to_vec()).bytes.is_empty(), "{at}");
            check(&at, &String::from_utf8(sent).unwrap());
        }
    }
}

/// What a log says in its last `final_answer`.
fn content(log: &Log) -> Option<String> {
    let last = log.events.iter().rfind(|event| event.name.as_str() == "final_answer")?;
    let last: Value = serde_json::from_str(&last.data).unwrap();
    last["content"].as_str().map(str::to_owned)
}

fn ends(log: &Log) -> (&'static str, Value) {
    let last = log.events.last().unwrap();
    (last.name.as_str(), serde_json::from_str(&last.data).unwrap())
}

/// Whether a log says of every call what it used.
fn is_settled(log: &Log) -> bool {
    let costs = log.events.iter().rev().find_map(|event| {
        let data = || serde_json::from_str::<Value>(&event.data).unwrap();
        match event.name.as_str() {
            "cost_summary" => Some(data()),
            "quota_exceeded" => Some(data()["costs"].take()),
            _ => None,
        }
    });
    costs.is_some_and(|costs| costs["unsettledCalls"].as_array().is_none_or(Vec::is_empty))
}

/// Some of the logs in which a call was cut or fell silent.
const UNSETTLED: [&str; 3] = ["011-", "018-", "020-"];

/// Asserts that what was used is told where it is known of every call, and only there.
fn usage_is_told_where_it_is_known(usage: impl Fn(&Log) -> Option<Value>) {
    let (mut told, mut unsettled, mut limited) = (0, 0, 0);
    for (name, log) in LOGS.iter() {
        let is_known = is_settled(log);
        assert!(!(is_known && UNSETTLED.iter().any(|number| name.starts_with(number))), "{name}");
        let usage = usage(log);
        assert!(is_known || usage.is_none(), "{name}: {usage:?}");
        if is_known && ends(log).0 == "quota_exceeded" {
            assert!(usage.is_some(), "{name}: what a limit ended has cost something, too");
            limited += 1;
        }
        told += usize::from(usage.is_some());
        unsettled += usize::from(!is_known);
    }
    assert!(told > 10 && unsettled >= UNSETTLED.len() && limited > 0);
}

fn finish(log: &Log) -> Option<String> {
    let last = log.events.iter().rfind(|event| event.name.as_str() == "final_answer")?;
    let last: Value = serde_json::from_str(&last.data).unwrap();
    last["finish"].as_str().map(str::to_owned)
}

/// Whoever shows no Bearer, or another than the secret, is told so as at every other door.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_bearer_is_401_with_how_to_prove_oneself() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry = setup.start().await.unwrap();
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    let page = json!({ "id": "c1", "messages": [{ "id": "m1", "role": "user", "parts": parts }] });
    let app = json!({ "threadId": "t", "runId": "r", "messages": user(QUESTION) });
    for (method, path, body) in [
        ("POST", "/api/chat", page.to_string()),
        ("GET", "/api/chat/c1/stream", String::new()),
        ("POST", "/api/chat/c1/stop", String::new()),
        ("POST", "/agui", app.to_string()),
    ] {
        let url = format!("{}{path}", quarry.url);
        for (name, value) in [("accept", "*/*"), ("authorization", "Bearer close sesame")] {
            let open = client::send(method, &url, &[(name, value)], body.clone()).await.unwrap();
            let challenge = open.header("www-authenticate").map(str::to_owned);
            assert_eq!(
                (open.status.as_u16(), challenge.as_deref()),
                (401, Some("Bearer")),
                "{path}"
            );
            assert!(open.text().await.unwrap().contains("Bearer"), "{path}");
        }
        let right = [("authorization", "Bearer open sesame")];
        assert_ne!(client::send(method, &url, &right, body).await.unwrap().status, 401, "{path}");
    }
}

fn user(text: &str) -> Value {
    json!([{ "id": "m1", "role": "user", "content": text }])
}
