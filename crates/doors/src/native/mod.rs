//! The door of `/ask`: the ask contract's own requests, events and answers.

mod collector;
mod frames;
mod json_field;
mod request;
mod wish;

pub use collector::Collector;
pub use frames::{Event, EventName, frames, keep_alive, keep_alive_seconds};
pub use request::{
    AskRequest, Budget, Continuation, MAX_BODY_BYTES, MAX_ITERATIONS, MAX_QUERY_CHARACTERS, Parsed,
    Sources,
};
pub use wish::{Place, place, wants_stream};
