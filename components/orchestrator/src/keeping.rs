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
        let opened = match clock::within(PATIENCE, Database::open()).await {
            Some(Ok(database)) => database,
            Some(Err(error)) => return of(&error),
            None => return Keeping::Failing,
        };
        // What is full, or may only be read, opens all the same.
        match clock::within(PATIENCE, opened.execute(journal::PROBE, &[])).await {
            Some(Err(error)) if !error.is_locked() => of(&error),
            // What others write is written.
            _ => Keeping::Kept,
        }
    }
}

fn of(error: &DatabaseError) -> Keeping {
    match error {
        DatabaseError::InMemory => Keeping::Memory,
        DatabaseError::NotGranted => Keeping::Missing,
        DatabaseError::Newer(_) | DatabaseError::Failed(_) => Keeping::Failing,
    }
}
