//! What is sent again while others hold the database: it can be read and not written.

use super::{
    AGUI, CHAT, KEY, QUESTION, RESPONSES, body, limited, paid, post, post_once, scripted, server,
    started, until_marked,
};
use crate::requests::begun_ago;
use crate::responses::kept::research_result;
use bytes::Bytes;
use futures::future::join_all;
use quarry_scenarios::client;
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::Fault;
use quarry_test_provider::{Match, Phase, Reply, Script};
use quarry_types::AskId;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;

const AGAIN: (&str, &str) = ("x-stainless-retry-count", "1");

/// A Quarry whose database is there, and a connection that can hold it.
async fn with_database(script: Script) -> (Quarry, Connection) {
    let quarry = started(script).await;
    // Nothing is noted of what names no key.
    post(&quarry, "/ask", &[], &json!({ "query": "And times eight?" })).await.text().await.unwrap();
    let file = quarry.sqlite().unwrap();
    quarry.provider.forget();
    (quarry, file)
}

pub(super) fn hold(file: &Connection) {
    file.execute_batch("BEGIN EXCLUSIVE").unwrap();
}

pub(super) fn let_go(file: &Connection) {
    file.execute_batch("COMMIT").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_have_come_before_is_paid_once_however_often_it_comes_meanwhile() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    for (path, headers, asked) in [
        (CHAT, vec![KEY], body(CHAT, json!({}))),
        (CHAT, vec![AGAIN], body(CHAT, json!({ "temperature": 0.5 }))),
        ("/ask", vec![KEY], json!({ "query": QUESTION })),
        (AGUI, vec![], body(AGUI, json!({}))),
    ] {
        let what = format!("{path} {headers:?}");
        quarry.provider.forget();
        hold(&file);
        for _ in 0..3 {
            let open = post_once(&quarry, path, &headers, &asked).await;
            assert_eq!(open.status, 429, "{what}");
            assert!(open.header("retry-after").is_some(), "{what}");
            // A protocol that names each request itself has neither.
            let told = open.text().await.unwrap();
            assert_eq!(told.contains("without a key"), path != AGUI, "{what}: {told}");
        }
        assert_eq!(paid(&quarry, Phase::Setup), 0, "{what}");
        let_go(&file);
        let mut asks = Vec::new();
        for _ in 0..2 {
            let open = post(&quarry, path, &headers, &asked).await;
            assert_eq!(open.status, 200, "{what}");
            asks.push(open.header("x-quarry-ask").map(str::to_owned));
            open.text().await.unwrap();
        }
        assert_eq!(asks[0], asks[1], "{what}");
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_anew_is_answered_and_a_later_try_joins_it() {
    let planning = Reply::text("no plan").hold("planning");
    let (quarry, file) = with_database(Script::ordinary()).await;
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [planning]));
    hold(&file);
    let asked = body(CHAT, json!({ "stream": true }));
    let first = post(&quarry, CHAT, &[], &asked).await;
    assert_eq!(first.status, 200);
    quarry.provider.holding("planning", 1).await;
    // Its note was not to be written before it began, and is written beside it.
    let_go(&file);
    until_marked(&quarry, "begun").await;
    let second = post(&quarry, CHAT, &[AGAIN], &asked).await;
    assert_eq!(second.header("x-quarry-ask"), first.header("x-quarry-ask"));
    quarry.provider.release("planning");
    for open in [first, second] {
        assert!(open.text().await.unwrap().ends_with("data: [DONE]\n\n"));
    }
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_is_not_gone_on_with_unnoted() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    quarry.provider.set_script(limited());
    let asked = body(CHAT, json!({}));
    assert_eq!(post(&quarry, CHAT, &[KEY], &asked).await.status, 429);
    hold(&file);
    for _ in 0..2 {
        assert_eq!(post_once(&quarry, CHAT, &[KEY], &asked).await.status, 429);
    }
    assert_eq!(paid(&quarry, Phase::Synthesis), 0);
    let_go(&file);
    for _ in 0..2 {
        let open = post(&quarry, CHAT, &[KEY], &asked).await;
        assert_eq!(open.status, 200);
        open.text().await.unwrap();
    }
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(paid(&quarry, phase), 1, "{phase:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_would_wait_for_the_end_of_what_is_under_way_is_told_to_come_again() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    for (path, asked) in [(CHAT, body(CHAT, json!({}))), ("/ask", json!({ "query": QUESTION }))] {
        quarry.provider.forget();
        let planning = Reply::text("no plan").hold(path);
        let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
        quarry.provider.set_script(script);
        let again = async {
            quarry.provider.holding(path, 1).await;
            hold(&file);
            // Its log takes nothing before the lock is gone, so nobody could tell it its end.
            let open = post_once(&quarry, path, &[KEY], &asked).await;
            let_go(&file);
            assert_eq!(open.status, 429, "{path}");
            assert!(open.header("retry-after").is_some(), "{path}");
            quarry.provider.release(path);
        };
        let (first, ()) = tokio::join!(post(&quarry, path, &[KEY], &asked), again);
        assert_eq!(first.status, 200, "{path}");
        let ask = first.header("x-quarry-ask").map(str::to_owned);
        first.text().await.unwrap();
        let joined = post(&quarry, path, &[KEY], &asked).await;
        assert_eq!(joined.header("x-quarry-ask"), ask.as_deref(), "{path}");
        joined.text().await.unwrap();
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}");
    }
}

/// The instance that drives it hears of the stop all the same, and keeps a state from which it could be gone on with.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_stopped_is_not_gone_on_with_though_the_store_took_no_mark_of_that() {
    let more = json!({ "protocolVersion": "1.0" });
    for (path, asked, is_told_again) in
        [(AGUI, body(AGUI, more), true), (CHAT, body(CHAT, json!({ "stream": true })), false)]
    {
        let (quarry, file) = with_database(Script::ordinary()).await;
        file.execute_batch(
            "CREATE TRIGGER unstopped BEFORE INSERT ON log_value WHEN NEW.place = 'stop' \
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
        )
        .unwrap();
        let late = Reply::text("late").hold("iteration");
        let script = Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late]);
        quarry.provider.set_script(script);
        let first = post(&quarry, path, &[], &asked).await;
        let ask = first.header("x-quarry-ask").unwrap().to_owned();
        quarry.provider.holding("iteration", 1).await;
        let stop = format!("/ask/{ask}/stop");
        assert_eq!(post(&quarry, &stop, &[], &Value::Null).await.status, 202, "{path}");
        let told = first.text().await.unwrap();
        quarry.provider.release("iteration");
        let events = format!("{}/ask/{ask}/events", quarry.url);
        client::get(&events, &[]).await.unwrap().text().await.unwrap();
        let looked = research_result(&quarry, &ask).await;
        assert!(looked.contains("The research was stopped"), "{path}: {looked}");
        let before = quarry.provider.calls().len();
        let again = post(&quarry, path, &[], &asked).await;
        if is_told_again {
            assert_eq!(again.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
            assert_eq!(again.text().await.unwrap(), told, "{path}");
            assert_eq!(quarry.provider.calls().len(), before, "{path}");
        } else {
            // Who does not say that it came before wants an answer of its own.
            assert_ne!(again.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
            again.text().await.unwrap();
            assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
        }
        let marks = "SELECT count(*) FROM log_value WHERE place = 'stop'";
        let marks: i64 = file.query_row(marks, [], |row| row.get(0)).unwrap();
        assert_eq!(marks, 0, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_to_be_kept_is_refused_alike_whichever_door_it_comes_through() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    for (path, asked) in
        [(RESPONSES, body(RESPONSES, json!({}))), ("/runs", json!({ "task": QUESTION }))]
    {
        hold(&file);
        let open = post_once(&quarry, path, &[], &asked).await;
        let_go(&file);
        assert_eq!(open.status, 429, "{path}");
        assert!(open.header("retry-after").is_some(), "{path}");
        let told = open.text().await.unwrap();
        assert!(
            told.contains("database is locked") && told.contains("nothing was begun"),
            "{told}"
        );
        assert!(quarry.provider.calls().is_empty(), "{path}");
    }
    let open = post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await;
    assert_eq!(open.json().await.unwrap()["status"], "completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_who_find_a_lock_at_once_are_told_to_come_again() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    let asked = body(RESPONSES, json!({}));
    hold(&file);
    let all = (0..24).map(|_| post_once(&quarry, RESPONSES, &[], &asked));
    for open in join_all(all).await {
        assert_eq!(open.status, 429);
        assert!(open.header("retry-after").is_some());
    }
    let_go(&file);
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_refused_while_others_hold_the_database_and_loaded_when_they_let_go() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    let path = "/knowledge/documents";
    let berths = json!({ "title": "Berths", "text": "Berths are let by the week." });
    hold(&file);
    let open = post_once(&quarry, path, &[], &berths).await;
    let_go(&file);
    assert_eq!(open.status, 429);
    assert!(open.header("retry-after").is_some());
    let told = open.text().await.unwrap();
    assert!(told.contains("database is locked") && told.contains("nothing was loaded"), "{told}");
    assert_eq!(post(&quarry, path, &[], &berths).await.status, 201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_and_questions_to_documents_that_others_hold_say_alike_when_to_come_again() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    let berths = json!({ "title": "Berths", "text": "Berths are let by the week." });
    assert_eq!(post(&quarry, "/knowledge/documents", &[], &berths).await.status, 201);
    let asked = json!({ "query": "How are berths let?", "model": "local:extractive" });
    assert_eq!(post(&quarry, "/knowledge/ask", &[], &asked).await.status, 200);
    server(&quarry).fault("JOIN knowledge_chunk", 0..u32::MAX, Fault::Busy);
    let found = json!({ "query": "How are berths let?" });
    let both = [("/knowledge/search", found), ("/knowledge/ask", asked)];
    let sent = both.iter().map(|(path, body)| post_once(&quarry, path, &[], body));
    for ((path, _), open) in both.iter().zip(join_all(sent).await) {
        assert_eq!((open.status.as_u16(), open.header("retry-after")), (429, Some("1")), "{path}");
        let refused = open.json().await.unwrap();
        assert_eq!(refused["error"]["type"], "busy", "{path}: {refused}");
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(why.contains("others have held the database"), "{path}: {why}");
        assert_eq!(why.starts_with("Pipeline error: "), *path == "/knowledge/ask", "{why}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_that_others_lock_out_in_the_middle_of_their_load_say_when_to_come_again() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    let path = "/knowledge/documents";
    let berths = json!({ "title": "Berths", "text": "Berths are let by the week." });
    let body = berths.to_string();
    let (pieces, rest) = client::piecewise(body.len() as u64);
    let url = format!("{}{path}", quarry.url);
    let loading =
        tokio::spawn(async move { client::send_body("POST", &url, &[], rest).await.unwrap() });
    // Whoever is let in has its place before its body is read.
    let places = "SELECT count(*) FROM ask_place WHERE number < 0";
    while file.query_row(places, [], |row| row.get(0)) != Ok(1) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    hold(&file);
    pieces.send(Bytes::from(body)).unwrap();
    let open = loading.await.unwrap();
    let_go(&file);
    assert_eq!(open.status, 429);
    assert!(open.header("retry-after").is_some());
    let told = open.text().await.unwrap();
    assert!(told.contains("nothing was changed: send it again"), "{told}");
    assert_eq!(post(&quarry, path, &[], &berths).await.status, 201);
}

/// What is kept of it elsewhere says that nobody is to be shown it: so it leaves nothing that could be shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_to_be_stored_is_answered_while_others_hold_the_database_and_leaves_nothing() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    for stream in [false, true] {
        let asked = body(RESPONSES, json!({ "store": false, "stream": stream }));
        hold(&file);
        let open = post_once(&quarry, RESPONSES, &[], &asked).await;
        let (status, ask) = (open.status, open.header("x-quarry-ask").map(str::to_owned));
        let told = open.text().await.unwrap();
        let_go(&file);
        assert_eq!(status, 200, "{told}");
        let completed =
            if stream { "event: response.completed" } else { "\"status\":\"completed\"" };
        assert!(told.contains(completed), "{told}");
        let ask = ask.unwrap();
        let rows = "SELECT count(*) FROM log_value WHERE log = ?1 OR value = CAST(?1 AS BLOB)";
        // A note that was on its way is taken back.
        while file.query_row(rows, [&ask], |row| row.get::<_, i64>(0)).unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let url = format!("{}{RESPONSES}/resp_{ask}", quarry.url);
        assert_eq!(client::get(&url, &[]).await.unwrap().status, 404, "{stream}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_keep_from_being_forgotten_says_when_to_come_again() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    let kept = post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await;
    let kept = kept.json().await.unwrap();
    let url = format!("{}{RESPONSES}/{}", quarry.url, kept["id"].as_str().unwrap());
    // What its log tells to its end can be forgotten.
    client::get(&format!("{url}?stream=true"), &[]).await.unwrap().text().await.unwrap();
    hold(&file);
    let open = client::send_once("DELETE", &url, &[], String::new()).await.unwrap();
    let_go(&file);
    assert_eq!(open.status, 429);
    assert!(open.header("retry-after").is_some());
    let told = open.text().await.unwrap();
    assert!(told.contains("database is locked") && told.contains("try again soon"), "{told}");
    let gone = client::send("DELETE", &url, &[], String::new()).await.unwrap();
    assert_eq!(gone.status, 200);
    assert_eq!(gone.json().await.unwrap()["deleted"], true);
}

/// Of an ask that has just begun it is not even known whether it is one; the log of an older one is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_cannot_be_read_because_others_hold_the_database_says_when_to_come_again() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    server(&quarry).fault("FROM log_value", 0..u32::MAX, Fault::Busy);
    let all = [0, 60].map(|seconds| format!("{}/ask/{}/events", quarry.url, begun_ago(seconds)));
    for open in join_all(all.iter().map(|url| client::get(url, &[]))).await {
        let open = open.unwrap();
        assert_eq!(open.status, 429);
        assert!(open.header("retry-after").is_some());
        assert!(open.text().await.unwrap().contains("database is locked"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_somebody_has_to_mend_says_how_and_not_to_try_again() {
    let (quarry, file) = with_database(Script::ordinary()).await;
    for (why, words) in [
        ("attempt to write a readonly database", "let the server write"),
        ("database or disk is full", "make room"),
        ("unable to open database file: `state/sqlite_db.db`", "its folder is there"),
        ("database disk image is malformed", "put a copy of it back"),
    ] {
        // In SQLite's own words: who may do everything, as tests often may, can write what is read-only, too.
        for table in ["ask_place", "log_value", "run"] {
            let refuses = format!(
                "CREATE TRIGGER mended_{table} BEFORE INSERT ON {table} \
                 BEGIN SELECT RAISE(ABORT, '{why}'); END"
            );
            file.execute_batch(&refuses).unwrap();
        }
        for (path, headers, asked) in [
            (CHAT, vec![KEY], body(CHAT, json!({}))),
            (RESPONSES, vec![], body(RESPONSES, json!({}))),
            ("/runs", vec![], json!({ "task": QUESTION })),
        ] {
            let open = post_once(&quarry, path, &headers, &asked).await;
            let (status, told) = (open.status, open.text().await.unwrap());
            assert_eq!(status, 503, "{path}: {told}");
            assert!(told.contains(words) && !told.contains("try again"), "{path}: {told}");
            assert!(!told.contains("sqlite_db"), "{path}: {told}");
        }
        assert!(quarry.provider.calls().is_empty(), "{why}");
        for table in ["ask_place", "log_value", "run"] {
            file.execute_batch(&format!("DROP TRIGGER mended_{table}")).unwrap();
        }
    }
    let open = post(&quarry, CHAT, &[KEY], &body(CHAT, json!({}))).await;
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_does_not_open_is_no_reason_to_come_again() {
    let quarry = started(Script::ordinary()).await;
    let file = quarry.sqlite().unwrap();
    let path = file.path().unwrap().to_owned();
    drop(file);
    // Before anything is asked, so that nobody has it open as the database that it was.
    std::fs::write(path, "no database ".repeat(100)).unwrap();
    let words = ["is no database", "put a copy of it back"];
    let earlier = json!({ "id": AskId::new(0, 7).to_string() });
    for (path, headers, asked) in [
        (CHAT, vec![KEY], body(CHAT, json!({}))),
        (AGUI, vec![], body(AGUI, json!({}))),
        (RESPONSES, vec![], body(RESPONSES, json!({}))),
        ("/runs", vec![], json!({ "task": QUESTION })),
        ("/knowledge/ask", vec![], json!({ "query": QUESTION })),
        ("/ask", vec![], json!({ "continuation": true, "continuationContext": earlier })),
    ] {
        for _ in 0..2 {
            let open = post_once(&quarry, path, &headers, &asked).await;
            let (status, told) = (open.status, open.text().await.unwrap());
            assert_eq!(status, 503, "{path}: {told}");
            assert!(words.iter().all(|words| told.contains(words)), "{path}: {told}");
            assert!(!told.contains("try again") && !told.contains("sqlite_db"), "{path}: {told}");
        }
    }
    assert!(quarry.provider.calls().is_empty());
    // Whoever asks anew is answered without it.
    let open = post(&quarry, CHAT, &[], &body(CHAT, json!({}))).await;
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_may_only_be_read_is_read_and_says_what_the_server_has_to_be_let_do() {
    let mut setup = Setup::new(Script::ordinary());
    setup.keeper = Keeper::File;
    let quarry = setup.start().await.unwrap();
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let kept = post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await;
    let kept = kept.json().await.unwrap();
    let path = format!("{RESPONSES}/{}", kept["id"].as_str().unwrap());
    // What its log tells to its end is kept.
    let frames = format!("{}{path}?stream=true", quarry.url);
    client::get(&frames, &[]).await.unwrap().text().await.unwrap();
    let file = quarry.state.path().join("sqlite_db.db");
    let mut permissions = std::fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).unwrap();
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.forget();
    let url = format!("{}{path}", quarry.url);
    let shown = client::get(&url, &[]).await.unwrap().json().await.unwrap();
    assert_eq!((&shown["id"], &shown["status"]), (&kept["id"], &json!("completed")));
    let mut refused = vec![client::send_once("DELETE", &url, &[], String::new()).await.unwrap()];
    for (path, headers, asked) in [
        (CHAT, vec![KEY], body(CHAT, json!({}))),
        (RESPONSES, vec![], body(RESPONSES, json!({}))),
        ("/runs", vec![], json!({ "task": QUESTION })),
    ] {
        refused.push(post_once(&quarry, path, &headers, &asked).await);
    }
    for open in refused {
        assert_eq!((open.status.as_u16(), open.header("retry-after")), (503, None));
        let told = open.text().await.unwrap();
        assert!(told.contains("may only be read; let the server write to its file"), "{told}");
        assert!(!told.contains("try again"), "{told}");
    }
    assert!(quarry.provider.calls().is_empty());
    // Whoever asks anew is answered without it.
    let open = post(&quarry, CHAT, &[], &body(CHAT, json!({}))).await;
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
}
