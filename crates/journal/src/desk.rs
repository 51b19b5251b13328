//! Everything that one log under way needs, as one machine: its log, its snapshot, its reader,
//! its sign of life, its place among those under way.
//!
//! It is told what happened, and says what to do next ([`Desk::poll`]) and when to be asked again
//! ([`Desk::wake_at`]). Each command to the store is answered with [`Desk::stored`], when it comes;
//! nothing waits for it but what depends on it.

use crate::announce::{Announcer, PATIENCE_MS};
use crate::feed::{Feed, Wish};
use crate::lanes::{Lane, Lanes};
use crate::liveness::Pulse;
use crate::slots::{Lease, RENEW_MS};
use crate::snapshot::Values;
use crate::writer::LogWriter;
use crate::{Dialect, Entry, Place};
use quarry_types::Timestamp;
use std::rc::Rc;

/// Between two looks whether somebody wants an end; and before the first. Milliseconds.
const LOOK_MS: u64 = 1_000;
const FIRST_LOOK_MS: u64 = 250;

/// How long a log that has ended is tried to be written, on a store in which nothing works. Milliseconds.
const GIVE_UP_MS: u64 = 30_000;

/// So long after its end a store that works now and then still makes that longer. Milliseconds.
const MOST_LATER_MS: u64 = 90_000;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Command<E> {
    /// Write a value and say with [`Desk::stored`] whether it worked. A part is written where there is none, or the same;
    /// where another stands, [`Desk::lost`] says so.
    Store(Lane, Place, Rc<[u8]>),
    /// Delete a value and say with [`Desk::stored`] whether it worked.
    Remove(Lane, Place),
    /// Write the last part, delete the snapshot, give the slot back if there is one: in one go
    /// where the store can, else in this order. Say with [`Desk::stored`] whether all of it worked; where another part
    /// stands there nothing of it is done, and [`Desk::lost`] says so.
    Close {
        /// Where the part belongs, and what it is.
        part: (Place, Rc<[u8]>),
        /// The slot to give back.
        slot: Option<u32>,
    },
    /// Look whether somebody wants an end and say with [`Desk::stored`] whether looking worked.
    LookForStop,
    /// Let go of what is under way in this lane, which takes too long: it counts as failed already.
    Abandon(Lane),
    /// Hand the newest state over with [`Desk::snapshot`], at once.
    Snapshot,
    /// Begin these effects.
    Perform(Vec<E>),
    /// Send these to the reader and say with [`Desk::sent`] whether it is still there.
    Send(Vec<Entry>),
    /// From now on feed the reader from the log, after this entry.
    Follow {
        /// The last entry that was sent.
        after: u64,
    },
    /// Nothing more is sent to the reader from here: let go of it.
    Finish,
}

/// How effects begin.
#[derive(Debug)]
pub enum Start<E> {
    /// They cost money or reach outside: after a snapshot that names them.
    Announced(Vec<E>),
    /// They can be repeated for nothing.
    AtOnce(Vec<E>),
}

/// How a machine ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to go on with.
    Final,
    /// It can be gone on with: a last snapshot is written, and the last entries, which say so,
    /// are sent and written after it, or as soon as the store fails or takes too long.
    Resumable,
}

/// One log under way.
#[derive(Debug)]
pub struct Desk<E> {
    lanes: Lanes,
    log: LogWriter,
    announcer: Announcer<E>,
    feed: Feed,
    pulse: Pulse,
    holder: String,
    slot: Option<u32>,
    slot_due: Timestamp,
    /// Whether what is under way for the slot gives it back; else it renews it.
    is_releasing: bool,
    look_due: Timestamp,
    first_look: Timestamp,
    end: Option<(End, Timestamp)>,
    is_last_snapshot_asked: bool,
    has_removed: bool,
    has_tried_to_close: bool,
    has_finished_reader: bool,
    has_given_up: bool,
    /// Whether the last entries wait for the last snapshot.
    is_held_back: bool,
    /// Whether another gave the log its end: nothing more is written to it.
    is_lost: bool,
}

impl<E> Desk<E> {
    /// For the log of this id that begins now, with its place among those under way if it has
    /// one. Its parts expire at the time given.
    #[must_use]
    pub fn new(
        dialect: Dialect,
        id: &str,
        slot: Option<u32>,
        expires: Timestamp,
        now: Timestamp,
    ) -> Self {
        let later = |wait| Timestamp(now.0.saturating_add(wait));
        Desk {
            lanes: Lanes::default(),
            log: LogWriter::new(dialect, expires),
            announcer: Announcer::new(),
            feed: Feed::new(),
            pulse: Pulse::new(now),
            holder: id.to_owned(),
            slot,
            slot_due: later(RENEW_MS),
            is_releasing: false,
            look_due: later(FIRST_LOOK_MS),
            first_look: later(FIRST_LOOK_MS),
            end: None,
            is_last_snapshot_asked: false,
            has_removed: false,
            has_tried_to_close: false,
            has_finished_reader: false,
            has_given_up: false,
            is_held_back: false,
            is_lost: false,
        }
    }

    /// Takes in what the machine answered: entries to show and to keep, effects to begin, and
    /// whether it has ended with that. Nothing counts behind an end.
    pub fn react(
        &mut self,
        entries: Vec<Entry>,
        effects: Start<E>,
        end: Option<End>,
        now: Timestamp,
    ) {
        // What comes late would be told behind the last entry, and another end would forget what is to be kept.
        if self.end.is_some() {
            return;
        }
        self.log.push(&entries, now);
        match (end, effects) {
            (Some(end), _) => {
                self.announcer.end();
                self.end = Some((end, now));
                self.log.end(now);
                self.hold_back(end == End::Resumable && !self.lanes.is_failing() && !self.is_lost);
            }
            (None, _) if self.is_lost => {}
            (None, Start::Announced(effects)) => {
                self.announcer.hold(effects, self.lanes.is_failing(), now);
                // A machine that is to end ends before it pays for more.
                if now >= self.first_look {
                    self.look_due = self.look_due.min(now);
                }
            }
            (None, Start::AtOnce(effects)) => self.announcer.pass(effects),
        }
        self.feed.push(entries, !self.lanes.is_failing() && !self.is_lost, now);
    }

    /// A part stands where this log's next one belongs: a reader that took its writer for dead ended it. Whoever reads it
    /// was told so, and may go on from the state that is kept: that and the log are left alone. What is under way is to end
    /// now, and reaches none but the reader that came with it.
    pub fn lost(&mut self, lane: Lane, now: Timestamp) {
        self.lanes.end(lane, true, now);
        self.is_lost = true;
        self.log.abandon();
        self.announcer.end();
        self.hold_back(false);
    }

    /// Whether another gave the log its end.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// The machine's state has changed in a way that cost something, though it asks for nothing.
    pub fn changed(&mut self, now: Timestamp) {
        if self.end.is_none() {
            self.announcer.changed(now);
        }
    }

    /// What to do now; ask again until there is nothing.
    pub fn poll(&mut self, now: Timestamp) -> Option<Command<E>> {
        if self.held_back_until().is_some_and(|until| until <= now) {
            self.hold_back(false);
        }
        if let Some(lane) = self.lanes.hung(now) {
            self.stored(lane, false, now);
            return Some(Command::Abandon(lane));
        }
        self.has_given_up |= self.gives_up_at().is_some_and(|until| until <= now);
        match self.feed.next(now) {
            Some(Wish::Send(entries)) => return Some(Command::Send(entries)),
            Some(Wish::Follow { after }) => {
                self.log.hurry();
                return Some(Command::Follow { after });
            }
            None => {}
        }
        let ready = self.announcer.take_ready(now);
        if !ready.is_empty() {
            return Some(Command::Perform(ready));
        }
        if self.end.is_some() && self.feed.is_done() && !self.has_finished_reader {
            self.has_finished_reader = true;
            return Some(Command::Finish);
        }
        if let Some(close) = self.poll_close(now) {
            return Some(close);
        }
        // While the store fails one thing is tried at a time, each first in its turn: what fails for a
        // reason of its own must not keep the others from theirs.
        let first = self.lanes.failures();
        (0..3).find_map(|next| match first.wrapping_add(next) % 3 {
            0 => self.poll_snapshot(now),
            1 => self.poll_log(now),
            _ => self.poll_rest(now),
        })
    }

    /// Most are over before anything of their log was written: then one command does all.
    fn poll_close(&mut self, now: Timestamp) -> Option<Command<E>> {
        let is_final = matches!(self.end, Some((End::Final, _)));
        let may = is_final && !self.is_lost && !self.has_tried_to_close && self.lanes.are_idle();
        if !may || !self.log.is_one_part() {
            return None;
        }
        self.has_tried_to_close = true;
        let part = self.log.take(now)?;
        self.lanes.begin(Lane::Close, now);
        Some(Command::Close { part, slot: self.slot })
    }

    fn poll_snapshot(&mut self, now: Timestamp) -> Option<Command<E>> {
        if self.is_lost || !self.lanes.is_free(Lane::Snapshot, now) {
            return None;
        }
        if let Some((place, value)) = self.announcer.next_value() {
            return Some(self.store(Lane::Snapshot, place, value, now));
        }
        match self.end {
            None if self.announcer.due().is_some_and(|due| due <= now) => Some(Command::Snapshot),
            Some((End::Resumable, _)) if !self.is_last_snapshot_asked => {
                self.is_last_snapshot_asked = true;
                Some(Command::Snapshot)
            }
            // The log first: whoever crashes in between can be told by it that all is over.
            Some((End::Final, _)) if self.removal_due() && self.log.is_settled() => {
                self.lanes.begin(Lane::Snapshot, now);
                Some(Command::Remove(Lane::Snapshot, Place::Snapshot))
            }
            _ => None,
        }
    }

    fn poll_log(&mut self, now: Timestamp) -> Option<Command<E>> {
        let is_due = self.log.due().is_some_and(|due| due <= now);
        if !is_due || !self.lanes.is_free(Lane::Log, now) {
            return None;
        }
        let (place, value) = self.log.take(now)?;
        Some(self.store(Lane::Log, place, value, now))
    }

    fn poll_rest(&mut self, now: Timestamp) -> Option<Command<E>> {
        if self.slot_wish().is_some_and(|wish| wish <= now) && self.lanes.is_free(Lane::Slot, now) {
            let slot = self.slot?;
            let place = Place::Slot(slot);
            if self.end.is_some() {
                self.lanes.begin(Lane::Slot, now);
                self.is_releasing = true;
                return Some(Command::Remove(Lane::Slot, place));
            }
            let lease = Lease::new(&self.holder, now).write();
            return Some(self.store(Lane::Slot, place, lease.into(), now));
        }
        if self.end.is_some() {
            return None;
        }
        if self.look_due <= now && self.lanes.is_free(Lane::Stop, now) {
            self.lanes.begin(Lane::Stop, now);
            return Some(Command::LookForStop);
        }
        if self.pulse.due() <= now && self.lanes.is_free(Lane::Sign, now) {
            let sign = now.0.to_string().into_bytes();
            return Some(self.store(Lane::Sign, Place::Alive, sign.into(), now));
        }
        None
    }

    fn store(&mut self, lane: Lane, place: Place, value: Rc<[u8]>, now: Timestamp) -> Command<E> {
        self.lanes.begin(lane, now);
        Command::Store(lane, place, value)
    }

    /// When something is to be done about the place, if there is one.
    fn slot_wish(&self) -> Option<Timestamp> {
        self.slot.map(|_| self.end.map_or(self.slot_due, |(_, ended)| ended))
    }

    fn removal_due(&self) -> bool {
        self.announcer.may_be_kept() && !self.has_removed
    }

    /// Who reads the log is told no sooner than who came with it.
    const fn hold_back(&mut self, is_held_back: bool) {
        self.is_held_back = is_held_back;
        self.feed.hold(is_held_back);
        self.log.hold(is_held_back);
    }

    /// Until when the last entries of a machine that can be gone on with are held back.
    fn held_back_until(&self) -> Option<Timestamp> {
        let (_, ended) = self.end.filter(|_| self.is_held_back)?;
        Some(Timestamp(ended.0.saturating_add(PATIENCE_MS)))
    }

    fn gives_up_at(&self) -> Option<Timestamp> {
        let (_, ended) = self.end.filter(|_| !self.has_given_up)?;
        if self.lanes.is_closed() {
            return Some(ended);
        }
        // A store in which something works is slow, and not gone.
        let latest = Timestamp(ended.0.saturating_add(MOST_LATER_MS));
        let since = self.lanes.worked_at().map_or(ended, |at| at.clamp(ended, latest));
        Some(Timestamp(since.0.saturating_add(GIVE_UP_MS)))
    }

    /// The state that [`Command::Snapshot`] asked for, as values to be written in this order;
    /// without any, it is as if they could not be written, and the last one is not asked for again.
    pub fn snapshot(&mut self, values: Values, now: Timestamp) {
        let is_empty = values.is_empty();
        self.announcer.begin(values);
        if is_empty {
            self.announcer.written(false, now);
            self.hold_back(false);
        }
    }

    /// So many milliseconds after its end it is no longer to be read, where that is before it expires.
    #[must_use]
    pub const fn lasting(mut self, lasts_ms: Option<u64>) -> Self {
        self.log.lasting(lasts_ms);
        self
    }

    /// There is no store: nothing waits for one, and a reader must keep up.
    #[must_use]
    pub fn without_store(mut self) -> Self {
        self.lanes.close();
        self.slot = None;
        self
    }

    /// Which set of places the pieces of the next snapshot use.
    #[must_use]
    pub const fn snapshot_set(&self) -> bool {
        self.announcer.next_set()
    }

    /// Who was to ask again then asks only now.
    pub fn woken(&mut self, due: Timestamp, now: Timestamp) {
        self.lanes.excuse(now.since(due), now);
    }

    /// The answer to a command in this lane.
    pub fn stored(&mut self, lane: Lane, worked: bool, now: Timestamp) {
        let later = |wait| Timestamp(now.0.saturating_add(wait));
        self.lanes.end(lane, worked, now);
        match lane {
            Lane::Log if worked => self.part_written(),
            // What did not work is done one by one.
            Lane::Close if worked => {
                self.part_written();
                self.has_removed = true;
                self.slot = None;
            }
            Lane::Snapshot => self.snapshot_stored(worked, now),
            Lane::Sign if worked => self.pulse.shown(now),
            Lane::Slot => {
                let was_release = std::mem::take(&mut self.is_releasing);
                match (worked, was_release) {
                    (true, true) => self.slot = None,
                    (true, false) => self.slot_due = later(RENEW_MS),
                    (false, _) => {}
                }
            }
            Lane::Stop => self.look_due = later(LOOK_MS),
            Lane::Log | Lane::Close | Lane::Sign => {}
        }
    }

    fn part_written(&mut self) {
        if let Some(made) = self.log.written() {
            self.pulse.shown(made);
        }
    }

    fn snapshot_stored(&mut self, worked: bool, now: Timestamp) {
        if self.announcer.is_writing() {
            self.announcer.written(worked, now);
            let is_last = self.is_last_snapshot_asked && !self.announcer.is_writing();
            if is_last {
                self.is_last_snapshot_asked = worked;
                // Whoever is told of it can use it; if it failed, it is tried again.
                self.hold_back(false);
            }
        } else {
            self.has_removed |= worked;
        }
    }

    /// What was sent to the reader has been taken, or it has left.
    pub fn sent(&mut self, is_there: bool, now: Timestamp) {
        self.feed.sent(is_there, now);
        if !is_there {
            self.log.hurry();
        }
    }

    /// When to ask again, if nothing happens before.
    #[must_use]
    pub fn wake_at(&self) -> Option<Timestamp> {
        let lane = |lane, due: Option<Timestamp>| due.and_then(|due| self.lanes.wake_at(lane, due));
        let running = |due: Timestamp| self.end.is_none().then_some(due);
        let last_snapshot = match self.end {
            _ if self.is_lost => None,
            None => self.announcer.due(),
            Some((End::Resumable, ended)) => (!self.is_last_snapshot_asked).then_some(ended),
            Some((End::Final, ended)) => {
                (self.removal_due() && self.log.is_settled()).then_some(ended)
            }
        };
        [
            self.feed.wake_at(),
            self.announcer.patience_ends(),
            lane(Lane::Log, self.log.due()),
            lane(Lane::Snapshot, last_snapshot),
            lane(Lane::Slot, self.slot_wish()),
            lane(Lane::Stop, running(self.look_due)),
            lane(Lane::Sign, running(self.pulse.due())),
            self.gives_up_at(),
            self.held_back_until(),
            self.lanes.next_hangs_at(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether the machine has ended, its reader has been seen to, and everything is in the
    /// store or has been given up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let Some((end, _)) = self.end else { return false };
        let is_kept = match end {
            _ if self.is_lost => true,
            End::Final => !self.removal_due(),
            End::Resumable => self.is_last_snapshot_asked && !self.announcer.is_writing(),
        };
        let is_settled = self.log.is_settled() && is_kept && self.slot.is_none();
        self.has_finished_reader && (is_settled || self.has_given_up)
    }

    /// Whether the whole log is in the store.
    #[must_use]
    pub const fn is_logged(&self) -> bool {
        self.log.is_settled() && !self.is_lost
    }
}

#[cfg(test)]
mod tests;
