//! Runs that end in the middle of a node's turn, and that go on: nothing of it that is in the journal is asked again.

use crate::bounds::{Case, begun, cases};
use crate::drive::{START, Sim, brief, resumed_with};
use crate::models::{Script, ticket};
use crate::replay;
use crate::resumed;
use crate::stream::{self, all_of, data, nodes_of};
use crate::world::Web;
use proptest::prelude::*;
use quarry_events::run::{CutShort, EventName, RunStatus};
use quarry_journal::Driven as _;
use quarry_journal::run::{Hash, KeptCheckpoint};
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, Effect, Run, RunInput, What};
use quarry_types::{Knobs, Timeouts};
use std::collections::{BTreeMap, BTreeSet};

/// How often each call and each search of this journal had an outcome that is one.
fn outcomes(sim: &Sim) -> BTreeMap<String, usize> {
    let (mut begun, mut outcomes) = (BTreeMap::new(), BTreeMap::new());
    for entry in sim.store.journal(sim.id, 0) {
        match serde_json::from_str(entry.body.text()).unwrap() {
            RunInput::Begun { effects } => {
                begun.extend(effects.into_iter().map(|it| (it.ticket.0, it.id)));
            }
            RunInput::Model { ticket, result: Ok(_) } | RunInput::Tool { ticket, .. } => {
                let (purpose, _) = begun[&ticket.0].rsplit_once('/').unwrap();
                *outcomes.entry(purpose.to_owned()).or_default() += 1;
            }
            _ => {}
        }
    }
    outcomes
}

/// The model answers as if calls that came to nothing had never been made.
fn forget_what_was_lost(sim: &mut Sim) {
    let mut recorded = BTreeSet::new();
    for entry in sim.store.journal(sim.id, 0) {
        if let Ok(RunInput::Model { ticket, .. }) = serde_json::from_str(entry.body.text()) {
            recorded.insert(ticket.0);
        }
    }
    sim.script.forget_but(&recorded);
}

/// What a node's turn comes to is told once in a round.
fn check_told_once(sim: &Sim) {
    let once = [
        EventName::QueriesGenerated,
        EventName::SourcesRanked,
        EventName::SynthesisCompleted,
        EventName::NodeSufficiencyEvaluated,
        EventName::NodeDecomposed,
    ];
    let mut told = BTreeSet::new();
    for event in sim.events().iter().filter(|event| once.contains(&event.name)) {
        let it = data(event);
        let of = format!("{} {} {}", it["node_id"], it["round"], it["from_children"]);
        assert!(told.insert((event.name.as_str(), of.clone())), "{:?} {of} twice", event.name);
    }
}

fn aborted_at(mut sim: Sim, point: u64) -> Sim {
    sim.plan.says.insert(point, RunInput::Abort);
    sim.drive();
    stream::check(&sim);
    sim
}

#[test]
fn a_run_that_is_aborted_at_any_point_and_resumed_ends_as_if_nothing_had_happened() {
    let whole = resumed::whole();
    let (report, wanted) = (stream::plain_report(&whole), outcomes(&whole));
    let mut inside = 0;
    for point in 1..whole.points {
        let mut sim = aborted_at(resumed::sim(), point);
        if sim.status() == RunStatus::Completed {
            continue;
        }
        forget_what_was_lost(&mut sim);
        let (known, asked) = (outcomes(&sim), sim.performed.len());
        sim.resume(None, None);
        stream::check(&sim);
        replay::check(&sim);
        check_told_once(&sim);
        assert_eq!(sim.status(), RunStatus::Completed, "{point}");
        assert_eq!(outcomes(&sim), wanted, "{point}: what has an outcome is not asked again");
        assert_eq!(sim.run().tree(), whole.run().tree(), "{point}");
        assert_eq!(stream::plain_report(&sim), report, "{point}");
        // What goes on is what the turn had still to do, and not the turn from its beginning.
        let next = sim.performed[asked..].first().unwrap();
        let is_first = next.id.contains("/queries/") || next.id.starts_with("report");
        inside += usize::from(!is_first && !known.is_empty());
    }
    assert!(inside > 20, "{inside} ends were in the middle of a turn");
}

/// A driver dies on the way, and so does whoever resumes.
#[test]
fn an_abort_between_two_kills_pays_for_nothing_again_that_is_in_the_journal() {
    let whole = resumed::whole();
    let (report, wanted) = (stream::plain_report(&whole), outcomes(&whole));
    let mut seen = 0;
    for point in (4..whole.points).step_by(5) {
        let mut sim = resumed::sim();
        sim.plan.kills.insert(point - 3);
        let mut sim = aborted_at(sim, point);
        if sim.status() == RunStatus::Completed {
            continue;
        }
        forget_what_was_lost(&mut sim);
        sim.plan.kills = [sim.points + 6].into();
        sim.resume(None, None);
        if sim.status() == RunStatus::Aborted {
            // It died before it was written that it goes on.
            sim.resume(None, None);
        }
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(outcomes(&sim), wanted, "{point}");
        assert_eq!(stream::plain_report(&sim), report, "{point}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn whatever_ends_a_run_however_often_nothing_is_done_twice(
        case in cases(), aborts in prop::collection::vec(1_u64..120, 1..4),
    ) {
        let timeouts = Timeouts { run: 3_600, ..Timeouts::default() };
        let knobs = Knobs { timeouts, ..case.knobs };
        let mut sim = begun(&Case { knobs, budget: Budget::default(), ..case });
        for ahead in aborts {
            let point = sim.points + ahead;
            sim.plan.says.insert(point, RunInput::Abort);
            match sim.status() {
                RunStatus::Completed => break,
                RunStatus::Aborted => sim.resume(None, None),
                _ => sim.drive(),
            }
        }
        sim.plan.says.clear();
        sim.plan.kills.clear();
        if sim.status() == RunStatus::Aborted {
            sim.resume(None, None);
        }
        stream::check(&sim);
        replay::check(&sim);
        prop_assert_eq!(sim.status(), RunStatus::Completed);
        check_told_once(&sim);
        // Every outcome counts: a search that came to something is told.
        let tools: usize =
            outcomes(&sim).iter().filter(|(id, _)| id.contains("/query-")).map(|(_, n)| n).sum();
        // One whose drivers died twice is told as failed, and has no outcome.
        let told = all_of(&sim.events(), EventName::QueryExecuted);
        let told = told.iter().filter(|it| !it.to_string().contains("it was begun twice")).count();
        prop_assert_eq!(tools, told, "{:?}", all_of(&sim.events(), EventName::QueryExecuted));
        // What was lost is told, too, and without its cost.
        let paid = all_of(&sim.events(), EventName::CostUpdated);
        let paid = paid.iter().filter(|it| it.get("call_cost").is_some()).count();
        let calls: usize = outcomes(&sim).values().sum();
        prop_assert_eq!(calls - tools, paid);
    }
}

/// Begins what is due.
fn announced(run: &mut Run) -> Vec<Effect> {
    let effects = run.due();
    run.handle(RunInput::Begun { effects: effects.clone() }, START);
    effects
}

fn found(effect: &Effect) -> RunInput {
    let What::Errand(errand) = &effect.what else { panic!("{effect:?}") };
    let outcome = Web::Scripted.run(errand, START);
    RunInput::Tool { ticket: effect.ticket, outcome, reused: None }
}

/// It stands in the journal, and in no event yet.
#[test]
fn an_answer_that_came_before_its_turn_is_kept_for_it() {
    let mut sim = Sim::new(brief(Knobs::default()), Script::new(|_| 0.9), Web::Scripted);
    let mut run = sim.run();
    let asked = announced(&mut run);
    let What::Model { request, .. } = &asked[0].what else { panic!("{asked:?}") };
    let (_, result) = sim.script.said((&asked[0].id, 1), request);
    run.handle(RunInput::Model { ticket: asked[0].ticket, result }, START);
    let sent = announced(&mut run);
    assert_eq!(sent.len(), 2);
    let told = run.handle(found(&sent[1]), START).events;
    assert!(told.is_empty(), "it is not its turn: {told:?}");
    run.handle(RunInput::Abort, START);
    assert!(run.has_ended() && run.is_stale(&found(&sent[0])), "what comes now is no entry");
    run.handle(resumed_with(None, None), START);
    let again = announced(&mut run);
    assert_eq!(again.len(), 1, "{again:?}");
    assert_eq!((&again[0].what, again[0].attempt), (&sent[0].what, 1));
    let told = run.handle(found(&again[0]), START).events;
    let searched = told.iter().filter(|event| event.name == EventName::QueryExecuted);
    assert_eq!(searched.count(), 2, "both have their turn");
}

#[test]
fn a_turn_that_is_gone_on_with_is_told_as_the_same_one() {
    let point = resumed::whole().points_of("n2/findings") + 1;
    let mut sim = aborted_at(resumed::sim(), point);
    sim.resume(None, None);
    let events = sim.events();
    let started = all_of(&events, EventName::NodeStarted);
    let second: Vec<_> = started.iter().filter(|told| told["node_id"] == "n2").collect();
    assert_eq!(second.len(), 2, "it was let go of, and is taken up");
    assert!(second.iter().all(|told| told["attempt"] == 1), "{second:?}");
    let chosen = nodes_of(&events, EventName::QueriesGenerated);
    assert_eq!(chosen.iter().filter(|node| *node == "n2").count(), 1);
    let calls = sim.performed.iter().filter(|it| it.id.starts_with("n2/findings")).count();
    assert_eq!(calls, 2, "the call that was let go of is made again");
    assert_eq!(sim.run().metrics(sim.now).unsettled_calls, 1, "and is on the record");
}

#[test]
fn a_fork_of_a_run_whose_time_was_over_goes_on_with_the_turn_that_was_cut_off() {
    let mut inside = 0;
    for run in 6..30 {
        let timeouts = Timeouts { run, ..Timeouts::default() };
        let knobs = Knobs { timeouts, ..Knobs::default() };
        let mut sim = Sim::new(brief(knobs), resumed::script(), Web::Scripted);
        sim.drive();
        if sim.run().listed(sim.now).reason != Some(CutShort::Timeout) {
            continue;
        }
        let asked = sim.performed.len();
        sim.fork(None, None, |brief| brief.knobs.timeouts.run = 3_600);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        check_told_once(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let next = &sim.performed[asked];
        inside += usize::from(!next.id.contains("/queries/"));
    }
    assert!(inside > 3, "{inside}");
}

#[test]
fn another_task_is_no_reason_to_go_on_with_what_was_chosen_for_the_one_before() {
    let point = resumed::whole().points_of("n1/findings") + 1;
    let mut sim = aborted_at(resumed::sim(), point);
    let asked = sim.performed.len();
    sim.fork(None, Some("Which bridges did Brankmoor build?"), |_| {});
    sim.drive();
    stream::check(&sim);
    assert!(sim.performed[asked].id.starts_with("n1/queries"), "{:?}", sim.performed[asked]);
}

/// Runs that were asked for before turns were kept: their states and journals lack what is new, and go on as they did.
#[test]
fn a_run_of_before_begins_the_turn_anew_as_its_journal_says() {
    let old = || {
        let asked = Brief { keeps_visits: false, revision: 0, ..brief(Knobs::default()) };
        Sim::new(asked, resumed::script(), Web::Scripted)
    };
    let point = resumed::whole().points_of("n2/findings") + 1;
    let mut sim = aborted_at(old(), point);
    let (n, state) = sim.kept.last().map(|(_, n, state)| (*n, state.clone())).unwrap();
    assert!(!state.contains("cut_off") && !state.contains("keeps_visits"), "{state}");
    let (machine, sum) = ("run".to_owned(), Hash::of(&state).to_string());
    let kept = KeptCheckpoint { n, machine, version: 5, sum, body: state };
    let read: Run = serde_json::from_str(&Run::FORMAT.open(kept).unwrap()).unwrap();
    assert_eq!(read, sim.run(), "a state of version 5");
    let before = sim.performed.len();
    sim.resume(None, None);
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    assert!(sim.performed[before].id.starts_with("n2/queries"));
    assert!(ticket(&sim.performed[before].id) > ticket(&sim.performed[before - 1].id));
}
