//! How a driver lets go of its run: it hands it over, gives it back, or looks for whoever goes on.
//!
//! Border: when to leave, and why, is a slice's. A hand-over gives the run a new holder's name: whoever passes it on and
//! whoever was asked never drive under the same one, whatever became of the answer.

use super::drive::Driver;
use super::resume::keep_key;
use super::store::RunStore;
use super::upkeep;
use crate::bindings::quarry::agent::handover;
use quarry_journal::run::Record;
use quarry_journal::{Leave, SliceLimits, looks_after_loss};
use quarry_machines::run::Run;
use quarry_rim::clock::{self, now};
use quarry_rim::diagnostics::note;
use std::time::Duration;

/// What a driver hands on: its lease, by its name, and the caller's own key.
struct Baton<'b> {
    holder: &'b str,
    api_key: Option<&'b str>,
}

impl<'b> Baton<'b> {
    fn write(&self) -> String {
        format!("{} {}", self.holder, self.api_key.unwrap_or_default())
    }

    fn read(text: &'b str) -> Option<Self> {
        let (holder, key) = text.split_once(' ')?;
        Some(Baton { holder, api_key: Some(key).filter(|key| !key.is_empty()) })
    }
}

impl Driver {
    /// The driver that goes on with what the run's holder has handed over; none when that is no such thing: a
    /// run is not driven with just anybody's key.
    pub fn after(
        record: &Record,
        store: RunStore,
        baton: &str,
        limits: SliceLimits,
    ) -> Option<Self> {
        let Baton { holder, api_key } = Baton::read(baton)?;
        let id = record.run;
        record.holder.as_deref().filter(|known| *known == holder)?;
        let own = Driver::new(id, store, api_key.map(str::to_owned), limits);
        Some(Driver { before: Some(holder.to_owned()), ..own })
    }

    /// The same for another turn: who has a lease under one name writes nothing under it once another turn began.
    fn turn(&self, before: Option<String>) -> Driver {
        let own = Driver::new(self.id, self.store.clone(), self.api_key.clone(), self.limits);
        Driver { before, ..own }
    }

    /// Lets go of the run, whose last entry that this driver knows of is this.
    pub(super) async fn leave(&self, left: Leave, run: &Run, last: u64) {
        let due = match left {
            Leave::Over => None,
            Leave::Waits { until } => until,
            Leave::HandOver => {
                // Whoever is next has the lease and the key without a gap in which another could come.
                let baton = Baton { holder: &self.holder, api_key: self.api_key.as_deref() };
                match handover::pass(run.brief().id.to_string(), baton.write()).await {
                    Ok(()) => return,
                    Err(error) => note(format_args!("a run could not be handed over: {error}")),
                }
                // Then it goes on here: a key would be lost else. Whoever was asked may have the run all the same, or
                // come late: of both, who is first has a name that the other's baton does not tell.
                // Where whoever was asked let go of it, it is anybody's.
                for before in [Some(self.holder.clone()), None] {
                    if let Ok(true) = Box::pin(self.turn(before).take_up()).await {
                        return;
                    }
                }
                Some(now())
            }
            // What the lease is worth then is up to whoever has the run.
            Leave::Lost | Leave::StoreFails => Some(now()),
        };
        if let Err(error) = self.store.release(self.id, &self.holder, due).await {
            note(format_args!("a run could not be let go of: {error}"));
        }
        match left {
            Leave::Over | Leave::Waits { .. } => {
                self.call_next().await;
                upkeep::now_and_then();
            }
            // Nobody may have taken the run that was to be handed over, nor may this driver have let go of it: the store is
            // asked again when it may answer.
            Leave::Lost | Leave::HandOver => self.find_successor(run, Some(last)).await,
            // Its last step may be there all the same.
            Leave::StoreFails => self.find_successor(run, None).await,
        }
    }

    /// A run that was not handed on is nobody's until somebody looks at it, and perhaps nobody does. Whoever it was
    /// lost to may have died, so it is looked at when that would have shown, and driven by a request of its own; here
    /// where a key would be lost else, also of a run that waits, that the store does not tell of, or that somebody has, who
    /// may have no key. `since` is as of [`keep_key`].
    async fn find_successor(&self, run: &Run, since: Option<u64>) {
        let own_key = self.api_key.as_ref().filter(|_| run.needs_key_after(None));
        for wait_ms in looks_after_loss(self.limits.lease_ms) {
            clock::sleep(Duration::from_millis(wait_ms)).await;
            match (self.store.record(self.id).await, own_key) {
                (Ok(Some(_)) | Err(_), Some(key)) => {
                    return keep_key(self.id, self.store.clone(), key.clone(), since);
                }
                (Ok(Some(record)), None) if record.held_until(now()).is_some() => return,
                (Ok(Some(record)), None) if record.is_left(now()) => {
                    if handover::pass(self.id.to_string(), String::new()).await.is_ok() {
                        return;
                    }
                }
                (Ok(_), _) => return,
                // The store fails for longer.
                (Err(_), None) => {}
            }
        }
    }

    /// There is room for another run now: whichever is due longest is driven, by a request of its own.
    async fn call_next(&self) {
        let next = match self.store.due(now(), 1).await {
            Ok(due) => due.into_iter().next(),
            Err(_) => None,
        };
        if let Some(next) = next {
            // It fails where somebody was faster; else the run stays for whoever ends next.
            _ = handover::pass(next.to_string(), String::new()).await;
        }
    }
}
