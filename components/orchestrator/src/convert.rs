//! Between generated types and those of the machine.
//!
//! Border: also the words in which models read why a tool failed.

use crate::bindings::exports::quarry::agent::ask;
use crate::bindings::quarry::models::{catalog, chat};
use crate::bindings::quarry::sandbox::javascript as js;
use crate::bindings::quarry::web::{pages, search};
use quarry_evidence::{Anchor, Passage};
use quarry_machines::core::{ContextProfile, ModelSheet};
use quarry_tools::{FailureKind, Found, Hit, Outcome, Page, Program, ToolFailure};
use quarry_types::{
    ChatError, ChatRequest, Completion, Credential, FinishReason, Price, ReasoningEffort, Role,
    ToolCall, Usage,
};

/// The model's sheet; none when its name cannot be read back, which the catalog rules out.
pub fn model_sheet(info: &catalog::ModelInfo) -> Option<ModelSheet> {
    Some(ModelSheet {
        id: info.model.parse().ok()?,
        price: info.price.map(|price| Price {
            input: price.input,
            output: price.output,
            cached_input: price.cached_input,
            reasoning: price.reasoning,
        }),
        context_window: info.context_window,
        is_language_model: info.is_language_model,
        timeout_ms: info.timeout_ms,
    })
}

pub const fn profile(profile: ContextProfile) -> ask::ContextProfile {
    match profile {
        ContextProfile::Frugal => ask::ContextProfile::Frugal,
        ContextProfile::Roomy => ask::ContextProfile::Roomy,
    }
}

pub fn chat_request(request: ChatRequest, credential: Credential) -> chat::Request {
    chat::Request {
        model: request.model.to_string(),
        credential: match credential {
            Credential::Operator => chat::Credential::Operator,
            Credential::Caller(key) => chat::Credential::Caller(key),
        },
        messages: request.messages.into_iter().map(message).collect(),
        tools: request
            .tools
            .into_iter()
            .map(|tool| chat::Tool {
                name: tool.name,
                description: tool.description,
                parameters: tool.parameters.to_string(),
            })
            .collect(),
        temperature: request.temperature,
        max_output_tokens: request.max_output_tokens,
        reasoning_effort: request.reasoning_effort.map(|effort| match effort {
            ReasoningEffort::Low => chat::ReasoningEffort::Low,
            ReasoningEffort::Medium => chat::ReasoningEffort::Medium,
            ReasoningEffort::High => chat::ReasoningEffort::High,
        }),
        json: request.json,
    }
}

fn message(message: quarry_types::Message) -> chat::Message {
    chat::Message {
        role: match message.role {
            Role::System => chat::Role::System,
            Role::User => chat::Role::User,
            Role::Assistant => chat::Role::Assistant,
            Role::Tool => chat::Role::Tool,
        },
        content: message.content,
        tool_calls: message
            .tool_calls
            .into_iter()
            .map(|call| chat::ToolCall { id: call.id, name: call.name, arguments: call.arguments })
            .collect(),
        tool_call_id: message.tool_call_id,
    }
}

pub fn completion(completion: chat::Completion) -> Completion {
    Completion {
        text: completion.text,
        tool_calls: completion
            .tool_calls
            .into_iter()
            .map(|call| ToolCall { id: call.id, name: call.name, arguments: call.arguments })
            .collect(),
        usage: Usage {
            input: completion.usage.input,
            output: completion.usage.output,
            cached_input: completion.usage.cached_input,
            reasoning: completion.usage.reasoning,
            reported: completion.usage.reported,
        },
        finish_reason: match completion.finish_reason {
            chat::FinishReason::Stop => FinishReason::Stop,
            chat::FinishReason::Length => FinishReason::Length,
            chat::FinishReason::ToolCalls => FinishReason::ToolCalls,
            chat::FinishReason::ContentFilter => FinishReason::ContentFilter,
            chat::FinishReason::Other => FinishReason::Other,
        },
        model: completion.model,
        attempts: completion.attempts,
    }
}

pub fn chat_error(error: chat::ChatError) -> ChatError {
    match error {
        chat::ChatError::RateLimited(limit) => {
            ChatError::rate_limited(limit.wait_ms, limit.message)
        }
        chat::ChatError::NoCredit(message) => ChatError::NoCredit { message },
        chat::ChatError::Unauthorized(message) => ChatError::Unauthorized { message },
        chat::ChatError::MissingKey(message) => ChatError::MissingKey { message },
        chat::ChatError::UnknownModel(message) => ChatError::UnknownModel { message },
        chat::ChatError::ContextTooLong(message) => ChatError::ContextTooLong { message },
        chat::ChatError::Rejected(error) => {
            ChatError::Rejected { status: error.status, message: error.message }
        }
        chat::ChatError::Timeout(message) => ChatError::Timeout { message },
        chat::ChatError::Connection(message) => ChatError::Connection { message },
        chat::ChatError::ProviderFailed(error) => {
            ChatError::ProviderFailed { status: error.status, message: error.message }
        }
        chat::ChatError::Malformed(message) => ChatError::Malformed { message },
        chat::ChatError::Other(message) => ChatError::Other { message },
    }
}

fn found(results: search::SearchResults) -> Found {
    Found {
        provider: results.provider,
        results: results.results.into_iter().map(hit).collect(),
        notes: results.notes,
        truncated: false,
        digest: None,
    }
}

fn hit(result: search::SearchResult) -> Hit {
    Hit {
        title: result.title,
        url: result.url,
        description: result.description,
        score: result.score,
        provider_score: result.provider_score,
        provider: result.provider,
        page: result.content.map(|loaded| match loaded {
            search::Loaded::Page(read) => Ok(page(read)),
            search::Loaded::Failed(error) => Err(page_error(error).message),
        }),
        fetch_ms: result.fetch_ms,
        truncated: false,
    }
}

/// Characters of a page that are asked for: all that the reader has, as the machine cuts by its
/// profile and says what it cut.
const PAGE_CHARACTERS: u64 = 1024 * 1024;

pub const fn page_request(url: String, timeout_ms: u64) -> pages::PageRequest {
    pages::PageRequest { url, timeout_ms, max_characters: PAGE_CHARACTERS, with_text: false }
}

pub fn search_query(
    query: String,
    limit: u32,
    timeout_ms: u64,
    load_content: bool,
) -> search::SearchQuery {
    let load_characters = load_content.then_some(PAGE_CHARACTERS);
    search::SearchQuery { query, limit, timeout_ms, load_characters }
}

fn page(page: pages::Page) -> Page {
    let value = |field: Option<pages::Field>| field.map(|field| field.value);
    let empty = page.markdown.trim().is_empty();
    let summary = page.description.as_ref().map(|field| field.value.clone()).filter(|_| empty);
    Page {
        url: page.url,
        title: value(page.title),
        author: value(page.author),
        date: value(page.published),
        language: value(page.language),
        content: summary.unwrap_or(page.markdown),
        passages: page.passages.into_iter().map(passage).collect(),
        cut_from: None,
        extracted: page.extracted,
        truncated: page.truncated,
        needs_script: page.needs_script,
    }
}

fn passage(passage: pages::Passage) -> Passage {
    let pages::Passage { anchor, headings, text, url } = passage;
    Passage::new(Anchor::new(anchor), headings, text, &url)
}

/// How a page that was not read is told.
fn page_error(error: pages::PageError) -> ToolFailure {
    let (kind, message) = match error {
        pages::PageError::Refused(reason) => {
            (FailureKind::Refused, format!("the address is refused: {reason}"))
        }
        pages::PageError::InvalidUrl(reason) => {
            (FailureKind::RefusedArguments, format!("not a usable address: {reason}"))
        }
        pages::PageError::Status(status @ (404 | 410)) => {
            (FailureKind::NotFound, format!("the server answered with status {status}"))
        }
        pages::PageError::Status(status) => {
            (FailureKind::Failed, format!("the server answered with status {status}"))
        }
        pages::PageError::TooManyRedirects => {
            (FailureKind::Failed, "too many redirects".to_owned())
        }
        pages::PageError::UnsupportedType(kind) => {
            (FailureKind::Failed, format!("pages of type {kind} are not read"))
        }
        pages::PageError::Timeout => {
            (FailureKind::Timeout, "the page did not come in time".to_owned())
        }
        pages::PageError::Unreachable(reason) => {
            (FailureKind::Unavailable, format!("the server is unreachable: {reason}"))
        }
        pages::PageError::Unreadable(reason) => {
            (FailureKind::Failed, format!("no text could be read: {reason}"))
        }
        pages::PageError::Misconfigured(reason) | pages::PageError::Unavailable(reason) => {
            (FailureKind::Unavailable, reason)
        }
    };
    ToolFailure { kind, message }
}

/// How a search that found nothing out is told.
fn search_error(error: search::SearchError) -> ToolFailure {
    let (kind, message) = match error {
        search::SearchError::AllFailed(reasons) => (
            FailureKind::Unavailable,
            format!("no search provider answered: {}", reasons.join("; ")),
        ),
        search::SearchError::NotConfigured(reason) => {
            (FailureKind::Unavailable, format!("no search provider is configured: {reason}"))
        }
        search::SearchError::InvalidQuery(reason) => {
            (FailureKind::RefusedArguments, format!("the query is unusable: {reason}"))
        }
        search::SearchError::Timeout => {
            (FailureKind::Timeout, "the search did not end in time".to_owned())
        }
        search::SearchError::Misconfigured(reason) | search::SearchError::Unavailable(reason) => {
            (FailureKind::Unavailable, reason)
        }
    };
    ToolFailure { kind, message }
}

/// A program that ran; warnings and errors are marked in its printed lines.
fn script(outcome: js::Outcome) -> Program {
    let console = outcome
        .console
        .into_iter()
        .map(|line| match line.level {
            js::ConsoleLevel::Log | js::ConsoleLevel::Info | js::ConsoleLevel::Debug => line.text,
            js::ConsoleLevel::Warn => format!("[warn] {}", line.text),
            js::ConsoleLevel::Error => format!("[error] {}", line.text),
        })
        .collect();
    let (value, text) = match outcome.value {
        js::Value::None => (None, None),
        js::Value::Json(json) => (serde_json::from_str(&json).ok(), None),
        js::Value::Text(text) => (None, Some(text)),
    };
    let limit = outcome.limit.map(|limit| {
        match limit {
            js::Limit::Time => "time",
            js::Limit::Memory => "memory",
            js::Limit::Source => "source",
            js::Limit::Output => "output",
            js::Limit::Recursion => "recursion",
        }
        .to_owned()
    });
    Program { console, value, text, error: outcome.error.map(|error| script_error(&error)), limit }
}

fn script_error(error: &js::ScriptError) -> String {
    match (error.line, error.column) {
        (Some(line), Some(column)) => {
            format!("{}: {} (line {line}, column {column})", error.name, error.message)
        }
        _ => format!("{}: {}", error.name, error.message),
    }
}

/// How a program that did not run is told.
fn run_error(error: js::RunError) -> ToolFailure {
    let (kind, message) = match error {
        js::RunError::Unavailable(reason) => {
            (FailureKind::Unavailable, format!("the sandbox is unavailable: {reason}"))
        }
        js::RunError::Other(reason) => (FailureKind::Failed, reason),
    };
    ToolFailure { kind, message }
}

/// What a search brought.
pub fn searched(result: Result<search::SearchResults, search::SearchError>) -> Outcome {
    result.map_or_else(|error| Outcome::Failed(search_error(error)), |it| Outcome::Found(found(it)))
}

/// What reading a page brought.
pub fn read(result: Result<pages::Page, pages::PageError>) -> Outcome {
    result.map_or_else(|error| Outcome::Failed(page_error(error)), |it| Outcome::Page(page(it)))
}

/// What a program brought.
pub fn ran(result: Result<js::Outcome, js::RunError>) -> Outcome {
    result.map_or_else(|error| Outcome::Failed(run_error(error)), |it| Outcome::Program(script(it)))
}
