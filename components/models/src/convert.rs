//! Between the generated types of this component and those of `quarry-types`.
//!
//! Border: conversion only; only a model's name and schemas can fail.

use crate::bindings::exports::quarry::models::catalog;
use crate::bindings::exports::quarry::models::chat;
use quarry_providers::choose::Refusal;
use quarry_types as ours;
use std::cell::RefCell;
use std::time::Duration;

thread_local! {
    /// The parameters of tools that this instance was told. Tools are the build's own: no data of anybody's.
    static PARAMETERS: RefCell<ours::KnownJson> = const { RefCell::new(ours::KnownJson::new()) };
}

/// How a call is repeated, for how long, and what tells its provider that it is one call.
pub struct Repeats {
    pub retries: ours::Retries,
    pub idempotency_key: Option<String>,
    /// For the whole; none: what the operator's variable says.
    pub time_limit: Option<Duration>,
}

pub fn request(
    request: chat::Request,
) -> Result<(ours::ChatRequest, ours::Credential, Repeats), ours::ChatError> {
    let model = model(&request.model)?;
    let tools = request.tools.into_iter().map(tool).collect::<Result<_, _>>()?;
    let credential = credential(request.credential);
    let repeats = Repeats {
        retries: retries(request.retries),
        idempotency_key: request.idempotency_key,
        time_limit: request.time_limit_ms.map(Duration::from_millis),
    };
    let request = ours::ChatRequest {
        model,
        messages: request.messages.into_iter().map(message).collect(),
        tools,
        temperature: request.temperature,
        max_output_tokens: request.max_output_tokens,
        reasoning_effort: request.reasoning_effort.map(|effort| match effort {
            chat::ReasoningEffort::Low => ours::ReasoningEffort::Low,
            chat::ReasoningEffort::Medium => ours::ReasoningEffort::Medium,
            chat::ReasoningEffort::High => ours::ReasoningEffort::High,
        }),
        top_p: request.top_p,
        json: request.json,
        schema: request.schema.map(schema).transpose()?,
        streams_text: request.streams_text,
    };
    Ok((request, credential, repeats))
}

const fn retries(policy: chat::RetryPolicy) -> ours::Retries {
    let chat::RetryPolicy { attempts, base_ms, max_ms, longest_named_ms, lost_tries } = policy;
    let backoff = ours::Backoff { attempts, base_ms, max_ms };
    ours::Retries { backoff, longest_named_ms, lost_tries }
}

pub fn model(name: &str) -> Result<ours::ModelId, ours::ChatError> {
    name.parse().map_err(|error: ours::ModelIdError| ours::ChatError::UnknownModel {
        message: error.to_string(),
    })
}

pub fn credential(credential: chat::Credential) -> ours::Credential {
    match credential {
        chat::Credential::Operator => ours::Credential::Operator,
        chat::Credential::Caller(key) => ours::Credential::Caller(key),
    }
}

fn schema(schema: chat::ReplySchema) -> Result<ours::ReplySchema, ours::ChatError> {
    let chat::ReplySchema { name, schema, strict, in_words } = schema;
    let schema = ours::Json::from_text(schema).ok_or_else(|| ours::ChatError::Unsent {
        message: "what the reply must fit is no JSON".to_owned(),
    })?;
    Ok(ours::ReplySchema { name, schema, strict, in_words })
}

fn tool(tool: chat::Tool) -> Result<ours::ToolSpec, ours::ChatError> {
    let read = PARAMETERS.with_borrow_mut(|known| known.read(tool.parameters));
    let parameters = read.ok_or_else(|| {
        let message = format!("the parameters of tool {} are no JSON", tool.name);
        ours::ChatError::Unsent { message }
    })?;
    Ok(ours::ToolSpec { name: tool.name, description: tool.description, parameters })
}

fn message(message: chat::Message) -> ours::Message {
    ours::Message {
        role: match message.role {
            chat::Role::System => ours::Role::System,
            chat::Role::User => ours::Role::User,
            chat::Role::Assistant => ours::Role::Assistant,
            chat::Role::Tool => ours::Role::Tool,
        },
        content: message.content,
        tool_calls: message.tool_calls.into_iter().map(tool_call).collect(),
        tool_call_id: message.tool_call_id,
        reasoning: message.reasoning,
    }
}

fn tool_call(call: chat::ToolCall) -> ours::ToolCall {
    let chat::ToolCall { id, name, arguments, signature } = call;
    ours::ToolCall { id, name, arguments, signature }
}

fn call_made(call: ours::ToolCall) -> chat::ToolCall {
    let ours::ToolCall { id, name, arguments, signature } = call;
    chat::ToolCall { id, name, arguments, signature }
}

pub fn completion(completion: ours::Completion) -> chat::Completion {
    let usage = completion.usage;
    chat::Completion {
        text: completion.text,
        tool_calls: completion.tool_calls.into_iter().map(call_made).collect(),
        reasoning: completion.reasoning,
        usage: chat::Usage {
            input: usage.input,
            output: usage.output,
            cached_input: usage.cached_input,
            reasoning: usage.reasoning,
            reported: usage.reported,
        },
        finish_reason: match completion.finish_reason {
            ours::FinishReason::Stop => chat::FinishReason::Stop,
            ours::FinishReason::Length => chat::FinishReason::Length,
            ours::FinishReason::ToolCalls => chat::FinishReason::ToolCalls,
            ours::FinishReason::ContentFilter => chat::FinishReason::ContentFilter,
            ours::FinishReason::Other => chat::FinishReason::Other,
        },
        model: completion.model,
        attempts: completion.attempts,
    }
}

pub fn chat_error(error: ours::ChatError) -> chat::ChatError {
    use ours::ChatError as Ours;
    let wait_ms = error.wait_ms().unwrap_or(0);
    match error {
        Ours::RateLimited { message, .. } => {
            chat::ChatError::RateLimited(chat::RateLimit { wait_ms, message })
        }
        Ours::NoCredit { message } => chat::ChatError::NoCredit(message),
        Ours::Unauthorized { message } => chat::ChatError::Unauthorized(message),
        Ours::MissingKey { message } => chat::ChatError::MissingKey(message),
        Ours::UnknownModel { message } => chat::ChatError::UnknownModel(message),
        Ours::ContextTooLong { message } => chat::ChatError::ContextTooLong(message),
        Ours::Rejected { status, message } => {
            chat::ChatError::Rejected(chat::ProviderError { status, message })
        }
        Ours::Timeout { message } => chat::ChatError::Timeout(message),
        Ours::Connection { message } => chat::ChatError::Connection(message),
        Ours::Unreached { message } => chat::ChatError::Unreached(message),
        Ours::Unsent { message } => chat::ChatError::Unsent(message),
        Ours::ProviderFailed { status, message } => {
            chat::ChatError::ProviderFailed(chat::ProviderError { status, message })
        }
        Ours::Malformed { message } => chat::ChatError::Malformed(message),
        Ours::Other { message } => chat::ChatError::Other(message),
    }
}

pub fn refusal(refusal: &Refusal) -> catalog::CatalogError {
    let message = refusal.to_string();
    match refusal {
        Refusal::UnknownProvider(_) => catalog::CatalogError::UnknownProvider(message),
        Refusal::InvalidModel(_) => catalog::CatalogError::InvalidModel(message),
        Refusal::Setting(_) => catalog::CatalogError::Other(message),
    }
}

pub fn price(price: ours::Price) -> catalog::Price {
    catalog::Price {
        input: price.input,
        output: price.output,
        cached_input: price.cached_input,
        reasoning: price.reasoning,
    }
}
