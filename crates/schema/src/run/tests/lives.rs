//! Runs from their birth to their deletion.

use super::*;
use proptest::prelude::*;

#[test]
fn an_idempotency_key_makes_one_run() {
    let connection = database();
    let asked = |number, caller: Option<&str>, hash: &str| Birth {
        caller: caller.map(str::to_owned),
        key: Some(("k".to_owned(), hash.to_owned())),
        ..birth(number)
    };
    let found = |caller: Option<&str>| {
        let row = connection.query_row(FIND_BY_KEY, params![caller, "k"], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        });
        row.optional().unwrap()
    };
    assert_eq!(found(None), None);
    for caller in [None, Some("me")] {
        let first = if caller.is_none() { 1 } else { 3 };
        create(&connection, asked(first, caller, "h"));
        create(&connection, asked(first + 1, caller, "other"));
        assert_eq!(found(caller), Some((id(first).to_string(), "h".to_owned())));
        assert_eq!(known(&connection, first + 1), None);
    }
    assert_eq!((count(&connection, "run_entry"), count(&connection, "run_event")), (2, 2));
    // Without a key nothing stands in the way.
    create(&connection, birth(5));
    create(&connection, birth(6));
    assert_eq!(count(&connection, "run"), 4);
}

#[test]
fn a_run_that_is_created_again_stays_as_it_is() {
    let connection = database();
    let long = format!("\"{}\"", "b".repeat(5_000));
    let first = Birth { entries: pack(&["1", &long]), task: "é".repeat(400), ..birth(1) };
    create(&connection, first.clone());
    write(&connection, Step { first: 3, ..step(1, &["3"]) }).unwrap();
    create(&connection, first);
    assert_eq!(bodies(&journal(&connection, 1)), ["1", &long, "3"]);
    let record = known(&connection, 1).unwrap();
    assert_eq!((record.status, record.task), (RunStatus::Running, "é".repeat(300)));
}

#[test]
fn a_lease_is_one_holders() {
    let connection = database();
    create(&connection, birth(1));
    assert!(take(&connection, 1, "a", 100).is_some());
    assert!(take(&connection, 1, "a", 110).is_some(), "one's own");
    assert_eq!(take(&connection, 1, "b", 169), None);
    let mine = take(&connection, 1, "b", 170).unwrap();
    assert_eq!((mine.holder.as_deref(), mine.until), (Some("b"), Some(Timestamp(230))));
    release(&connection, 1, "a", None);
    assert_eq!(take(&connection, 1, "a", 180), None, "it was not a's to give back");
    release(&connection, 1, "b", Some(500));
    assert_eq!(known(&connection, 1).unwrap().due_at, Some(Timestamp(500)));
    assert!(take(&connection, 1, "a", 180).is_some());
    assert_eq!(take(&connection, 2, "a", 180), None);
    release(&connection, 1, "a", None);
    assert_eq!(known(&connection, 1).unwrap().due_at, None);
    // Who dies before its first step leaves the run to the next.
    assert!(take(&connection, 1, "a", 190).is_some());
    assert_eq!(known(&connection, 1).unwrap().due_at, Some(Timestamp(190)));
    end(&connection, 1, 240);
    assert_eq!(take(&connection, 1, "b", 900), None, "it has ended");
}

#[test]
fn a_run_that_nobody_drives_can_be_deleted_by_whoever_cannot_end_it() {
    let connection = database();
    let delete_left = |number, now: i64| {
        let values = params![id(number).to_string(), now];
        let row = connection.query_row(DELETE_LEFT, values, |row| row.get::<_, String>(0));
        row.optional().unwrap()
    };
    create(&connection, birth(1));
    assert!(take(&connection, 1, "a", 100).is_some());
    assert_eq!(delete_left(1, 159), None, "somebody may be able to read it");
    assert_eq!(delete_left(1, 160), Some(id(1).to_string()), "they died");
    assert_eq!((count(&connection, "run"), count(&connection, "run_entry")), (0, 0));
    create(&connection, birth(2));
    assert_eq!(delete_left(2, 100), Some(id(2).to_string()));
}

#[test]
fn a_run_that_is_deleted_leaves_nothing_but_what_others_name() {
    let connection = database();
    let [shared, own] = ["s", "o"].map(|letter| format!("\"{}\"", letter.repeat(5_000)));
    create(&connection, Birth { entries: pack(&[&shared, &own]), ..birth(1) });
    create(&connection, Birth { entries: pack(&[&shared]), ..birth(2) });
    let checkpoint = Some(FORMAT.seal("s".to_owned()));
    write(&connection, Step { first: 3, checkpoint, ..step(1, &["3"]) }).unwrap();
    assert_eq!(one(&connection, DELETE, id(1)), None, "it is under way");
    end_at(&connection, 1, 4);
    // Servers of older versions left what nobody had heard.
    let left =
        "INSERT INTO run_inbox (run_id, id, at, kind, body) VALUES (?1, 'i', 1, 'guidance', '{}')";
    connection.execute(left, [id(1).to_string()]).unwrap();
    assert_eq!(one(&connection, DELETE, id(1)), Some(id(1).to_string()));
    assert_eq!(one(&connection, DELETE, id(1)), None);
    assert_eq!(bodies(&journal(&connection, 2)), [&shared]);
    let counts = ["run", "run_entry", "run_event", "run_checkpoint", "run_inbox", "blob"];
    assert_eq!(counts.map(|table| count(&connection, table)), [1, 1, 1, 0, 0, 1]);
    let late = Step { first: 5, ..step(1, &["5"]) };
    let why = write(&connection, late).unwrap_err();
    assert_eq!(Refusal::read(&why), Some(Refusal::Lost));
}

#[test]
fn a_sweep_deletes_what_ended_long_ago_one_at_a_time() {
    let connection = database();
    for number in 1..=5 {
        create(&connection, birth(number));
        if number < 5 {
            end(&connection, number, if number < 4 { 300 } else { 900 });
        }
    }
    assert_eq!(sweep(&connection, [900, 0]), [1, 1, 1]);
    assert!(known(&connection, 4).is_some() && known(&connection, 5).is_some());
    assert_eq!(count(&connection, "run_entry"), 2);
}

/// Sweeps what is older than these times: what ended, and what waits for somebody. How many each deleted.
fn sweep(connection: &Connection, oldest: [i64; 2]) -> Vec<usize> {
    let mut swept = Vec::new();
    while connection.prepare(HAS_OLD).unwrap().exists(oldest).unwrap() {
        swept.push(connection.execute(SWEEP, oldest).unwrap());
    }
    swept
}

#[test]
fn a_sweep_deletes_what_has_waited_for_somebody_for_long_and_nothing_that_is_due() {
    let connection = database();
    let waits = |number: u128, at: u64, due: Option<i64>| {
        create(&connection, birth(number));
        assert!(take(&connection, number, "a", at.cast_signed()).is_some());
        let waiting = Step {
            status: RunStatus::Queued,
            now: Timestamp(at),
            due_at: None,
            ..step(number, &["2"])
        };
        write(&connection, waiting).unwrap();
        release(&connection, number, "a", due);
    };
    waits(1, 300, None);
    waits(2, 300, Some(5_000));
    waits(3, 900, None);
    // Somebody has it go on meanwhile, or drives it.
    waits(4, 300, None);
    assert!(put(&connection, 4, "i1", "guidance"));
    waits(5, 300, None);
    assert!(take(&connection, 5, "b", 600).is_some());
    create(&connection, birth(6));
    assert_eq!(sweep(&connection, [900, 200]), [0; 0], "a wait has a time of its own");
    assert_eq!(sweep(&connection, [200, 900]), [1]);
    let left = [2, 3, 4, 5, 6].map(|number| known(&connection, number).is_some());
    assert_eq!((left, known(&connection, 1)), ([true; 5], None));
}

#[test]
fn a_fork_begins_where_its_origin_was() {
    let connection = database();
    create(&connection, birth(1));
    let long = format!("\"{}\"", "b".repeat(5_000));
    for (first, body) in [(2, long.as_str()), (3, "3"), (4, "4")] {
        let checkpoint = Some(FORMAT.seal(format!("s{first}")));
        write(&connection, Step { first, checkpoint, ..step(1, &[body]) }).unwrap();
    }
    let fork = |number, n| Birth {
        origin: Some(Origin { run: id(1), n }),
        entries: pack(&["\"fork\""]),
        events: vec![(1, event(1, "{}")), (3, event(2, "{}")), (n + 1, event(3, "{}"))],
        ..birth(number)
    };
    create(&connection, fork(2, 3));
    create(&connection, fork(2, 3));
    assert_eq!(bodies(&journal(&connection, 2)), ["1", &long, "3", "\"fork\""]);
    // A fork tells otherwise what its origin told, so its states are others.
    assert_eq!(checkpoint(&connection, 2, i64::MAX), None);
    let entry = |sequence: i64| -> i64 {
        let mut statement = connection.prepare_cached(ENTRY_OF).unwrap();
        let values = rusqlite::params![id(2).to_string(), sequence];
        statement.query_row(values, |row| row.get(0)).unwrap()
    };
    assert_eq!([1, 2, 3].map(entry), [1, 3, 4], "where a fork of the fork would begin");
    assert_eq!(known(&connection, 2).unwrap().origin, Some(id(1)));
    create(&connection, fork(3, 5));
    assert_eq!(known(&connection, 3), None, "its origin has no such entry");
    end_at(&connection, 1, 5);
    assert!(one(&connection, DELETE, id(1)).is_some());
    assert_eq!(bodies(&journal(&connection, 2))[1], long);
    write(&connection, Step { first: 5, ..step(2, &["5"]) }).unwrap();
}

/// Texts with what a format could trip over.
fn any_text() -> impl Strategy<Value = String> {
    let long = (prop::sample::select(vec!["é\u{0}", "\"\\", "\u{1f600}", "]}"]), 0_usize..4_000);
    let long = long.prop_map(|(piece, times)| piece.repeat(times));
    prop_oneof![any::<String>(), long, Just("{\"blob\":\"ff\"}".to_owned())]
}

/// Any value of JSON that a body can be, written in any way.
fn any_body() -> impl Strategy<Value = String> {
    let spaced =
        any_text().prop_map(|text| format!("{{ \"blob\" :\n{} }}", Json::of(&text).text()));
    let named = Just(r#"{"blob":"ba7816bf"}"#.to_owned());
    let number =
        prop::sample::select(vec!["1.50", "-0.0", "1e400", "123456789012345678901234567890"]);
    let text = any_text().prop_map(|text| Json::of(&text).into_text());
    prop_oneof![text, spaced, named, number.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_body_is_read_back_byte_for_byte(
        first in prop::collection::vec(any_body(), 1..5),
        second in prop::collection::vec(any_body(), 0..5),
        data in any_body(),
        summary in any_body(),
    ) {
        let connection = database();
        let all: Vec<&str> = first.iter().chain(&second).map(String::as_str).collect();
        let (own, later) = all.split_at(first.len());
        create(&connection, Birth { entries: pack(own), summary: json(&summary), ..birth(1) });
        let mut next = Step { first: own.len() as u64 + 1, ..step(1, later) };
        next.events = vec![event(2, &data)];
        write(&connection, next).unwrap();
        let read = journal(&connection, 1);
        prop_assert_eq!(bodies(&read), all);
        prop_assert_eq!(&shown(&connection, 1, 1).unwrap().events[0].data, &data);
        let kept = known(&connection, 1).unwrap().summary;
        prop_assert_eq!(kept.text(), summary);
    }

    /// Runs with some bodies in common, forks of them and of forks; some are deleted. What is left of the
    /// others is what was written, and no blob is left that no run names.
    #[test]
    fn deleting_a_run_never_deletes_anothers_blob(
        runs in prop::collection::vec((prop::collection::vec(0_u8..5, 1..5), any::<prop::sample::Index>()), 2..6),
        deleted in prop::collection::vec(any::<bool>(), 6),
    ) {
        let connection = database();
        let mut written: Vec<Vec<String>> = Vec::new();
        for (bodies, origin) in &runs {
            let number = written.len() as u128 + 1;
            let own: Vec<String> = bodies
                .iter()
                .map(|body| format!("\"{}\"", body.to_string().repeat(5_000 * usize::from(body % 3 > 0) + 1)))
                .collect();
            let origin = number.is_multiple_of(2).then(|| origin.index(written.len()));
            let mut all = origin.map(|origin| written[origin].clone()).unwrap_or_default();
            let origin = origin.map(|origin| {
                Origin { run: id(origin as u128 + 1), n: written[origin].len() as u64 }
            });
            let entries = pack(&own.iter().map(String::as_str).collect::<Vec<_>>());
            create(&connection, Birth { entries, origin, status: RunStatus::Failed, ..birth(number) });
            all.extend(own);
            written.push(all);
        }
        let gone = |at: usize| deleted[at];
        for at in (0..written.len()).filter(|at| gone(*at)) {
            prop_assert!(one(&connection, DELETE, id(at as u128 + 1)).is_some());
        }
        for (at, written) in written.iter().enumerate() {
            let left = journal(&connection, at as u128 + 1);
            let expected: &[String] = if gone(at) { &[] } else { written };
            prop_assert_eq!(bodies(&left), expected);
        }
        let orphans = "SELECT count(*) FROM blob WHERE hash NOT IN (SELECT hash FROM run_blob)";
        prop_assert_eq!(connection.query_row(orphans, [], |row| row.get(0)), Ok(0));
    }
}
