//! WIT's records from and to the types of the doors.
//!
//! Border: names and units change here, and nothing else.

pub mod knowledge;

use quarry_admission::Caller;
use quarry_doors::runs::{Branch, Filter, ReportForm, Request, Resumption, Roles};
use quarry_doors::{
    AskRequest, Budget, ConsultRequest, Continuation, Database, Event, Form, Hidden, Join, Keyless,
    Network, Refusal, Said, Seeks, Sources, Speaker, Unkept, Wish,
};
use quarry_events::User;
use quarry_types::ReasoningEffort;

use crate::bindings::quarry::agent::ask as wit;
use crate::bindings::quarry::agent::consult;
use crate::bindings::quarry::agent::database::Keeping;
use crate::bindings::quarry::agent::run;
use crate::bindings::quarry::agent::types::Event as WitEvent;
use crate::bindings::quarry::web::network::Guard;

/// Where an ask stands that is under way, in the word that runs have for it.
const RUNNING: &str = "running";

/// `found_by` is by what whoever asks finds what it begins.
pub fn request(request: AskRequest, found_by: Option<String>) -> wit::Request {
    wit::Request {
        query: request.query,
        model: request.model,
        api_key: request.api_key,
        resume: request.resume.map(|resume| match resume {
            Continuation::Kept(id) => wit::Continuation::Kept(id),
            Continuation::State(state) => wit::Continuation::State(state),
        }),
        budget: budget(request.budget),
        max_iterations: request.max_iterations,
        sources: sources(request.sources),
        collection: request.collection.map(String::from),
        domains: request.domains,
        max_tool_calls: request.max_tool_calls,
        verify_with_model: request.verify_with_model,
        wish: wish(request.wish),
        is_spare_key: request.manners.is_spare_key,
        waits_for_readers: request.manners.goes_on || request.manners.grace_seconds.is_some(),
        join: request.manners.join.map(|own| join(own, request.manners.only_again.is_some())),
        name: request.manners.called.map(|name| name.key()),
        keeps: request.manners.keeps.map(|text| wit::Keepsake {
            text,
            found_by,
            unkept: match request.manners.unkept {
                Unkept::Refused => wit::Unkept::Refused,
                Unkept::Unlogged => wit::Unkept::Unlogged,
                Unkept::Begun => wit::Unkept::Begun,
            },
        }),
        lasts_ms: request.manners.lasts_ms,
    }
}

fn join(Join { key, seeks, says_so, own }: Join, only_again: bool) -> wit::Join {
    let seeks = match seeks {
        _ if only_again => wit::Seeks::Earlier,
        Seeks::Nothing => wit::Seeks::Nothing,
        Seeks::Halted => wit::Seeks::Halted,
        Seeks::Unfinished => wit::Seeks::Unfinished,
        Seeks::Anything => wit::Seeks::Anything,
    };
    wit::Join { key, seeks, says_so, senders_key: own }
}

fn wish(wish: Wish) -> wit::Wish {
    let said = |said: Said| wit::Said {
        by: match said.by {
            Speaker::User => wit::Speaker::User,
            Speaker::Assistant => wit::Speaker::Assistant,
        },
        text: said.text,
    };
    wit::Wish {
        history: wish.history.into_iter().map(said).collect(),
        instructions: wish.instructions,
        effort: wish.effort.map(|effort| match effort {
            ReasoningEffort::Low => wit::Effort::Low,
            ReasoningEffort::Medium => wit::Effort::Medium,
            ReasoningEffort::High => wit::Effort::High,
        }),
        max_tokens: wish.max_tokens,
        temperature: wish.temperature,
        top_p: wish.top_p,
        form: wish.form.map(|form| match form {
            Form::JsonObject => wit::Form::JsonObject,
            Form::JsonSchema { name, schema, strict } => {
                wit::Form::JsonSchema(wit::JsonSchema { name, schema, strict })
            }
        }),
        stop: wish.stop,
        is_direct: wish.is_direct,
        wants_all_said: wish.wants_all_said,
    }
}

pub fn consult(request: ConsultRequest) -> consult::Request {
    consult::Request {
        query: request.query,
        collection: request.collection,
        top_k: request.top_k,
        threshold: request.threshold,
        filter: consult::Filter {
            categories: request.filter.categories,
            source_orgs: request.filter.source_orgs,
            documents: request.filter.documents,
        },
        model: request.model,
        api_key: request.api_key,
        budget: budget(request.budget),
        verify_with_model: request.verify_with_model,
        join: request.manners.join.map(|own| join(own, false)),
    }
}

fn sources(given: Sources) -> wit::Sources {
    let mut sources = wit::Sources::empty();
    sources.set(wit::Sources::WEB, given.web);
    sources.set(wit::Sources::KNOWLEDGE, given.knowledge);
    sources.set(wit::Sources::PROGRAM, given.program);
    sources
}

fn budget(budget: Budget) -> wit::Budget {
    wit::Budget { usd: budget.usd, tokens: budget.tokens }
}

fn key(key: Option<Hidden>) -> Option<String> {
    key.map(|Hidden(key)| key)
}

pub fn run(request: Request) -> run::Request {
    let Roles { plan, read, judge, write } = request.models;
    run::Request {
        task: request.task,
        model: request.model,
        models: run::Roles { plan, read, judge, write },
        api_key: key(request.api_key),
        config: request.config,
        budget: budget(request.budget),
        sources: sources(request.sources),
        collection: request.collection.map(String::from),
        guidance: request.guidance,
        idempotency_key: request.idempotency_key,
        key_lasts_ms: request.key_lasts_ms,
        senders_key: request.senders_key,
        is_spare_key: request.is_spare_key,
        keeps: request.keeps,
    }
}

pub fn filter(filter: Filter) -> run::Filter {
    run::Filter {
        status: filter.status.map(|status| status.as_str().to_owned()),
        limit: filter.limit,
        cursor: filter.cursor,
    }
}

pub fn resumption(resumption: Resumption) -> run::Resumption {
    run::Resumption {
        api_key: key(resumption.api_key),
        budget: budget(resumption.budget),
        config: resumption.config,
        force: resumption.force,
    }
}

pub fn branch(branch: Branch) -> run::Branch {
    run::Branch {
        at: branch.at,
        task: branch.task,
        model: branch.model,
        api_key: key(branch.api_key),
        config: branch.config,
        idempotency_key: branch.idempotency_key,
    }
}

pub const fn form(form: ReportForm) -> run::Form {
    match form {
        ReportForm::Json => run::Form::Json,
        ReportForm::Markdown => run::Form::Markdown,
        ReportForm::Html => run::Form::Html,
    }
}

pub fn run_refusal(error: run::RunError) -> Refusal {
    match error {
        run::RunError::InvalidField(run::FieldError { field, message }) => {
            Refusal::InvalidField { field, message }
        }
        run::RunError::MissingKey(message) => Refusal::NeedsKey(message),
        run::RunError::NotFound(message) => Refusal::NotFound(message),
        run::RunError::Conflict(run::Conflict { message, status }) => {
            Refusal::Conflict { message, status }
        }
        run::RunError::ReusedKey => Refusal::ReusedKey,
        run::RunError::Busy(run::Busy { message, retry_after_ms }) => {
            Refusal::Busy { message, retry_after: retry_after_ms.div_ceil(1_000) }
        }
        run::RunError::Unavailable(message) => Refusal::Unavailable(message),
        run::RunError::Other(message) => Refusal::Internal(message),
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
        wit::AskError::UnderWay(message) => {
            Refusal::Conflict { message, status: RUNNING.to_owned() }
        }
        wit::AskError::ReusedKey => Refusal::ReusedKey,
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
pub fn event<N>(event: WitEvent, named: fn(&str) -> Option<N>) -> Option<Event<N>> {
    Some(Event { sequence: Some(event.sequence), name: named(&event.name)?, data: event.data })
}

pub fn database(keeping: Keeping) -> Database {
    match keeping {
        Keeping::Kept => Database::Kept,
        Keeping::Memory => Database::Memory,
        Keeping::Missing => Database::Missing,
        Keeping::Failing => Database::Failing,
    }
}

pub fn network(guard: Guard) -> Network {
    match guard {
        Guard::Guarded => Network::Guarded,
        Guard::Open => Network::Open,
        Guard::Unknown => Network::Unknown,
    }
}
