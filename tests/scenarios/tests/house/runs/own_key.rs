//! Runs that their caller's own key pays for: it lies nowhere but with whoever drives, or is to.

use super::*;
use futures::future::join_all;
use rusqlite::Connection;
use std::time::Duration;

/// A server without keys of its own.
async fn keyless(variables: &[(&str, &str)]) -> Quarry {
    let quarry = start(&[&[("openai_api_key", "")], variables].concat()).await;
    // Its tables are made.
    client::get(&format!("{}/healthz", quarry.url), &[]).await.unwrap().text().await.unwrap();
    quarry
}

fn paid_by_caller() -> Value {
    json!({ "task": TASK, "effort": "quick", "model": "openai:m", "apiKey": "own" })
}

/// From now on nobody can take a run or let go of one: there is no room, or the store fails.
fn hold(file: &Connection, refusal: &str) {
    let held = format!(
        "CREATE TRIGGER held BEFORE UPDATE ON run WHEN NEW.holder IS NOT OLD.holder
         BEGIN SELECT RAISE({refusal}); END"
    );
    file.execute_batch(&held).unwrap();
}

const NO_ROOM: &str = "IGNORE";
const FAILS: &str = "ABORT, 'database or disk is full'";

fn let_go(file: &Connection) {
    file.execute_batch("DROP TRIGGER held").unwrap();
}

/// Nobody asks for it, so nobody without the key takes it up before whoever keeps that.
async fn ends_by_itself(quarry: &Quarry, served: usize, calls: usize, id: &str) {
    quarry.provider.called(served + calls).await;
    assert_eq!(events(quarry, id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_nobody_could_drive_when_it_was_begun_goes_on_with_the_key_that_it_came_with() {
    for refusal in [NO_ROOM, FAILS] {
        let quarry = keyless(&[]).await;
        let file = quarry.sqlite().unwrap();
        hold(&file, refusal);
        let id = begin(&quarry, &paid_by_caller()).await;
        let_go(&file);
        ends_by_itself(&quarry, 0, ASKED.len(), &id).await;
        hold(&file, refusal);
        let branch = json!({ "at": 1, "apiKey": "own" });
        let (status, shown) = send(&quarry, &format!("POST /runs/{id}/fork"), &branch).await;
        assert_eq!(status, 202, "{shown}");
        let_go(&file);
        let fork = shown["run_id"].as_str().unwrap().to_owned();
        ends_by_itself(&quarry, ASKED.len(), ASKED.len(), &fork).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_comes_again_is_kept_with_the_run_that_nobody_can_take_up_yet() {
    let quarry = keyless(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let again = async |quarry: &Quarry| {
        let url = format!("{}/runs", quarry.url);
        let key = [("idempotency-key", "0f7c2f1e-9a51-4c46-a8a7-55d2")];
        let open = client::send("POST", &url, &key, paid_by_caller().to_string()).await.unwrap();
        assert_eq!(open.status, 202);
        open.json().await.unwrap()["run_id"].as_str().unwrap().to_owned()
    };
    let id = again(&quarry).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let served = quarry.provider.served();
    let file = quarry.sqlite().unwrap();
    assert_eq!(file.execute("UPDATE run SET until = 0 WHERE holder IS NOT NULL", []).unwrap(), 1);
    hold(&file, NO_ROOM);
    assert_eq!(again(&quarry).await, id);
    let_go(&file);
    ends_by_itself(&quarry, served, ASKED.len() - 1, &id).await;
}

/// Between being let in and being driven others may have taken the last place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_come_at_once_with_keys_of_their_own_all_that_are_let_in_are_driven() {
    let quarry = keyless(&[("run_max_driven", "1")]).await;
    let body = paid_by_caller();
    let begun = join_all((0..6).map(|_| send(&quarry, "POST /runs", &body))).await;
    assert!(begun.iter().all(|(status, _)| [202, 429].contains(status)), "{begun:?}");
    let let_in = begun.iter().filter(|(status, _)| *status == 202);
    let ids: Vec<&str> = let_in.map(|(_, shown)| shown["run_id"].as_str().unwrap()).collect();
    assert!(!ids.is_empty());
    for id in ids {
        let line = format!("GET /runs/{id}");
        loop {
            let shown = send(&quarry, &line, &Value::Null).await.1;
            assert!(!["failed", "aborted"].contains(&shown["status"].as_str().unwrap()), "{shown}");
            if shown["status"] == "completed" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Neither whoever is asked nor its own driver can take the run, and nobody can let go of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_outlives_a_hand_over_while_the_store_takes_nothing() {
    let quarry = keyless(&[("run_slice_seconds", "0"), ("run_lease_ms", "1000")]).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let second = Reply::json(&replies()[1]).hold("late");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(&quarry, &paid_by_caller()).await;
    quarry.provider.holding("late", 1).await;
    let file = quarry.sqlite().unwrap();
    hold(&file, FAILS);
    quarry.provider.release("late");
    while !quarry.output().contains("a run could not be let go of") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let_go(&file);
    ends_by_itself(&quarry, 0, ASKED.len(), &id).await;
}

/// Who sends it, in order.
fn payers(quarry: &Quarry) -> Vec<String> {
    let calls = quarry.provider.calls().into_iter();
    calls.map(|call| call.header("authorization").unwrap_or_default().to_owned()).collect()
}

/// Reads what is told of a run until it waits, for this reason.
async fn until_it_waits(quarry: &Quarry, id: &str, reason: &str) {
    let url = format!("{}/runs/{id}/events", quarry.url);
    let headers = [("accept", "text/event-stream")];
    let mut open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    loop {
        let event = open.next().await.unwrap().unwrap();
        if event.name == "run_waiting" {
            assert_eq!(event.data["waiting"]["reason"], reason);
            return;
        }
    }
}

async fn resumed(quarry: &Quarry, id: &str, with: &Value) {
    let (status, shown) = send(quarry, &format!("POST /runs/{id}/resume"), with).await;
    assert_eq!(status, 202, "{shown}");
}

/// Whoever drives it has the old key, and stays with the run while it waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_a_run_is_resumed_with_pays_for_all_that_follows() {
    for more in [json!({}), json!({ "config": { "max_nodes": 41 } })] {
        let quarry = keyless(&[]).await;
        quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::rate_limited("60")]));
        let id = begin(&quarry, &paid_by_caller()).await;
        until_it_waits(&quarry, &id, "rate_limit").await;
        assert_eq!(payers(&quarry), ["Bearer own"; 2]);
        quarry.provider.forget();
        let mut with = more;
        with["apiKey"] = json!("another");
        resumed(&quarry, &id, &with).await;
        assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
        assert_eq!(payers(&quarry), ["Bearer another"; 3], "{with}");
        replays(&quarry, &id).await;
    }
}

/// A key that is refused, or blank, is a mistake of a moment: whoever may use the operator's still may.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_resumed_with_a_wrong_key_goes_on_with_the_operators() {
    let quarry = start(&[]).await;
    let refused = || Reply::status(401, "Incorrect API key provided.");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [refused(), refused()]));
    let id = begin(&quarry, &task()).await;
    assert_eq!(waiting(&quarry, &id).await["reason"], "needs_key");
    // It waits for somebody, and whoever has it driven is not that.
    let (status, driven) = send(&quarry, &format!("POST /runs/{id}/drive"), &Value::Null).await;
    assert_eq!((status, &driven["driven"]), (200, &json!(0)));
    let told = events(&quarry, &id).await.len();
    resumed(&quarry, &id, &json!({ "apiKey": "wrong" })).await;
    until_told_more(&quarry, &id, told).await;
    assert_eq!(waiting(&quarry, &id).await["reason"], "needs_key");
    quarry.provider.forget();
    resumed(&quarry, &id, &json!({ "apiKey": " \n" })).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    assert_eq!(payers(&quarry), vec![format!("Bearer {KEY}"); 3]);
    replays(&quarry, &id).await;
}

/// Reads what is told of a run behind this event until it waits again.
async fn until_told_more(quarry: &Quarry, id: &str, behind: usize) {
    let url = format!("{}/runs/{id}/events?after={behind}", quarry.url);
    let headers = [("accept", "text/event-stream")];
    let mut open = client::send("GET", &url, &headers, String::new()).await.unwrap();
    while open.next().await.unwrap().unwrap().name != "run_waiting" {}
}

/// As it is copied: it is good at the provider, and is handed on in a header.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_with_a_line_feed_behind_it_is_handed_on_like_any_other() {
    let quarry = keyless(&[("run_slice_seconds", "0")]).await;
    let mut body = paid_by_caller();
    body["apiKey"] = json!("own\n");
    let id = begin(&quarry, &body).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    assert_eq!(payers(&quarry), ["Bearer own"; 4]);
    body["apiKey"] = json!("o\nwn");
    let (status, refused) = send(&quarry, "POST /runs", &body).await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("invalid_field")), "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("`apiKey`") && message.contains("in one line"), "{message}");
}

/// Another takes the run that has no key, and has it still when its driver looks for it; then it dies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_kept_though_somebody_without_it_has_the_run() {
    let quarry = keyless(&[("run_lease_ms", "1000")]).await;
    let second = Reply::json(&replies()[1]).hold("late");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(&quarry, &paid_by_caller()).await;
    quarry.provider.holding("late", 1).await;
    let taken = "UPDATE run SET holder = 'another',
         until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 4000 WHERE run_id = ?1";
    assert_eq!(quarry.sqlite().unwrap().execute(taken, [&id]).unwrap(), 1);
    quarry.provider.release("late");
    ends_by_itself(&quarry, 0, ASKED.len() + 1, &id).await;
}
