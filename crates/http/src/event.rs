//! Events and how they look on the wire.
//!
//! Border: names are the contract's; payloads pass through untouched.

use quarry_sse::{Frame, comment, encode};

use crate::Refusal;

pub use quarry_events::EventName;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its number in the ask's log; none for an event that the log does not have.
    pub sequence: Option<u64>,
    /// Its name.
    pub name: EventName,
    /// Its payload: one line of JSON.
    pub data: String,
}

/// A comment for streams that are silent: shows proxies and clients that we are there.
const KEEP_ALIVE: &str = "keep-alive";

/// Reads the variable `keep_alive_seconds`: after how much silence the comment is due (empty: 15).
///
/// # Errors
/// [`Refusal::Unavailable`] when it is no number of seconds that makes sense.
pub fn keep_alive_seconds(variable: &str) -> Result<u64, Refusal> {
    let wrong = || {
        Refusal::Unavailable(
            "this server's keep_alive_seconds must be a whole number from 1 to 3600".into(),
        )
    };
    match variable.trim() {
        "" => Ok(15),
        text => text.parse().ok().filter(|seconds| (1..=3_600).contains(seconds)).ok_or_else(wrong),
    }
}

/// The bytes of several events, to be sent in one write.
#[must_use]
pub fn frames(events: &[Event]) -> Vec<u8> {
    let size = events.iter().map(|event| event.data.len() + 64).sum();
    let mut bytes = Vec::with_capacity(size);
    for event in events {
        let name = event.name.as_str();
        encode(&mut bytes, &Frame { id: event.sequence, event: Some(name), data: &event.data });
    }
    bytes
}

/// The bytes of the comment.
#[must_use]
pub fn keep_alive() -> Vec<u8> {
    let mut bytes = Vec::new();
    comment(&mut bytes, KEEP_ALIVE);
    bytes
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every name of the contract.
    pub(crate) fn contract_names() -> Vec<String> {
        EventName::ALL.into_iter().map(|name| name.as_str().to_owned()).collect()
    }

    #[test]
    fn silence_is_configuration() {
        assert_eq!(keep_alive_seconds(""), Ok(15));
        assert_eq!(keep_alive_seconds(" 3600 "), Ok(3_600));
        for wrong in ["0", "3601", "-1", "soon"] {
            assert_eq!(keep_alive_seconds(wrong).unwrap_err().status(), 503, "{wrong}");
        }
    }

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
