//! Any entries, any cutting: the same entries come back.

use super::*;
use proptest::prelude::*;
use quarry_types::Timestamp;

const DIALECT: Dialect = Dialect { pieces: "delta", is_last: |kind| kind == "end" };

fn part(is_fresh: bool, records: &[u8]) -> Part<'_> {
    Part { expires: Timestamp(9), written: Timestamp(1), is_fresh, records }
}

fn numbered(entries: Vec<(String, String)>) -> Vec<Entry> {
    let numbers = 1..;
    numbers.zip(entries).map(|(number, (kind, body))| Entry { number, kind, body }).collect()
}

fn piece(text: &str) -> (String, String) {
    ("delta".to_owned(), format!("{OPENING}{text}\"}}"))
}

/// Pieces that say where they stand and when they came.
fn stamped(texts: &[&str]) -> Vec<(String, String)> {
    let (mut at, mut ms) = (0, 58_990_u64);
    let mut stamped = |text: &str| {
        ms += 12;
        let time =
            format!("2026-11-22T01:{:02}:{:02}.{:03}Z", ms / 60_000, ms / 1_000 % 60, ms % 1_000);
        let tail = format!("\",\"at\":{at},\"timestamp\":\"{time}\"}}");
        at += tail::characters(text);
        ("delta".to_owned(), format!("{OPENING}{text}{tail}"))
    };
    texts.iter().map(|text| stamped(text)).collect()
}

/// Pieces as they come, pieces that are none, and entries that repeat what the pieces said.
fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let inner = "[a-zà-ü \\\\\"\n🦀]{0,40}";
    let any = prop_oneof![
        4 => inner.prop_map(|text| (false, piece(&text))),
        2 => (inner, 0_u32..200, 0_u32..60).prop_map(|(text, at, second)| {
            let tail = format!("\",\"at\":{at},\"timestamp\":\"01:{second:02}Z\"}}");
            (false, ("delta".to_owned(), format!("{OPENING}{text}{tail}")))
        }),
        1 => (".{0,9}", "(?s).{0,80}").prop_map(|entry| (false, entry)),
        1 => "(?s).{0,80}".prop_map(|body| (false, ("delta".to_owned(), body))),
        1 => inner.prop_map(|body| (true, ("answer".to_owned(), body))),
    ];
    prop::collection::vec(any, 0..60).prop_map(|made| {
        let mut said = String::new();
        let mut all = Vec::new();
        for (quotes, (kind, body)) in made {
            if let (Some((text, _)), "delta") = (super::piece(&body), kind.as_str()) {
                said.push_str(text);
            }
            let body = if quotes { format!("{{\"a\":\"{said}\"}}{body}") } else { body };
            all.push((kind, body));
        }
        numbered(all)
    })
}

proptest! {
    #[test]
    fn entries_come_back_however_they_are_cut(
        entries in entries(),
        cuts in prop::collection::vec(1_usize..200, 1..20),
        takes in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let mut encoder = Encoder::new(DIALECT);
        let mut decoder = Decoder::new(DIALECT);
        let (mut cuts, mut takes) = (cuts.iter().cycle(), takes.iter().cycle());
        let mut read = Vec::new();
        let mut move_over = |encoder: &mut Encoder, read: &mut Vec<Entry>, all: bool| {
            let most = *cuts.next().unwrap_or(&1);
            while let Some((is_fresh, bytes)) = encoder.take(most) {
                assert!(bytes.len() <= most);
                read.extend(decoder.push(&part(is_fresh, &bytes)).unwrap());
                if !all { break }
            }
        };
        for entry in &entries {
            encoder.push(entry);
            if *takes.next().unwrap_or(&true) {
                move_over(&mut encoder, &mut read, false);
            }
        }
        move_over(&mut encoder, &mut read, true);
        prop_assert!(encoder.is_empty());
        prop_assert_eq!(read, entries);
    }

    #[test]
    fn nothing_foreign_panics_or_is_taken_for_an_entry_with_a_wrong_number(bytes: Vec<u8>) {
        let mut decoder = Decoder::new(DIALECT);
        if let Ok(entries) = decoder.push(&part(true, &bytes)) {
            prop_assert!((1..).zip(&entries).all(|(n, entry)| entry.number == n));
        }
    }
}

#[test]
fn what_a_dead_writer_left_unfinished_is_dropped() {
    let mut encoder = Encoder::new(DIALECT);
    let entries = numbered(vec![("log".into(), "one".into()), ("log".into(), "x".repeat(90))]);
    entries.iter().for_each(|entry| encoder.push(entry));
    let (is_fresh, begun) = encoder.take(60).unwrap();
    let mut decoder = Decoder::new(DIALECT);
    let read = decoder.push(&part(is_fresh, &begun)).unwrap();
    assert_eq!((read.as_slice(), decoder.last()), (&entries[..1], 1));
    let buried = Entry { number: 2, kind: "end".into(), body: "{}".into() };
    let mut encoder = Encoder::new(DIALECT);
    encoder.push(&buried);
    let (_, bytes) = encoder.take(999).unwrap();
    assert_eq!(decoder.push(&part(true, &bytes)), Ok(vec![buried]));
}

#[test]
fn a_missing_beginning_a_gap_and_a_damaged_record_are_told() {
    let pushed = |is_fresh, bytes: &[u8]| Decoder::new(DIALECT).push(&part(is_fresh, bytes));
    assert_eq!(pushed(false, b"x"), Err(Damage::Beginning));
    assert_eq!(pushed(true, b"e 2 1 1\nab\n"), Err(Damage::Gap));
    assert_eq!(pushed(true, b"e 1 1 1\nabc"), Err(Damage::Record));
    assert_eq!(pushed(true, b"e 1 1 99999999999\n"), Err(Damage::Record));
    assert_eq!(pushed(true, b"q 1 1 1 1\nabc\n"), Err(Damage::Record));
    assert_eq!(pushed(true, "e 1 1 1\nü\n".as_bytes()), Err(Damage::Record));
}

#[test]
fn pieces_in_a_row_are_read_before_the_last_of_them_is_there() {
    let mut encoder = Encoder::new(DIALECT);
    numbered(vec![piece(&"x".repeat(999)); 200]).iter().for_each(|entry| encoder.push(entry));
    let (is_fresh, first) = encoder.take(100_000).unwrap();
    let read = Decoder::new(DIALECT).push(&part(is_fresh, &first)).unwrap();
    assert!(read.len() > 50, "{} of 200", read.len());
    assert!(!encoder.is_empty());
}

/// A million bytes of answer as models send them, with the entries that repeat it.
#[test]
fn a_long_answer_is_stored_little_more_than_once() {
    let words = ["The ", "capacity ", "factor ", "of ", "wind ", "is ", "\\\"high\\\" ", "é. "];
    let texts: Vec<&str> = words.iter().cycle().take(200_000).copied().collect();
    let answer = texts.concat();
    let plain: Vec<_> = texts.iter().map(|text| piece(text)).collect();
    for (pieces, tenths) in [(plain, 15), (stamped(&texts), 23)] {
        let mut entries = pieces;
        for kind in ["llm_response", "final_answer", "complete"] {
            entries.push((kind.to_owned(), format!("{{\"content\":\"{answer}\",\"n\":1}}")));
        }
        let entries = numbered(entries);
        let mut encoder = Encoder::new(DIALECT);
        entries.iter().for_each(|entry| encoder.push(entry));
        let mut decoder = Decoder::new(DIALECT);
        let (mut stored, mut read) = (0, Vec::new());
        while let Some((is_fresh, bytes)) = encoder.take(crate::MAX_VALUE) {
            stored += bytes.len();
            read.extend(decoder.push(&part(is_fresh, &bytes)).unwrap());
        }
        assert!(read == entries);
        assert!(stored < answer.len() * tenths / 10, "{stored} bytes for {}", answer.len());
    }
}
