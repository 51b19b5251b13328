//! A slice of a run: one driver's turn at it, from taking the lease to letting go of it.
//!
//! Announce, perform, record: what a machine is told goes into the journal before anything that follows from it
//! begins, and what is about to begin is announced there too. Entries are numbered, and a number can be had
//! once: of two drivers one loses, drops what it was about to do, and leaves.
//!
//! Border: knows no store and no run. Whoever performs [`SliceCommand`]s tells what came of them. Source: the
//! contract of runs, *the journal* and *driving a run on Spin*.

mod command;
mod inbox;
mod limits;
mod place;
mod refused;
mod renewal;

use crate::backoff::Backoff;
use crate::run::Searched;
pub use command::{Append, Leave, SliceCommand, Written};
use inbox::Inbox;
pub use limits::{KEPT_WAIT_MS, SHORT_WAIT_MS, SliceLimits};
use place::Place;
use quarry_types::Timestamp;
use refused::{Before, First, Refused};
use renewal::Renewal;
use std::collections::BTreeSet;
use std::fmt;

/// Entries after which a machine's state is kept even where nothing else asks for it.
const BETWEEN_CHECKPOINTS: u64 = 64;

/// Milliseconds between two looks at what persons said meanwhile.
pub(crate) const LOOK_MS: u64 = 1_000;

/// Milliseconds for which a store may fail before the driver gives up: the run then goes on elsewhere.
const PATIENCE_MS: u64 = 60_000;

/// The part of a journal that has to be new before a state is kept: what is written of states grows with the journal,
/// and not with its square. A machine whose states are asked for holds to it, too.
pub const CHECKPOINT_SHARE: u64 = 16;

/// A machine whose inputs are its journal.
pub trait Driven {
    /// What it is told.
    type Input: Clone + fmt::Debug;
    /// What it wants done.
    type Effect: fmt::Debug;
    /// What it tells.
    type Event: Clone + fmt::Debug;

    /// Takes an input in.
    fn take(&mut self, input: Self::Input, at: Timestamp) -> Taken<Self::Event>;

    /// What is to be begun.
    fn due(&self) -> Vec<Self::Effect>;

    /// Whether anything was begun of which nothing came yet.
    fn has_begun(&self) -> bool;

    /// That these are about to begin.
    fn begun(effects: &[Self::Effect]) -> Self::Input;

    /// That nobody drove it since it was last told anything, or since then, and that what was begun is lost with the
    /// driver before.
    fn taken_up(driven_until: Option<Timestamp>) -> Self::Input;

    /// That time has passed.
    fn clock() -> Self::Input;

    /// Whether this lets go of what is under way: what came until then is taken in before it.
    fn lets_go(input: &Self::Input) -> bool;

    /// Whether nothing comes of this, because what it answers was let go of. It is no part of the journal then.
    fn is_stale(&self, input: &Self::Input) -> bool;

    /// Where it stands.
    fn rest(&self) -> Rest;

    /// When it was last told anything.
    fn updated(&self) -> Timestamp;
}

/// Where a machine stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// It works, and wants to be told the time then.
    Works {
        /// When.
        wake_at: Option<Timestamp>,
    },
    /// It waits: until then, or for somebody.
    Waits {
        /// Until when.
        until: Option<Timestamp>,
    },
    /// It has ended.
    Over,
}

/// What an input led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken<E> {
    /// What the machine tells.
    pub events: Vec<E>,
    /// Whether its state is to be kept now; it is.
    pub checkpoint: bool,
    /// The parts of it that clients see and that changed, by number.
    pub parts: BTreeSet<u64>,
    /// What the input is found again by, if others may.
    pub searched: Option<Searched>,
}

/// A driver's turn at a run.
#[derive(Debug)]
pub struct Slice<M: Driven> {
    machine: M,
    limits: SliceLimits,
    /// The number of the last entry that is in the journal.
    last: u64,
    opened: Timestamp,
    lease_until: Timestamp,
    looked: Timestamp,
    inbox: Inbox<M::Input>,
    /// What the machine is told before all else.
    opening: Vec<M::Input>,
    queue: Vec<M::Input>,
    write: Option<Write<M>>,
    /// A step that was not written and that the machine has taken in.
    refused: Option<Refused<M::Input>>,
    backoff: Backoff,
    failing_since: Option<Timestamp>,
    since_checkpoint: u64,
    /// Whether every part was written.
    has_written_all: bool,
    begin: Vec<M::Effect>,
    is_looking: bool,
    /// Whether nothing is written before it has looked.
    must_look: bool,
    renewal: Renewal,
    place: Place,
    /// Whether anything was begun: a slice that begins nothing would be handed over for ever.
    has_begun: bool,
    left: Option<Leave>,
}

/// What inputs led to that are written together.
struct Folded<I, E> {
    entries: Vec<(Timestamp, I)>,
    events: Vec<E>,
    checkpoint: bool,
    parts: BTreeSet<u64>,
    searches: Vec<(u64, Searched)>,
}

impl<I, E> Default for Folded<I, E> {
    fn default() -> Self {
        let (entries, events, searches) = (Vec::new(), Vec::new(), Vec::new());
        Folded { entries, events, checkpoint: false, parts: BTreeSet::new(), searches }
    }
}

#[derive(Debug)]
struct Write<M: Driven> {
    append: Append<M::Input, M::Event>,
    begin: Vec<M::Effect>,
    before: Before,
    first: First,
    is_under_way: bool,
}

impl<M: Driven> Slice<M> {
    /// A driver's turn at a machine whose last entry has this number, with a lease until then.
    #[must_use]
    pub fn new(
        machine: M,
        last: u64,
        limits: SliceLimits,
        lease_until: Timestamp,
        now: Timestamp,
    ) -> Self {
        let mut slice = Slice {
            place: Place::of(machine.rest()),
            machine,
            limits,
            last,
            opened: now,
            lease_until,
            looked: Timestamp(0),
            inbox: Inbox::new(),
            opening: Vec::new(),
            queue: Vec::new(),
            write: None,
            refused: None,
            backoff: Backoff::default(),
            failing_since: None,
            since_checkpoint: 0,
            has_written_all: true,
            begin: Vec::new(),
            is_looking: false,
            must_look: false,
            renewal: Renewal::Idle,
            has_begun: false,
            left: None,
        };
        // The time of what works stands still while nobody drives it, also where nothing was begun.
        let is_left = now.since(slice.machine.updated()) >= limits.lease_ms;
        let works = matches!(slice.machine.rest(), Rest::Works { .. });
        if slice.machine.has_begun() || (works && is_left) {
            slice.opening.push(M::taken_up(None));
        }
        slice
    }

    /// The same for a machine of which no step was written yet: the first has all that clients see of it.
    #[must_use]
    pub fn of_new(mut self) -> Self {
        self.has_written_all = false;
        self
    }

    /// The same for a machine that somebody had until then: they may have waited, with nothing to tell it.
    #[must_use]
    pub fn driven_until(mut self, until: Timestamp) -> Self {
        if !self.opening.is_empty() && until > self.machine.updated() {
            self.opening = vec![M::taken_up(Some(until))];
        }
        self
    }

    /// The machine, as the last command left it.
    pub const fn machine(&self) -> &M {
        &self.machine
    }

    /// The number of the last entry that is known to be in the journal.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Something happened.
    pub fn happened(&mut self, input: M::Input) {
        self.queue.push(input);
    }

    /// Something that a person said happened: it lies in the inbox under this name, and is told once, in the order in
    /// which all of it was said. So nothing is written before it has looked.
    pub fn said(&mut self, name: String, input: M::Input) {
        self.inbox.told(name, input);
        (self.looked, self.must_look) = (Timestamp(0), true);
    }

    /// The machine is told this before all else, also before it is told that it was taken up.
    pub fn told_first(&mut self, input: M::Input) {
        self.opening.insert(0, input);
    }

    /// What persons said, by names that make each of them count once; none where the store failed.
    pub fn looked(&mut self, said: Option<Vec<(String, M::Input)>>, now: Timestamp) {
        self.is_looking = false;
        self.looked = now;
        let Some(said) = said else {
            // What was refused would be refused again.
            return if self.must_look {
                self.store_failed(now)
            };
        };
        self.must_look = false;
        if said.is_empty() || !self.looks_anew() {
            self.inbox.found(said);
        }
    }

    /// Whether there is room for it.
    pub fn entered(&mut self, is_room: bool, now: Timestamp) {
        self.place = if is_room { Place::Taken } else { Place::Refused(now) };
    }

    /// What came of a write.
    pub fn written(&mut self, written: Written, now: Timestamp) {
        match written {
            Written::Yes => {
                self.backoff.worked();
                self.failing_since = None;
                self.inbox.written();
                if let Some(Write { append, begin, .. }) = self.write.take() {
                    self.last += append.entries.len() as u64;
                    self.lease_until = append.lease_until;
                    self.begin.extend(begin);
                }
            }
            Written::Lost => self.left = Some(Leave::Lost),
            Written::Unheard => self.unheard(),
            Written::Failed => {
                self.store_failed(now);
                if let Some(write) = &mut self.write {
                    write.is_under_way = false;
                }
            }
        }
    }

    fn store_failed(&mut self, now: Timestamp) {
        self.backoff.failed(0, now);
        let since = *self.failing_since.get_or_insert(now);
        if now.since(since) > PATIENCE_MS {
            self.left = Some(Leave::StoreFails);
        }
    }

    /// What to do next; none: wait for something to happen, or for [`Slice::wake_at`].
    pub fn poll(&mut self, now: Timestamp) -> Option<SliceCommand<M::Input, M::Event, M::Effect>> {
        if let Some(left) = self.left {
            return Some(SliceCommand::Leave(left));
        }
        self.set_back(now);
        if !self.begin.is_empty() {
            return Some(SliceCommand::Begin(std::mem::take(&mut self.begin)));
        }
        if let Some(write) = &mut self.write {
            if write.is_under_way || !self.backoff.may_try(now, false) {
                return None;
            }
            write.is_under_way = true;
            // If it was written by the try before, the lease is that one's: what it kept is believed.
            let lease_until = Timestamp(now.0.saturating_add(self.limits.lease_ms));
            return Some(SliceCommand::Write(Append { lease_until, ..write.append.clone() }));
        }
        if self.refused.is_some() {
            if let Some(until) = self.renews(now) {
                return Some(SliceCommand::Renew(until));
            }
            let refused = self.refused.as_mut()?;
            return refused.reads(&self.backoff, now).then_some(SliceCommand::Reload);
        }
        if !self.is_looking && now.since(self.looked) >= LOOK_MS {
            self.is_looking = true;
            return Some(SliceCommand::Look);
        }
        if self.must_look {
            return self.renews(now).map(SliceCommand::Renew);
        }
        if self.asks_for_place(now) {
            self.place = Place::Asked;
            return Some(SliceCommand::Enter);
        }
        if let Some(append) = self.append(now) {
            return Some(SliceCommand::Write(append));
        }
        // What persons said last is taken in before the run is let go of.
        if self.is_looking {
            return None;
        }
        self.left = self.leaves(now);
        self.left.map(SliceCommand::Leave)
    }

    /// When something is to be done though nothing happens.
    #[must_use]
    pub fn wake_at(&self, now: Timestamp) -> Timestamp {
        let later = Timestamp(now.0.saturating_add(LOOK_MS));
        if let Some(refused) = &self.refused {
            return refused.again_at(&self.backoff).map_or(later, |again| again.min(later));
        }
        // While something is being written, or was looked for, only its end matters.
        if let Some(write) = &self.write {
            let retry = self.backoff.until().filter(|_| !write.is_under_way);
            return retry.map_or(later, |retry| retry.min(later));
        }
        let look = Timestamp(self.looked.0.saturating_add(LOOK_MS));
        let look = if self.is_looking { later } else { look.min(later) };
        // Nothing is written before.
        if self.must_look {
            return look;
        }
        let machine = match (self.machine.rest(), self.place) {
            (Rest::Works { wake_at }, _) => wake_at.unwrap_or(look),
            (Rest::Waits { .. }, Place::Asked | Place::Refused(_)) | (Rest::Over, _) => look,
            (Rest::Waits { until }, Place::None | Place::Taken) => until.unwrap_or(look),
        };
        look.min(machine).min(self.renew_at())
    }

    /// A third of a lease is left for a write that takes long.
    const fn renew_at(&self) -> Timestamp {
        Timestamp(self.lease_until.0.saturating_sub(self.limits.lease_ms / 3))
    }

    fn is_handing_over(&self, now: Timestamp) -> bool {
        self.has_begun && now.since(self.opened) >= self.limits.slice_ms
    }

    /// Whether its wait is over, and it has no place to go on in. One that was refused asks again.
    fn asks_for_place(&self, now: Timestamp) -> bool {
        self.place.may_ask(now) && self.wakes(now)
    }

    /// Whether it is time for what the machine works at, or waits for.
    fn wakes(&self, now: Timestamp) -> bool {
        matches!(
            self.machine.rest(),
            Rest::Works { wake_at: Some(at) } | Rest::Waits { until: Some(at) } if at <= now
        )
    }

    /// What there is to write, if anything.
    fn append(&mut self, now: Timestamp) -> Option<Append<M::Input, M::Event>> {
        let (before, mut folded) = (self.before(), Folded::default());
        if self.wakes(now) && self.place == Place::Taken {
            // Behind what happened, so that nothing begins whose time is over.
            self.queue.push(M::clock());
        }
        let first = self.fold_all(now, &mut folded);
        let begin = if self.is_handing_over(now) { Vec::new() } else { self.machine.due() };
        self.has_begun |= !begin.is_empty();
        if !begin.is_empty() {
            self.fold(M::begun(&begin), now, &mut folded);
        }
        let Folded { entries, events, checkpoint, parts, searches } = folded;
        if entries.is_empty() && !self.inbox.is_due() && now < self.renew_at() {
            return None;
        }
        let inbox = self.inbox.go();
        self.since_checkpoint += entries.len() as u64;
        let enough = BETWEEN_CHECKPOINTS.max(self.last / CHECKPOINT_SHARE);
        // Whoever takes it up from here, perhaps after days, has nothing to fold.
        let checkpoint = checkpoint || self.since_checkpoint >= enough || self.is_left(&begin, now);
        if checkpoint {
            self.since_checkpoint = 0;
        }
        let lease_until = Timestamp(now.0.saturating_add(self.limits.lease_ms));
        let parts = self.has_written_all.then_some(parts);
        self.has_written_all = true;
        self.place = self.place.after(self.machine.rest(), now);
        let n = self.last + 1;
        let append = Append { n, entries, events, checkpoint, parts, searches, lease_until, inbox };
        let kept = append.clone();
        self.write = Some(Write { append: kept, begin, before, first, is_under_way: true });
        Some(append)
    }

    fn fold(&mut self, input: M::Input, now: Timestamp, folded: &mut Folded<M::Input, M::Event>) {
        if self.machine.is_stale(&input) {
            return;
        }
        let taken = self.machine.take(input.clone(), now);
        folded.entries.push((now, input));
        let n = self.last.saturating_add(folded.entries.len() as u64);
        folded.searches.extend(taken.searched.map(|searched| (n, searched)));
        folded.events.extend(taken.events);
        folded.checkpoint |= taken.checkpoint;
        folded.parts.extend(taken.parts);
    }

    /// Whether the run is left behind this step for whoever comes, unless something happens meanwhile.
    fn is_left(&self, begin: &[M::Effect], now: Timestamp) -> bool {
        begin.is_empty() && matches!(self.leaves(now), Some(Leave::Over | Leave::Waits { .. }))
    }

    /// Whether the driver stays with a wait until then. Of what it alone has nothing is lost because the clock was set back
    /// meanwhile: it fitted when the wait began, which is when the machine was told anything last.
    fn waits_it_out(&self, until: Timestamp, now: Timestamp) -> bool {
        let most = self.limits.wait_ms;
        let fitted = most > SHORT_WAIT_MS && until.since(self.machine.updated()) <= most;
        fitted || until.since(now) <= most
    }

    fn leaves(&self, now: Timestamp) -> Option<Leave> {
        match self.machine.rest() {
            Rest::Over => Some(Leave::Over),
            // A wait is no reason to lose what this driver alone has; it is handed on, so that no request lasts.
            Rest::Waits { until: Some(until) } if self.waits_it_out(until, now) => {
                let is_over = now.since(self.opened) >= self.limits.slice_ms.max(LOOK_MS);
                match self.limits.wait_ms > SHORT_WAIT_MS {
                    true => is_over.then_some(Leave::HandOver),
                    // Whoever has nothing to lose waits for a place as any other that is due.
                    false => matches!(self.place, Place::Refused(_))
                        .then_some(Leave::Waits { until: Some(until) }),
                }
            }
            Rest::Waits { until } => Some(Leave::Waits { until }),
            Rest::Works { .. } => {
                let is_idle = !self.machine.has_begun();
                (self.is_handing_over(now) && is_idle).then_some(Leave::HandOver)
            }
        }
    }
}

#[cfg(test)]
mod tests;
