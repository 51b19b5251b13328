//! Runs as users have them: over HTTP, on the built components, with a process that dies, a provider that makes
//! them wait, and a key that nobody keeps.

mod attacked;
mod libsql;
mod mistakes;
mod own_key;
mod payers;
mod pressed;
mod promised;
mod timeouts;
mod written;

use quarry_journal::run::trace::Line;
use quarry_machines::run::{Run, Whose};
use quarry_scenarios::client::{self, Event};
use quarry_scenarios::database::Database;
use quarry_scenarios::quarry::{KEY, Quarry, Setup};
use quarry_scenarios::research::{ASKED, TASK, asked, replies, script};
use quarry_test_provider::Reply;
use serde_json::{Value, json};

/// One look: the small web has no source that rules call good enough, and a run would go deeper.
fn task() -> Value {
    json!({ "task": TASK, "effort": "quick" })
}

/// With the usual lease: where nobody dies, none is to run out, however slow the machine.
async fn start(variables: &[(&str, &str)]) -> Quarry {
    let set = |setup: Setup, (name, value): &(&str, &str)| setup.variable(name, value);
    variables.iter().fold(Setup::new(script()), set).start().await.unwrap()
}

/// Its process dies, and another follows. The lease of whoever drove in it ends now, as its time would end it.
async fn dies(quarry: Quarry) -> Quarry {
    let quarry = quarry.restart().await.unwrap();
    // What libsql-server keeps is not written beside it: there its time has to.
    if !matches!(quarry.database, Database::Real(_)) {
        let ends = "UPDATE run SET until = 0 WHERE holder IS NOT NULL";
        quarry.sqlite().unwrap().execute(ends, []).unwrap();
    }
    quarry
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
        quarry = dies(quarry).await;
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
    let quarry = dies(quarry).await;
    let url = format!("{}/runs/{id}/drive", quarry.url);
    let headers = [("x-quarry-baton", "0af3 somebody-elses-key")];
    let open = client::send("POST", &url, &headers, String::new()).await.unwrap();
    assert_eq!((open.status.as_u16(), open.json().await.unwrap()), (200, json!({ "driven": 0 })));
    // No more is said of a run that is not there.
    let none = format!("POST /runs/{}/drive", "0".repeat(32));
    assert_eq!(send(&quarry, &none, &Value::Null).await, (200, json!({ "driven": 0 })));
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
    let quarry = dies(quarry).await;
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

/// The operator's key is refused; a caller sends one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_waits_for_the_operators_key_takes_one_from_a_caller_and_keeps_it_nowhere() {
    const OWN: &str = "canary-callers-key-52c9";
    let quarry = start(&[]).await;
    let refused = Reply::status(401, "Incorrect API key provided.");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [refused]));
    let id = begin(&quarry, &task()).await;
    assert_eq!(waiting(&quarry, &id).await["reason"], "needs_key");
    quarry.provider.set_script(script());
    quarry.provider.forget();
    let resume = format!("POST /runs/{id}/resume");
    let (status, shown) = send(&quarry, &resume, &json!({ "apiKey": OWN })).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    let calls = quarry.provider.calls();
    let is_own = |key: Option<&str>| key == Some(&format!("Bearer {OWN}"));
    assert!(!calls.is_empty() && calls.iter().all(|call| is_own(call.header("authorization"))));
    let stored = quarry.stored().unwrap();
    assert!(!stored.windows(OWN.len()).any(|bytes| bytes == OWN.as_bytes()));
    assert!(!quarry.output().contains(OWN));
    replays(&quarry, &id).await;
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
    let file = quarry.sqlite().unwrap();
    assert_eq!(file.execute("UPDATE run SET caller = 'ada@example.org'", []).unwrap(), 1);
    let (status, _) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
    assert_eq!(status, 404);
    let (_, listed) = send(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"], json!([]));
}

async fn snapshot(quarry: &Quarry, id: &str) -> Value {
    send(quarry, &format!("GET /runs/{id}"), &Value::Null).await.1
}

/// What the last event says that the run waits for, which its snapshot says, too.
async fn waiting(quarry: &Quarry, id: &str) -> Value {
    let events = events(quarry, id).await;
    let last = events.last().unwrap();
    assert_eq!(last.name, "run_waiting");
    let shown = snapshot(quarry, id).await;
    assert_eq!((&shown["status"], &shown["waiting"]), (&json!("queued"), &last.data["waiting"]));
    last.data["waiting"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_whose_budget_has_no_room_waits_for_a_larger_one() {
    let quarry = start(&[]).await;
    let id =
        begin(&quarry, &json!({ "task": TASK, "effort": "quick", "budget": { "tokens": 100 } }))
            .await;
    let waiting = waiting(&quarry, &id).await;
    assert_eq!((&waiting["reason"], waiting.get("until")), (&json!("budget"), None));
    assert!(waiting["hint"].as_str().unwrap().contains("budget.tokens of "), "{waiting}");
    let resume = format!("POST /runs/{id}/resume");
    let (status, refused) =
        send(&quarry, &resume, &json!({ "config": { "timeouts": { "run": 11 } } })).await;
    assert_eq!(status, 400);
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("config.timeouts.run"), "{message}");
    let (status, refused) = send(&quarry, &resume, &json!({ "budget": { "tokens": 99 } })).await;
    assert_eq!(status, 400, "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("`budget.tokens` must be at least 100:"), "{message}");
    let (status, shown) = send(&quarry, &resume, &json!({ "budget": { "tokens": 200_000 } })).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_callers_key_outlives_a_rate_limit_in_one_request_after_the_other() {
    const OWN: &str = "canary-callers-key-31f0";
    let quarry = start(&[("openai_api_key", ""), ("run_slice_seconds", "1")]).await;
    // Longer than a driver waits that has nothing to lose.
    quarry.provider.set_script(script().first(asked(ASKED[2]), [Reply::rate_limited("11")]));
    let body = json!({ "task": TASK, "effort": "quick", "model": "openai:m", "apiKey": OWN });
    let id = begin(&quarry, &body).await;
    let names: Vec<String> = events(&quarry, &id).await.into_iter().map(|it| it.name).collect();
    assert_eq!(names.iter().filter(|name| *name == "run_waiting").count(), 1, "{names:?}");
    assert_eq!(names.last().unwrap(), "run_completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len() + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_whose_policies_have_changed_waits_for_somebody_to_say_so() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = dies(quarry).await;
    quarry.provider.set_script(script());
    let file = quarry.sqlite().unwrap();
    // As a server with another policy would have begun it.
    let aged =
        "UPDATE run_entry SET body = replace(body, '\"search\":2', '\"search\":0') WHERE n = 1";
    assert_eq!(file.execute(aged, []).unwrap(), 1);
    file.execute("DELETE FROM run_checkpoint", []).unwrap();
    let waiting = waiting(&quarry, &id).await;
    assert_eq!(waiting["reason"], "policy_changed");
    assert!(waiting["hint"].as_str().unwrap().contains("search 0 → 2"), "{waiting}");
    let resume = format!("POST /runs/{id}/resume");
    assert_eq!(send(&quarry, &resume, &json!({})).await.0, 409);
    assert_eq!(send(&quarry, &resume, &json!({ "force": true })).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    assert_eq!(snapshot(&quarry, &id).await["policies"]["search"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_can_read_keeps_no_run_from_its_end() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("dead", 1).await;
    let file = quarry.sqlite().unwrap();
    let left = "INSERT INTO run_inbox (run_id, id, at, kind, body) VALUES (?1, 'x', 1, 'input', 'no JSON')";
    assert_eq!(file.execute(left, [&id]).unwrap(), 1);
    let quarry = dies(quarry).await;
    quarry.provider.set_script(script());
    let events = events(&quarry, &id).await;
    assert_eq!(events.last().unwrap().name, "run_completed");
    let told: Vec<_> = events.iter().filter(|event| event.name == "step_failed").collect();
    assert_eq!((told.len(), &told[0].data["fallback"]), (1, &json!("it is left out")));
}

/// Folds a bundle anew, as `cargo xtask replay` does: its events are those that were told, its checkpoints the states
/// that follow. How many of these it has.
async fn folds_anew(quarry: &Quarry, id: &str) -> u32 {
    let url = format!("{}/runs/{id}/trace?form=bundle", quarry.url);
    let open = client::send("GET", &url, &[], String::new()).await.unwrap();
    let bundle = open.text().await.unwrap();
    let (mut whose, mut run, mut told, mut kept) = (None, None, Vec::new(), Vec::new());
    let mut checkpoints = 0;
    for line in bundle.lines() {
        match Line::read(line).unwrap() {
            Line::Head { run, origin, .. } => whose = Some(Whose { id: run, origin }),
            Line::Entry(entry) => {
                let input = serde_json::from_str(entry.body.text()).unwrap();
                told.extend(Run::fold(&mut run, whose.unwrap(), input, entry.at).unwrap());
            }
            Line::Checkpoint(kept) => {
                assert_eq!(serde_json::to_string(&run).unwrap(), kept.body);
                checkpoints += 1;
            }
            Line::Event(event) => kept.push(event),
        }
    }
    assert_eq!(told, kept);
    checkpoints
}

/// The same of a run that has ended: some of its states are kept.
async fn replays(quarry: &Quarry, id: &str) {
    assert!(folds_anew(quarry, id).await > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fork_reads_as_one_run_and_can_be_replayed_and_forked() {
    let quarry = start(&[]).await;
    let id = begin(&quarry, &task()).await;
    let names = |events: &[Event]| -> Vec<String> {
        events.iter().map(|event| event.name.clone()).collect()
    };
    let mut known = names(&events(&quarry, &id).await);
    let length = known.len() as u64;
    let mut from = id;
    for at in [None, Some(length / 3), Some(length / 4)] {
        let (status, shown) =
            send(&quarry, &format!("POST /runs/{from}/fork"), &json!({ "at": at })).await;
        assert_eq!((status, &shown["forked_from"]), (202, &json!(from)), "{shown}");
        let fork = shown["run_id"].as_str().unwrap().to_owned();
        let told = names(&events(&quarry, &fork).await);
        let ends = told.iter().filter(|name| *name == "run_completed").count();
        assert_eq!((ends, told.last().map(String::as_str)), (1, Some("run_completed")), "{told:?}");
        let own = told.iter().rposition(|name| name == "run_resumed").unwrap();
        assert!(own as u64 >= at.unwrap_or(0), "{at:?}: {told:?}");
        // What is shared is what its origin told up to there, and not what that did later.
        known.retain(|name| name != "run_completed");
        assert_eq!(told[..own], known[..own]);
        assert!(at.is_none() || !told[..own].contains(&"run_resumed".to_owned()), "{told:?}");
        known = told;
        replays(&quarry, &fork).await;
        assert!(report(&quarry, &fork).await.contains("186 million"));
        from = fork;
    }
}

fn first_reply() -> Reply {
    let [queries, ..] = replies();
    Reply::json(&queries)
}

/// Two runs where one may be driven: the second waits its turn, and nobody has to ask for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_beyond_the_bound_waits_and_is_driven_when_another_ends() {
    let quarry = start(&[("run_max_driven", "1"), ("run_lease_ms", "60000")]).await;
    quarry.provider.set_script(script().first(asked(ASKED[0]), [first_reply().hold("first")]));
    let first = begin(&quarry, &task()).await;
    quarry.provider.holding("first", 1).await;
    let (status, second) = send(&quarry, "POST /runs", &task()).await;
    assert_eq!((status, &second["status"]), (202, &json!("queued")), "{second}");
    let second = second["run_id"].as_str().unwrap();
    let (_, shown) = send(&quarry, &format!("GET /runs/{second}"), &Value::Null).await;
    assert_eq!(shown["status"], "queued");
    assert_eq!(quarry.provider.calls().len(), 1, "of the first run alone");
    quarry.provider.release("first");
    quarry.provider.called(2 * ASKED.len()).await;
    for id in [&first, second] {
        assert_eq!(events(&quarry, id).await.last().unwrap().name, "run_completed");
    }
    assert_eq!(quarry.provider.calls().len(), 2 * ASKED.len());
}

/// A key of the caller's is kept nowhere, so a run that needs it cannot wait its turn.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_with_the_callers_key_is_refused_beyond_the_bound() {
    let setup = [("run_max_driven", "1"), ("openai_api_key", ""), ("run_lease_ms", "60000")];
    let quarry = start(&setup).await;
    quarry.provider.set_script(script().first(asked(ASKED[0]), [first_reply().hold("first")]));
    let mut body = task();
    body["model"] = json!("openai:m");
    body["apiKey"] = json!("own");
    let first = begin(&quarry, &body).await;
    quarry.provider.holding("first", 1).await;
    let url = format!("{}/runs", quarry.url);
    let refused = client::send("POST", &url, &[], body.to_string()).await.unwrap();
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("5"));
    quarry.provider.release("first");
    assert_eq!(events(&quarry, &first).await.last().unwrap().name, "run_completed");
    let (status, _) = send(&quarry, "POST /runs", &body).await;
    assert_eq!(status, 202);
}
