//! Word that somebody wants the end of something that is not known yet: for how long that is looked for.
//!
//! Border: counts and times; what is looked for, and where, is its bearer's affair. Whoever sends such words may be anybody, so
//! those that are kept are few, and none is written down.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// After each look, in milliseconds. An instance that is new opens its stores first.
const SOON_MS: [u64; 3] = [25, 225, 1_250];
/// The same from then on, where the word is kept.
const LATER_MS: u64 = 1_500;
/// How long it is kept, in milliseconds.
const KEPT_MS: u64 = 30_000;

/// Words that one process keeps at once: each looks into the store now and then. Those beyond are looked for shortly.
const MOST_KEPT: u32 = 16;

/// The words of one process.
#[derive(Debug, Default)]
pub struct Words(AtomicU32);

/// One of them, until it is dropped.
#[derive(Debug)]
pub struct Word<'w> {
    all: &'w Words,
    is_kept: bool,
    looks: usize,
    waited_ms: u64,
}

impl Words {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Words(AtomicU32::new(0))
    }

    /// One was heard now.
    pub fn heard(&self) -> Word<'_> {
        let is_kept = self.0.fetch_add(1, Ordering::Relaxed) < MOST_KEPT;
        Word { all: self, is_kept, looks: 0, waited_ms: 0 }
    }
}

impl Word<'_> {
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
}

impl Drop for Word<'_> {
    fn drop(&mut self) {
        self.all.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(mut word: Word<'_>) -> Vec<Duration> {
        std::iter::from_fn(|| word.next_look()).collect()
    }

    #[test]
    fn it_is_looked_for_soon_and_then_for_half_a_minute() {
        let kept = looks(Words::new().heard());
        assert_eq!(kept.get(..3), Some(&SOON_MS.map(Duration::from_millis)[..]));
        let (all, pause) = (kept.iter().sum::<Duration>(), Duration::from_millis(LATER_MS));
        let most = Duration::from_millis(KEPT_MS);
        assert!(all <= most && all + pause > most, "{all:?}");
    }

    #[test]
    fn without_room_it_is_given_up_soon_and_there_is_room_again_when_others_are() {
        let words = Words::new();
        let mut kept: Vec<_> = (0..MOST_KEPT).map(|_| words.heard()).collect();
        for _ in 0..100 {
            assert_eq!(looks(words.heard()), SOON_MS.map(Duration::from_millis));
        }
        assert!(looks(kept.remove(0)).len() > SOON_MS.len());
        assert!(looks(words.heard()).len() > SOON_MS.len());
    }
}
