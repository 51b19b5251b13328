//! Runs under people who press everything at once, leave in the middle, and take away what others stand on.

use super::*;
use futures::future::join_all;

/// A run that its provider keeps waiting at its second call.
async fn held(quarry: &Quarry, signal: &str) -> String {
    let second = Reply::json(&replies()[1]).hold(signal);
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(quarry, &task()).await;
    quarry.provider.holding(signal, 1).await;
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_goes_on_when_whoever_began_it_leaves() {
    let quarry = start(&[]).await;
    let second = Reply::json(&replies()[1]).hold("left");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let url = format!("{}/runs", quarry.url);
    let headers = [("accept", "text/event-stream")];
    let mut watched = client::send("POST", &url, &headers, task().to_string()).await.unwrap();
    let first = watched.next().await.unwrap().unwrap();
    let id = first.data["run_id"].as_str().unwrap().to_owned();
    quarry.provider.holding("left", 1).await;
    drop(watched);
    quarry.provider.release("left");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len(), "nothing is paid twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_resume_a_run_at_once_one_does() {
    let quarry = start(&[("run_lease_ms", "60000")]).await;
    let id = held(&quarry, "aborted").await;
    // Whoever aborts does it as often as they like.
    let abort = format!("POST /runs/{id}/abort");
    let aborts = join_all((0..6).map(|_| send(&quarry, &abort, &Value::Null))).await;
    assert!(aborts.iter().all(|(status, _)| *status == 202), "{aborts:?}");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_aborted");
    quarry.provider.set_script(script());
    quarry.provider.forget();
    let resume = format!("POST /runs/{id}/resume");
    let resumes =
        join_all((0..8).map(|_| async { send(&quarry, &resume, &json!({})).await.0 })).await;
    // Who comes at the same time is told so; who comes later finds that it goes on.
    assert!(resumes.contains(&202), "{resumes:?}");
    assert!(resumes.iter().all(|status| [202, 409].contains(status)), "{resumes:?}");
    let told = events(&quarry, &id).await;
    let names: Vec<&str> = told.iter().map(|event| event.name.as_str()).collect();
    let named = |name: &str| names.iter().filter(|it| **it == name).count();
    assert_eq!((named("run_resumed"), named("run_completed")), (1, 1), "{names:?}");
    // The question that was cut off is gone on with, once: what was chosen for it is not asked for again.
    assert_eq!(quarry.provider.calls().len(), ASKED.len() - 1);
    replays(&quarry, &id).await;
}

/// Nobody else has it: it is the server that has no room, and who tries again later has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_resumes_a_run_on_a_server_that_is_full_is_told_so() {
    let quarry = start(&[("run_max_driven", "1"), ("run_lease_ms", "60000")]).await;
    let id = held(&quarry, "aborted").await;
    assert_eq!(send(&quarry, &format!("POST /runs/{id}/abort"), &Value::Null).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_aborted");
    let other = held(&quarry, "other").await;
    let url = format!("{}/runs/{id}/resume", quarry.url);
    let refused = client::send("POST", &url, &[], "{}".to_owned()).await.unwrap();
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("5")));
    let refused = refused.json().await.unwrap();
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("drives 1 run at most"), "{message}");
    quarry.provider.release("other");
    assert_eq!(events(&quarry, &other).await.last().unwrap().name, "run_completed");
    quarry.provider.set_script(script());
    let (status, shown) = send(&quarry, &format!("POST /runs/{id}/resume"), &json!({})).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_driven_is_not_resumed_deleted_or_driven_by_another() {
    let quarry = start(&[("run_lease_ms", "60000"), ("drive_secret", "cron")]).await;
    let id = held(&quarry, "driven").await;
    let resume = format!("POST /runs/{id}/resume");
    let (status, shown) = send(&quarry, &resume, &json!({})).await;
    assert_eq!((status, &shown["status"]), (202, &json!("running")), "{shown}");
    let message = shown["message"].as_str().unwrap();
    assert!(message.starts_with("whoever drove the run last has it until 20"), "{message}");
    let (status, refused) = send(&quarry, &resume, &json!({ "config": { "max_rounds": 5 } })).await;
    assert_eq!(status, 409, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("goes on already"));
    assert_eq!(send(&quarry, &format!("DELETE /runs/{id}"), &Value::Null).await.0, 409);
    let drive = format!("POST /runs/{id}/drive");
    for (_, answer) in join_all((0..6).map(|_| send(&quarry, &drive, &Value::Null))).await {
        assert_eq!(answer["driven"], 0);
    }
    let all = format!("{}/runs/drive", quarry.url);
    let cron = [("authorization", "Bearer cron")];
    let open = client::send("POST", &all, &cron, String::new()).await.unwrap();
    assert_eq!(open.json().await.unwrap()["driven"], 0);
    quarry.provider.release("driven");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_whose_taker_died_goes_on_though_nobody_asks_for_it() {
    // Whoever lost it looks again when a lease is over.
    let quarry = start(&[("run_lease_ms", "1000")]).await;
    let last = Reply::json(&replies()[3]).hold("writing");
    let id = held(&quarry, "taken").await;
    quarry.provider.set_script(script().first(asked(ASKED[3]), [last]));
    // As another process does that takes it up while this one is late, and dies.
    let other = quarry.sqlite().unwrap();
    let taken = "UPDATE run SET holder = 'another', due_at = coalesce(due_at, updated_at) WHERE run_id = ?1";
    assert_eq!(other.execute(taken, [&id]).unwrap(), 1);
    quarry.provider.release("taken");
    // It is at its last call, and no request has come meanwhile.
    quarry.provider.holding("writing", 1).await;
    quarry.provider.release("writing");
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

/// Milliseconds for which whoever died last has a run. A server that is started again is there before.
const LEASE_MS: i64 = 6_000;

/// The process died a moment ago, so that its lease runs on; nobody asks for the run but who resumes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_resumes_a_run_whose_driver_died_is_told_when_it_goes_on_and_it_does() {
    let quarry = start(&[("run_lease_ms", &LEASE_MS.to_string())]).await;
    let id = held(&quarry, "dead").await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let served = quarry.provider.served();
    let file = quarry.sqlite().unwrap();
    let leased =
        "UPDATE run SET until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + ?2 WHERE run_id = ?1";
    assert_eq!(file.execute(leased, (&id, LEASE_MS)).unwrap(), 1);
    let (status, shown) = send(&quarry, &format!("POST /runs/{id}/resume"), &json!({})).await;
    assert_eq!((status, &shown["status"]), (202, &json!("running")), "{shown}");
    assert!(shown["message"].as_str().unwrap().contains("has it until 20"), "{shown}");
    quarry.provider.called(served + ASKED.len() - 1).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

/// The same of one that waits, and of one that needs the key that died with its driver.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_run_is_resumed_with_is_not_lost_where_a_dead_drivers_lease_runs_on() {
    const OWN: &str = "canary-callers-key-6b2e";
    let lease = LEASE_MS.to_string();
    let quarry = start(&[("run_lease_ms", &lease), ("openai_api_key", "")]).await;
    let second = Reply::text("").hold("dead");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let mut body = task();
    (body["model"], body["apiKey"]) = (json!("openai:m"), json!(OWN));
    let keyed = begin(&quarry, &body).await;
    quarry.provider.holding("dead", 1).await;
    let mut small = task();
    (small["model"], small["apiKey"]) = (json!("openai:m"), json!(OWN));
    small["budget"] = json!({ "tokens": 100 });
    let waits = begin(&quarry, &small).await;
    assert_eq!(waiting(&quarry, &waits).await["reason"], "budget");
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let served = quarry.provider.served();
    let file = quarry.sqlite().unwrap();
    let leased =
        "UPDATE run SET until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + ?1, holder = 'dead'";
    assert_eq!(file.execute(leased, [LEASE_MS]).unwrap(), 2);
    let more = json!({ "apiKey": OWN, "budget": { "tokens": 200_000 } });
    // Of the one that works something may be under way; the one that waits goes on at once.
    for (id, with, is_held) in [(&keyed, json!({ "apiKey": OWN }), true), (&waits, more, false)] {
        let (status, shown) = send(&quarry, &format!("POST /runs/{id}/resume"), &with).await;
        assert_eq!(status, 202, "{shown}");
        let message = shown["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains("has it until 20"), is_held, "{shown}");
    }
    quarry.provider.called(served + 2 * ASKED.len() - 1).await;
    for id in [&keyed, &waits] {
        assert_eq!(events(&quarry, id).await.last().unwrap().name, "run_completed");
    }
}

/// A run whose key has died with its driver is resumed with another, while somebody has it for long who lets go of it soon.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_a_run_is_resumed_with_is_kept_until_whoever_has_the_run_lets_go_of_it() {
    const OWN: &str = "canary-callers-key-7c3f";
    let lease = LEASE_MS.to_string();
    let settings =
        [("run_lease_ms", lease.as_str()), ("run_slice_seconds", "1"), ("openai_api_key", "")];
    let quarry = start(&settings).await;
    let second = Reply::text("").hold("dead");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let mut body = task();
    (body["model"], body["apiKey"]) = (json!("openai:m"), json!(OWN));
    let id = begin(&quarry, &body).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let served = quarry.provider.served();
    let file = quarry.sqlite().unwrap();
    let leased = "UPDATE run SET until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 900000, holder = 'another'";
    assert_eq!(file.execute(leased, []).unwrap(), 1);
    let with = json!({ "apiKey": OWN });
    let (status, shown) = send(&quarry, &format!("POST /runs/{id}/resume"), &with).await;
    assert_eq!(status, 202, "{shown}");
    assert!(shown["message"].as_str().unwrap().contains("has it until 20"), "{shown}");
    assert_eq!(file.execute("UPDATE run SET until = NULL, holder = NULL", []).unwrap(), 1);
    quarry.provider.called(served + ASKED.len() - 1).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

/// Whoever was asked to go on with a run that another may have dies before that one's lease is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_run_was_resumed_with_outlives_whoever_was_asked() {
    let quarry = start(&[("run_lease_ms", &LEASE_MS.to_string())]).await;
    let mut small = task();
    small["budget"] = json!({ "tokens": 100 });
    let id = begin(&quarry, &small).await;
    assert_eq!(waiting(&quarry, &id).await["reason"], "budget");
    let file = quarry.sqlite().unwrap();
    let leased =
        "UPDATE run SET until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + ?1, holder = 'dead'";
    assert_eq!(file.execute(leased, [LEASE_MS]).unwrap(), 1);
    let resume = format!("POST /runs/{id}/resume");
    let more = json!({ "budget": { "tokens": 200_000 } });
    let (status, shown) = send(&quarry, &resume, &more).await;
    assert_eq!(status, 202, "{shown}");
    assert_eq!(send(&quarry, &resume, &more).await.0, 202, "as who never heard of it");
    let other = json!({ "budget": { "tokens": 300_000 } });
    let (status, refused) = send(&quarry, &resume, &other).await;
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(status == 409 && why.contains("another wish to resume the run"), "{refused}");
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

/// Two runs are due, and one is taken up at a time; the one that is due longer cannot be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_cannot_be_read_keeps_no_other_from_being_driven() {
    let setup = [("run_lease_ms", "60000"), ("run_drive_parallel", "1"), ("drive_secret", "cron")];
    let quarry = start(&setup).await;
    let damaged = held(&quarry, "first").await;
    let whole = held(&quarry, "second").await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let file = quarry.sqlite().unwrap();
    let damage =
        "UPDATE run_entry SET body = '{\"input\":\"sing\"}', blob = NULL WHERE run_id = ?1";
    assert!(file.execute(damage, [&damaged]).unwrap() > 0);
    file.execute("DELETE FROM run_checkpoint WHERE run_id = ?1", [&damaged]).unwrap();
    // Whatever lies in its inbox makes it no more urgent than others.
    let left =
        "INSERT INTO run_inbox (run_id, id, at, kind, body) VALUES (?1, 'x', 1, 'abort', '{}')";
    file.execute(left, [&damaged]).unwrap();
    let due = "UPDATE run SET holder = NULL, until = NULL, due_at = iif(run_id = ?1, 1, 2)";
    assert_eq!(file.execute(due, [&damaged]).unwrap(), 2);
    let url = format!("{}/runs/drive", quarry.url);
    let cron = [("authorization", "Bearer cron")];
    for driven in [0, 1] {
        let open = client::send("POST", &url, &cron, String::new()).await.unwrap();
        assert_eq!(open.json().await.unwrap()["driven"], driven);
    }
    assert_eq!(events(&quarry, &whole).await.last().unwrap().name, "run_completed");
    let stands = "SELECT holder IS NULL AND until IS NULL AND due_at > updated_at FROM run WHERE run_id = ?1";
    assert!(file.query_row(stands, [&damaged], |row| row.get::<_, bool>(0)).unwrap());
    is_deleted_though_nothing_can_end_it(&quarry, &damaged, "cannot be read").await;
}

/// Whoever wants it ended is told why nothing can, and what does instead.
async fn is_deleted_though_nothing_can_end_it(quarry: &Quarry, id: &str, why: &str) {
    let (status, refused) = send(quarry, &format!("POST /runs/{id}/abort"), &Value::Null).await;
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(status == 409 && message.contains(why), "{refused}");
    assert!(message.contains(&format!("DELETE /runs/{id} deletes it")), "{refused}");
    let url = format!("{}/runs/{id}", quarry.url);
    for (method, status) in [("DELETE", 204), ("GET", 404)] {
        let open = client::send(method, &url, &[], String::new()).await.unwrap();
        assert_eq!(open.status, status, "{method}");
    }
}

/// A run of a server with other rules, which told more of the same journal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_told_otherwise_here_is_put_off_with_words_and_can_be_forked() {
    let quarry = start(&[("run_lease_ms", "60000")]).await;
    let id = held(&quarry, "dead").await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let file = quarry.sqlite().unwrap();
    let told = "INSERT INTO run_event (run_id, sequence, n, name, size, data)
         SELECT run_id, sequence + 1, n, name, size, data FROM run_event
         WHERE run_id = ?1 ORDER BY sequence DESC LIMIT 1";
    assert_eq!(file.execute(told, [&id]).unwrap(), 1);
    let left = "UPDATE run SET holder = NULL, until = NULL, due_at = 1";
    assert_eq!(file.execute(left, []).unwrap(), 1);
    let (status, driven) = send(&quarry, &format!("POST /runs/{id}/drive"), &Value::Null).await;
    assert_eq!((status, &driven["driven"]), (200, &json!(0)));
    let stands = "SELECT holder IS NULL AND until IS NULL AND due_at > updated_at FROM run WHERE run_id = ?1";
    assert!(file.query_row(stands, [&id], |row| row.get::<_, bool>(0)).unwrap());
    let (status, refused) = send(&quarry, &format!("POST /runs/{id}/resume"), &json!({})).await;
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(status == 409 && why.contains("other rules") && why.contains("fork it"), "{refused}");
    let (status, forked) = send(&quarry, &format!("POST /runs/{id}/fork"), &json!({})).await;
    assert_eq!(status, 202, "{forked}");
    let fork = forked["run_id"].as_str().unwrap();
    is_deleted_though_nothing_can_end_it(&quarry, &id, "other rules").await;
    assert_eq!(events(&quarry, fork).await.last().unwrap().name, "run_completed");
}

/// The first request after a start has left runs taken up, though it is about something else and comes to nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_the_first_request_asks_for_runs_that_were_left_go_on() {
    let quarry = start(&[]).await;
    let id = held(&quarry, "dead").await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    let served = quarry.provider.served();
    let left = "UPDATE run SET holder = NULL, until = NULL, due_at = 1";
    assert_eq!(quarry.sqlite().unwrap().execute(left, []).unwrap(), 1);
    let stop = format!("{}/ask/00000000000000000000000000000000/stop", quarry.url);
    let open = client::send("POST", &stop, &[], String::new()).await.unwrap();
    assert_eq!(open.status, 404);
    quarry.provider.called(served + ASKED.len() - 1).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

/// Its driver died long ago, and nobody is to drive it soon.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_in_which_nobody_drove_a_run_is_no_part_of_what_it_took() {
    let quarry = start(&[]).await;
    let id = held(&quarry, "dead").await;
    let quarry = quarry.restart().await.unwrap();
    let file = quarry.sqlite().unwrap();
    let left = "UPDATE run SET holder = NULL, until = NULL, updated_at = updated_at - 7200000, \
         due_at = updated_at + 7200000, \
         summary = json_set(summary, '$.updated_at', \
         strftime('%Y-%m-%dT%H:%M:%fZ', (updated_at - 7200000) / 1000.0, 'unixepoch'))";
    assert_eq!(file.execute(left, []).unwrap(), 1);
    for path in ["", "?include=findings"] {
        let (_, shown) = send(&quarry, &format!("GET /runs/{id}{path}"), &Value::Null).await;
        assert_eq!(shown["status"], "running");
        let latency = shown["summary_metrics"]["latency"].as_u64().unwrap();
        assert!(latency < 7_200_000, "{latency} ms of {path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fork_outlives_its_origin() {
    let quarry = start(&[]).await;
    let origin = begin(&quarry, &task()).await;
    let length = events(&quarry, &origin).await.len();
    let fork = |from: String, at: usize| {
        let quarry = &quarry;
        async move {
            let line = format!("POST /runs/{from}/fork");
            let (status, shown) = send(quarry, &line, &json!({ "at": at })).await;
            assert_eq!(status, 202, "{shown}");
            shown["run_id"].as_str().unwrap().to_owned()
        }
    };
    let first = fork(origin.clone(), length).await;
    events(&quarry, &first).await;
    let second = fork(first.clone(), 1).await;
    let told = events(&quarry, &second).await;
    assert_eq!(told.last().unwrap().name, "run_completed");
    for gone in [&origin, &first] {
        let url = format!("{}/runs/{gone}", quarry.url);
        for (method, status) in [("DELETE", 204), ("GET", 404), ("DELETE", 404)] {
            let open = client::send(method, &url, &[], String::new()).await.unwrap();
            assert_eq!(open.status, status, "{method}");
        }
    }
    assert_eq!(events(&quarry, &second).await, told);
    replays(&quarry, &second).await;
    assert!(report(&quarry, &second).await.contains("186 million"));
}

/// A key that a caller without a name chose: a second try finds the run, another wish does not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_begin_with_one_key_all_have_one_run() {
    let quarry = start(&[]).await;
    let url = format!("{}/runs", quarry.url);
    let key = [("idempotency-key", "2f0c7e3a-9b1d-4c58-8a44-d6b1")];
    let begun = join_all((0..8).map(|_| async {
        let open = client::send("POST", &url, &key, task().to_string()).await.unwrap();
        assert_eq!(open.status, 202);
        open.json().await.unwrap()["run_id"].as_str().unwrap().to_owned()
    }))
    .await;
    assert!(begun.iter().all(|id| *id == begun[0]), "{begun:?}");
    let mut another = task();
    another["budget"] = json!({ "tokens": 900_000 });
    let open = client::send("POST", &url, &key, another.to_string()).await.unwrap();
    assert_eq!(open.status, 409);
    let refused = open.json().await.unwrap();
    assert!(refused["error"]["message"].as_str().unwrap().contains("Idempotency-Key"));
    assert_eq!(events(&quarry, &begun[0]).await.last().unwrap().name, "run_completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}
