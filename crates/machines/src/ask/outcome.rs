//! What tools return, and how it reads as tool output: the JSON texts of reference section 6.

use super::text::cut;
use super::tools::bound_search_output;
use super::{ContextProfile, CycleCall, tools};
use crate::json::put;
use quarry_events::{self as event, At, ToolError, ToolErrorKind};
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What performing a job brought; the error is a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutcome {
    /// Of a search.
    Search(Result<Found, String>),
    /// Of reading a page.
    Page(Result<Page, String>),
    /// Of running a program.
    Script(Result<Script, String>),
}

/// Results of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The provider that answered.
    pub provider: String,
    /// Best first.
    pub results: Vec<Hit>,
    /// Providers that failed before, one sentence each.
    pub notes: Vec<String>,
}

/// One search result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// The engine's words.
    pub description: String,
    /// 0 to 1.
    pub score: f64,
    /// The engine's own figure.
    pub provider_score: Option<f64>,
    /// Which provider.
    pub provider: String,
    /// Its page, when it was read.
    pub page: Option<Result<Page, String>>,
    /// Milliseconds that reading took.
    pub fetch_ms: u64,
}

/// A page that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// After redirects.
    pub url: String,
    /// As the page says.
    pub title: Option<String>,
    /// As the page says.
    pub author: Option<String>,
    /// As the page says.
    pub date: Option<String>,
    /// As the page says.
    pub language: Option<String>,
    /// Main text as Markdown.
    pub content: String,
    /// Whether main text was told apart.
    pub extracted: bool,
    /// Whether the page was cut off at a limit.
    pub truncated: bool,
    /// Whether its text is made by script, so that this is only what it gives without.
    #[serde(default)]
    pub needs_script: bool,
}

/// A program that was run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// Lines printed, in order.
    pub console: Vec<String>,
    /// The last expression's value, when it has a JSON form.
    pub value: Option<Value>,
    /// The last expression's value as text, when it has none.
    pub text: Option<String>,
    /// What was thrown, with its place.
    pub error: Option<String>,
    /// The limit that ended it.
    pub limit: Option<String>,
}

impl ToolOutcome {
    /// The tool output, bounded by the profile.
    #[must_use]
    pub fn output(&self, job: &tools::Job, profile: ContextProfile) -> Value {
        match self {
            ToolOutcome::Search(Ok(found)) => {
                let query = match job {
                    tools::Job::SearchWeb { query, .. } => query.as_str(),
                    _ => "",
                };
                search_output(found, query, profile)
            }
            ToolOutcome::Page(Ok(page)) => page_output(page, profile),
            ToolOutcome::Script(Ok(script)) => script_output(script),
            ToolOutcome::Page(Err(error)) => match job {
                tools::Job::ScrapeWebContent { url, .. } => json!({ "url": url, "error": error }),
                _ => json!({ "error": error }),
            },
            ToolOutcome::Search(Err(error)) | ToolOutcome::Script(Err(error)) => {
                json!({ "error": error })
            }
        }
    }
}

fn search_output(found: &Found, query: &str, profile: ContextProfile) -> Value {
    let results: Vec<Value> = found.results.iter().map(|hit| hit_output(hit, profile)).collect();
    let mut output = json!({
        "query": query,
        "count": results.len(),
        "provider": found.provider,
        "results": results,
    });
    if !found.notes.is_empty() {
        put(&mut output, "notes", json!(found.notes));
    }
    bound_search_output(output, profile.search_output_tokens(), profile.page_characters())
}

fn hit_output(hit: &Hit, profile: ContextProfile) -> Value {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| out.insert(name.to_owned(), value);
    put("title", hit.title.as_str().into());
    put("url", hit.url.as_str().into());
    put("description", hit.description.as_str().into());
    put("score", hit.score.into());
    if hit.provider == "duckduckgo" {
        put("duckduckgoScore", hit.provider_score.unwrap_or(hit.score).into());
    }
    match &hit.page {
        None => {
            put("state", "found".into());
            put("contentLength", 0.into());
        }
        Some(Err(error)) => {
            put("state", "failed".into());
            put("contentLength", 0.into());
            put("fetchError", error.as_str().into());
        }
        Some(Ok(page)) => {
            let content = cut(&page.content, profile.page_characters());
            let original = page.content.chars().count();
            put("state", "loaded".into());
            put("contentLength", content.chars().count().into());
            put("originalLength", original.into());
            put("intelligentlyExtracted", page.extracted.into());
            put("truncated", (page.truncated || content.len() < page.content.len()).into());
            if page.needs_script {
                put("needsScript", true.into());
            }
            if let Some(date) = &page.date {
                put("date", date.as_str().into());
            }
            put("content", content.into());
        }
    }
    put("fetchTimeMs", hit.fetch_ms.into());
    Value::Object(out)
}

fn page_output(page: &Page, profile: ContextProfile) -> Value {
    let content = cut(&page.content, profile.page_characters());
    let mut out = json!({ "url": page.url, "content": content });
    for (name, value) in [
        ("title", &page.title),
        ("author", &page.author),
        ("date", &page.date),
        ("language", &page.language),
    ] {
        if let Some(value) = value {
            put(&mut out, name, value.as_str());
        }
    }
    if page.needs_script {
        put(&mut out, "needsScript", true);
    }
    if page.truncated || content.len() < page.content.len() {
        put(&mut out, "truncated", true);
        put(&mut out, "originalLength", page.content.chars().count());
    }
    out
}

/// `{ result }` or `{ error }`: what was printed is the result, else the value is.
fn script_output(script: &Script) -> Value {
    let printed = script.console.join("\n");
    let value = script.value.as_ref().map(|value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let shown = value.or_else(|| script.text.clone());
    let mut out = Map::new();
    if let Some(error) = &script.error {
        out.insert("error".to_owned(), error.as_str().into());
        if !printed.is_empty() {
            out.insert("console".to_owned(), printed.into());
        }
    } else if printed.is_empty() {
        out.insert("result".to_owned(), shown.unwrap_or_else(|| "undefined".to_owned()).into());
    } else {
        out.insert("result".to_owned(), printed.into());
        if let Some(shown) = shown {
            out.insert("value".to_owned(), shown.into());
        }
    }
    if let Some(limit) = &script.limit {
        out.insert("limit".to_owned(), limit.as_str().into());
    }
    Value::Object(out)
}

impl CycleCall {
    /// As events show it once it is answered.
    #[must_use]
    pub fn shown(
        &self,
        iteration: u32,
        args: Value,
        continued: bool,
        now: Timestamp,
    ) -> event::ToolResult {
        let output = self.output();
        let read: Value = serde_json::from_str(&output).unwrap_or_default();
        let text =
            |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let results = read.get("results").and_then(Value::as_array).into_iter().flatten();
        let error =
            text(&read, "error").map(|message| ToolError { kind: ToolErrorKind::Failed, message });
        let (cost, cost_known) = event::shown_cost(self.cost);
        event::ToolResult {
            iteration,
            call_id: self.request.id.clone(),
            name: self.request.function.name.clone(),
            args,
            urls: results.chain([&read]).filter_map(|result| text(result, "url")).collect(),
            output,
            duration: self.duration,
            cost,
            cost_known,
            continued,
            id: self.request.id.clone(),
            ok: error.is_none(),
            error,
            found: Vec::new(),
            timestamp: At(now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Job;

    fn js(script: Script) -> Value {
        let job = Job::ExecuteJavascript { code: String::new(), timeout: 5 };
        ToolOutcome::Script(Ok(script)).output(&job, ContextProfile::Frugal)
    }

    #[test]
    fn a_program_gives_what_it_printed_else_its_value() {
        let printed = Script {
            console: vec!["a".into(), "b".into()],
            value: Some(json!(3)),
            ..Script::default()
        };
        assert_eq!(js(printed), json!({ "result": "a\nb", "value": "3" }));
        let value = Script { value: Some(json!([1, 2])), ..Script::default() };
        assert_eq!(js(value), json!({ "result": "[1,2]" }));
        assert_eq!(js(Script::default()), json!({ "result": "undefined" }));
        let thrown = Script { error: Some("TypeError: x (line 1)".into()), ..Script::default() };
        assert_eq!(js(thrown), json!({ "error": "TypeError: x (line 1)" }));
    }

    #[test]
    fn search_results_carry_the_contracts_fields() {
        let page = Page { content: "é".repeat(5_000), extracted: true, ..Page::default() };
        let hit = Hit {
            provider: "duckduckgo".into(),
            score: 0.5,
            page: Some(Ok(page)),
            ..Hit::default()
        };
        let found = Found { results: vec![hit, Hit::default()], ..Found::default() };
        let job = Job::SearchWeb {
            query: "q".into(),
            limit: 3,
            timeout: 15,
            load_content: true,
            generate_summary: false,
        };
        let output = ToolOutcome::Search(Ok(found)).output(&job, ContextProfile::Frugal);
        let first = &output["results"][0];
        for field in [
            "title",
            "url",
            "description",
            "score",
            "duckduckgoScore",
            "state",
            "contentLength",
            "fetchTimeMs",
            "content",
            "originalLength",
            "intelligentlyExtracted",
            "truncated",
        ] {
            assert!(first.get(field).is_some(), "{field}");
        }
        assert_eq!((&output["query"], &first["originalLength"]), (&json!("q"), &json!(5_000)));
    }

    #[test]
    fn a_page_that_failed_keeps_its_address() {
        let job = Job::ScrapeWebContent { url: "https://a.example/".into(), timeout: 15 };
        let output = ToolOutcome::Page(Err("timed out".into())).output(&job, ContextProfile::Roomy);
        assert_eq!(output, json!({ "url": "https://a.example/", "error": "timed out" }));
    }
}
