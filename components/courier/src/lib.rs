//! Carries calls to the Spin components `web` and `sandbox`, and runs to another instance of this one, over
//! in-process HTTP.
//!
//! It exports the interfaces that those components export. A crash or a runaway over there is
//! an error value over here, never a lost stream. What comes when many are under way waits for its
//! turn. Border: no decision beyond that; whoever wants all in one instance composes the real
//! component in the courier's place.

mod bindings;
mod carry;
mod lane;

use bindings::exports::quarry::agent::handover;
use bindings::exports::quarry::sandbox::javascript::{self, Outcome, Program, RunError};
use bindings::exports::quarry::web::network::{self, Guard};
use bindings::exports::quarry::web::pages::{self, Document, Page, PageError, PageRequest};
use bindings::exports::quarry::web::search::{self, SearchError, SearchQuery, SearchResults};
use carry::{Way, carry};
use lane::{SANDBOX, WEB};
use quarry_rim::clock;
use std::time::Duration;

/// How long a program waits for others at most.
const WAIT_FOR_SANDBOX: Duration = Duration::from_secs(30);

/// How long reading a document that is at hand may take, and how long it waits for others before. What may be read of
/// one takes seconds; others who read theirs at the same time share the processor.
const EXTRACTION: Duration = Duration::from_secs(120);

/// What is said when the wait was too long.
const BUSY: &str = "too much is under way; try again later";

/// Whoever asks for a sign of life does not wait longer.
const NETWORK: Duration = Duration::from_secs(1);

struct Courier;

impl pages::Guest for Courier {
    async fn read(request: PageRequest) -> Result<Page, PageError> {
        let within = Duration::from_millis(request.timeout_ms);
        let Some((_pass, within)) = WEB.enter(within).await else {
            return Err(PageError::Unavailable(BUSY.to_owned()));
        };
        let asked = |passed| {
            let timeout_ms = left_ms(within, passed)?;
            Some(PageRequest { timeout_ms, ..request.clone() })
        };
        let carried: Result<Result<Page, PageError>, _> =
            carry("web", "/pages/read", asked, Way::Bodies, within).await;
        carried.unwrap_or_else(|lost| Err(PageError::Unavailable(lost.to_string())))
    }

    async fn extract(document: Document) -> Result<Page, PageError> {
        // What reading may take begins when it does.
        let Some((_pass, _)) = WEB.enter(EXTRACTION).await else {
            return Err(PageError::Unavailable(BUSY.to_owned()));
        };
        let Document { bytes, media_type, max_characters } = document;
        let path = format!("/pages/extract?max-characters={max_characters}");
        let carried: Result<Result<Page, PageError>, _> =
            carry::carry_bytes("web", &path, bytes, &media_type, EXTRACTION).await;
        carried.unwrap_or_else(|lost| Err(PageError::Unavailable(lost.of_a_document(EXTRACTION))))
    }
}

impl search::Guest for Courier {
    async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
        let within = Duration::from_millis(query.timeout_ms);
        let Some((_pass, within)) = WEB.enter(within).await else {
            return Err(SearchError::Unavailable(BUSY.to_owned()));
        };
        let asked = |passed| {
            let timeout_ms = left_ms(within, passed)?;
            Some(SearchQuery { timeout_ms, ..query.clone() })
        };
        let carried: Result<Result<SearchResults, SearchError>, _> =
            carry("web", "/search/search", asked, Way::Bodies, within).await;
        carried.unwrap_or_else(|lost| Err(SearchError::Unavailable(lost.to_string())))
    }
}

impl network::Guest for Courier {
    async fn state() -> Guard {
        let carried = carry("web", "/network/state", |_| Some(()), Way::Bodies, NETWORK);
        match clock::within(NETWORK, carried).await {
            Some(Ok(guard)) => guard,
            Some(Err(_)) | None => Guard::Unknown,
        }
    }
}

impl javascript::Guest for Courier {
    async fn run(program: Program) -> Result<Outcome, RunError> {
        let within = Duration::from_millis(program.timeout_ms);
        // What a program may take begins when it does, however long it was refused before.
        let Some((_pass, _)) = SANDBOX.enter(WAIT_FOR_SANDBOX).await else {
            return Err(RunError::Unavailable(BUSY.to_owned()));
        };
        let carried: Result<Result<Outcome, RunError>, _> =
            carry("sandbox", "/javascript/run", |_| Some(&program), Way::Heads, within).await;
        carried.unwrap_or_else(|lost| Err(RunError::Unavailable(lost.to_string())))
    }
}

impl handover::Guest for Courier {
    async fn pass(run: String, baton: String) -> Result<(), String> {
        carry::pass(&run, baton).await.map_err(|lost| lost.to_string())
    }
}

/// Milliseconds of some time that are left when so much of it has passed; none when it is over.
fn left_ms(time: Duration, passed: Duration) -> Option<u64> {
    let left = time.checked_sub(passed)?;
    Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
}
