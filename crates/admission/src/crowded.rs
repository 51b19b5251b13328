//! Calls to a component that fail at once, because the host has no memory left for an instance of it.
//!
//! A host has so many memories for all. A burst of requests takes them in no time, and whoever comes
//! next fails, although most are free again within a second or so.

use std::time::Duration;

/// What a host answers for an instance that it has no memory for, and for one that crashed.
const FAILED: u16 = 500;

/// What failed sooner than this was refused at the door.
const AT_THE_DOOR: Duration = Duration::from_millis(100);

/// What failed later than this had its instance, and failed by itself.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The first wait, and how many times longer each is than the one before.
const FIRST: Duration = Duration::from_millis(50);
const FACTOR: u32 = 2;

/// Calls at most: 50, 100, 200, 400, 800 and 1,600 ms lie between them.
const TRIES: u32 = 7;

/// The tries of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tries {
    failed: u32,
    /// Whether one failed that may have had an instance.
    may_have_run: bool,
}

impl Tries {
    /// How long to wait before the call is made again that has failed with this status after so long; none when it is
    /// not. A busy host takes its time to refuse, so once it is made again even so: whatever crashes its instance
    /// takes all others in it along, and what it had paid for is paid again.
    #[must_use]
    pub fn again_after(&mut self, status: u16, took: Duration) -> Option<Duration> {
        self.failed = self.failed.saturating_add(1);
        let may_have_run = took >= AT_THE_DOOR;
        let is_repeated = may_have_run && self.may_have_run;
        self.may_have_run |= may_have_run;
        let is_worth_it = status == FAILED && self.failed < TRIES && took < AT_ONCE && !is_repeated;
        is_worth_it.then(|| FIRST * FACTOR.pow(self.failed.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_at_once_is_tried_again_for_some_seconds() {
        let mut tries = Tries::default();
        let again = || tries.again_after(FAILED, FIRST);
        let waits: Vec<_> = std::iter::from_fn(again).take(9).collect();
        assert_eq!(waits, [50, 100, 200, 400, 800, 1_600].map(Duration::from_millis));
    }

    #[test]
    fn what_has_run_is_not_tried_again() {
        assert_eq!(Tries::default().again_after(FAILED, AT_ONCE), None);
    }

    #[test]
    fn what_may_have_run_is_tried_again_once_however_often_it_is_refused_between() {
        let mut tries = Tries::default();
        assert_eq!(tries.again_after(FAILED, AT_THE_DOOR), Some(FIRST));
        assert_eq!(tries.again_after(FAILED, FIRST), Some(FIRST * 2));
        assert_eq!(tries.again_after(FAILED, AT_ONCE / 2), None);
    }

    #[test]
    fn what_is_answered_is_not_asked_again() {
        for status in [400, 404, 405, 413, 502, 503, 504] {
            assert_eq!(Tries::default().again_after(status, FIRST), None, "{status}");
        }
    }
}
