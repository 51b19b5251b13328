//! Carries calls to the Spin components `web` and `sandbox` over in-process HTTP.
//!
//! It exports the interfaces that those components export. A crash or a runaway over there is
//! an error value over here, never a lost stream. What comes when many are under way waits for its
//! turn. Border: no decision beyond that; whoever wants all in one instance composes the real
//! component in the courier's place.

mod bindings;
mod carry;
mod lane;

use bindings::exports::quarry::sandbox::javascript::{self, Outcome, Program, RunError};
use bindings::exports::quarry::web::network::{self, Guard};
use bindings::exports::quarry::web::pages::{self, Page, PageError, PageRequest};
use bindings::exports::quarry::web::search::{self, SearchError, SearchQuery, SearchResults};
use carry::carry;
use quarry_rim::clock;
use std::time::Duration;

/// Whoever asks for a sign of life does not wait longer.
const NETWORK: Duration = Duration::from_secs(1);

struct Courier;

impl pages::Guest for Courier {
    async fn read(request: PageRequest) -> Result<Page, PageError> {
        let _pass = lane::WEB.enter().await;
        let within = Duration::from_millis(request.timeout_ms);
        let carried: Result<Result<Page, PageError>, _> =
            carry("web", "/pages/read", &request, within).await;
        carried.unwrap_or_else(|lost| Err(PageError::Unavailable(lost.to_string())))
    }
}

impl search::Guest for Courier {
    async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
        let _pass = lane::WEB.enter().await;
        let within = Duration::from_millis(query.timeout_ms);
        let carried: Result<Result<SearchResults, SearchError>, _> =
            carry("web", "/search/search", &query, within).await;
        carried.unwrap_or_else(|lost| Err(SearchError::Unavailable(lost.to_string())))
    }
}

impl network::Guest for Courier {
    async fn state() -> Guard {
        let carried = carry("web", "/network/state", &(), NETWORK);
        match clock::within(NETWORK, carried).await {
            Some(Ok(guard)) => guard,
            Some(Err(_)) | None => Guard::Unknown,
        }
    }
}

impl javascript::Guest for Courier {
    async fn run(program: Program) -> Result<Outcome, RunError> {
        let _pass = lane::SANDBOX.enter().await;
        let within = Duration::from_millis(program.timeout_ms);
        let carried: Result<Result<Outcome, RunError>, _> =
            carry("sandbox", "/javascript/run", &program, within).await;
        carried.unwrap_or_else(|lost| Err(RunError::Unavailable(lost.to_string())))
    }
}
