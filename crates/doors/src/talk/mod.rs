//! What the doors of conversations have in common: messages, models' names, Quarry's own field, joining, and what an
//! ask's events tell.
//!
//! Border: JSON and heads in, texts, keys and facts out. How a protocol says them is its door's affair.

mod extension;
pub(crate) mod form;
pub(crate) mod ids;
mod join;
mod marks;
mod message;
mod metadata;
pub(crate) mod model;
mod request;
mod told;
mod voice;

pub(crate) use extension::{Extension, Progress};
pub(crate) use join::{again, named, unsigned};
pub(crate) use marks::Marks;
pub(crate) use message::{Messages, Talk};
pub(crate) use metadata::Metadata;
pub(crate) use request::{asked, object, read, request};
pub(crate) use told::{Call, Cited, Costs, Found, Source, Told, stage_line};
pub(crate) use voice::{Fold, Streamed};
