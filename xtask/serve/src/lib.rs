//! What other tasks and checks need of serving: the HTTP client for Quarry's own API and what it answers, which names
//! in the environment are configuration, what is known of the terminal, and how to wait without silence.

pub mod client;
pub mod replies;
pub mod terminal;
pub mod variables;
pub mod waiting;
