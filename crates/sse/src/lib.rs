//! Server-sent events: writing frames and reading them from chunks cut anywhere.
//!
//! Border: bytes in, events out, and the reverse. No I/O, no JSON, no clock.

mod encode;
mod parse;

pub use encode::{Frame, comment, encode};
pub use parse::{DEFAULT_LIMIT, Event, Parser, TooLong};
