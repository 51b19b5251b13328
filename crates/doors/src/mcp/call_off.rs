//! Word that a call is called off: which call it means, and for how long that is looked for.
//!
//! Border: knows no store. A call comes on another connection than the word, so the word may be quicker; and while the store
//! takes no writes, nothing says which ask or run the call began.

use std::time::Duration;

use quarry_types::Timestamp;

use crate::responses::born_at;

/// After each look, in milliseconds. An instance that is new opens its stores first.
const SOON_MS: [u64; 3] = [25, 225, 1_250];
/// The same from then on, where the word is kept.
const LATER_MS: u64 = 1_500;
/// How long it is kept, in milliseconds.
const KEPT_MS: u64 = 30_000;
/// How much later than the word its call may seem to begin, in milliseconds: it may be under way, and clocks differ.
const BEHIND_MS: u64 = 10_000;

/// Words that one process keeps at once: each looks into the store now and then. Those beyond are looked for shortly.
pub const MOST_KEPT: u32 = 16;

/// A word, and how often what it means was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallOff {
    heard: Timestamp,
    is_kept: bool,
    looks: usize,
    waited_ms: u64,
}

impl CallOff {
    /// It was heard then. `is_kept` says whether there is room to keep it.
    #[must_use]
    pub const fn heard(heard: Timestamp, is_kept: bool) -> CallOff {
        CallOff { heard, is_kept, looks: 0, waited_ms: 0 }
    }

    /// How long to wait before the next look; none: it is given up.
    pub fn next_look(&mut self) -> Option<Duration> {
        let wait_ms = match SOON_MS.get(self.looks) {
            Some(soon) => *soon,
            None if self.is_kept => LATER_MS,
            None => return None,
        };
        self.looks = self.looks.saturating_add(1);
        self.waited_ms = self.waited_ms.saturating_add(wait_ms);
        (self.waited_ms <= KEPT_MS).then(|| Duration::from_millis(wait_ms))
    }

    /// Whether it can mean the ask or run with this id. A client that was started anew gives the same names again: what it
    /// begins later under one of them is not meant.
    #[must_use]
    pub fn can_mean(&self, id: &str) -> bool {
        Timestamp(born_at(id)).since(self.heard) <= BEHIND_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::{AskId, RunId};

    fn looks(is_kept: bool) -> Vec<Duration> {
        let mut word = CallOff::heard(Timestamp(0), is_kept);
        std::iter::from_fn(|| word.next_look()).collect()
    }

    #[test]
    fn it_is_looked_for_soon_and_then_for_half_a_minute() {
        let kept = looks(true);
        assert_eq!(kept.get(..3), Some(&SOON_MS.map(Duration::from_millis)[..]));
        let (all, pause) = (kept.iter().sum::<Duration>(), Duration::from_millis(LATER_MS));
        let most = Duration::from_millis(KEPT_MS);
        assert!(all <= most && all + pause > most, "{all:?}");
    }

    #[test]
    fn without_room_it_is_given_up_soon() {
        assert_eq!(looks(false), SOON_MS.map(Duration::from_millis));
    }

    #[test]
    fn it_means_nothing_that_begins_long_after_it() {
        let word = CallOff::heard(Timestamp(100_000), true);
        let means = |born| {
            let (ask, run) = (AskId::new(born, 7), RunId::new(born, 7));
            let both = [ask.to_string(), run.to_string()].map(|id| word.can_mean(&id));
            assert_eq!(both[0], both[1]);
            both[0]
        };
        assert!(means(0), "its call came before it");
        assert!(means(100_000 + BEHIND_MS), "or was on its way");
        assert!(!means(100_001 + BEHIND_MS));
    }
}
