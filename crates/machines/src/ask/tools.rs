//! The tools: what models are told of them, which calls are accepted, what comes back.
//!
//! Names and parameters are a stable contract (reference section 6).

use super::config::Sources;
use crate::json;
use crate::json::put;
use quarry_types::{ToolCall, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The largest program that is accepted, in characters.
const MAX_CODE: u64 = 1_048_576;

/// A tool that can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolName {
    /// Searches the web.
    SearchWeb,
    /// Reads one page.
    ScrapeWebContent,
    /// Runs a small program.
    ExecuteJavascript,
}

impl ToolName {
    /// Every tool.
    pub const ALL: [ToolName; 3] =
        [ToolName::SearchWeb, ToolName::ScrapeWebContent, ToolName::ExecuteJavascript];

    /// The name that models use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ToolName::SearchWeb => "search_web",
            ToolName::ScrapeWebContent => "scrape_web_content",
            ToolName::ExecuteJavascript => "execute_javascript",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            ToolName::SearchWeb => {
                "Search the web. Returns titles, addresses and descriptions; with load_content also the pages' text, with generate_summary also a digest."
            }
            ToolName::ScrapeWebContent => "Read one web page and return its main text.",
            ToolName::ExecuteJavascript => {
                "Run a small JavaScript program without network, files or timers. Returns what it prints with console.log, or the value of its last expression."
            }
        }
    }

    fn parameters(self) -> Value {
        let timeout = |most: u32, default: u32| {
            json!({
                "type": "integer", "minimum": 1, "maximum": most, "default": default,
                "description": "Seconds"
            })
        };
        let (properties, required) = match self {
            ToolName::SearchWeb => (
                json!({
                    "query": { "type": "string", "minLength": 1, "maxLength": 1000, "description": "What to search for" },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 3, "description": "Results wanted" },
                    "timeout": timeout(60, 15),
                    "load_content": { "type": "boolean", "description": "Also read the pages found" },
                    "generate_summary": { "type": "boolean", "description": "Also digest the results" }
                }),
                "query",
            ),
            ToolName::ScrapeWebContent => (
                json!({
                    "url": { "type": "string", "minLength": 1, "maxLength": 8192, "description": "The page's address" },
                    "timeout": timeout(60, 15)
                }),
                "url",
            ),
            ToolName::ExecuteJavascript => (
                json!({
                    "code": { "type": "string", "minLength": 1, "maxLength": MAX_CODE, "description": "The program" },
                    "timeout": timeout(10, 5)
                }),
                "code",
            ),
        };
        json!({
            "type": "object",
            "properties": properties,
            "required": [required],
            "additionalProperties": false
        })
    }

    /// What models are told.
    #[must_use]
    pub fn spec(self) -> &'static ToolSpec {
        let [search, scrape, script] = &*SPECS;
        match self {
            ToolName::SearchWeb => search,
            ToolName::ScrapeWebContent => scrape,
            ToolName::ExecuteJavascript => script,
        }
    }

    const fn needs_web(self) -> bool {
        matches!(self, ToolName::SearchWeb | ToolName::ScrapeWebContent)
    }
}

/// Built once: schemas are many small values, and every iteration needs them.
static SPECS: LazyLock<[ToolSpec; 3]> = LazyLock::new(|| {
    ToolName::ALL.map(|tool| ToolSpec {
        name: tool.as_str().to_owned(),
        description: tool.description().to_owned(),
        parameters: tool.parameters(),
    })
});

/// The tools on offer for these sources.
#[must_use]
pub fn on_offer(sources: Sources) -> Vec<ToolName> {
    ToolName::ALL.into_iter().filter(|tool| sources.web || !tool.needs_web()).collect()
}

/// A call that was accepted: what to run, with every parameter known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum Job {
    /// Search the web.
    SearchWeb {
        /// What for.
        query: String,
        /// 1 to 50.
        limit: u32,
        /// Seconds, 1 to 60.
        timeout: u32,
        /// Whether to read the pages found.
        load_content: bool,
        /// Whether a model digests the results.
        generate_summary: bool,
    },
    /// Read a page.
    ScrapeWebContent {
        /// Its address.
        url: String,
        /// Seconds, 1 to 60.
        timeout: u32,
    },
    /// Run a program.
    ExecuteJavascript {
        /// The program.
        code: String,
        /// Seconds, 1 to 10.
        timeout: u32,
    },
}

/// A call as read: its arguments for events, and the job or the sentences that refuse it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadCall {
    /// The arguments as far as they could be read; an object.
    pub arguments: Value,
    /// What to run, or why not.
    pub job: Result<Job, String>,
}

/// Reads a call against the tools on offer.
#[must_use]
pub fn read_call(call: &ToolCall, offered: &[ToolName]) -> ReadCall {
    let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
    let Some(arguments) = json::read_whole(text) else {
        let job = Err("the arguments are not one whole JSON object".to_owned());
        return ReadCall { arguments: json!({}), job };
    };
    let Some(tool) = offered.iter().find(|tool| tool.as_str() == call.name) else {
        let names: Vec<&str> = offered.iter().map(|tool| tool.as_str()).collect();
        let job =
            Err(format!("there is no tool \"{}\"; there are {}", call.name, names.join(", ")));
        return ReadCall { arguments, job };
    };
    let job = json::check(&tool.spec().parameters, &arguments)
        .map(|accepted| job(*tool, &accepted))
        .map_err(|problems| problems.join("; "));
    ReadCall { arguments, job }
}

fn job(tool: ToolName, accepted: &Map<String, Value>) -> Job {
    let text =
        |name: &str| accepted.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let flag = |name: &str| accepted.get(name).and_then(Value::as_bool).unwrap_or_default();
    let number = |name: &str, default: u32| {
        accepted
            .get(name)
            .and_then(Value::as_u64)
            .and_then(|given| u32::try_from(given).ok())
            .unwrap_or(default)
    };
    match tool {
        ToolName::SearchWeb => Job::SearchWeb {
            query: text("query"),
            limit: number("limit", 3),
            timeout: number("timeout", 15),
            load_content: flag("load_content"),
            generate_summary: flag("generate_summary"),
        },
        ToolName::ScrapeWebContent => {
            Job::ScrapeWebContent { url: text("url"), timeout: number("timeout", 15) }
        }
        ToolName::ExecuteJavascript => {
            Job::ExecuteJavascript { code: text("code"), timeout: number("timeout", 5) }
        }
    }
}

/// Characters of a tool's name that providers allow.
const NAME_CHARACTERS: usize = 64;

/// A call as later requests carry it. Providers refuse a whole conversation for a name or for
/// arguments in it that are malformed, even where the model wrote them.
#[must_use]
pub fn presentable(call: &ToolCall) -> ToolCall {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let allowed = |c: char| if is_allowed(c) { c } else { '_' };
    let mut name: String = call.name.chars().map(allowed).take(NAME_CHARACTERS).collect();
    if name.is_empty() {
        name.push('_');
    }
    let arguments = match serde_json::from_str::<Map<String, Value>>(&call.arguments) {
        Ok(_) => call.arguments.clone(),
        Err(_) => json::read_whole(&call.arguments).unwrap_or_else(|| json!({})).to_string(),
    };
    ToolCall { id: call.id.clone(), name, arguments }
}

/// A tool output that says why there is none.
#[must_use]
pub fn refusal(message: &str) -> String {
    json!({ "error": message }).to_string()
}

/// Keeps a search output in bounds: above the limit, half of the results stay, their long
/// fields are cut, and the output is marked as truncated. Repeats until it fits.
#[must_use]
pub fn bound_search_output(mut output: Value, limit: u64, content_characters: usize) -> Value {
    let mut characters = content_characters;
    while quarry_types::tokens::estimate(&output.to_string()) > limit && characters > 100 {
        let Some(results) = output.get_mut("results").and_then(Value::as_array_mut) else { break };
        if results.len() > 1 {
            results.truncate(results.len().div_ceil(2));
        }
        for result in results {
            for (field, most) in [("content", characters), ("description", 500)] {
                if let Some(text) = result.get(field).and_then(Value::as_str) {
                    let shorter = super::text::cut(text, most);
                    if shorter.len() < text.len() {
                        put(result, field, Value::String(shorter));
                        put(result, "truncated", Value::Bool(true));
                    }
                }
            }
        }
        put(&mut output, "truncated", Value::Bool(true));
        characters /= 2;
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: "c1".into(), name: name.into(), arguments: arguments.into() }
    }

    #[test]
    fn every_schema_forbids_other_properties() {
        for tool in ToolName::ALL {
            assert_eq!(tool.spec().parameters["additionalProperties"], false);
        }
    }

    #[test]
    fn defaults_and_clamps_are_the_contracts() {
        let read = read_call(&call("search_web", r#"{"query":"x","limit":99}"#), &ToolName::ALL);
        assert_eq!(
            read.job,
            Ok(Job::SearchWeb {
                query: "x".into(),
                limit: 50,
                timeout: 15,
                load_content: false,
                generate_summary: false
            })
        );
        let read = read_call(&call("execute_javascript", r#"{"code":"1"}"#), &ToolName::ALL);
        assert_eq!(read.job, Ok(Job::ExecuteJavascript { code: "1".into(), timeout: 5 }));
    }

    #[test]
    fn a_call_that_does_not_fit_says_what_is_wrong() {
        let extra = read_call(&call("search_web", r#"{"query":"x","count":3}"#), &ToolName::ALL);
        assert!(extra.job.unwrap_err().contains("unknown property \"count\""));
        let invented = read_call(&call("browse", "{}"), &ToolName::ALL);
        assert!(invented.job.unwrap_err().contains("there is no tool \"browse\""));
        let broken = read_call(&call("search_web", "query=x"), &ToolName::ALL);
        assert!(broken.job.unwrap_err().contains("not one whole JSON object"));
        let repaired = read_call(&call("search_web", r#"{"query": "x",}"#), &ToolName::ALL);
        assert!(repaired.job.is_ok());
    }

    #[test]
    fn what_a_provider_would_refuse_does_not_go_back_to_it() {
        let odd = presentable(&call("read page\n", "{\"url\": 'x'}"));
        assert_eq!((odd.name.as_str(), odd.arguments.as_str()), ("read_page_", r#"{"url":"x"}"#));
        let cut_off = presentable(&call("", r#"{"code": "for"#));
        assert_eq!((cut_off.name.as_str(), cut_off.arguments.as_str()), ("_", "{}"));
        let fine = call("search_web", r#"{ "query": "x" }"#);
        assert_eq!(presentable(&fine), fine);
    }

    #[test]
    fn without_the_web_only_the_sandbox_is_offered() {
        let sources = Sources { web: false, knowledge: true };
        assert_eq!(on_offer(sources), [ToolName::ExecuteJavascript]);
    }

    #[test]
    fn a_large_search_output_is_halved_and_marked() {
        let result = json!({ "url": "u", "description": "d", "content": "word ".repeat(2_000) });
        let output = json!({ "query": "q", "results": [result, result, result, result] });
        let bounded = bound_search_output(output, 4_000, 4_000);
        assert_eq!(bounded["truncated"], true);
        assert_eq!(bounded["results"].as_array().unwrap().len(), 2);
        let size = quarry_types::tokens::estimate(&bounded.to_string());
        assert!(size <= 4_000, "{size}");
    }
}
