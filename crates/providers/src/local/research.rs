//! Which tools to call next.
//!
//! Border: the conversation so far in, calls out; none when there is nothing left to look up.

use super::arithmetic;
use super::evidence::{self, Source};
use super::question::Question;
use super::words;
use quarry_types::{ChatRequest, Role, ToolCall};
use serde_json::{Value, json};

/// Results that a search asks for.
const RESULTS: u32 = 5;
/// Sources that make a second search unnecessary.
const ENOUGH_SOURCES: usize = 2;
/// Pages read in one step.
const PAGES: usize = 3;
/// Turns with calls after which it is time to answer.
const MAX_TURNS: usize = 4;

/// The calls to make now.
pub(super) fn calls(request: &ChatRequest, question: &Question) -> Vec<ToolCall> {
    let offers = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    let made: Vec<&ToolCall> =
        request.messages.iter().flat_map(|message| &message.tool_calls).collect();
    let turns = request
        .messages
        .iter()
        .filter(|message| message.role == Role::Assistant && !message.tool_calls.is_empty())
        .count();
    if turns >= MAX_TURNS {
        return Vec::new();
    }
    let call = |at: usize, name: &str, arguments: Value| ToolCall {
        id: format!("local_{}_{}", turns + 1, at + 1),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    };
    let searches: Vec<&&ToolCall> = made.iter().filter(|call| call.name == "search_web").collect();
    if let Some(calculation) = arithmetic::find(&question.text)
        && offers("execute_javascript")
        && searches.is_empty()
    {
        let has_run = made.iter().any(|call| call.name == "execute_javascript");
        let failed = has_run && evidence::of_tools(&request.messages).results.is_empty();
        if !has_run {
            return vec![call(0, "execute_javascript", json!({ "code": calculation.program() }))];
        }
        if !failed {
            return Vec::new();
        }
    }
    if !offers("search_web") {
        return Vec::new();
    }
    let search = |query: String| {
        call(0, "search_web", json!({ "query": query, "limit": RESULTS, "load_content": true }))
    };
    if searches.is_empty() {
        return vec![search(question.query())];
    }
    let found = evidence::of_tools(&request.messages).sources;
    let useful = found.iter().filter(|source| overlap(source, question) > 0).count();
    let broader = question.broader_query();
    let is_new = !searches.iter().any(|call| query_of(call) == Some(broader.clone()));
    if searches.len() == 1 && useful < ENOUGH_SOURCES && is_new {
        return vec![search(broader)];
    }
    if !offers("scrape_web_content") {
        return Vec::new();
    }
    let tried: Vec<String> = made
        .iter()
        .filter(|call| call.name == "scrape_web_content")
        .filter_map(|call| argument(call, "url"))
        .collect();
    let mut unread: Vec<&Source> = found
        .iter()
        .filter(|source| source.text.is_empty() && !tried.contains(&source.url))
        .filter(|source| overlap(source, question) > 0)
        .collect();
    unread.sort_by_key(|source| std::cmp::Reverse(overlap(source, question)));
    unread
        .iter()
        .take(PAGES)
        .enumerate()
        .map(|(at, source)| call(at, "scrape_web_content", json!({ "url": source.url })))
        .collect()
}

/// Terms of the question that a result shows.
fn overlap(source: &Source, question: &Question) -> usize {
    let shown = words::stems(&format!("{} {} {}", source.title, source.description, source.text));
    question.terms.iter().filter(|term| term.is_among(&shown)).count()
}

fn argument(call: &ToolCall, name: &str) -> Option<String> {
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    arguments.get(name)?.as_str().map(str::to_owned)
}

fn query_of(call: &ToolCall) -> Option<String> {
    argument(call, "query")
}
