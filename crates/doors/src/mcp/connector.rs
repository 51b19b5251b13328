//! The pair of tools that a connector for research has: `search` and `fetch`.
//!
//! Border: arguments in, those of the agent's own tools out; their outputs in, the pair's out.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use crate::Refusal;

/// Characters that a query and an id may have.
const MAX_QUERY: usize = 1_000;
const MAX_ID: usize = 8_192;

/// Results that a search gives.
const RESULTS: u32 = 10;

/// The end of a text that is not the whole one, for models: they read nothing else of it. There is no way to read on.
const CUT: &str = "\n\n[The text is cut off here; all of it is at its address alone.]";

/// One of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// `search {query}`.
    Search,
    /// `fetch {id}`. A result's id is its address.
    Fetch,
}

impl Pair {
    /// None for another name.
    pub fn named(name: &str) -> Option<Pair> {
        match name {
            "search" => Some(Pair::Search),
            "fetch" => Some(Pair::Fetch),
            _ => None,
        }
    }

    /// The agent's own tool behind it.
    pub const fn tool(self) -> &'static str {
        match self {
            Pair::Search => "search_web",
            Pair::Fetch => "scrape_web_content",
        }
    }

    /// The arguments of that tool.
    ///
    /// # Errors
    /// [`Refusal`] names what cannot be used.
    pub fn arguments(self, given: &Map<String, Value>) -> Result<Value, Refusal> {
        Ok(match self {
            Pair::Search => {
                let query = Arguments::of(given, &["query"])?.needed::<MAX_QUERY>("query")?;
                json!({ "query": query, "limit": RESULTS })
            }
            Pair::Fetch => {
                json!({ "url": Arguments::of(given, &["id"])?.needed::<MAX_ID>("id")? })
            }
        })
    }

    /// What it gives, by what that tool gave for these arguments.
    pub fn output(self, arguments: &Value, output: &Value) -> Value {
        let text = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        match self {
            Pair::Search => {
                let results = output.get("results").and_then(Value::as_array).into_iter().flatten();
                let result = |result: &Value| {
                    let url = text(result, "url");
                    json!({ "id": url, "title": text(result, "title"), "url": url })
                };
                json!({ "results": results.map(result).collect::<Vec<Value>>() })
            }
            Pair::Fetch => {
                let known = ["author", "date", "language"].into_iter();
                let known =
                    known.filter_map(|name| Some((name.to_owned(), output.get(name)?.clone())));
                let mut metadata: Map<String, Value> = known.collect();
                let mut words = text(output, "content");
                if output.get("truncated").is_some() {
                    words.push_str(CUT);
                    metadata.insert("truncated".to_owned(), "true".into());
                }
                json!({
                    "id": text(arguments, "url"), "title": text(output, "title"),
                    "text": words, "url": text(output, "url"), "metadata": metadata,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("{value}") };
        map
    }

    #[test]
    fn what_is_found_is_fetched_by_its_id() {
        let asked = Pair::Search.arguments(&map(json!({ "query": "x" }))).unwrap();
        assert_eq!(asked, json!({ "query": "x", "limit": 10 }));
        let found =
            json!({ "results": [{ "title": "T", "url": "https://a.example/", "score": 1 }] });
        let found = Pair::Search.output(&asked, &found);
        let first =
            json!({ "id": "https://a.example/", "title": "T", "url": "https://a.example/" });
        assert_eq!(found, json!({ "results": [first] }));
        let asked = Pair::Fetch.arguments(&map(json!({ "id": first["id"] }))).unwrap();
        let page = json!({ "url": "https://a.example/home", "content": "Words.", "date": "2026" });
        let given = Pair::Fetch.output(&asked, &page);
        assert_eq!(given["id"], "https://a.example/");
        assert_eq!(
            (&given["text"], &given["metadata"]),
            (&json!("Words."), &json!({ "date": "2026" }))
        );
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        let asked = Pair::Fetch.arguments(&map(json!({ "id": "https://a.example/" }))).unwrap();
        let page = json!({ "url": "https://a.example/", "content": "Words.", "truncated": true, "originalLength": 9 });
        let given = Pair::Fetch.output(&asked, &page);
        assert_eq!(given["text"], format!("Words.{CUT}"));
        assert_eq!(given["metadata"], json!({ "truncated": "true" }));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (pair, wrong) in [
            (Pair::Search, json!({})),
            (Pair::Search, json!({ "query": " " })),
            (Pair::Search, json!({ "query": "x", "limit": 3 })),
            (Pair::Fetch, json!({ "url": "https://a.example/" })),
        ] {
            assert!(pair.arguments(&map(wrong.clone())).is_err(), "{wrong}");
        }
    }
}
