//! What one page says and another says, too.

use crate::drive::{Sim, brief};
use crate::models::{Asked, Script};
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::{WITNESSED, Web};
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::run::Brief;
use quarry_types::Knobs;
use serde_json::Value;

/// A run whose parts find what it has found, each on pages of its own, and what the stream told of that.
fn run(revision: u32) -> (Sim, Vec<Value>) {
    let score = |asked: Asked<'_>| {
        if (asked.purpose, asked.nth) == ("n1/judgement", 1) { 0.3 } else { 0.9 }
    };
    let mut script = Script::new(score);
    script.sentences = vec![WITNESSED];
    let knobs = Knobs { max_rounds: 1, ..Knobs::default() };
    let mut sim = Sim::new(Brief { revision, ..brief(knobs) }, script, Web::Witnesses);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let told = all_of(&sim.events(), EventName::SynthesisCompleted).into_iter();
    let told = told.flat_map(|it| it["findings"].as_array().unwrap().clone()).collect();
    (sim, told)
}

fn independence(sim: &Sim) -> f64 {
    let report: Value = serde_json::from_str(&sim.run().kept_report().unwrap().json).unwrap();
    let parts = report["confidence"]["parts"].as_array().unwrap();
    let part = parts.iter().find(|part| part["name"] == "independence").unwrap();
    part["value"].as_f64().unwrap()
}

#[test]
fn a_claim_that_other_pages_make_too_has_their_voices_and_is_told_with_them() {
    let (sim, told) = run(Brief::REVISION);
    let cited: Vec<usize> =
        told.iter().map(|it| it["citation_ids"].as_array().unwrap().len()).collect();
    assert!(told.iter().all(|it| it["finding_id"] == "f1" && it["claim"] == WITNESSED));
    assert_eq!(cited, [1, 2, 3], "of the question, then of each part");
    let surer = told.windows(2).all(|pair| {
        let [before, after] = [&pair[0], &pair[1]].map(|it| it["confidence"].as_f64().unwrap());
        before < after
    });
    assert!(surer, "{told:?}");
    assert_eq!(sim.run().metrics(sim.now).findings, 1);
    assert!(independence(&sim) > 0.0);
    let (sim, told) = run(2);
    assert_eq!(told.len(), 1, "as the journals of before say");
    assert!(independence(&sim).abs() < 1e-9);
}
