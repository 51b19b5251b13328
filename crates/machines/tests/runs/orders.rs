//! Searches that end in any order: a run tells the same.

use crate::drive::{Sim, brief};
use crate::models::Script;
use crate::replay;
use crate::stream;
use crate::world::{Web, random};
use quarry_machines::run::Brief;
use quarry_types::Knobs;
use serde_json::Value;

/// What a run tells whose queries take so long, each by its place among those that were sent.
fn told(revision: u32, web: Web, turn: u64) -> (Vec<Value>, String) {
    let mut script = Script::new(|_| 0.9);
    // More than are sent side by side; some of them can be made broader.
    script.queries = Box::new(|_| {
        let all = [
            "alder tower keepers record",
            "elm bridge survey plans",
            "oak gate",
            "ash mill wheel stones",
        ];
        [&all[..], &["yew harbour", "rowan quay ledger books"]]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect()
    });
    let knobs = Knobs {
        max_rounds: 1,
        max_depth: 0,
        max_queries_per_node: 12,
        max_no_gain_retries: 3,
        ..Knobs::default()
    };
    let mut sim = Sim::new(Brief { revision, ..brief(knobs) }, script, web);
    sim.errand_ms = Box::new(move |id| 50 + random(turn ^ crate::world::hash(id)) % 1_000);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    (stream::plain(&sim.events()), stream::plain_report(&sim))
}

#[test]
fn a_run_tells_the_same_in_whatever_order_its_searches_end() {
    let mut before = 0;
    for web in [Web::Same, Web::Empty, Web::Failing(2), Web::Scripted] {
        let whole = told(Brief::REVISION, web, 0);
        let first = told(3, web, 0);
        for turn in 1..24 {
            assert!(told(Brief::REVISION, web, turn) == whole, "{web:?}, {turn}");
            before += usize::from(told(3, web, turn) != first);
        }
    }
    assert!(before > 0, "in runs of before it mattered");
}
