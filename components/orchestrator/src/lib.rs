//! Drives the agent machines: performs the effects that they ask for.
//!
//! Border: no decision is made here. `quarry-machines` decides about asks, `quarry-journal` about
//! their logs, states and readers; this component calls models, web, sandbox and the store, and
//! passes events on.

mod bindings;
mod convert;
mod driver;
mod effects;
mod follow;
mod log;
mod rejoin;
mod settings;
mod shelf;
mod slot;
mod snapshot;
mod start;

use bindings::exports::quarry::agent::ask::{AskError, Caller, Event, Guest, Request};
use wit_bindgen::{FutureReader, StreamReader};

struct Orchestrator;

type Outcome = Result<(), AskError>;

impl Guest for Orchestrator {
    async fn start(
        request: Request,
        caller: Caller,
    ) -> Result<(String, StreamReader<Event>, FutureReader<Outcome>), AskError> {
        start::start(request, caller).await
    }

    async fn rejoin(
        id: String,
        after: u64,
    ) -> Result<(StreamReader<Event>, FutureReader<Outcome>), AskError> {
        rejoin::rejoin(&id, after).await
    }

    async fn stop(id: String) -> Result<(), AskError> {
        rejoin::stop(&id).await
    }
}

/// A line for whoever runs Quarry. Never a macro that panics when it cannot be written: a trap
/// ends every request of the instance.
fn note(line: &str) {
    use std::io::Write;
    _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// The wall clock.
fn now() -> quarry_types::Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let ms = since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
    quarry_types::Timestamp(ms)
}
