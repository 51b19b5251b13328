//! What asks a Quarry over HTTP and shows what it answers, wherever it is served. And what other tasks and checks need
//! of that: the client, its replies, which names in the environment are configuration, what is known of the terminal,
//! and how to wait without silence.
//!
//! Border: no host is needed, so whoever asks elsewhere does not wait until one is compiled.
#![allow(clippy::print_stderr, reason = "for programs for people at a terminal")]

mod again;
pub mod ask;
pub mod client;
mod lines;
pub mod replies;
pub mod run;
mod show;
pub use show::words;
pub mod terminal;
mod tree;
pub mod variables;
pub mod waiting;
