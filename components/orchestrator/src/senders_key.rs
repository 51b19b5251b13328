//! A key that a sender gave its request: it means one request, and another with the same is told so.
//!
//! Border: what was begun with it is found in `again`, by who sent it and what; here stands which request that was.

use crate::again;
use crate::bindings::exports::quarry::agent::ask::AskError;
use crate::shelf::{Shelf, ShelfError};
use crate::slot;
use quarry_admission::shared::hash;
use quarry_journal::{Place, notes};
use quarry_rim::clock;
use quarry_types::{AskId, Timestamp};
use std::cell::Cell;

/// A sender's own key: the same whatever is asked with it.
pub struct SendersKey {
    key: String,
    /// The log in which it was taken for this request just now: where nothing begins it is let go of.
    taken: Cell<Option<AskId>>,
}

impl SendersKey {
    pub const fn new(key: String) -> Self {
        SendersKey { key, taken: Cell::new(None) }
    }

    /// It means the request with this key from now on, for as long as an ask is kept, as it may have before. Of two requests
    /// that come at the same time one has it, where SQLite is to be had.
    ///
    /// # Errors
    /// It came before with another request, or nobody can say.
    pub async fn take(
        &self,
        request: &str,
        now: Timestamp,
        retention_ms: u64,
    ) -> Result<(), AskError> {
        let logs = notes(&self.key, now, retention_ms);
        let own = value(request);
        let taking = async move { take(logs, &own).await };
        let request_key = request.to_owned();
        let late = async move |is_taken: bool| {
            if is_taken {
                let [log, _] = logs;
                let_go(log, &request_key, now).await;
            }
        };
        let is_taken =
            slot::patiently(taking, late).await.map_err(|defect| slot::unnoted(defect, true))?;
        if is_taken {
            let [log, _] = logs;
            self.taken.set(Some(log));
            return Ok(());
        }
        match clock::within(slot::PATIENCE, read(logs)).await {
            Some(Ok(Some(taken))) if taken == value(request).into_bytes() => Ok(()),
            Some(Ok(Some(_))) => Err(AskError::ReusedKey),
            // Who had it lets go of it in this moment.
            Some(Ok(None)) | None => Err(slot::unnoted(None, true)),
            Some(Err(error)) => Err(slot::unnoted(error.defect(), true)),
        }
    }

    /// Nothing began with it: whoever mends what was refused may send it again. Not where the same request, sent by
    /// somebody else, began something meanwhile. A store that is slow changes nothing.
    pub async fn let_go(&self, request: &str, now: Timestamp) {
        if let Some(log) = self.taken.take() {
            clock::within(slot::PATIENCE, let_go(log, request, now)).await;
        }
    }
}

/// What stands for the request with this key: that key finds what was begun, and is not to be read in a store.
fn value(request: &str) -> String {
    hash(request.as_bytes())
}

async fn take([log, other]: [AskId; 2], own: &str) -> Result<bool, ShelfError> {
    Shelf::open(log).await?.claim_first(Place::Asked, own.as_bytes(), other).await
}

async fn read(logs: [AskId; 2]) -> Result<Option<Vec<u8>>, ShelfError> {
    for log in logs {
        if let Some(taken) = Shelf::open(log).await?.get(Place::Asked).await? {
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

async fn let_go(log: AskId, request: &str, now: Timestamp) {
    if !matches!(again::noted(request, now).await, Ok(None)) {
        return;
    }
    let Ok(shelf) = Shelf::open(log).await else { return };
    if shelf.get(Place::Asked).await.ok().flatten() == Some(value(request).into_bytes()) {
        drop(shelf.remove(Place::Asked).await);
    }
}
