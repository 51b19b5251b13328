//! Events as entries of a log, and back.
//!
//! Border: the log knows no events but for what the dialect here tells it.

use crate::bindings::exports::quarry::agent::ask as wit;
use quarry_events::{At, Event, EventName, Failure, FailureKind};
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

/// Whether this is the last event of an ask that died.
pub fn is_interrupted(entry: &Entry) -> bool {
    entry.kind == EventName::Error.as_str() && entry.body.contains("\"type\":\"interrupted\"")
}

/// Whether this is the last event of an ask that was answered.
pub fn is_answer(entry: &Entry) -> bool {
    entry.kind == EventName::Complete.as_str() && entry.body.contains("\"ended\":\"answered\"")
}

/// Whether this is the last event of an ask that was ended before its answer.
pub fn is_stopped(entry: &Entry) -> bool {
    entry.kind == EventName::Complete.as_str() && entry.body.contains("\"ended\":\"stopped\"")
}

/// Whether this is an answer that was made without the model, because that failed.
pub fn is_makeshift(entry: &Entry) -> bool {
    entry.kind == EventName::FinalAnswer.as_str() && entry.body.contains("\"degraded\":{")
}
