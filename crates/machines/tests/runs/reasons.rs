//! What is a reason for another round, and what is none to have anything done again: what persons say, bounds that
//! grow, other knobs.

use crate::asked::with_models;
use crate::drive::{Sim, brief};
use crate::models::{Script, rules, sheet};
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::Web;
use quarry_events::run::{EventName, NodeState, RunStatus};
use quarry_machines::core::{Budget, ModelSheet};
use quarry_machines::run::{Brief, NodeId, RunInput};
use quarry_types::{Knobs, ReportStyle};

const TEXT: &str = "Look at the year 1911.";

fn guidance() -> RunInput {
    RunInput::Guidance { text: TEXT.to_owned() }
}

/// A run of one question, in so many rounds at most.
fn of_one((revision, max_rounds): (u32, u32), model: &ModelSheet, script: Script, web: Web) -> Sim {
    let knobs = Knobs { max_depth: 0, max_rounds, ..Knobs::default() };
    let budget = Budget { usd: None, tokens: Some(400_000) };
    let asked = Brief { revision, budget, ..brief(knobs) };
    Sim::new(with_models(asked, std::slice::from_ref(model)), script, web)
}

/// The same of which nothing is ever found: its first round is its last.
fn barren(revision: u32, model: &ModelSheet) -> Sim {
    of_one((revision, 3), model, Script::new(|_| 0.3), Web::Empty)
}

fn driven(mut sim: Sim, says: &[(u64, RunInput)]) -> Sim {
    sim.plan.says.extend(says.iter().cloned());
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    sim
}

fn rounds(sim: &Sim) -> usize {
    all_of(&sim.events(), EventName::RoundStarted).len()
}

/// Calls for this purpose.
fn calls(sim: &Sim, purpose: &str) -> usize {
    sim.performed.iter().filter(|it| it.is_model && it.id.starts_with(purpose)).count()
}

#[test]
fn what_a_person_says_behind_a_round_that_brought_nothing_is_researched() {
    for model in [sheet("openai:one"), rules()] {
        let whole = driven(barren(Brief::REVISION, &model), &[]);
        assert_eq!(rounds(&whole), 1, "nothing would come of another");
        let point = whole.points_of("n1/query-1");
        let of = |revision| driven(barren(revision, &model), &[(point, guidance())]);
        let sim = of(Brief::REVISION);
        assert_eq!((sim.status(), rounds(&sim)), (RunStatus::Completed, 2), "{}", model.id);
        assert_eq!(all_of(&sim.events(), EventName::GuidanceReceived).len(), 1);
        let mut prompts = sim.script.prompts.iter().filter(|(id, _)| id.contains("/queries/"));
        assert_eq!(prompts.any(|(_, prompt)| prompt.contains(TEXT)), model.is_language_model);
        assert_eq!(rounds(&of(9)), 1, "as the journals of before say");
    }
}

/// The judge is not asked again for what it was told.
#[test]
fn what_a_person_says_while_a_round_is_judged_is_judged_too() {
    let begun = |revision| {
        let mut script = Script::new(|_| 0.3);
        script.goes_on = Box::new(|asked| asked.nth > 1);
        of_one((revision, 3), &sheet("openai:one"), script, Web::Scripted)
    };
    let whole = driven(begun(Brief::REVISION), &[]);
    assert_eq!((rounds(&whole), calls(&whole, "round-1/pass")), (1, 1));
    let point = whole.points_of("round-1/pass");
    let of = |revision| driven(begun(revision), &[(point, guidance())]);
    let sim = of(Brief::REVISION);
    assert_eq!((rounds(&sim), calls(&sim, "round-1/pass")), (2, 2));
    let judged = all_of(&sim.events(), EventName::PassSufficiencyEvaluated);
    assert_eq!(judged.len(), 2, "once a round");
    assert_eq!(rounds(&of(9)), 1, "as the journals of before say");
}

/// A run that is aborted while its report is written, behind a round that brought nothing.
fn aborted(revision: u32, says: &[RunInput]) -> Sim {
    let model = sheet("openai:one");
    let point = driven(barren(revision, &model), &[]).points_of("report");
    let says: Vec<_> = (point..).zip(says.iter().cloned().chain([RunInput::Abort])).collect();
    let sim = driven(barren(revision, &model), &says);
    assert_eq!((sim.status(), rounds(&sim)), (RunStatus::Aborted, 1));
    sim
}

#[test]
fn larger_bounds_give_a_run_another_chance_whose_last_round_brought_nothing() {
    let of = |revision, change: fn(&mut Knobs), tokens: Option<u64>| {
        let mut sim = aborted(revision, &[]);
        let mut knobs = sim.run().brief().knobs.clone();
        change(&mut knobs);
        let budget = tokens.map(|tokens| Budget { usd: None, tokens: Some(tokens) });
        sim.resume(Some(knobs), budget);
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        rounds(&sim)
    };
    let more: fn(&mut Knobs) = |knobs| knobs.max_queries_per_node += 2;
    let concise: fn(&mut Knobs) = |knobs| knobs.report_style = ReportStyle::Concise;
    let same: fn(&mut Knobs) = |_| {};
    assert_eq!(of(Brief::REVISION, more, None), 2);
    assert_eq!(of(Brief::REVISION, same, Some(800_000)), 2);
    assert_eq!(of(9, more, Some(800_000)), 1, "as the journals of before say");
    // Who wants the report otherwise wants no other research.
    assert_eq!(of(Brief::REVISION, concise, None), 1);
    assert_eq!(of(Brief::REVISION, same, None), 1);
}

/// A run that is completed is not resumed: it is forked.
#[test]
fn a_fork_with_larger_bounds_has_the_same_chance() {
    let of = |revision| {
        let mut sim = driven(barren(revision, &sheet("openai:one")), &[]);
        assert_eq!((sim.status(), rounds(&sim)), (RunStatus::Completed, 1));
        sim.fork(None, None, |brief| brief.knobs.max_queries_per_node += 2);
        rounds(&driven(sim, &[]))
    };
    assert_eq!((of(Brief::REVISION), of(9)), (2, 1));
}

#[test]
fn what_came_too_late_for_a_report_is_researched_when_the_run_is_resumed() {
    let of = |revision| {
        let mut sim = aborted(revision, &[guidance()]);
        sim.resume(None, None);
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        rounds(&sim)
    };
    assert_eq!((of(Brief::REVISION), of(9)), (2, 1));
}

/// The searches of a run that was aborted at its first effect for this purpose, and resumed with more results of each: by
/// which rule each was made, and for how many.
fn with_more_results(revision: u32, cut_off: &str) -> Vec<(String, u64)> {
    let model = sheet("openai:one");
    let begun = || {
        let mut script = Script::new(|_| 0.3);
        script.queries = Box::new(|_| vec!["alder tower".to_owned()]);
        let mut sim = of_one((revision, 5), &model, script, Web::Scripted);
        // The abort is heard before anything comes.
        sim.errand_ms = Box::new(|_| 3_000);
        sim
    };
    let point = driven(begun(), &[]).points_of(cut_off);
    let mut sim = driven(begun(), &[(point, RunInput::Abort)]);
    assert_eq!(sim.status(), RunStatus::Aborted);
    let mut knobs = sim.run().brief().knobs.clone();
    knobs.search_results_per_query += 4;
    sim.resume(Some(knobs), None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let executed = all_of(&sim.events(), EventName::QueryExecuted);
    let told = |it: &serde_json::Value| {
        (it["rule"].as_str().unwrap().to_owned(), it["wanted"].as_u64().unwrap())
    };
    executed.iter().map(told).collect()
}

fn searched(rule: &str, wanted: u64) -> (String, u64) {
    (rule.to_owned(), wanted)
}

/// Who wants more results of each search has equal queries searched for again, and once.
#[test]
fn more_results_of_a_search_are_searched_for_though_it_was_made_before() {
    let of = |revision| with_more_results(revision, "report");
    assert_eq!(of(Brief::REVISION), [searched("new", 6), searched("more_results", 10)]);
    assert_eq!(of(10), [searched("new", 6)], "as the journals of before say");
}

/// It is sent again as it was, and knows no more by that than it was sent for.
#[test]
fn a_search_that_an_end_cut_off_is_made_again_for_more_results() {
    let of = |revision| with_more_results(revision, "n1/query-1");
    assert_eq!(of(Brief::REVISION), [searched("new", 6), searched("more_results", 10)]);
    assert_eq!(of(11), [searched("new", 6)], "as the journals of before say");
}

/// A run whose one round was all that it may have, aborted while its report is written and resumed with other knobs.
fn resumed(revision: u32, change: fn(&mut Knobs)) -> Sim {
    let model = sheet("openai:one");
    let begun = || of_one((revision, 1), &model, Script::new(|_| 0.6), Web::Scripted);
    let point = driven(begun(), &[]).points_of("report");
    let mut sim = driven(begun(), &[(point, RunInput::Abort)]);
    assert_eq!(sim.status(), RunStatus::Aborted);
    let mut knobs = sim.run().brief().knobs.clone();
    change(&mut knobs);
    sim.resume(Some(knobs), None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

#[test]
fn other_knobs_are_no_reason_to_read_again_what_was_read() {
    let change: fn(&mut Knobs) = |knobs| {
        knobs.max_rounds += 2;
        knobs.cache_ttl += 60;
    };
    let (now, before) = (resumed(Brief::REVISION, change), resumed(9, change));
    let paid = |sim: &Sim| (calls(sim, "n1/findings"), calls(sim, "n1/judgement"));
    assert_eq!(paid(&now), (1, 1));
    let (read, judged) = paid(&before);
    assert!(read > 1 && judged > 1, "as the journals of before say");
}

/// No bound but the one that is named gives it another round.
#[test]
fn who_has_bounds_grow_is_told_why_no_round_uses_them() {
    let of = |revision| {
        let sim = resumed(revision, |knobs| knobs.search_results_per_query += 4);
        let executed = all_of(&sim.events(), EventName::QueryExecuted);
        assert!(executed.iter().all(|it| it["wanted"] == 6), "{executed:?}");
        let judged = all_of(&sim.events(), EventName::PassSufficiencyEvaluated);
        judged.iter().map(|it| it["rationale"].to_string()).collect::<Vec<_>>()
    };
    let rationales = of(Brief::REVISION);
    let [before, behind] = &rationales[..] else { panic!("{rationales:?}") };
    assert!(!before.contains("larger bounds") && behind.contains("`max_rounds`"), "{behind}");
    assert!(of(11).iter().all(|it| !it.contains("larger bounds")), "as the journals of before say");
}

#[test]
fn another_threshold_has_judged_again_what_was_read() {
    let sim = resumed(Brief::REVISION, |knobs| {
        knobs.max_rounds += 1;
        knobs.sufficiency_threshold = 0.55;
    });
    assert_eq!((calls(&sim, "n1/findings"), calls(&sim, "n1/judgement")), (1, 2));
    let state = sim.run().tree().get(NodeId::ROOT).map(|root| root.state);
    assert_eq!(state, Some(NodeState::Resolved));
}
