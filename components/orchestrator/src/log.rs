//! Events as entries of a log, and back.
//!
//! Border: the log knows no events but for what the dialect here tells it.

use crate::bindings::exports::quarry::agent::ask as wit;
use quarry_events::{At, Course, Event, EventName, Failure, FailureKind};
use quarry_journal::{Dialect, Entry};
use quarry_types::Timestamp;

/// What a log needs to know of events.
pub const DIALECT: Dialect =
    Dialect { pieces: EventName::AnswerDelta.as_str(), is_last: |kind| is_last(kind) };

fn is_last(kind: &str) -> bool {
    EventName::parse(kind).is_some_and(EventName::is_last)
}

pub fn entry(event: Event) -> Entry {
    Entry { number: event.sequence, kind: event.name.as_str().to_owned(), body: event.data }
}

pub fn event(entry: Entry) -> wit::Event {
    wit::Event { sequence: entry.number, name: entry.kind, data: entry.body }
}

/// The last event of an ask that died then.
pub fn interrupted(died: Timestamp) -> (&'static str, String) {
    let words = "The ask was interrupted. Nothing found so far is lost: send continuation: true with continuationContext: { id } to go on.";
    let failure = Failure::new(FailureKind::Interrupted, words, died);
    let data = serde_json::to_string(&failure).unwrap_or_else(|_| "{}".to_owned());
    (EventName::Error.as_str(), data)
}

/// When an event was.
pub fn time(entry: &Entry) -> Option<Timestamp> {
    At::of(&entry.body).map(|at| at.0)
}

/// Goes on with the course of an ask.
pub fn pass(course: &mut Course, entries: &[Entry]) {
    for entry in entries {
        course.pass(&entry.kind, &entry.body);
    }
}
