//! Searches: asks one provider after the other until one answers, ranks, and reads the pages found
//! when they are wanted.

use crate::bindings::search::{Loaded, SearchError, SearchQuery, SearchResult, SearchResults};
use crate::config::{self, PageConfig};
use crate::fetch::{self, Ask, FetchError};
use crate::{convert, read};
use futures::{StreamExt, stream};
use quarry_pages::page::Wanted;
use quarry_pages::search::{self, Config, Hit, Issue, Provider, Query, rank};
use std::time::{Duration, Instant};

/// Pages read at the same time.
const AT_ONCE: usize = 6;
/// Bytes of a provider's answer.
const ANSWER: usize = 2 * 1024 * 1024;

/// Runs a search.
pub async fn search(query: SearchQuery) -> Result<SearchResults, SearchError> {
    let deadline = Instant::now() + Duration::from_secs(query.timeout_seconds.clamp(1, 60).into());
    let wanted = Query::new(&query.query, query.limit)
        .map_err(|error| SearchError::InvalidQuery(error.to_string()))?;
    let (config, pages) = futures::join!(config::search(), config::pages());
    let config = config.map_err(|config::Wrong(why)| SearchError::Other(why))?;
    let pages = pages.map_err(|config::Wrong(why)| SearchError::Other(why))?;
    let (provider, hits, notes) =
        ask_in_order(&config, &wanted, deadline, &pages.user_agent).await?;
    let ranked = rank::rank(hits, &wanted.text, wanted.limit);
    let mut results: Vec<SearchResult> =
        ranked.into_iter().map(|ranked| convert::result(ranked, provider.name())).collect();
    if query.load_content {
        results = load(results, deadline, &pages).await;
    }
    Ok(SearchResults { provider: provider.name().to_owned(), results, notes })
}

/// The first provider that answers, what it found, and a sentence for each thing that went wrong.
async fn ask_in_order(
    config: &Config,
    query: &Query,
    deadline: Instant,
    user_agent: &str,
) -> Result<(Provider, Vec<Hit>, Vec<String>), SearchError> {
    let plan = search::plan(config);
    if plan.is_empty() {
        let why = "no search provider is configured: set searxng_url, brave_api_key, tavily_api_key or serper_api_key, \
                   or let search_providers name duckduckgo";
        return Err(SearchError::NotConfigured(why.to_owned()));
    }
    let mut notes = Vec::new();
    let mut found_nothing = None;
    for (at, provider) in plan.iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let milliseconds = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        let until = Instant::now()
            + Duration::from_millis(search::attempt_ms(milliseconds, plan.len() - at));
        match ask(*provider, config, query, until, user_agent).await {
            Ok((hits, issues)) => {
                notes.extend(issues.iter().map(|issue| format!("{}: {issue}", provider.name())));
                return Ok((*provider, hits, notes));
            }
            Err(why) => {
                if matches!(why, Failure::Answer(search::ProviderError::Nothing)) {
                    found_nothing.get_or_insert(*provider);
                }
                notes.push(format!("{} {}", provider.name(), why.sentence()));
            }
        }
    }
    match found_nothing {
        // To find nothing is an answer, when nobody after it knew better.
        Some(provider) => Ok((provider, Vec::new(), notes)),
        None if deadline <= Instant::now() => Err(SearchError::Timeout),
        None => Err(SearchError::AllFailed(notes)),
    }
}

enum Failure {
    Fetch(FetchError),
    Answer(search::ProviderError),
}

impl Failure {
    /// What goes behind the provider's name.
    fn sentence(&self) -> String {
        match self {
            Self::Fetch(FetchError::Timeout) => "did not answer in time".to_owned(),
            Self::Fetch(FetchError::Denied) => {
                "may not be called: add its address to allowed_outbound_hosts in spin.toml"
                    .to_owned()
            }
            Self::Fetch(FetchError::Unreachable(why)) => format!("could not be reached: {why}"),
            Self::Answer(error) => error.to_string(),
        }
    }
}

async fn ask(
    provider: Provider,
    config: &Config,
    query: &Query,
    deadline: Instant,
    user_agent: &str,
) -> Result<(Vec<Hit>, Vec<Issue>), Failure> {
    let request = search::request(provider, config, query)
        .ok_or(Failure::Answer(search::ProviderError::Nothing))?;
    let mut headers = request.headers;
    headers.push(("user-agent", user_agent.to_owned()));
    let ask = Ask { url: &request.url, headers, body: request.body, limit: |_| ANSWER, deadline };
    let response = fetch::fetch(ask).await.map_err(Failure::Fetch)?;
    let body = String::from_utf8_lossy(&response.body);
    search::parse(provider, response.status, &body).map_err(Failure::Answer)
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
