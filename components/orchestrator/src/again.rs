//! A request that is sent again joins the ask that it began, or goes on with it, and pays once.
//!
//! Border: reads and writes notes; where they stand, and for how long, is decided in `quarry-journal`.

use crate::bindings::exports::quarry::agent::ask::{AskError, Join};
use crate::follow::Reading;
use crate::rejoin;
use crate::shelf::Shelf;
use crate::snapshot;
use quarry_journal::{JOINED_FOR_MS, Place, notes};
use quarry_machines::ask::Ask;
use quarry_machines::core::Machine;
use quarry_rim::clock::now;
use quarry_types::{AskId, Timestamp};

/// What a request began when it came before.
pub enum Before {
    /// An ask that can be joined.
    Joins(AskId),
    /// An ask that ended so that it can be gone on with.
    GoesOn(AskId),
}

/// What this request began before, if it did. A store that fails has no notes.
pub async fn before(join: &Join, now: Timestamp) -> Option<Before> {
    if !join.looks {
        return None;
    }
    for log in notes(&join.key, now) {
        let noted = Shelf::open(log).await.ok()?.get(Place::Begun).await.ok()?;
        let id = noted.and_then(|noted| AskId::parse(std::str::from_utf8(&noted).ok()?));
        if let Some(id) = id {
            let kept: Option<Ask> = snapshot::kept(&id.to_string()).await.ok();
            let can_go_on = kept.is_some_and(|ask| ask.has_ended());
            return Some(if can_go_on { Before::GoesOn(id) } else { Before::Joins(id) });
        }
    }
    None
}

/// The ask that was begun with this key, where there is still something of it to be read.
pub async fn find(key: &str) -> Result<Option<String>, AskError> {
    let now = now();
    for log in notes(key, now) {
        let shelf = Shelf::open(log).await.map_err(rejoin::unavailable)?;
        let noted = shelf.get(Place::Begun).await.map_err(rejoin::unavailable)?;
        let id = noted.and_then(|noted| AskId::parse(std::str::from_utf8(&noted).ok()?));
        let Some(id) = id else { continue };
        let shelf = Shelf::open(id).await.map_err(rejoin::unavailable)?;
        let ended = Reading::new(shelf, id, 0).ended().await;
        let is_fresh = ended.is_none_or(|ended| now.since(ended) < JOINED_FOR_MS);
        return Ok(is_fresh.then(|| id.to_string()));
    }
    Ok(None)
}

/// Notes what this request began.
pub async fn note(join: &Join, id: &str, now: Timestamp) {
    let [log, _] = notes(&join.key, now);
    if let Ok(shelf) = Shelf::open(log).await {
        // Without a note the ask is one that cannot be joined by sending it again.
        drop(shelf.set(Place::Begun, id.as_bytes()).await);
    }
}
