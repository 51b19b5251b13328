//! Logs of runs that doors are tested with: they say what this machine tells, event by event.

use crate::drive::{Sim, brief};
use crate::models::Script;
use crate::stream;
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::core::Budget;
use quarry_machines::run::RunInput;
use quarry_types::{ChatError, Knobs, RunEffort};
use std::fmt::Write as _;
use std::path::PathBuf;

fn small() -> Knobs {
    Knobs { max_rounds: 1, max_depth: 1, max_nodes: 4, ..RunEffort::Quick.knobs() }
}

fn sim(score: f64) -> Sim {
    Sim::new(brief(small()), Script::new(move |_| score), Web::Scripted)
}

/// Runs by name, driven to where they end or wait for somebody.
fn runs() -> Vec<(&'static str, Sim, RunStatus)> {
    let mut tree = sim(0.2);
    tree.drive();
    let mut one = sim(0.9);
    one.drive();
    let mut failing = Sim::new(brief(small()), Script::new(|_| 0.9), Web::Failing(1));
    failing.drive();
    let mut aborted = sim(0.2);
    aborted.plan.says.insert(12, RunInput::Abort);
    aborted.drive();
    // A driver dies in the middle of the report, and the next one's model says something else.
    let dies_at = |point: u64| {
        let script = Script::new(|_| 0.9).says_otherwise(2);
        let mut sim = Sim::new(brief(small()), script, Web::Scripted);
        sim.plan.kills.insert(point);
        sim.drive();
        sim
    };
    let is_anew = |sim: &Sim| {
        let told = stream::all_of(&sim.events(), EventName::ReportDelta);
        told.iter().any(|it| it["anew"] == true)
    };
    let anew = (one.points_of("report")..=one.points).map(dies_at).find(is_anew).unwrap();
    let mut poor = Sim::new(
        {
            let mut brief = brief(small());
            brief.budget = Budget { usd: None, tokens: Some(100) };
            brief
        },
        Script::new(|_| 0.9),
        Web::Scripted,
    );
    poor.drive();
    let limited = ChatError::rate_limited(90_000, "slow down".to_owned());
    let mut limited =
        Sim::new(brief(small()), Script::new(|_| 0.9).fails("report", 1, limited), Web::Scripted);
    limited.drive();
    vec![
        ("one-node", one, RunStatus::Completed),
        ("tree", tree, RunStatus::Completed),
        ("searches-fail", failing, RunStatus::Completed),
        ("aborted", aborted, RunStatus::Aborted),
        ("anew", anew, RunStatus::Completed),
        ("waits-for-somebody", poor, RunStatus::Queued),
        ("rate-limit", limited, RunStatus::Completed),
    ]
}

#[test]
fn the_logs_that_doors_are_tested_with_are_this_machines() {
    for (name, sim, status) in runs() {
        stream::check(&sim);
        assert_eq!(sim.status(), status, "{name}");
        let mut log = String::new();
        for event in sim.events() {
            let (name, data) = (event.name.as_str(), event.data);
            writeln!(log, "{{\"event\":\"{name}\",\"data\":{data}}}").unwrap();
        }
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let file = file.join(format!("../doors/tests/runs/{name}.jsonl"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &log).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == log, "{name}: see the difference, then run again with BLESS=1");
    }
}
