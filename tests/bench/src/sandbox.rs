//! The sandbox: what the smallest program costs, and what a hostile one costs everyone else.

use crate::Plan;
use crate::client::{self, Measured, Target};
use crate::host::{Kept, Program, SMALLEST};
use crate::report::Report;
use crate::subject::{self, Subject};
use anyhow::{Context as _, Result, ensure};
use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider};
use quarry_types::in_head::PROGRAM;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Asks beside a hostile program.
const ASKS: usize = 50;

/// Asks that are not measured, while the hostile program begins.
const SETTLING: usize = 5;

/// What marks the ask whose program is hostile.
const MARK: &str = "Run the hostile program";

/// Programs that keep the engine busy in different ways until their time is up.
const HOSTILE: [(&str, &str); 3] = [
    ("an endless loop", "for (;;);"),
    ("a native built-in without end", "new Array(4294967295).indexOf(1)"),
    (
        "a heap that grows and is collected",
        "for (;;) { let a = []; for (let i = 0; i < 1e5; i++) a.push({ i }) }",
    ),
];

/// A program that does nothing, by itself: in a head, as the courier has small ones.
pub async fn trivial(
    program: &Program,
    manifest: &Path,
    plan: Plan,
    report: &mut Report,
) -> Result<()> {
    let sandbox = program.alone(manifest, "sandbox").await?;
    let target = Target::get(sandbox.address, "/javascript/run").with(PROGRAM, SMALLEST);
    let name = "the sandbox: `6 * 7`, an instance of its own each";
    let mut subjects = [Subject::ours(name, &sandbox, target)];
    subject::measure(&mut subjects, plan).await?;
    report.subjects(&subjects);
    Ok(())
}

/// The same over the courier: what asks tell of the time that their programs took.
pub async fn over_the_courier(target: &Target, report: &mut Report) -> Result<()> {
    let mut durations = Vec::new();
    for measured in client::run(target, 1, ASKS).await? {
        let body = String::from_utf8(measured.body)?;
        let mut lines = body.lines();
        while lines.any(|line| line == "event: tool_result") {
            let data = lines.next().and_then(|line| line.strip_prefix("data: "));
            let data: Value = serde_json::from_str(data.context("an event has no data")?)?;
            let duration = data.get("duration").and_then(Value::as_u64);
            durations.push(Duration::from_millis(duration.context("a result has no duration")?));
        }
    }
    report.courier(&durations);
    Ok(())
}

/// Ordinary asks, alone and beside each hostile program, by turns: a machine that is not ours alone
/// gets faster and slower.
pub async fn beside_hostile_programs(
    program: &Program,
    manifest: &Path,
    plan: Plan,
    report: &mut Report,
) -> Result<()> {
    let (prompt, kept) = (program.prompt(), Kept::unless(program));
    for (name, source) in HOSTILE {
        let call = json!({ "code": source, "timeout": 3 });
        let hostile =
            Match::All(vec![Match::Phase(Phase::Iteration(1)), Match::Text(MARK.to_owned())]);
        let script =
            Script::ordinary().first_always(hostile, Reply::call("execute_javascript", call));
        let provider = ScriptedProvider::start(Script { unrecorded: true, ..script }).await?;
        let url = provider.openai_base_url();
        let quarry = prompt.quarry(manifest, &url, kept).await?;
        let ask = |query: &str| {
            let body = json!({
                "query": query, "model": "openai:gpt-4o-mini", "max_iterations": 2, "stream": true
            });
            Target::post(quarry.address, "/ask", &body)
        };
        let (ordinary, hostile) = (ask("What is the capacity factor?"), ask(MARK));
        client::run(&ordinary, 1, plan.warm_up).await?;
        for clients in [1, plan.clients] {
            let (mut alone, mut beside) = (Vec::new(), Vec::new());
            for _ in 0..plan.rounds {
                alone.extend(client::run(&ordinary, clients, ASKS).await?);
                beside.extend(while_it_runs(&hostile, &ordinary, clients).await?);
            }
            report.beside(name, clients, &alone, &beside);
        }
    }
    Ok(())
}

/// Asks while the hostile one's program runs until its time is up.
async fn while_it_runs(hostile: &Target, ask: &Target, clients: usize) -> Result<Vec<Measured>> {
    let running = tokio::spawn({
        let hostile = hostile.clone();
        async move { client::once(&hostile).await }
    });
    client::run(ask, 1, SETTLING).await?;
    let beside = client::run(ask, clients, ASKS).await?;
    ensure!(!running.is_finished(), "the hostile program ended before the asks beside it");
    let told = String::from_utf8(running.await??.body)?;
    ensure!(told.contains("event: complete\n"), "the hostile ask did not end well:\n{told}");
    ensure!(told.contains("\\\"limit\\\":\\\"time\\\""), "no limit was told:\n{told}");
    Ok(beside)
}
