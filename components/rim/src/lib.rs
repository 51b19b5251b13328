//! What components share where they meet the host: variables, clocks, random numbers, bounded HTTP,
//! stores and diagnostics, each written once.
//!
//! Border: glue. It performs and translates; what is asked, kept or refused is decided in `crates/`.
//! A component reaches only what its world and its section of `spin.toml` grant, whatever is here:
//! what it does not call is not linked into it.

pub mod bell;
mod chat;
pub mod clock;
pub mod database;
pub mod diagnostics;
pub mod http;
pub mod random;
pub mod store;
pub mod stream;
pub mod variables;
