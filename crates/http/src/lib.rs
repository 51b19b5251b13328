//! The HTTP contract: routes, validation, CORS, identity, frames, the OpenAPI document.
//!
//! Border: text and bytes of a request in, decisions and bytes of a response out. No I/O, no
//! clock, no configuration look-ups: time and settings are arguments.

mod answer;
mod ask_request;
mod caller;
mod cors;
mod event;
pub mod identity;
mod json_field;
mod openapi;
mod rate;
mod refusal;
mod reply;
mod route;
mod wish;

pub use answer::Collector;
pub use ask_request::{
    AskRequest, Budget, Continuation, MAX_BODY_BYTES, MAX_ITERATIONS, MAX_QUERY_CHARACTERS, Parsed,
    Sources,
};
pub use caller::{Access, Caller};
pub use cors::Cors;
pub use event::{Event, EventName, frames, keep_alive, keep_alive_seconds};
pub use openapi::DOCUMENT as OPENAPI;
pub use rate::{CallerKey, Rate, Verdict};
pub use refusal::Refusal;
pub use reply::{Headers, Network, Reply, health, stopping, stream_head};
pub use route::{ROUTES, Route, RouteEntry, route, streams};
pub use wish::{Place, place, wants_stream};
