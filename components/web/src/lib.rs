//! Searches and reads the public web.
//!
//! Exports `quarry:web/search` and `quarry:web/pages`, and the same two functions as JSON over
//! HTTP for callers in other Spin components. Border: this component fetches and converts; which
//! addresses may be read, what a provider is sent and how bytes become text is decided in
//! `quarry-access`, `quarry-search` and `quarry-pages`.

mod bindings;
mod config;
mod convert;
mod fetch;
mod find;
mod providers;
mod read;
mod robots;
mod serve;

use bindings::pages::{Page, PageError, PageRequest};
use bindings::search::{SearchError, SearchQuery, SearchResults};
use quarry_pages::page::Wanted;
use std::time::{Duration, Instant};

struct Web;

impl bindings::pages::Guest for Web {
    async fn read(request: PageRequest) -> Result<Page, PageError> {
        read_page(request).await
    }
}

impl bindings::search::Guest for Web {
    async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
        find::search(query).await
    }
}

async fn read_page(request: PageRequest) -> Result<Page, PageError> {
    let deadline =
        Instant::now() + Duration::from_secs(request.timeout_seconds.clamp(1, 60).into());
    let config = config::pages().await.map_err(|config::Wrong(why)| PageError::Other(why))?;
    let wanted = Wanted { text: request.with_text, passages: request.with_passages };
    read::read(&request.url, wanted, deadline, &config).await
}
