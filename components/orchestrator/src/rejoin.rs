//! Joining an ask's stream again, and asking it to stop.
//!
//! Border: reads and writes the ask's keys alone; whoever drives it may be another instance.

use crate::bindings::exports::quarry::agent::ask::{AskError, Event};
use crate::bindings::{wit_future, wit_stream};
use crate::follow::{self, Fed, Reading};
use crate::settings;
use crate::shelf::{Shelf, ShelfError};
use quarry_journal::{DEAD_AFTER_MS, Over, Place, Reader, is_swept};
use quarry_rim::clock::{self, now};
use quarry_types::{AskId, Timestamp};
use std::time::Duration;
use wit_bindgen::{FutureReader, StreamReader};

type Joined = (StreamReader<Event>, FutureReader<Result<(), AskError>>);

/// Joins an ask's stream after the event numbered `after`.
pub async fn rejoin(id: &str, after: u64) -> Result<Joined, AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    // What the next sweep deletes is gone.
    if is_swept(Timestamp(id.born_at()), settings::retention_ms().await?, now()) {
        return Err(unknown());
    }
    let mut reading = Reading::new(shelf.clone(), id, after);
    // The beginning is awaited here, so that an unknown id is an error and not an empty stream.
    reading.begin().await?;
    let (writer, events) = wit_stream::new();
    let (outcome, outcome_reader) = wit_future::new(|| {
        Err(AskError::Unavailable("the stream broke off; join again".to_owned()))
    });
    // Whoever waits whether anybody reads again is told.
    let mark = shelf.clone();
    drop(mark.set(Place::Reader, &Reader::Here.write()).await);
    wit_bindgen::spawn(async move {
        let result = match reading.feed(writer).await {
            Fed::Whole => Ok(()),
            Fed::Left => {
                drop(mark.set(Place::Reader, &Reader::Left(now()).write()).await);
                Ok(())
            }
            Fed::Broken(error) => Err(error),
        };
        _ = outcome.write(result).await;
    });
    Ok((events, outcome_reader))
}

/// The reader of an ask left: it is stopped, unless somebody else reads it in time.
pub async fn leave(id: &str, grace_seconds: u32) {
    let Some(id) = AskId::parse(id) else { return };
    let Ok(shelf) = Shelf::open(id).await else { return };
    drop(shelf.set(Place::Reader, &Reader::Left(now()).write()).await);
    let grace = Duration::from_secs(grace_seconds.into());
    clock::sleep(grace).await;
    let mark = shelf.get(Place::Reader).await.ok().flatten();
    if mark
        .and_then(|mark| Reader::read(&mark))
        .is_some_and(|reader| reader.is_missed(grace, now()))
    {
        drop(shelf.set(Place::Stop, b"stop").await);
    }
}

/// Asks a running ask to stop.
pub async fn stop(id: &str) -> Result<(), AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let shelf = Shelf::open(id).await.map_err(unavailable)?;
    let is_known = shelf.has(Place::Part(0)).await.map_err(unavailable)?
        || now().since(Timestamp(id.born_at())) < DEAD_AFTER_MS;
    if !is_known {
        return Err(unknown());
    }
    shelf.set(Place::Stop, b"stop").await.map_err(unavailable)
}

pub fn unknown() -> AskError {
    follow::error(Over::Unknown)
}

pub fn unavailable(_: ShelfError) -> AskError {
    follow::error(Over::Unavailable)
}
