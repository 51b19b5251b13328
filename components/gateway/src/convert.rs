//! WIT's records from and to the types of the doors.

use quarry_admission::Caller;
use quarry_doors::Refusal;
use quarry_doors::native::{AskRequest, Continuation, Event, EventName};

use crate::bindings::quarry::agent::ask as wit;

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
        budget: wit::Budget { usd: request.budget.usd, tokens: request.budget.tokens },
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
        wit::AskError::Busy(wit::Busy { message, retry_after_ms }) => {
            Refusal::Busy { message, retry_after: retry_after_ms.div_ceil(1_000) }
        }
        wit::AskError::Unavailable(message) => Refusal::Unavailable(message),
        wit::AskError::Other(message) => Refusal::Internal(message),
    }
}

/// None for a name that this version does not know, which one build rules out: both sides take
/// names from the same list.
pub fn event(event: wit::Event) -> Option<Event> {
    let name = EventName::parse(&event.name)?;
    Some(Event { sequence: Some(event.sequence), name, data: event.data })
}
