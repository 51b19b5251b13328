//! Whether there is a database that runs and logs can be kept in.

use crate::Orchestrator;
use crate::bindings::exports::quarry::agent::database::{Guest, Keeping};
use quarry_rim::clock;
use quarry_rim::database::{Database, DatabaseError};
use quarry_schema::journal;
use std::time::Duration;

/// Whoever asks whether a server is alive does not wait for long.
const PATIENCE: Duration = Duration::from_secs(1);

impl Guest for Orchestrator {
    async fn state() -> Keeping {
        match clock::within(PATIENCE, written()).await {
            Some(Ok(())) => Keeping::Kept,
            // What others write is written.
            Some(Err(error)) if error.is_locked() => Keeping::Kept,
            Some(Err(DatabaseError::InMemory)) => Keeping::Memory,
            Some(Err(DatabaseError::NotGranted)) => Keeping::Missing,
            Some(Err(DatabaseError::Newer(_) | DatabaseError::Failed(_))) | None => {
                Keeping::Failing
            }
        }
    }
}

/// What is full, or may only be read, opens all the same.
async fn written() -> Result<(), DatabaseError> {
    Database::open().await?.execute(journal::PROBE, []).await?;
    Ok(())
}
