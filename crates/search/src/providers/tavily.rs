//! Tavily: `POST /search` with the key as a bearer token. It gives a score of its own.

use super::{Access, Row};
use crate::answer::{Parsed, ProviderError, check, found, hits, json};
use crate::query::{Query, Request, endpoint};
use serde_json::Value;

/// What is known of it.
pub static ROW: Row = Row {
    name: "tavily",
    url_variable: "tavily_base_url",
    url: Some("https://api.tavily.com"),
    key_variable: Some("tavily_api_key"),
    per_minute: Some(100),
    request,
    parse,
};

/// Tavily gives at most 20 results and takes at most 400 characters.
fn request(access: &Access, query: &Query) -> Request {
    let words: String = query.text.chars().take(400).collect();
    let mut body = serde_json::json!({ "query": words, "max_results": query.limit.min(20), "search_depth": "basic" });
    if let Some(members) = body.as_object_mut().filter(|_| !query.domains.is_empty()) {
        members.insert("include_domains".to_owned(), query.domains.clone().into());
    }
    let headers = vec![
        ("accept", "application/json".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("authorization", format!("Bearer {}", access.secret())),
    ];
    Request { url: endpoint(&access.url, "search"), headers, body: Some(body.to_string()) }
}

/// Reads `results`.
fn parse(status: u16, body: &str) -> Parsed {
    check(status, body)?;
    let answer = json(body)?;
    let items = answer.get("results").and_then(Value::as_array).ok_or(ProviderError::Malformed)?;
    let (hits, issues) = hits(items, ["title", "url", "content", "score"]);
    found(hits, issues)
}
