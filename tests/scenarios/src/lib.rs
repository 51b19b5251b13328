//! Scenarios with a scripted provider and a small local web: on the built components, over HTTP, and
//! natively on the crates that decide, on virtual time.
//!
//! Border: what runs on the components needs what `cargo xtask build` makes and talks to Quarry only
//! as a client does; [`native`] needs nothing and waits for nothing.
//! `QUARRY_RUNTIME=spin` runs everything under `spin up` instead of the local host, `QUARRY_MANIFEST`
//! names another manifest than `spin.toml`, and `QUARRY_DATABASE=scripted` or `libsql` keeps SQLite on a libSQL
//! server, a scripted one or a real one.

pub mod client;
pub mod clients;
pub mod component;
pub mod contract;
pub mod database;
pub mod golden;
pub mod invariants;
pub mod native;
pub mod quarry;
pub mod reader;
pub mod readme;
pub mod research;
pub mod sandbox;
pub mod scenario;
mod schema;
pub mod shape;
pub mod sites;
