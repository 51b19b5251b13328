//! The events of a stream: every name and payload, declared once.
//!
//! Border: names and payloads as clients see them. Who emits them, and when, is a machine's.
//! Names, fields and their spelling are a public API: a field may be added; none may be renamed,
//! dropped or retyped. Source: the ask contract and the event taxonomy it rests on.

mod declaration;
mod ending;
mod failure;
mod family;
mod payload;
pub mod run;
#[cfg(feature = "schema")]
pub mod schema;
mod value;

pub use declaration::{AnyPayload, Event, EventName, Payload, Unreadable};
pub use ending::{Course, Ending};
pub use failure::FailureKind;
pub use payload::*;
pub use quarry_types::Json;
#[cfg(feature = "schema")]
pub use schema::{Schemas, schemas};
pub use value::{At, Seconds};
