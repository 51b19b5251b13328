//! Runs: what requests and answers promise in few words, held to them.

use super::*;
use quarry_events::run::EventName;
use std::time::Duration;

/// Which model was asked what, as far as it was.
fn who(quarry: &Quarry) -> Vec<(usize, String)> {
    let mut who = Vec::new();
    for call in quarry.provider.calls() {
        let of = ASKED.iter().position(|words| call.text().contains(words)).unwrap();
        who.push((of, call.body["model"].as_str().unwrap().to_owned()));
    }
    who
}

fn named(models: [&str; 4]) -> Vec<(usize, String)> {
    models.into_iter().enumerate().map(|(of, model)| (of, model.to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fork_asks_the_models_of_its_origin_for_each_role_or_one_for_all() {
    let quarry = start(&[]).await;
    let mut body = task();
    body["models"] = json!({ "read": "openai:reader", "judge": ["openai:judge"] });
    let id = begin(&quarry, &body).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    let roles = named(["scripted", "reader", "judge", "scripted"]);
    assert_eq!(who(&quarry), roles);
    for (branch, expected) in [
        (json!({ "at": 1 }), roles),
        (json!({ "at": 1, "model": "openai:other" }), named(["other"; 4])),
    ] {
        quarry.provider.forget();
        let (status, shown) = send(&quarry, &format!("POST /runs/{id}/fork"), &branch).await;
        assert_eq!(status, 202, "{shown}");
        let fork = shown["run_id"].as_str().unwrap().to_owned();
        assert_eq!(events(&quarry, &fork).await.last().unwrap().name, "run_completed");
        assert_eq!(who(&quarry), expected, "{branch}");
        replays(&quarry, &fork).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trace_tells_every_input_and_what_each_call_cost() {
    let quarry = start(&[]).await;
    let id = begin(&quarry, &task()).await;
    let whole = events(&quarry, &id).await;
    let url = format!("{}/runs/{id}/trace", quarry.url);
    let trace = client::send("GET", &url, &[], String::new()).await.unwrap();
    let trace = trace.text().await.unwrap();
    let (mut entries, mut told) = (0, Vec::new());
    for line in trace.lines() {
        match Line::read(line).unwrap() {
            Line::Entry(entry) => {
                entries += 1;
                assert_eq!(entry.n, entries);
            }
            Line::Event(event) => told.push(event),
            Line::Head { .. } | Line::Checkpoint(_) => panic!("what replays need: {line}"),
        }
    }
    for part in [ASKED[0], "186 million euros", "\"usage\""] {
        assert!(trace.contains(part), "{part}");
    }
    assert_eq!(told.len(), whole.len());
    let costs = told.iter().filter(|event| event.name == EventName::CostUpdated);
    assert_eq!(costs.count(), ASKED.len());
}

/// Who reads it while the run goes on gets what replays, however far that is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_of_a_run_that_goes_on_replays() {
    let quarry = start(&[]).await;
    let id = begin(&quarry, &task()).await;
    let line = format!("GET /runs/{id}");
    while send(&quarry, &line, &Value::Null).await.1["status"] != "completed" {
        folds_anew(&quarry, &id).await;
    }
    replays(&quarry, &id).await;
}

/// Whoever asks once more with their key finds the run as it is, and has it go on where its process died.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_comes_again_takes_up_the_run_that_was_left() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let again = async |quarry: &Quarry| {
        let url = format!("{}/runs", quarry.url);
        let key = [("idempotency-key", "7d1b0a52-64f3-4d0e-93c1-0b5e")];
        let open = client::send("POST", &url, &key, task().to_string()).await.unwrap();
        assert_eq!(open.status, 202);
        open.json().await.unwrap()
    };
    let id = again(&quarry).await["run_id"].clone();
    quarry.provider.holding("dead", 1).await;
    assert_eq!(again(&quarry).await["status"], "running");
    let quarry = dies(quarry).await;
    quarry.provider.set_script(script());
    loop {
        let shown = again(&quarry).await;
        assert_eq!(shown["run_id"], id);
        if shown["status"] == "completed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
