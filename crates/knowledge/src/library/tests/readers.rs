//! Searches that meet over an index that is not at hand: one of them reads it.

use super::*;

type Searching<'s> = Pin<Box<dyn Future<Output = Done<Findings>> + 's>>;

/// Documents that are there, whose index no instance has at hand.
fn database() -> Database {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    database.read.set(0);
    database
}

/// How many parts the index has.
fn parts(database: &Database) -> u32 {
    let instance = Instance::new(database);
    assert_eq!(instance.finds("hawser"), ["rope"]);
    database.read.replace(0)
}

fn searching<'s>(instance: &'s Instance<'_>) -> Searching<'s> {
    Box::pin(async { instance.of(None).search(&query("default", "hawser")).await })
}

/// Each has its turns until all are done.
fn all(mut searches: Vec<Searching<'_>>) -> Vec<Done<Findings>> {
    let mut done = Vec::new();
    for turn in 0.. {
        searches.retain_mut(|searching| match poll(searching) {
            Poll::Ready(found) => {
                done.push(found);
                false
            }
            Poll::Pending => true,
        });
        if searches.is_empty() {
            break;
        }
        assert!(turn < 10_000, "{} wait for nobody", searches.len());
    }
    done
}

/// One that has begun to read.
fn reader<'s>(database: &Database, instance: &'s Instance<'_>) -> Searching<'s> {
    let mut reader = searching(instance);
    while database.read.get() == 0 {
        assert!(poll(&mut reader).is_pending());
    }
    reader
}

#[track_caller]
fn assert_found(found: &Done<Findings>) {
    let found = &found.as_ref().unwrap().found;
    assert_eq!(found.first().map(|best| best.chunk.title.as_str()), Some("rope"));
}

#[test]
fn of_those_who_search_at_once_one_reads_the_index() {
    let database = database();
    let parts = parts(&database);
    assert!(parts > 1, "{parts}");
    let instance = Instance::new(&database);
    database.shares.set(true);
    database.turns.set(true);
    let found = all((0..8).map(|_| searching(&instance)).collect());
    assert_eq!(found.len(), 8);
    found.iter().for_each(assert_found);
    assert_eq!(database.read.get(), parts);
}

#[test]
fn a_reader_that_is_given_up_or_fails_lets_the_next_read() {
    let database = database();
    let parts = parts(&database);
    database.shares.set(true);
    database.turns.set(true);
    let instance = Instance::new(&database);
    let gone = reader(&database, &instance);
    let mut others: Vec<_> = (0..3).map(|_| searching(&instance)).collect();
    for _ in 0..50 {
        assert!(others.iter_mut().all(|other| poll(other).is_pending()));
    }
    assert_eq!(database.read.get(), 1, "they wait");
    drop(gone);
    all(others).iter().for_each(assert_found);
    assert_eq!(database.read.get(), 1 + parts, "one of them reads");
    // And one to whom the database does not answer.
    let instance = Instance::new(&database);
    database.read.set(0);
    database.loses.set(1);
    let found = all((0..4).map(|_| searching(&instance)).collect());
    assert_eq!(found.iter().filter(|found| found.is_err()).count(), 1, "{found:?}");
    found.iter().filter(|found| found.is_ok()).for_each(assert_found);
    assert_eq!(database.read.get(), parts);
}

#[test]
fn nobody_waits_for_a_reader_without_end() {
    let database = database();
    let parts = parts(&database);
    database.shares.set(true);
    database.turns.set(true);
    let instance = Instance::new(&database);
    let _stuck = reader(&database, &instance);
    let mut other = searching(&instance);
    for _ in 0..50 {
        assert!(poll(&mut other).is_pending());
    }
    assert_eq!(database.read.get(), 1);
    database.now.set(database.now.get() + PATIENCE);
    all(vec![other]).iter().for_each(assert_found);
    assert_eq!(database.read.get(), 1 + parts);
}

#[test]
fn who_waited_for_an_older_version_reads_what_is_new_alone() {
    let database = database();
    database.shares.set(true);
    database.turns.set(true);
    let instance = Instance::new(&database);
    let first = reader(&database, &instance);
    // Meanwhile there is another version.
    database.turns.set(false);
    database.shares.set(false);
    Instance::new(&database).load("buoy.md", "# Buoy\n\nA hawser holds the buoy.").unwrap();
    database.shares.set(true);
    database.turns.set(true);
    let found = all(vec![first, searching(&instance), searching(&instance)]);
    let is_new = |found: &Done<Findings>| {
        let found = &found.as_ref().unwrap().found;
        found.iter().any(|found| found.chunk.title == "Buoy")
    };
    // The first may have what there was when it began.
    assert!(found.iter().filter(|found| is_new(found)).count() >= 2, "{found:?}");
}
