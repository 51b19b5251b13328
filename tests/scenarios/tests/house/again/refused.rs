//! What a refusal leaves behind for the next try, and how long it takes.

use super::{
    AGUI, CHAT, QUESTION, RESPONSES, body, interrupted_and_resumed, paid, post, scripted, server,
    started,
};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{FOR_A_PLACE, Quarry, Setup};
use quarry_scenarios::research::{ASKED, TASK, asked, replies, script};
use quarry_test_libsql::Fault;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than an instance believes what it has read of its variables.
const BELIEVED: Duration = Duration::from_secs(31);

/// How often it was sent before, as OpenAI's clients count.
async fn tried(quarry: &Quarry, path: &str, count: &str, body: &Value) -> Open {
    post(quarry, path, &[("x-stainless-retry-count", count)], body).await
}

/// It is refused, twice: that an older answer is none any more is no longer waited for than half a second, and a machine may
/// stop for as long.
async fn is_refused(quarry: &Quarry, path: &str, body: &Value, status: u16) {
    for _ in 0..2 {
        assert_eq!(tried(quarry, path, "0", body).await.status, status, "{path}");
    }
}

async fn id(open: Open) -> String {
    let status = open.status;
    let shown = open.json().await.unwrap();
    assert_eq!(status, 200, "{shown}");
    shown["id"].as_str().unwrap().to_owned()
}

/// Sends it again until it is not refused for asking too often.
async fn again(quarry: &Quarry, body: &Value) -> String {
    loop {
        let open = tried(quarry, RESPONSES, "1", body).await;
        if open.status != 429 {
            return id(open).await;
        }
    }
}

/// What begins a run of one node.
fn of_run(more: Value) -> Value {
    let mut run = json!({ "model": "quarry-run", "background": true });
    run["reasoning"] = json!({ "effort": "low" });
    for (name, value) in more.as_object().unwrap() {
        run[name] = value.clone();
    }
    body(RESPONSES, run)
}

/// A provider that answers an ask, and a run of one node.
fn both() -> Script {
    ASKED.into_iter().zip(replies()).fold(Script::ordinary(), |script, (words, reply)| {
        script.first_always(asked(words), Reply::json(&reply))
    })
}

/// Looks until a response has ended.
async fn ended(quarry: &Quarry, id: &str) -> Value {
    loop {
        let url = format!("{}{RESPONSES}/{id}", quarry.url);
        let shown = client::get(&url, &[]).await.unwrap().json().await.unwrap();
        if !["queued", "in_progress"].contains(&shown["status"].as_str().unwrap()) {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until somebody wants what is kept beside this log.
async fn until_wanted(quarry: &Quarry, log: &str) {
    let is_read = |(statement, first): &(String, Option<String>)| {
        statement.starts_with("SELECT value FROM log_value") && first.as_deref() == Some(log)
    };
    while !server(quarry).statements().iter().any(is_read) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_what_was_refused_is_not_told_an_older_answer() {
    let mut tries = 0..FOR_A_PLACE;
    while !a_retry_of_what_found_no_place_is_answered_anew().await {
        assert!(tries.next().is_some(), "no ask has a place");
    }
}

/// False: somebody else has no place either.
async fn a_retry_of_what_found_no_place_is_answered_anew() -> bool {
    let quarry = Setup::new(Script::ordinary()).variable("max_asks", "1").start().await.unwrap();
    let asked = body(CHAT, json!({}));
    let first = tried(&quarry, CHAT, "0", &asked).await;
    let old = first.header("x-quarry-ask").unwrap().to_owned();
    first.json().await.unwrap();
    // Somebody else has the only place.
    let planning = Reply::text("no plan").hold("planning");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [planning]));
    let wanted = body(CHAT, json!({ "stream": true }));
    // It is given back behind the last word.
    let other = loop {
        let other = post(&quarry, CHAT, &[], &wanted).await;
        if other.status != 429 {
            break other;
        }
    };
    quarry.provider.holding("planning", 1).await;
    if quarry.places_taken().unwrap() == 0 {
        return false;
    }
    is_refused(&quarry, CHAT, &asked, 429).await;
    quarry.provider.release("planning");
    other.text().await.unwrap();
    let done = loop {
        let open = tried(&quarry, CHAT, "1", &asked).await;
        if open.status == 200 {
            break open;
        }
        assert_eq!(open.status, 429);
    };
    assert_ne!(done.header("x-quarry-ask"), Some(old.as_str()));
    assert!(done.json().await.unwrap()["usage"].is_object());
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_what_the_limit_of_requests_refused_is_not_told_an_older_answer() {
    for (path, asked) in [(CHAT, body(CHAT, json!({}))), (RESPONSES, of_run(json!({})))] {
        let setup = Setup::new(both()).variable("rate_limit_requests", "1");
        let quarry = setup.variable("rate_limit_window_seconds", "3600").start().await.unwrap();
        let old = id(tried(&quarry, path, "0", &asked).await).await;
        if path == RESPONSES {
            ended(&quarry, &old).await;
        }
        is_refused(&quarry, path, &asked, 429).await;
        let quarry = quarry.restart_with("rate_limit_requests", "0").await.unwrap();
        assert_ne!(id(tried(&quarry, path, "1", &asked).await).await, old, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_what_a_wrong_variable_refused_is_not_told_an_older_answer() {
    let quarry = started(Script::ordinary()).await;
    let asked = body(CHAT, json!({}));
    let old = id(tried(&quarry, CHAT, "0", &asked).await).await;
    let quarry = quarry.restart_with("chat_grace_seconds", "soon").await.unwrap();
    is_refused(&quarry, CHAT, &asked, 503).await;
    let quarry = quarry.restart_with("chat_grace_seconds", "30").await.unwrap();
    assert_ne!(id(tried(&quarry, CHAT, "1", &asked).await).await, old);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_under_way_is_found_by_a_retry_of_what_was_refused_meanwhile() {
    let [_, _, judged, _] = replies();
    let script = script().first(asked(ASKED[2]), [Reply::json(&judged).hold("judgement")]);
    let setup = Setup::new(script).variable("rate_limit_requests", "1");
    // Its driver has it however far the time of day is moved on.
    let setup = setup.variable("run_lease_ms", "3600000");
    let quarry = setup.variable("rate_limit_window_seconds", "3600").start().await.unwrap();
    let wanted = of_run(json!({ "input": TASK }));
    let begun = id(tried(&quarry, RESPONSES, "0", &wanted).await).await;
    quarry.provider.holding("judgement", 1).await;
    // It is sent again so soon that it is refused.
    assert_eq!(tried(&quarry, RESPONSES, "1", &wanted).await.status, 429);
    assert_eq!(tried(&quarry, RESPONSES, "0", &wanted).await.status, 429);
    if !quarry.change_variable("rate_limit_requests", "0", BELIEVED).unwrap() {
        return;
    }
    assert_eq!(again(&quarry, &wanted).await, begun);
    quarry.provider.release("judgement");
    assert_eq!(ended(&quarry, &begun).await["status"], "completed");
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_what_a_failing_store_refused_is_not_told_an_older_answer() {
    let quarry = scripted(Setup::new(both())).await;
    let before = id(post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await).await;
    let follows = json!({ "input": "And times eight?", "previous_response_id": before });
    for asked in [body(RESPONSES, follows.clone()), of_run(follows)] {
        let old = id(tried(&quarry, RESPONSES, "0", &asked).await).await;
        ended(&quarry, &old).await;
        // What it goes on with cannot be read this once.
        server(&quarry).fault("SELECT value FROM log_value", 0..1, Fault::Status(500));
        assert_eq!(tried(&quarry, RESPONSES, "0", &asked).await.status, 503, "{asked}");
        server(&quarry).heal();
        assert_ne!(id(tried(&quarry, RESPONSES, "1", &asked).await).await, old, "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_answered_a_moment_ago_is_gone_on_with_before_the_store_knows_of_its_end() {
    let quarry = scripted(Setup::new(Script::ordinary())).await;
    // Its end is written at the second try.
    server(&quarry).fault("INTO log_over", 0..1, Fault::Status(500));
    let old = id(post(&quarry, RESPONSES, &[], &body(RESPONSES, json!({}))).await).await;
    let follows = body(RESPONSES, json!({ "previous_response_id": old }));
    assert_ne!(id(post(&quarry, RESPONSES, &[], &follows).await).await, old);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_too_often_is_told_so_while_the_store_hangs() {
    for (path, asked) in [(CHAT, body(CHAT, json!({}))), (RESPONSES, of_run(json!({})))] {
        let setup = Setup::new(both()).variable("rate_limit_requests", "2");
        let quarry = scripted(setup.variable("rate_limit_window_seconds", "3600")).await;
        let other = post(&quarry, AGUI, &[], &body(AGUI, json!({}))).await;
        let ask = other.header("x-quarry-ask").unwrap().to_owned();
        other.text().await.unwrap();
        let begun = id(tried(&quarry, path, "0", &asked).await).await;
        if path == RESPONSES {
            ended(&quarry, &begun).await;
        }
        server(&quarry).forget_statements();
        for words in ["FROM log_value", "idempotency_key"] {
            server(&quarry).fault(words, 0..u32::MAX, Fault::Hold("store".to_owned()));
        }
        // Whoever wants something of the store waits for it as long as anybody does.
        let url = format!("{}{RESPONSES}/resp_{ask}", quarry.url);
        let mut reader = tokio::spawn(async move { client::get(&url, &[]).await.unwrap().status });
        until_wanted(&quarry, &ask).await;
        tokio::select! {
            refused = tried(&quarry, path, "0", &asked) => assert_eq!(refused.status, 429, "{path}"),
            _ = &mut reader => panic!("{path}: the refusal waited for the store"),
        }
        server(&quarry).release("store");
        reader.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_joined_is_held_for_whoever_goes_on_with_it_alone_and_once() {
    let late = Reply::text("late").hold("iteration");
    let rounds = [Reply::rate_limited("20"), late];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let held = || {
        let file = quarry.sqlite().unwrap();
        let held = "SELECT count(*) FROM log_value WHERE CAST(value AS TEXT) = 'holds'";
        file.query_row(held, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let (ask, page) = interrupted_and_resumed(&quarry, &[]).await;
    quarry.provider.holding("iteration", 1).await;
    let follows = json!({ "model": "quarry", "previous_response_id": format!("resp_{ask}"),
        "background": true });
    for _ in 0..3 {
        id(post(&quarry, RESPONSES, &[], &follows).await).await;
    }
    assert_eq!(held(), 1);
    quarry.provider.release("iteration");
    page.text().await.unwrap();
    // Nobody can leave what was begun without a reader.
    let planning = Reply::text("no plan").hold("planning");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [planning]));
    let background = body(RESPONSES, json!({ "background": true }));
    let begun = id(tried(&quarry, RESPONSES, "0", &background).await).await;
    quarry.provider.holding("planning", 1).await;
    for _ in 0..3 {
        assert_eq!(id(tried(&quarry, RESPONSES, "1", &background).await).await, begun);
    }
    assert_eq!(held(), 1);
    quarry.provider.release("planning");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_of_a_continuation_that_a_page_began_are_known_to_whoever_joined_it() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let ada = [("authorization", "Bearer ada")];
    let (ask, page) = interrupted_and_resumed(&quarry, &ada).await;
    assert!(page.text().await.unwrap().contains("\"success\""));
    let follows = json!({ "model": "quarry", "previous_response_id": format!("resp_{ask}") });
    let joined = post(&quarry, RESPONSES, &ada, &follows).await.json().await.unwrap();
    assert_eq!(paid(&quarry, Phase::Synthesis), 1);
    let said = joined["output"].as_array().unwrap().last().unwrap();
    let input = json!([
        { "role": "user", "content": QUESTION },
        { "type": "item_reference", "id": said["id"] },
        { "role": "user", "content": "And times eight?" },
    ]);
    let asked = body(RESPONSES, json!({ "input": input }));
    let open = post(&quarry, RESPONSES, &ada, &asked).await;
    let (status, told) = (open.status, open.json().await.unwrap());
    assert_eq!((status.as_u16(), &told["status"]), (200, &json!("completed")), "{told}");
}
