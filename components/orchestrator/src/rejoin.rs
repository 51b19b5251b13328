//! Joining an ask's stream again, and asking it to stop.
//!
//! A reader follows the log part by part. The ask may run in another instance, so there is
//! nothing to wait on but the store.

use crate::bindings::exports::quarry::agent::ask::{AskError, Event};
use crate::bindings::{wit_future, wit_stream};
use crate::{convert, driver, log, settings, store};
use quarry_events::{Event as LoggedEvent, Failure, FailureKind};
use quarry_types::AskId;
use spin_sdk::key_value::{Error, Store};
use spin_sdk::wasip3::clocks::monotonic_clock;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

/// Between two looks at the log.
const LOOK_NS: u64 = 150_000_000;
/// An ask younger than this may not have written anything yet.
const NEWBORN_MS: u64 = 3_000;
/// An ask without a sign of life for this long has died.
const DEAD_AFTER_MS: u64 = 30_000;

type Joined = (StreamReader<Event>, FutureReader<Result<(), AskError>>);

/// Joins an ask's stream after the event numbered `after`.
pub async fn rejoin(id: &str, after: u64) -> Result<Joined, AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let store = store::open().await.map_err(unavailable)?;
    let retention_ms = settings::retention_ms().await?;
    let mut follower = Follower { id, store, part: 0, after, retention_ms };
    // The first part is awaited here, so that an unknown id is an error and not an empty stream.
    let first = follower.first_part().await?;
    let (writer, events) = wit_stream::new();
    let (outcome, outcome_reader) = wit_future::new(|| {
        Err(AskError::Unavailable("the stream broke off; join again".to_owned()))
    });
    wit_bindgen::spawn(async move {
        let result = follower.follow(first, writer).await;
        _ = outcome.write(result.map_err(unavailable)).await;
    });
    Ok((events, outcome_reader))
}

/// Asks a running ask to stop.
pub async fn stop(id: &str) -> Result<(), AskError> {
    let id = AskId::parse(id).ok_or_else(unknown)?;
    let store = store::open().await.map_err(unavailable)?;
    let is_known = store.exists(store::log_key(&id, 0)).await.map_err(unavailable)?
        || driver::now().0.saturating_sub(id.born_at()) < NEWBORN_MS;
    if !is_known {
        return Err(unknown());
    }
    store.set(store::stop_key(&id), b"stop").await.map_err(unavailable)
}

struct Follower {
    id: AskId,
    store: Store,
    part: u32,
    after: u64,
    retention_ms: u64,
}

impl Follower {
    async fn first_part(&mut self) -> Result<Vec<LoggedEvent>, AskError> {
        loop {
            if let Some(events) = self.next_part().await.map_err(unavailable)? {
                return Ok(events);
            }
            let age = driver::now().0.saturating_sub(self.id.born_at());
            if age > NEWBORN_MS {
                return Err(unknown());
            }
            monotonic_clock::wait_for(LOOK_NS).await;
        }
    }

    async fn next_part(&mut self) -> Result<Option<Vec<LoggedEvent>>, Error> {
        let events = log::read_part(&self.store, &self.id, self.part, driver::now().0).await?;
        if events.is_some() {
            self.part += 1;
        }
        Ok(events)
    }

    /// Passes on what is logged and what comes, until the last event or the client's leaving.
    async fn follow(
        &mut self,
        mut events: Vec<LoggedEvent>,
        mut writer: StreamWriter<Event>,
    ) -> Result<(), Error> {
        let mut last = self.after;
        loop {
            let has_ended = events.last().is_some_and(|event| event.name.is_last());
            last = events.last().map_or(last, |event| event.sequence.max(last));
            let missed: Vec<Event> = events
                .iter()
                .filter(|event| event.sequence > self.after)
                .map(convert::event)
                .collect();
            if !missed.is_empty() && !writer.write_all(missed).await.is_empty() {
                return Ok(());
            }
            if has_ended {
                return Ok(());
            }
            events = loop {
                if let Some(events) = self.next_part().await? {
                    break events;
                }
                if self.is_dead().await? {
                    break vec![self.bury(last).await?];
                }
                monotonic_clock::wait_for(LOOK_NS).await;
            };
        }
    }

    async fn is_dead(&self) -> Result<bool, Error> {
        let sign = self.store.get(store::alive_key(&self.id)).await?.unwrap_or_default();
        let sign = std::str::from_utf8(&sign).ok().and_then(|text| text.parse().ok());
        let seen = sign.unwrap_or_else(|| self.id.born_at());
        Ok(driver::now().0.saturating_sub(seen) > DEAD_AFTER_MS)
    }

    /// Gives the log of an ask that died a last event, so that everyone reads the same end.
    async fn bury(&self, last: u64) -> Result<LoggedEvent, Error> {
        let now = driver::now();
        let words = "The ask was interrupted. Nothing found so far is lost: send continuation: true with continuationContext: { id } to go on.";
        let failure = Failure::new(FailureKind::Interrupted, words, now);
        let event = LoggedEvent::new(last + 1, &failure);
        let expires_ms = now.0.saturating_add(self.retention_ms);
        log::append_part(&self.store, &self.id, self.part, expires_ms, &event).await?;
        Ok(event)
    }
}

fn unknown() -> AskError {
    AskError::NotFound("no such ask, or its log is no longer kept".to_owned())
}

fn unavailable(_: Error) -> AskError {
    AskError::Unavailable("the store could not be reached; try again".to_owned())
}
