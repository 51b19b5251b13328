//! What official clients send again by themselves is one ask, which is paid for once.

use super::ANSWER;
use super::cut::Cut;
use quarry_scenarios::client;
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use std::time::Duration;
use tokio::process::Command;

const DOORS: [&str; 2] = ["chat", "responses"];

/// The clients that are there: a program each and its script.
fn programs() -> Vec<(Command, &'static str)> {
    let python = Clients::with(&["openai-python"]).unwrap().map(|it| (it.python(), "retry.py"));
    let node = Clients::with(&["openai-js"]).unwrap().map(|it| (it.node(), "retry.mjs"));
    python.into_iter().chain(node).collect()
}

/// Those that do not say when they send something again.
fn uncounted() -> Vec<(Command, &'static str)> {
    let ai = Clients::with(&["ai-sdk", "ai-sdk-providers"]).unwrap();
    let ai = ai.map(|it| (it.node(), "retry_ai.mjs"));
    let langchain = Clients::with(&["langchain-js", "node"]).unwrap();
    let langchain = langchain.map(|it| (it.new_node(), "retry_langchain.mjs"));
    ai.into_iter().chain(langchain).collect()
}

/// What a client's script prints. One that fails says why.
async fn told(program: Command, script: &str, arguments: &[&str]) -> String {
    let told = clients::run_script(program, script, arguments).await;
    told.unwrap_or_else(|why| panic!("{script} {arguments:?}: {why:#}"))
}

/// How often each of these was asked for.
fn paid(quarry: &Quarry, phase: Phase) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
}

/// A provider that is held at its plan.
fn held() -> Script {
    let plan = Reply::json(&serde_json::json!({})).hold("planning");
    Script::ordinary().first(Match::Phase(Phase::Planning), [plan])
}

/// Whether something stands beside the log of an ask: `left`, that whoever began it is gone; `reading` and more, that
/// somebody reads it whose connection is another.
fn is_marked(quarry: &Quarry, place: &str) -> bool {
    let file = quarry.sqlite().unwrap();
    let marked = "SELECT count(*) FROM log_value WHERE place LIKE ?1 || '%'";
    file.query_row(marked, [place], |row| row.get::<_, i64>(0)).unwrap() > 0
}

/// Lets a client ask, cuts its connection while it waits, and lets it come back by itself. Whoever does not say that it
/// comes again is heard when it is known that it left: before that it is somebody who asks the same.
async fn cut_once(
    (program, counts): (Command, bool),
    script: &'static str,
    door: &'static str,
    manner: &'static str,
) {
    let quarry = Setup::new(held()).start().await.unwrap();
    let cut = Cut::before(&quarry.url).await;
    let url = cut.url.clone();
    let mut asked = tokio::spawn(async move { told(program, script, &[&url, door, manner]).await });
    quarry.provider.holding("planning", 1).await;
    cut.now();
    tokio::select! {
        () = cut.came_again() => {}
        told = &mut asked => panic!("{script} {door} {manner} did not come back: {told:?}"),
    }
    while !counts && !is_marked(&quarry, "left") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    cut.passes();
    // What ends before its client is back was not left half-way.
    while !asked.is_finished() && !is_marked(&quarry, "reading") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    quarry.provider.release("planning");
    let told = asked.await.unwrap();
    assert!(told.contains(ANSWER), "{script} {door} {manner}: {told}");
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(paid(&quarry, phase), 1, "{script} {door} {manner}: {phase:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_breaks_is_joined_again() {
    for door in DOORS {
        for manner in ["whole", "stream"] {
            for (program, script) in programs() {
                cut_once((program, true), script, door, manner).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_breaks_is_joined_again_by_clients_that_do_not_count() {
    for door in DOORS {
        for (program, script) in uncounted() {
            cut_once((program, false), script, door, "stream").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rate_limit_ended_is_gone_on_with() {
    for (program, script) in programs().into_iter().chain(uncounted()) {
        // Longer than Quarry waits by itself, and not longer than a test may.
        let limited = Reply::rate_limited("3");
        let script_of_model =
            Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
        let quarry = Setup::new(script_of_model).start().await.unwrap();
        let told = told(program, script, &[&quarry.url, "chat", "whole"]).await;
        assert!(told.contains(ANSWER), "{script}: {told}");
        for phase in [Phase::Setup, Phase::Planning, Phase::Iteration(1), Phase::Synthesis] {
            assert_eq!(paid(&quarry, phase), 1, "{script}: {phase:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_refused_for_asking_too_often_comes_back_when_it_is_told_to() {
    for (program, script) in programs().into_iter().chain(uncounted()) {
        let setup = Setup::new(Script::ordinary()).variable("rate_limit_requests", "1");
        let quarry = setup.variable("rate_limit_window_seconds", "2").start().await.unwrap();
        let url = format!("{}/ask", quarry.url);
        let other = client::send("POST", &url, &[], r#"{"query":"Who?"}"#.to_owned()).await;
        other.unwrap().text().await.unwrap();
        let told = told(program, script, &[&quarry.url, "responses", "whole"]).await;
        assert!(told.contains(ANSWER), "{script}: {told}");
        assert_eq!(paid(&quarry, Phase::Setup), 2, "{script}");
    }
}
