//! Runs every scenario directory; `SCENARIO=part-of-a-name` picks some.

#![cfg(test)]

use quarry_scenarios::scenario;
use std::path::{Path, PathBuf};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_scenario_goes_as_written() {
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    let mut directories: Vec<PathBuf> = std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("scenario.toml").is_file())
        .collect();
    directories.sort();
    assert!(!directories.is_empty());
    let mut failures = String::new();
    for directory in directories {
        let name = directory.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(&wanted) {
            continue;
        }
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
