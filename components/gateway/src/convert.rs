//! WIT's records from and to the types of `quarry-http`.

use quarry_http::{AskRequest, Caller, Continuation, Event, EventName, Network, Refusal};

use crate::bindings::quarry::agent::ask as wit;
use crate::bindings::quarry::web::network::Guard;

pub fn request(request: AskRequest) -> wit::Request {
    let mut sources = wit::Sources::empty();
    sources.set(wit::Sources::WEB, request.sources.web);
    sources.set(wit::Sources::KNOWLEDGE, request.sources.knowledge);
    wit::Request {
        query: request.query,
        model: request.model,
        api_key: request.api_key,
        resume: request.resume.map(|resume| match resume {
            Continuation::Kept(id) => wit::Continuation::Kept(id),
            Continuation::State(state) => wit::Continuation::State(state),
        }),
        budget_usd: request.budget.usd,
        budget_tokens: request.budget.tokens,
        max_iterations: request.max_iterations,
        sources,
    }
}

pub fn caller(caller: Caller) -> wit::Caller {
    wit::Caller { email: caller.email, name: caller.name, operator_keys: caller.operator_keys }
}

pub fn refusal(error: wit::AskError) -> Refusal {
    match error {
        wit::AskError::InvalidField(wit::FieldError { field, message }) => {
            Refusal::InvalidField { field, message }
        }
        wit::AskError::MissingKey(message) => Refusal::MissingKey(message),
        wit::AskError::BadContinuation(message) => Refusal::BadContinuation(message),
        wit::AskError::NotFound(message) => Refusal::NotFound(message),
        wit::AskError::Unavailable(message) => Refusal::Unavailable(message),
        wit::AskError::Other(message) => Refusal::Internal(message),
    }
}

pub fn event(event: wit::Event) -> Event {
    Event { sequence: Some(event.sequence), name: name(event.name), data: event.data }
}

fn name(name: wit::EventName) -> EventName {
    match name {
        wit::EventName::Log => EventName::Log,
        wit::EventName::Init => EventName::Init,
        wit::EventName::Persona => EventName::Persona,
        wit::EventName::ResearchQuestions => EventName::ResearchQuestions,
        wit::EventName::LlmCall => EventName::LlmCall,
        wit::EventName::LlmRequest => EventName::LlmRequest,
        wit::EventName::LlmResponse => EventName::LlmResponse,
        wit::EventName::Tools => EventName::Tools,
        wit::EventName::ToolResult => EventName::ToolResult,
        wit::EventName::SetupComplete => EventName::SetupComplete,
        wit::EventName::Step => EventName::Step,
        wit::EventName::SearchResults => EventName::SearchResults,
        wit::EventName::AnswerDelta => EventName::AnswerDelta,
        wit::EventName::CostSummary => EventName::CostSummary,
        wit::EventName::FinalAnswer => EventName::FinalAnswer,
        wit::EventName::FinalResponse => EventName::FinalResponse,
        wit::EventName::Complete => EventName::Complete,
        wit::EventName::Error => EventName::Error,
        wit::EventName::QuotaExceeded => EventName::QuotaExceeded,
        wit::EventName::Continuation => EventName::Continuation,
        wit::EventName::InterruptState => EventName::InterruptState,
        wit::EventName::Search => EventName::Search,
        wit::EventName::SearchDigest => EventName::SearchDigest,
    }
}

pub fn network(guard: Guard) -> Network {
    match guard {
        Guard::Guarded => Network::Guarded,
        Guard::Open => Network::Open,
        Guard::Unknown => Network::Unknown,
    }
}
