//! What other tasks and checks need of serving: the HTTP client for Quarry's own API, and which names
//! in the environment are configuration.

pub mod client;
pub mod variables;
