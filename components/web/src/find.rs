//! Searches: an answer that is kept, else one from the providers; then the pages found, when they
//! are wanted.

use crate::bindings::pages::PageError;
use crate::bindings::search::{Loaded, SearchError, SearchQuery, SearchResult, SearchResults};
use crate::config::{self, PageConfig};
use crate::convert;
use crate::kept::Kept;
use crate::providers::Asked;
use crate::read::{self, Read, Share};
use crate::remaining_ms;
use futures::{StreamExt, stream};
use quarry_pages::bounded::{TOGETHER, Together};
use quarry_rim::clock;
use quarry_search::cache::{self, Ending, Look, Looking, Question};
use quarry_search::{Found, Query, SearchFailed, Settings};
use std::time::{Duration, Instant};

/// Pages read at the same time.
const AT_ONCE: usize = 6;

pub async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
    let deadline = Instant::now() + crate::timeout(query.timeout_ms);
    let wanted = Query::new(&query.query, query.limit)
        .map_err(|error| SearchError::InvalidQuery(error.to_string()))?
        .within(query.domains);
    let (settings, pages) = futures::try_join!(config::search(), config::pages())
        .map_err(|error| SearchError::Misconfigured(error.to_string()))?;
    let found = find(&settings, (&wanted, query.anew), deadline, &pages.user_agent).await;
    let found = found.map_err(convert::search_failed)?;
    let mut results: Vec<SearchResult> = found.results.into_iter().map(convert::result).collect();
    if let Some(max_characters) = query.load_characters {
        let share = Share { max_characters, with_text: false };
        results = load(results, share, deadline, &pages).await;
    }
    Ok(SearchResults { provider: found.provider, results, notes: found.notes })
}

/// The answer that is kept, or that somebody else is about to get, where either does; else a new one, which others get.
async fn find(
    settings: &Settings,
    (query, anew): (&Query, bool),
    deadline: Instant,
    user_agent: &str,
) -> Result<Found, SearchFailed> {
    // Without a store every search is a new one, and that is all.
    let store = Kept::open().await;
    let asked = Asked { settings, query, deadline, user_agent, store: &store };
    if settings.cache_seconds == 0 {
        return asked.search().await;
    }
    let question = Question::new(query, &settings.plan, settings.fusion);
    if !anew && let Some(found) = known(&store, &question, deadline).await {
        return Ok(found);
    }
    let found = asked.search().await;
    let now = clock::unix_seconds();
    match cache::ending(&question, found.as_ref().ok(), anew, settings.cache_seconds, now) {
        Ending::Keep(entry) => store.set(&question.key(), entry).await,
        Ending::Forget => store.delete(&question.key()).await,
        Ending::Leave => {}
    }
    found
}

/// The answer that is kept, at once or when somebody else has got it; none when it is ours to get, and
/// then others are told so.
async fn known(store: &Kept, question: &Question, deadline: Instant) -> Option<Found> {
    let (key, mut looking) = (question.key(), Looking::new(question));
    loop {
        let entry = store.get(&key).await;
        match looking.seen(entry.as_deref(), clock::unix_seconds(), remaining_ms(deadline)) {
            Look::Answer(found) => return Some(found),
            Look::Again(milliseconds) => clock::sleep(Duration::from_millis(milliseconds)).await,
            Look::Search(mark) => {
                store.set(&key, mark).await;
                return None;
            }
        }
    }
}

/// Reads the pages of all results, some at once; one that fails is a value beside the others. All of them have a bound
/// together, which costs pages and no result.
async fn load(
    results: Vec<SearchResult>,
    share: Share,
    deadline: Instant,
    config: &PageConfig,
) -> Vec<SearchResult> {
    let mut together = Together::new(TOGETHER, results.len());
    let read = |mut result: SearchResult| async move {
        let from = Instant::now();
        let read = read::read(&result.url, share, deadline, config).await;
        result.fetch_ms = u64::try_from(from.elapsed().as_millis()).unwrap_or(u64::MAX);
        (result, read)
    };
    let put = |(mut result, read): (SearchResult, Result<Read, PageError>)| {
        result.content = Some(match read {
            Ok(Read { page, url }) => {
                let page = together.take(page);
                Loaded::Page(convert::page(page, &result.url, &url, share.wanted()))
            }
            Err(error) => {
                together.skip();
                Loaded::Failed(error)
            }
        });
        result
    };
    stream::iter(results).map(read).buffered(AT_ONCE).map(put).collect().await
}
