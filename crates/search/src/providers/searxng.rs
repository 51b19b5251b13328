//! SearXNG: `GET /search?q=…&format=json`. The instance must have `json` among its `search.formats`.

use super::{Access, Row};
use crate::answer::{Issue, Parsed, ProviderError, check_status, clean, found, hits, json};
use crate::query::{Query, Request, endpoint};
use serde_json::Value;

/// What is known of it.
pub static ROW: Row = Row {
    name: "searxng",
    url_variable: "searxng_url",
    url: None,
    key_variable: None,
    per_minute: None,
    request,
    parse,
};

/// Asks for one page; instances give some twenty results.
fn request(access: &Access, query: &Query) -> Request {
    let mut url = endpoint(&access.url, "search");
    url.query_pairs_mut().append_pair("q", &query.with_sites()).append_pair("format", "json");
    Request { url, headers: vec![("accept", "application/json".to_owned())], body: None }
}

/// Reads `results`; silent engines are an issue, and where there is no result, the reason.
fn parse(status: u16, body: &str) -> Parsed {
    if status == 403 {
        return Err(ProviderError::Status(
            403,
            ": enable `json` in search.formats of the instance's settings",
        ));
    }
    check_status(status)?;
    let answer = json(body)?;
    let items = answer.get("results").and_then(Value::as_array).ok_or(ProviderError::Malformed)?;
    let (hits, mut issues) = hits(items, ["title", "url", "content", "score"]);
    match silent(&answer) {
        Some(engines) if hits.is_empty() => return Err(ProviderError::Silent(engines)),
        engines => issues.extend(engines.map(Issue::EnginesSilent)),
    }
    found(hits, issues)
}

/// `unresponsive_engines`: pairs of an engine and what went wrong.
fn silent(answer: &Value) -> Option<String> {
    let engines = answer.get("unresponsive_engines")?.as_array()?;
    let name = |engine: &Value| {
        let pair = engine.as_array()?;
        let (name, why) = (pair.first()?.as_str()?, pair.get(1).and_then(Value::as_str));
        Some(why.map_or_else(|| name.to_owned(), |why| format!("{name} ({why})")))
    };
    let names: Vec<String> = engines.iter().take(20).filter_map(name).collect();
    (!names.is_empty()).then(|| clean(&names.join(", "), 300))
}
