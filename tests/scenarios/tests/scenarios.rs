//! Runs every scenario directory on the built components; `SCENARIO=part-of-a-name` picks some.

#![cfg(test)]

use futures::stream::{self, StreamExt as _};
use quarry_scenarios::quarry::running_elsewhere;
use quarry_scenarios::scenario;
use std::path::Path;

/// Scenarios at the same time: some wait until a provider is given up, and that takes longer than a machine stops for.
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_scenario_goes_as_written() {
    let directories = stream::iter(scenario::directories().unwrap());
    let runs = directories
        .map(|directory| async move { (scenario::name(&directory), run(&directory).await) });
    // What stands around a server that runs already has one place.
    let at_once = if running_elsewhere().is_some() { 1 } else { AT_ONCE };
    let mut runs = runs.buffer_unordered(at_once);
    let mut failures = String::new();
    while let Some((name, wrong)) = runs.next().await {
        for wrong in wrong {
            failures += &format!("{name}: {wrong}\n");
        }
        println!("{name}");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

async fn run(directory: &Path) -> Vec<String> {
    match scenario::run(directory).await {
        Ok(wrong) => wrong,
        Err(error) => vec![format!("{error:#}")],
    }
}
