//! Announces effects: the snapshot that names them is in the store before they begin.
//!
//! So a machine that is gone on with after a crash knows what was begun. Only the effects of the
//! announcement wait for it, and they wait no longer than [`PATIENCE_MS`]: on a store that fails or
//! hangs, an answer is worth more than its bookkeeping, and effects begin unannounced until it
//! works again.

use crate::Place;
use crate::snapshot::Values;
use quarry_types::Timestamp;
use std::collections::VecDeque;
use std::rc::Rc;

/// How long effects wait for their announcement at most. Milliseconds.
pub(crate) const PATIENCE_MS: u64 = 500;

/// After this a state that nothing announces is written, too: outcomes are in it that were paid
/// for. Milliseconds.
const LATER_MS: u64 = 1_000;

#[derive(Debug)]
pub(crate) struct Announcer<E> {
    /// Effects that no snapshot announces yet.
    waiting: Vec<E>,
    /// Effects that the snapshot under way announces.
    announced: Vec<E>,
    /// Effects to begin now.
    ready: Vec<E>,
    /// Since when the oldest of those waits that no snapshot announces yet.
    waiting_since: Option<Timestamp>,
    /// Since when the oldest of those waits that the snapshot under way announces.
    announced_since: Option<Timestamp>,
    /// Since when the state is newer than the snapshot.
    stale_since: Option<Timestamp>,
    /// What is left to write of the snapshot under way.
    values: VecDeque<(Place, Rc<[u8]>)>,
    is_writing: bool,
    set: bool,
    /// Whether a write was begun: even one that failed may have left something.
    may_be_kept: bool,
    /// Whether the write under way takes longer than anybody waits.
    is_overdue: bool,
}

impl<E> Announcer<E> {
    pub const fn new() -> Self {
        Announcer {
            waiting: Vec::new(),
            announced: Vec::new(),
            ready: Vec::new(),
            waiting_since: None,
            announced_since: None,
            stale_since: None,
            values: VecDeque::new(),
            is_writing: false,
            set: false,
            may_be_kept: false,
            is_overdue: false,
        }
    }

    /// Effects that may begin as they are.
    pub fn pass(&mut self, effects: Vec<E>) {
        self.ready.extend(effects);
    }

    /// Effects that are to be announced before they begin.
    pub fn hold(&mut self, effects: Vec<E>, is_failing: bool, now: Timestamp) {
        self.changed(now);
        if is_failing || self.is_overdue {
            self.ready.extend(effects);
        } else {
            self.waiting.extend(effects);
            self.waiting_since.get_or_insert(now);
        }
    }

    /// The state has changed in a way that a snapshot should show.
    pub fn changed(&mut self, now: Timestamp) {
        self.stale_since.get_or_insert(now);
    }

    /// The effects to begin now.
    pub fn take_ready(&mut self, now: Timestamp) -> Vec<E> {
        if self.patience_ends().is_some_and(|end| end <= now) {
            self.is_overdue = self.is_writing;
            self.let_go();
        }
        std::mem::take(&mut self.ready)
    }

    fn let_go(&mut self) {
        self.ready.append(&mut self.announced);
        self.ready.append(&mut self.waiting);
        self.waiting_since = None;
        self.announced_since = None;
    }

    pub fn patience_ends(&self) -> Option<Timestamp> {
        // What is announced was held back before what waits.
        let since = self.announced_since.or(self.waiting_since)?;
        Some(Timestamp(since.0.saturating_add(PATIENCE_MS)))
    }

    /// When a new snapshot is due.
    pub fn due(&self) -> Option<Timestamp> {
        let stale = self.stale_since.filter(|_| !self.is_writing)?;
        let wait = if self.waiting.is_empty() { LATER_MS } else { 0 };
        Some(Timestamp(stale.0.saturating_add(wait)))
    }

    /// The set of places for the next snapshot's pieces.
    pub const fn next_set(&self) -> bool {
        self.set
    }

    /// Begins to write a snapshot of the newest state.
    pub fn begin(&mut self, values: Values) {
        self.announced.append(&mut self.waiting);
        self.announced_since = self.announced_since.or(self.waiting_since.take());
        self.may_be_kept |= !values.is_empty();
        self.values = values.into();
        self.is_writing = true;
        self.stale_since = None;
    }

    pub const fn is_writing(&self) -> bool {
        self.is_writing
    }

    /// The value to write next.
    pub fn next_value(&mut self) -> Option<(Place, Rc<[u8]>)> {
        self.values.pop_front()
    }

    /// A value is written, or could not be: then a newer snapshot is tried later.
    pub fn written(&mut self, worked: bool, now: Timestamp) {
        self.is_overdue = false;
        if !worked {
            self.values.clear();
            self.is_writing = false;
            self.let_go();
            self.changed(now);
        } else if self.values.is_empty() {
            self.is_writing = false;
            self.set = !self.set;
            self.ready.append(&mut self.announced);
            self.announced_since = None;
        }
    }

    /// Whether the store may hold a snapshot.
    pub const fn may_be_kept(&self) -> bool {
        self.may_be_kept
    }

    /// Forgets everything that has not begun: the machine has ended.
    pub fn end(&mut self) {
        self.waiting.clear();
        self.announced.clear();
        self.ready.clear();
        self.waiting_since = None;
        self.announced_since = None;
        self.stale_since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A snapshot of so many values.
    fn values(count: usize) -> Values {
        (0..count).map(|_| (Place::Snapshot, Rc::from(*b"value"))).collect()
    }

    #[test]
    fn no_effect_waits_longer_than_the_patience_even_behind_the_snapshot_of_another() {
        let mut announcer = Announcer::new();
        announcer.hold(vec!['a'], false, Timestamp(0));
        announcer.begin(values(1));
        announcer.hold(vec!['b'], false, Timestamp(10));
        assert!(announcer.next_value().is_some());
        announcer.written(true, Timestamp(400));
        assert_eq!(announcer.take_ready(Timestamp(400)), ['a']);
        announcer.begin(values(1));
        assert_eq!(announcer.patience_ends(), Some(Timestamp(10 + PATIENCE_MS)));
        assert!(announcer.take_ready(Timestamp(9 + PATIENCE_MS)).is_empty());
        assert_eq!(announcer.take_ready(Timestamp(10 + PATIENCE_MS)), ['b']);
        assert_eq!(announcer.patience_ends(), None);
    }

    #[test]
    fn an_effect_waits_no_longer_behind_a_snapshot_that_announces_nothing() {
        let mut announcer = Announcer::new();
        announcer.begin(values(1));
        announcer.hold(vec!['a'], false, Timestamp(10));
        assert!(announcer.take_ready(Timestamp(9 + PATIENCE_MS)).is_empty());
        assert_eq!(announcer.take_ready(Timestamp(10 + PATIENCE_MS)), ['a']);
    }

    #[test]
    fn the_places_of_the_readable_snapshot_are_not_used_by_the_next() {
        let mut announcer = Announcer::<char>::new();
        let mut sets = Vec::new();
        for outcomes in [&[true, true][..], &[true, false], &[false], &[true, true]] {
            sets.push(announcer.next_set());
            announcer.begin(values(2));
            for worked in outcomes {
                assert!(announcer.next_value().is_some());
                announcer.written(*worked, Timestamp(0));
            }
            assert!(!announcer.is_writing());
        }
        assert_eq!(sets, [false, true, true, true], "only a whole write makes the other one free");
    }

    #[test]
    fn what_could_not_be_written_is_tried_again_though_nothing_has_changed() {
        let mut announcer = Announcer::new();
        announcer.hold(vec!['a'], false, Timestamp(0));
        announcer.begin(values(2));
        assert_eq!(announcer.due(), None);
        assert!(announcer.next_value().is_some());
        announcer.written(false, Timestamp(5));
        assert_eq!((announcer.next_value(), announcer.take_ready(Timestamp(5))), (None, vec!['a']));
        assert_eq!(announcer.due(), Some(Timestamp(5 + LATER_MS)));
        assert!(announcer.may_be_kept(), "a part of it may be there");
    }
}
