//! WIT's records from and to the types of the doors.
//!
//! Border: names and units change here, and nothing else.

use quarry_admission::Caller;
use quarry_doors::{AskRequest, Continuation, Event, Keyless, Network, Refusal};
use quarry_events::{EventName, User};

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
        budget: wit::Budget { usd: request.budget.usd, tokens: request.budget.tokens },
        max_iterations: request.max_iterations,
        sources,
        verify_with_model: request.verify_with_model,
    }
}

pub fn caller(caller: Caller) -> wit::Caller {
    wit::Caller { email: caller.email, name: caller.name, operator_keys: caller.operator_keys }
}

/// `caller` is shown with what nobody's key pays for.
pub fn refusal(error: wit::AskError, caller: Caller) -> Refusal {
    match error {
        wit::AskError::InvalidField(wit::FieldError { field, message }) => {
            Refusal::InvalidField { field, message }
        }
        wit::AskError::MissingKey(ask) => Refusal::MissingKey(Box::new(keyless(ask, caller))),
        wit::AskError::BadContinuation(message) => Refusal::BadContinuation(message),
        wit::AskError::NotFound(message) => Refusal::NotFound(message),
        wit::AskError::Busy(wit::Busy { message, retry_after_ms }) => {
            Refusal::Busy { message, retry_after: retry_after_ms.div_ceil(1_000) }
        }
        wit::AskError::Unavailable(message) => Refusal::Unavailable(message),
        wit::AskError::Other(message) => Refusal::Internal(message),
    }
}

fn keyless(ask: wit::Keyless, caller: Caller) -> Keyless {
    let user = caller.is_identified().then_some(User { email: caller.email, name: caller.name });
    Keyless {
        message: ask.message,
        query: ask.query,
        model: ask.model,
        context_profile: match ask.context_profile {
            wit::ContextProfile::Frugal => "frugal",
            wit::ContextProfile::Roomy => "roomy",
        },
        user,
        operator_keys: caller.operator_keys,
    }
}

/// None for a name that this version does not know, which one build rules out: both sides take
/// names from the same list.
pub fn event(event: wit::Event) -> Option<Event> {
    let name = EventName::parse(&event.name)?;
    Some(Event { sequence: Some(event.sequence), name, data: event.data })
}

pub fn network(guard: Guard) -> Network {
    match guard {
        Guard::Guarded => Network::Guarded,
        Guard::Open => Network::Open,
        Guard::Unknown => Network::Unknown,
    }
}
