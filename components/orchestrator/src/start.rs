//! Starting an ask: the model is described, the continuation read, the machine set going.
//!
//! Border: who pays is decided in `quarry-admission`, and all that follows by the machine.

use crate::bindings::exports::quarry::agent::ask::{
    self as wit, AskError, Caller, Continuation, Event, FieldError, Keyless, Request, Sources,
};
use crate::bindings::quarry::models::catalog::{self, CatalogError};
use crate::bindings::wit_stream;
use crate::driver::{self, Client, Context};
use crate::settings::{self, Settings};
use crate::shelf::Shelf;
use crate::snapshot::{self, Missing};
use crate::{bindings, convert, slot};
use quarry_admission::{Payer, Payment, payment};
use quarry_events::{Fallback, User};
use quarry_machines::ask::{Ask, AskParams, ContinuationState, Earlier, Wish};
use quarry_machines::core::{Budget, ContextProfile, ModelSheet};
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_types::{AskId, Credential, Timestamp};
use wit_bindgen::{FutureReader, StreamReader};

type Started = (String, StreamReader<Event>, FutureReader<Result<(), AskError>>);

pub async fn start(request: Request, caller: Caller) -> Result<Started, AskError> {
    let settings = settings::read().await?;
    let resumed = match &request.resume {
        Some(continuation) => Some(read_continuation(continuation, &settings).await?),
        None => None,
    };
    let query = question(&request, resumed.as_ref())?;
    let model = choose_model(&request, resumed.as_ref());
    let wanted = catalog::describe(model).await.map_err(catalog_error)?;
    let Answering { info, credential, fallback } =
        pay(&request, &caller, &query, wanted, &settings).await?;
    let sheet = convert::model_sheet(&info)
        .ok_or_else(|| AskError::Other(format!("unreadable model {}", info.model)))?;
    let now = now();
    let id = AskId::new(now.0, random::bits128());
    let params = AskParams { fallback, ..params(id, query, &request, caller, sheet, &settings)? };
    // An ask is answered without a store, too; it cannot be joined again then.
    let shelf = Shelf::open(id).await.ok();
    let slot = slot::take(shelf.as_ref(), settings.max_asks).await?;
    let context = Context {
        id,
        credential,
        on_disconnect: settings.on_disconnect,
        shelf,
        slot,
        expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
        retention_ms: settings.retention_ms,
    };
    Ok(launch(params, resumed, context, now))
}

fn launch(
    params: AskParams,
    resumed: Option<Earlier>,
    context: Context,
    now: Timestamp,
) -> Started {
    let id = context.id.to_string();
    let ask = match resumed {
        Some(earlier) => Ask::going_on(params, earlier, now),
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
fn choose_model(request: &Request, resumed: Option<&Earlier>) -> Option<String> {
    let kept = resumed.map(Earlier::model).filter(|model| !model.is_empty());
    request.model.clone().or(kept)
}

/// Who answers, and whose key pays for it.
struct Answering {
    info: catalog::ModelInfo,
    credential: Credential,
    fallback: Option<Fallback>,
}

/// Asks who pays: for the model that is wanted, and then perhaps for the one that answers instead.
async fn pay(
    request: &Request,
    caller: &Caller,
    query: &str,
    wanted: catalog::ModelInfo,
    settings: &Settings,
) -> Result<Answering, AskError> {
    let payer = Payer {
        model: &wanted.model,
        needs_key: wanted.needs_key,
        has_operator_key: wanted.has_operator_key,
        operator_keys: caller.operator_keys,
        own_key: request.api_key.as_deref(),
        fallback: settings.ask.fallback_model.as_deref(),
    };
    let (model, reason) = match payment(payer) {
        Payment::Pays(credential) => {
            return Ok(Answering { info: wanted, credential, fallback: None });
        }
        Payment::FallBack { model, reason } => (model, reason),
        Payment::Refuse { message } => return Err(keyless(message, query, &wanted, settings)),
    };
    let unusable = |error| match error {
        CatalogError::UnknownProvider(message) | CatalogError::InvalidModel(message) => {
            AskError::Other(format!("variable fallback_model cannot be used: {message}"))
        }
        CatalogError::Other(message) => AskError::Unavailable(message),
    };
    let info = catalog::describe(Some(model)).await.map_err(unusable)?;
    let instead = Payer {
        model: &info.model,
        needs_key: info.needs_key,
        has_operator_key: info.has_operator_key,
        own_key: None,
        fallback: None,
        ..payer
    };
    match payment(instead) {
        Payment::Pays(credential) => {
            let fallback = Some(Fallback { requested: wanted.model, reason });
            Ok(Answering { info, credential, fallback })
        }
        Payment::Refuse { message } | Payment::FallBack { reason: message, .. } => {
            Err(keyless(message, query, &wanted, settings))
        }
    }
}

fn keyless(
    message: String,
    query: &str,
    wanted: &catalog::ModelInfo,
    settings: &Settings,
) -> AskError {
    AskError::MissingKey(Keyless {
        message,
        query: query.to_owned(),
        model: wanted.model.clone(),
        context_profile: match settings.ask.profile(wanted.context_window) {
            ContextProfile::Frugal => wit::ContextProfile::Frugal,
            ContextProfile::Roomy => wit::ContextProfile::Roomy,
        },
    })
}

/// The question of the request, else that of the interrupted ask.
fn question(request: &Request, resumed: Option<&Earlier>) -> Result<String, AskError> {
    let query = match request.query.trim().is_empty() {
        true => resumed.map(|earlier| earlier.query().to_owned()).unwrap_or_default(),
        false => request.query.clone(),
    };
    if query.trim().is_empty() {
        return Err(field("query", "must not be empty"));
    }
    Ok(query)
}

fn params(
    id: AskId,
    query: String,
    request: &Request,
    caller: Caller,
    model: ModelSheet,
    settings: &Settings,
) -> Result<AskParams, AskError> {
    let wish = Wish {
        max_iterations: request.max_iterations,
        budget: Budget { usd: request.budget.usd, tokens: request.budget.tokens },
        sources: quarry_tools::Sources {
            web: request.sources.contains(Sources::WEB),
            knowledge: request.sources.contains(Sources::KNOWLEDGE),
        },
    };
    let config = settings.ask.config(wish, &model);
    let config = config.map_err(|unmet| field(unmet.field(), &unmet.to_string()))?;
    let identified = caller.email.is_some() || caller.name.is_some();
    Ok(AskParams {
        id,
        query,
        model,
        fallback: None,
        user: identified.then_some(User { email: caller.email, name: caller.name }),
        operator_keys: caller.operator_keys,
        config,
        fence: format!("[[outside-{:016x}]]", random::bits64()),
        secret: settings.ask.secret.clone(),
    })
}

async fn read_continuation(
    continuation: &Continuation,
    settings: &Settings,
) -> Result<Earlier, AskError> {
    match continuation {
        Continuation::State(text) => {
            let value = serde_json::from_str(text)
                .map_err(|error| AskError::BadContinuation(format!("not JSON: {error}")))?;
            ContinuationState::read(&value, settings.ask.secret.as_deref())
                .map(|state| Earlier::Client(Box::new(state)))
                .map_err(|error| AskError::BadContinuation(error.to_string()))
        }
        Continuation::Kept(id) => snapshot::kept(id)
            .await
            .map(|ask| Earlier::Checkpoint(Box::new(ask)))
            .map_err(|missing| match missing {
                Missing::Nothing => AskError::NotFound(
                    "nothing is kept under this id: it is unknown, has ended or expired; ask again"
                        .to_owned(),
                ),
                Missing::Unusable(why) => AskError::BadContinuation(why),
                Missing::Unavailable => {
                    AskError::Unavailable("the store could not be read; try again".to_owned())
                }
            }),
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
