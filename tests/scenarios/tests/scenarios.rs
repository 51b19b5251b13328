//! Runs every scenario directory on the built components; `SCENARIO=part-of-a-name` picks some.

#![cfg(test)]

use quarry_scenarios::scenario;
use std::path::Path;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_scenario_goes_as_written() {
    let mut failures = String::new();
    for directory in scenario::directories().unwrap() {
        let name = scenario::name(&directory);
        for wrong in run(&directory).await {
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
