//! Serper: `POST /search` with the key in `X-API-KEY`. It passes on Google's results.

use super::{Access, Row};
use crate::answer::{Parsed, ProviderError, check, found, hits, json};
use crate::query::{Query, Request, endpoint};
use serde_json::Value;

/// What is known of it.
pub static ROW: Row = Row {
    name: "serper",
    url_variable: "serper_base_url",
    url: Some("https://google.serper.dev"),
    key_variable: Some("serper_api_key"),
    per_minute: Some(300),
    request,
    parse,
};

/// Asks for as many results as are wanted; more than ten cost more.
fn request(access: &Access, query: &Query) -> Request {
    let body = serde_json::json!({ "q": query.with_sites(), "num": query.limit });
    let headers = vec![
        ("accept", "application/json".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("x-api-key", access.secret()),
    ];
    Request { url: endpoint(&access.url, "search"), headers, body: Some(body.to_string()) }
}

/// Reads `organic`; advertisements stand in another list, which is not read.
fn parse(status: u16, body: &str) -> Parsed {
    check(status, body)?;
    let answer = json(body)?;
    if !answer.is_object() {
        return Err(ProviderError::Malformed);
    }
    let items = answer.get("organic").and_then(Value::as_array).ok_or(ProviderError::Nothing)?;
    let (hits, issues) = hits(items, ["title", "link", "snippet", ""]);
    found(hits, issues)
}
