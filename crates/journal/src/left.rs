//! An ask that ends when nobody reads it: since when its readers are gone.
//!
//! Whoever reads an ask again has a mark of its own ([`crate::Place::Reading`]) for as long as it does; the one
//! that began it has none. This says that the latter is gone, so that who leaves after it knows it was the last.
//!
//! Border: times and marks; knows no store.

use quarry_types::Timestamp;
use std::time::Duration;

/// Before a mark that could not be written is tried again, at first and at most. Milliseconds.
const FIRST_PAUSE_MS: u64 = 250;
const MOST_PAUSE_MS: u64 = 5_000;

/// How long it is tried where nobody knows whether the ask goes on. Milliseconds.
const TRIED_FOR_MS: u64 = 30_000;

/// The reader that began an ask has left, and since then perhaps others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// When the last of them did.
    pub since: Timestamp,
    /// For how long another one is waited for.
    pub grace_seconds: u32,
}

/// What is seen of an ask when whoever left has waited for another reader.
#[derive(Debug, Clone, Copy)]
pub struct LeftBehind {
    /// The mark that stands now; none: somebody ended the ask on purpose.
    pub left: Option<Left>,
    /// Whether anybody reads it.
    pub is_read: bool,
    /// Whether it has ended by itself, also so that it can be gone on with.
    pub has_ended: bool,
}

/// What whoever left does then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parting {
    /// Somebody left later: it waits for another reader as long as that one does.
    Waits(Left),
    /// It ends the ask.
    Stops,
    /// Nothing: the ask is read, or has ended. What has ended and can be gone on with was not stopped.
    Nothing,
}

impl Left {
    /// As it is kept.
    #[must_use]
    pub fn write(self) -> Vec<u8> {
        format!("{} {}", self.since.0, self.grace_seconds).into_bytes()
    }

    /// What is kept; none when it is no such mark.
    #[must_use]
    pub fn read(kept: &[u8]) -> Option<Left> {
        let (since, grace) = std::str::from_utf8(kept).ok()?.split_once(' ')?;
        let since = Timestamp(since.parse().ok()?);
        Some(Left { since, grace_seconds: grace.parse().ok()? })
    }

    /// The same for one that leaves later.
    #[must_use]
    pub fn again(self, now: Timestamp) -> Left {
        Left { since: now, ..self }
    }

    /// For how long another reader is waited for.
    #[must_use]
    pub fn grace(self) -> Duration {
        Duration::from_secs(self.grace_seconds.into())
    }

    /// What to do when that time has passed since this mark was first seen. It is measured by whoever waits: clocks are set.
    #[must_use]
    pub fn over(self, LeftBehind { left, is_read, has_ended }: LeftBehind) -> Parting {
        match left {
            None => Parting::Nothing,
            Some(_) if is_read || has_ended => Parting::Nothing,
            Some(later) if later != self => Parting::Waits(later),
            Some(_) => Parting::Stops,
        }
    }
}

/// How often that somebody left is tried to be written where the store takes no writes.
#[derive(Debug, Default)]
pub struct Tries {
    tried: u32,
    waited_ms: u64,
}

impl Tries {
    /// How long to wait before the next; none: it is given up. An ask that is known to go on is paid for until it ends.
    pub fn next(&mut self, goes_on: bool) -> Option<Duration> {
        if !goes_on && self.waited_ms >= TRIED_FOR_MS {
            return None;
        }
        let pause_ms = FIRST_PAUSE_MS.saturating_mul(1 << self.tried.min(8)).min(MOST_PAUSE_MS);
        self.tried = self.tried.saturating_add(1);
        self.waited_ms = self.waited_ms.saturating_add(pause_ms);
        Some(Duration::from_millis(pause_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Left = Left { since: Timestamp(90_000), grace_seconds: 30 };

    fn over(left: Option<Left>, is_read: bool, has_ended: bool) -> Parting {
        LEFT.over(LeftBehind { left, is_read, has_ended })
    }

    #[test]
    fn whoever_left_last_is_waited_for() {
        assert_eq!(over(Some(LEFT), false, false), Parting::Stops);
        // Also where its clock was set back.
        for now in [Timestamp(100_000), Timestamp(0)] {
            let later = LEFT.again(now);
            assert_eq!(over(Some(later), false, false), Parting::Waits(later));
        }
    }

    #[test]
    fn what_is_read_or_has_ended_is_not_stopped() {
        for left in [LEFT, LEFT.again(Timestamp(100_000))] {
            assert_eq!(over(Some(left), true, false), Parting::Nothing);
            assert_eq!(over(Some(left), false, true), Parting::Nothing, "a limit ended it");
        }
        assert_eq!(over(None, false, false), Parting::Nothing, "somebody did on purpose");
    }

    #[test]
    fn a_mark_is_tried_soon_and_for_as_long_as_its_ask_goes_on() {
        let tries = |goes_on, most| {
            let mut tries = Tries::default();
            let all = std::iter::from_fn(|| tries.next(goes_on)).take(most);
            all.collect::<Vec<Duration>>()
        };
        let unknown = tries(false, 1_000);
        assert_eq!(unknown.first(), Some(&Duration::from_millis(FIRST_PAUSE_MS)));
        let all: Duration = unknown.iter().sum();
        assert!(all >= Duration::from_millis(TRIED_FOR_MS) && unknown.len() < 15, "{unknown:?}");
        let known = tries(true, 1_000);
        assert_eq!(known.len(), 1_000);
        assert!(known.iter().all(|pause| *pause <= Duration::from_millis(MOST_PAUSE_MS)));
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        for left in [
            Left { since: Timestamp(0), grace_seconds: 0 },
            Left { since: Timestamp(u64::MAX), grace_seconds: u32::MAX },
        ] {
            assert_eq!(Left::read(&left.write()), Some(left));
        }
        for other in ["", "here", "17", "17 ", "17 x", "-1 2", "1 2 3"] {
            assert_eq!(Left::read(other.as_bytes()), None, "{other}");
        }
    }
}
