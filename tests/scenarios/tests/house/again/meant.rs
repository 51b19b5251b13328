//! What a key of its sender's means: the request that was begun with it first.

use super::keyed::twice;
use super::unkept::DEAD;
use super::{CHAT, KEY, OTHER_KEY, QUESTION, RESPONSES, body, paid, post, post_once, started};
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;

/// One that others count alike.
const SHORT: (&str, &str) = ("idempotency-key", "1");

const STREAMED: (&str, &str) = ("accept", "text/event-stream");

/// What each door that knows a key is asked with, and what else it may be asked.
fn one_and_other() -> [(&'static str, Value, Value); 3] {
    let warm = json!({ "temperature": 0.5 });
    let [one, other] = [QUESTION, "And times eight?"].map(|query| json!({ "query": query }));
    [
        ("/ask", one, other),
        (CHAT, body(CHAT, json!({})), body(CHAT, warm.clone())),
        (RESPONSES, body(RESPONSES, json!({})), body(RESPONSES, warm)),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_comes_with_another_body_is_refused_and_nothing_is_paid() {
    let key = KEY;
    for (path, asked, other) in one_and_other() {
        let quarry = started(Script::ordinary()).await;
        post(&quarry, path, &[key], &asked).await.text().await.unwrap();
        let calls = quarry.provider.calls().len();
        let refused = post(&quarry, path, &[key], &other).await;
        assert_eq!(
            (refused.status.as_u16(), refused.header("x-quarry-ask")),
            (409, None),
            "{path}"
        );
        let is_openais = path != "/ask";
        // Clients try a 409 again where nothing says that this is of no use.
        let says = is_openais.then_some("false");
        assert_eq!(refused.header("x-should-retry"), says, "{path}");
        let error = match is_openais {
            true => ("invalid_request_error", "idempotency_key_reuse"),
            false => ("conflict", "CONFLICT"),
        };
        let told = refused.json().await.unwrap()["error"].clone();
        assert_eq!((&told["type"], &told["code"]), (&json!(error.0), &json!(error.1)), "{path}");
        let words = told["message"].as_str().unwrap();
        assert!(words.contains("`Idempotency-Key`") && words.contains("new key"), "{words}");
        if !is_openais {
            let events =
                post(&quarry, path, &[key, STREAMED], &other).await.events().await.unwrap();
            let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
            assert_eq!((names, &events[0].data["type"]), (vec!["error"], &json!("conflict")));
        }
        // What it means it means still, and another key is free.
        post(&quarry, path, &[key], &asked).await.text().await.unwrap();
        assert_eq!(quarry.provider.calls().len(), calls, "{path}");
        let open = post(&quarry, path, &[OTHER_KEY], &other).await;
        assert_eq!(open.status, 200, "{path}");
        open.text().await.unwrap();
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_bodies_that_come_at_once_with_one_key_one_is_begun() {
    let key = [KEY];
    for (path, asked, other) in one_and_other() {
        let planning = Reply::text("no plan").hold("planning");
        let script = Script::ordinary().first_always(Match::Phase(Phase::Planning), planning);
        let quarry = started(script).await;
        let send = async |asked: &Value| {
            let open = post(&quarry, path, &key, asked).await;
            // The one that began waits until the other was refused.
            if open.status == 409 {
                quarry.provider.release("planning");
            }
            let status = open.status.as_u16();
            open.text().await.unwrap();
            status
        };
        let (one, another) = tokio::join!(send(&asked), send(&other));
        let mut both = [one, another];
        both.sort_unstable();
        assert_eq!(both, [200, 409], "{path}");
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_with_which_nothing_was_begun_is_free_for_the_body_that_mends_it() {
    let key = [KEY];
    // Without a bound of asks what is kept is a statement of its own, behind that of the key: what that wrote is taken back.
    for places in ["16", "0"] {
        let setup = Setup::new(Script::ordinary()).variable("max_asks", places);
        let quarry = setup.start().await.unwrap();
        // From then on there is a database.
        let before = json!({ "query": "And times eight?" });
        post(&quarry, "/ask", &[], &before).await.text().await.unwrap();
        quarry.provider.forget();
        // The operator has no key for that provider.
        let wrong = body(RESPONSES, json!({ "model": "anthropic:any" }));
        assert_eq!(post(&quarry, RESPONSES, &key, &wrong).await.status, 401);
        // What is written with its key cannot be: its place and its note, or what is kept of it.
        let file = quarry.sqlite().unwrap();
        for (place, temperature) in [("begun", 0.4), ("kept", 0.5)] {
            let unwritten = format!(
                "CREATE TRIGGER unwritten BEFORE INSERT ON log_value WHEN NEW.place = '{place}' \
                 BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
            );
            file.execute_batch(&unwritten).unwrap();
            let warm = body(RESPONSES, json!({ "temperature": temperature }));
            let refused = post_once(&quarry, RESPONSES, &key, &warm).await;
            assert_eq!(refused.status, 503, "{places} {place}");
            refused.text().await.unwrap();
            file.execute_batch("DROP TRIGGER unwritten").unwrap();
            let keys = "SELECT count(*) FROM sender_key";
            let keys: i64 = file.query_row(keys, [], |row| row.get(0)).unwrap();
            assert_eq!(keys, 0, "{places} {place}");
        }
        assert_eq!(quarry.provider.calls().len(), 0, "{places}");
        twice(&quarry, RESPONSES, &key, &body(RESPONSES, json!({}))).await;
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{places}");
    }
}

/// A Quarry that is granted no SQLite, and what it has instead; none where that is not ours to break.
async fn without_sqlite() -> Option<(Quarry, Connection)> {
    let mut setup = Setup::new(Script::ordinary());
    setup.stores = Stores::KeyValue;
    let quarry = setup.start().await.unwrap();
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return None;
    }
    let store = Connection::open(quarry.state.path().join("sqlite_key_value.db")).unwrap();
    store.busy_timeout(Duration::from_secs(60)).unwrap();
    Some((quarry, store))
}

/// From now on nothing can be written at this place of a log.
fn fill(store: &Connection, place: &str) {
    for event in ["INSERT", "UPDATE"] {
        let full = format!(
            "CREATE TRIGGER full_{event} BEFORE {event} ON spin_key_value WHEN NEW.key LIKE 'log/%/{place}'
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        );
        store.execute_batch(&full).unwrap();
    }
}

fn empty(store: &Connection) {
    store.execute_batch("DROP TRIGGER full_INSERT; DROP TRIGGER full_UPDATE").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_sqlite_a_key_means_the_body_of_an_ask_that_is_kept_whatever_becomes_of_later_ones()
{
    let Some((quarry, store)) = without_sqlite().await else { return };
    let asked = body(RESPONSES, json!({ "store": false }));
    let other = body(RESPONSES, json!({ "store": false, "temperature": 0.5 }));
    let is_refused = async || {
        let open = post_once(&quarry, RESPONSES, &[KEY], &other).await;
        let status = open.status.as_u16();
        open.text().await.unwrap();
        status == 409
    };
    twice(&quarry, RESPONSES, &[KEY], &asked).await;
    assert_eq!(paid(&quarry, Phase::Setup), 1);
    assert!(is_refused().await);
    // The same begins anew, and comes to nothing.
    assert!(quarry.change_variable("rate_limit_requests", "0", DEAD).unwrap());
    fill(&store, "kept");
    let open = post_once(&quarry, RESPONSES, &[KEY], &asked).await;
    assert_eq!(open.status, 503);
    open.text().await.unwrap();
    empty(&store);
    assert!(is_refused().await);
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_sqlite_a_key_that_cannot_be_written_leaves_no_place_taken() {
    let Some((quarry, store)) = without_sqlite().await else { return };
    let asked = body(RESPONSES, json!({ "store": false }));
    let places = || {
        let places = "SELECT count(*) FROM spin_key_value WHERE key LIKE 'slot/%'";
        store.query_row(places, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    post(&quarry, RESPONSES, &[OTHER_KEY], &asked).await.text().await.unwrap();
    while places() > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    fill(&store, "asked");
    let open = post_once(&quarry, RESPONSES, &[KEY], &asked).await;
    assert_eq!((open.status.as_u16(), places()), (503, 0));
    open.text().await.unwrap();
    empty(&store);
    // It means nothing yet.
    let other = body(RESPONSES, json!({ "store": false, "temperature": 0.5 }));
    twice(&quarry, RESPONSES, &[KEY], &other).await;
    assert_eq!(paid(&quarry, Phase::Setup), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_who_number_their_requests_alike_are_both_answered() {
    for (path, asked, other) in one_and_other() {
        let quarry = started(Script::ordinary()).await;
        let sent = async |asked: &Value| {
            let open = post(&quarry, path, &[SHORT], asked).await;
            assert_eq!(open.status, 200, "{path}");
            // Asks of `/ask` are named by their events alone.
            let ask = open.header("x-quarry-ask").map(str::to_owned);
            open.text().await.unwrap();
            ask
        };
        let (one, another) = (sent(&asked).await, sent(&other).await);
        assert!(one.is_none() || one != another, "{path}");
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
        // Each of them may send its own again.
        assert_eq!([sent(&asked).await, sent(&other).await], [one, another], "{path}");
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_means_the_same_told_as_a_stream_or_as_a_whole() {
    let ask = json!({ "query": QUESTION });
    let usage = json!({ "stream": true, "stream_options": { "include_usage": true } });
    let streamed = |path: &str| body(path, json!({ "stream": true }));
    for (path, asked, others) in [
        ("/ask", ask, vec![json!({ "query": QUESTION, "stream": true })]),
        (CHAT, body(CHAT, json!({})), vec![streamed(CHAT), body(CHAT, usage)]),
        (RESPONSES, body(RESPONSES, json!({})), vec![streamed(RESPONSES)]),
    ] {
        for key in [KEY, SHORT] {
            let quarry = started(Script::ordinary()).await;
            let first = post(&quarry, path, &[key], &asked).await;
            let ask = first.header("x-quarry-ask").map(str::to_owned);
            first.text().await.unwrap();
            for other in &others {
                let open = post(&quarry, path, &[key], other).await;
                assert_eq!(open.status, 200, "{path} {other}");
                assert_eq!(open.header("x-quarry-ask"), ask.as_deref(), "{path} {other}");
                assert!(open.text().await.unwrap().contains("data: "), "{path} {other}");
            }
            assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_free_again_when_what_it_began_is_forgotten() {
    let quarry = started(Script::ordinary()).await;
    let warm = body(RESPONSES, json!({ "temperature": 0.5 }));
    let first = post(&quarry, RESPONSES, &[KEY], &body(RESPONSES, json!({}))).await;
    let first = first.json().await.unwrap();
    let refused = post(&quarry, RESPONSES, &[KEY], &warm).await;
    assert_eq!(refused.status, 409);
    refused.text().await.unwrap();
    let url = format!("{}{RESPONSES}/{}", quarry.url, first["id"].as_str().unwrap());
    let gone = client::send("DELETE", &url, &[], String::new()).await.unwrap();
    assert_eq!(gone.status, 200);
    gone.text().await.unwrap();
    let open = post(&quarry, RESPONSES, &[KEY], &warm).await;
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
    assert_eq!(paid(&quarry, Phase::Setup), 2);
}
