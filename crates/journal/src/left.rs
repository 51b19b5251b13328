//! An ask that ends when nobody reads it: since when its readers are gone.
//!
//! Whoever reads an ask again has a mark of its own ([`crate::Place::Reading`]) for as long as it does; the one
//! that began it has none. This says that the latter is gone, so that who leaves after it knows it was the last.
//!
//! Border: times and marks; knows no store.

use quarry_types::Timestamp;
use std::time::Duration;

/// The reader that began an ask has left, and since then perhaps others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// When the last of them did.
    pub since: Timestamp,
    /// For how long another one is waited for.
    pub grace_seconds: u32,
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

    /// Whether that time is over.
    #[must_use]
    pub fn is_over(self, now: Timestamp) -> bool {
        u128::from(now.since(self.since)) >= self.grace().as_millis()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_left_last_is_waited_for() {
        let left = Left { since: Timestamp(90_000), grace_seconds: 30 };
        assert!(!left.is_over(Timestamp(119_999)));
        assert!(left.is_over(Timestamp(120_000)));
        let again = left.again(Timestamp(100_000));
        assert!(!again.is_over(Timestamp(129_999)) && again.is_over(Timestamp(130_000)));
        // A clock that was set back makes nobody late.
        assert!(!left.is_over(Timestamp(0)));
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
