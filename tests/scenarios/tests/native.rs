//! Runs every scenario directory natively, on virtual time; `SCENARIO=part-of-a-name` picks some.

#![cfg(test)]

use quarry_scenarios::native;
use quarry_scenarios::scenario::{self, Scenario};
use std::path::Path;

#[test]
fn every_scenario_goes_as_written_without_components() {
    let mut failures = String::new();
    for directory in scenario::directories().unwrap() {
        let name = scenario::name(&directory);
        let (said, wrong) = run(&directory);
        for wrong in wrong {
            failures += &format!("{name}: {wrong}\n");
        }
        println!("{name}{said}");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// What is said beside its name, and what is wrong.
fn run(directory: &Path) -> (String, Vec<String>) {
    let scenario = match Scenario::read(directory) {
        Ok(scenario) => scenario,
        Err(error) => return (String::new(), vec![format!("{error:#}")]),
    };
    if let Some(why) = &scenario.components_only {
        return (format!(": skipped, {why}"), Vec::new());
    }
    let began = std::time::Instant::now();
    let wrong =
        native::run(directory, &scenario).unwrap_or_else(|error| vec![format!("{error:#}")]);
    (format!(": {} ms", began.elapsed().as_millis()), wrong)
}
