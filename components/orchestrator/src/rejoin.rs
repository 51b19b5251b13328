//! Joining an ask's stream again, and asking it to stop.
//!
//! Border: reads and writes the ask's keys alone; whoever drives it may be another instance.

use crate::bindings::exports::quarry::agent::ask::{AskError, Event};
use crate::bindings::{wit_future, wit_stream};
use crate::follow::{self, Fed, Reading, Stage, takes_writes};
use crate::shelf::{Shelf, ShelfError};
use crate::under_way::Reader;
use crate::{leaving, settings, slot, under_way};
use futures::future::{Either, select};
use quarry_journal::{Over, Place, is_swept, never_began};
use quarry_rim::clock::{self, now};
use quarry_rim::random;
use quarry_types::word::Words;
use quarry_types::{AskId, Timestamp};
use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;
use wit_bindgen::{FutureReader, StreamReader};

type Joined = (StreamReader<Event>, FutureReader<Result<(), AskError>>);

/// How long word that somebody stopped an ask is looked for at most, however long each look takes.
const STOPPED_WITHIN: Duration = Duration::from_secs(30);

/// Words that asks are to stop which this instance keeps: of asks that nothing is known of yet, or whose store takes no writes.
/// No data of anybody's.
static WORDS: Words = Words::new();

/// How old an ask is whose log has begun, where its store takes writes: its writer waits a quarter of a second.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);

/// The mark of the reader that never leaves: one, however many want it.
const HELD: Place = Place::Reading(0);

const READS: &[u8] = b"reads";

/// Joins an ask's stream after the event numbered `after`.
pub async fn rejoin(id: &str, after: u64) -> Result<Joined, AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let (shelf, mut reading) = found(id, after).await?;
    let mut lost = None;
    if !reading.has_begun().await? {
        if under_way::is_driven(id) {
            // It is there, whatever its store takes.
            let words = "nothing of the ask could be written yet; join again";
            lost = Some(AskError::Unavailable(words.to_owned()));
        } else if may_begin(id) && shelf.has(Place::Kept).await.map_err(unavailable)? {
            // What is kept beside a log that is not there yet says that it will be.
            lost = Some(AskError::Other("the ask was interrupted".to_owned()));
        } else {
            // The beginning is awaited here, so that an unknown id is an error and not an empty stream.
            reading.begin().await?;
        }
    }
    let marked = mark(&shelf, &reading).await;
    Ok(read(shelf, reading, lost, marked.map(|(mark, _)| mark)))
}

/// An ask's stream from its beginning on.
pub struct Rejoined {
    pub events: StreamReader<Event>,
    pub outcome: FutureReader<Result<(), AskError>>,
    /// Why nothing that comes of it may be read for long, if so.
    pub held_up: Option<AskError>,
}

/// The same from the beginning on of an ask that was noted: that it is there is known, however late its log begins.
pub async fn join(noted: AskId) -> Result<Rejoined, AskError> {
    let (shelf, mut reading) = found(noted, 0).await?;
    let mut lost = None;
    if !reading.has_begun().await? {
        // One that is driven here is there, whatever its store takes.
        if may_begin(noted) || under_way::is_driven(noted) {
            let words = "the ask was interrupted before its log began; send the request again";
            lost = Some(AskError::Unavailable(words.to_owned()));
        } else {
            reading.begin().await?;
        }
    }
    let marked = mark(&shelf, &reading).await;
    let held_up = match &marked {
        Some((marked, Some(Err(_)))) if !has_ended(&shelf, noted).await => {
            // Many write for a moment.
            clock::sleep(slot::PAUSE).await;
            unwritten(clock::within(slot::PATIENCE, shelf.set(marked.mark, READS)).await)
        }
        Some((_, None)) if !has_ended(&shelf, noted).await => unwritten(None),
        _ => None,
    };
    let (events, outcome) = read(shelf, reading, lost, marked.map(|(mark, _)| mark));
    Ok(Rejoined { events, outcome, held_up })
}

/// What a write that failed, or has not come to an end, says to whoever joins.
fn unwritten(written: Option<Result<(), ShelfError>>) -> Option<AskError> {
    match written {
        Some(Ok(())) => None,
        Some(Err(error)) => Some(slot::unwritten(Some(&error))),
        None => Some(slot::unwritten(None)),
    }
}

/// Whether all that it comes to can be read.
async fn has_ended(shelf: &Shelf, id: AskId) -> bool {
    matches!(Reading::new(shelf.clone(), id, 0).stage().await, Stage::Ended(_))
}

/// Whether the log of an ask is there, or comes within moments. One that is driven here has a writer, whatever its store does;
/// that of another instance has begun when it is some seconds old, unless its store takes no writes.
pub async fn begins(id: &str) -> bool {
    let Some(id) = AskId::parse(id) else { return false };
    if under_way::is_driven(id) {
        return true;
    }
    let (shelf, mut reading) = match found(id, 0).await {
        Ok(found) => found,
        Err(error) => return !matches!(error, AskError::NotFound(_)),
    };
    match reading.has_begun().await {
        Ok(false) => {
            let left = clock::left_of(BEGINS_WITHIN, Timestamp(id.born_at()));
            let begun = clock::within(Duration::from_millis(left), reading.begin()).await;
            matches!(begun, Some(Ok(()))) || !takes_writes(&shelf).await
        }
        // What cannot be read is told by whoever wants to read it.
        Ok(true) | Err(_) => true,
    }
}

/// Whether a log that is not there may come.
fn may_begin(id: AskId) -> bool {
    !never_began(Timestamp(id.born_at()), now())
}

async fn found(id: AskId, after: u64) -> Result<(Shelf, Reading), AskError> {
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    // What the next sweep deletes is gone.
    if is_swept(Timestamp(id.born_at()), settings::retention_ms().await?, now()) {
        return Err(unknown());
    }
    Ok((shelf.clone(), Reading::new(shelf, id, after)))
}

/// A reader's mark.
#[derive(Clone, Copy)]
struct Marked {
    mark: Place,
    is_written: bool,
}

/// Whoever waits whether anybody reads again is told, where there is something to wait for; and whether that was written, if
/// the store says so soon: nobody is made to wait for that.
async fn mark(
    shelf: &Shelf,
    reading: &Reading,
) -> Option<(Marked, Option<Result<(), ShelfError>>)> {
    if reading.has_all() {
        return None;
    }
    let mark = Place::Reading(random::bits64());
    let written = clock::within(slot::PATIENCE, shelf.set(mark, READS)).await;
    Some((Marked { mark, is_written: matches!(written, Some(Ok(()))) }, written))
}

/// Feeds a reader that has this mark, and tells it once more where it could not be told at first. `lost` is what it is told
/// where a log that was not there never comes.
fn read(shelf: Shelf, reading: Reading, lost: Option<AskError>, marked: Option<Marked>) -> Joined {
    let (writer, events) = wit_stream::new();
    let (outcome, outcome_reader) = wit_future::new(|| {
        Err(AskError::Unavailable("the stream broke off; join again".to_owned()))
    });
    let id = reading.id();
    let reader = Reader::joins(id);
    wit_bindgen::spawn(async move {
        let marking = async {
            if let Some(Marked { mark, is_written: false, .. }) = marked {
                leaving::until_done(id, async || shelf.set(mark, READS).await).await;
            }
            pending::<Infallible>().await
        };
        let fed = match select(pin!(reading.feed(writer)), pin!(marking)).await {
            Either::Left((fed, _)) => fed,
            Either::Right((never, _)) => match never {},
        };
        drop(reader);
        let has_left = matches!(fed, Fed::Left);
        let result = match fed {
            Fed::Whole | Fed::Left => Ok(()),
            Fed::Broken(AskError::NotFound(words)) => {
                Err(lost.unwrap_or(AskError::NotFound(words)))
            }
            Fed::Broken(error) => Err(error),
        };
        _ = outcome.write(result).await;
        if let Some(Marked { mark, .. }) = marked {
            leaving::reader(id, &shelf, mark, has_left).await;
        }
    });
    (events, outcome_reader)
}

/// From now on it ends for want of readers no more. The mark of a reader that never leaves says so; it goes with the
/// log.
pub async fn hold(id: &str) -> Result<(), AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    shelf.set(HELD, b"holds").await.map_err(|error| slot::unwritten(Some(&error)))
}

/// Asks a running ask to stop. One that is driven here hears of it, whatever its store does; for another the word waits
/// until the store takes it. So it does, in memory alone, where nothing says that there is such an ask, though another instance
/// may be about to begin it: whoever makes ids up writes nothing.
pub async fn stop(id: &str) -> Result<(), AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let is_driven_here = under_way::wants_end(id);
    match clock::within(slot::PATIENCE, try_stop(id)).await {
        Some(Ok(Stopped::Written)) => Ok(()),
        Some(Err(Unstopped::Unknown)) if !is_driven_here => Err(unknown()),
        Some(Err(Unstopped::Store(error))) if !is_driven_here && !error.is_locked() => {
            Err(unavailable(error))
        }
        Some(Ok(Stopped::Early) | Err(_)) | None => {
            wit_bindgen::spawn(stop_late(id));
            Ok(())
        }
    }
}

/// Whoever drives it elsewhere, or looks at it later, is told that somebody stopped it, as soon as that can be written.
async fn stop_late(id: AskId) {
    let mut word = WORDS.heard();
    let stopping = async {
        while let Some(pause) = word.next_look() {
            clock::sleep(pause).await;
            if matches!(try_stop(id).await, Ok(Stopped::Written)) {
                break;
            }
        }
    };
    clock::within(STOPPED_WITHIN, stopping).await;
}

/// What became of word of an end.
enum Stopped {
    /// Whoever drives it finds it.
    Written,
    /// Nothing says that there is such an ask, and one may be on the way.
    Early,
}

/// Why word of an end was not written.
enum Unstopped {
    /// Nobody knows of such an ask.
    Unknown,
    Store(ShelfError),
}

async fn try_stop(id: AskId) -> Result<Stopped, Unstopped> {
    let shelf = Shelf::open(id).await.map_err(Unstopped::Store)?;
    let has_begun = shelf.has(Place::Part(0)).await.map_err(Unstopped::Store)?;
    if !has_begun {
        if !may_begin(id) {
            return Err(Unstopped::Unknown);
        }
        let is_there =
            under_way::is_driven(id) || shelf.is_awaited().await.map_err(Unstopped::Store)?;
        if !is_there {
            return Ok(Stopped::Early);
        }
    }
    // Whoever says it again and again writes it once.
    if !shelf.has(Place::Stop).await.map_err(Unstopped::Store)? {
        shelf.set(Place::Stop, b"stop").await.map_err(Unstopped::Store)?;
    }
    // Beside a reader's mark the end would look like one for want of readers.
    if shelf.has(Place::Left).await.unwrap_or(true) {
        drop(shelf.remove(Place::Left).await);
    }
    Ok(Stopped::Written)
}

pub fn unknown() -> AskError {
    follow::error(Over::Unknown)
}

/// What whoever wants something of the store is told: where somebody has to mend that, what is to be done, and where
/// others hold it, when to come again.
pub fn unavailable(error: ShelfError) -> AskError {
    if error.is_locked() {
        return AskError::Busy(slot::held());
    }
    match error.defect() {
        Some(defect) => AskError::Unavailable(defect.to_string()),
        None => follow::error(Over::Unavailable),
    }
}
