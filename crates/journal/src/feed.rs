//! Passes entries on to the reader that came with a log, as long as it keeps up.
//!
//! A reader gets what is new at once. What it does not take waits, up to a bound in bytes; beyond
//! it the reader is fed from the log, which has everything. So a log goes on whatever its reader
//! does, and a reader that is slow misses nothing and sees nothing twice.

use crate::Entry;
use quarry_types::Timestamp;
use std::collections::VecDeque;

/// What may wait for one reader, in bytes.
pub const MOST_WAITING: usize = 1024 * 1024;

/// The same while the log cannot be written, so that there is nothing else to feed a reader from.
const MOST_WITHOUT_LOG: usize = 4 * MOST_WAITING;

/// A reader to whom nothing was owed may be sent more than [`MOST_WAITING`], and has this long to take
/// each batch of it. Milliseconds.
const BURST_MS: u64 = 1_000;

/// Bytes that are sent in one go, unless one entry is larger.
pub(crate) const BATCH: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Live,
    /// What waits was dropped; when the write under way ends the log takes over.
    Behind,
    Following,
    Gone,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Send(Vec<Entry>),
    Follow { after: u64 },
}

#[derive(Debug)]
pub(crate) struct Feed {
    mode: Mode,
    queue: VecDeque<Entry>,
    /// Bytes in the queue and on their way.
    waiting: usize,
    on_the_way: usize,
    is_sending: bool,
    is_held: bool,
    sent: u64,
    burst_since: Option<Timestamp>,
}

impl Feed {
    pub const fn new() -> Self {
        Feed {
            mode: Mode::Live,
            queue: VecDeque::new(),
            waiting: 0,
            on_the_way: 0,
            is_sending: false,
            is_held: false,
            sent: 0,
            burst_since: None,
        }
    }

    pub fn push(&mut self, entries: Vec<Entry>, has_log: bool, now: Timestamp) {
        if self.mode != Mode::Live {
            return;
        }
        let was_idle = self.waiting == 0;
        for entry in entries {
            self.waiting += entry.size();
            self.queue.push_back(entry);
        }
        let most = if has_log { MOST_WAITING } else { MOST_WITHOUT_LOG };
        if self.waiting > most {
            if was_idle {
                self.burst_since = Some(now);
            } else {
                self.fall_behind();
            }
        }
    }

    fn fall_behind(&mut self) {
        self.mode = Mode::Behind;
        self.queue.clear();
        self.waiting = self.on_the_way;
        self.burst_since = None;
    }

    /// Holds back what is not sent yet, or lets go of it.
    pub const fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    pub fn next(&mut self, now: Timestamp) -> Option<Wish> {
        if self.wake_at().is_some_and(|at| at <= now) {
            self.fall_behind();
        }
        match self.mode {
            Mode::Live if !self.is_sending && !self.is_held => self.batch().map(Wish::Send),
            Mode::Behind if !self.is_sending => {
                self.mode = Mode::Following;
                Some(Wish::Follow { after: self.sent })
            }
            Mode::Live | Mode::Behind | Mode::Following | Mode::Gone => None,
        }
    }

    fn batch(&mut self) -> Option<Vec<Entry>> {
        let batch = batch(&mut self.queue);
        self.sent = batch.last()?.number;
        self.on_the_way = batch.iter().map(Entry::size).sum();
        self.is_sending = true;
        Some(batch)
    }

    /// When a burst that nobody takes is given up.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let since = self.burst_since.filter(|_| !self.is_held)?;
        Some(Timestamp(since.0.saturating_add(BURST_MS)))
    }

    /// What was sent has been taken, or nobody is there any more.
    pub fn sent(&mut self, is_there: bool, now: Timestamp) {
        self.is_sending = false;
        self.waiting = self.waiting.saturating_sub(self.on_the_way);
        self.on_the_way = 0;
        if !is_there {
            self.leave();
        } else if self.burst_since.is_some() {
            self.burst_since = (self.waiting > MOST_WAITING).then_some(now);
        }
    }

    pub fn leave(&mut self) {
        self.mode = Mode::Gone;
        self.queue.clear();
        self.waiting = 0;
        self.burst_since = None;
    }

    /// Whether there is nothing left to do for the reader here.
    pub fn is_done(&self) -> bool {
        match self.mode {
            Mode::Live => self.queue.is_empty() && !self.is_sending,
            Mode::Behind => false,
            Mode::Following | Mode::Gone => true,
        }
    }

    #[cfg(test)]
    pub const fn waiting(&self) -> usize {
        self.waiting
    }
}

/// Takes entries of at most [`BATCH`] bytes together, or one that is larger.
pub(crate) fn batch(queue: &mut VecDeque<Entry>) -> Vec<Entry> {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while let Some(size) = queue.front().map(Entry::size) {
        bytes += size;
        if bytes > BATCH && !batch.is_empty() {
            break;
        }
        batch.extend(queue.pop_front());
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(number: u64, size: usize) -> Entry {
        Entry { number, kind: String::new(), body: "x".repeat(size) }
    }

    proptest! {
        /// Whatever is sent and taken when: numbers are sent in order and once, and the log takes
        /// over exactly where sending ended.
        #[test]
        fn nothing_is_lost_doubled_or_held_without_bound(
            steps in prop::collection::vec((0_usize..600_000, 1_u64..4, any::<bool>(), 0_u64..700), 1..60),
        ) {
            let mut feed = Feed::new();
            let (mut now, mut number, mut sent, mut sending) = (Timestamp(0), 0, 0, false);
            let (mut follows, mut is_burst) = (None, false);
            for (size, count, takes, wait) in steps {
                let was_idle = feed.waiting() == 0;
                feed.push((1..=count).map(|n| entry(number + n, size)).collect(), true, now);
                number += count;
                // A burst is what comes at once while nothing waits, until it is taken.
                is_burst = feed.waiting() > MOST_WAITING && (was_idle || is_burst);
                prop_assert!(feed.waiting() <= MOST_WAITING || is_burst);
                now.0 += wait;
                if takes && sending {
                    feed.sent(true, now);
                    sending = false;
                }
                match feed.next(now) {
                    Some(Wish::Send(batch)) => {
                        prop_assert!(!sending && follows.is_none());
                        for entry in batch {
                            prop_assert_eq!(entry.number, sent + 1);
                            sent = entry.number;
                        }
                        sending = true;
                    }
                    Some(Wish::Follow { after }) => {
                        prop_assert!(!sending && follows.is_none());
                        prop_assert_eq!(after, sent);
                        follows = Some(after);
                    }
                    None => {}
                }
            }
        }
    }

    #[test]
    fn a_reader_that_takes_nothing_makes_a_mebibyte_wait_and_then_follows_the_log() {
        let mut feed = Feed::new();
        for number in 1..=1_000 {
            feed.push(vec![entry(number, 20_000)], true, Timestamp(number));
            assert!(feed.waiting() <= MOST_WAITING);
            if number == 1 {
                assert!(matches!(feed.next(Timestamp(1)), Some(Wish::Send(_))));
            } else {
                assert_eq!(feed.next(Timestamp(number)), None);
            }
        }
        feed.sent(true, Timestamp(2_000));
        assert_eq!(feed.next(Timestamp(2_000)), Some(Wish::Follow { after: 1 }));
        assert!(feed.is_done());
    }

    #[test]
    fn a_burst_that_nobody_takes_waits_for_a_second() {
        let mut feed = Feed::new();
        feed.push((1..=3).map(|n| entry(n, 1 << 20)).collect(), true, Timestamp(0));
        assert!(matches!(feed.next(Timestamp(0)), Some(Wish::Send(_))));
        assert_eq!(feed.wake_at(), Some(Timestamp(1_000)));
        assert_eq!(feed.next(Timestamp(1_000)), None);
        assert!(feed.waiting() < MOST_WAITING + 100);
        feed.sent(true, Timestamp(1_001));
        assert_eq!(feed.next(Timestamp(1_001)), Some(Wish::Follow { after: 1 }));
    }

    #[test]
    fn each_batch_of_a_burst_has_a_second_of_its_own_and_no_more() {
        let mut feed = Feed::new();
        feed.push((1..=3).map(|n| entry(n, 1 << 20)).collect(), true, Timestamp(0));
        assert!(matches!(feed.next(Timestamp(0)), Some(Wish::Send(_))));
        feed.sent(true, Timestamp(700));
        assert!(matches!(feed.next(Timestamp(700)), Some(Wish::Send(_))));
        assert_eq!(feed.wake_at(), Some(Timestamp(1_700)));
        assert_eq!(feed.next(Timestamp(1_700)), None);
        assert!(feed.waiting() < MOST_WAITING + 100, "what nobody takes is dropped");
    }

    #[test]
    fn what_is_held_back_is_not_the_readers_fault() {
        let mut feed = Feed::new();
        feed.push((1..=3).map(|n| entry(n, 1 << 20)).collect(), true, Timestamp(0));
        feed.hold(true);
        assert_eq!((feed.wake_at(), feed.next(Timestamp(1_100))), (None, None));
        assert!(feed.waiting() > MOST_WAITING);
    }

    #[test]
    fn without_a_log_four_times_as_much_may_wait() {
        let mut feed = Feed::new();
        feed.push(vec![entry(1, 1)], false, Timestamp(0));
        assert!(matches!(feed.next(Timestamp(0)), Some(Wish::Send(_))));
        for number in 2..=4 {
            feed.push(vec![entry(number, 1 << 20)], false, Timestamp(0));
        }
        assert!(feed.waiting() > 3 * MOST_WAITING, "there is nothing else to feed a reader from");
        feed.push(vec![entry(5, 1 << 20)], false, Timestamp(0));
        assert!(feed.waiting() < MOST_WAITING);
    }

    #[test]
    fn a_reader_that_takes_a_burst_gets_it_without_the_log() {
        let mut feed = Feed::new();
        feed.push((1..=3).map(|n| entry(n, 1 << 20)).collect(), true, Timestamp(0));
        for _ in 0..3 {
            assert!(matches!(feed.next(Timestamp(900)), Some(Wish::Send(_))));
            feed.sent(true, Timestamp(900));
        }
        assert!(feed.is_done());
        assert_eq!(feed.next(Timestamp(9_000)), None);
    }

    #[test]
    fn whoever_left_is_sent_nothing() {
        let mut feed = Feed::new();
        feed.push(vec![entry(1, 1)], true, Timestamp(0));
        assert!(matches!(feed.next(Timestamp(0)), Some(Wish::Send(_))));
        feed.sent(false, Timestamp(0));
        feed.push(vec![entry(2, 1)], true, Timestamp(0));
        assert_eq!(feed.next(Timestamp(0)), None);
        assert!(feed.is_done());
    }
}
