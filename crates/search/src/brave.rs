//! Brave Search: `GET /res/v1/web/search` with the key in `X-Subscription-Token`.

use crate::{Key, Parsed, ProviderError, Query, Request, check_status, endpoint, hits, json};
use serde_json::Value;
use url::Url;

/// Where it is unless configuration says otherwise.
pub const BASE: &str = "https://api.search.brave.com";

/// Brave gives at most 20 results and takes at most 400 characters and 50 words.
pub fn request(base: &Url, key: &Key, query: &Query) -> Request {
    let words: String =
        query.text.split(' ').take(50).collect::<Vec<_>>().join(" ").chars().take(400).collect();
    let mut url = endpoint(base, "res/v1/web/search");
    url.query_pairs_mut()
        .append_pair("q", &words)
        .append_pair("count", &query.limit.min(20).to_string());
    let headers =
        vec![("accept", "application/json".to_owned()), ("x-subscription-token", key.expose())];
    Request { url, headers, body: None }
}

/// Reads `web.results`; an answer without `web` found nothing.
pub fn parse(status: u16, body: &str) -> Parsed {
    if status == 422 {
        return Err(ProviderError::Key(status));
    }
    check_status(status)?;
    let answer = json(body)?;
    if !answer.is_object() {
        return Err(ProviderError::Malformed);
    }
    let items =
        answer.pointer("/web/results").and_then(Value::as_array).ok_or(ProviderError::Nothing)?;
    let parsed = hits(items, ["title", "url", "description", ""]);
    if parsed.0.is_empty() { Err(ProviderError::Nothing) } else { Ok(parsed) }
}
