//! What a run costs: as much for each step, however long it gets. Counted, not timed.

use crate::drive::{Sim, brief, resumed_with};
use crate::models::{Script, part};
use crate::world::Web;
use quarry_events::run::{EventName, ResolutionReason, RunStatus};
use quarry_machines::run::{Brief, RunInput};
use quarry_types::{Knobs, Timeouts};

/// A run of so many nodes: each is parted in three as long as there is room.
fn run_of(nodes: u32) -> Sim {
    let mut sim = asked_for(nodes);
    sim.drive();
    assert_eq!(sim.run().tree().nodes().len(), nodes as usize);
    sim
}

/// The same before anybody has driven it.
fn asked_for(nodes: u32) -> Sim {
    asked_in(Brief::REVISION, nodes)
}

fn asked_in(revision: u32, nodes: u32) -> Sim {
    let mut script = Script::new(|_| 0.6);
    script.parts = Box::new(|asked| (0..3).map(|n| part(asked.question, n)).collect());
    let knobs = Knobs {
        max_nodes: nodes,
        max_depth: 6,
        max_rounds: 1,
        max_sources: 2_000,
        timeouts: Timeouts { run: 86_400, ..Timeouts::default() },
        ..Knobs::default()
    };
    Sim::new(Brief { revision, ..brief(knobs) }, script, Web::Scripted)
}

#[test]
fn twice_the_nodes_are_twice_the_work() {
    let [less, more] = [200, 400].map(|nodes| {
        let sim = run_of(nodes);
        let work = sim.store.work();
        let each = |of: u64| of as f64 / f64::from(nodes);
        let last = sim.store.checkpoint(sim.id, u64::MAX).unwrap();
        // What is written of states grows with the journal, and not with its square.
        let states = work.states as f64 / last.body.len() as f64;
        assert!(states < 30.0, "{nodes} nodes: {states} times the last state is written");
        [each(work.statements), each(work.entries), each(work.events), each(work.nodes)]
    });
    for (what, (less, more)) in
        ["statements", "entries", "events", "nodes"].iter().zip(less.into_iter().zip(more))
    {
        // Prompts list what was asked, up to a bound.
        assert!(more < less * 1.25, "{what}: {less} for a node of 200, {more} for one of 400");
    }
}

#[test]
fn whoever_resumes_a_long_run_writes_what_changes_and_not_its_whole_tree() {
    let whole = run_of(120);
    let mut aborted = asked_for(120);
    aborted.plan.says.insert(whole.points - 20, RunInput::Abort);
    aborted.drive();
    assert_eq!(aborted.status(), RunStatus::Aborted);
    let open = |sim: &Sim| {
        let nodes = sim.run().tree().nodes().to_vec();
        nodes.iter().filter(|it| it.resolution_reason == Some(ResolutionReason::Aborted)).count()
    };
    let cut_off = open(&aborted);
    assert!((1..30).contains(&cut_off), "{cut_off} of 120 nodes were cut off");
    // The door takes in that it goes on, and writes that.
    let (mut run, _) = aborted.store.load(aborted.id, u64::MAX);
    let touched = run.handle(resumed_with(None, None), aborted.now).nodes.len();
    assert!(
        touched <= cut_off + 2,
        "{touched} nodes are written for {cut_off} that are open again"
    );
}

#[test]
fn a_checkpoint_is_told_when_it_is_kept_and_never_else() {
    let mut sim = run_of(120);
    let check = |sim: &Sim| {
        let told = sim.events().into_iter().filter(|it| it.name == EventName::CheckpointSaved);
        let told: Vec<u64> = told.map(|event| sim.store.entry_of(sim.id, event.sequence)).collect();
        for n in &told {
            let is_kept = sim.kept.iter().any(|(run, at, _)| (run, at) == (&sim.id, n));
            assert!(is_kept, "what is told with entry {n} is not kept");
        }
        told.len()
    };
    let nodes = sim.run().tree().nodes().len();
    let count = check(&sim);
    assert!(count > 30, "{count} of {nodes} nodes");
    // A fork begins with a state of its own.
    let fork = sim.fork(Some(300), Some("What is the future of Brankmoor?"), |_| {});
    let at_birth = sim.store.checkpoint(fork, u64::MAX).unwrap();
    assert_eq!(at_birth.n, sim.store.position(fork).n);
    assert_eq!(sim.kept.last().map(|(_, _, state)| state), Some(&at_birth.body));
}

#[test]
fn runs_that_were_begun_before_keep_their_states_as_often_as_their_journals_say() {
    let told = |revision| {
        let mut sim = asked_in(revision, 120);
        sim.drive();
        sim.events().iter().filter(|event| event.name == EventName::CheckpointSaved).count()
    };
    let [first, second, now] = [13, 14, Brief::REVISION].map(told);
    assert!(first > second + second / 4, "{first} with revision 13, {second} with 14");
    assert!(now > first, "{first} with revision 13, {now} now");
}

#[test]
fn behind_every_node_of_an_ordinary_run_its_state_is_kept() {
    let sim = run_of(Knobs::default().max_nodes);
    let names: Vec<EventName> = sim.events().iter().map(|event| event.name).collect();
    let mut count = 0;
    for (at, name) in names.iter().enumerate() {
        if matches!(name, EventName::NodeResolved | EventName::NodeUnresolved) {
            let next = names.get(at + 1);
            assert_eq!(next, Some(&EventName::CheckpointSaved), "behind event {}", at + 1);
            count += 1;
        }
    }
    assert_eq!(count, Knobs::default().max_nodes);
}

#[test]
fn a_state_is_kept_at_every_border_of_a_round_and_of_the_report() {
    let missing = |revision| {
        let mut sim = asked_in(revision, 120);
        sim.drive();
        let names: Vec<EventName> = sim.events().iter().map(|event| event.name).collect();
        let is_kept = |at: usize| names.get(at) == Some(&EventName::CheckpointSaved);
        let borders = names.iter().enumerate().filter_map(|(at, name)| match name {
            EventName::RoundStarted | EventName::RoundCompleted => Some((*name, at + 1)),
            // The report is begun behind this, as there is one round.
            EventName::PassSufficiencyEvaluated => Some((*name, at + 1)),
            EventName::RunCompleted => Some((*name, at - 1)),
            _ => None,
        });
        let borders: Vec<(EventName, usize)> = borders.collect();
        assert_eq!(borders.len(), 4);
        borders.into_iter().filter(|(_, at)| !is_kept(*at)).map(|(name, _)| name).collect()
    };
    let now: Vec<EventName> = missing(Brief::REVISION);
    assert_eq!(now, []);
    assert_ne!(missing(3), [], "as the journals of before have it");
}

#[test]
fn a_run_is_shown_without_its_journal_as_its_state_has_it() {
    let mut sim = run_of(12);
    let shown = |sim: &Sim| -> serde_json::Value {
        serde_json::from_str(&sim.store.shown(sim.id, sim.now).unwrap()).unwrap()
    };
    let folded = |sim: &Sim| serde_json::to_value(sim.run().snapshot(sim.now, false)).unwrap();
    assert_eq!(shown(&sim), folded(&sim));
    // A fork has its origin's nodes with its own first step, and not before.
    let fork = sim.fork(Some(40), Some("What is the future of Brankmoor?"), |_| {});
    assert_eq!(sim.store.shown(fork, sim.now), None);
    sim.drive();
    assert_eq!(shown(&sim), folded(&sim));
}

#[test]
fn nothing_is_folded_behind_a_run_that_waits_or_has_ended() {
    let sim = run_of(40);
    let (_, last) = sim.store.load(sim.id, u64::MAX);
    assert_eq!(sim.store.checkpoint(sim.id, u64::MAX).unwrap().n, last);
}
