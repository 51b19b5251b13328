//! Runs as users have them: over HTTP, on the built components, with a process that dies, a provider that makes
//! them wait, and a key that nobody keeps.

#![cfg(test)]

mod libsql;

use quarry_scenarios::client::{self, Event};
use quarry_scenarios::quarry::{KEY, Quarry, Setup};
use quarry_test_provider::{Match, Reply, Script};
use serde_json::{Value, json};

const TASK: &str = "What did the Orrin Bridge cost?";

/// What a run asks its models, by words of the prompts, in the order of a run of one node.
const ASKED: [&str; 4] = [
    "You choose what to search the web for",
    "You read passages of sources for a researcher",
    "You judge whether findings answer a question",
    "You write the executive answer of a research report",
];

/// One look: the small web has no source that rules call good enough, and a run would go deeper.
fn task() -> Value {
    json!({ "task": TASK, "effort": "quick" })
}

fn asked(words: &str) -> Match {
    Match::Text(words.to_owned())
}

/// What the provider says to each of them.
fn replies() -> [Value; 4] {
    let finding = json!({ "findings": [{
        "claim": "The Orrin Bridge cost 186 million euros.",
        "evidence": [{ "passage": "q1", "quote": "The bridge cost 186 million euros." }],
        "uncertainties": [],
    }] });
    let judged = json!({
        "coverage": 1, "quality": 0.8, "contradiction_handling": 1, "recency": null,
        "rationale": "It is answered.", "gaps": [],
    });
    let written = json!({
        "answer": "The bridge cost 186 million euros [Orrin Bridge].",
        "follow_up": ["What did the approach roads cost?"],
    });
    let queries = json!({ "queries": ["Orrin Bridge cost"], "time_sensitive": false });
    [queries, finding, judged, written]
}

/// A provider that answers everything a run of one node asks.
fn script() -> Script {
    ASKED.into_iter().zip(replies()).fold(Script::new(), |script, (words, reply)| {
        script.always(asked(words), Reply::json(&reply))
    })
}

async fn start(variables: &[(&str, &str)]) -> Quarry {
    let setup = Setup::new(script()).variable("run_lease_ms", "1000");
    let set = |setup: Setup, (name, value): &(&str, &str)| setup.variable(name, value);
    variables.iter().fold(setup, set).start().await.unwrap()
}

async fn send(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    let (method, path) = line.split_once(' ').unwrap();
    let url = format!("{}{path}", quarry.url);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let open = client::send(method, &url, &[], body).await.unwrap();
    let status = open.status.as_u16();
    (status, open.json().await.unwrap())
}

async fn begin(quarry: &Quarry, body: &Value) -> String {
    let (status, snapshot) = send(quarry, "POST /runs", body).await;
    assert_eq!(status, 202, "{snapshot}");
    snapshot["run_id"].as_str().unwrap().to_owned()
}

/// Every event until the stream ends.
async fn events(quarry: &Quarry, id: &str) -> Vec<Event> {
    let url = format!("{}/runs/{id}/events", quarry.url);
    let headers = [("accept", "text/event-stream")];
    let open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    let events = open.events().await.unwrap();
    for (event, sequence) in events.iter().zip(1..) {
        assert_eq!((event.sequence, &event.data["sequence"]), (sequence, &json!(sequence)));
    }
    events
}

async fn report(quarry: &Quarry, id: &str) -> String {
    let url = format!("{}/runs/{id}/report", quarry.url);
    let headers = [("accept", "text/markdown")];
    let open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    assert_eq!(open.status, 200);
    open.text().await.unwrap()
}

/// An event without what may differ between two runs that do the same: when, and what it cost.
fn told(event: &Event) -> (String, Value) {
    let mut data = event.data.clone();
    let fields = data.as_object_mut().unwrap();
    for name in [
        "sequence",
        "run_id",
        "at",
        "summary_metrics",
        "unsettled_calls",
        "cost_known",
        "cost",
        "tokens",
    ] {
        fields.remove(name);
    }
    let text = fields.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    if ["Time:", "Started:", "Cost:", "Tokens:", "read 20"].iter().any(|it| text.contains(it)) {
        fields.remove("text");
    }
    for source in fields.get_mut("sources").and_then(Value::as_array_mut).into_iter().flatten() {
        source.as_object_mut().unwrap().remove("retrieved_at");
    }
    fields.remove("characters");
    (event.name.clone(), data)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_with_a_report_whose_citations_hold() {
    let quarry = start(&[]).await;
    let id = begin(&quarry, &task()).await;
    let events = events(&quarry, &id).await;
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names.last(), Some(&"run_completed"), "{names:?}");
    let once = |name: &str| names.iter().filter(|it| **it == name).count() == 1;
    for name in
        ["run_started", "round_started", "node_started", "sources_ranked", "node_unresolved"]
    {
        assert!(once(name), "{name}: {names:?}");
    }
    let report = report(&quarry, &id).await;
    let deltas = events.iter().filter(|event| event.name == "report_delta");
    let deltas: String = deltas.map(|event| event.data["text"].as_str().unwrap()).collect();
    assert_eq!(deltas, report);
    assert!(report.contains("The bridge cost 186 million euros [1]("), "{report}");
    let headings = report.lines().filter(|line| line.starts_with("## ")).count();
    assert_eq!(headings, 8, "{report}");
    let (_, shown) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
    assert_eq!((&shown["status"], &shown["report"]), (&json!("completed"), &json!("ready")));
    assert_eq!(shown["summary_metrics"]["queries"], 1);
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}

/// The process dies while each of the run's calls is under way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_survives_the_death_of_its_process_at_every_call() {
    let quarry = start(&[]).await;
    let undisturbed = begin(&quarry, &task()).await;
    // A report says how many calls were lost, which is the only line that another has not.
    let is_of_both = |event: &&Event| {
        let text = event.data.get("text").and_then(Value::as_str).unwrap_or_default();
        !text.contains("whose use is unknown")
    };
    let expected: Vec<_> = events(&quarry, &undisturbed).await.iter().map(told).collect();
    let mut quarry = quarry;
    for words in ASKED {
        quarry.provider.forget();
        // Signals count all that ever waited for them.
        let held = Reply::text("").hold(words);
        quarry.provider.set_script(script().first(asked(words), [held]));
        let id = begin(&quarry, &task()).await;
        quarry.provider.holding(words, 1).await;
        quarry = quarry.restart().await.unwrap();
        quarry.provider.set_script(script());
        let events = events(&quarry, &id).await;
        let told: Vec<_> = events.iter().filter(is_of_both).map(told).collect();
        for (event, expected) in told.iter().zip(&expected) {
            assert_eq!(event, expected, "killed while the provider was asked: {words}");
        }
        assert_eq!(told.len(), expected.len(), "{words}");
        let metrics = &events.last().unwrap().data["summary_metrics"];
        assert_eq!(metrics["unsettled_calls"], 1, "{metrics}");
        assert_eq!(quarry.provider.calls().len(), ASKED.len() + 1, "{words}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_goes_on_in_one_request_after_the_other() {
    let quarry = start(&[("run_slice_seconds", "0")]).await;
    let id = begin(&quarry, &task()).await;
    let events = events(&quarry, &id).await;
    assert_eq!(events.last().unwrap().name, "run_completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_drives_a_run_with_a_key_that_its_driver_did_not_hand_on() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[0]), [Reply::text("").hold("dead")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = quarry.restart().await.unwrap();
    let url = format!("{}/runs/{id}/drive", quarry.url);
    let headers = [("x-quarry-baton", "0af3 somebody-elses-key")];
    let open = client::send("POST", &url, &headers, String::new()).await.unwrap();
    assert_eq!(open.status, 404);
    quarry.provider.set_script(script());
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_callers_key_is_kept_nowhere_and_asked_for_again() {
    const OWN: &str = "canary-callers-key-77aa";
    let quarry = start(&[("openai_api_key", "")]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let id = begin(
        &quarry,
        &json!({ "task": TASK, "effort": "quick", "model": "openai:m", "apiKey": OWN }),
    )
    .await;
    quarry.provider.holding("dead", 1).await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let waiting = events(&quarry, &id).await;
    let last = waiting.last().unwrap();
    assert_eq!(
        (last.name.as_str(), &last.data["waiting"]["reason"]),
        ("run_waiting", &json!("needs_key"))
    );
    let resume = format!("POST /runs/{id}/resume");
    let (status, shown) = send(&quarry, &resume, &json!({ "apiKey": OWN })).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    let stored = quarry.stored().unwrap();
    for secret in [OWN, KEY] {
        let holds = stored.windows(secret.len()).any(|bytes| bytes == secret.as_bytes());
        assert!(!holds, "a key is in the stores");
    }
    assert!(!quarry.output().contains(OWN));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limit_is_waited_for_without_anybody_asking() {
    let quarry = start(&[("drive_secret", "cron")]).await;
    quarry.provider.set_script(script().first(asked(ASKED[2]), [Reply::rate_limited("3")]));
    let id = begin(&quarry, &task()).await;
    let events = events(&quarry, &id).await;
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    let at = |name: &str| names.iter().position(|it| *it == name);
    assert!(at("run_waiting").unwrap() < at("run_resumed").unwrap(), "{names:?}");
    assert_eq!(names.last(), Some(&"run_completed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_elses_run_is_none() {
    let quarry = start(&[]).await;
    let id = begin(&quarry, &task()).await;
    events(&quarry, &id).await;
    let file = rusqlite::Connection::open(quarry.state.path().join("sqlite_db.db")).unwrap();
    assert_eq!(file.execute("UPDATE run SET caller = 'ada@example.org'", []).unwrap(), 1);
    let (status, _) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
    assert_eq!(status, 404);
    let (_, listed) = send(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"], json!([]));
}
