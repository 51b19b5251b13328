//! What is said where documents are to be looked into and there are none: `ask` and `run` serve a Quarry of their own,
//! and what was loaded into another stays there.

use anyhow::{Context, Result, ensure};
use http_body_util::BodyExt as _;
use quarry_client::client::Client;
use serde_json::Value;
use xtask::options::places::Places;

/// The collection that a question is asked of which names none.
const DEFAULT: &str = "default";

/// What to do, where the collection that is to be looked into has no document; nothing where it has, or none is looked
/// into. What cannot be found out is not said: the answer tells what became of it.
pub async fn missing(
    url: &str,
    secret: Option<&str>,
    sources: Option<Places>,
    collection: Option<&str>,
    way_out: &str,
) -> Option<String> {
    sources.filter(|sources| sources.has_knowledge())?;
    let collections = collections(url, secret).await.ok()?;
    let collection = collection.unwrap_or(DEFAULT);
    (count(&collections, collection) == 0).then(|| {
        format!("There are no documents in the collection `{collection}` of what is served here; {way_out}.")
    })
}

async fn collections(url: &str, secret: Option<&str>) -> Result<Value> {
    let authorization = secret.map(|secret| format!("Bearer {secret}"));
    let headers: Vec<(&str, &str)> =
        authorization.iter().map(|secret| ("authorization", secret.as_str())).collect();
    let answer = Client::pooled().get(&format!("{url}/knowledge/collections"), &headers).await?;
    ensure!(answer.status().is_success(), "the collections are not told");
    let body = answer.into_body().collect().await?.to_bytes();
    serde_json::from_slice(&body).context("the collections are no JSON")
}

/// How many documents a collection has.
fn count(answer: &Value, collection: &str) -> u64 {
    let collections = answer.get("collections").and_then(Value::as_array).into_iter().flatten();
    let named = |one: &&Value| one.get("name").and_then(Value::as_str) == Some(collection);
    let found = collections.into_iter().find(named);
    found.and_then(|one| one.get("documents")?.as_u64()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_collection_that_is_empty_or_unknown_has_no_documents() {
        let answer = json!({ "collections": [
            { "name": "boats", "documents": 3, "chunks": 9 },
            { "name": "default", "documents": 0, "chunks": 0 },
        ] });
        let counts = ["boats", "default", "maps"].map(|name| count(&answer, name));
        assert_eq!(counts, [3, 0, 0]);
        assert_eq!(count(&Value::Null, "boats"), 0);
    }
}
