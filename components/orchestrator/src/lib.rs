//! Drives the agent machines: performs the effects that they ask for.
//!
//! Border: no decision is made here. `quarry-machines` decides; this component calls models, web and
//! sandbox, keeps the log in key-value, and passes events on.

mod bindings;
mod convert;
mod driver;
mod effects;
mod log;
mod rejoin;
mod settings;
mod start;
mod store;

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
