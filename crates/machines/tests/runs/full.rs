//! A database whose disk is full: SQLite itself has no page left to write to.

use crate::drive::{Sim, brief};
use crate::models::Script;
use crate::stream;
use crate::world::Web;
use quarry_journal::Leave;
use quarry_types::Knobs;

fn sim() -> Sim {
    let script = Script::new(|asked| if asked.purpose == "n1/judgement" { 0.3 } else { 0.9 });
    Sim::new(brief(Knobs::default()), script, Web::Scripted)
}

/// Leaves a database the pages that it has and so many more; none: as many as it wants.
fn limit(sim: &Sim, more: Option<i64>) {
    let pages = |pragma: &str| -> i64 {
        sim.store.0.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).unwrap()
    };
    let most = more.map_or(1_000_000, |more| pages("page_count") + more);
    assert_eq!(pages(&format!("max_page_count = {most}")), most);
}

/// Whoever drives the run waits for room, and lets go of it after a minute: it is nobody's then, its journal whole.
#[test]
fn a_run_whose_disk_is_full_is_let_go_of_and_goes_on_when_there_is_room() {
    let mut whole = sim();
    whole.drive();
    stream::check(&whole);
    let (events, report) = (stream::plain(&whole.events()), stream::plain_report(&whole));
    for more in [0, 2, 5, 9, 14, 20] {
        let mut full = sim();
        limit(&full, Some(more));
        full.drive_until_dead();
        assert_eq!(full.lefts, [Leave::StoreFails], "{more} pages more");
        let told = &full.fulls;
        assert!(told.iter().all(|it| it == "database or disk is full"), "{told:?}");
        assert!((2..100).contains(&told.len()), "it is tried again, and not without end: {told:?}");
        assert!(!full.status().has_ended(), "{more} pages more");
        limit(&full, None);
        full.now.0 += full.limits.lease_ms;
        full.drive();
        stream::check(&full);
        assert_eq!(stream::plain_report(&full), report, "{more} pages more");
        assert_eq!(stream::plain(&full.events()), events, "{more} pages more");
        assert!(full.run().metrics(full.now).unsettled_calls <= 1, "{more} pages more");
    }
}
