//! Tavily: `POST /search` with the key as a bearer token. It gives a score of its own.

use crate::{Key, Parsed, ProviderError, Query, Request, check_status, endpoint, hits, json};
use serde_json::Value;
use url::Url;

/// Where it is unless configuration says otherwise.
pub const BASE: &str = "https://api.tavily.com";

/// Tavily gives at most 20 results and takes at most 400 characters.
pub fn request(base: &Url, key: &Key, query: &Query) -> Request {
    let words: String = query.text.chars().take(400).collect();
    let body = serde_json::json!({ "query": words, "max_results": query.limit.min(20), "search_depth": "basic" });
    let headers = vec![
        ("accept", "application/json".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("authorization", format!("Bearer {}", key.expose())),
    ];
    Request { url: endpoint(base, "search"), headers, body: Some(body.to_string()) }
}

/// Reads `results`.
pub fn parse(status: u16, body: &str) -> Parsed {
    check_status(status)?;
    let answer = json(body)?;
    let items = answer.get("results").and_then(Value::as_array).ok_or(ProviderError::Malformed)?;
    let parsed = hits(items, ["title", "url", "content", "score"]);
    if parsed.0.is_empty() { Err(ProviderError::Nothing) } else { Ok(parsed) }
}
