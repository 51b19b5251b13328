//! Brave Search: `GET /res/v1/web/search` with the key in `X-Subscription-Token`.

use super::{Access, Row};
use crate::answer::{Parsed, ProviderError, check, found, hits, json};
use crate::query::{Query, Request, endpoint};
use serde_json::Value;

/// What is known of it.
pub static ROW: Row = Row {
    name: "brave",
    url_variable: "brave_base_url",
    url: Some("https://api.search.brave.com"),
    key_variable: Some("brave_api_key"),
    per_minute: Some(60),
    request,
    parse,
};

/// What Brave takes of a query.
const MAX_WORDS: usize = 50;
const MAX_CHARACTERS: usize = 400;

/// Brave gives at most 20 results.
fn request(access: &Access, query: &Query) -> Request {
    let words = query.with_sites_in(MAX_WORDS, MAX_CHARACTERS);
    let mut url = endpoint(&access.url, "res/v1/web/search");
    url.query_pairs_mut()
        .append_pair("q", &words)
        .append_pair("count", &query.limit.min(20).to_string());
    let headers =
        vec![("accept", "application/json".to_owned()), ("x-subscription-token", access.secret())];
    Request { url, headers, body: None }
}

/// Reads `web.results`; an answer without `web` found nothing.
fn parse(status: u16, body: &str) -> Parsed {
    if status == 422 {
        return Err(ProviderError::Key(status));
    }
    check(status, body)?;
    let answer = json(body)?;
    if !answer.is_object() {
        return Err(ProviderError::Malformed);
    }
    let items =
        answer.pointer("/web/results").and_then(Value::as_array).ok_or(ProviderError::Nothing)?;
    let (hits, issues) = hits(items, ["title", "url", "description", ""]);
    found(hits, issues)
}
