//! Drives the agent machines: performs the effects that they ask for.
//!
//! Border: `quarry-machines` decides about asks, from the request on, `quarry-journal` about their
//! logs, states and readers, `quarry-admission` about who pays; this component calls models, web,
//! sandbox and the store, and passes events on.

mod again;
mod asked;
mod beside;
mod bindings;
mod called;
mod consult;
mod continuation;
mod convert;
mod driver;
mod effects;
mod follow;
mod keeping;
mod leaving;
mod log;
mod once;
mod rejoin;
mod run;
mod senders_key;
mod settings;
mod shelf;
mod shown;
mod slot;
mod snapshot;
mod start;
mod tools;
mod under_way;

use bindings::exports::quarry::agent::ask::{
    AskError, Begun, Caller, Event, Guest, Known, Request,
};
use quarry_rim::clock::now;
use wit_bindgen::{FutureReader, StreamReader};

struct Orchestrator;

type Outcome = Result<(), AskError>;

impl Guest for Orchestrator {
    async fn start(request: Request, caller: Caller) -> Result<Begun, AskError> {
        run::upkeep::now_and_then();
        called::start(request, caller).await
    }

    async fn providers() -> Vec<String> {
        start::providers().await
    }

    async fn find(key: String) -> Result<Option<String>, AskError> {
        again::find(&key).await
    }

    async fn invalidate(key: String) {
        again::invalidate(&key, now()).await;
    }

    async fn hold(id: String) -> Result<(), AskError> {
        rejoin::hold(&id).await
    }

    async fn keep(id: String, text: String, found_by: Option<String>) -> Result<String, AskError> {
        shown::keep_first(&id, &text, found_by).await
    }

    async fn note(key: String, begun: String) {
        again::keep(&key, &begun).await;
    }

    async fn noted(key: String) -> Result<Option<String>, AskError> {
        again::kept(&key).await
    }

    async fn leave(id: String, grace_seconds: u32) {
        leaving::began_it(&id, grace_seconds).await;
    }

    async fn rejoin(
        id: String,
        after: u64,
    ) -> Result<(StreamReader<Event>, FutureReader<Outcome>), AskError> {
        run::upkeep::now_and_then();
        rejoin::rejoin(&id, after).await
    }

    async fn stop(id: String) -> Result<(), AskError> {
        run::upkeep::now_and_then();
        rejoin::stop(&id).await
    }

    async fn begins(id: String) -> bool {
        rejoin::begins(&id).await
    }

    async fn describe(id: String) -> Result<Known, AskError> {
        run::upkeep::now_and_then();
        shown::describe(&id).await
    }

    async fn forget(id: String) -> Result<(), AskError> {
        shown::forget(&id).await
    }
}
