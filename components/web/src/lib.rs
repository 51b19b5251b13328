//! Searches and reads the public web.
//!
//! Exports `quarry:web`, and the same functions as JSON over HTTP for callers in other Spin
//! components. Border: this component fetches, keeps and converts; which addresses may be read is
//! decided in `quarry-access`, whom to search with in `quarry-search`, and how bytes become text in
//! `quarry-pages`.

mod beside;
mod bindings;
mod config;
mod convert;
mod fetch;
mod find;
mod kept;
mod providers;
mod read;
mod serve;

use bindings::network::Guard;
use bindings::pages::{Document, Page, PageError, PageRequest};
use bindings::search::{SearchError, SearchQuery, SearchResults};
use std::time::{Duration, Instant};

struct Web;

impl bindings::pages::Guest for Web {
    async fn read(request: PageRequest) -> Result<Page, PageError> {
        read::requested(request).await
    }

    async fn extract(document: Document) -> Result<Page, PageError> {
        read::extract(document).await
    }
}

impl bindings::search::Guest for Web {
    async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
        find::search(query).await
    }
}

impl bindings::network::Guest for Web {
    async fn state() -> Guard {
        read::network().await
    }
}

/// What a caller may have, by the contract.
fn timeout(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.clamp(1_000, 120_000))
}

/// Milliseconds until then.
fn remaining_ms(deadline: Instant) -> u64 {
    let remaining = deadline.saturating_duration_since(Instant::now());
    u64::try_from(remaining.as_millis()).unwrap_or(u64::MAX)
}
