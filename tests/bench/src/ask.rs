//! An ordinary ask, beside the floors under it and whoever else answers the same request.

use crate::client::{self, Measured, Target};
use crate::host::Kept;
use crate::report::Report;
use crate::subject::{self, Subject};
use crate::{Arguments, Peer, hops, sandbox};
use anyhow::{Result, bail};
use quarry_test_provider::{Manner, Phase, Script, ScriptedProvider};
use serde_json::{Value, json};

/// What an ask does that is measured: model calls, programs.
const MODEL_CALLS: usize = 6;
const PROGRAMS: usize = 2;

/// The names under which the others are compared with them.
const HELLO: &str = "hello world (a)";
const FLOOR: &str = "floor (b)";

/// Measures all of it.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, hello, plan, .. } = arguments;
    let provider = ordinary(arguments).await?;
    let quarry =
        program.quarry(manifest, &provider.openai_base_url(), Kept::unless(program)).await?;
    let target = Target::post(quarry.address, "/ask", &question());
    check(&target).await?;
    let calls = floor_calls(&provider)?;
    provider.set_script(Script { unrecorded: true, ..Script::ordinary().in_frames() });

    let world = program.hello(hello).await?;
    let url = format!("{}/chat/completions", provider.openai_base_url());
    let floor = program.floor(hello, manifest, &url, &calls).await?;
    let floor_target = Target::post(floor.address, "/floor", &question());
    check_floor(&floor_target).await?;
    let mut subjects = vec![
        Subject::ours(HELLO, &world, Target::get(world.address, "/hello")),
        Subject::ours(FLOOR, &floor, floor_target).asking(&provider),
        Subject::ours("ask", &quarry, target.clone()).asking(&provider),
    ];
    if let Some(Peer { target, process }) = &arguments.peer {
        let target = target.clone().posting(&question());
        subjects.push(Subject::other("peer (c)", target, *process).asking(&provider));
    }
    subject::measure(&mut subjects, *plan).await?;
    report.subjects(&subjects);
    drop(subjects);
    sandbox::over_the_courier(&target, report).await?;
    hops::measure(&floor, plan.rounds, report).await
}

/// The provider as users meet it; what it is asked is recorded at first.
async fn ordinary(arguments: &Arguments) -> Result<ScriptedProvider> {
    let script = Script::ordinary().in_frames();
    ScriptedProvider::start_as(arguments.provider, script, Manner::AsMet).await
}

fn question() -> Value {
    json!({
        "query": "What is the capacity factor?",
        "model": "openai:gpt-4o-mini",
        "max_iterations": 3,
        "stream": true,
    })
}

/// What is measured must be the whole ask, not an early error.
async fn check(target: &Target) -> Result<()> {
    let Measured { body, .. } = client::once(target).await?;
    let text = String::from_utf8_lossy(&body);
    let count = |name: &str| text.matches(&format!("event: {name}\n")).count();
    let calls = (count("llm_response"), count("tool_result"), count("complete"));
    if calls != (MODEL_CALLS, PROGRAMS, 1) {
        bail!("the ask is not the one to measure: {calls:?}\n{text}");
    }
    let failed: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter(|data| data["output"].as_str().is_some_and(|output| output.contains("\"error\"")))
        .collect();
    if !failed.is_empty() {
        bail!("a program failed: {failed:?}");
    }
    Ok(())
}

/// What the ask asked the provider, body by body, with a private call where it ran a program: after
/// an iteration that another one followed.
fn floor_calls(provider: &ScriptedProvider) -> Result<String> {
    let asked = provider.calls();
    let iterates = |index: usize| {
        let call = asked.get(index).and_then(|request| request.call);
        matches!(call, Some((_, Phase::Iteration(_))))
    };
    let mut lines = Vec::new();
    for (index, request) in asked.iter().enumerate() {
        lines.push(request.body.to_string());
        if iterates(index) && iterates(index + 1) {
            lines.push("hop".to_owned());
        }
    }
    if lines.len() != MODEL_CALLS + PROGRAMS {
        bail!("the floor does not make the calls of the ask: {}", lines.join("\n"));
    }
    Ok(lines.join("\n"))
}

async fn check_floor(target: &Target) -> Result<()> {
    let Measured { body, .. } = client::once(target).await?;
    let text = String::from_utf8_lossy(&body);
    if text.matches("data: ").count() != MODEL_CALLS + PROGRAMS || text.contains("failed") {
        bail!("the floor does not do what it should:\n{text}");
    }
    Ok(())
}
