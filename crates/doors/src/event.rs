//! An ask's event as doors are given it.

use quarry_events::EventName;

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
