//! Steps: whole or not at all, whoever else drives.

use super::*;

fn everything() -> Step {
    let mut step = step(1, &["2", "3"]);
    step.events = vec![event(2, "{\"a\":1}"), event(3, "{}")];
    step.checkpoint = Some(FORMAT.seal("state".to_owned()));
    step.summary = Some(json("{\"queries\":4}"));
    step.taken = vec!["i1".to_owned()];
    step
}

#[test]
fn a_step_does_all_that_belongs_to_it() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance"));
    write(&connection, everything()).unwrap();
    assert_eq!(bodies(&journal(&connection, 1)), ["1", "2", "3"]);
    let page = shown(&connection, 1, 1).unwrap();
    assert_eq!((page.status, page.last), (RunStatus::Running, 3));
    assert_eq!(page.events, [event(2, "{\"a\":1}"), event(3, "{}")]);
    let kept = checkpoint(&connection, 1, i64::MAX).unwrap();
    assert_eq!((kept.n, FORMAT.open(kept)), (3, Ok("state".to_owned())));
    let record = known(&connection, 1).unwrap();
    assert_eq!((record.holder.as_deref(), record.until), (Some("a"), Some(Timestamp(260))));
    assert_eq!((record.updated_at, record.due_at), (Timestamp(200), Some(Timestamp(200))));
    assert_eq!(record.summary.text(), "{\"queries\":4}");
    assert_eq!(count(&connection, "run_inbox"), 0);
    let values = params![id(1).to_string(), 3];
    let n: i64 = connection.query_row(ENTRY_OF, values, |row| row.get(0)).unwrap();
    assert_eq!(n, 3);
}

/// Runs a step that must fail, and holds the database to what it was.
fn loses(connection: &Connection, step: Step) -> String {
    let all = ["run_entry", "run_event", "run_checkpoint", "run_inbox", "blob", "run_blob"];
    let what = || (all.map(|table| count(connection, table)), known(connection, 1));
    let before = what();
    let why = write(connection, step).unwrap_err();
    assert_eq!(what(), before, "{why}");
    assert_eq!(Refusal::read(&why), Some(Refusal::Lost), "{why}");
    why
}

#[test]
fn who_comes_second_loses_everything_and_is_told() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance"));
    write(&connection, Step { taken: Vec::new(), ..everything() }).unwrap();
    let long = format!("\"{}\"", "b".repeat(5_000));
    let late = Step { entries: pack(&["9", &long]), ..everything() };
    assert!(loses(&connection, late.clone()).contains("run has gone on"));
    let gap = Step { first: 5, ..late.clone() };
    assert!(loses(&connection, gap).contains("run has gone on"));
    let other = Step { first: 4, holder: "b".to_owned(), ..late.clone() };
    assert!(loses(&connection, other.clone()).contains("run is held by another"));
    // Nothing to append is no way past it.
    let empty = Step { entries: Pack::default(), events: Vec::new(), ..late.clone() };
    assert!(loses(&connection, empty).contains("run has gone on"));
    let event_twice = Step { first: 4, ..late.clone() };
    assert!(loses(&connection, event_twice).contains("run_event"));
    let gone = Step { run: id(2), ..late };
    assert!(loses(&connection, gone).contains("run is gone"));
    // A lease that ran out, or that a wrong clock gave for ever, keeps nobody out.
    let later = Step { now: Timestamp(260), events: Vec::new(), ..other };
    write(&connection, Step { until: Timestamp(u64::MAX), ..later.clone() }).unwrap();
    write(&connection, Step { first: 6, holder: "c".to_owned(), ..later }).unwrap();
    assert_eq!(journal(&connection, 1).len(), 7);
}

/// The key itself holds, should two statements ever interleave.
#[test]
fn the_key_of_an_entry_is_nobody_elses() {
    let connection = database();
    create(&connection, birth(1));
    let again = "INSERT INTO run_entry SELECT * FROM run_entry";
    let why = connection.execute(again, []).unwrap_err().to_string();
    assert_eq!(Refusal::read(&why), Some(Refusal::Lost), "{why}");
    for words in ["database is locked", "UNIQUE constraint failed: run.run_id"] {
        assert_eq!(Refusal::read(words), None);
    }
}

#[test]
fn a_step_that_leaves_out_what_was_said_is_written_if_it_neither_begins_nor_ends_anything() {
    let connection = database();
    create(&connection, birth(1));
    assert!(put(&connection, 1, "i1", "guidance"));
    let begun = |first| Step {
        first,
        entries: {
            let mut entries = pack(&["1"]);
            entries.push(Timestamp(1), Kind::Begun, json("{}"));
            entries
        },
        ..step(1, &[])
    };
    let ended = |status| Step { status, ..step(1, &["1"]) };
    for refused in
        [begun(2), ended(RunStatus::Completed), ended(RunStatus::Failed), ended(RunStatus::Aborted)]
    {
        let why = write(&connection, refused.clone()).unwrap_err();
        assert_eq!(Refusal::read(&why), Some(Refusal::Unheard), "{why}");
        assert_eq!(bodies(&journal(&connection, 1)), ["1"]);
        // Other runs are none of its business.
        assert!(put(&connection, 1, "i1", "guidance"), "it lies there still");
    }
    write(&connection, step(1, &["2"])).unwrap();
    write(&connection, Step { taken: vec!["i1".to_owned()], ..begun(3) }).unwrap();
    // One wish to end it is enough; it keeps a run from completing.
    assert!(put(&connection, 1, "i2", "abort") && put(&connection, 1, "i3", "abort"));
    let completed = Step { first: 5, ..ended(RunStatus::Completed) };
    let why = write(&connection, completed).unwrap_err();
    assert_eq!(Refusal::read(&why), Some(Refusal::Unheard));
    let taken = vec!["i2".to_owned()];
    write(&connection, Step { first: 5, taken, ..ended(RunStatus::Aborted) }).unwrap();
    assert_eq!(count(&connection, "run_inbox"), 0);
}

#[test]
fn guidance_is_taken_so_many_times_and_an_abort_always() {
    let connection = database();
    create(&connection, birth(1));
    let most = u64::from(MOST_GUIDANCE);
    let told = |sequence| Event { name: EventName::GuidanceReceived, ..event(sequence, "{}") };
    let heard = (2..=most / 2 + 1).map(told).collect();
    write(&connection, Step { events: heard, ..step(1, &["2"]) }).unwrap();
    for it in 0..most / 2 {
        assert!(put(&connection, 1, &it.to_string(), "guidance"), "{it}");
    }
    assert!(!put(&connection, 1, "more", "guidance"));
    assert!(put(&connection, 1, "0", "guidance"), "what lies there changes nothing");
    assert!(put(&connection, 1, "more", "abort"));
}

#[test]
fn every_word_of_a_refusal_is_the_migrations_or_a_keys() {
    let migrations = [
        include_str!("../../../migrations/0004_runs.sql"),
        include_str!("../../../migrations/0013_heard.sql"),
    ];
    for (words, _) in Refusal::WORDS {
        let raised = format!("RAISE(ABORT, '{words}')");
        let is_raised = migrations.iter().any(|migration| migration.contains(&raised));
        assert!(is_raised || words.starts_with("UNIQUE constraint failed: "), "{words}");
    }
}

#[test]
fn a_step_that_worked_without_saying_so_is_found_by_its_writer() {
    let connection = database();
    create(&connection, birth(1));
    let step = everything();
    assert!(!step.is_in(&stands(&connection, 1)));
    write(&connection, step.clone()).unwrap();
    let why = write(&connection, step.clone()).unwrap_err();
    assert_eq!(Refusal::read(&why), Some(Refusal::Lost));
    assert!(step.is_in(&stands(&connection, 1)));
}

#[test]
fn only_the_two_newest_checkpoints_are_kept() {
    let connection = database();
    create(&connection, birth(1));
    for first in 2..6 {
        let checkpoint = Some(FORMAT.seal(format!("s{first}")));
        write(&connection, Step { first, checkpoint, ..step(1, &["0"]) }).unwrap();
    }
    let found = |before| checkpoint(&connection, 1, before).map(|kept| (kept.n, kept.body));
    assert_eq!(found(i64::MAX), Some((5, "s5".to_owned())));
    assert_eq!(found(4), Some((4, "s4".to_owned())));
    assert_eq!(found(3), None);
    let packed = |behind: i64, last: i64| -> String {
        let values = params![id(1).to_string(), behind, last];
        connection.query_row(CHECKPOINTS, values, |row| row.get(0)).unwrap()
    };
    assert_eq!(numbers(&packed(0, 9)).unwrap(), [4, 5].into());
    assert_eq!(numbers(&packed(4, 9)).unwrap(), [5].into());
    assert_eq!(numbers(&packed(0, 3)).unwrap(), [].into());
    // One that is written again, as after a fork's first fold, replaces itself.
    let again = Some(FORMAT.seal("again".to_owned()));
    write(&connection, Step { first: 6, checkpoint: again, ..step(1, &[]) }).unwrap();
    assert_eq!(found(i64::MAX), Some((5, "again".to_owned())));
    assert_eq!(count(&connection, "run_checkpoint"), 2);
}

#[test]
fn a_million_bytes_fit_into_one_statement() {
    let connection = database();
    create(&connection, birth(1));
    let body = format!("\"{}\"", "é\\n".repeat(999));
    let many: Vec<&str> = (0..260).map(|_| body.as_str()).collect();
    let large = step(1, &many);
    let writes = large.clone().writes();
    let [Write::Step(values)] = writes.as_slice() else { panic!("{} writes", writes.len()) };
    assert!(matches!(&values[5], Value::Text(text) if text.len() > 1_000_000));
    write(&connection, large).unwrap();
    let read = journal(&connection, 1);
    assert_eq!(bodies(&read[1..]), many);
}

#[test]
fn what_a_step_is_too_large_for_is_there_with_it() {
    let connection = database();
    create(&connection, birth(1));
    let long: Vec<String> =
        ["a", "b", "c"].iter().map(|letter| format!("\"{}\"", letter.repeat(400_000))).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let kept = Some(FORMAT.seal("s".repeat(950_000)));
    let large = Step { checkpoint: kept, ..step(1, &long) };
    assert_eq!(large.clone().writes().len(), 4);
    write(&connection, large).unwrap();
    assert_eq!(bodies(&journal(&connection, 1)[1..]), long);
    assert_eq!(checkpoint(&connection, 1, 4).map(|kept| kept.n), Some(4));
    // Blobs for a run that is gone would stay for ever.
    let none = params![id(2).to_string(), r#"[{"hash":"h","body":"b"}]"#];
    connection.execute(PUT_BLOBS, none).unwrap();
    assert_eq!(count(&connection, "blob"), 3);
}
