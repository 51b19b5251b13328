//! Who reads an ask, leaves it and comes back: nobody's work ends while it is read, and what is asked twice is begun
//! once.

use crate::requests::post;
use quarry_doors::{Entrance, Head, Order, enter, grace_seconds};
use quarry_journal::Left;
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{FOR_A_PLACE, Quarry, Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script};
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const QUESTION: &str = "What is six times seven?";
const CHAT: &str = "/v1/chat/completions";
const PAGE: &str = "/api/chat";
const AGUI: &str = "/agui";
const STOPPED: &str = "\"ended\":\"stopped\"";

fn chat() -> Value {
    json!({
        "model": "quarry", "stream": true,
        "messages": [{ "role": "user", "content": QUESTION }],
    })
}

/// Of useChat.
fn page(chat: &str) -> Value {
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    json!({
        "id": chat, "trigger": "submit-message",
        "messages": [{ "id": "u1", "role": "user", "parts": parts }],
    })
}

fn run(question: &str) -> Value {
    json!({
        "threadId": "thread-1", "runId": "run-1", "tools": [], "context": [], "state": {},
        "forwardedProps": {}, "messages": [{ "id": "u1", "role": "user", "content": question }],
    })
}

fn asked(open: &Open) -> String {
    open.header("x-quarry-ask").unwrap().to_owned()
}

/// How often the provider was asked for the first step of an ask.
fn begun(quarry: &Quarry) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(Phase::Setup)).count()
}

/// A Quarry with little patience, whose asks stand still at their plan and then at their first step.
async fn patient(stores: Stores) -> Quarry {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let setup = Setup::new(script).variable("chat_grace_seconds", "1");
    let setup = Setup { stores, ..setup.variable("keep_alive_seconds", "1") };
    setup.start().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_leaves_late_ends_nothing_that_another_reads() {
    leaves_late(Stores::All).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_where_there_is_key_value_alone() {
    leaves_late(Stores::KeyValue).await;
}

async fn leaves_late(stores: Stores) {
    let quarry = patient(stores).await;
    let first = post(&quarry, CHAT, &[("x-stainless-retry-count", "0")], &chat()).await;
    quarry.provider.holding("planning", 1).await;
    let second = post(&quarry, CHAT, &[("x-stainless-retry-count", "1")], &chat()).await;
    assert_eq!(asked(&first), asked(&second));
    drop(first);
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    // Nothing tells that something does not come: as long as three times the patience.
    let stopped = tokio::time::timeout(Duration::from_secs(4), quarry.until_stored(STOPPED)).await;
    assert!(stopped.is_err(), "it was stopped though it is read");
    quarry.provider.release("iteration");
    let sent = second.text().await.unwrap();
    assert!(
        sent.contains("\"finish_reason\":\"stop\"") && sent.ends_with("data: [DONE]\n\n"),
        "{sent}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_last_of_its_readers_has_left_it_ends() {
    all_leave(Stores::All).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_it_does_where_there_is_key_value_alone() {
    all_leave(Stores::KeyValue).await;
}

async fn all_leave(stores: Stores) {
    let quarry = patient(stores).await;
    let first = post(&quarry, CHAT, &[("x-stainless-retry-count", "0")], &chat()).await;
    let ask = asked(&first);
    quarry.provider.holding("planning", 1).await;
    let second = post(&quarry, CHAT, &[("x-stainless-retry-count", "1")], &chat()).await;
    let url = format!("{}/ask/{ask}/events", quarry.url);
    let mut third = client::get(&url, &[]).await.unwrap();
    third.chunk().await.unwrap().expect("its beginning");
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    // Whoever began it is not the last.
    for open in [first, second, third] {
        drop(open);
    }
    quarry.until_stored(STOPPED).await.unwrap();
    quarry.provider.release("iteration");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_was_loaded_again_and_closed_ends_its_ask() {
    let quarry = patient(Stores::All).await;
    let first = post(&quarry, PAGE, &[], &page("chat-of-mine")).await;
    quarry.provider.holding("planning", 1).await;
    let url = format!("{}{PAGE}/chat-of-mine/stream", quarry.url);
    let mut again = client::get(&url, &[]).await.unwrap();
    assert_eq!(again.status, 200);
    again.chunk().await.unwrap().expect("its beginning");
    drop(first);
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    drop(again);
    quarry.until_stored(STOPPED).await.unwrap();
    quarry.provider.release("iteration");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_twice_at_once_is_begun_once() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let key = [("idempotency-key", "5c0c8b1e-7f43-4f25-9a1e-2f6a7d3e9b10")];
    let body = chat();
    let sent = || post(&quarry, CHAT, &key, &body);
    let (a, b, c, d, e) = tokio::join!(sent(), sent(), sent(), sent(), sent());
    let all = [a, b, c, d, e];
    let asks: BTreeSet<_> = all.iter().map(asked).collect();
    assert_eq!(asks.len(), 1, "{asks:?}");
    let mut told = BTreeSet::new();
    for open in all {
        told.insert(open.text().await.unwrap());
    }
    assert_eq!(told.len(), 1, "all are told the same");
    assert_eq!(begun(&quarry), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rate_limit_ended_is_gone_on_with_once() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = Setup::new(script).start().await.unwrap();
    let key = [("idempotency-key", "0a6b7d7c-3c55-4f0a-8a53-4f5a0c3b2d91")];
    let body = chat();
    let sent = || post(&quarry, CHAT, &key, &body);
    let first = sent().await;
    let limited = asked(&first);
    first.text().await.unwrap();
    let (a, b, c) = tokio::join!(sent(), sent(), sent());
    let all = [a, b, c];
    let asks: BTreeSet<_> = all.iter().map(asked).collect();
    assert!(asks.len() == 1 && !asks.contains(&limited), "{limited}: {asks:?}");
    for open in all {
        assert!(open.text().await.unwrap().contains("\"finish_reason\":\"stop\""));
    }
    let calls = quarry.provider.calls();
    let steps = calls.iter().filter(|call| call.phase() == Some(Phase::Iteration(2)));
    assert_eq!(steps.count(), 2, "the one that was refused, and the one that was answered");
    assert_eq!(begun(&quarry), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_was_refused_is_no_ask_to_be_joined() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let key = [("idempotency-key", "e7f7c3f0-1b54-47a8-b1a0-7b1f3c1f0f55")];
    let mut wrong = chat();
    wrong["model"] = json!("anthropic:any");
    for _ in 0..2 {
        // The operator has no key for that provider.
        assert_eq!(post(&quarry, CHAT, &key, &wrong).await.status, 401);
    }
    assert_eq!(quarry.provider.calls().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_was_refused_was_never_noted() {
    let quarry = patient(Stores::All).await;
    let first = post(&quarry, CHAT, &[], &chat()).await;
    quarry.provider.holding("planning", 1).await;
    let database = quarry.sqlite().unwrap();
    database
        .execute_batch(
            "CREATE TABLE noted (log);
             CREATE TRIGGER notes AFTER INSERT ON log_value WHEN NEW.place = 'begun'
             BEGIN INSERT INTO noted VALUES (NEW.log); END",
        )
        .unwrap();
    let key = [("idempotency-key", "77a0c4a9-6b38-4bb8-8f0c-33a7a6f0c1d2")];
    let mut wrong = chat();
    wrong["model"] = json!("anthropic:any");
    // Who reads a note while it stands waits for an ask that never begins.
    let (a, b, c) = tokio::join!(
        post(&quarry, CHAT, &key, &wrong),
        post(&quarry, CHAT, &key, &wrong),
        post(&quarry, CHAT, &key, &wrong)
    );
    assert_eq!([a.status, b.status, c.status].map(|status| status.as_u16()), [401; 3]);
    let noted: u32 =
        database.query_row("SELECT count(*) FROM noted", [], |row| row.get(0)).unwrap();
    assert_eq!(noted, 0);
    quarry.provider.release("planning");
    drop(first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_again_where_all_places_are_taken_is_refused_and_never_noted() {
    let mut tries = 0..FOR_A_PLACE;
    while !is_refused_and_never_noted().await {
        assert!(tries.next().is_some(), "no ask has a place");
    }
}

/// False: the first has no place.
async fn is_refused_and_never_noted() -> bool {
    let held = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
    let quarry = Setup::new(script).variable("max_asks", "1").start().await.unwrap();
    let key = [("idempotency-key", "c1de3f4f-52e2-46c9-a8cb-2f9d1a6b7e10")];
    let first = post(&quarry, CHAT, &key, &chat()).await;
    quarry.provider.holding("planning", 1).await;
    if quarry.places_taken().unwrap() == 0 {
        return false;
    }
    let other = [("idempotency-key", "other")];
    let mut body = chat();
    body["messages"][0]["content"] = json!("What is nine times nine?");
    let refused = || post(&quarry, CHAT, &other, &body);
    let (a, b) = tokio::join!(refused(), refused());
    assert_eq!([a.status.as_u16(), b.status.as_u16()], [429; 2]);
    let notes = "SELECT count(*) FROM log_value WHERE place = 'begun'";
    let noted: u32 = quarry.sqlite().unwrap().query_row(notes, [], |row| row.get(0)).unwrap();
    assert_eq!(noted, 1, "that of the first");
    // The first is joined all the same.
    let again = post(&quarry, CHAT, &key, &chat()).await;
    assert_eq!(asked(&first), asked(&again));
    quarry.provider.release("planning");
    assert_eq!(first.text().await.unwrap(), again.text().await.unwrap());
    // An instance that refused somebody remembers for a moment that all places are taken.
    while post(&quarry, CHAT, &other, &body).await.status == 429 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(post(&quarry, CHAT, &other, &body).await.header("x-quarry-ask").is_some());
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_again_joins_though_nothing_can_be_written() {
    let quarry = patient(Stores::All).await;
    let first = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    quarry.provider.holding("planning", 1).await;
    // Something of its log is written when somebody reads it.
    let events = format!("{}/ask/{}/events", quarry.url, asked(&first));
    let mut reader = client::get(&events, &[("accept", "text/event-stream")]).await.unwrap();
    reader.until("init").await.unwrap();
    let database = quarry.sqlite().unwrap();
    // As on a full disk.
    database
        .execute_batch(
            "CREATE TRIGGER full_place BEFORE INSERT ON ask_place
             BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END;
             CREATE TRIGGER full_log BEFORE INSERT ON log_value
             BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
        )
        .unwrap();
    let second = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    assert_eq!(asked(&first), asked(&second));
    // Nor while somebody else writes, for as long as they like.
    database
        .execute_batch("DROP TRIGGER full_place; DROP TRIGGER full_log; BEGIN IMMEDIATE")
        .unwrap();
    let third = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    database.execute_batch("COMMIT").unwrap();
    assert_eq!(asked(&first), asked(&third));
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    quarry.provider.release("iteration");
    for open in [first, second, third] {
        assert!(open.text().await.unwrap().contains("RUN_FINISHED"));
    }
    assert_eq!(begun(&quarry), 1);
}

/// In its first quarter of a second nothing of an ask's log is written, and on a full disk nothing will be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_joined_before_its_log_could_be_written_begins_to_be_told_at_once() {
    let quarry = patient(Stores::All).await;
    let nobodys = format!("{}{PAGE}/nobodys/stream", quarry.url);
    assert_eq!(client::get(&nobodys, &[]).await.unwrap().status, 204);
    let database = quarry.sqlite().unwrap();
    // There is room for notes and for none of a log.
    database
        .execute_batch(
            "CREATE TRIGGER full_log BEFORE INSERT ON log_value WHEN NEW.place LIKE 'log/%'
             BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
        )
        .unwrap();
    let first = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    quarry.provider.holding("planning", 1).await;
    // Were the log's beginning awaited, it would be given up one day, and asked anew.
    let second = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    assert_eq!(asked(&first), asked(&second));
    database.execute_batch("DROP TRIGGER full_log").unwrap();
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    quarry.provider.release("iteration");
    for open in [first, second] {
        assert!(open.text().await.unwrap().contains("RUN_FINISHED"));
    }
    assert_eq!(begun(&quarry), 1);
}

/// For how long a request of a door waits for a reader, in seconds, where the operator set nothing else.
fn grace(path: &str, body: &Value) -> Option<u32> {
    let head = Head { method: "POST".to_owned(), path: path.to_owned(), ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, body.to_string().as_bytes());
    let Ok(Order::Start(request)) = opened.order else { panic!("no ask") };
    request.manners.grace_seconds.map(|own| grace_seconds("", own).unwrap())
}

/// On a clock of its own: what is waited for is a minute.
#[test]
fn each_door_waits_for_readers_as_long_as_its_clients_may_be_away() {
    let response = json!({ "input": QUESTION });
    for (path, body, seconds) in [
        (CHAT, chat(), 30),
        ("/v1/responses", response, 30),
        (AGUI, run(QUESTION), 30),
        (PAGE, page("chat-of-mine"), 60),
    ] {
        let left = Left { since: Timestamp(7_000), grace_seconds: grace(path, &body).unwrap() };
        assert_eq!(left.grace(), Duration::from_secs(seconds), "{path}");
    }
    let alone = json!({ "input": QUESTION, "background": true });
    assert_eq!(grace("/v1/responses", &alone), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_finds_its_ask_though_it_was_refused_another() {
    let quarry = patient(Stores::All).await;
    let first = post(&quarry, PAGE, &[], &page("chat-of-mine")).await;
    quarry.provider.holding("planning", 1).await;
    let mut wrong = page("chat-of-mine");
    wrong["model"] = json!("nobody:any");
    assert_eq!(post(&quarry, PAGE, &[], &wrong).await.status, 400);
    let url = format!("{}{PAGE}/chat-of-mine/stream", quarry.url);
    let again = client::get(&url, &[]).await.unwrap();
    assert_eq!(again.status, 200);
    assert_eq!(asked(&first), asked(&again));
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    quarry.provider.release("iteration");
    first.text().await.unwrap();
}

/// Programs call their threads and runs as their examples do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_questions_under_one_name_are_two_asks() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let one = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    let other = post(&quarry, AGUI, &[], &run("What is nine times nine?")).await;
    let again = post(&quarry, AGUI, &[], &run(QUESTION)).await;
    assert_ne!(asked(&one), asked(&other));
    assert_eq!(asked(&one), asked(&again));
    assert_eq!(one.text().await.unwrap(), again.text().await.unwrap());
}

/// A chat that nobody reads for a second ends. It waits for its plan; a sign of life is due each second.
async fn waiting() -> Quarry {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Planning), planning);
    let setup = Setup::new(script).variable("chat_grace_seconds", "1");
    setup.variable("keep_alive_seconds", "1").start().await.unwrap()
}

/// Reads somebody else's stream until so many signs of life came, each behind a second of silence.
async fn signs(open: &mut Open, count: usize) {
    let mut told = String::new();
    while told.matches(": keep-alive").count() < count {
        let chunk = open.chunk().await.unwrap().expect("a sign of life");
        told.push_str(&String::from_utf8_lossy(&chunk));
    }
}

/// Others hold the database when the last of its readers leaves, for longer than one that leaves is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_whose_readers_leave_while_nothing_can_be_written_ends_all_the_same() {
    for is_joined in [false, true] {
        let quarry = waiting().await;
        let [counted, again] = ["0", "1"].map(|count| [("x-stainless-retry-count", count)]);
        let first = post(&quarry, CHAT, &counted, &chat()).await;
        let ask = asked(&first);
        quarry.provider.holding("planning", 1).await;
        let other = json!({ "query": "And times eight?" });
        let mut other = client::ask(&quarry.url, &other).await.unwrap();
        quarry.provider.holding("planning", 2).await;
        let file = quarry.sqlite().unwrap();
        let marked = |place: &str| {
            let marks = "SELECT count(*) FROM log_value WHERE log = ?1 AND place LIKE ?2";
            file.query_row(marks, [ask.as_str(), place], |row| row.get::<_, i64>(0)).unwrap() > 0
        };
        let last = match is_joined {
            true => {
                let second = post(&quarry, CHAT, &again, &chat()).await;
                assert_eq!(asked(&second), ask);
                while !marked("reading/%") {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                drop(first);
                while !marked("left") {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                second
            }
            false => first,
        };
        file.execute_batch("BEGIN IMMEDIATE").unwrap();
        drop(last);
        // By then it was seen that nobody is there, and longer was tried to write so than a lock is waited for.
        signs(&mut other, 4).await;
        file.execute_batch("COMMIT").unwrap();
        quarry.until_stored(STOPPED).await.unwrap();
        // What says that want of readers did it is written, however late.
        while !marked("left") || marked("reading/%") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(other);
        quarry.provider.release("planning");
    }
}

/// Its limit came while another reader was waited for: it waits for that, and was not stopped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_before_its_readers_were_given_up_is_gone_on_with() {
    let step = Match::Phase(Phase::Iteration(1));
    let script = Script::ordinary()
        .first(step, [Reply::rate_limited("20").hold("limit")])
        .first(Match::Phase(Phase::Planning), [Reply::text("no plan")]);
    let setup = Setup::new(script).variable("chat_grace_seconds", "5");
    let quarry = setup.start().await.unwrap();
    let first = post(&quarry, CHAT, &[], &chat()).await;
    let ask = asked(&first);
    quarry.provider.holding("limit", 1).await;
    drop(first);
    quarry.until_stored(&format!("{ask}left")).await.unwrap();
    quarry.provider.release("limit");
    quarry.until_stored(&format!("log/{ask}/continuation")).await.unwrap();
    // Another that leaves behind it tells when its time is over.
    let held = Reply::text("no plan").hold("planning");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [held]));
    let mut other = chat();
    other["messages"][0]["content"] = json!("And times eight?");
    let other = post(&quarry, CHAT, &[], &other).await;
    quarry.provider.holding("planning", 1).await;
    drop(other);
    quarry.until_stored(STOPPED).await.unwrap();
    let stops = "SELECT count(*) FROM log_value WHERE log = ?1 AND place = 'stop'";
    let stops = quarry.sqlite().unwrap().query_row(stops, [&ask], |row| row.get::<_, i64>(0));
    assert_eq!(stops.unwrap(), 0);
    quarry.provider.release("planning");
    quarry.provider.set_script(Script::ordinary());
    // However long it waits.
    let later = Duration::from_secs(700);
    if !quarry.change_variable("rate_limit_requests", "0", later).unwrap() {
        return;
    }
    quarry.provider.forget();
    let again = post(&quarry, CHAT, &[], &chat()).await;
    let told = again.text().await.unwrap();
    assert!(told.contains("\"finish_reason\":\"stop\""), "{told}");
    assert_eq!(begun(&quarry), 0, "its set-up and its plan were paid for");
}
