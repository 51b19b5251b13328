//! What is sent, what is understood, what is said at the end.

use super::*;
use crate::again::tests::{Served, refusal};

fn options(words: &[&str]) -> Options {
    Options::parse(lexopt::Parser::from_args(words)).unwrap().unwrap()
}

#[test]
fn options_become_the_body_and_a_knob_with_a_dot_an_object() {
    let words = [
        "Who built it?",
        "--model",
        "openai:x",
        "--effort",
        "quick",
        "--set",
        "max_depth=1",
        "--set",
        "timeouts.run=60",
        "--set",
        "timeouts.query=5",
        "--set",
        "on_timeout=fail",
        "--budget-usd",
        "0.5",
        "--budget-tokens",
        "9000",
        "--sources",
        "both",
        "--collection",
        "boats",
        "--guidance",
        "Prefer registers.",
    ];
    let expected = json!({
        "task": "Who built it?", "model": "openai:x", "effort": "quick",
        "sources": "both", "collection": "boats",
        "config": { "max_depth": 1, "timeouts": { "run": 60, "query": 5 }, "on_timeout": "fail" },
        "budget": { "usd": 0.5, "tokens": 9000 }, "guidance": "Prefer registers.",
    });
    assert_eq!(request("Who built it?", &options(&words)), expected);
    assert_eq!(request("Why?", &options(&["Why?"])), json!({ "task": "Why?" }));
    // A resumed run is told what bounds it, and its guidance by itself.
    let resumed = options(&["--resume", "01ab", "--budget-tokens", "9000", "--guidance", "x"]);
    assert_eq!(Value::Object(resumption(&resumed)), json!({ "budget": { "tokens": 9000 } }));
    let forced = options(&["--resume", "01ab", "--force"]);
    assert_eq!(Value::Object(resumption(&forced)), json!({ "force": true }));
}

#[test]
fn only_what_does_nothing_by_itself_is_resumed() {
    for (snapshot, expected) in [
        (json!({ "status": "completed" }), false),
        (json!({ "status": "running" }), false),
        (json!({ "status": "queued" }), false),
        (json!({ "status": "queued", "waiting": { "reason": "needs_key" } }), true),
        (json!({ "status": "failed" }), true),
        (json!({ "status": "aborted" }), true),
    ] {
        assert_eq!(is_to_be_resumed(&snapshot), expected, "{snapshot}");
    }
}

#[test]
fn the_last_event_says_how_it_ended() {
    let waits = |until: Value| {
        let hint = json!({ "waiting": { "reason": "needs_key", "until": until, "hint": "" } });
        let payload = AnyPayload::parse(EventName::RunWaiting, &hint.to_string()).unwrap();
        end(EventName::RunWaiting, Some(&payload)).map(End::code)
    };
    assert_eq!(waits(Value::Null), Some(3));
    assert_eq!(waits(json!("2026-01-02T03:04:05Z")), None, "it goes on by itself");
    assert_eq!(end(EventName::RunCompleted, None).map(End::code), Some(0));
    assert_eq!(end(EventName::RunFailed, None).map(End::code), Some(1));
    assert_eq!(end(EventName::RunAborted, None).map(End::code), Some(1));
    assert_eq!(end(EventName::CheckpointSaved, None), None);
}

#[test]
fn events_are_lines_with_their_names_first() {
    let told = line("run_started", r#"{"sequence":1,"task":"é"}"#);
    assert_eq!(told, "{\"event\":\"run_started\",\"sequence\":1,\"task\":\"é\"}\n");
    assert_eq!(line("x", "{}"), "{\"event\":\"x\"}\n");
}

#[test]
fn whoever_leaves_is_told_how_to_come_back() {
    let said = |end, words: &[&str]| farewell(end, "01ab", &options(words)).join(" ");
    assert_eq!(
        said(End::Interrupted, &["x"]),
        "The run is interrupted; what it found is kept in target/quarry-state. Go on with it by:  cargo xtask run --resume 01ab"
    );
    assert_eq!(
        said(End::Interrupted, &["x", "--url", "http://a"]),
        "The run goes on where it is served. Watch it again with:  cargo xtask run --resume 01ab --url http://a"
    );
    let apart = said(End::Interrupted, &["x", "--state", "/a/b"]);
    assert!(apart.contains("kept in /a/b.") && apart.ends_with("--resume 01ab --state /a/b"));
    let spaced = said(End::Interrupted, &["x", "--state", "/a b/it's"]);
    assert!(spaced.ends_with(r"--resume 01ab --state '/a b/it'\''s'"), "{spaced}");
    let waits = said(End::Waits, &["x", "--runtime", "spin"]);
    assert!(waits.ends_with("--resume 01ab --runtime spin"), "{waits}");
    assert_eq!(said(End::Completed, &["x"]), "");
}

#[tokio::test]
async fn a_run_whose_answer_is_lost_is_begun_again_with_its_key() {
    let begun = "HTTP/1.1 201 Created\r\ncontent-length: 17\r\nconnection: close\r\n\r\n{\"run_id\":\"01ab\"}";
    let served = Served::begin([String::new(), refusal(503, 0), begun.to_owned()]).await;
    let options = options(&["Who built it?"]);
    let mut watcher = Watcher::new(&options, &served.url, None);
    watcher.begin("Who built it?").await.unwrap();
    assert_eq!(watcher.id.as_deref(), Some("01ab"));
    let sent = served.end().await;
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|it| *it == sent[0] && it.contains(again::KEY)), "{sent:?}");
}

#[tokio::test]
async fn a_run_that_is_refused_was_not_begun() {
    let served = Served::begin([refusal(503, 0)]).await;
    let options = options(&["Who built it?"]);
    let told = Watcher::new(&options, &served.url, None).begin("x").await.unwrap_err();
    assert!(told.is::<replies::Refused>(), "{told:#}");
    assert_eq!(served.end().await.len(), 1);
}

#[tokio::test]
async fn a_run_that_is_not_kept_here_may_be_kept_elsewhere() {
    let reply = || refusal(404, 0);
    for (words, is_told) in [
        (&["--resume", "01ab", "--state", "/a/b"][..], true),
        (&["--resume", "01ab", "--url", "http://a"], false),
    ] {
        let (served, options) = (Served::begin([reply()]).await, options(words));
        let told = Watcher::new(&options, &served.url, None).resume("01ab").await.unwrap_err();
        let told = told.to_string();
        assert!(told.starts_with("404 Not Found"), "{told}");
        assert_eq!(told.contains("\nhint: those that were begun here are kept in /a/b;"), is_told);
        served.end().await;
    }
}
