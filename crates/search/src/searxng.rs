//! SearXNG: `GET /search?q=…&format=json`. The instance must have `json` among its `search.formats`.

use crate::{
    Hit, Issue, Parsed, ProviderError, Query, Request, check_status, endpoint, hits, json,
};
use serde_json::Value;
use url::Url;

/// Asks for one page; instances give some twenty results.
pub fn request(base: &Url, query: &Query) -> Request {
    let mut url = endpoint(base, "search");
    url.query_pairs_mut().append_pair("q", &query.text).append_pair("format", "json");
    Request { url, headers: vec![("accept", "application/json".to_owned())], body: None }
}

/// Reads `results`; silent engines are an issue.
pub fn parse(status: u16, body: &str) -> Parsed {
    if status == 403 {
        return Err(ProviderError::Status(
            403,
            ": enable `json` in search.formats of the instance's settings",
        ));
    }
    check_status(status)?;
    let answer = json(body)?;
    let items = answer.get("results").and_then(Value::as_array).ok_or(ProviderError::Malformed)?;
    let (found, mut issues): (Vec<Hit>, Vec<Issue>) =
        hits(items, ["title", "url", "content", "score"]);
    issues.extend(silent(&answer));
    if found.is_empty() { Err(ProviderError::Nothing) } else { Ok((found, issues)) }
}

/// `unresponsive_engines`: pairs of an engine and what went wrong.
fn silent(answer: &Value) -> Option<Issue> {
    let engines = answer.get("unresponsive_engines")?.as_array()?;
    let name = |engine: &Value| {
        let pair = engine.as_array()?;
        let (name, why) = (pair.first()?.as_str()?, pair.get(1).and_then(Value::as_str));
        Some(why.map_or_else(|| name.to_owned(), |why| format!("{name} ({why})")))
    };
    let names: Vec<String> = engines.iter().take(20).filter_map(name).collect();
    (!names.is_empty()).then(|| Issue::EnginesSilent(crate::clean(&names.join(", "), 300)))
}
