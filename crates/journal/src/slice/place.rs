//! A driver's place among those that drive: so many there may be, and whoever waits is none of them.

use super::{LOOK_MS, Rest};
use quarry_types::Timestamp;

/// Whether a driver has a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It has one.
    Taken,
    /// It waits, and has none.
    None,
    /// It asks for one.
    Asked,
    /// There was none then.
    Refused(Timestamp),
}

impl Place {
    /// That of whoever takes a run up that stands so.
    pub fn of(rest: Rest) -> Self {
        match rest {
            Rest::Waits { .. } => Place::None,
            Rest::Works { .. } | Rest::Over => Place::Taken,
        }
    }

    /// The same after a step that left the run so.
    pub fn after(self, rest: Rest, now: Timestamp) -> Self {
        match rest {
            // Its time has come: it keeps what it has, and goes on with what it has asked.
            Rest::Waits { until: Some(until) } if until <= now => self,
            rest => Place::of(rest),
        }
    }

    /// The same once more: what was asked then may have been answered since.
    pub const fn anew(self) -> Self {
        match self {
            Place::Asked => Place::None,
            Place::Taken | Place::None | Place::Refused(_) => self,
        }
    }

    /// Whether it may ask for one now.
    pub const fn may_ask(self, now: Timestamp) -> bool {
        match self {
            Place::None => true,
            Place::Refused(at) => now.since(at) >= LOOK_MS,
            Place::Taken | Place::Asked => false,
        }
    }
}
