//! What the official clients of OpenAI send again by themselves is one ask, which is paid for once.

use super::ANSWER;
use super::cut::Cut;
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use tokio::process::Command;

const DOORS: [&str; 2] = ["chat", "responses"];

/// The clients that are there: a program each and its script.
fn programs() -> Vec<(Command, &'static str)> {
    let python = Clients::with(&["openai-python"]).unwrap().map(|it| (it.python(), "retry.py"));
    let node = Clients::with(&["openai-js"]).unwrap().map(|it| (it.node(), "retry.mjs"));
    python.into_iter().chain(node).collect()
}

/// How often each of these was asked for.
fn paid(quarry: &Quarry, phase: Phase) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_breaks_is_joined_again() {
    for door in DOORS {
        for manner in ["whole", "stream"] {
            for (program, script) in programs() {
                let plan = Reply::json(&serde_json::json!({})).hold("planning");
                let held = Script::ordinary().first(Match::Phase(Phase::Planning), [plan]);
                let quarry = Setup::new(held).start().await.unwrap();
                let cut = Cut::before(&quarry.url).await;
                let url = cut.url.clone();
                let asked = tokio::spawn(async move {
                    clients::run_script(program, script, &[&url, door, manner]).await
                });
                quarry.provider.holding("planning", 1).await;
                cut.now();
                cut.came_again().await;
                quarry.provider.release("planning");
                let told = asked.await.unwrap().unwrap();
                assert!(told.contains(ANSWER), "{script} {door} {manner}: {told}");
                for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
                    assert_eq!(paid(&quarry, phase), 1, "{script} {door} {manner}: {phase:?}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rate_limit_ended_is_gone_on_with() {
    for (program, script) in programs() {
        // Longer than Quarry waits by itself, and not longer than a test may.
        let limited = Reply::rate_limited("3");
        let script_of_model =
            Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
        let quarry = Setup::new(script_of_model).start().await.unwrap();
        let told = clients::run_script(program, script, &[&quarry.url, "chat", "whole"]).await;
        let told = told.unwrap();
        assert!(told.contains(ANSWER), "{script}: {told}");
        for phase in [Phase::Setup, Phase::Planning, Phase::Iteration(1), Phase::Synthesis] {
            assert_eq!(paid(&quarry, phase), 1, "{script}: {phase:?}");
        }
    }
}
