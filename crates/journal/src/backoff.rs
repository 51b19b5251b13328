//! How long to wait after a store has failed.

use quarry_types::Timestamp;

const FIRST_MS: u64 = 250;
const LONGEST_MS: u64 = 5_000;

/// The state of a store as its failures show it; one for everything that goes to the same store.
#[derive(Debug, Clone, Copy, Default)]
pub struct Backoff {
    failures: u32,
    until: Option<Timestamp>,
}

impl Backoff {
    /// Whether the last thing that was tried failed.
    #[must_use]
    pub const fn is_failing(&self) -> bool {
        self.failures > 0
    }

    /// How often in a row something failed.
    #[must_use]
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    /// When the next try may be made; none: at once.
    #[must_use]
    pub const fn until(&self) -> Option<Timestamp> {
        self.until
    }

    /// Whether something may be tried. While the store fails, one at a time.
    #[must_use]
    pub fn may_try(&self, now: Timestamp, under_way: bool) -> bool {
        self.until.is_none_or(|until| until <= now) && !(self.is_failing() && under_way)
    }

    /// Something worked.
    pub const fn worked(&mut self) {
        self.failures = 0;
        self.until = None;
    }

    /// A clock that was set back makes no wait longer than any that begins now.
    pub fn set_back(&mut self, now: Timestamp) {
        let longest = Timestamp(now.0.saturating_add(2 * LONGEST_MS));
        self.until = self.until.map(|until| until.min(longest));
    }

    /// Something failed after `took_ms`. A store that takes long to fail (a locked one may hold
    /// up everything beside it meanwhile) is left alone for twice as long, but for less than a reader
    /// doubts that a silent writer lives.
    pub fn failed(&mut self, took_ms: u64, now: Timestamp) {
        let doubled = FIRST_MS << self.failures.min(5);
        self.failures = self.failures.saturating_add(1);
        let wait = doubled.min(LONGEST_MS).max(took_ms.saturating_mul(2).min(2 * LONGEST_MS));
        self.until = Some(Timestamp(now.0.saturating_add(wait)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_limit_and_end_with_a_success() {
        let mut backoff = Backoff::default();
        let mut now = Timestamp(0);
        let mut waits = Vec::new();
        for _ in 0..7 {
            assert!(backoff.may_try(now, false));
            backoff.failed(0, now);
            assert!(!backoff.may_try(now, false));
            let until = backoff.until().unwrap();
            waits.push(until.since(now));
            now = until;
        }
        assert_eq!(waits, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
        assert!(!backoff.may_try(now, true), "one at a time while it fails");
        backoff.worked();
        assert!(backoff.may_try(now, true) && !backoff.is_failing());
    }

    #[test]
    fn a_store_that_fails_slowly_is_left_alone_for_longer() {
        let mut backoff = Backoff::default();
        backoff.failed(5_000, Timestamp(10));
        assert_eq!(backoff.until(), Some(Timestamp(10_010)));
        // However long it took: a reader takes a writer that waits for longer than this for dead.
        backoff.failed(60_000, Timestamp(0));
        assert!(backoff.until().is_some_and(|until| until.0 < crate::liveness::DOUBT_MS));
    }
}
