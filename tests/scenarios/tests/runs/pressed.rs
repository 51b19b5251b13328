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
    let count = |wanted| resumes.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(202), count(409)), (1, 7), "{resumes:?}");
    let told = events(&quarry, &id).await;
    let names: Vec<&str> = told.iter().map(|event| event.name.as_str()).collect();
    let named = |name: &str| names.iter().filter(|it| **it == name).count();
    assert_eq!((named("run_resumed"), named("run_completed")), (1, 1), "{names:?}");
    // The question that was cut off is gone on with, once: what was chosen for it is not asked for again.
    assert_eq!(quarry.provider.calls().len(), ASKED.len() - 1);
    replays(&quarry, &id).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_driven_is_not_resumed_deleted_or_driven_by_another() {
    let quarry = start(&[("run_lease_ms", "60000"), ("drive_secret", "cron")]).await;
    let id = held(&quarry, "driven").await;
    let (status, refused) = send(&quarry, &format!("POST /runs/{id}/resume"), &json!({})).await;
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
    let quarry = start(&[]).await;
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
