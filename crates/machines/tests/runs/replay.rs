//! A run is its journal: folding it gives every state that was kept, and every event that was told.

use crate::drive::{Sim, brief};
use crate::models::Script;
use crate::stream;
use crate::world::{Web, random};
use quarry_machines::run::{Run, RunInput};
use quarry_types::{ChatError, Knobs};

/// Folds the journal from its first entry on, and compares all that there is to compare. Says
/// how many states were kept.
pub fn check(sim: &Sim) -> usize {
    let (mut run, mut events) = (None, Vec::new());
    let mut compared = 0;
    for entry in sim.store.journal(sim.id, 0) {
        events.extend(sim.store.fold(sim.id, &mut run, &entry));
        for (_, _, state) in sim.kept.iter().filter(|(id, n, _)| (*id, *n) == (sim.id, entry.n)) {
            let folded = serde_json::to_string(run.as_ref().unwrap()).unwrap();
            assert_eq!(folded, *state, "the checkpoint at {}", entry.n);
            let read: Run = serde_json::from_str(state).unwrap();
            assert_eq!(run.as_ref(), Some(&read));
            compared += 1;
        }
    }
    assert_eq!(events, sim.events());
    assert_eq!(run.unwrap(), sim.run(), "from the newest checkpoint it is the same run");
    compared
}

#[test]
fn folding_a_journal_gives_every_state_that_was_kept_and_every_event_that_was_told() {
    for seed in 0..24 {
        let score = move |asked: crate::models::Asked<'_>| {
            let bits = random(seed ^ crate::world::hash(asked.purpose) ^ asked.nth as u64);
            (bits % 100) as f64 / 100.0
        };
        let error = ChatError::rate_limited(5_000, "slow down".to_owned());
        let script = Script::new(score).fails("n1/findings", 1, error);
        let web = if seed % 2 == 0 { Web::Scripted } else { Web::Failing(3) };
        let mut sim = Sim::new(brief(Knobs::default()), script, web);
        sim.plan.kills = [20 + seed * 3, 90 + seed].into();
        sim.plan.says.insert(30, RunInput::Guidance { text: "Look at laws first.".to_owned() });
        sim.drive();
        stream::check(&sim);
        assert!(check(&sim) > 2);
    }
}
