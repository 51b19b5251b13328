//! What clients send again: by a key, by a count, or without a word.

mod elsewhere;
mod hanging;
mod keyed;
mod locked;
mod meant;
mod refused;
mod unkept;

use crate::requests::{KEY, post};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::ScriptedServer;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::pin::pin;
use std::time::Duration;

const QUESTION: &str = "What is six times seven?";
const CHAT: &str = "/v1/chat/completions";
const RESPONSES: &str = "/v1/responses";
const AGUI: &str = "/agui";
const PAGE: &str = "/api/chat";

/// Another.
const OTHER_KEY: (&str, &str) = ("idempotency-key", "9b1d0c7e-3f52-4a86-b1e4-6d2f8a905c13");

/// What this door is asked with.
fn body(path: &str, more: Value) -> Value {
    let messages = json!([{ "id": "m1", "role": "user", "content": QUESTION }]);
    let mut body = match path {
        RESPONSES => json!({ "model": "quarry", "input": QUESTION }),
        AGUI => json!({ "threadId": "t1", "runId": "r1", "messages": messages, "tools": [],
            "context": [], "state": {}, "forwardedProps": {} }),
        _ => json!({ "model": "quarry", "messages": messages }),
    };
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// `POST`, sent once whatever the store does.
async fn post_once(quarry: &Quarry, path: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    post_once_at(&quarry.url, path, headers, body).await
}

/// The same, to a process at this address.
async fn post_once_at(base: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    let headers = [&[("content-type", "application/json")], headers].concat();
    let url = format!("{base}{path}");
    client::send_once("POST", &url, &headers, body.to_string()).await.unwrap()
}

async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

/// A Quarry with an ask that its reader left, and the id of that. It waits for `iteration`.
async fn left(path: &str, asked: &Value) -> (Quarry, String) {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = started(script).await;
    let first = post(&quarry, path, &[], asked).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    drop(first);
    // What it is told next shows the ask that nobody is there.
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    until_marked(&quarry, "left").await;
    (quarry, ask)
}

async fn scripted(mut setup: Setup) -> Quarry {
    setup.keeper = Keeper::Scripted;
    setup.start().await.unwrap()
}

/// What keeps the database then.
fn server(quarry: &Quarry) -> &ScriptedServer {
    quarry.database.scripted().unwrap()
}

/// An ask that a page begins and a limit ends, and the answer to that page when it goes on.
async fn interrupted_and_resumed(quarry: &Quarry, headers: &[(&str, &str)]) -> (String, Open) {
    let first = post(quarry, AGUI, headers, &body(AGUI, json!({}))).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    assert!(first.text().await.unwrap().contains("\"interrupt\""));
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    let more = json!({ "runId": "r2", "messages": [], "resume": resume });
    let page = post(quarry, AGUI, headers, &body(AGUI, more)).await;
    (ask, page)
}

/// How often this was asked of the provider.
fn paid(quarry: &Quarry, phase: Phase) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
}

/// A provider whose limit ends the first ask, half-way.
fn limited() -> Script {
    let limited = Reply::rate_limited("20");
    Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited])
}

/// Waits until an ask has this mark beside its log.
async fn until_marked(quarry: &Quarry, place: &str) {
    let file = quarry.sqlite().unwrap();
    let has = "SELECT count(*) FROM log_value WHERE place = ?1";
    while file.query_row(has, [place], |row| row.get::<_, i64>(0)).unwrap() == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_rate_limit_the_same_request_goes_on_whether_it_counts_or_not() {
    let count = |count| Some(("x-stainless-retry-count", count));
    for path in [CHAT, RESPONSES] {
        for (first, again) in [(None, None), (count("0"), count("0")), (count("0"), count("1"))] {
            let quarry = started(limited()).await;
            let asked = body(path, json!({}));
            let sent = async |header: Option<(&str, &str)>| {
                post(&quarry, path, header.as_slice(), &asked).await
            };
            let refused = sent(first).await;
            assert_eq!(refused.status, 429, "{path}");
            assert_eq!(refused.header("retry-after"), Some("20"), "{path}");
            let done = sent(again).await;
            assert_eq!(done.status, 200, "{path} {again:?}");
            let ask = done.header("x-quarry-ask").unwrap().to_owned();
            done.json().await.unwrap();
            for phase in [Phase::Setup, Phase::Planning, Phase::Iteration(1), Phase::Synthesis] {
                assert_eq!(paid(&quarry, phase), 1, "{path} {again:?}: {phase:?}");
            }
            // Whoever asks again after an answer wants another one.
            let other = sent(first).await;
            assert_ne!(other.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
            other.json().await.unwrap();
            assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_its_reader_left_is_read_on_by_the_same_request() {
    for path in [CHAT, RESPONSES] {
        let asked = body(path, json!({ "stream": true }));
        let (quarry, ask) = left(path, &asked).await;
        let second = post(&quarry, path, &[], &asked).await;
        assert_eq!(second.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
        // It is read now: whoever sends the same asks for itself.
        let third = post(&quarry, path, &[], &asked).await;
        assert_ne!(third.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
        third.text().await.unwrap();
        quarry.provider.release("iteration");
        assert!(second.text().await.unwrap().ends_with("data: [DONE]\n\n"), "{path}");
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_joins_what_it_left_and_has_another_answer_where_it_wants_one() {
    for (trigger, is_joined) in [("submit-message", true), ("regenerate-message", false)] {
        let parts = json!([{ "type": "text", "text": QUESTION }]);
        let page = |trigger: &str| {
            let messages = json!([{ "id": "m1", "role": "user", "parts": parts }]);
            json!({ "id": "c1", "trigger": trigger, "messages": messages })
        };
        let (quarry, ask) = left(PAGE, &page("submit-message")).await;
        let second = post(&quarry, PAGE, &[], &page(trigger)).await;
        let same = second.header("x-quarry-ask") == Some(ask.as_str());
        assert_eq!(same, is_joined, "{trigger}");
        quarry.provider.release("iteration");
        assert!(second.text().await.unwrap().ends_with("data: [DONE]\n\n"), "{trigger}");
        assert_eq!(paid(&quarry, Phase::Setup), if is_joined { 1 } else { 2 }, "{trigger}");
    }
}

/// What a page that keeps no chats asks.
fn of_no_chat() -> Value {
    let parts = json!([{ "type": "text", "text": QUESTION }]);
    json!({ "messages": [{ "id": "m1", "role": "user", "parts": parts }] })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_without_a_chat_joins_what_it_left_by_the_same_request() {
    let (quarry, ask) = left(PAGE, &of_no_chat()).await;
    let second = post(&quarry, PAGE, &[], &of_no_chat()).await;
    assert_eq!(second.header("x-quarry-ask"), Some(ask.as_str()));
    quarry.provider.release("iteration");
    assert!(second.text().await.unwrap().ends_with("data: [DONE]\n\n"));
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

/// Nobody can tell a lost answer from somebody who wants several: whoever wants one says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_on_by_itself_is_begun_anew_unless_it_says_that_it_came_before() {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Planning), planning);
    let quarry = started(script).await;
    let asked = body(RESPONSES, json!({ "background": true }));
    let sent = async |header: Option<(&str, &str)>| {
        let begun = post(&quarry, RESPONSES, header.as_slice(), &asked).await;
        begun.json().await.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let first = sent(None).await;
    quarry.provider.holding("planning", 1).await;
    let second = sent(None).await;
    assert_ne!(second, first);
    quarry.provider.holding("planning", 2).await;
    assert_eq!(sent(Some(("x-stainless-retry-count", "1"))).await, second);
    assert_eq!(sent(Some(KEY)).await, sent(Some(KEY)).await);
    quarry.provider.holding("planning", 3).await;
    assert_eq!(paid(&quarry, Phase::Setup), 3);
    quarry.provider.release("planning");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_cancelled_is_not_gone_on_with() {
    let late = Reply::text("late").hold("iteration");
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late])).await;
    let key = [KEY];
    let asked = body(RESPONSES, json!({ "background": true }));
    let first = post(&quarry, RESPONSES, &key, &asked).await.json().await.unwrap();
    quarry.provider.holding("iteration", 1).await;
    let cancel = format!("{RESPONSES}/{}/cancel", first["id"].as_str().unwrap());
    let cancelled = post(&quarry, &cancel, &[], &Value::Null).await.json().await.unwrap();
    assert_eq!(cancelled["status"], "cancelled");
    quarry.provider.release("iteration");
    let paid = quarry.provider.calls().len();
    let again = post(&quarry, RESPONSES, &key, &asked).await.json().await.unwrap();
    assert_eq!(again, cancelled);
    assert_eq!(quarry.provider.calls().len(), paid);
    // Without a key nobody says that it is no new question.
    quarry.provider.set_script(Script::ordinary());
    let anew = post(&quarry, RESPONSES, &[], &asked).await.json().await.unwrap();
    assert_ne!(anew["id"], first["id"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_stopped_is_told_again_as_it_ended() {
    let late = Reply::text("late").hold("iteration");
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late])).await;
    let asked = body(AGUI, json!({ "protocolVersion": "1.0" }));
    let first = post(&quarry, AGUI, &[], &asked).await;
    let stop = format!("/ask/{}/stop", first.header("x-quarry-ask").unwrap());
    quarry.provider.holding("iteration", 1).await;
    assert_eq!(post(&quarry, &stop, &[], &Value::Null).await.status, 202);
    let sent = first.text().await.unwrap();
    assert!(sent.contains("\"cancelled\""), "{sent}");
    quarry.provider.release("iteration");
    let paid = quarry.provider.calls().len();
    assert_eq!(post(&quarry, AGUI, &[], &asked).await.text().await.unwrap(), sent);
    assert_eq!(quarry.provider.calls().len(), paid);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_is_gone_on_with_once_whoever_wants_it() {
    let quarry = started(limited()).await;
    let first = post(&quarry, AGUI, &[], &body(AGUI, json!({}))).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    assert!(first.text().await.unwrap().contains("\"interrupt\""));
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    let mut gone_on = Vec::new();
    for run in ["r2", "r3"] {
        let more = json!({ "runId": run, "messages": [], "resume": resume });
        let open = post(&quarry, AGUI, &[], &body(AGUI, more)).await;
        gone_on.push(open.header("x-quarry-ask").unwrap().to_owned());
        let sent = open.text().await.unwrap();
        assert!(sent.contains("\"success\"") && sent.contains(run), "{sent}");
    }
    // At another door it is the same.
    let follows = json!({ "model": "quarry", "previous_response_id": format!("resp_{ask}") });
    let open = post(&quarry, RESPONSES, &[], &follows).await;
    assert_eq!(open.status, 200);
    let response = open.json().await.unwrap();
    assert_eq!(response["status"], "completed");
    gone_on.push(response["id"].as_str().unwrap().replace("resp_", ""));
    assert!(gone_on[0] != ask && gone_on.iter().all(|id| *id == gone_on[0]), "{gone_on:?}");
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(paid(&quarry, phase), 1, "{phase:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_no_stream_is_written_whether_its_client_waits_or_not() {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
    let quarry = Setup::new(script).variable("chat_grace_seconds", "1").start().await.unwrap();
    let (url, asked) = (format!("{}{CHAT}", quarry.url), body(CHAT, json!({})).to_string());
    let asking = tokio::spawn(async move { client::send("POST", &url, &[], asked).await });
    quarry.provider.holding("planning", 1).await;
    asking.abort();
    assert!(asking.await.is_err());
    quarry.provider.release("planning");
    quarry.until_stored("\"ended\":\"answered\"").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_continuation_that_failed_is_begun_again_from_what_was_paid() {
    let replies = [Reply::rate_limited("20"), Reply::status(401, "no such key")];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), replies);
    let quarry = started(script).await;
    let first = post(&quarry, AGUI, &[], &body(AGUI, json!({}))).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    assert!(first.text().await.unwrap().contains("\"interrupt\""));
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    for (run, end) in [("r2", "RUN_ERROR"), ("r3", "\"success\"")] {
        let more = json!({ "runId": run, "messages": [], "resume": resume });
        let sent = post(&quarry, AGUI, &[], &body(AGUI, more)).await.text().await.unwrap();
        assert!(sent.contains(end), "{run}: {sent}");
    }
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(paid(&quarry, phase), 1, "{phase:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_back_to_a_stream_that_is_silent_joins_it_without_a_word() {
    for path in [CHAT, RESPONSES] {
        let planning = Reply::text("no plan").hold("planning");
        let plans = [planning.clone(), planning];
        let quarry = started(Script::ordinary().first(Match::Phase(Phase::Planning), plans)).await;
        // Somebody else reads on, and is given a sign of life sooner than who comes after it would be.
        let other = body(RESPONSES, json!({ "input": "And times eight?", "stream": true }));
        let mut other = post(&quarry, RESPONSES, &[], &other).await;
        quarry.provider.holding("planning", 1).await;
        let asked = body(path, json!({ "stream": true }));
        let first = post(&quarry, path, &[], &asked).await;
        let ask = first.header("x-quarry-ask").unwrap().to_owned();
        quarry.provider.holding("planning", 2).await;
        drop(first);
        // Nothing happens in the ask, and nothing is written: that its reader left is seen all the same.
        let mut marked = pin!(until_marked(&quarry, "left"));
        loop {
            tokio::select! {
                () = &mut marked => break,
                told = other.chunk() => {
                    let told = String::from_utf8(told.unwrap().unwrap().to_vec()).unwrap();
                    assert!(told.lines().all(|line| line != ":"), "{path}: a sign of life came first");
                }
            }
        }
        let second = post(&quarry, path, &[], &asked).await;
        assert_eq!(second.header("x-quarry-ask"), Some(ask.as_str()), "{path}");
        quarry.provider.release("planning");
        assert!(second.text().await.unwrap().ends_with("data: [DONE]\n\n"), "{path}");
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_joins_a_continuation_gets_what_it_wished_or_is_told_why_not() {
    let plans = [Reply::text("no plan"), Reply::text("no plan").hold("planning")];
    let rounds = [Reply::rate_limited("20"), Reply::text("late").hold("iteration")];
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), plans)
        .first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = Setup::new(script).variable("chat_grace_seconds", "1").start().await.unwrap();
    let (ask, page) = interrupted_and_resumed(&quarry, &[]).await;
    let gone_on = page.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("iteration", 1).await;
    let mut follows = json!({ "model": "quarry", "previous_response_id": format!("resp_{ask}") });
    follows["background"] = json!(true);
    let response = post(&quarry, RESPONSES, &[], &follows).await.json().await.unwrap();
    assert_eq!(response["id"], format!("resp_{gone_on}"));
    assert_eq!(response["background"], true);
    follows["background"] = json!(false);
    follows["store"] = json!(false);
    let refused = post(&quarry, RESPONSES, &[], &follows).await;
    assert_eq!(refused.status, 400);
    let error = refused.json().await.unwrap()["error"].clone();
    assert_eq!(error["param"], "store");
    assert!(error["message"].as_str().unwrap().contains("what comes of it is stored"), "{error}");
    // The page leaves. Another that leaves behind it tells when its time is over.
    drop(page);
    until_marked(&quarry, "left").await;
    let other = post(&quarry, CHAT, &[], &body(CHAT, json!({ "stream": true }))).await;
    quarry.provider.holding("planning", 1).await;
    drop(other);
    until_marked(&quarry, "stop").await;
    quarry.provider.release("planning");
    quarry.provider.release("iteration");
    let url = format!("{}{RESPONSES}/resp_{gone_on}?stream=true", quarry.url);
    let told = client::send("GET", &url, &[], String::new()).await.unwrap().text().await.unwrap();
    assert!(told.contains("event: response.completed"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_goes_on_with_the_same_is_told_the_same_frames_whatever_each_wishes() {
    let rounds = [Reply::rate_limited("20"), Reply::text("late").hold("iteration")];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let limited = post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await;
    let ask = limited.header("x-quarry-ask").unwrap().to_owned();
    limited.text().await.unwrap();
    let named = format!("resp_{ask}");
    let talking = json!({ "model": "quarry", "previous_response_id": named, "stream": true });
    let mut quiet = talking.clone();
    quiet["reasoning"] = json!({ "summary": "none" });
    let first = post(&quarry, RESPONSES, &[], &quiet).await;
    quarry.provider.holding("iteration", 1).await;
    let second = post(&quarry, RESPONSES, &[], &talking).await;
    assert_eq!(second.header("x-quarry-ask"), first.header("x-quarry-ask"));
    quarry.provider.release("iteration");
    let first = first.text().await.unwrap();
    assert!(
        first.contains("response.completed") && !first.contains("reasoning_summary"),
        "{first}"
    );
    assert_eq!(second.text().await.unwrap(), first);
}
