//! What the doors of conversations have in common: messages, models' names, Quarry's own field, joining, and what an
//! ask's events tell.
//!
//! Border: JSON and heads in, texts, keys and facts out. How a protocol says them is its door's affair.

mod deep;
mod drawn;
mod extension;
pub(crate) mod form;
mod gist;
pub(crate) mod ids;
mod join;
mod marks;
mod message;
mod metadata;
pub(crate) mod model;
mod of_run;
mod request;
mod told;
mod unread;
mod voice;

/// What stands before a run's id where an ask's could stand.
pub(crate) const RUN_PREFIX: &str = "run_";

pub use deep::Deep;
pub(crate) use drawn::Drawn;
pub(crate) use extension::{Extension, Progress};
pub(crate) use gist::Gist;
pub use join::{GivenKey, OwnName, Sender};
pub(crate) use join::{named, own_key};
pub(crate) use marks::Marks;
pub(crate) use message::{
    ENDS_OTHERWISE, Instruction, Instructor, MAX_GIVEN_INSTRUCTIONS, MAX_INSTRUCTIONS, Messages,
    Piece, Talk,
};
pub(crate) use metadata::Metadata;
pub(crate) use of_run::{OfRun, Pause, Spent, standing};
pub(crate) use request::{MAX_NAMED, Within, asked, object, plain, read, request, says};
pub(crate) use told::{Call, Cited, Costs, Found, Source, Told, stage_line};
pub(crate) use voice::{Fold, SILENCE, Streamed};
