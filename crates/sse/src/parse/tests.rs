//! What the parser makes of streams, whole and cut.

use super::*;
use crate::{Frame, comment, encode};
use proptest::prelude::*;

type Owned = (String, String, String);

fn read(chunks: &[&[u8]]) -> Vec<Owned> {
    let mut parser = Parser::default();
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, |event| events.push(owned(event))).unwrap();
    }
    events
}

fn owned(event: Event<'_>) -> Owned {
    (event.event.to_owned(), event.data.to_owned(), event.id.to_owned())
}

fn event(name: &str, data: &str, id: &str) -> Owned {
    (name.to_owned(), data.to_owned(), id.to_owned())
}

#[test]
fn the_three_line_ends_are_one() {
    for end in ["\n", "\r", "\r\n"] {
        let stream = "event: a\ndata: 1\ndata: 2\n\ndata:3\n\n".replace('\n', end);
        assert_eq!(
            read(&[stream.as_bytes()]),
            [event("a", "1\n2", ""), event("message", "3", "")],
            "{end:?}"
        );
    }
}

#[test]
fn the_standards_small_rules() {
    assert_eq!(read(&[b"\xEF\xBB\xBFdata: bom\n\n"]), [event("message", "bom", "")]);
    // Only the stream's beginning has a mark.
    let marked = b"data: a\n\n\xEF\xBB\xBFdata: b\n\n";
    assert_eq!(read(&[marked]), [event("message", "a", "")]);
    assert_eq!(
        read(&[b": a comment\ndata:  two spaces\n\n"]),
        [event("message", " two spaces", "")]
    );
    // An id outlives its event; one with a NUL is ignored; a name does not outlive its event.
    assert_eq!(
        read(&[b"id: 7\nevent: x\ndata: a\n\nid: \0\ndata: b\n\n"]),
        [event("x", "a", "7"), event("message", "b", "7")]
    );
    assert_eq!(read(&[b"event: nothing\n\ndata: later\n\n"]), [event("message", "later", "")]);
    assert_eq!(read(&[b"data\n\n"]), [event("message", "", "")]);
    assert_eq!(read(&[b"data\ndata\n\n"]), [event("message", "\n", "")]);
    assert_eq!(read(&[b"data: never ended\n"]), []);
    assert_eq!(read(&[b"data: \xFF\n\n"]), [event("message", "\u{FFFD}", "")]);
}

#[test]
fn retry_is_kept_when_it_is_a_number() {
    let mut parser = Parser::default();
    parser.push(b"retry: 1500\nretry: soon\nretry:\n", |_| {}).unwrap();
    assert_eq!(parser.retry_ms(), Some(1500));
}

#[test]
fn finish_hands_over_the_event_that_lacks_its_blank_line() {
    for tail in ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\n\n"] {
        let mut parser = Parser::default();
        let mut events = Vec::new();
        parser.push(tail.as_bytes(), |event| events.push(owned(event))).unwrap();
        parser.finish(|event| events.push(owned(event)));
        assert_eq!(events, [event("message", "[DONE]", "")], "{tail:?}");
    }
}

#[test]
fn an_event_over_the_limit_is_an_error_however_it_arrives() {
    let whole: &[u8] = b"data: 0123456789\n\n";
    assert_eq!(Parser::new(12).push(whole, |_| {}), Err(TooLong { limit: 12 }));
    let mut dripping = Parser::new(12);
    let outcome = (0..100).try_for_each(|_| dripping.push(b"x", |_| {}));
    assert_eq!(outcome, Err(TooLong { limit: 12 }));
    let mut in_two = Parser::new(12);
    in_two.push(b"event: 0123", |_| {}).unwrap();
    assert_eq!(in_two.push(b"456789\n", |_| {}), Err(TooLong { limit: 12 }));
    let mut many_lines = Parser::new(12);
    let outcome = (0..100).try_for_each(|_| many_lines.push(b"data: abc\n", |_| {}));
    assert_eq!(outcome, Err(TooLong { limit: 12 }));
}

/// Streams made of the pieces that matter, plus noise.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"data".to_vec()),
        Just(b"event: ".to_vec()),
        Just(b"id: ".to_vec()),
        Just(b"retry: 12".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b":".to_vec()),
        Just(BOM.to_vec()),
        Just("héllo → 日本 🦀".as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_events(bytes in stream(), cuts in proptest::collection::vec(0usize..200, 0..12)) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            chunks.push(&bytes[from..cut]);
            from = cut;
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        let whole = read(&[&bytes]);
        prop_assert_eq!(&read(&chunks), &whole);
        prop_assert_eq!(&read(&single), &whole);
    }

    #[test]
    fn what_is_written_is_read_back(
        frames in proptest::collection::vec((proptest::option::of(any::<u64>()), "[a-z_]{0,8}", "\\PC{0,30}(\n\\PC{0,10}){0,3}"), 0..8),
    ) {
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        let mut last_id = String::new();
        for (id, name, data) in &frames {
            comment(&mut bytes, "alive");
            let name = (!name.is_empty()).then_some(name.as_str());
            encode(&mut bytes, &Frame { id: *id, event: name, data });
            if let Some(id) = id {
                last_id = id.to_string();
            }
            expected.push(event(name.unwrap_or("message"), data, &last_id));
        }
        prop_assert_eq!(read(&[&bytes]), expected);
    }
}
