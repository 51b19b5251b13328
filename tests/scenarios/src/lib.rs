//! Scenarios on the built components, over HTTP, with a scripted provider and a small local web.
//!
//! Border: it needs what `cargo xtask build` makes and talks to Quarry only as a client does.
//! `QUARRY_RUNTIME=spin` runs everything under `spin up` instead of the local host, `QUARRY_MANIFEST`
//! names another manifest than `spin.toml`.

pub mod client;
pub mod component;
pub mod contract;
pub mod invariants;
pub mod quarry;
pub mod reader;
pub mod sandbox;
pub mod scenario;
mod schema;
pub mod shape;
pub mod sites;
