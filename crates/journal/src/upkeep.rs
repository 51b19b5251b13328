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

/// Between two tries of a run that cannot be read: others are due meanwhile. Milliseconds.
const UNREADABLE_MS: u64 = 600_000;

/// Leases after which a driver that let go of its run without handing it on looks whether anybody has it, each behind
/// the look before.
const LOOKS_AFTER_LEASES: [u64; 3] = [1, 2, 4];

/// Milliseconds before each look at a run whose driver lost it, or its store. With the first its own lease is over, too;
/// the next are for a store that fails for longer. There are no more: a disk may stay full for days.
pub fn looks_after_loss(lease_ms: u64) -> impl Iterator<Item = u64> {
    LOOKS_AFTER_LEASES.into_iter().map(move |leases| leases.saturating_mul(lease_ms))
}

/// When a run is tried again that cannot be read: whoever mends it asks for it by its id, and need not wait.
#[must_use]
pub const fn tried_again(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(UNREADABLE_MS))
}

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
    fn whoever_lost_a_run_looks_when_its_lease_is_over_and_no_more_often_than_that() {
        let looks: Vec<u64> = looks_after_loss(15_000).collect();
        assert_eq!(looks, [15_000, 30_000, 60_000]);
        assert!(looks_after_loss(u64::MAX).all(|wait| wait == u64::MAX));
    }

    #[test]
    fn an_instance_looks_at_its_first_request_and_then_once_a_minute() {
        assert!(upkeep_due(None, Timestamp(0)));
        assert!(!upkeep_due(Some(Timestamp(100_000)), Timestamp(159_999)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(160_000)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(40_000)), "the clock was set back");
    }
}
