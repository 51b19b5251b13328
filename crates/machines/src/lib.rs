//! The agent machines: they decide everything and await nothing.
//!
//! A machine holds a serialisable state. It is told what happened and answers with the events to
//! show and the effects to perform ([`core::Reaction`]). Time, randomness, ids and limits are
//! arguments. Deliberately absent: I/O, clocks, async, Spin, WIT.
//!
//! [`core`] is what machines share; each machine has a folder of its own beside it, and a line in
//! the list.

pub mod ask;
pub mod consult;
pub mod core;
pub mod extractive;
mod list;
pub mod run;
#[cfg(feature = "schema")]
pub mod schema;

pub use list::Listed;
