//! How many runs are driven at once, and who is none of them.

use super::*;

fn driven(connection: &Connection, now: i64) -> i64 {
    connection.query_row(DRIVEN, [now], |row| row.get(0)).unwrap()
}

/// Takes a run as another driver, where so many are driven at most.
fn taken(connection: &Connection, number: u128, now: i64, most: i64) -> bool {
    let holder = format!("d{number}");
    let values = params![id(number).to_string(), holder, now, now + 60, most, Option::<i64>::None];
    connection.prepare(TAKE).unwrap().exists(values).unwrap()
}

fn is_room(connection: &Connection, number: u128, now: i64, most: i64) -> bool {
    let values = params![id(number).to_string(), now, most];
    connection.prepare(ROOM).unwrap().exists(values).unwrap()
}

/// Its driver waits with it until then.
fn waits(connection: &Connection, number: u128, until: u64) {
    create(connection, birth(number));
    assert!(taken(connection, number, 100, 0));
    let mut step = step(number, &["2"]);
    step.holder = format!("d{number}");
    (step.status, step.due_at) = (RunStatus::Queued, Some(Timestamp(until)));
    (step.now, step.until) = (Timestamp(110), Timestamp(2_000));
    write(connection, step).unwrap();
}

#[test]
fn who_waits_with_a_run_has_no_place_until_its_time_has_come() {
    let connection = database();
    waits(&connection, 1, 500);
    create(&connection, birth(2));
    assert_eq!(driven(&connection, 120), 0);
    assert!(taken(&connection, 2, 120, 1), "the only place is free");
    assert_eq!(driven(&connection, 121), 1, "also before its first step");
    assert!(!is_room(&connection, 1, 150, 1) && is_room(&connection, 1, 150, 2));
    assert!(is_room(&connection, 1, 150, 0), "there is no bound");
    // Who has its own run is asked by nobody, and a wait that is over counts.
    assert!(taken(&connection, 1, 500, 1));
    create(&connection, birth(3));
    release(&connection, 2, "d2", None);
    assert_eq!(driven(&connection, 500), 1);
    assert!(!taken(&connection, 3, 500, 1) && is_room(&connection, 1, 500, 1));
}

#[test]
fn of_many_that_wake_together_each_finds_room_one_after_the_other() {
    let connection = database();
    for number in 1..=4 {
        waits(&connection, number, 500);
    }
    let rooms = || (1..=4).filter(|run| is_room(&connection, *run, 600, 2)).collect::<Vec<_>>();
    assert_eq!(rooms(), [1, 2], "not all at once, and not nobody");
    let mut first = step(1, &["3"]);
    (first.holder, first.first) = ("d1".to_owned(), 3);
    (first.now, first.until) = (Timestamp(600), Timestamp(2_000));
    write(&connection, first).unwrap();
    assert_eq!(rooms(), [1, 2]);
    release(&connection, 1, "d1", None);
    end_at(&connection, 1, 4);
    assert_eq!(rooms()[1..], [2, 3]);
}
