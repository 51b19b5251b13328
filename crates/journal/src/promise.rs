//! Whoever promised that a run goes on which another has, and looks whether that takes them.
//!
//! What they were told lies in the run's inbox, and whoever drives it next has it. A key lies nowhere: whoever has one
//! keeps it with the run for as long as one is kept that waits.
//!
//! Border: times and what looks came to; the looking is the driver's.

use crate::slice::{KEPT_WAIT_MS, LOOK_MS, SliceLimits};
use quarry_types::Timestamp;

/// Between two looks at a run that another has. Milliseconds.
const LEAST_WAIT_MS: u64 = 100;

/// What a look at a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// Another has it until then.
    Held(Timestamp),
    /// It cannot be had just now: somebody is about to have it, there is no room for it, or the store fails.
    NotNow,
    /// It goes on, or never will with this.
    Over,
}

/// That a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// What another has it until; none: nothing is left to do.
    until: Option<Timestamp>,
    begun: Timestamp,
    has_key: bool,
    limits: SliceLimits,
}

impl Promise {
    /// One that was given now, of a run that another has until then. `has_key`: it came with a key of the caller's.
    #[must_use]
    pub const fn new(until: Timestamp, has_key: bool, limits: SliceLimits, now: Timestamp) -> Self {
        Promise { until: Some(until), begun: now, has_key, limits }
    }

    /// Milliseconds before the next look; none: it was kept, or has been tried for long enough. With a key that is each
    /// second; else when the lease is over, for as long as a slice or a lease lasts, and at least once.
    #[must_use]
    pub fn next(&self, now: Timestamp) -> Option<u64> {
        let until = self.until?;
        if self.has_key {
            return (now.since(self.begun) < KEPT_WAIT_MS).then_some(LOOK_MS);
        }
        let is_first = now.since(self.begun) < LEAST_WAIT_MS;
        let fits = until.since(self.begun) <= self.limits.slice_ms.max(self.limits.lease_ms);
        (is_first || fits).then(|| until.since(now).max(LEAST_WAIT_MS))
    }

    /// What came of a look.
    pub const fn looked(&mut self, look: Looked) {
        self.until = match look {
            Looked::Held(until) => Some(until),
            Looked::NotNow if self.has_key => self.until,
            Looked::NotNow | Looked::Over => None,
        };
    }

    /// How long whoever drives the run from now on may do what: the time of the promise is part of a slice.
    #[must_use]
    pub fn limits(&self, now: Timestamp) -> SliceLimits {
        let slice_ms = self.limits.slice_ms.saturating_sub(now.since(self.begun));
        SliceLimits { slice_ms, ..self.limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGUN: Timestamp = Timestamp(100_000);

    fn promise(until: u64, has_key: bool, slice_ms: u64) -> Promise {
        let limits = SliceLimits { slice_ms, lease_ms: 15_000, wait_ms: 10_000 };
        Promise::new(Timestamp(until), has_key, limits, BEGUN)
    }

    #[test]
    fn a_run_that_is_to_go_on_is_looked_at_when_it_is_free_and_for_no_longer_than_a_slice() {
        let next = |until, now, slice_ms| promise(until, false, slice_ms).next(Timestamp(now));
        assert_eq!(next(115_000, 100_000, 20_000), Some(15_000));
        assert_eq!(next(115_000, 100_000, 0), Some(15_000), "once at least");
        assert_eq!(next(119_000, 115_000, 20_000), Some(4_000), "it was renewed");
        assert_eq!(next(130_000, 115_000, 20_000), None, "whoever has it lives");
        assert_eq!(next(115_000, 115_000, 20_000), Some(100), "not without end");
        let mut promise = promise(115_000, false, 20_000);
        promise.looked(Looked::Held(Timestamp(119_000)));
        assert_eq!(promise.next(Timestamp(115_000)), Some(4_000));
        promise.looked(Looked::NotNow);
        assert_eq!(promise.next(Timestamp(119_000)), None, "somebody was faster");
    }

    #[test]
    fn whoever_has_a_key_looks_each_second_for_as_long_as_a_key_is_kept() {
        let mut promise = promise(115_000, true, 20_000);
        for (second, look) in [
            // Whoever has it lives, and renews its lease.
            Looked::Held(Timestamp(115_000)),
            Looked::Held(Timestamp(190_000)),
            Looked::NotNow,
        ]
        .into_iter()
        .cycle()
        .enumerate()
        .take(600)
        {
            let now = Timestamp(BEGUN.0 + second as u64 * 1_000);
            assert_eq!(promise.next(now), Some(1_000), "after {second} s");
            promise.looked(look);
        }
        assert_eq!(promise.next(Timestamp(BEGUN.0 + KEPT_WAIT_MS)), None);
        let at = Timestamp(BEGUN.0 + 5_000);
        assert_eq!(promise.limits(at).slice_ms, 15_000);
        assert_eq!(promise.limits(Timestamp(BEGUN.0 + 90_000)).slice_ms, 0);
        promise.looked(Looked::Over);
        assert_eq!(promise.next(at), None);
    }
}
