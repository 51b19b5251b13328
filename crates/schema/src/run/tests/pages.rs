//! What is read in pages.

use super::*;
use quarry_journal::run::{due, inbox, records};

#[test]
fn entries_come_in_pages_of_so_many_bytes() {
    let connection = database();
    create(&connection, birth(1));
    let long = format!("\"{}\"", "x".repeat(9_998));
    write(&connection, step(1, &["22", &long, "44", "55"])).unwrap();
    let page = |behind, bytes| {
        some(&connection, 1, behind, bytes).iter().map(|entry| entry.n).collect::<Vec<_>>()
    };
    assert_eq!(page(0, 100), [1, 2]);
    assert_eq!(page(2, 100), [3], "one that is too long comes alone");
    assert_eq!(page(3, 100), [4, 5]);
    assert_eq!(page(0, 10_005), [1, 2, 3, 4]);
    assert!(page(5, 100).is_empty());
    assert_eq!(some(&connection, 1, 2, 1)[0].body.text(), long);
}

#[test]
fn events_come_in_pages_with_the_runs_status() {
    let connection = database();
    create(&connection, birth(1));
    let mut many = step(1, &[]);
    many.events = (2..=451).map(|sequence| event(sequence, "{}")).collect();
    write(&connection, many).unwrap();
    let lengths = [0, 200, 400].map(|after| shown(&connection, 1, after).unwrap().events.len());
    assert_eq!(lengths, [200, 200, 51]);
    let mut long = step(1, &[]);
    let data = format!("\"{}\"", "é".repeat(50_000));
    long.events = (452..=456).map(|sequence| event(sequence, &data)).collect();
    long.status = RunStatus::Failed;
    write(&connection, long).unwrap();
    let page = shown(&connection, 1, 451).unwrap();
    assert_eq!((page.status, page.last, page.events.len()), (RunStatus::Failed, 456, 2));
    assert!(!page.is_over(453) && page.is_over(456));
    assert_eq!(shown(&connection, 1, 456).unwrap().events, []);
    assert_eq!(shown(&connection, 2, 0), None);
}

#[test]
fn a_caller_sees_their_own_runs_newest_first() {
    let connection = database();
    for number in 1..=5 {
        let (caller, now) = (Some("me".to_owned()), Timestamp(100 + number as u64 / 2));
        create(&connection, Birth { caller, now, ..birth(number) });
    }
    create(&connection, birth(6));
    create(&connection, Birth { caller: Some("you".to_owned()), ..birth(7) });
    end(&connection, 2, 300);
    let list = |caller: Option<&str>, status: Option<&str>, behind: Option<&Record>, most: i64| {
        let at = behind.map(|record| record.created_at.0 as i64);
        let behind = behind.map(|record| record.run.to_string());
        let values = params![caller, status, at, behind, most];
        let packed: String = connection.query_row(LIST, values, |row| row.get(0)).unwrap();
        records(&packed).unwrap()
    };
    let first = list(Some("me"), None, None, 2);
    let second = list(Some("me"), None, first.last(), 2);
    let third = list(Some("me"), None, second.last(), 2);
    let runs: Vec<RunId> =
        [first, second, third].iter().flatten().map(|record| record.run).collect();
    assert_eq!(runs, [5, 4, 3, 2, 1].map(id));
    assert_eq!(list(Some("me"), Some("completed"), None, 9)[0].run, id(2));
    assert_eq!(list(Some("me"), Some("failed"), None, 9), []);
    assert_eq!(list(None, None, None, 9).len(), 1);
}

#[test]
fn what_is_due_is_found_longest_due_first() {
    let connection = database();
    for (number, due) in [(1, Some(900)), (2, Some(500)), (3, None), (4, Some(950)), (5, Some(1))] {
        create(&connection, Birth { due_at: due.map(Timestamp), ..birth(number) });
    }
    end(&connection, 5, 300);
    let due = |now: i64, most: i64| {
        let packed: String =
            connection.query_row(DUE, params![now, most], |row| row.get(0)).unwrap();
        due(&packed).unwrap()
    };
    assert_eq!(due(920, 9), [id(2), id(1)]);
    assert_eq!(due(920, 1), [id(2)]);
    assert!(take(&connection, 2, "a", 920).is_some());
    assert_eq!(due(920, 9), [id(1)]);
    assert_eq!(due(980, 9), [id(2), id(1), id(4)], "its driver died");
}

#[test]
fn what_cannot_be_read_is_put_behind_the_others() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance"), "which makes it due at once");
    assert!(take(&connection, 1, "a", 900).is_some());
    let put_off = |holder: &str| {
        let values = params![id(1).to_string(), holder, 5_000];
        connection.execute(PUT_OFF, values).unwrap()
    };
    assert_eq!((put_off("b"), put_off("a")), (0, 1), "only whoever has it does");
    let known = known(&connection, 1).unwrap();
    assert_eq!((known.holder, known.until), (None, None));
    assert_eq!(known.due_at, Some(Timestamp(5_000)));
}

#[test]
fn what_comes_in_wakes_the_run_and_is_taken_once() {
    let connection = database();
    create(&connection, Birth { due_at: None, ..birth(1) });
    let due_at = || known(&connection, 1).unwrap().due_at;
    assert!(put(&connection, 1, "i1", "guidance") && put(&connection, 1, "i2", "abort"));
    assert!(put(&connection, 1, "i1", "guidance"), "to leave it again changes nothing");
    assert_eq!(due_at(), Some(Timestamp(0)));
    let waiting = || inbox(&one(&connection, INBOX_GET, id(1)).unwrap()).unwrap();
    let names: Vec<String> = waiting().into_iter().map(|waiting| waiting.id).collect();
    assert_eq!(names, ["i1", "i2"]);
    // What came after the driver's last look is not slept over, whatever the driver thinks.
    let taken = vec!["i1".to_owned()];
    write(&connection, Step { due_at: None, taken, ..step(1, &["2"]) }).unwrap();
    assert_eq!((waiting().len(), due_at()), (1, Some(Timestamp(0))));
    release(&connection, 1, "a", None);
    assert_eq!(due_at(), Some(Timestamp(0)));
    // An abort that came too late does not end the run that is resumed.
    end_at(&connection, 1, 3);
    assert_eq!((waiting().len(), due_at()), (0, None));
}

/// Whoever never heard that it was taken sends it again.
#[test]
fn of_wishes_to_resume_a_run_one_lies_there_and_the_same_again_is_that_one() {
    let connection = database();
    create(&connection, birth(1));
    let put = |name, body| {
        let values = params![id(1).to_string(), name, 150, "resume", body];
        let row = connection.query_row(INBOX_PUT, values, |row| row.get::<_, String>(0));
        row.optional().unwrap()
    };
    assert_eq!(put("i1", r#"{"resume":1}"#).as_deref(), Some("i1"));
    assert_eq!(put("i2", r#"{"resume":1}"#).as_deref(), Some("i1"));
    assert_eq!(put("i1", r#"{"resume":1}"#).as_deref(), Some("i1"));
    assert_eq!(put("i3", r#"{"resume":2}"#), None, "another");
    let all = || inbox(&one(&connection, INBOX_GET, id(1)).unwrap()).unwrap();
    let names: Vec<String> = all().into_iter().map(|waiting| waiting.id).collect();
    assert_eq!(names, ["i1"]);
    // Once it was heard, the same is a wish of its own.
    write(&connection, Step { taken: names, ..step(1, &["2"]) }).unwrap();
    assert_eq!(put("i4", r#"{"resume":1}"#).as_deref(), Some("i4"));
}

#[test]
fn what_is_left_for_a_run_that_has_ended_is_refused() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "abort") && put(&connection, 1, "i2", "guidance"));
    let taken = vec!["i1".to_owned(), "i2".to_owned()];
    write(&connection, Step { status: RunStatus::Completed, taken, ..step(1, &["2"]) }).unwrap();
    assert!(!put(&connection, 1, "i3", "guidance") && !put(&connection, 2, "i1", "abort"));
    assert_eq!(count(&connection, "run_inbox"), 0);
}

/// A driver that is shown a part of it never gets beyond the rest, which its steps leave out.
#[test]
fn whoever_looks_is_shown_all_that_was_left() {
    let connection = database();
    create(&connection, birth(1));
    for it in 0..MOST_GUIDANCE {
        assert!(put(&connection, 1, &it.to_string(), "guidance"), "{it}");
    }
    assert!(put(&connection, 1, "last", "abort"));
    let all = inbox(&one(&connection, INBOX_GET, id(1)).unwrap()).unwrap();
    let ids: Vec<String> = all.into_iter().map(|waiting| waiting.id).collect();
    assert_eq!(ids.len() as u32, MOST_GUIDANCE + 1);
    let ended = Step { status: RunStatus::Aborted, taken: ids, ..step(1, &["2"]) };
    write(&connection, ended).unwrap();
}

/// Whoever cannot read one of them reads the others, and takes all of them.
#[test]
fn what_is_damaged_hides_nothing_else_that_was_left() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance") && put(&connection, 1, "i2", "guidance"));
    let damage = "UPDATE run_inbox SET body = x'ff00', at = 'soon', kind = x'00' WHERE id = 'i1'";
    assert_eq!(connection.execute(damage, []), Ok(1));
    let all = inbox(&one(&connection, INBOX_GET, id(1)).unwrap()).unwrap();
    let read: Vec<(&str, bool)> =
        all.iter().map(|it| (it.id.as_str(), it.body.is_some())).collect();
    assert_eq!(read, [("i1", false), ("i2", true)]);
    let taken = vec!["i1".to_owned(), "i2".to_owned()];
    write(&connection, Step { status: RunStatus::Completed, taken, ..step(1, &["2"]) }).unwrap();
    assert_eq!(count(&connection, "run_inbox"), 0);
}

/// A name that is no text hides nothing, is told and is taken, however it came.
#[test]
fn a_name_that_is_no_text_keeps_nobody_from_hearing() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance") && put(&connection, 1, "i2", "guidance"));
    assert_eq!(connection.execute("UPDATE run_inbox SET id = x'ff00' WHERE id = 'i1'", []), Ok(1));
    let left =
        "INSERT INTO run_inbox (run_id, id, at, kind, body) VALUES (?1, x'00', 1, 'abort', '{}')";
    assert_eq!(connection.execute(left, [id(1).to_string()]), Ok(1));
    let all = inbox(&one(&connection, INBOX_GET, id(1)).unwrap()).unwrap();
    let taken: Vec<String> = all.into_iter().map(|waiting| waiting.id).collect();
    assert_eq!(taken, ["xFF00", "i2", "x00"]);
    write(&connection, Step { status: RunStatus::Completed, taken, ..step(1, &["2"]) }).unwrap();
    assert_eq!(count(&connection, "run_inbox"), 0);
}

#[test]
fn what_is_looked_for_often_is_found_by_an_index() {
    let connection = database();
    let plan = |statement: &str| {
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let nothing = vec![rusqlite::types::Null; plan.parameter_count()];
        let rows = plan.query_map(params_from_iter(nothing), |row| row.get::<_, String>(3));
        rows.unwrap().map(Result::unwrap).collect::<Vec<_>>().join("\n")
    };
    for (statement, index) in [
        (FIND_BY_KEY, "run_by_key"),
        (crate::slot::MEANT, "run_by_key"),
        (crate::slot::NOTE, "run_by_key"),
        (crate::slot::TAKE_AND_KEEP, "run_by_key"),
        (LIST, "run_by_caller"),
        (DUE, "run_by_due"),
        (HAS_OLD, "run_by_end"),
        (SWEEP, "run_by_end"),
        (HAS_OLD, "run_by_wait"),
        (SWEEP, "run_by_wait"),
        (ENTRIES, "sqlite_autoindex_run_entry_1"),
        (EVENTS, "sqlite_autoindex_run_event_1"),
        (CHECKPOINT, "sqlite_autoindex_run_checkpoint_1"),
        (CHECKPOINTS, "sqlite_autoindex_run_checkpoint_1"),
        (INBOX_GET, "sqlite_autoindex_run_inbox_1"),
        (INBOX_PUT, "run_event_guidance"),
    ] {
        let plan = plan(statement);
        assert!(plan.contains(index), "{statement}\n{plan}");
        let scans = plan.lines().filter(|line| line.starts_with("SCAN"));
        let tables = scans.filter(|line| line.contains("run") || line.contains("blob"));
        assert_eq!(tables.count(), 0, "{statement}\n{plan}");
    }
}
