//! What an instance does for runs that nobody asks it for: takes up those that are due, deletes those that are old.
//!
//! Border: when, and how much of it at once; the doing is the driver's.

use crate::liveness::is_due;
use quarry_types::Timestamp;

/// Between two times of one instance. Milliseconds.
const UPKEEP_EVERY_MS: u64 = 60_000;

/// Runs that are deleted at once: each may take a tenth of a second, and writers wait for it.
pub const SWEPT_AT_ONCE: u32 = 20;

/// What became due less long ago is just being taken up by whoever made it so. Milliseconds.
const LEFT_AFTER_MS: u64 = 5_000;

/// Who was due then, and is driven by nobody, is left.
#[must_use]
pub const fn left_since(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_sub(LEFT_AFTER_MS))
}

/// Whether it is time, given when the instance last did so; none: never, as at its first request.
#[must_use]
pub const fn upkeep_due(last: Option<Timestamp>, now: Timestamp) -> bool {
    is_due(UPKEEP_EVERY_MS, last, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_looks_at_its_first_request_and_then_once_a_minute() {
        assert!(upkeep_due(None, Timestamp(0)));
        assert!(!upkeep_due(Some(Timestamp(100_000)), Timestamp(159_999)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(160_000)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(40_000)), "the clock was set back");
    }
}
