//! Asks search providers: the first ones at once when results are fused, then one after the other
//! until one answers.
//! Border: who is asked, who has to wait, and what an answer says is decided in `quarry_search`.

use crate::bindings::search::SearchError;
use crate::config::SearchConfig;
use crate::fetch::{self, Ask};
use futures::future::join_all;
use quarry_rim::clock;
use quarry_rim::http::HttpError;
use quarry_rim::store::Store;
use quarry_search::cache::Found;
use quarry_search::rank::{self, Ranked};
use quarry_search::standing::{self, Standing, Wait};
use quarry_search::{self as search, Hit, Issue, Provider, ProviderError, Query, fuse};
use std::time::{Duration, Instant};

/// Bytes of a provider's answer.
const ANSWER: usize = 2 * 1024 * 1024;

/// A search, and what it is done with.
pub struct Asked<'a> {
    pub config: &'a SearchConfig,
    pub query: &'a Query,
    pub deadline: Instant,
    pub user_agent: &'a str,
    /// Where the providers' standing is kept.
    pub store: Option<&'a Store>,
}

impl Asked<'_> {
    /// What the first providers that answer find, with a sentence for each thing that went wrong.
    pub async fn in_order(&self, plan: &[Provider]) -> Result<Found, SearchError> {
        if plan.is_empty() {
            let why = "no search provider is configured: set searxng_url, brave_api_key, tavily_api_key or serper_api_key, \
                       or let search_providers name duckduckgo";
            return Err(SearchError::NotConfigured(why.to_owned()));
        }
        let mut notes = Vec::new();
        let mut found_nothing = None;
        let mut left = plan;
        let mut size = self.config.fusion;
        while !left.is_empty() && Instant::now() < self.deadline {
            let (group, rest) = left.split_at(size.min(left.len()));
            let until = self.until(left.len());
            let outcomes = join_all(group.iter().map(|provider| self.ask(*provider, until))).await;
            let mut lists = Vec::new();
            for (provider, outcome) in group.iter().zip(outcomes) {
                match outcome {
                    Ok((hits, issues)) => {
                        let name = provider.name();
                        notes.extend(issues.iter().map(|issue| format!("{name}: {issue}")));
                        lists.push((*provider, self.rank(hits)));
                    }
                    Err(why) => {
                        if matches!(why, Failure::Answer(ProviderError::Nothing)) {
                            found_nothing.get_or_insert(*provider);
                        }
                        notes.push(format!("{} {}", provider.name(), why.sentence()));
                    }
                }
            }
            if !lists.is_empty() {
                let names: Vec<&str> = lists.iter().map(|(provider, _)| provider.name()).collect();
                let provider = names.join("+");
                return Ok(Found { provider, results: fuse::fuse(lists, self.query.limit), notes });
            }
            (left, size) = (rest, 1);
        }
        match found_nothing {
            // To find nothing is an answer, when nobody after it knew better.
            Some(provider) => {
                let provider = provider.name().to_owned();
                Ok(Found { provider, results: Vec::new(), notes })
            }
            None if self.deadline <= Instant::now() => Err(SearchError::Timeout),
            None => Err(SearchError::AllFailed(notes)),
        }
    }

    fn rank(&self, hits: Vec<Hit>) -> Vec<Ranked> {
        rank::rank(hits, &self.query.text, self.query.limit)
    }

    /// How long the next provider may take, with so many left.
    fn until(&self, left: usize) -> Instant {
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        let milliseconds = u64::try_from(remaining.as_millis()).unwrap_or(u64::MAX);
        Instant::now() + Duration::from_millis(search::attempt_ms(milliseconds, left))
    }

    /// Asks one, if it may be asked now.
    async fn ask(
        &self,
        provider: Provider,
        until: Instant,
    ) -> Result<(Vec<Hit>, Vec<Issue>), Failure> {
        let before = self.standing(provider).await;
        let mut standing = before.clone();
        let limit = self.config.limits.of(provider);
        standing.admit(limit, clock::unix_milliseconds()).map_err(Failure::Wait)?;
        // Written before the answer comes: others ask meanwhile.
        if limit.is_some() {
            self.keep(provider, &standing).await;
        }
        let (outcome, retry_after) = self.exchange(provider, until).await;
        let asked = standing.clone();
        match &outcome {
            Err(Failure::Answer(ProviderError::RateLimited | ProviderError::Blocked)) => {
                standing.blocked(retry_after, clock::unix_milliseconds());
            }
            Ok(_) | Err(Failure::Answer(ProviderError::Nothing)) => standing.answered(),
            Err(_) => {}
        }
        if standing != asked {
            self.keep(provider, &standing).await;
        }
        outcome
    }

    /// What a provider says, and for how many seconds it wants to be left alone.
    async fn exchange(
        &self,
        provider: Provider,
        deadline: Instant,
    ) -> (Result<(Vec<Hit>, Vec<Issue>), Failure>, Option<u64>) {
        let Some(request) = search::request(provider, &self.config.providers, self.query) else {
            return (Err(Failure::Answer(ProviderError::Nothing)), None);
        };
        let mut headers = request.headers;
        headers.push(("user-agent", self.user_agent.to_owned()));
        let limit = |_: &str| ANSWER;
        let ask = Ask { url: &request.url, headers, body: request.body, limit, deadline };
        match fetch::fetch(ask).await {
            Ok(response) => {
                let retry_after = response.header("retry-after").trim().parse().ok();
                let body = String::from_utf8_lossy(&response.body);
                let parsed = search::parse(provider, response.status, &body);
                (parsed.map_err(Failure::Answer), retry_after)
            }
            Err(error) => (Err(Failure::Fetch(error)), None),
        }
    }

    async fn standing(&self, provider: Provider) -> Standing {
        let Some(store) = self.store else { return Standing::default() };
        let bytes = store.get(&standing::key(provider)).await.ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    async fn keep(&self, provider: Provider, standing: &Standing) {
        if let (Some(store), Ok(bytes)) = (self.store, serde_json::to_vec(standing)) {
            // What cannot be kept is forgotten: the provider will say it again.
            _ = store.set(&standing::key(provider), &bytes).await;
        }
    }
}

enum Failure {
    Wait(Wait),
    Fetch(HttpError),
    Answer(ProviderError),
}

impl Failure {
    /// What goes behind the provider's name.
    fn sentence(&self) -> String {
        match self {
            Self::Wait(wait) => wait.to_string(),
            Self::Fetch(error) if error.is_timeout() => "did not answer in time".to_owned(),
            Self::Fetch(HttpError::Denied) => {
                "may not be called: add its address to allowed_outbound_hosts in spin.toml"
                    .to_owned()
            }
            Self::Fetch(error) => format!("could not be reached: {error}"),
            Self::Answer(error) => error.to_string(),
        }
    }
}
