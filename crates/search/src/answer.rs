//! What providers' answers have in common: hits, what could not be used, and why there is none.

use serde_json::Value;

/// Results of one answer that are read.
const MAX_HITS: usize = 200;

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
    /// Another status, with what the provider says of it.
    #[error("answered with status {0}: {1}")]
    Told(u16, String),
    /// Not the format that is documented.
    #[error("answered in a form that is not understood")]
    Malformed,
    /// An answer without a result.
    #[error("found nothing")]
    Nothing,
    /// An answer without a result, of a provider whose engines did not all answer it.
    #[error("found nothing, but these of its engines did not answer: {0}")]
    Silent(String),
}

impl ProviderError {
    /// Whether the provider wants to be left alone for a while.
    pub fn is_block(&self) -> bool {
        matches!(self, Self::RateLimited | Self::Blocked)
    }
}

/// What an answer says.
pub type Parsed = Result<(Vec<Hit>, Vec<Issue>), ProviderError>;

/// The errors that statuses mean with every provider.
pub(crate) fn check_status(status: u16) -> Result<(), ProviderError> {
    match status {
        200..=299 => Ok(()),
        401 | 403 => Err(ProviderError::Key(status)),
        402 | 432 | 433 => Err(ProviderError::Status(status, ": its credit or plan is used up")),
        429 => Err(ProviderError::RateLimited),
        500..=599 => Err(ProviderError::Status(status, ": trouble on its side")),
        other => Err(ProviderError::Status(other, "")),
    }
}

/// The same, with what a provider says itself of a request that it does not like.
pub(crate) fn check(status: u16, body: &str) -> Result<(), ProviderError> {
    match check_status(status) {
        Err(ProviderError::Status(400..=499, "")) => Err(told(body)
            .map_or(ProviderError::Status(status, ""), |told| ProviderError::Told(status, told))),
        checked => checked,
    }
}

/// Letters of a word that may be a key.
const KEY: usize = 20;

/// The message of an error, without what may be a key.
fn told(body: &str) -> Option<String> {
    let body = json(body).ok()?;
    let message = ["/message", "/detail", "/error", "/error/message", "/error/detail"]
        .iter()
        .find_map(|place| body.pointer(place)?.as_str())?;
    let words: Vec<&str> =
        message.split_whitespace().filter(|word| word.chars().count() < KEY).collect();
    let told = clean(&words.join(" "), 200);
    (!told.is_empty()).then_some(told)
}

/// Reads a list of results whose title, address, description and score have these names.
pub(crate) fn hits(items: &[Value], fields: [&str; 4]) -> (Vec<Hit>, Vec<Issue>) {
    let [title, url, description, score] = fields;
    let (mut hits, mut issues) = (Vec::new(), Vec::new());
    for (at, item) in items.iter().take(MAX_HITS).enumerate() {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().trim();
        if text(url).is_empty() {
            issues.push(Issue::NoAddress(at + 1));
            continue;
        }
        if text(title).is_empty() {
            issues.push(Issue::NoTitle(at + 1));
        }
        let score = item.get(score).and_then(Value::as_f64);
        hits.push(Hit {
            title: clean(text(title), 300),
            url: text(url).to_owned(),
            description: clean(text(description), 1_000),
            provider_score: score.filter(|score| score.is_finite()),
        });
    }
    (hits, issues)
}

/// An answer with hits; without one it found nothing.
pub(crate) fn found(hits: Vec<Hit>, issues: Vec<Issue>) -> Parsed {
    if hits.is_empty() { Err(ProviderError::Nothing) } else { Ok((hits, issues)) }
}

/// Text of a provider without tags and entities, at most `limit` bytes.
pub(crate) fn clean(text: &str, limit: usize) -> String {
    let mut plain = text.to_owned();
    if text.contains(['<', '&']) {
        plain = quarry_pages::html::parse(text).flat_text_all(limit.saturating_mul(2));
    }
    let flat = plain
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty());
    quarry_pages::metadata::shorten(&flat.collect::<Vec<_>>().join(" "), limit)
}

pub(crate) fn json(body: &str) -> Result<Value, ProviderError> {
    serde_json::from_str(body.trim_start_matches('\u{feff}')).map_err(|_| ProviderError::Malformed)
}
