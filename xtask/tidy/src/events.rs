//! Where events are written down a second time: the OpenAPI document, and the page that shows
//! them, which has no compiler to say what was forgotten.

use crate::Findings;
use crate::openapi;
use anyhow::Result;
use quarry_events::{EventName, run};
use std::fs;
use xtask::paths;

/// What decides how the page of asks shows each event.
const OF_ASKS: &str = "components/console/site/state.js";
/// The same for the page of runs.
const OF_RUNS: &str = "components/console/site/runs/state.js";

pub fn check(findings: &mut Findings) -> Result<()> {
    if !openapi::is_fresh()? {
        let stale = format!("{} is stale; run `cargo xtask openapi`", openapi::DOCUMENT);
        findings.errors.push(stale);
    }
    let asks = EventName::ALL.map(EventName::as_str);
    let runs = run::EventName::ALL.map(run::EventName::as_str);
    for (reducer, names) in [(OF_ASKS, asks.as_slice()), (OF_RUNS, runs.as_slice())] {
        let text = fs::read_to_string(paths::root().join(reducer))?;
        for name in forgotten(&text, names) {
            let words = format!("{reducer} has no rule for the event `{name}`; null: not shown");
            findings.errors.push(words);
        }
    }
    Ok(())
}

/// The events that no rule is for. A rule stands on a line of its own, two spaces in.
fn forgotten(reducer: &str, names: &[&'static str]) -> Vec<&'static str> {
    let rules = reducer.split("const RULES = {").nth(1).unwrap_or_default();
    let rules = rules.split("\n};").next().unwrap_or_default();
    let has_rule = |name: &str| rules.lines().any(|line| is_rule_of(line, name));
    names.iter().copied().filter(|name| !has_rule(name)).collect()
}

fn is_rule_of(line: &str, name: &str) -> bool {
    line.strip_prefix("  ")
        .and_then(|rest| rest.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_without_a_rule_is_noticed() {
        let names = EventName::ALL.map(EventName::as_str);
        let forgotten = |reducer: &str| super::forgotten(reducer, &names);
        let rules: String = names.iter().map(|name| format!("  {name}: null,\n")).collect();
        let reducer = format!("// log: nothing\nconst RULES = {{\n{rules}}};\n  after: 1,\n");
        assert_eq!(forgotten(&reducer), Vec::<&str>::new());
        assert_eq!(forgotten(&reducer.replace("  stage:", "  stages:")), ["stage"]);
        assert_eq!(forgotten(&reducer.replace("  log:", "  // log:")), ["log"]);
        assert_eq!(forgotten("log: x").len(), names.len());
    }
}
