//! Forks: runs that share what another has done.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, sheet};
use crate::replay;
use crate::resumed::{script, sim, whole};
use crate::stream::{self, all_of, nodes_of};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::core::Budget;
use quarry_machines::run::{Branch, Effect, Models, RunInput, What};
use quarry_tools::Errand;
use quarry_types::{ChatError, Knobs};
use serde_json::json;

/// Checks that a fork's stream is one run's: it has one end, the last, and each event names an entry at which it
/// had happened.
fn check(sim: &Sim) {
    stream::check(sim);
    replay::check(sim);
    let events = sim.events();
    let ends = events.iter().filter(|event| event.name.is_last()).count();
    assert_eq!((ends, events.last().map(|event| event.name.is_last())), (1, Some(true)));
    let entries: Vec<u64> =
        events.iter().map(|event| sim.store.entry_of(sim.id, event.sequence)).collect();
    assert!(entries.is_sorted() && entries[0] == 1, "{entries:?}");
}

#[test]
fn a_fork_shares_what_was_done_and_pays_for_none_of_it() {
    let whole = whole();
    let events = whole.events();
    let mut forked = 0;
    for at in (2..events.len() as u64).step_by(9) {
        let mut sim = sim();
        sim.drive();
        let before = sim.performed.len();
        let (origin, cost) = (sim.id, sim.run().metrics(sim.now).cost);
        sim.fork(Some(at), None, |_| {});
        sim.drive();
        check(&sim);
        let run = sim.run();
        assert_eq!(sim.status(), RunStatus::Completed);
        assert_eq!(run.tree(), whole.run().tree(), "at {at} it comes to the same tree");
        let own = sim.performed[before..].iter().filter(|it| it.is_model).count();
        let all = sim.performed[..before].iter().filter(|it| it.is_model).count();
        assert!(own <= all && run.metrics(sim.now).cost <= cost, "at {at}");
        forked += usize::from(own < all / 2);
        let record = sim.store.record(sim.id);
        assert_eq!(record.origin, Some(origin));
        assert_eq!(run.listed(sim.now).forked_from, Some(origin));
    }
    assert!(forked > 3, "late forks have little left to pay");
}

#[test]
fn a_fork_of_a_waiting_run_calls_its_own_model_within_its_own_budget() {
    let mut asked = with_models(brief(Knobs::default()), &[sheet("openai:scripted")]);
    asked.budget = Budget { usd: None, tokens: Some(60_000) };
    let error = ChatError::MissingKey { message: "no key".to_owned() };
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.script.broken.insert("openai:scripted".to_owned(), error);
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Queued);
    sim.fork(None, None, |brief| brief.models = Models::all(&sheet("anthropic:other")));
    sim.drive();
    check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let asked = all_of(&sim.events(), EventName::CostUpdated);
    assert!(asked.len() > 10 && asked.iter().all(|it| it["model"] == "anthropic:other"));
}

#[test]
fn a_fork_of_a_whole_run_researches_another_task_and_uses_larger_bounds() {
    let mut sim = whole();
    sim.fork(None, Some("Which bridges did Brankmoor build?"), |_| {});
    sim.drive();
    check(&sim);
    let events = sim.events();
    let visited = nodes_of(&events, EventName::NodeStarted);
    assert_eq!(visited.last().map(String::as_str), Some("n1"), "the root is asked anew");
    let report = sim.run().kept_report().unwrap().markdown.clone();
    assert!(report.starts_with("# Which bridges did Brankmoor build?"), "{report}");

    let knobs = Knobs { max_rounds: 1, max_depth: 0, ..Knobs::default() };
    let script = Script::new(|asked| if asked.nth > 2 { 0.9 } else { 0.3 });
    let mut sim = Sim::new(brief(knobs), script, Web::Scripted);
    sim.drive();
    assert_eq!(sim.run().metrics(sim.now).rounds, 1);
    sim.fork(None, None, |brief| brief.knobs.max_rounds = 3);
    sim.drive();
    check(&sim);
    assert!(sim.run().metrics(sim.now).rounds > 1, "bounds that grew are used");
}

#[test]
fn a_fork_tells_no_end_of_its_origin_however_often_that_was_ended() {
    let mut sim = sim();
    sim.plan.says.insert(40, RunInput::Abort);
    sim.drive();
    assert_eq!(sim.status(), RunStatus::Aborted);
    sim.resume(None, None);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert_eq!(all_of(&sim.events(), EventName::RunAborted).len(), 1);
    let origin = sim.events().len();
    sim.fork(None, None, |_| {});
    sim.drive();
    check(&sim);
    assert!(sim.events().len() > origin - 2, "all else is told");
}

#[test]
fn a_fork_of_a_fork_begins_where_it_is_told_to() {
    let mut sim = whole();
    let events = sim.events().len() as u64;
    sim.fork(Some(events / 2), None, |_| {});
    sim.drive();
    let first = sim.events();
    let at = events / 4;
    sim.fork(Some(at), None, |_| {});
    let shared = sim.events();
    let resumed = shared.iter().position(|event| event.name == EventName::RunResumed).unwrap();
    assert!(resumed as u64 >= at && (resumed as u64) < events / 2, "{resumed} of {events}");
    for (event, known) in shared[..resumed].iter().zip(&first) {
        assert_eq!(event.name, known.name);
    }
    sim.drive();
    check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
}

/// What a fork began, as its journal has it.
fn begun(sim: &Sim) -> Vec<Vec<Effect>> {
    let inputs = sim.store.journal(sim.id, 0).into_iter();
    let inputs = inputs.map(|entry| serde_json::from_str(entry.body.text()).unwrap());
    let own = inputs.skip_while(|input| !matches!(input, RunInput::Forked { .. }));
    own.filter_map(|input| match input {
        RunInput::Begun { effects } => Some(effects),
        _ => None,
    })
    .collect()
}

#[test]
fn a_fork_with_smaller_bounds_keeps_to_them_from_its_first_step_on() {
    let events = whole().events().len() as u64;
    let mut searched = 0;
    for at in (2..events).step_by(5) {
        let mut sim = sim();
        sim.drive();
        sim.fork(Some(at), None, |brief| {
            brief.knobs.parallel_queries = 1;
            brief.knobs.search_results_per_query = 1;
            brief.knobs.timeouts.query = 3;
        });
        sim.drive();
        check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        for effects in begun(&sim) {
            let mut errands = 0;
            for effect in &effects {
                let What::Errand(Errand::Search { limit, timeout_ms, .. }) = &effect.what else {
                    continue;
                };
                assert!(*limit <= 3 && *timeout_ms <= 3_000, "{effect:?}");
                assert!(effect.timeout_ms <= 3_000, "{effect:?}");
                errands += 1;
            }
            assert!(errands <= 1, "forked at {at}: {effects:?}");
            searched += errands;
        }
    }
    assert!(searched > 10, "{searched}");
}

#[test]
fn a_fork_is_refused_a_bound_that_what_it_shares_exceeds_and_told_which() {
    let sim = whole();
    let run = sim.run();
    let branch = |config: serde_json::Value| {
        let models = (run.brief().models.clone(), Vec::new());
        let (from, task, replaced) = (sim.id, None, Vec::new());
        let config = config.to_string();
        let operator_keys = false;
        run.branch(Branch { from, task, config, models, replaced, operator_keys })
    };
    let nodes = run.tree().nodes();
    let depth = nodes.iter().map(|node| node.depth).max().unwrap();
    let children = nodes.iter().map(|node| node.children.len()).max().unwrap() as u64;
    let metrics = run.metrics(sim.now);
    for (knob, used) in [
        ("max_depth", u64::from(depth)),
        ("max_rounds", metrics.rounds.into()),
        ("decompose_max_children", children),
        ("max_nodes", metrics.nodes),
        ("max_sources", metrics.sources),
    ] {
        assert!(used > 0, "{knob}");
        let why = branch(json!({ knob: used - 1 })).unwrap_err().to_string();
        assert!(why.starts_with(&format!("config.{knob} must be at least {used}")), "{why}");
        assert!(branch(json!({ knob: used })).is_ok(), "{knob}");
    }
    let why = branch(json!({ "retry_policy": { "base_ms": 60_000 } })).unwrap_err().to_string();
    assert_eq!(why, "config.retry_policy.max_ms must be at least base_ms, which is 60000");
    assert!(branch(json!({ "retry_policy": { "base_ms": 60_000, "max_ms": 60_000 } })).is_ok());
}
