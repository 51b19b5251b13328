//! The agent's tools, called one at a time by a host.
//!
//! Border: names and arguments in, results out. Whether arguments fit is for the tool to say, but for what it has only
//! within a research.

use serde_json::{Map, Value, json};

use super::connector::Pair;
use super::era::Version;
use super::message::Id;
use super::reply;
use crate::{Refusal, Reply};

/// A call of one of the agent's tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Single {
    /// The name by which the agent's own model calls it.
    pub tool: &'static str,
    /// A JSON object as a text.
    pub arguments: String,
    id: Id,
    version: Version,
    /// What the output is made into.
    pair: Option<(Pair, Value)>,
}

impl Single {
    /// Of a connector's pair; none where there is no such tool.
    ///
    /// # Errors
    /// [`Refusal`] names what cannot be used.
    pub(super) fn of_pair(
        name: &str,
        arguments: &Map<String, Value>,
        id: &Id,
        version: Version,
    ) -> Option<Result<Single, Refusal>> {
        let pair = Pair::named(name)?;
        Some(pair.arguments(arguments).map(|given| Single {
            tool: pair.tool(),
            arguments: given.to_string(),
            id: id.clone(),
            version,
            pair: Some((pair, given)),
        }))
    }

    /// None where there is no such tool.
    ///
    /// # Errors
    /// [`Refusal`] for what only a research can have: a digest is written by a model that somebody has to pay.
    pub(super) fn read(
        name: &str,
        arguments: &Map<String, Value>,
        id: &Id,
        version: Version,
    ) -> Option<Result<Single, Refusal>> {
        let tool = match name {
            "search_web" => "search_web",
            "read_page" => "scrape_web_content",
            "run_javascript" => "execute_javascript",
            "search_knowledge" => "search_knowledge",
            _ => return None,
        };
        if arguments.contains_key(DIGEST) {
            let wants = "is not for a single search; call research for a digest of what is found";
            return Some(Err(Refusal::field(DIGEST, wants)));
        }
        let arguments = json!(arguments).to_string();
        Some(Ok(Single { tool, arguments, id: id.clone(), version, pair: None }))
    }

    /// The answer, by what the tool gave and why nothing came of it.
    #[must_use]
    pub fn reply(&self, output: &str, failure: Option<&str>) -> Reply {
        if let (Some((pair, given)), Ok(output), None) =
            (&self.pair, serde_json::from_str(output), failure)
        {
            return self.result(&pair.output(given, &output).to_string(), None);
        }
        self.result(output, failure)
    }

    fn result(&self, output: &str, failure: Option<&str>) -> Reply {
        let text = failure.unwrap_or(output);
        let mut result = json!({ "content": [{ "type": "text", "text": text }] });
        if let Some(given) = result.as_object_mut() {
            if self.version >= Version::June2025
                && let Ok(output @ Value::Object(_)) = serde_json::from_str(output)
            {
                given.insert("structuredContent".to_owned(), output);
            }
            given.insert("isError".to_owned(), failure.is_some().into());
        }
        reply::result(&self.id, self.version, result)
    }
}

/// The argument of a search that only a research has.
const DIGEST: &str = "generate_summary";
