//! Searching the web: whom to ask, what each is sent, what its answer says, how results are ranked
//! and kept.
//!
//! Everything here is a decision; nothing is sent. Requests, clocks and the store are the `web`
//! component's; texts, statuses and times come in as arguments. A provider is a file in `providers`
//! and a row in its list.

pub mod answer;
pub mod cache;
pub mod fuse;
pub mod providers;
pub mod query;
pub mod rank;
pub mod searching;
pub mod settings;
pub mod standing;
#[cfg(test)]
mod tests;

pub use answer::{Hit, Issue, Parsed, ProviderError};
pub use providers::{Access, Provider, Reach};
pub use query::{Key, Query, QueryError, Request};
pub use searching::{Failure, Found, Next, SearchFailed, Searching};
pub use settings::{Settings, SettingsError};
