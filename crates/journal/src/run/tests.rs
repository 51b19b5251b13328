//! Rows as they are written and read back, and what is told of those that were changed.

use super::*;
use proptest::prelude::*;
use quarry_events::run::{Event, EventName, RunStatus};
use quarry_types::{Json, RunId, Timestamp};

fn step(bodies: &[usize], events: &[usize], checkpoint: usize) -> Step {
    let mut entries = Pack::default();
    for size in bodies {
        let body = Json::of(&"b".repeat(size.saturating_sub(2)));
        entries.push(Timestamp(1), Kind::Outcome, body);
    }
    let event = |(sequence, size): (u64, &usize)| {
        let data = Json::of(&"e".repeat(*size)).into_text();
        Event { sequence, name: EventName::ReportDelta, data }
    };
    let format = Format { machine: "run", version: 1, migrations: &[] };
    Step {
        run: RunId::new(5, 7),
        holder: "me".to_owned(),
        now: Timestamp(10),
        until: Timestamp(40),
        first: 4,
        entries,
        events: (1..).zip(events).map(event).collect(),
        checkpoint: (checkpoint > 0).then(|| format.seal("c".repeat(checkpoint))),
        status: RunStatus::Running,
        due_at: None,
        summary: None,
        taken: vec!["i1".to_owned()],
        nodes: Vec::new(),
        searches: Vec::new(),
    }
}

fn size(values: &[Value]) -> usize {
    let size = |value: &Value| if let Value::Text(text) = value { text.len() } else { 8 };
    values.iter().map(size).sum()
}

#[test]
fn an_ordinary_step_is_one_statement() {
    let writes = step(&[100, 5_000, 200], &[1_000; 5], 3_000).writes();
    let [Write::Step(values)] = writes.as_slice() else { panic!("{writes:?}") };
    assert_eq!(values[4], Value::Integer(4));
    let Value::Text(entries) = &values[5] else { panic!("{values:?}") };
    let hash = Hash::of(&format!("\"{}\"", "b".repeat(4_998)));
    let named = format!(r#"{{"at":1,"kind":"outcome","size":5000,"blob":"{hash}"}}"#);
    assert!(entries.contains(&named), "{entries}");
    assert_eq!(values[15], Value::Text(r#"["i1"]"#.to_owned()));
}

#[test]
fn a_step_that_is_too_large_sends_its_blobs_first_and_its_checkpoint_last() {
    let writes = step(&[400_000, 400_000, 400_000, 10], &[500_000], 600_000).writes();
    let [Write::Blobs(first), Write::Blobs(second), Write::Step(step), Write::Step(kept)] =
        writes.as_slice()
    else {
        panic!("{} writes", writes.len());
    };
    for write in [first.as_slice(), second, step, kept] {
        assert!(size(write) < MOST_BYTES + 1_000, "{}", size(write));
    }
    let none = Value::Text("[]".to_owned());
    assert_eq!((&step[4], &step[7], &step[8]), (&Value::Integer(4), &none, &Value::Null));
    // The checkpoint is of the entries before it.
    assert_eq!((&kept[4], &kept[5], &kept[6]), (&Value::Integer(8), &none, &none));
    assert_eq!(kept[15], none);
}

#[test]
fn a_step_that_worked_without_saying_so_is_recognised() {
    let step = step(&[10, 10], &[10], 0);
    let mine = Position { holder: Some("me".to_owned()), until: None, n: 5, sequence: 1 };
    assert!(step.is_in(&mine));
    assert!(!step.is_in(&Position { holder: Some("you".to_owned()), ..mine.clone() }));
    assert!(!step.is_in(&Position { n: 3, ..mine.clone() }));
    assert!(!step.is_in(&Position { sequence: 0, ..mine }));
}

#[test]
fn what_is_damaged_is_told_with_its_place() {
    let told = |packed: &str| entries(3, packed).unwrap_err();
    assert_eq!(told(r#"[[5,1,"input","{}",null]]"#), Damaged::Order { expected: 4, found: 5 });
    let twice = told(r#"[[4,1,"note","1",null],[4,1,"note","1",null]]"#);
    assert_eq!(twice, Damaged::Order { expected: 5, found: 4 });
    let unknown = Damaged::Kind { n: 4, kind: "x".to_owned() };
    assert_eq!(told(r#"[[4,1,"x","{}",null]]"#), unknown);
    let hash = Hash::of("[1]");
    let named = |body: &str| format!(r#"[[4,1,"note",{body},"{hash}"]]"#);
    assert_eq!(told(&named("null")), Damaged::Body(4));
    assert_eq!(told(&named("\"[2]\"")), Damaged::Body(4));
    assert_eq!(told(r#"[[4,1,"note","{",null]]"#), Damaged::Body(4));
    let read = entries(3, &named("\"[1]\"")).unwrap();
    assert_eq!(read[0].body.text(), "[1]");
    assert!(matches!(told("[[4]]"), Damaged::Shape { what: "entries", .. }));
    assert_eq!(page("asleep", 0, "[]"), Err(Damaged::Status("asleep".to_owned())));
    let event = Damaged::Event { sequence: 1, name: "x".to_owned() };
    assert_eq!(page("queued", 1, r#"[[1,"x","{}"]]"#), Err(event));
}

#[test]
fn a_reader_knows_when_nothing_follows() {
    let page = |status, last| super::page(status, last, "[]").unwrap();
    assert!(page("completed", 7).is_over(7));
    assert!(!page("completed", 7).is_over(6));
    assert!(!page("queued", 7).is_over(7));
}

#[test]
fn a_record_says_whether_somebody_has_to_do_something() {
    let record = |status: &str, due: &str, holder: &str, until: &str| {
        let packed = format!(
            r#"["{}",null,"{status}","t","m",null,5,6,{due},{holder},{until},null,"{{}}"]"#,
            RunId::new(5, 7)
        );
        record(&packed).unwrap()
    };
    let now = Timestamp(100);
    for (status, due, holder, until, is_left, waits) in [
        ("running", "90", "null", "null", true, false),
        ("running", "90", "\"d1\"", "101", false, false),
        ("running", "90", "\"d1\"", "100", true, false),
        ("running", "90", "\"d1\"", "3600101", true, false),
        ("queued", "101", "null", "null", false, false),
        ("queued", "null", "null", "null", false, true),
        ("queued", "null", "\"d1\"", "101", false, false),
        ("completed", "90", "null", "null", false, false),
    ] {
        let record = record(status, due, holder, until);
        assert_eq!(
            (record.is_left(now), record.waits_for_somebody()),
            (is_left, waits),
            "{record:?}"
        );
        assert_eq!(behind(&record.cursor()), Some((Timestamp(5), RunId::new(5, 7))));
        // Its time goes on while somebody drives it, and not else.
        let held = (until == "101").then_some(Timestamp(101));
        assert_eq!(record.held_until(now), held, "{record:?}");
        assert_eq!(record.driven_until(now), if held.is_some() { now } else { Timestamp(6) });
    }
    assert_eq!(["", "5", "x-1", "5-x"].map(behind), [None; 4]);
}

proptest! {
    #[test]
    fn nothing_foreign_panics(text: String, behind: u64) {
        _ = entries(behind, &text);
        _ = page(&text, behind, &text);
        _ = (record(&text), records(&text), position(&text), inbox(&text), due(&text));
    }

    #[test]
    fn no_statement_carries_much_more_than_it_may(
        bodies in prop::collection::vec(0_usize..300_000, 0..12), checkpoint in 0_usize..800_000,
    ) {
        let longest = bodies.len() * LONGEST_INLINE;
        for write in step(&bodies, &[], checkpoint).writes() {
            let values = match &write {
                Write::Blobs(values) => values.as_slice(),
                Write::Step(values) => values.as_slice(),
            };
            prop_assert!(size(values) <= MOST_BYTES + longest + 3_000);
        }
    }
}
