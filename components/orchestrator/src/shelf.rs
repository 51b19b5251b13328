//! Keys and values of asks in key-value.
//!
//! Every key of an ask begins with `ask/<id>/`, and an id begins with its time of birth, so that a
//! sweep tells what is old without reading it.

use quarry_journal::{Place, is_swept, sweep_due};
use quarry_types::{AskId, Timestamp};
use spin_sdk::key_value::{Error, Store};
use std::rc::Rc;

/// The name of the store.
const STORE: &str = "default";

/// When a sweep last ran, as milliseconds.
const SWEPT: &str = "ask-swept";

/// The store, as one ask sees it. Clones share the connection.
#[derive(Clone)]
pub struct Shelf {
    id: AskId,
    store: Rc<Store>,
}

impl Shelf {
    /// Opens it.
    pub async fn open(id: AskId) -> Result<Self, Error> {
        Ok(Shelf { id, store: Rc::new(Store::open(STORE).await?) })
    }

    fn key(&self, place: Place) -> String {
        let id = self.id;
        match place {
            Place::Part(part) => format!("ask/{id}/log/{part:06}"),
            Place::Alive => format!("ask/{id}/alive"),
            Place::Snapshot => format!("ask/{id}/state"),
            Place::Piece { set, number } => format!("ask/{id}/state/{}/{number:03}", u8::from(set)),
            Place::Slot(slot) => format!("ask-slot/{slot}"),
        }
    }

    fn stop_key(&self) -> String {
        format!("ask/{}/stop", self.id)
    }

    /// What is at a place.
    pub async fn get(&self, place: Place) -> Result<Option<Vec<u8>>, Error> {
        self.store.get(self.key(place)).await
    }

    /// Whether there is something at a place.
    pub async fn has(&self, place: Place) -> Result<bool, Error> {
        self.store.exists(self.key(place)).await
    }

    /// Writes a value.
    pub async fn set(&self, place: Place, value: &[u8]) -> Result<(), Error> {
        self.store.set(self.key(place), value).await
    }

    /// Deletes a value.
    pub async fn remove(&self, place: Place) -> Result<(), Error> {
        self.store.delete(self.key(place)).await
    }

    /// Whether somebody wants the ask to stop.
    pub async fn is_stop_wanted(&self) -> Result<bool, Error> {
        self.store.exists(self.stop_key()).await
    }

    /// Tells the ask that it is to stop.
    pub async fn want_stop(&self) -> Result<(), Error> {
        self.store.set(self.stop_key(), b"stop").await
    }

    /// Deletes the keys of asks that are older than the retention, if it is time to.
    pub async fn sweep(&self, now: Timestamp, retention_ms: u64) -> Result<(), Error> {
        let store = &self.store;
        let swept = store.get(SWEPT).await?.unwrap_or_default();
        let swept = std::str::from_utf8(&swept).ok().and_then(|text| text.parse().ok());
        if !sweep_due(swept.map(Timestamp), now) {
            return Ok(());
        }
        store.set(SWEPT, now.0.to_string()).await?;
        for key in store.get_keys().await.collect().await? {
            let id = key.strip_prefix("ask/").and_then(|rest| rest.split('/').next());
            let born = id.and_then(AskId::parse).map(|id| Timestamp(id.born_at()));
            if born.is_some_and(|born| is_swept(born, retention_ms, now)) {
                store.delete(&key).await?;
            }
        }
        Ok(())
    }
}
