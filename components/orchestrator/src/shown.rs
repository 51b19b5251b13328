//! What is kept beside the log of an ask, and the log as far as it has come, for whoever shows it later.
//!
//! Border: reads and writes the ask's values alone; what the text says is its door's affair.

use crate::again;
use crate::bindings::exports::quarry::agent::ask::{AskError, Keepsake, Known, Unkept};
use crate::follow::{Reading, SoFar};
use crate::rejoin::{unavailable, unknown};
use crate::settings;
use crate::shelf::{Shelf, ShelfError};
use crate::slot;
use crate::under_way;
use quarry_admission::shared::{FORGOTTEN, shared_key, shared_name};
use quarry_journal::{Place, is_swept, lasting_notes, never_began};
use quarry_rim::clock::{self, now};
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp};
use std::time::Duration;

/// How long whoever asks waits until what is to be shown later is kept. What may be missing is not waited for so long.
const KEPT_WITHIN: Duration = Duration::from_millis(2_500);

const UNKEPT: &str = "what is asked could not be kept; try again, or use /ask";

/// Keeps a text where none is kept, with the note by which its ask is found. One that is a small thing of its ask may be
/// missing.
///
/// # Errors
/// Why it is not kept; nothing of it is in anybody's way.
pub async fn keep(
    shelf: Result<&Shelf, Option<Defect>>,
    Keepsake { text, found_by, unkept }: &Keepsake,
    id: AskId,
    retention_ms: u64,
) -> Result<(), AskError> {
    let kept = match shelf {
        Ok(shelf) => {
            let keeping = write(shelf, text, found_by.as_deref(), id, retention_ms);
            let limit = if *unkept == Unkept::Refused { KEPT_WITHIN } else { slot::PATIENCE };
            match clock::within(limit, keeping).await {
                Some(kept) => kept.map_err(|error| unwritten(&error)),
                None => Err(AskError::Busy(slot::locked())),
            }
        }
        Err(defect) => Err(not_kept(defect)),
    };
    if *unkept == Unkept::Begun { Ok(()) } else { kept }
}

/// Nothing was begun: whatever was not written is in nobody's way.
fn unwritten(error: &ShelfError) -> AskError {
    match error.is_locked() {
        true => AskError::Busy(slot::locked()),
        false => not_kept(error.defect()),
    }
}

fn not_kept(defect: Option<Defect>) -> AskError {
    AskError::Unavailable(match defect {
        Some(defect) => format!(
            "what is asked could not be kept: {defect}, or use /ask, which keeps nothing of what is asked"
        ),
        None => UNKEPT.to_owned(),
    })
}

/// The same of an ask that is there already; gives the text that is kept then. A store that takes no writes may have it
/// already. While it hangs nobody knows what that is: whoever joins is told to try again, and pays nothing by that, for the
/// ask goes on.
pub async fn keep_first(
    id: &str,
    text: &str,
    found_by: Option<String>,
) -> Result<String, AskError> {
    let keeping = clock::within(slot::PATIENCE * 2, try_keep_first(id, text, found_by)).await;
    keeping.unwrap_or_else(|| Err(slot::unsaid()))
}

async fn try_keep_first(
    id: &str,
    text: &str,
    found_by: Option<String>,
) -> Result<String, AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    let retention_ms = settings::retention_ms().await?;
    let found_by = found_by.as_deref();
    let writing = write(&shelf, text, found_by, id, retention_ms);
    let written = clock::within(slot::PATIENCE, writing).await;
    let kept = shelf.get(Place::Kept).await.map_err(unavailable)?;
    match (kept, written) {
        (Some(kept), _) => Ok(String::from_utf8_lossy(&kept).into_owned()),
        (None, Some(Ok(()))) => Err(unknown()),
        (None, Some(Err(error))) if !error.is_locked() => Err(unavailable(error)),
        (None, Some(Err(_)) | None) => Err(slot::unsaid()),
    }
}

/// Whoever joins an ask may have been quicker than the one that begins it: what stands is never another's to replace.
async fn write(
    shelf: &Shelf,
    text: &str,
    found_by: Option<&str>,
    id: AskId,
    retention_ms: u64,
) -> Result<(), ShelfError> {
    let kept = (Place::Kept, text.as_bytes());
    match found_by {
        Some(by) => {
            let log = items_log(by, id, now(), retention_ms);
            shelf.claim_both(kept, (log, Place::Begun, id.to_string().as_bytes())).await
        }
        None => shelf.claim(kept.0, kept.1, None).await.map(drop),
    }
}

/// The log in which it is noted for whoever finds its items by this.
pub fn items_log(found_by: &str, id: AskId, now: Timestamp, retention_ms: u64) -> AskId {
    let key = shared_key(found_by, &shared_name(&id.to_string()));
    let [log, _] = lasting_notes(&key, now, retention_ms);
    log
}

/// What is known of an ask.
pub async fn describe(id: &str) -> Result<Known, AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    let born = Timestamp(id.born_at());
    let lasts_ms = settings::retention_ms().await?;
    if is_swept(born, lasts_ms, now()) {
        return Err(unknown());
    }
    let kept = shelf.get(Place::Kept).await.map_err(unavailable)?;
    let kept = kept.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let has_begun = shelf.has(Place::Part(0)).await.map_err(unavailable)?;
    if !has_begun {
        // What was kept is written first, and the log when the machine goes: by then one that is driven here may be asked for.
        let is_driven = under_way::is_driven(id);
        if kept.is_none() && !is_driven {
            return Err(unknown());
        }
        let has_ended = !is_driven && never_began(born, now());
        let (gone_on, is_stopped) = (None, false);
        return Ok(Known { kept, last: 0, has_ended, gone_on, is_stopped, lasts_ms });
    }
    let SoFar { last, has_ended, mut is_stopped } =
        Reading::new(shelf.clone(), id, 0).so_far().await;
    let mut gone_on = None;
    if has_ended {
        gone_on = again::newest(id).await.map_err(unavailable)?.map(|id| id.to_string());
        // Where the store took no mark of it the end alone says so.
        is_stopped = is_stopped || again::is_ended_on_purpose(&shelf).await.map_err(unavailable)?;
    }
    Ok(Known { kept, last, has_ended, gone_on, is_stopped, lasts_ms })
}

/// Deletes the log of an ask that has ended, and what was kept beside it.
pub async fn forget(id: &str) -> Result<(), AskError> {
    let Known { has_ended, .. } = describe(id).await?;
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    shelf.set(Place::Kept, FORGOTTEN.as_bytes()).await.map_err(unavailable)?;
    if !has_ended {
        return Ok(());
    }
    let all = [Place::Stop, Place::Alive, Place::Snapshot, Place::Continuation, Place::GoneOn];
    for place in all {
        shelf.remove(place).await.map_err(unavailable)?;
    }
    shelf.remove_readers().await.map_err(unavailable)?;
    remove_all(&shelf, Place::ContinuationPiece).await?;
    for set in [false, true] {
        remove_all(&shelf, |number| Place::Piece { set, number }).await?;
    }
    remove_all(&shelf, Place::Part).await?;
    // Whatever key it was begun with is free again.
    shelf.remove(Place::Keyed).await.map_err(unavailable)?;
    shelf.remove(Place::Kept).await.map_err(unavailable)
}

/// Removes the values at numbered places, as far as there are any.
async fn remove_all(shelf: &Shelf, place: impl Fn(u32) -> Place) -> Result<(), AskError> {
    for number in 0.. {
        if !shelf.has(place(number)).await.map_err(unavailable)? {
            break;
        }
        shelf.remove(place(number)).await.map_err(unavailable)?;
    }
    Ok(())
}
