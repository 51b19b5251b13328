//! What is sent again while the store hangs: nobody pays twice unseen, and nobody waits for it.

use super::keyed::twice;
use super::unkept::DEAD;
use super::{
    AGUI, CHAT, KEY, PAGE, QUESTION, RESPONSES, body, interrupted_and_resumed, paid, post,
    post_once, scripted, server,
};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::Fault;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::time::Duration;

/// Somebody who reads on at an ask in which nothing happens, and is given a sign of life after ten seconds.
async fn somebody(quarry: &Quarry) -> Open {
    let other = body(RESPONSES, json!({ "input": "And times eight?", "stream": true }));
    let open = post(quarry, RESPONSES, &[], &other).await;
    quarry.provider.holding("planning", 1).await;
    open
}

/// Waits for a sign of life.
async fn sign_of_life(mut other: Open) {
    loop {
        let told = String::from_utf8(other.chunk().await.unwrap().unwrap().to_vec()).unwrap();
        if told.lines().any(|line| line == ":") {
            return;
        }
    }
}

/// What comes before the sign of life of somebody who waits longer.
pub(super) async fn refused(answer: impl Future<Output = Open>, other: Open, what: &str) {
    tokio::select! {
        open = answer => {
            assert_eq!(open.status, 429, "{what}");
            assert!(open.header("retry-after").is_some(), "{what}");
        }
        () = sign_of_life(other) => panic!("{what}: the refusal waited for the store"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_have_come_before_is_refused_and_not_paid_again() {
    let (key, again) = (KEY, ("x-stainless-retry-count", "1"));
    let (chat, run) = (body(CHAT, json!({})), body(AGUI, json!({})));
    // What is read of a note that stands, and all that is read or written of notes.
    for words in ["SELECT value FROM log_value", "log_value"] {
        for (path, headers, asked) in [
            (CHAT, vec![again], &chat),
            (CHAT, vec![key], &chat),
            ("/ask", vec![key], &json!({ "query": QUESTION })),
            (AGUI, vec![], &run),
        ] {
            let what = format!("{path} {headers:?}, {words}");
            let quarry = scripted(Setup::new(Script::ordinary())).await;
            let begun = post(&quarry, path, &headers, asked).await;
            assert_eq!(begun.status, 200, "{what}");
            begun.text().await.unwrap();
            let planning = Reply::text("no plan").hold("planning");
            let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
            quarry.provider.set_script(script);
            let other = somebody(&quarry).await;
            let before = paid(&quarry, Phase::Setup);
            server(&quarry).fault(words, 0..u32::MAX, Fault::Hold("store".to_owned()));
            refused(post_once(&quarry, path, &headers, asked), other, &what).await;
            assert_eq!(paid(&quarry, Phase::Setup), before, "{what}");
            server(&quarry).heal();
            server(&quarry).release("store");
            // What was held, and came late, is in nobody's way.
            let told = post(&quarry, path, &headers, asked).await;
            assert_eq!(told.status, 200, "{what}");
            told.text().await.unwrap();
            assert_eq!(paid(&quarry, Phase::Setup), before, "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_note_stands_of_is_not_begun_again_while_nobody_can_look_what_became_of_it() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    let asked = body(CHAT, json!({}));
    post(&quarry, CHAT, &[], &asked).await.text().await.unwrap();
    let planning = Reply::text("no plan").hold("planning");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [planning]));
    let other = somebody(&quarry).await;
    let before = paid(&quarry, Phase::Setup);
    server(&quarry).fault(
        "SELECT value FROM log_value",
        0..u32::MAX,
        Fault::Hold("store".to_owned()),
    );
    refused(post_once(&quarry, CHAT, &[], &asked), other, "uncounted").await;
    assert_eq!(paid(&quarry, Phase::Setup), before);
    server(&quarry).heal();
    server(&quarry).release("store");
    // It had an answer, and whoever does not say that it comes again wants another one.
    post(&quarry, CHAT, &[], &asked).await.text().await.unwrap();
    assert_eq!(paid(&quarry, Phase::Setup), before + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_anew_is_answered_while_the_store_hangs() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    post(&quarry, CHAT, &[], &body(CHAT, json!({}))).await.text().await.unwrap();
    server(&quarry).fault("log_value", 0..u32::MAX, Fault::Hold("store".to_owned()));
    let asked = body(CHAT, json!({ "temperature": 0.5 }));
    let answer = post(&quarry, CHAT, &[("x-stainless-retry-count", "0")], &asked).await;
    assert_eq!(answer.status, 200);
    assert!(answer.text().await.unwrap().contains("42"));
    server(&quarry).heal();
    server(&quarry).release("store");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_of_what_was_refused_leads_nobody_to_an_ask_that_never_was() {
    // What a key of its sender's means is written with its note, and taken back with it: its body may be another then.
    let warm = json!({ "temperature": 0.5 });
    for (header, mended) in
        [(("x-stainless-retry-count", "1"), json!({})), (KEY, json!({})), (KEY, warm)]
    {
        let quarry = scripted(Setup::new(Script::ordinary())).await;
        post(&quarry, CHAT, &[], &body(CHAT, json!({ "top_p": 0.5 }))).await.text().await.unwrap();
        let (header, asked) = ([header], body(CHAT, json!({})));
        quarry.provider.forget();
        server(&quarry).fault("log_value", 0..u32::MAX, Fault::Hold("store".to_owned()));
        assert_eq!(post_once(&quarry, CHAT, &header, &asked).await.status, 429, "{header:?}");
        assert_eq!(paid(&quarry, Phase::Setup), 0, "{header:?}");
        server(&quarry).heal();
        note_is_taken_back(&quarry).await;
        let answer = post(&quarry, CHAT, &header, &body(CHAT, mended)).await;
        assert_eq!(answer.status, 200, "{header:?}");
        assert!(answer.text().await.unwrap().contains("42"), "{header:?}");
    }
}

/// The statement that takes a place, and with it notes what begins and what its key means.
const TAKES: &str = "WITH RECURSIVE place";
/// The one that does the same without a place.
const NOTES: &str = "INTO ask_begun (number, holder, until, note, key, request) SELECT NULL";
/// The one that takes back a note and what a key means by it.
const UNDOES: &str = "DELETE FROM log_value WHERE (log = ?1 AND place = 'begun'";
/// The one that takes back what a key means alone.
const REMOVES: &str = "DELETE FROM log_value WHERE log = ?1 AND place = ?2";

/// The answer to a key was begun before, and is neither told again nor kept. False: the clock is not ours.
async fn begun_and_forgotten(quarry: &Quarry, asked: &Value) -> bool {
    let first = post(quarry, RESPONSES, &[KEY], asked).await.json().await.unwrap();
    if !quarry.change_variable("rate_limit_requests", "0", DEAD).unwrap() {
        return false;
    }
    let url = format!("{}{RESPONSES}/{}", quarry.url, first["id"].as_str().unwrap());
    let gone = client::send("DELETE", &url, &[], String::new()).await.unwrap();
    assert_eq!(gone.status, 200);
    gone.text().await.unwrap();
    true
}

/// What was held is carried out late, when its request is refused already. The store takes back little at first, so nothing
/// but what is taken back then makes the key free. Where a note stood its claim comes first, and what the key means is
/// written with its place, or once more without.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_whose_meaning_comes_late_of_what_was_refused_is_free_for_another_body() {
    let [asked, warm] =
        [json!({}), json!({ "temperature": 0.5 })].map(|more| body(RESPONSES, more));
    for (places, is_noted, held, takes_back) in [
        ("16", false, TAKES, UNDOES),
        ("16", false, TAKES, REMOVES),
        ("0", false, NOTES, UNDOES),
        ("16", true, TAKES, REMOVES),
        ("16", true, NOTES, REMOVES),
    ] {
        let what = format!("{places} places, noted: {is_noted}, {held}, {takes_back}");
        let quarry = scripted(Setup::new(Script::ordinary()).variable("max_asks", places)).await;
        if is_noted && !begun_and_forgotten(&quarry, &asked).await {
            return;
        }
        let planning = Reply::text("no plan").hold("planning");
        let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
        quarry.provider.set_script(script);
        let other = somebody(&quarry).await;
        quarry.provider.forget();
        // The first that wants a place finds the note.
        let first = u32::from(is_noted && held == TAKES);
        server(&quarry).fault(held, first..u32::MAX, Fault::Hold("store".to_owned()));
        if is_noted {
            let (fails, first) = if held == TAKES { (NOTES, 0) } else { (TAKES, 1) };
            server(&quarry).fault(fails, first..u32::MAX, Fault::Busy);
        }
        let fault = |words: &str, which, fault| match words {
            // Of what is taken out of logs by its place, what a key means alone.
            REMOVES => server(&quarry).fault_with((words, "keyed"), which, fault),
            _ => server(&quarry).fault(words, which, fault),
        };
        let fails = if takes_back == UNDOES { REMOVES } else { UNDOES };
        fault(fails, 0..u32::MAX, Fault::Busy);
        fault(takes_back, 0..1, Fault::Busy);
        fault(takes_back, 1..2, Fault::HoldAfter("taken back".to_owned()));
        refused(post_once(&quarry, RESPONSES, &[KEY], &asked), other, &what).await;
        server(&quarry).release("store");
        server(&quarry).holding("taken back", 1).await;
        server(&quarry).heal();
        server(&quarry).release("taken back");
        twice(&quarry, RESPONSES, &[KEY], &warm).await;
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nobody_can_say_what_a_key_means_nobody_is_told_that_all_places_are_taken() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    post(&quarry, CHAT, &[KEY], &body(CHAT, json!({}))).await.text().await.unwrap();
    let warm = body(CHAT, json!({ "temperature": 0.5 }));
    server(&quarry).fault(
        "SELECT request FROM sender_key",
        0..u32::MAX,
        Fault::Hold("store".to_owned()),
    );
    let refused = post_once(&quarry, CHAT, &[KEY], &warm).await;
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
    let told = refused.text().await.unwrap();
    assert!(told.contains("without a key"), "{told}");
    let open = post_once(&quarry, CHAT, &[], &warm).await;
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
    server(&quarry).heal();
    server(&quarry).release("store");
    let refused = post(&quarry, CHAT, &[KEY], &warm).await;
    assert_eq!(refused.status, 409);
}

/// A note that was held is written now, late, and taken back.
async fn note_is_taken_back(quarry: &Quarry) {
    server(quarry).forget_statements();
    server(quarry).release("store");
    // First its place is given back, which nobody does of a note that never came.
    let is_taken_back = || {
        let statements = server(quarry).statements();
        let begins =
            |words: &str| statements.iter().position(|(statement, _)| statement.starts_with(words));
        let undone = "DELETE FROM log_value WHERE (log = ?1 AND place = 'begun'";
        let last = statements.iter().rposition(|(statement, _)| statement.starts_with(undone));
        begins("DELETE FROM ask_place").is_some_and(|placed| last > Some(placed))
    };
    while !is_taken_back() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_does_the_note_of_one_that_could_not_be_kept() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    post(&quarry, CHAT, &[], &body(CHAT, json!({}))).await.text().await.unwrap();
    let asked = body(RESPONSES, json!({ "background": true }));
    let paid = quarry.provider.served();
    // Its place and its note are held, and what is to be kept of it waits behind them.
    server(&quarry).fault("ask_place", 0..u32::MAX, Fault::Hold("store".to_owned()));
    let open = post_once(&quarry, RESPONSES, &[], &asked).await;
    assert_eq!(open.status, 429);
    assert!(open.text().await.unwrap().contains("nothing was begun"));
    assert_eq!(quarry.provider.served(), paid);
    server(&quarry).heal();
    note_is_taken_back(&quarry).await;
    let again = [("x-stainless-retry-count", "1")];
    assert_eq!(post(&quarry, RESPONSES, &again, &asked).await.status, 200);
    // It begins, and waits for nobody.
    quarry.provider.called(paid + 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_joins_is_not_made_to_wait_for_writes_that_hang() {
    let planning = Reply::text("no plan").hold("planning");
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    post(&quarry, CHAT, &[], &body(CHAT, json!({}))).await.text().await.unwrap();
    quarry.provider.forget();
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [planning]));
    let (key, asked) = ([KEY], body(CHAT, json!({})));
    let again = async {
        quarry.provider.holding("planning", 1).await;
        server(&quarry).fault(
            "DO UPDATE SET value = ?3",
            0..u32::MAX,
            Fault::Hold("store".to_owned()),
        );
        let open = post_once(&quarry, CHAT, &key, &asked).await;
        assert_eq!(open.status, 429);
        assert!(open.header("retry-after").is_some());
        server(&quarry).heal();
        server(&quarry).release("store");
        quarry.provider.release("planning");
    };
    let (first, ()) = tokio::join!(post(&quarry, CHAT, &key, &asked), again);
    assert_eq!(first.status, 200);
    assert!(first.text().await.unwrap().contains("42"));
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_door_keeps_and_what_an_ask_is_called_cost_no_statement_of_their_own() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    let said = json!([{ "id": "m1", "role": "user", "parts": parts }]);
    let page = json!({ "id": "c1", "messages": said, "quarry": { "progress": "none" } });
    for (path, asked) in [(RESPONSES, body(RESPONSES, json!({}))), (PAGE, page)] {
        server(&quarry).forget_statements();
        let answer = post(&quarry, path, &[], &asked).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.text().await.unwrap();
        let arrived = server(&quarry).statements();
        let count = |words: &str| arrived.iter().filter(|(sql, _)| sql.contains(words)).count();
        let counts = ["INTO ask_begun", "(?4, ?5, ?6)", "value < ?3"].map(count);
        assert_eq!(counts, [1, 0, 0], "{path}: {arrived:?}");
    }
    // It is found by its name all the same.
    let url = format!("{}{PAGE}/c1/stream", quarry.url);
    let told = client::get(&url, &[]).await.unwrap().text().await.unwrap();
    assert!(told.contains("[DONE]"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_joins_a_continuation_does_not_wait_for_a_store_that_hangs() {
    let late = Reply::text("late").hold("iteration");
    let rounds = [Reply::rate_limited("20"), late];
    let plans = [Reply::text("no plan"), Reply::text("no plan").hold("planning")];
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), plans)
        .first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = scripted(Setup::new(script)).await;
    let (ask, page) = interrupted_and_resumed(&quarry, &[]).await;
    quarry.provider.holding("iteration", 1).await;
    let other = somebody(&quarry).await;
    // What is kept of a response is written with the note of its items.
    server(&quarry).fault("(?4, ?5, ?6)", 0..u32::MAX, Fault::Hold("store".to_owned()));
    let follows = json!({ "model": "quarry", "previous_response_id": format!("resp_{ask}"),
        "background": true });
    refused(post_once(&quarry, RESPONSES, &[], &follows), other, "joined").await;
    server(&quarry).heal();
    server(&quarry).release("store");
    let joined = post(&quarry, RESPONSES, &[], &follows).await;
    assert_eq!(joined.status, 200);
    quarry.provider.release("iteration");
    assert!(page.text().await.unwrap().contains("\"success\""));
}
