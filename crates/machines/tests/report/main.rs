//! The report of a run: of one that somebody would recognise, and of any that might be.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests, where a panic is the report"
)]

mod facts;
mod injected;
mod kept;
mod properties;
mod scripted;
