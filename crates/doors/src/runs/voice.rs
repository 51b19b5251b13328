//! How a run's events are told: as frames, or as lines of NDJSON.
//!
//! Border: events in, bytes out. Where the stream ends is for whoever gives the events to say: a run that
//! failed may have been resumed, and then more follows behind the event that was last once.

use std::borrow::Cow;

use quarry_events::run::EventName;
use quarry_sse::comment;
use quarry_types::Timestamp;

use crate::accept::LINES;
use crate::door::{Told, Voice};
use crate::{Event, Headers, Refusal, frames, stream_head};

/// The form of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Server-sent events.
    Frames,
    /// JSON objects, one a line.
    Lines,
}

/// Tells a run's events.
#[derive(Debug, Clone)]
pub struct Telling {
    format: Format,
    /// The address of a run that has just begun.
    location: Option<String>,
}

impl Telling {
    /// Of a run that is there.
    #[must_use]
    pub fn of(format: Format) -> Telling {
        Telling { format, location: None }
    }

    /// Of a run that has just begun.
    #[must_use]
    pub fn of_new(format: Format, id: &str) -> Telling {
        Telling { format, location: Some(super::reply::location(id)) }
    }
}

/// Headers of events in a form.
pub(super) fn head(format: Format) -> Headers {
    let mut headers = stream_head();
    if format == Format::Lines {
        for (name, value) in &mut headers {
            if *name == "content-type" {
                *value = Cow::Borrowed(LINES);
            }
        }
    }
    headers
}

impl Voice<EventName> for Telling {
    fn streams(&self) -> bool {
        true
    }

    fn head(&self) -> Headers {
        let mut headers = head(self.format);
        headers.extend(self.location.clone().map(|location| ("location", location.into())));
        headers
    }

    /// Only a run that completed is over for good.
    fn tell(&mut self, events: Vec<Event<EventName>>) -> Told {
        let last = events.last().is_some_and(|event| event.name == EventName::RunCompleted);
        let bytes = match self.format {
            Format::Frames => frames::frames(&events),
            Format::Lines => lines(&events),
        };
        Told { bytes, last }
    }

    fn sign_of_life(&self) -> Vec<u8> {
        match self.format {
            Format::Frames => frames::keep_alive(),
            // Readers of NDJSON pass over empty lines.
            Format::Lines => b"\n".to_vec(),
        }
    }

    /// No event: whoever joins again gets those that the run has, and this is none of them.
    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.format == Format::Frames {
            comment(&mut bytes, &format!("broke off: {why}"));
        }
        bytes
    }
}

/// The bytes of several events, each the object that it is, with its name before all else.
fn lines(events: &[Event<EventName>]) -> Vec<u8> {
    let size = events.iter().map(|event| event.data.len() + 48).sum();
    let mut bytes = Vec::with_capacity(size);
    for event in events {
        bytes.extend_from_slice(b"{\"event\":\"");
        bytes.extend_from_slice(event.name.as_str().as_bytes());
        bytes.push(b'"');
        match event.data.strip_prefix('{') {
            Some(fields) if !fields.starts_with('}') => {
                bytes.push(b',');
                bytes.extend_from_slice(fields.as_bytes());
            }
            _ => bytes.push(b'}'),
        }
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn event(sequence: u64, name: EventName) -> Event<EventName> {
        let data = json!({ "sequence": sequence, "run_id": "r" }).to_string();
        Event { sequence: Some(sequence), name, data }
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn frames_carry_number_name_and_data() {
        let mut voice = Telling::of(Format::Frames);
        let told = voice.tell(vec![event(7, EventName::NodeStarted)]);
        assert_eq!(
            text(told.bytes),
            "id: 7\nevent: node_started\ndata: {\"sequence\":7,\"run_id\":\"r\"}\n\n"
        );
        assert!(!told.last);
        assert_eq!(text(voice.sign_of_life()), ": keep-alive\n\n");
        let why = Refusal::Unavailable("the store\nis away".into());
        assert_eq!(text(voice.broke_off(&why, Timestamp(0))), ": broke off: the storeis away\n\n");
    }

    #[test]
    fn lines_are_objects_with_the_name_among_their_fields() {
        let mut voice = Telling::of_new(Format::Lines, "0af3");
        let empty = Event { sequence: Some(2), name: EventName::RunWaiting, data: "{}".to_owned() };
        let told = voice.tell(vec![event(1, EventName::RunStarted), empty]);
        let lines: Vec<Value> =
            text(told.bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            lines,
            [
                json!({ "event": "run_started", "sequence": 1, "run_id": "r" }),
                json!({ "event": "run_waiting" }),
            ]
        );
        assert_eq!(text(voice.sign_of_life()), "\n");
        assert!(voice.broke_off(&Refusal::Internal(String::new()), Timestamp(0)).is_empty());
        let headers = Voice::head(&voice);
        assert!(headers.contains(&("content-type", LINES.into())));
        assert!(headers.contains(&("location", "/runs/0af3".into())));
    }

    #[test]
    fn what_was_last_once_ends_no_stream_of_a_run_that_was_resumed() {
        let mut voice = Telling::of(Format::Frames);
        for name in [EventName::RunFailed, EventName::RunAborted, EventName::RunWaiting] {
            assert!(!voice.tell(vec![event(1, name)]).last, "{name:?}");
        }
        assert!(voice.tell(vec![event(2, EventName::RunCompleted)]).last);
        assert!(!voice.tell(Vec::new()).last);
    }

    #[test]
    fn a_stream_with_nothing_left_has_no_content() {
        // It tells a browser's EventSource that there is nothing to come back for.
        assert_eq!(Telling::of(Format::Frames).whole(None).status, 204);
    }
}
