//! What is looked for, and the request that asks a provider for it.

use std::borrow::Cow;
use std::fmt;
use url::Url;

/// Results that one search may ask for.
pub const MAX_LIMIT: u32 = 50;
/// Sites that a query names for an engine.
const MAX_SITES: usize = 10;
/// Bytes of a query.
pub const MAX_QUERY: usize = 2_000;

/// A secret, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// `None` for an empty text, which means "not set".
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// What the provider is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The words.
    pub text: String,
    /// 1 to [`MAX_LIMIT`].
    pub limit: u32,
    /// Sites that count, each with all that is below its name, in lower case; none: all.
    pub domains: Vec<String>,
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
    ///
    /// # Errors
    /// When it is empty or too long.
    pub fn new(text: &str, limit: u32) -> Result<Self, QueryError> {
        let words: Vec<&str> =
            text.split(|char: char| char.is_whitespace() || char.is_control()).collect();
        let text = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        match text.len() {
            0 => Err(QueryError::Empty),
            length if length > MAX_QUERY => Err(QueryError::TooLong(length)),
            _ => Ok(Self { text, limit: limit.clamp(1, MAX_LIMIT), domains: Vec::new() }),
        }
    }

    /// The same within these sites; none: all.
    #[must_use]
    pub fn within(mut self, domains: impl IntoIterator<Item = String>) -> Self {
        self.domains = domains.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        self
    }

    /// The words with the sites behind them, as search engines read them. Of many the first ones: what an engine
    /// finds elsewhere is left out all the same.
    pub fn with_sites(&self) -> Cow<'_, str> {
        if self.domains.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let sites = self.domains.iter().take(MAX_SITES).map(|name| format!("site:{name}"));
        Cow::Owned(format!("{} {}", self.text, sites.collect::<Vec<_>>().join(" OR ")))
    }

    /// The same for an engine that takes so many words and characters and cuts the rest off: the words make room, and
    /// the sites stay whole. Of many the first ones; a quarter of the room is the words' in any case.
    pub fn with_sites_in(&self, most_words: usize, most: usize) -> String {
        let mut sites = String::new();
        let mut counted = 0;
        for (at, name) in self.domains.iter().take(MAX_SITES).enumerate() {
            let more = format!("{}site:{name}", if at == 0 { "" } else { " OR " });
            let words = counted + if at == 0 { 1 } else { 2 };
            let length = sites.chars().count() + more.chars().count();
            if words > most_words - most_words / 4 || length > most - most / 4 {
                break;
            }
            sites.push_str(&more);
            counted = words;
        }
        let behind = if sites.is_empty() { String::new() } else { format!(" {sites}") };
        let words: Vec<&str> = self.text.split(' ').take(most_words - counted).collect();
        let room = most - behind.chars().count();
        let words: String = words.join(" ").chars().take(room).collect();
        format!("{}{behind}", words.trim_end())
    }

    /// Whether a result counts.
    pub fn admits(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        self.domains.is_empty()
            || self.domains.iter().any(|name| {
                let before = host.strip_suffix(name.as_str());
                before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
            })
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

/// `base` with `path` behind its own path.
pub(crate) fn endpoint(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let joined = format!("{}/{path}", base.path().trim_end_matches('/'));
    url.set_path(&joined);
    url.set_query(None);
    url
}
