//! Between generated types and those of the machine.

use crate::bindings::exports::quarry::agent::ask;
use crate::bindings::quarry::knowledge::search::{self as knowledge, NotSearched};
use crate::bindings::quarry::knowledge::types::{self as wit_knowledge, Chunk, KnowledgeError};
use crate::bindings::quarry::models::{catalog, chat};
use crate::bindings::quarry::sandbox::javascript as js;
use crate::bindings::quarry::web::{pages, search};
use quarry_evidence::{Anchor, Passage, Signal, address};
use quarry_machines::ask::{Form, Said, Speaker, Wish};
use quarry_machines::core::{ContextProfile, ModelSheet};
use quarry_tools::{
    Found, Hit, KnowledgeFailure, KnowledgeQuery, Level, Outcome, OwnPassage, Page, PageFailure,
    Passages, Program, Ran, RanLimit, RanValue, RunFailure, SearchFailure, Spent, Thrown,
    ToolFailure,
};
use quarry_types::{
    Backoff, ChatRequest, Completion, Credential, FinishReason, Json, Price, ReasoningEffort,
    Retries, Role, ToolCall, Usage,
};

fn form(form: ask::Form) -> Result<Form, ask::AskError> {
    Ok(match form {
        ask::Form::JsonObject => Form::JsonObject,
        ask::Form::JsonSchema(ask::JsonSchema { name, schema, strict }) => {
            let schema = Json::from_text(schema).ok_or_else(|| {
                let (field, message) =
                    ("format".to_owned(), "has a schema that is no JSON".to_owned());
                ask::AskError::InvalidField(ask::FieldError { field, message })
            })?;
            Form::JsonSchema { name, schema, strict }
        }
    })
}

pub fn wish(wish: ask::Wish) -> Result<Wish, ask::AskError> {
    let said = |said: ask::Said| Said {
        by: match said.by {
            ask::Speaker::User => Speaker::User,
            ask::Speaker::Assistant => Speaker::Assistant,
        },
        text: said.text,
    };
    Ok(Wish {
        history: wish.history.into_iter().map(said).collect(),
        left_out: 0,
        instructions: wish.instructions,
        effort: wish.effort.map(|effort| match effort {
            ask::Effort::Low => ReasoningEffort::Low,
            ask::Effort::Medium => ReasoningEffort::Medium,
            ask::Effort::High => ReasoningEffort::High,
        }),
        max_tokens: wish.max_tokens,
        temperature: wish.temperature,
        top_p: wish.top_p,
        form: wish.form.map(form).transpose()?,
        stop: wish.stop,
        is_direct: wish.is_direct,
        wants_all_said: wish.wants_all_said,
    })
}

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
        thinks: info.thinks,
        timeout_ms: info.timeout_ms,
    })
}

pub const fn profile(profile: ContextProfile) -> ask::ContextProfile {
    match profile {
        ContextProfile::Frugal => ask::ContextProfile::Frugal,
        ContextProfile::Roomy => ask::ContextProfile::Roomy,
    }
}

pub fn chat_request(
    request: ChatRequest,
    credential: Credential,
    retries: Retries,
) -> chat::Request {
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
                parameters: tool.parameters.into_text(),
            })
            .collect(),
        temperature: request.temperature,
        max_output_tokens: request.max_output_tokens,
        reasoning_effort: request.reasoning_effort.map(|effort| match effort {
            ReasoningEffort::Low => chat::ReasoningEffort::Low,
            ReasoningEffort::Medium => chat::ReasoningEffort::Medium,
            ReasoningEffort::High => chat::ReasoningEffort::High,
        }),
        top_p: request.top_p,
        json: request.json,
        schema: request.schema.map(|schema| chat::ReplySchema {
            name: schema.name,
            schema: schema.schema.into_text(),
            strict: schema.strict,
            in_words: schema.in_words,
        }),
        streams_text: request.streams_text,
        retries: retry_policy(retries),
        idempotency_key: None,
        time_limit_ms: None,
    }
}

const fn retry_policy(retries: Retries) -> chat::RetryPolicy {
    let Retries { backoff: Backoff { attempts, base_ms, max_ms }, longest_named_ms, lost_tries } =
        retries;
    chat::RetryPolicy { attempts, base_ms, max_ms, longest_named_ms, lost_tries }
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
        tool_calls: message.tool_calls.into_iter().map(call_before).collect(),
        tool_call_id: message.tool_call_id,
        reasoning: message.reasoning,
    }
}

fn call_before(call: ToolCall) -> chat::ToolCall {
    let ToolCall { id, name, arguments, signature } = call;
    chat::ToolCall { id, name, arguments, signature }
}

fn tool_call(call: chat::ToolCall) -> ToolCall {
    let chat::ToolCall { id, name, arguments, signature } = call;
    ToolCall { id, name, arguments, signature }
}

pub fn completion(completion: chat::Completion) -> Completion {
    Completion {
        text: completion.text,
        tool_calls: completion.tool_calls.into_iter().map(tool_call).collect(),
        reasoning: completion.reasoning,
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

quarry_rim::read_chat_error!(chat);

fn found(results: search::SearchResults) -> Found {
    let found = Found {
        provider: results.provider,
        results: results.results.into_iter().map(hit).collect(),
        notes: results.notes,
        truncated: false,
        digest: None,
    };
    found.settled()
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
            search::Loaded::Failed(error) => Err(ToolFailure::from(page_failure(error)).message),
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
    (query, domains): (String, Vec<String>),
    limit: u32,
    timeout_ms: u64,
    load_content: bool,
    anew: bool,
) -> search::SearchQuery {
    let load_characters = load_content.then_some(PAGE_CHARACTERS);
    search::SearchQuery { query, limit, timeout_ms, domains, anew, load_characters }
}

fn page(page: pages::Page) -> Page {
    let value = |field: Option<pages::Field>| field.map(|field| field.value);
    let canonical = value(page.canonical_url);
    let read = Page {
        url: address::known_as(page.url, canonical.as_deref()),
        title: value(page.title),
        author: value(page.author),
        date: value(page.published),
        language: value(page.language),
        signals: page.signals.into_iter().map(signal).collect(),
        content: page.markdown,
        passages: page.passages.into_iter().map(passage).collect(),
        cut_from: None,
        extracted: page.extracted,
        truncated: page.truncated,
        needs_script: page.needs_script,
    };
    read.or_summary(value(page.description))
}

const fn signal(signal: pages::Signal) -> Signal {
    match signal {
        pages::Signal::Doi => Signal::Doi,
        pages::Signal::Journal => Signal::Journal,
        pages::Signal::ScholarlyArticle => Signal::ScholarlyArticle,
        pages::Signal::NewsArticle => Signal::NewsArticle,
        pages::Signal::PublicBody => Signal::PublicBody,
        pages::Signal::Byline => Signal::Byline,
    }
}

fn passage(passage: pages::Passage) -> Passage {
    let pages::Passage { anchor, headings, text, url } = passage;
    Passage::new(Anchor::new(anchor), headings, text, &url)
}

fn page_failure(error: pages::PageError) -> PageFailure {
    match error {
        pages::PageError::Refused(reason) => PageFailure::Refused(reason),
        pages::PageError::InvalidUrl(reason) => PageFailure::InvalidUrl(reason),
        pages::PageError::Status(status) => PageFailure::Status(status),
        pages::PageError::TooManyRedirects => PageFailure::TooManyRedirects,
        pages::PageError::UnsupportedType(kind) => PageFailure::UnsupportedType(kind),
        pages::PageError::Timeout => PageFailure::Timeout,
        pages::PageError::Unreachable(reason) => PageFailure::Unreachable(reason),
        pages::PageError::Unreadable(reason) => PageFailure::Unreadable(reason),
        pages::PageError::Misconfigured(reason) | pages::PageError::Unavailable(reason) => {
            PageFailure::Unavailable(reason)
        }
    }
}

fn search_failure(error: search::SearchError) -> SearchFailure {
    match error {
        search::SearchError::AllFailed(reasons) => SearchFailure::AllFailed(reasons),
        search::SearchError::NotConfigured(reason) => SearchFailure::NotConfigured(reason),
        search::SearchError::InvalidQuery(reason) => SearchFailure::InvalidQuery(reason),
        search::SearchError::Timeout => SearchFailure::Timeout,
        search::SearchError::Misconfigured(reason) | search::SearchError::Unavailable(reason) => {
            SearchFailure::Unavailable(reason)
        }
    }
}

fn run_failure(error: js::RunError) -> RunFailure {
    match error {
        js::RunError::Unavailable(reason) => RunFailure::Unavailable(reason),
        js::RunError::Other(reason) => RunFailure::Other(reason),
    }
}

fn program(outcome: js::Outcome) -> Program {
    let line = |line: js::ConsoleLine| {
        let level = match line.level {
            js::ConsoleLevel::Log | js::ConsoleLevel::Info | js::ConsoleLevel::Debug => {
                Level::Plain
            }
            js::ConsoleLevel::Warn => Level::Warn,
            js::ConsoleLevel::Error => Level::Error,
        };
        (level, line.text)
    };
    let thrown =
        |js::ScriptError { name, message, line, column }| Thrown { name, message, line, column };
    let ran = Ran {
        console: outcome.console.into_iter().map(line).collect(),
        value: match outcome.value {
            js::Value::None => RanValue::None,
            js::Value::Json(json) => RanValue::Json(json),
            js::Value::Text(text) => RanValue::Text(text),
        },
        error: outcome.error.map(thrown),
        limit: outcome.limit.map(|limit| match limit {
            js::Limit::Time => RanLimit::Time,
            js::Limit::Memory => RanLimit::Memory,
            js::Limit::Source => RanLimit::Source,
            js::Limit::Output => RanLimit::Output,
            js::Limit::Recursion => RanLimit::Recursion,
        }),
    };
    ran.into()
}

/// What a search brought.
pub fn searched(result: Result<search::SearchResults, search::SearchError>) -> Outcome {
    match result {
        Ok(results) => Outcome::Found(found(results)),
        Err(error) => Outcome::Failed(search_failure(error).into()),
    }
}

/// What reading a page brought.
pub fn read(result: Result<pages::Page, pages::PageError>) -> Outcome {
    match result {
        Ok(read) => Outcome::Page(page(read)),
        Err(error) => Outcome::Failed(page_failure(error).into()),
    }
}

/// What a program brought.
pub fn ran(result: Result<js::Outcome, js::RunError>) -> Outcome {
    match result {
        Ok(outcome) => Outcome::Program(program(outcome)),
        Err(error) => Outcome::Failed(run_failure(error).into()),
    }
}

/// A question to documents, as their component takes it.
pub fn knowledge_query(query: KnowledgeQuery) -> knowledge::Query {
    let KnowledgeQuery { text, collection, limit, threshold, filter } = query;
    knowledge::Query {
        text,
        collection,
        top_k: limit,
        threshold: threshold.share(),
        filter: knowledge::Filter {
            categories: filter.categories,
            source_orgs: filter.source_orgs,
            documents: filter.documents,
        },
    }
}

/// What a search of documents brought.
pub fn passages(searched: Result<knowledge::Findings, NotSearched>) -> Outcome {
    match searched {
        Ok(findings) => {
            let passages = findings.chunks.into_iter().map(own_passage).collect();
            let spent = findings.spent.map(spent);
            Outcome::Passages(Passages { passages, truncated: false, notes: findings.notes, spent })
        }
        Err(NotSearched { why, spent: paid }) => {
            let failure = ToolFailure::from(knowledge_failure(why));
            Outcome::Failed(failure.behind(paid.map(spent)))
        }
    }
}

fn spent(paid: wit_knowledge::Spent) -> Spent {
    let wit_knowledge::Spent { model, tokens, cost } = paid;
    Spent { model, tokens, cost }
}

fn own_passage(found: knowledge::Found) -> OwnPassage {
    let knowledge::Found { chunk, metadata, score, .. } = found;
    let Chunk { document, number, title, headings, text, page, address, .. } = chunk;
    OwnPassage {
        document,
        title,
        headings,
        number,
        page,
        text,
        address,
        score,
        date: metadata.updated.or(metadata.published),
        category: metadata.category,
        org: metadata.source_org,
        source_urls: metadata.source_urls,
    }
}

fn knowledge_failure(error: KnowledgeError) -> KnowledgeFailure {
    match error {
        KnowledgeError::InvalidField(wrong) => {
            KnowledgeFailure::Invalid(format!("`{}` {}", wrong.field, wrong.message))
        }
        KnowledgeError::NotFound(message) => KnowledgeFailure::NotFound(message),
        KnowledgeError::Busy(busy) => {
            KnowledgeFailure::Busy { reason: busy.message, retry_after_ms: busy.retry_after_ms }
        }
        KnowledgeError::NoDatabase(message)
        | KnowledgeError::Unavailable(message)
        | KnowledgeError::Unreachable(message) => KnowledgeFailure::Unavailable(message),
        KnowledgeError::InvalidDocument(message)
        | KnowledgeError::TooLarge(message)
        | KnowledgeError::Conflict(message)
        | KnowledgeError::OtherDimension(message)
        | KnowledgeError::Unsupported(message)
        | KnowledgeError::Unreadable(message)
        | KnowledgeError::KeyRefused(message)
        | KnowledgeError::MissingKey(message)
        | KnowledgeError::NoCredit(message)
        | KnowledgeError::ProviderFailed(message)
        | KnowledgeError::Other(message) => KnowledgeFailure::Other(message),
    }
}
