//! Keys and values of asks in key-value.
//!
//! Every key of an ask begins with `ask/<id>/`, and an id begins with its time of birth, so that a
//! sweep tells what is old without reading it. Places among the asks under way, `ask-slot/<n>`, are
//! nobody's for long: no sweep looks at them.
//!
//! Border: what is kept, and for how long, is decided in `quarry-journal`.

use quarry_journal::{Place, is_swept, sweep_due};
use quarry_rim::store::{Store, StoreError};
use quarry_types::{AskId, Timestamp};
use std::rc::Rc;

/// When a sweep last ran, as milliseconds.
const SWEPT: &str = "ask-swept";

/// The store, as one ask sees it. Clones share the connection.
#[derive(Clone)]
pub struct Shelf {
    id: AskId,
    store: Rc<Store>,
}

impl Shelf {
    pub async fn open(id: AskId) -> Result<Self, StoreError> {
        Ok(Shelf { id, store: Rc::new(Store::open().await?) })
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

    pub async fn get(&self, place: Place) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.get(&self.key(place)).await
    }

    pub async fn has(&self, place: Place) -> Result<bool, StoreError> {
        self.store.exists(&self.key(place)).await
    }

    pub async fn set(&self, place: Place, value: &[u8]) -> Result<(), StoreError> {
        self.store.set(&self.key(place), value).await
    }

    pub async fn remove(&self, place: Place) -> Result<(), StoreError> {
        self.store.delete(&self.key(place)).await
    }

    /// Whether somebody wants the ask to stop.
    pub async fn is_stop_wanted(&self) -> Result<bool, StoreError> {
        self.store.exists(&self.stop_key()).await
    }

    /// Tells the ask that it is to stop.
    pub async fn want_stop(&self) -> Result<(), StoreError> {
        self.store.set(&self.stop_key(), b"stop").await
    }

    /// Deletes the keys of asks that are older than the retention, if it is time to.
    pub async fn sweep(&self, now: Timestamp, retention_ms: u64) -> Result<(), StoreError> {
        let store = &self.store;
        let swept = store.get(SWEPT).await?.unwrap_or_default();
        let swept = std::str::from_utf8(&swept).ok().and_then(|text| text.parse().ok());
        if !sweep_due(swept.map(Timestamp), now) {
            return Ok(());
        }
        store.set(SWEPT, now.0.to_string()).await?;
        for key in store.keys().await? {
            let id = key.strip_prefix("ask/").and_then(|rest| rest.split('/').next());
            let born = id.and_then(AskId::parse).map(|id| Timestamp(id.born_at()));
            if born.is_some_and(|born| is_swept(born, retention_ms, now)) {
                store.delete(&key).await?;
            }
        }
        Ok(())
    }
}
