//! What a caller's runs take from each other: searches, and nothing else.

use crate::drive::{Sim, brief};
use crate::models::Script;
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::Web;
use quarry_events::run::EventName;
use quarry_machines::run::Brief;
use quarry_types::{Knobs, RunId, Timestamp};

const HOUR_MS: u64 = 3_600_000;
const ADA: Option<&str> = Some("ada@example.com");

/// A run of one node that searches for these.
fn asks(number: u128, knobs: Knobs) -> Brief {
    let one = Knobs { max_rounds: 1, max_depth: 0, ..knobs };
    Brief { id: RunId::new(1, number), shares_searches: true, ..brief(one) }
}

fn script(queries: &'static [&'static str]) -> Script {
    let mut script = Script::new(|_| 0.9);
    script.queries = Box::new(|_| queries.iter().map(|query| (*query).to_owned()).collect());
    script
}

const TOWER: &[&str] = &["alder tower", "elm bridge"];
const SAME: &[&str] = &["the towers of the alder", "elm bridge"];

/// The first run has ended, with what it searched for.
fn first(caller: Option<&str>, web: Web) -> Sim {
    let mut sim = Sim::of(caller, asks(1, Knobs::default()), script(TOWER), web);
    sim.drive();
    assert_eq!(searched(&sim), 2);
    sim
}

/// Searches that reached the web.
fn searched(sim: &Sim) -> usize {
    sim.performed.iter().filter(|it| !it.is_model).count()
}

/// Drives another run and says how many searches reached the web.
fn then(
    sim: &mut Sim,
    caller: Option<&str>,
    brief: Brief,
    queries: &'static [&'static str],
) -> usize {
    sim.another(caller, brief, script(queries));
    sim.drive();
    stream::check(sim);
    assert!(replay::check(sim) > 0);
    searched(sim)
}

#[test]
fn what_one_run_of_a_caller_found_the_next_does_not_search_for() {
    let mut sim = first(ADA, Web::Scripted);
    sim.now = Timestamp(sim.now.0 + HOUR_MS);
    assert_eq!(then(&mut sim, ADA, asks(2, Knobs::default()), SAME), 0);
    let told = all_of(&sim.events(), EventName::QuerySkippedCached);
    assert_eq!(told.len(), 2);
    for (told, (query, same_as)) in told.iter().zip(SAME.iter().zip(TOWER)) {
        assert_eq!(
            (told["query"].as_str(), told["same_as"].as_str()),
            (Some(*query), Some(*same_as))
        );
        assert_eq!(told["from_run_id"], RunId::new(1, 1).to_string());
        assert!((3_590..3_700).contains(&told["age"].as_u64().unwrap()), "{told}");
    }
    let metrics = sim.run().metrics(sim.now);
    assert_eq!((metrics.queries, metrics.queries_cached), (0, 2));
    let report = sim.run().kept_report().unwrap().markdown.clone();
    assert!(report.contains(".gov/"), "it rests on the pages all the same: {report}");
    // What was only taken over is not passed on as new.
    sim.now = Timestamp(sim.now.0 + 23 * HOUR_MS);
    assert_eq!(then(&mut sim, ADA, asks(3, Knobs::default()), SAME), 2);
}

#[test]
fn strangers_and_whoever_has_no_name_share_nothing() {
    let mut sim = first(ADA, Web::Scripted);
    assert_eq!(then(&mut sim, Some("bob@example.com"), asks(2, Knobs::default()), TOWER), 2);
    assert_eq!(then(&mut sim, None, asks(3, Knobs::default()), TOWER), 2);
    assert_eq!(then(&mut sim, None, asks(4, Knobs::default()), TOWER), 2, "nor among themselves");
    let alone = Brief { shares_searches: false, ..asks(5, Knobs::default()) };
    assert_eq!(then(&mut sim, ADA, alone, TOWER), 2, "nor a run that was begun before runs did");
    assert_eq!(then(&mut sim, ADA, asks(6, Knobs::default()), TOWER), 0);
}

#[test]
fn what_is_too_old_by_the_next_runs_own_measure_is_searched_for_again() {
    let hour = |ttl| Knobs { cache_ttl: ttl, ..Knobs::default() };
    let mut sim = first(ADA, Web::Scripted);
    sim.now = Timestamp(sim.now.0 + HOUR_MS);
    assert_eq!(then(&mut sim, ADA, asks(2, hour(600)), TOWER), 2);
    assert_eq!(then(&mut sim, ADA, asks(3, hour(0)), TOWER), 2);
    assert_eq!(then(&mut sim, ADA, asks(4, hour(600)), TOWER), 0, "the second has just done so");
    // Another run may want more of a query than the first asked for.
    let more = Knobs { search_results_per_query: 9, ..Knobs::default() };
    assert_eq!(then(&mut sim, ADA, asks(5, more), TOWER), 2);
}

#[test]
fn what_changes_with_time_is_taken_over_for_a_quarter_of_an_hour() {
    const PRICE: &[&str] = &["alder tower ticket price today"];
    let mut sim = Sim::of(ADA, asks(1, Knobs::default()), script(PRICE), Web::Scripted);
    sim.drive();
    let end = sim.now;
    sim.now = Timestamp(end.0 + 600_000);
    assert_eq!(then(&mut sim, ADA, asks(2, Knobs::default()), PRICE), 0);
    sim.now = Timestamp(end.0 + 900_000);
    assert_eq!(then(&mut sim, ADA, asks(3, Knobs::default()), PRICE), 1);
}

#[test]
fn a_search_that_brought_no_page_helps_nobody() {
    let mut sim = Sim::of(ADA, asks(1, Knobs::default()), script(TOWER), Web::Empty);
    sim.drive();
    sim.web = Web::Scripted;
    assert_eq!(then(&mut sim, ADA, asks(2, Knobs::default()), TOWER), 2);
}

#[test]
fn a_run_that_is_deleted_leaves_no_page_to_others_and_what_they_took_is_theirs() {
    let mut sim = first(ADA, Web::Scripted);
    assert_eq!(then(&mut sim, ADA, asks(2, Knobs::default()), TOWER), 0);
    sim.store.delete(RunId::new(1, 1));
    let events = sim.events();
    assert_eq!(all_of(&events, EventName::SourcesRanked).len(), 1);
    assert!(replay::check(&sim) > 0, "its journal has what it took");
    assert_eq!(then(&mut sim, ADA, asks(3, Knobs::default()), TOWER), 2);
}

/// A driver may die between the look and the step; whoever follows looks again, or searches.
#[test]
fn a_run_that_takes_from_another_may_be_killed_anywhere() {
    let points = {
        let mut sim = first(ADA, Web::Scripted);
        let before = sim.points;
        then(&mut sim, ADA, asks(2, Knobs::default()), TOWER);
        before..=sim.points
    };
    for point in points {
        let mut sim = first(ADA, Web::Scripted);
        sim.plan.kills.insert(point);
        assert_eq!(then(&mut sim, ADA, asks(2, Knobs::default()), TOWER), 0, "killed at {point}");
        assert_eq!(all_of(&sim.events(), EventName::QuerySkippedCached).len(), 2, "{point}");
    }
}

#[test]
fn a_caller_has_a_bounded_number_of_searches_and_what_is_over_goes() {
    let sim = first(ADA, Web::Scripted);
    let connection = &sim.store.0;
    let count = || -> i64 {
        connection.query_row("SELECT count(*) FROM run_search", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count(), 2);
    let put = "INSERT INTO run_search_put (run_id, now, n, intent, query, until, results)
         VALUES (?1, ?2, 1, ?3, 'q', ?4, 6)";
    let run = RunId::new(1, 1).to_string();
    let now = i64::try_from(sim.now.0).unwrap();
    for n in 0..1_100 {
        let values = rusqlite::params![run, now + n, format!("i{n}"), now + 1_000_000];
        connection.execute(put, values).unwrap();
    }
    assert_eq!(count(), 1_000);
    let youngest: i64 =
        connection.query_row("SELECT max(at) FROM run_search", [], |row| row.get(0)).unwrap();
    assert_eq!(youngest, now + 1_099, "the oldest go");
    // What nobody may be given any more goes with the next that is kept, a hundred at a time.
    for n in 0..9 {
        let at = now + 1_000_000;
        connection.execute(put, rusqlite::params![run, at, format!("j{n}"), at + 1]).unwrap();
    }
    assert_eq!(count(), 109);
}
