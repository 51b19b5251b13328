//! Runs every scenario directory natively, on virtual time; `SCENARIO=part-of-a-name` picks some.

#![cfg(test)]

use quarry_scenarios::native;
use quarry_scenarios::scenario::{self, EXPECTED, Scenario};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[test]
fn every_scenario_goes_as_written_without_components() {
    if std::env::var_os("BLESS").is_some() {
        println!("skipped: with BLESS the run on the components writes what is expected");
        return;
    }
    let mut failures = String::new();
    for directory in scenario::directories().unwrap() {
        let name = scenario::name(&directory);
        let began = Instant::now();
        let scenario = Scenario::read(&directory).unwrap();
        if let Some(why) = &scenario.components_only {
            println!("{name}: skipped, {why}");
            continue;
        }
        for wrong in wrong(&directory, &scenario) {
            failures += &format!("{name}: {wrong}\n");
        }
        println!("{name}: {} ms", began.elapsed().as_millis());
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// What is wrong with a run.
fn wrong(directory: &Path, scenario: &Scenario) -> Vec<String> {
    native::run(directory, scenario).unwrap_or_else(|error| vec![format!("{error:#}")])
}

fn ordinary() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("001-ordinary")
}

#[test]
fn each_line_that_is_changed_lost_or_too_many_is_told() {
    let scenario = Scenario::read(&ordinary()).unwrap();
    let expected = fs::read_to_string(ordinary().join(EXPECTED)).unwrap();
    let lines: Vec<&str> = expected.lines().collect();
    let told = |lines: &[&str]| {
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join(EXPECTED), lines.join("\n") + "\n").unwrap();
        wrong(other.path(), &scenario).first().cloned()
    };
    assert_eq!(told(&lines), None);
    let (last, middle) = (lines.len() - 1, lines.len() / 2);
    let mut changed = lines.clone();
    changed[middle] = "{}";
    let begin = format!("line {}: expected {{}}", middle + 1);
    assert!(told(&changed).unwrap().starts_with(&begin));
    let begin = format!("line {}: expected nothing", last + 1);
    assert!(told(&lines[..last]).unwrap().starts_with(&begin));
    let more = [&lines[..], &["{}"]].concat();
    let begin = format!("line {}: expected {{}}", last + 2);
    assert!(told(&more).unwrap().starts_with(&begin));
}

#[test]
fn what_is_expected_beside_the_shape_is_looked_at() {
    let mut scenario = Scenario::read(&ordinary()).unwrap();
    scenario.expect.last = "error".to_owned();
    let told = wrong(&ordinary(), &scenario);
    assert!(told[0].starts_with("the last event is complete"), "{told:?}");
}

#[test]
fn what_cannot_be_followed_fails() {
    let with = |variable: &str, value: &str| {
        let mut scenario = Scenario::read(&ordinary()).unwrap();
        scenario.variables.insert(variable.to_owned(), value.to_owned());
        wrong(&ordinary(), &scenario).remove(0)
    };
    let told = with("rate_limit_requests", "1");
    assert!(told.starts_with("nothing here looks at rate_limit_requests"), "{told}");
    assert_eq!(with("max_iterations", "1"), "spin.toml has no variable max_iterations");
    let told = with("max_tool_iterations", "many");
    assert_eq!(told, "max_tool_iterations must be a whole number");
}
