//! Events as server-sent events.
//!
//! Border: names are the contracts'; payloads pass through untouched.

use quarry_sse::{Frame, comment, encode};
use quarry_types::json::{self, Formless};
use serde::Serialize;

use crate::Event;
use crate::event::Named;

/// A comment for streams that are silent: shows proxies and clients that we are there.
const KEEP_ALIVE: &str = "keep-alive";

/// The bytes of several events, to be sent in one write.
#[must_use]
pub fn frames<N: Named>(events: &[Event<N>]) -> Vec<u8> {
    let size = events.iter().map(|event| event.data.len() + 64).sum();
    let mut bytes = Vec::with_capacity(size);
    for event in events {
        let name = event.name.written();
        encode(&mut bytes, &Frame { id: event.sequence, event: Some(name), data: &event.data });
    }
    bytes
}

/// Bytes of a batch of events, as a rule, in the protocols that tell little of each.
const MOST_BATCHES: usize = 1_000;

/// Where a batch of frames is written.
pub(crate) fn buffer() -> Vec<u8> {
    Vec::with_capacity(MOST_BATCHES)
}

/// Writes a frame that is data alone: one line of JSON.
pub(crate) fn data(frame: &impl Serialize, out: &mut Vec<u8>) {
    let begun = out.len();
    out.extend_from_slice(b"data: ");
    end(json::write(frame, out), begun, out);
}

/// The same of an object, with the members of another one behind its own.
pub(crate) fn data_beside(frame: &impl Serialize, more: &impl Serialize, out: &mut Vec<u8>) {
    let begun = out.len();
    out.extend_from_slice(b"data: ");
    let written = json::write(frame, out).and_then(|()| json::write_beside(more, out));
    end(written, begun, out);
}

/// The same with the name of its event.
pub(crate) fn named(name: &str, frame: &impl Serialize, out: &mut Vec<u8>) {
    let begun = out.len();
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\ndata: ");
    end(json::write(frame, out), begun, out);
}

fn end(written: Result<(), Formless>, begun: usize, out: &mut Vec<u8>) {
    match written {
        Ok(()) => out.extend_from_slice(b"\n\n"),
        // Clients fail at a frame whose data is empty, and read on where there is none.
        Err(_) => out.truncate(begun),
    }
}

/// The bytes of the comment.
#[must_use]
pub fn keep_alive() -> Vec<u8> {
    let mut bytes = Vec::new();
    comment(&mut bytes, KEEP_ALIVE);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_events::EventName;
    use std::collections::BTreeMap;

    #[test]
    fn a_batch_is_one_buffer() {
        let event = |sequence, name, data: &str| Event { sequence, name, data: data.into() };
        let bytes = frames(&[
            event(Some(1), EventName::Log, "{}"),
            event(Some(2), EventName::QuotaExceeded, "{\"a\":1}"),
            event(None, EventName::Error, "{}"),
        ]);
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "id: 1\nevent: log\ndata: {}\n\n\
             id: 2\nevent: quota_exceeded\ndata: {\"a\":1}\n\n\
             event: error\ndata: {}\n\n"
        );
        assert_eq!(keep_alive(), b": keep-alive\n\n");
    }

    #[test]
    fn a_frame_that_cannot_be_written_is_left_out_and_never_empty() {
        let mut out = Vec::new();
        data(&"a", &mut out);
        data(&BTreeMap::from([([1], 2)]), &mut out);
        named("b", &BTreeMap::from([([1], 2)]), &mut out);
        named("c", &Ok::<u8, u8>(1), &mut out);
        assert_eq!(out, b"data: \"a\"\n\nevent: c\ndata: {\"Ok\":1}\n\n");
    }
}
