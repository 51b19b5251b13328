//! What doors keep beside runs, and keys that a newer run takes over.

use super::*;
use quarry_journal::run::Idempotency;

fn keep(connection: &Connection, number: u128, at: i64, text: &str) {
    connection.execute(KEEP, params![id(number).to_string(), at, text]).unwrap();
}

/// Status, last event, what is kept.
fn described(connection: &Connection, number: u128) -> Option<(String, i64, Option<String>)> {
    let row = connection.query_row(KNOWN, [id(number).to_string()], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    });
    row.optional().unwrap()
}

fn kept(connection: &Connection) -> i64 {
    connection.query_row("SELECT count(*) FROM run_kept", [], |row| row.get(0)).unwrap()
}

#[test]
fn what_is_kept_stands_before_its_run_and_goes_with_it() {
    let connection = database();
    keep(&connection, 1, 100, "a");
    assert_eq!(described(&connection, 1), None, "there is no run yet");
    create(&connection, Birth { status: RunStatus::Failed, ..birth(1) });
    create(&connection, birth(2));
    assert_eq!(described(&connection, 1), Some(("failed".into(), 1, Some("a".into()))));
    assert_eq!(described(&connection, 2), Some(("queued".into(), 1, None)));
    // Nobody takes away what belongs to a run.
    connection.execute(UNKEEP, [id(1).to_string()]).unwrap();
    keep(&connection, 3, 100, "b");
    connection.execute(UNKEEP, [id(3).to_string()]).unwrap();
    assert_eq!(kept(&connection), 1);
    // What stayed without a run goes with the next that is younger.
    keep(&connection, 4, 99, "c");
    keep(&connection, 5, 100, "d");
    assert!(one(&connection, DELETE, id(1)).is_some());
    assert_eq!(kept(&connection), 1);
}

#[test]
fn a_key_is_taken_from_a_run_that_is_too_old_for_it() {
    let connection = database();
    let key = || Idempotency::of(Some("a@b.test"), "key", "asked").unwrap();
    let keyed = |number, key: Idempotency| Birth {
        caller: Some("a@b.test".into()),
        key: Some((key.key, key.asked)),
        ..birth(number)
    };
    create(&connection, keyed(1, key()));
    create(&connection, keyed(2, key()));
    assert_eq!(described(&connection, 2), None, "the key is taken");
    for (caller, until) in [(Some("a@b.test"), 99), (None, 100)] {
        connection.execute(FREE_KEY, params![caller, key().key, until]).unwrap();
        create(&connection, keyed(2, key()));
        assert_eq!(described(&connection, 2), None, "{caller:?} {until}");
    }
    connection.execute(FREE_KEY, params![Some("a@b.test"), key().key, 100]).unwrap();
    create(&connection, keyed(2, key()));
    assert!(described(&connection, 2).is_some() && described(&connection, 1).is_some());
    let found = params![Some("a@b.test"), key().key];
    let found: String = connection.query_row(FIND_BY_KEY, found, |row| row.get(0)).unwrap();
    assert_eq!(found, id(2).to_string());
}

#[test]
fn a_key_is_taken_from_a_run_that_has_ended_alone() {
    let connection = database();
    let key = Idempotency::of(Some("a@b.test"), "key", "asked").unwrap().key;
    let keyed = |number| Birth {
        caller: Some("a@b.test".into()),
        key: Some((key.clone(), "asked".into())),
        ..birth(number)
    };
    let freed =
        |caller: Option<&str>| connection.execute(FREE_KEY_OF_ENDED, params![caller, key]).unwrap();
    create(&connection, keyed(1));
    for (status, is_freed) in
        [("queued", 0), ("running", 0), ("completed", 1), ("failed", 1), ("aborted", 1)]
    {
        let now = "UPDATE run SET status = ?1, idempotency_key = ?2 WHERE run_id = ?3";
        connection.execute(now, params![status, key, id(1).to_string()]).unwrap();
        assert_eq!((freed(None), freed(Some("a@b.test"))), (0, is_freed), "{status}");
    }
}
