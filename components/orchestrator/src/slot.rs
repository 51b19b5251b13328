//! Takes a place among the asks under way.
//!
//! Border: how a place is taken is the shelf's; for how long, `quarry-journal`'s.

use crate::bindings::exports::quarry::agent::ask::{AskError, Busy};
use crate::shelf::{Shelf, ShelfError};
use futures::future::{Either, select};
use quarry_journal::{Place, RETRY_AFTER_MS};
use quarry_rim::clock::{self, now, recently};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A store that takes longer than this, or fails, does not hold an ask up: it begins without a place.
const PATIENCE: Duration = Duration::from_millis(500);

/// What hangs for longer is broken off all the same.
const GIVE_UP: Duration = Duration::from_secs(10);

/// How long an instance that found all places taken says so without looking, in milliseconds:
/// many who are refused must not keep the store busy.
const REMEMBERED_MS: u64 = 250;

/// Until when this instance remembers that all places are taken. No data of anybody's.
static FULL_UNTIL: AtomicU64 = AtomicU64::new(0);

/// A place for this ask among `places`, 0 for no bound; none when there is no bound, or no store
/// to hold it in.
pub async fn take(shelf: Option<&Shelf>, places: u32) -> Result<Option<u32>, AskError> {
    let Some(shelf) = shelf.filter(|_| places > 0) else { return Ok(None) };
    if recently().0 < FULL_UNTIL.load(Ordering::Relaxed) {
        return Err(busy(places));
    }
    let shelf = shelf.clone();
    let take = shelf.clone().watched();
    let taking = Box::pin(async move { take.take_place(places).await });
    match select(taking, pin!(clock::sleep(PATIENCE))).await {
        Either::Left((Ok(Some(place)), _)) => Ok(Some(place)),
        Either::Left((Ok(None), _)) => {
            FULL_UNTIL.store(now().0.saturating_add(REMEMBERED_MS), Ordering::Relaxed);
            Err(busy(places))
        }
        Either::Left((Err(_), _)) => Ok(None),
        Either::Right(((), taking)) => {
            wit_bindgen::spawn(give_back(shelf, taking));
            Ok(None)
        }
    }
}

/// What was begun is not broken off half-way; the place that comes of it is nobody's.
async fn give_back(
    shelf: Shelf,
    taking: impl Future<Output = Result<Option<u32>, ShelfError>> + Unpin,
) {
    if let Some(Ok(Some(place))) = clock::within(GIVE_UP, taking).await {
        _ = shelf.remove(Place::Slot(place)).await;
    }
}

fn busy(places: u32) -> AskError {
    let message = format!("this server works on {places} asks at most, and does; try again soon");
    AskError::Busy(Busy { message, retry_after_ms: RETRY_AFTER_MS })
}
