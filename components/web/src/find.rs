//! Searches: an answer that is kept, else one from the providers; then the pages found, when they
//! are wanted.

use crate::bindings::search::{Loaded, SearchError, SearchQuery, SearchResult, SearchResults};
use crate::config::{self, PageConfig, SearchConfig};
use crate::{convert, providers, read};
use futures::{StreamExt, stream};
use quarry_pages::page::Wanted;
use quarry_rim::clock;
use quarry_rim::store::Store;
use quarry_search::Query;
use quarry_search::cache::{self, Found, Look, Question};
use std::time::{Duration, Instant};

/// Pages read at the same time.
const AT_ONCE: usize = 6;
/// The first and the longest pause between two looks for an answer that somebody else waits for.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(400));

/// Runs a search.
pub async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
    let deadline = Instant::now() + Duration::from_secs(query.timeout_seconds.clamp(1, 60).into());
    let wanted = Query::new(&query.query, query.limit)
        .map_err(|error| SearchError::InvalidQuery(error.to_string()))?;
    let (config, pages) = futures::join!(config::search(), config::pages());
    let config = config.map_err(|config::Wrong(why)| SearchError::Other(why))?;
    let pages = pages.map_err(|config::Wrong(why)| SearchError::Other(why))?;
    let found = find(&config, &wanted, deadline, &pages.user_agent).await?;
    let mut results: Vec<SearchResult> = found.results.into_iter().map(convert::result).collect();
    if query.load_content {
        results = load(results, deadline, &pages).await;
    }
    Ok(SearchResults { provider: found.provider, results, notes: found.notes })
}

/// The answer that is kept, or that somebody else is about to get; else a new one.
async fn find(
    config: &SearchConfig,
    query: &Query,
    deadline: Instant,
    user_agent: &str,
) -> Result<Found, SearchError> {
    // Without a store every search is a new one, and that is all.
    let store = Store::open().await.ok();
    let plan = quarry_search::plan(&config.providers);
    let question = Question::new(query, &plan, config.fusion);
    let kept = store.as_ref().filter(|_| config.cache_seconds > 0);
    if let Some(store) = kept {
        if let Some(found) = known(store, &question, deadline).await {
            return Ok(found);
        }
        // What cannot be written is what nobody waits for.
        _ = store.set(&question.key(), cache::begin(&question, clock::unix_seconds())).await;
    }
    let asked = providers::Asked { config, query, deadline, user_agent, store: store.as_ref() };
    let found = asked.in_order(&plan).await;
    if let Some(store) = kept {
        _ = match &found {
            Ok(found) => {
                let entry =
                    cache::keep(&question, found, config.cache_seconds, clock::unix_seconds());
                store.set(&question.key(), entry).await
            }
            // Whoever waits has to try for itself.
            Err(_) => store.delete(&question.key()).await,
        };
    }
    found
}

/// Looks for an answer, and waits for one that is under way.
async fn known(store: &Store, question: &Question, deadline: Instant) -> Option<Found> {
    let (mut pause, longest) = PAUSES;
    loop {
        let entry = store.get(&question.key()).await.ok().flatten()?;
        match cache::look(&entry, question, clock::unix_seconds()) {
            Look::Answer(found) => return Some(found),
            Look::UnderWay if Instant::now() + pause < deadline => {
                clock::sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
            Look::UnderWay | Look::Nothing => return None,
        }
    }
}

/// Reads the pages of all results, some at once; one that fails is a value beside the others.
async fn load(
    results: Vec<SearchResult>,
    deadline: Instant,
    config: &PageConfig,
) -> Vec<SearchResult> {
    let read = |mut result: SearchResult| async move {
        let from = Instant::now();
        let page = read::read(&result.url, Wanted::default(), deadline, config).await;
        result.fetch_ms = u64::try_from(from.elapsed().as_millis()).unwrap_or(u64::MAX);
        result.content = Some(match page {
            Ok(page) => Loaded::Page(page),
            Err(error) => Loaded::Failed(error),
        });
        result
    };
    stream::iter(results).map(read).buffered(AT_ONCE).collect().await
}
