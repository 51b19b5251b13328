//! Takes a place among the asks under way.
//!
//! Border: how a place is taken is the shelf's; for how long, `quarry-journal`'s.

use crate::bindings::exports::quarry::agent::ask::{AskError, Busy};
use crate::shelf::Shelf;
use futures::channel::oneshot;
use quarry_journal::{Place, RETRY_AFTER_MS};
use quarry_rim::clock::{self, now};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A store that takes longer than this, or fails, does not hold an ask up: it begins without a place.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long an instance that found all places taken says so without looking, in milliseconds:
/// many who are refused must not keep the store busy.
const REMEMBERED_MS: u64 = 250;

/// Until when this instance remembers that all places are taken. No data of anybody's.
static FULL_UNTIL: AtomicU64 = AtomicU64::new(0);

/// A place for this ask among `places`, 0 for no bound; none when there is no bound, or no store
/// to hold it in.
pub async fn take(shelf: Option<&Shelf>, places: u32) -> Result<Option<u32>, AskError> {
    let Some(shelf) = shelf.filter(|_| places > 0) else { return Ok(None) };
    if now().0 < FULL_UNTIL.load(Ordering::Relaxed) {
        return Err(busy(places));
    }
    let (told, taken) = oneshot::channel();
    let shelf = shelf.clone();
    // By itself, so that giving up waiting breaks off no call to the store half-way.
    wit_bindgen::spawn(async move {
        let found = shelf.take_place(places).await;
        if let Err(Ok(Some(place))) = told.send(found) {
            // Nobody waits for it any more.
            _ = shelf.remove(Place::Slot(place)).await;
        }
    });
    match clock::within(PATIENCE, taken).await {
        Some(Ok(Ok(Some(place)))) => Ok(Some(place)),
        Some(Ok(Ok(None))) => {
            FULL_UNTIL.store(now().0.saturating_add(REMEMBERED_MS), Ordering::Relaxed);
            Err(busy(places))
        }
        Some(Ok(Err(_)) | Err(_)) | None => Ok(None),
    }
}

fn busy(places: u32) -> AskError {
    let message = format!("this server works on {places} asks at most, and does; try again soon");
    AskError::Busy(Busy { message, retry_after_ms: RETRY_AFTER_MS })
}
