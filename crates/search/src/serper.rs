//! Serper: `POST /search` with the key in `X-API-KEY`. It passes on Google's results.

use crate::{Key, Parsed, ProviderError, Query, Request, check_status, endpoint, hits, json};
use serde_json::Value;
use url::Url;

/// Where it is unless configuration says otherwise.
pub const BASE: &str = "https://google.serper.dev";

/// Asks for as many results as are wanted; more than ten cost more.
pub fn request(base: &Url, key: &Key, query: &Query) -> Request {
    let body = serde_json::json!({ "q": query.text, "num": query.limit });
    let headers = vec![
        ("accept", "application/json".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("x-api-key", key.expose()),
    ];
    Request { url: endpoint(base, "search"), headers, body: Some(body.to_string()) }
}

/// Reads `organic`; advertisements stand in another list, which is not read.
pub fn parse(status: u16, body: &str) -> Parsed {
    check_status(status)?;
    let answer = json(body)?;
    if !answer.is_object() {
        return Err(ProviderError::Malformed);
    }
    let items = answer.get("organic").and_then(Value::as_array).ok_or(ProviderError::Nothing)?;
    let parsed = hits(items, ["title", "link", "snippet", ""]);
    if parsed.0.is_empty() { Err(ProviderError::Nothing) } else { Ok(parsed) }
}
