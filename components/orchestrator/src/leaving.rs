//! Readers of an ask leave it: that is noted as soon as the store takes it, and an ask that nobody reads is stopped.
//!
//! Border: reads and writes marks; what follows from them, and how often one is tried, is decided in `quarry-journal`.

use crate::again;
use crate::shelf::{Shelf, ShelfError};
use crate::{slot, under_way};
use futures::future::{Either, select};
use futures::join;
use quarry_journal::{Left, LeftBehind, Parting, Place, Tries};
use quarry_rim::clock::{self, now};
use quarry_types::AskId;
use std::pin::pin;
use std::time::Duration;

/// The reader that began an ask left: it is stopped, unless somebody else reads it in time. One that is driven here hears of
/// it while the store takes no writes, too, as of any wish for its end.
pub async fn began_it(id: &str, grace_seconds: u32) {
    let Some(id) = AskId::parse(id) else { return };
    let (left, since) = (Left { since: now(), grace_seconds }, clock::monotonic());
    let Some(shelf) = until_done(id, async || Shelf::open(id).await).await else { return };
    let noting = pin!(until_done(id, async || note(&shelf, left).await));
    // What is noted at once needs no word beside that.
    let patience = left.grace().max(slot::PATIENCE);
    let is_noted = match select(noting, pin!(clock::sleep(patience))).await {
        Either::Left((is_noted, _)) => is_noted,
        // Both go on together: a call to the store is not left alone half-way.
        Either::Right(((), noting)) => join!(noting, end_here(id, &shelf)).0,
    };
    if is_noted == Some(true) {
        stop_unless_read(id, &shelf, left, since).await;
    }
}

/// Whoever drives it here hears that nobody reads it, as far as the store can be read.
async fn end_here(id: AskId, shelf: &Shelf) {
    if under_way::is_driven(id) && matches!(is_read(id, shelf).await, Ok(false)) {
        under_way::wants_end(id);
    }
}

/// A reader that joined an ask has its mark no more. Where it `has_left` before the end, the ask is stopped if it was the last.
pub async fn reader(id: AskId, shelf: &Shelf, mark: Place, has_left: bool) {
    let (at, since) = (now(), clock::monotonic());
    let mut left = None;
    if has_left {
        // Without the mark of the one that began it, that one reads.
        let noted = until_done(id, async || {
            let Some(earlier) = kept(shelf).await? else { return Ok(None) };
            let left = earlier.again(at);
            shelf.set(Place::Left, &left.write()).await?;
            Ok(Some(left))
        });
        left = noted.await.flatten();
    }
    until_done(id, async || shelf.remove(mark).await).await;
    if let Some(left) = left {
        stop_unless_read(id, shelf, left, since).await;
    }
}

/// Tries until it works. None: it was given up, or there is no store.
pub async fn until_done<T>(id: AskId, step: impl AsyncFn() -> Result<T, ShelfError>) -> Option<T> {
    let mut tries = Tries::default();
    loop {
        // What hangs is let go of by the store.
        match step().await {
            Ok(done) => return Some(done),
            Err(error) if error.is_for_good() => return None,
            Err(_) => {}
        }
        clock::sleep(tries.next(under_way::is_driven(id))?).await;
    }
}

/// Notes that whoever began it left; false: somebody ended it on purpose, and that has no use for another reader.
async fn note(shelf: &Shelf, left: Left) -> Result<bool, ShelfError> {
    if shelf.has(Place::Stop).await? {
        return Ok(false);
    }
    shelf.set(Place::Left, &left.write()).await?;
    Ok(true)
}

/// Waits for another reader, and stops an ask that has none. The time counts from `since` on, by the clock that only goes
/// forward; of who leaves later, from when that was seen.
async fn stop_unless_read(id: AskId, shelf: &Shelf, mut left: Left, since: Duration) {
    let waited = clock::monotonic().saturating_sub(since);
    let mut wait = left.grace().saturating_sub(waited);
    loop {
        clock::sleep(wait).await;
        let Some(seen) = until_done(id, async || look(id, shelf).await).await else { return };
        match left.over(seen) {
            Parting::Waits(later) => {
                left = later;
                wait = later.grace();
            }
            Parting::Stops => break,
            Parting::Nothing => return,
        }
    }
    under_way::wants_end(id);
    until_done(id, async || shelf.set(Place::Stop, b"stop").await).await;
}

async fn look(id: AskId, shelf: &Shelf) -> Result<LeftBehind, ShelfError> {
    let left = kept(shelf).await?;
    let is_read = left.is_some() && is_read(id, shelf).await?;
    // Most are under way, and their logs are read for that.
    let has_ended = left.is_some() && !is_read && again::has_ended(id).await?;
    Ok(LeftBehind { left, is_read, has_ended })
}

async fn kept(shelf: &Shelf) -> Result<Option<Left>, ShelfError> {
    Ok(shelf.get(Place::Left).await?.and_then(|kept| Left::read(&kept)))
}

/// Whether anybody reads it who did not begin it, as far as marks say it, or this instance knows.
async fn is_read(id: AskId, shelf: &Shelf) -> Result<bool, ShelfError> {
    Ok(under_way::is_read(id) || shelf.is_read().await?)
}
