//! What one page says and another says, too.

use crate::drive::{Sim, brief};
use crate::models::{Asked, Script};
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::{DISPUTED, FULLER, WITNESSED, Web};
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::run::Brief;
use quarry_types::Knobs;
use serde_json::Value;

/// A run of a question and its parts, which find these sentences.
fn sim(revision: u32, sentences: &[&'static str], web: Web) -> Sim {
    let score = |asked: Asked<'_>| {
        if (asked.purpose, asked.nth) == ("n1/judgement", 1) { 0.3 } else { 0.9 }
    };
    let mut script = Script::new(score);
    script.sentences = sentences.to_vec();
    let knobs = Knobs { max_rounds: 1, ..Knobs::default() };
    Sim::new(Brief { revision, ..brief(knobs) }, script, web)
}

/// A run whose parts find what it has found, each on pages of its own, and what the stream told of that.
fn run(revision: u32) -> (Sim, Vec<Value>) {
    let mut sim = sim(revision, &[WITNESSED], Web::Witnesses);
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

/// A run one of whose parts finds the same with other words, and one that it is otherwise.
fn disputed(revision: u32, parts: [(&'static str, &str); 2], kill: Option<u64>) -> Sim {
    let (fuller, other) = (FULLER.1, DISPUTED.1);
    let mut sim = sim(revision, &[WITNESSED, fuller, other], Web::Disputed);
    sim.script.claims = [(fuller, WITNESSED)].into();
    let questions = parts.map(|(on, _)| format!("Who counted the boats of {on}?"));
    sim.script.parts = Box::new(move |_| questions.clone().into());
    sim.plan.kills.extend(kill);
    sim.drive();
    stream::check(&sim);
    sim
}

/// What conflicts are told between, the one of them that is not what is disputed.
fn told_against_disputed(sim: &Sim) -> Vec<String> {
    let told = all_of(&sim.events(), EventName::ConflictFound).into_iter();
    let sides = told.map(|it| ["one", "other"].map(|side| it["conflict"][side]["quote"].clone()));
    let said = |quote: &Value| quote.as_str().unwrap().trim_end_matches('.').to_owned();
    sides
        .map(|sides| {
            let sides = sides.each_ref().map(said);
            let disputed = DISPUTED.1.trim_end_matches('.');
            assert!(sides.iter().any(|it| it == disputed), "{sides:?}");
            sides.into_iter().find(|it| it != disputed).unwrap()
        })
        .collect()
}

fn both_voices() -> Vec<String> {
    [WITNESSED, FULLER.1].map(|said| said.trim_end_matches('.').to_owned()).into()
}

#[test]
fn what_contradicts_a_later_voice_of_a_finding_is_told_whoever_has_driven_the_run() {
    let disputed = |kill| disputed(Brief::REVISION, [FULLER, DISPUTED], kill);
    let whole = disputed(None);
    assert_eq!(told_against_disputed(&whole), both_voices());
    for point in 1..=whole.points {
        let killed = disputed(Some(point));
        let events = stream::plain(&killed.events());
        assert_eq!(events, stream::plain(&whole.events()), "killed at {point}");
        replay::check(&killed);
    }
}

#[test]
fn a_later_voice_of_a_finding_is_compared_with_what_was_found_before() {
    let disputed = |revision, kill| disputed(revision, [DISPUTED, FULLER], kill);
    let whole = disputed(Brief::REVISION, None);
    replay::check(&whole);
    assert_eq!(told_against_disputed(&whole), both_voices());
    for point in (1..=whole.points).step_by(3) {
        let killed = disputed(Brief::REVISION, Some(point));
        let events = stream::plain(&killed.events());
        assert_eq!(events, stream::plain(&whole.events()), "killed at {point}");
        replay::check(&killed);
    }
    let before = disputed(3, None);
    replay::check(&before);
    assert_eq!(told_against_disputed(&before), both_voices()[..1], "as the journals of before say");
}
