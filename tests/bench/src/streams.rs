//! Many streams held open at once: how many survive, and what each costs in memory.

use crate::client::{self, Target};
use crate::host::{Kept, Program};
use crate::report::Report;
use anyhow::Result;
use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider};
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;

/// The signal that lets the provider go on.
const GO_ON: &str = "go-on";

/// Holds the streams in the middle of their answers.
pub async fn measure(
    program: &Program,
    manifest: &Path,
    count: usize,
    held: Duration,
    kept: Kept,
    report: &mut Report,
) -> Result<()> {
    let answer = Reply::text("The answer, which takes its time.").hold_midway(GO_ON);
    let script = Script::ordinary().first_always(Match::Phase(Phase::Synthesis), answer);
    let provider = ScriptedProvider::start(Script { unrecorded: true, ..script }).await?;
    let quarry = program.quarry(manifest, &provider.openai_base_url(), kept).await?;
    let ask = json!({
        "query": "What is held?", "model": "openai:gpt-4o-mini", "max_iterations": 2, "stream": true
    });
    let target = Target::post(quarry.address, "/ask", &ask);

    // One stream is held already when the memory is read, so that what all share is in it.
    let warm = start(&target, 1);
    provider.holding(GO_ON, 1).await;
    let before = quarry.resident();
    let mut streams = start(&target, count);
    provider.holding(GO_ON, count + 1).await;
    tokio::time::sleep(held).await;
    let after = quarry.resident();
    provider.release(GO_ON);

    let mut finished = 0;
    while let Some(stream) = streams.join_next().await {
        finished += usize::from(matches!(stream, Ok(Ok(true))));
    }
    drop(warm);
    report.streams(count, held, kept, count - finished, before.zip(after));
    Ok(())
}

fn start(target: &Target, count: usize) -> JoinSet<Result<bool>> {
    let mut streams = JoinSet::new();
    for _ in 0..count {
        let target = target.clone();
        streams.spawn(async move {
            let body = client::once(&target).await?.body;
            Ok(String::from_utf8_lossy(&body).contains("event: complete\n"))
        });
    }
    streams
}
