//! Calls to a component that fail at once, because the host has no memory left for an instance of it.
//!
//! A host has so many memories for all. A burst of requests takes them in no time, and whoever comes
//! next fails, although most are free again within a second or so.

use std::time::Duration;

/// What failed later than this had its instance, and failed by itself.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The first wait, and how many times longer each is than the one before.
const FIRST: Duration = Duration::from_millis(50);
const FACTOR: u32 = 2;

/// Calls at most: 50, 100, 200, 400, 800 and 1,600 ms lie between them.
const TRIES: u32 = 7;

/// How long to wait before a call is made again that has failed so many times, the last time after so
/// long; none when it is not. An instance that crashes at once cannot be told from none.
#[must_use]
pub fn again_after(tries: u32, took: Duration) -> Option<Duration> {
    let is_worth_it = tries < TRIES && took < AT_ONCE;
    is_worth_it.then(|| FIRST * FACTOR.pow(tries.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_at_once_is_tried_again_for_some_seconds() {
        let waits: Vec<_> = (1..).map_while(|tries| again_after(tries, FIRST)).collect();
        assert_eq!(waits, [50, 100, 200, 400, 800, 1_600].map(Duration::from_millis));
    }

    #[test]
    fn what_has_run_is_not_tried_again() {
        assert_eq!(again_after(1, AT_ONCE), None);
    }
}
