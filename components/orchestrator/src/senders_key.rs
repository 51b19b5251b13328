//! A key that a sender gave its request: it means one request, and another with the same is told so.
//!
//! Border: what was begun with it is found in `again`, by who sent it and what; here stands which request that was. That is
//! written with the place and the note of what begins (`Beside`), and goes with its log. A run has its key among runs
//! (`run::create`), as `quarry-journal` writes it for both, so that one key begins an ask or a run.

use crate::shelf::Shelf;
use crate::{settings, slot};
use quarry_journal::notes;
use quarry_journal::run::Idempotency;
use quarry_rim::clock;
use quarry_rim::database::Value;
use quarry_types::{AskId, Timestamp};

/// A sender's own key, and the request that came with it.
pub struct SendersKey {
    /// The same whatever is asked with it.
    key: String,
    /// What stands for the request: its own key finds what was begun, and is not to be read in a store.
    request: String,
    /// Whose it is, as runs know their callers.
    caller: Option<String>,
}

/// What such a key means from now on, for whoever begins something with it.
#[derive(Debug, Clone)]
pub struct Meaning {
    pub key: String,
    pub request: String,
    /// Among whose runs it may be.
    pub caller: Option<String>,
    /// Where that stands without SQLite.
    pub logs: [AskId; 2],
}

impl SendersKey {
    /// `request` is the key of what came with it.
    pub fn new(key: &str, request: &str, caller: Option<&str>) -> Self {
        let Idempotency { key, asked: request, .. } = Idempotency::of_door(key, request);
        SendersKey { key, request, caller: caller.map(str::to_owned) }
    }

    /// What it means where something is begun for its request now.
    pub fn means(&self, now: Timestamp, retention_ms: u64) -> Meaning {
        let logs = notes(&self.key, now, retention_ms);
        let SendersKey { key, request, caller } = self;
        Meaning { key: key.clone(), request: request.clone(), caller: caller.clone(), logs }
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
    /// As a statement takes it: the key, its request, and whose it is.
    pub fn values(means: Option<&Meaning>) -> [Value; 3] {
        let key = means.map(|means| means.key.as_str());
        let request = means.map(|means| means.request.as_str());
        let caller = means.and_then(|means| means.caller.as_deref());
        [key, request, caller].map(|value| value.map_or(Value::Null, Value::from))
    }

    /// Whether the key came before with another request; none: the store does not say so in time.
    pub async fn is_anothers(&self, shelf: &Shelf) -> Option<bool> {
        let meant = clock::within(slot::PATIENCE, shelf.meant(self)).await?.ok()?;
        Some(meant.is_some_and(|request| request != self.request))
    }
}
