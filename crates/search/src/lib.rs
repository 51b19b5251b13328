//! Searching: which providers are asked in which order, what is sent to each, and what its answer says.
//! One file a provider; each makes a request and reads a response, and none sends anything.

pub mod address;
pub mod brave;
pub mod cache;
pub mod duckduckgo;
pub mod fuse;
pub mod rank;
pub mod searxng;
pub mod serper;
pub mod standing;
pub mod tavily;
#[cfg(test)]
mod tests;

use std::fmt;
use url::Url;

/// Results that one search may ask for.
pub const MAX_LIMIT: u32 = 50;
/// Bytes of a query.
pub const MAX_QUERY: usize = 2_000;

/// Who is asked, in the default order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provider {
    /// A SearXNG instance's JSON interface.
    Searxng,
    /// Brave Search.
    Brave,
    /// Tavily.
    Tavily,
    /// Serper, which asks Google.
    Serper,
    /// DuckDuckGo's HTML page, without a key.
    Duckduckgo,
}

impl Provider {
    /// All, in the default order.
    pub const ALL: [Self; 5] =
        [Self::Searxng, Self::Brave, Self::Tavily, Self::Serper, Self::Duckduckgo];

    /// The name in configuration and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Searxng => "searxng",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Serper => "serper",
            Self::Duckduckgo => "duckduckgo",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name().eq_ignore_ascii_case(name))
    }
}

/// A secret, which is never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// `None` for an empty text, which means "not set".
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    fn expose(&self) -> String {
        self.0.clone()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// How each provider is reached. `None` means "not configured"; a base address has its default.
#[derive(Debug, Clone)]
pub struct Config {
    /// The SearXNG instance.
    pub searxng_url: Option<Url>,
    /// Brave's key.
    pub brave_key: Option<Key>,
    /// Brave's base address.
    pub brave_url: Url,
    /// Tavily's key.
    pub tavily_key: Option<Key>,
    /// Tavily's base address.
    pub tavily_url: Url,
    /// Serper's key.
    pub serper_key: Option<Key>,
    /// Serper's base address.
    pub serper_url: Url,
    /// DuckDuckGo's base address.
    pub duckduckgo_url: Url,
    /// Who is asked, in this order.
    pub order: Vec<Provider>,
}

/// What the provider is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The words.
    pub text: String,
    /// 1 to [`MAX_LIMIT`].
    pub limit: u32,
}

/// A query that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// Nothing to look for.
    #[error("the query is empty; give a few words")]
    Empty,
    /// Longer than [`MAX_QUERY`].
    #[error("the query has {0} bytes; at most {MAX_QUERY} are sent")]
    TooLong(usize),
}

impl Query {
    /// Cleans and checks a query; the limit is clamped.
    pub fn new(text: &str, limit: u32) -> Result<Self, QueryError> {
        let words: Vec<&str> =
            text.split(|char: char| char.is_whitespace() || char.is_control()).collect();
        let text = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        match text.len() {
            0 => Err(QueryError::Empty),
            length if length > MAX_QUERY => Err(QueryError::TooLong(length)),
            _ => Ok(Self { text, limit: limit.clamp(1, MAX_LIMIT) }),
        }
    }
}

/// A request for a provider. Headers may hold a key, so they are not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// Where to.
    pub url: Url,
    /// Besides the user agent.
    pub headers: Vec<(&'static str, String)>,
    /// Sent with POST; without one it is a GET.
    pub body: Option<String>,
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| *name).collect();
        formatter
            .debug_struct("Request")
            .field("host", &self.url.host_str())
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}

/// What a provider found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hit {
    /// Plain text.
    pub title: String,
    /// As the provider gives it.
    pub url: String,
    /// Plain text.
    pub description: String,
    /// The provider's own figure.
    pub provider_score: Option<f64>,
}

/// Something in an answer that could not be used; the rest was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Issue {
    /// A result without an address that can be read.
    #[error("result {0} has no usable address")]
    NoAddress(usize),
    /// A result without a title; its address stands in.
    #[error("result {0} has no title")]
    NoTitle(usize),
    /// Engines behind the provider did not answer.
    #[error("these engines did not answer: {0}")]
    EnginesSilent(String),
}

/// Why a provider's answer gives nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The key is missing a right, or wrong.
    #[error("refused the key (status {0}); check it in the configuration")]
    Key(u16),
    /// Too many requests.
    #[error("limits the rate of requests (status 429)")]
    RateLimited,
    /// A page that asks for a human instead of results.
    #[error("blocks automatic requests from this address")]
    Blocked,
    /// Another status.
    #[error("answered with status {0}{1}")]
    Status(u16, &'static str),
    /// Not the format that is documented.
    #[error("answered in a form that is not understood")]
    Malformed,
    /// An answer without a result.
    #[error("found nothing")]
    Nothing,
}

/// What an answer says.
pub type Parsed = Result<(Vec<Hit>, Vec<Issue>), ProviderError>;

/// Reads `search_providers`: a comma list, empty for the default order. Names that are not known come back beside it.
pub fn order(list: &str) -> (Vec<Provider>, Vec<String>) {
    let (mut order, mut unknown) = (Vec::new(), Vec::new());
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match Provider::from_name(name) {
            Some(provider) if !order.contains(&provider) => order.push(provider),
            Some(_) => {}
            None => unknown.push(name.to_owned()),
        }
    }
    if order.is_empty() && unknown.is_empty() {
        order.extend(Provider::ALL);
    }
    (order, unknown)
}

/// The providers to ask, in order: those that are configured.
pub fn plan(config: &Config) -> Vec<Provider> {
    let configured = |provider: &Provider| match provider {
        Provider::Searxng => config.searxng_url.is_some(),
        Provider::Brave => config.brave_key.is_some(),
        Provider::Tavily => config.tavily_key.is_some(),
        Provider::Serper => config.serper_key.is_some(),
        Provider::Duckduckgo => true,
    };
    config.order.iter().copied().filter(configured).collect()
}

/// The request for a provider; `None` when it is not configured.
pub fn request(provider: Provider, config: &Config, query: &Query) -> Option<Request> {
    match provider {
        Provider::Searxng => config.searxng_url.as_ref().map(|url| searxng::request(url, query)),
        Provider::Brave => {
            config.brave_key.as_ref().map(|key| brave::request(&config.brave_url, key, query))
        }
        Provider::Tavily => {
            config.tavily_key.as_ref().map(|key| tavily::request(&config.tavily_url, key, query))
        }
        Provider::Serper => {
            config.serper_key.as_ref().map(|key| serper::request(&config.serper_url, key, query))
        }
        Provider::Duckduckgo => Some(duckduckgo::request(&config.duckduckgo_url, query)),
    }
}

/// Reads a provider's answer.
pub fn parse(provider: Provider, status: u16, body: &str) -> Parsed {
    match provider {
        Provider::Searxng => searxng::parse(status, body),
        Provider::Brave => brave::parse(status, body),
        Provider::Tavily => tavily::parse(status, body),
        Provider::Serper => serper::parse(status, body),
        Provider::Duckduckgo => duckduckgo::parse(status, body),
    }
}

/// How long one provider may take: the rest of the time for the last one, half of it for the
/// others, so that one that hangs leaves time for the next.
pub fn attempt_ms(remaining_ms: u64, providers_left: usize) -> u64 {
    if providers_left <= 1 { remaining_ms } else { (remaining_ms / 2).max(1_000).min(remaining_ms) }
}

/// `base` with `path` behind its own path.
fn endpoint(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let joined = format!("{}/{path}", base.path().trim_end_matches('/'));
    url.set_path(&joined);
    url.set_query(None);
    url
}

/// The errors that statuses mean with every provider.
fn check_status(status: u16) -> Result<(), ProviderError> {
    match status {
        200..=299 => Ok(()),
        401 | 403 => Err(ProviderError::Key(status)),
        402 | 432 | 433 => Err(ProviderError::Status(status, ": its credit or plan is used up")),
        429 => Err(ProviderError::RateLimited),
        500..=599 => Err(ProviderError::Status(status, ": trouble on its side")),
        other => Err(ProviderError::Status(other, "")),
    }
}

/// Reads a list of results whose fields have these names.
fn hits(items: &[serde_json::Value], fields: [&str; 4]) -> (Vec<Hit>, Vec<Issue>) {
    let [title, url, description, score] = fields;
    let (mut hits, mut issues) = (Vec::new(), Vec::new());
    for (at, item) in items.iter().take(200).enumerate() {
        let text = |name: &str| {
            item.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().trim()
        };
        if text(url).is_empty() {
            issues.push(Issue::NoAddress(at + 1));
            continue;
        }
        if text(title).is_empty() {
            issues.push(Issue::NoTitle(at + 1));
        }
        hits.push(Hit {
            title: clean(text(title), 300),
            url: text(url).to_owned(),
            description: clean(text(description), 1_000),
            provider_score: item
                .get(score)
                .and_then(serde_json::Value::as_f64)
                .filter(|score| score.is_finite()),
        });
    }
    (hits, issues)
}

/// Text of a provider without tags and entities, at most `limit` bytes.
fn clean(text: &str, limit: usize) -> String {
    let mut plain = text.to_owned();
    if text.contains(['<', '&']) {
        plain = quarry_pages::html::parse(text).flat_text_all(limit.saturating_mul(2));
    }
    let flat = plain
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty());
    quarry_pages::metadata::shorten(&flat.collect::<Vec<_>>().join(" "), limit)
}

fn json(body: &str) -> Result<serde_json::Value, ProviderError> {
    serde_json::from_str(body.trim_start_matches('\u{feff}')).map_err(|_| ProviderError::Malformed)
}
