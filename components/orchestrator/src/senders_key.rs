//! A key that a sender gave its request: it means one request, and another with the same is told so.
//!
//! Border: what was begun with it is found in `again`, by who sent it and what; here stands which request that was. That is
//! written with the place and the note of what begins (`Beside`), and goes with its log.

use crate::shelf::Shelf;
use crate::{settings, slot};
use quarry_admission::shared::hash;
use quarry_journal::notes;
use quarry_rim::clock;
use quarry_rim::database::Value;
use quarry_types::{AskId, Timestamp};

/// A sender's own key, and the request that came with it.
pub struct SendersKey {
    /// The same whatever is asked with it.
    key: String,
    /// What stands for the request: its own key finds what was begun, and is not to be read in a store.
    request: String,
}

/// What such a key means from now on, for whoever begins something with it.
#[derive(Debug, Clone)]
pub struct Meaning {
    pub key: String,
    pub request: String,
    /// Where that stands without SQLite.
    pub logs: [AskId; 2],
}

impl SendersKey {
    /// `request` is the key of what came with it.
    pub fn new(key: String, request: &str) -> Self {
        SendersKey { key, request: hash(request.as_bytes()) }
    }

    /// What it means where something is begun for its request now.
    pub fn means(&self, now: Timestamp, retention_ms: u64) -> Meaning {
        let SendersKey { key, request } = self;
        let logs = notes(key, now, retention_ms);
        Meaning { key: key.clone(), request: request.clone(), logs }
    }

    /// Its request joined something that another began: it lasts as long as that, too. A store that is slow or fails leaves
    /// it as it was.
    pub async fn joins(&self, id: AskId, now: Timestamp) {
        let joining = async {
            if let (Ok(lasts_ms), Ok(shelf)) =
                (settings::retention_at(now).await, Shelf::open(id).await)
            {
                drop(shelf.note_first(None, Some(&self.means(now, lasts_ms))).await);
            }
        };
        clock::within(slot::PATIENCE, joining).await;
    }
}

impl Meaning {
    /// As a statement takes it: the key, and its request.
    pub fn values(means: Option<&Meaning>) -> [Value; 2] {
        let means = means.map(|Meaning { key, request, .. }| [key.as_str(), request.as_str()]);
        means.map_or([Value::Null, Value::Null], |means| means.map(Value::from))
    }

    /// Whether the key came before with another request; none: the store does not say so in time.
    pub async fn is_anothers(&self, shelf: &Shelf) -> Option<bool> {
        let meant = clock::within(slot::PATIENCE, shelf.meant(self)).await?.ok()?;
        Some(meant.is_some_and(|request| request != self.request))
    }
}
