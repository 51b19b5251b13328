//! What an instance does for runs that nobody asks it for: takes up those that are due, deletes those that are old.
//!
//! Border: when, and how much of it at once; the doing is the driver's.

use crate::liveness::is_due;
use crate::slice::SliceLimits;
use quarry_types::Timestamp;

/// Between two times of one instance. Milliseconds.
const UPKEEP_EVERY_MS: u64 = 60_000;

/// Runs that are deleted at once: each may take a tenth of a second, and writers wait for it.
pub const SWEPT_AT_ONCE: u32 = 20;

/// What became due less long ago is just being taken up by whoever made it so. Milliseconds.
const LEFT_AFTER_MS: u64 = 5_000;

/// Between two tries of a run that cannot be read: others are due meanwhile. Milliseconds.
const UNREADABLE_MS: u64 = 600_000;

/// Between two looks at a run that another has. Milliseconds.
const LEAST_WAIT_MS: u64 = 100;

/// Leases after which a driver that let go of its run without handing it on looks whether anybody has it, each behind
/// the look before.
const LOOKS_AFTER_LEASES: [u64; 3] = [1, 2, 4];

/// Milliseconds before each look at a run whose driver lost it, or its store. With the first its own lease is over, too;
/// the next are for a store that fails for longer. There are no more: a disk may stay full for days.
pub fn looks_after_loss(lease_ms: u64) -> impl Iterator<Item = u64> {
    LOOKS_AFTER_LEASES.into_iter().map(move |leases| leases.saturating_mul(lease_ms))
}

/// Milliseconds before the next look at a run that a person wants to go on and that another has until then; none: who
/// asked for it since `begun` has looked for as long as a slice or a lease lasts, and at least once.
#[must_use]
pub fn looks_after_held(
    until: Timestamp,
    begun: Timestamp,
    now: Timestamp,
    limits: SliceLimits,
) -> Option<u64> {
    let is_first = now.since(begun) < LEAST_WAIT_MS;
    let fits = until.since(begun) <= limits.slice_ms.max(limits.lease_ms);
    (is_first || fits).then(|| until.since(now).max(LEAST_WAIT_MS))
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
    fn a_run_that_is_to_go_on_is_looked_at_when_it_is_free_and_for_no_longer_than_a_slice() {
        let limits = |slice_ms| SliceLimits { slice_ms, lease_ms: 15_000, wait_ms: 10_000 };
        let begun = Timestamp(100_000);
        let look = |until, now, slice_ms| {
            looks_after_held(Timestamp(until), begun, Timestamp(now), limits(slice_ms))
        };
        assert_eq!(look(115_000, 100_000, 20_000), Some(15_000));
        assert_eq!(look(115_000, 100_000, 0), Some(15_000), "once at least");
        assert_eq!(look(119_000, 115_000, 20_000), Some(4_000), "it was renewed");
        assert_eq!(look(130_000, 115_000, 20_000), None, "whoever has it lives");
        assert_eq!(look(115_000, 115_000, 20_000), Some(100), "not without end");
    }

    #[test]
    fn an_instance_looks_at_its_first_request_and_then_once_a_minute() {
        assert!(upkeep_due(None, Timestamp(0)));
        assert!(!upkeep_due(Some(Timestamp(100_000)), Timestamp(159_999)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(160_000)));
        assert!(upkeep_due(Some(Timestamp(100_000)), Timestamp(40_000)), "the clock was set back");
    }
}
