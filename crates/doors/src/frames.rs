//! Events as server-sent events.
//!
//! Border: names are the contracts'; payloads pass through untouched.

use quarry_sse::{Frame, comment, encode};
use quarry_types::json;
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
const MOST_BATCHES: usize = 1_024;

/// Where a batch of frames is written.
pub(crate) fn buffer() -> Vec<u8> {
    Vec::with_capacity(MOST_BATCHES)
}

/// Writes a frame that is data alone: one line of JSON.
pub(crate) fn data(frame: &impl Serialize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: ");
    line(frame, out);
}

/// Writes the JSON of a frame, and its end.
pub(crate) fn line(frame: &impl Serialize, out: &mut Vec<u8>) {
    // Each kind of frame has a form: the golden logs go through all of them.
    _ = json::write(frame, out);
    out.extend_from_slice(b"\n\n");
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
}
