//! The events of a stream: every name and payload, declared once.
//!
//! Border: names and payloads as clients see them. Who emits them, and when, is a machine's.

mod failure;
mod name;
mod payload;

pub use failure::FailureKind;
pub use name::EventName;
pub use payload::*;
