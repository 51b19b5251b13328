//! Starting an ask: the model is described, the continuation read, the machine set going.

use crate::bindings::exports::quarry::agent::ask::{
    AskError, Caller, Continuation, Event, FieldError, Request, Sources,
};
use crate::bindings::quarry::models::catalog::{self, CatalogError};
use crate::bindings::wit_stream;
use crate::driver::{self, Client, Context};
use crate::settings::{self, Settings};
use crate::shelf::Shelf;
use crate::snapshot::{self, Missing};
use crate::{bindings, convert, now, slot};
use quarry_admission::Payer;
use quarry_events::User;
use quarry_machines::ask::{
    Ask, AskConfig, AskParams, Budget, ContextProfile, ContinuationState, ModelSheet,
};
use quarry_types::Credential;
use quarry_types::{AskId, Timestamp};
use spin_sdk::wasip3::random::random;
use wit_bindgen::{FutureReader, StreamReader};

type Started = (String, StreamReader<Event>, FutureReader<Result<(), AskError>>);

/// Starts an ask.
pub async fn start(request: Request, caller: Caller) -> Result<Started, AskError> {
    let settings = settings::read().await?;
    let resumed = match &request.resume {
        Some(continuation) => Some(read_continuation(continuation, &settings).await?),
        None => None,
    };
    let model = choose_model(&request, resumed.as_ref());
    let info = catalog::describe(model).await.map_err(catalog_error)?;
    let credential = credential(&request, &caller, &info)?;
    let sheet = convert::model_sheet(&info)
        .ok_or_else(|| AskError::Other(format!("unreadable model {}", info.model)))?;
    let now = now();
    let id = AskId::new(now.0, random_bits());
    let is_paid = sheet.is_language_model;
    let params = params(id, &request, resumed.as_ref(), caller, sheet, &settings)?;
    // An ask is answered without a store, too; it cannot be joined again then.
    let shelf = Shelf::open(id).await.ok();
    let random = random::get_random_u64();
    let slot = slot::take(shelf.as_ref(), id, settings.max_asks, random).await?;
    let context = Context {
        id,
        credential,
        on_disconnect: settings.on_disconnect,
        is_paid,
        shelf,
        slot,
        expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
        retention_ms: settings.retention_ms,
    };
    Ok(launch(params, resumed, context, now))
}

fn launch(
    params: AskParams,
    resumed: Option<ContinuationState>,
    context: Context,
    now: Timestamp,
) -> Started {
    let id = context.id.to_string();
    let ask = match resumed {
        Some(state) => Ask::resume(params, state, now),
        None => Ask::new(params, now),
    };
    let (events, event_reader) = wit_stream::new();
    let (outcome, outcome_reader) = bindings::wit_future::new(|| {
        Err(AskError::Unavailable("the ask broke off; join again later".to_owned()))
    });
    wit_bindgen::spawn(driver::drive(ask, context, Client { events, outcome }));
    (id, event_reader, outcome_reader)
}

/// The model named in the request, else the one that the interrupted ask used, else the
/// configured default.
fn choose_model(request: &Request, resumed: Option<&ContinuationState>) -> Option<String> {
    let kept = resumed.map(|state| state.model.clone()).filter(|model| !model.is_empty());
    request.model.clone().or(kept)
}

/// Whose key pays.
fn credential(
    request: &Request,
    caller: &Caller,
    info: &catalog::ModelInfo,
) -> Result<Credential, AskError> {
    let payer = Payer {
        model: &info.model,
        needs_key: info.needs_key,
        has_operator_key: info.has_operator_key,
        operator_keys: caller.operator_keys,
        own_key: request.api_key.as_deref(),
    };
    quarry_admission::credential(payer).map_err(|denial| AskError::MissingKey(denial.to_string()))
}

fn params(
    id: AskId,
    request: &Request,
    resumed: Option<&ContinuationState>,
    caller: Caller,
    model: ModelSheet,
    settings: &Settings,
) -> Result<AskParams, AskError> {
    let query = if request.query.trim().is_empty() {
        resumed.map(|state| state.query.clone()).unwrap_or_default()
    } else {
        request.query.clone()
    };
    if query.trim().is_empty() {
        return Err(field("query", "must not be empty"));
    }
    if !request.sources.contains(Sources::WEB) {
        return Err(field("sources", "this version has no knowledge base; use \"web\""));
    }
    if request.budget.usd.is_some() && model.price.is_none() {
        return Err(field(
            "budget.usd",
            "cannot be held: no price is known for this model; use budget.tokens",
        ));
    }
    let roomy = model.context_window.is_some_and(|size| size >= ContextProfile::ROOMY_FROM);
    let by_model = if roomy { ContextProfile::Roomy } else { ContextProfile::Frugal };
    let config = AskConfig {
        max_iterations: request.max_iterations.unwrap_or(settings.config.max_iterations),
        profile: settings.profile.unwrap_or(by_model),
        budget: Budget { usd: request.budget.usd, tokens: request.budget.tokens },
        sources: quarry_machines::ask::Sources {
            web: request.sources.contains(Sources::WEB),
            knowledge: request.sources.contains(Sources::KNOWLEDGE),
        },
        ..settings.config.clone()
    };
    let identified = caller.email.is_some() || caller.name.is_some();
    Ok(AskParams {
        id,
        query,
        model,
        user: identified.then_some(User { email: caller.email, name: caller.name }),
        operator_keys: caller.operator_keys,
        config,
        fence: format!("[[outside-{:016x}]]", random::get_random_u64()),
        secret: settings.secret.clone(),
    })
}

async fn read_continuation(
    continuation: &Continuation,
    settings: &Settings,
) -> Result<ContinuationState, AskError> {
    match continuation {
        Continuation::State(text) => {
            let value = serde_json::from_str(text)
                .map_err(|error| AskError::BadContinuation(format!("not JSON: {error}")))?;
            ContinuationState::read(&value, settings.secret.as_deref())
                .map_err(|error| AskError::BadContinuation(error.to_string()))
        }
        Continuation::Kept(id) => {
            snapshot::kept(id, settings.secret.as_deref()).await.map_err(|missing| match missing {
                Missing::Nothing => AskError::NotFound(
                    "nothing is kept under this id: it is unknown, has ended or expired; ask again"
                        .to_owned(),
                ),
                Missing::Unusable(why) => AskError::BadContinuation(why),
                Missing::Unavailable => {
                    AskError::Unavailable("the store could not be read; try again".to_owned())
                }
            })
        }
    }
}

fn catalog_error(error: CatalogError) -> AskError {
    match error {
        CatalogError::UnknownProvider(message) | CatalogError::InvalidModel(message) => {
            field("model", &message)
        }
        CatalogError::Other(message) => AskError::Unavailable(message),
    }
}

fn field(name: &str, message: &str) -> AskError {
    AskError::InvalidField(FieldError { field: name.to_owned(), message: message.to_owned() })
}

fn random_bits() -> u128 {
    u128::from(random::get_random_u64()) << 64 | u128::from(random::get_random_u64())
}
