//! Feeds a reader from an ask's log.
//!
//! Border: where to look next, how long to wait and when to give up is decided by a [`Follower`]; that what is driven here
//! lives, by who drives it.

use crate::bindings::exports::quarry::agent::ask::{AskError, Event};
use crate::shelf::{Shelf, ShelfError};
use crate::{log, slot, under_way};
use futures::future::{Either, select};
use quarry_events::{Course, Ending};
use quarry_journal::{Entry, Follower, Look, Over, Place};
use quarry_rim::clock::{self, now};
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp};
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use wit_bindgen::{StreamResult, StreamWriter};

/// An ask's log, being read.
pub struct Reading {
    id: AskId,
    shelf: Shelf,
    follower: Follower,
    /// Why its store failed last, where it did.
    trouble: Trouble,
}

/// Why a store failed.
#[derive(Debug, Clone, Copy, Default)]
struct Trouble {
    /// Whether others held the database.
    is_locked: bool,
    /// What somebody has to mend first.
    defect: Option<Defect>,
}

impl Trouble {
    fn of(error: &ShelfError) -> Trouble {
        Trouble { is_locked: error.is_locked(), defect: error.defect() }
    }
}

/// What reading brought.
enum Brought {
    Entries(Vec<Entry>),
    End(Over),
}

/// When an ask ended of whose log nothing can be read.
pub const UNKNOWN: Timestamp = Timestamp(0);

/// What a log's entries say of its end.
#[derive(Default)]
struct Seen {
    last: Option<Timestamp>,
    course: Course,
}

impl Seen {
    fn pass(&mut self, entries: &[Entry]) {
        self.last = entries.last().and_then(log::time).or(self.last);
        log::pass(&mut self.course, entries);
    }

    /// A log without a readable end is as old as can be.
    fn ended(&self) -> Ended {
        Ended { at: self.last.unwrap_or(UNKNOWN), ending: self.course.ending() }
    }
}

/// How far an ask is, as far as that is known without waiting.
pub enum Stage {
    /// Its process goes on with it, or nobody can say for now.
    UnderWay,
    /// It has given no sign of life for long. Whether it is dead only time tells.
    Silent,
    Ended(Ended),
}

/// What became of an ask.
pub enum Fate {
    /// Its process goes on with it, or nobody can say for now.
    Lives,
    /// It seems dead, but its store takes no writes, for this reason where somebody has to mend it: it may live and have
    /// nowhere to say so.
    Unsaid(Option<Defect>),
    /// What died has its end by now, too.
    Ended(Ended),
}

/// An ask's end.
pub struct Ended {
    /// When it was.
    pub at: Timestamp,
    /// How; none: what can be read of its log does not say it.
    pub ending: Option<Ending>,
}

/// A log as far as it has come.
pub struct SoFar {
    /// The number of the last event that is there; 0: none.
    pub last: u64,
    /// Whether no more will come.
    pub has_ended: bool,
    /// Whether the last event says that somebody stopped it.
    pub is_stopped: bool,
}

/// Logs that an instance reads on at once behind those who looked: each keeps the store busy.
const MOST_WATCHES: u32 = 16;

/// How many this instance has. No data of anybody's.
static WATCHES: AtomicU32 = AtomicU32::new(0);

/// One of them, until it is dropped.
struct Watch;

impl Watch {
    fn begin() -> Option<Watch> {
        let others = WATCHES.fetch_add(1, Ordering::Relaxed);
        let watch = Watch;
        (others < MOST_WATCHES).then_some(watch)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How feeding a reader ended.
pub enum Fed {
    /// It has everything.
    Whole,
    /// It left.
    Left,
    /// The log could not be read on.
    Broken(AskError),
}

impl Reading {
    /// Reads what comes after the event numbered `after`.
    pub fn new(shelf: Shelf, id: AskId, after: u64) -> Self {
        let born = Timestamp(id.born_at());
        let follower = Follower::new(log::DIALECT, born, after);
        Reading { id, shelf, follower, trouble: Trouble::default() }
    }

    /// The ask whose log it is.
    pub const fn id(&self) -> AskId {
        self.id
    }

    /// Whether all that there will ever be of the log has been read.
    pub const fn has_all(&self) -> bool {
        self.follower.has_all()
    }

    /// Whether the log's beginning is there. Waits for nothing.
    pub async fn has_begun(&mut self) -> Result<bool, AskError> {
        while !self.follower.has_begun() {
            let look = self.follower.poll();
            if matches!(look, Look::Wait(_) | Look::Probe { .. }) {
                return Ok(false);
            }
            if let Some(Brought::End(over)) = self.perform(look).await {
                return Err(self.unbegun(over));
            }
        }
        Ok(true)
    }

    /// Waits until the log's beginning is there.
    pub async fn begin(&mut self) -> Result<(), AskError> {
        while !self.follower.has_begun() {
            if let Some(Brought::End(over)) = self.look().await {
                return Err(self.unbegun(over));
            }
        }
        Ok(())
    }

    /// What whoever has waited in vain for its beginning is told: where others hold the database, when to come again.
    fn unbegun(&self, over: Over) -> AskError {
        match over {
            Over::Unavailable => match self.trouble {
                Trouble { is_locked: true, .. } => AskError::Busy(slot::held()),
                Trouble { defect: Some(defect), .. } => AskError::Unavailable(defect.to_string()),
                Trouble { .. } => error(over),
            },
            over => error(over),
        }
    }

    /// Passes on what is in the log and what comes, until its end or the reader's leaving.
    pub async fn feed(mut self, mut writer: StreamWriter<Event>) -> Fed {
        loop {
            let look = self.follower.poll();
            let waits = matches!(look, Look::Wait(_));
            match self.perform(look).await {
                None if waits && has_left(&mut writer).await => return Fed::Left,
                None => {}
                Some(Brought::Entries(entries)) => {
                    let events = entries.into_iter().map(log::event).collect();
                    if !writer.write_all(events).await.is_empty() {
                        return Fed::Left;
                    }
                }
                Some(Brought::End(Over::Complete)) => return Fed::Whole,
                Some(Brought::End(over)) => return Fed::Broken(error(over)),
            }
        }
    }

    /// How far the ask is. Waits for nothing.
    pub async fn stage(mut self) -> Stage {
        let mut seen = Seen::default();
        loop {
            match self.follower.poll() {
                look @ Look::Read(_) => drop(self.perform(look).await),
                Look::Deliver(entries) => seen.pass(&entries),
                // That it cannot be read for now does not say that it is over.
                Look::End(Over::Unavailable) => return Stage::UnderWay,
                Look::End(_) => return Stage::Ended(seen.ended()),
                Look::Wait(_) | Look::Probe { .. } | Look::Bury { .. } | Look::Write(..) => {
                    return if self.follower.doubts() { Stage::Silent } else { Stage::UnderWay };
                }
            }
        }
    }

    /// What became of the ask. One that seems dead is looked at until that is certain, and has an end then: should it live
    /// after all, it learns by that end that others go on with it.
    pub async fn fate(mut self) -> Fate {
        let mut seen = Seen::default();
        loop {
            match self.follower.poll() {
                Look::Deliver(entries) => seen.pass(&entries),
                Look::Wait(_) if !self.follower.doubts() => return Fate::Lives,
                Look::Probe { .. } => {
                    if !self.probe(slot::patience()).await {
                        return Fate::Unsaid(self.trouble.defect);
                    }
                }
                Look::End(Over::Unavailable) => return Fate::Lives,
                Look::End(_) => return Fate::Ended(seen.ended()),
                look @ (Look::Read(_) | Look::Wait(_) | Look::Bury { .. } | Look::Write(..)) => {
                    drop(self.perform(look).await);
                }
            }
        }
    }

    /// How far its log has come. Waits for nothing.
    pub async fn so_far(mut self) -> SoFar {
        let mut so_far = SoFar { last: 0, has_ended: false, is_stopped: false };
        let mut course = Course::default();
        loop {
            let look = self.follower.poll();
            if matches!(look, Look::Wait(_) | Look::Probe { .. }) {
                self.watch();
                return so_far;
            }
            match self.perform(look).await {
                None => {}
                Some(Brought::Entries(entries)) => {
                    log::pass(&mut course, &entries);
                    so_far.is_stopped = course.ending() == Some(Ending::Stopped);
                    so_far.last = entries.last().map_or(so_far.last, |entry| entry.number);
                }
                Some(Brought::End(_)) => return SoFar { has_ended: true, ..so_far },
            }
        }
    }

    /// A log whose writer seems dead is read on behind whoever looked: who only looks now and then is never certain, and
    /// would be told for minutes that it is under way.
    fn watch(mut self) {
        if !self.follower.doubts() {
            return;
        }
        let Some(watch) = Watch::begin() else { return };
        wit_bindgen::spawn(async move {
            while self.follower.doubts() {
                if let Some(Brought::End(_)) = self.look().await {
                    break;
                }
            }
            drop(watch);
        });
    }

    async fn look(&mut self) -> Option<Brought> {
        let look = self.follower.poll();
        self.perform(look).await
    }

    /// Whether its store takes a write in time.
    async fn probe(&mut self, patience: impl Future<Output = ()>) -> bool {
        let written = match select(pin!(self.shelf.probe()), pin!(patience)).await {
            Either::Left((written, _)) => written.map_err(|error| Trouble::of(&error)),
            Either::Right(((), _)) => Err(Trouble::default()),
        };
        self.follower.probed(written.is_ok(), now());
        match written {
            Ok(()) => true,
            Err(trouble) => {
                self.trouble = trouble;
                false
            }
        }
    }

    async fn perform(&mut self, look: Look) -> Option<Brought> {
        match look {
            // One that is driven here lives, whatever its store and the clocks say.
            Look::Read(Place::Alive) if under_way::is_driven(self.id) => self.follower.lives(now()),
            Look::Read(place) => {
                let value = self.shelf.get(place).await;
                if let Err(error) = &value {
                    self.trouble = Trouble::of(error);
                }
                self.follower.read(value.map_err(drop), now());
            }
            Look::Wait(ms) => clock::sleep(Duration::from_millis(ms)).await,
            Look::Probe { .. } => _ = self.probe(clock::sleep(slot::GIVE_UP)).await,
            Look::Bury { died, .. } => {
                let (kind, body) = log::interrupted(died);
                self.follower.bury(kind, body);
            }
            Look::Write(place, value) => {
                // Whatever stands there by now is what everybody reads.
                let written = self.shelf.add(place, &value).await;
                self.follower.wrote(written.is_ok(), now());
            }
            Look::Deliver(entries) => return Some(Brought::Entries(entries)),
            Look::End(over) => return Some(Brought::End(over)),
        }
        None
    }
}

/// Whether the store of a log takes writes now: only a write tells.
pub async fn takes_writes(shelf: &Shelf) -> bool {
    matches!(clock::within(slot::PATIENCE, shelf.probe()).await, Some(Ok(())))
}

/// Whether nobody reads a stream any more: where there is nothing to write, nothing is written.
pub async fn has_left(writer: &mut StreamWriter<Event>) -> bool {
    let (result, _) = writer.write(Vec::new()).await;
    matches!(result, StreamResult::Dropped)
}

/// What a reader is told that cannot have an ask, or no more of it.
pub fn error(over: Over) -> AskError {
    match over {
        Over::Unknown | Over::Complete => {
            AskError::NotFound("no such ask, or its log is no longer kept".to_owned())
        }
        Over::Unavailable => {
            AskError::Unavailable("the store could not be reached; try again".to_owned())
        }
        Over::Damaged(damage) => AskError::Other(format!("the log cannot be read: {damage}")),
    }
}
