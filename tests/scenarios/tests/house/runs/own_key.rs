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
