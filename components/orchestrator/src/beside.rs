//! What is written of an ask with its place: in the same statement, where SQLite is to be had.
//!
//! Border: what is kept is its door's affair; where a note stands, and for how long, is decided in `quarry-journal`.

use crate::again::{self, Over};
use crate::bindings::exports::quarry::agent::ask::{AskError, Keepsake, Unkept};
use crate::senders_key::Meaning;
use crate::shelf::Shelf;
use crate::{shown, slot};
use quarry_journal::{Place, notes};
use quarry_rim::database::Value;
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp};
use std::cell::Cell;
use std::rc::Rc;

/// What is written of an ask besides the note of its request.
pub struct Beside {
    id: AskId,
    now: Timestamp,
    retention_ms: u64,
    /// What its door keeps.
    keeps: Option<Keepsake>,
    /// The log of the note by which its items are found.
    items: Option<AskId>,
    /// What it is called from now on, and the log of the note that says so.
    name: Option<(String, AskId)>,
    /// What a key of its sender's means from now on.
    means: Option<Meaning>,
    /// Whether that was written.
    is_meant: Cell<bool>,
    /// Whether all of it was written with its place.
    is_written: Cell<bool>,
    /// Whether it is not begun after all: what comes late of it is taken back then.
    pub is_off: Rc<Cell<bool>>,
}

impl Beside {
    /// Of an ask that begins now.
    pub fn new(
        (id, now, retention_ms): (AskId, Timestamp, u64),
        keeps: Option<Keepsake>,
        name: Option<String>,
        means: Option<Meaning>,
    ) -> Beside {
        let found_by = keeps.as_ref().and_then(|keeps| keeps.found_by.as_deref());
        let items = found_by.map(|by| shown::items_log(by, id, now, retention_ms));
        let name = name.map(|name| {
            let [log, _] = notes(&name, now, retention_ms);
            (name, log)
        });
        let (is_meant, is_written, is_off) = (Cell::new(false), Cell::new(false), Rc::default());
        Beside { id, now, retention_ms, keeps, items, name, means, is_meant, is_written, is_off }
    }

    /// Whether there is nothing to write.
    pub const fn is_empty(&self) -> bool {
        self.keeps.is_none() && self.name.is_none() && self.means.is_none()
    }

    /// What a key of its sender's means from now on.
    pub const fn means(&self) -> Option<&Meaning> {
        self.means.as_ref()
    }

    /// Whether it is begun without a log where what its door keeps cannot be kept.
    pub fn may_leave_no_log(&self) -> bool {
        self.keeps.as_ref().is_some_and(|keeps| keeps.unkept == Unkept::Unlogged)
    }

    /// As a statement takes it: what is kept, the log of the items' note, that of the name's, and a key with its request and
    /// whose it is.
    pub fn values(&self) -> [Value; 6] {
        let kept = self.keeps.as_ref().map(|keeps| keeps.text.as_bytes());
        let name = self.name.as_ref().map(|(_, log)| log.to_string());
        let [key, request, caller] = Meaning::values(self.means());
        let items = self.items.map(|log| log.to_string());
        [kept.into(), items.into(), name.into(), key, request, caller]
    }

    /// All of it was written with its place.
    pub fn mark_written(&self) {
        self.is_written.set(true);
    }

    /// What the key means was written, whatever became of the rest.
    pub fn mark_meant(&self) {
        self.is_meant.set(true);
    }

    /// Writes what was not written with its place. An ask of which it cannot be kept what has to be is not begun.
    pub async fn write_rest(&self, shelf: Result<&Shelf, Option<Defect>>) -> Result<(), AskError> {
        if self.is_written.get() {
            return Ok(());
        }
        if let (Some(means), Ok(shelf), false) = (&self.means, shelf, self.is_meant.get()) {
            self.write_meaning(shelf, means).await?;
        }
        if let Some(keeps) = &self.keeps {
            shown::keep(shelf, keeps, self.id, self.retention_ms).await?;
        }
        if let Some((name, _)) = &self.name {
            again::note(name, self.id, Over::Earlier { seen: None }, self.now).await;
        }
        Ok(())
    }

    /// A key is honoured or nothing begins with it: the next try would be paid for again.
    async fn write_meaning(&self, shelf: &Shelf, means: &Meaning) -> Result<(), AskError> {
        let (shelf, late, means) = (shelf.clone(), shelf.clone(), means.clone());
        let meaning = async move {
            match shelf.note_first(None, Some(&means)).await {
                // No key is honoured where there is no store.
                Err(error) if error.is_for_good() => Ok(true),
                is_meant => is_meant,
            }
        };
        // By then nothing is begun that is found by a key.
        let take_back = async move |_: bool| drop(late.remove(Place::Keyed).await);
        match slot::patiently(meaning, take_back).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(AskError::ReusedKey),
            Err(defect) => Err(slot::unnoted(defect, true)),
        }
    }

    /// It came late.
    pub async fn settle(&self) {
        if self.is_off.get() {
            self.take_back().await;
        }
    }

    /// It is not begun: its name would lead nowhere, its key means nothing by it, and nobody is ever shown what was kept.
    pub async fn take_back(&self) {
        if let Some((_, log)) = &self.name {
            again::forget(*log, self.id).await;
        }
        if self.means.is_none() && self.keeps.is_none() {
            return;
        }
        let Ok(shelf) = Shelf::open(self.id).await else { return };
        if self.means.is_some() {
            _ = shelf.remove(Place::Keyed).await;
        }
        if self.keeps.is_some() && matches!(shelf.has(Place::Kept).await, Ok(true)) {
            _ = shelf.remove(Place::Kept).await;
        }
    }
}
