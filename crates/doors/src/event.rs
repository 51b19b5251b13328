//! A machine's event as doors are given it.

use quarry_events::{EventName, run};

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<N = EventName> {
    /// Its number in its log; none for an event that the log does not have.
    pub sequence: Option<u64>,
    /// Its name, of one machine's list.
    pub name: N,
    /// Its payload: one line of JSON.
    pub data: String,
}

/// What names an event, whichever machine's.
pub trait Named: Copy {
    /// As it is written.
    fn written(self) -> &'static str;
}

impl Named for EventName {
    fn written(self) -> &'static str {
        self.as_str()
    }
}

impl Named for run::EventName {
    fn written(self) -> &'static str {
        self.as_str()
    }
}
