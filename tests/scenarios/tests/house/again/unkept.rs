//! What is sent again where the store took no end of what it began: who was told one is not told another.

use super::{CHAT, KEY, OTHER_KEY, RESPONSES, body, paid, post, post_once, started};
use crate::logs::aged;
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;

const STREAMED: (&str, &str) = ("accept", "text/event-stream");

/// Longer than the end of a log is tried to be written.
const GIVEN_UP: Duration = Duration::from_secs(40);

/// Longer than whoever is silent may live, and than what has ended is told again.
pub(super) const DEAD: Duration = Duration::from_secs(700);

/// From now on nothing of a log can be written, as on a full disk.
fn fill(file: &Connection) {
    for event in ["INSERT", "UPDATE"] {
        let full = format!(
            "CREATE TRIGGER full_{event} BEFORE {event} ON log_value
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        );
        file.execute_batch(&full).unwrap();
    }
}

fn empty(file: &Connection) {
    file.execute_batch("DROP TRIGGER full_INSERT; DROP TRIGGER full_UPDATE").unwrap();
}

/// Waits until the store has refused the end of an ask.
async fn until_refused(quarry: &Quarry) {
    while !quarry.output().contains("could not be stored") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A Quarry whose asks wait for their answers.
async fn answering() -> Quarry {
    let held = Reply::text("Six times seven is forty-two.").hold("answer");
    started(Script::ordinary().first_always(Match::Phase(Phase::Synthesis), held)).await
}

async fn shown(quarry: &Quarry, id: &Value) -> Value {
    let url = format!("{}{RESPONSES}/{}", quarry.url, id.as_str().unwrap());
    client::get(&url, &[]).await.unwrap().json().await.unwrap()
}

/// The response in the last frame of a stream.
fn completed(told: &str) -> Value {
    let (_, frame) = told.split_once("event: response.completed\ndata: ").unwrap();
    let frame: Value = serde_json::from_str(frame.lines().next().unwrap()).unwrap();
    frame["response"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_is_not_kept_says_so_and_the_same_key_goes_on_with_it() {
    let quarry = answering().await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let (whole, stream) = (body(RESPONSES, json!({})), body(RESPONSES, json!({ "stream": true })));
    let later = |time| quarry.change_variable("rate_limit_requests", "0", time).unwrap();
    let asking = async {
        tokio::join!(
            async { post(&quarry, RESPONSES, &[KEY], &whole).await.json().await.unwrap() },
            async { post(&quarry, RESPONSES, &[OTHER_KEY], &stream).await.text().await.unwrap() },
        )
    };
    let giving_up = async {
        quarry.provider.holding("answer", 2).await;
        fill(&quarry.sqlite().unwrap());
        quarry.provider.release("answer");
        while later(GIVEN_UP) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let (first, streamed) = tokio::select! {
        told = asking => told,
        () = giving_up => panic!("its clock is not ours"),
    };
    for told in [&first, &completed(&streamed)] {
        assert_eq!((&told["status"], &told["store"]), (&json!("completed"), &json!(false)));
    }
    empty(&quarry.sqlite().unwrap());
    quarry.provider.set_script(Script::ordinary());
    quarry.provider.forget();
    assert!(later(DEAD));
    let open = post(&quarry, RESPONSES, &[KEY], &whole).await;
    let (status, again) = (open.status, open.json().await.unwrap());
    assert_eq!((status.as_u16(), &again["status"]), (200, &json!("completed")), "{again}");
    assert_ne!(again["id"], first["id"]);
    assert_eq!(again["store"], true);
    assert_eq!(shown(&quarry, &again["id"]).await, again);
    // What it had found is kept, and paid once.
    assert_eq!([Phase::Setup, Phase::Synthesis].map(|phase| paid(&quarry, phase)), [0, 1]);
    // From then on it is that one.
    let once_more = post(&quarry, RESPONSES, &[KEY], &whole).await.json().await.unwrap();
    assert_eq!(once_more, again);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_told_that_a_response_is_completed_finds_it() {
    let quarry = answering().await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let asked = body(RESPONSES, json!({}));
    let ending = async {
        quarry.provider.holding("answer", 1).await;
        let file = quarry.sqlite().unwrap();
        fill(&file);
        quarry.provider.release("answer");
        until_refused(&quarry).await;
        empty(&file);
    };
    let asking = async {
        let told = post(&quarry, RESPONSES, &[], &asked).await.json().await.unwrap();
        let shown = shown(&quarry, &told["id"]).await;
        (told, shown)
    };
    let ((told, shown), ()) = tokio::join!(asking, ending);
    assert_eq!((&told["status"], &told["store"]), (&json!("completed"), &json!(true)));
    assert_eq!(shown, told);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_begins_anew_where_nothing_is_left_of_what_died() {
    let held = Reply::text("no plan").hold("planning");
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Planning), [held])).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let asked = body(CHAT, json!({ "stream": true }));
    let first = post(&quarry, CHAT, &[KEY], &asked).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    // Something of its log is written when somebody reads it.
    let url = format!("{}/ask/{ask}/events", quarry.url);
    client::get(&url, &[STREAMED]).await.unwrap().until("init").await.unwrap();
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(Script::ordinary());
    let file = quarry.sqlite().unwrap();
    // Its state knows the ask by its name, so none is left of the one that is older.
    let dead = aged(&file, &ask);
    let moved = "UPDATE log_value SET value = CAST(?1 AS BLOB)
         WHERE place = 'begun' AND CAST(value AS TEXT) = ?2";
    assert_eq!(file.execute(moved, [&dead, &ask]).unwrap(), 1);
    let again = post(&quarry, CHAT, &[KEY], &asked).await;
    assert_ne!(again.header("x-quarry-ask"), Some(dead.as_str()));
    let told = again.text().await.unwrap();
    assert!(told.ends_with("data: [DONE]\n\n") && !told.contains("interrupted"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_told_before_its_log_has_the_end() {
    let quarry = answering().await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let asked = body(RESPONSES, json!({ "stream": true }));
    let mut open = post(&quarry, RESPONSES, &[], &asked).await;
    quarry.provider.holding("answer", 1).await;
    let file = quarry.sqlite().unwrap();
    fill(&file);
    quarry.provider.release("answer");
    let mut told = String::new();
    while !told.contains("event: response.output_text.delta") {
        let chunk = open.chunk().await.unwrap().unwrap();
        told.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(!told.contains("event: response.completed"), "{told}");
    empty(&file);
    let response = completed(&open.text().await.unwrap());
    // Had the answer waited for the log with its end, that would have been given up before.
    assert_eq!((&response["status"], &response["store"]), (&json!("completed"), &json!(true)));
}

/// Where a log would begin that a key leads to, and cannot: whoever came again would find nothing there, and pay anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_key_leads_to_is_not_begun_without_a_log_and_what_none_does_is() {
    let asked = body(RESPONSES, json!({ "store": false }));
    let new = OTHER_KEY;
    // Without a bound of asks a note is a statement of its own, as the claim is of what is begun anew.
    for places in ["0", "16"] {
        let setup = Setup::new(Script::ordinary()).variable("max_asks", places);
        let quarry = setup.start().await.unwrap();
        post(&quarry, RESPONSES, &[KEY], &asked).await.text().await.unwrap();
        // Too long ago to be told again.
        if !quarry.change_variable("rate_limit_requests", "0", DEAD).unwrap() {
            return;
        }
        quarry.provider.forget();
        let file = quarry.sqlite().unwrap();
        file.execute_batch(
            "CREATE TRIGGER unkept BEFORE INSERT ON log_value WHEN NEW.place = 'kept' \
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
        )
        .unwrap();
        for key in [KEY, new] {
            let open = post_once(&quarry, RESPONSES, &[key], &asked).await;
            let (status, told) = (open.status, open.text().await.unwrap());
            assert_eq!(status, 503, "{places} {key:?}: {told}");
            assert!(told.contains("make room"), "{places} {key:?}: {told}");
        }
        assert!(quarry.provider.calls().is_empty(), "{places}");
        let open = post_once(&quarry, RESPONSES, &[], &asked).await;
        assert_eq!(open.json().await.unwrap()["status"], "completed", "{places}");
        file.execute_batch("DROP TRIGGER unkept").unwrap();
        for key in [KEY, new] {
            quarry.provider.forget();
            let mut asks = Vec::new();
            for _ in 0..2 {
                let open = post(&quarry, RESPONSES, &[key], &asked).await;
                assert_eq!(open.status, 200, "{places} {key:?}");
                asks.push(open.header("x-quarry-ask").map(str::to_owned));
                open.text().await.unwrap();
            }
            assert_eq!(asks[0], asks[1], "{places} {key:?}");
            assert_eq!(paid(&quarry, Phase::Setup), 1, "{places} {key:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_store_is_granted_no_key_keeps_anybody_from_an_answer() {
    let mut setup = Setup::new(Script::ordinary());
    setup.stores = Stores::None;
    let quarry = setup.start().await.unwrap();
    let asked = body(RESPONSES, json!({ "store": false }));
    quarry.provider.forget();
    for count in 1..=2 {
        let told = post(&quarry, RESPONSES, &[KEY], &asked).await.json().await.unwrap();
        assert_eq!(told["status"], "completed", "{told}");
        assert_eq!(paid(&quarry, Phase::Setup), count);
    }
}
