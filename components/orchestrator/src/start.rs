//! Starting an ask: the model is described, the continuation read, the machine set going.
//!
//! Border: who pays is decided in `quarry-admission`, and all else by the machine's own request.

use crate::again::{self, Before};
use crate::bindings::exports::quarry::agent::ask::{
    AskError, Begun, Caller, Continuation, Event, FieldError, Join, Keepsake, Keyless, Request,
    Sources,
};
use crate::bindings::quarry::models::catalog::{self, CatalogError, ModelInfo};
use crate::bindings::wit_stream;
use crate::driver::{self, Client, Context};
use crate::effects::Whose;
use crate::settings::{self, OnDisconnect, Settings};
use crate::shelf::Shelf;
use crate::snapshot::{self, Missing};
use crate::{bindings, convert, rejoin, shown, slot};
use futures::join;
use quarry_admission::{Payer, Payment, payment, payment_instead};
use quarry_events::Fallback;
use quarry_journal::Place;
use quarry_machines::ask::{Answering, Ask, AskParams, AskRequest, Asker, Earlier, Refusal};
use quarry_machines::core::{Budget, Machine};
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_tools::Domains;
use quarry_types::{AskId, Credential, Provider, Timestamp};
use wit_bindgen::{FutureReader, StreamReader};

/// How often the same request, sent by many at once, looks who of them was first.
const CLAIMS: u32 = 3;

/// What a client gets of a machine that was set going.
pub type Started = (String, StreamReader<Event>, FutureReader<Result<(), AskError>>);

pub async fn start(mut request: Request, caller: Caller) -> Result<Begun, AskError> {
    let now = now();
    let id = AskId::new(now.0, random::bits128());
    let join = request.join.take();
    let placed = match &join {
        Some(Join { key, looks: true }) => place(key, id, now).await?,
        _ => Placed::First(None),
    };
    if let Placed::First(Some(earlier)) = &placed {
        request.resume = Some(Continuation::Kept(earlier.to_string()));
    }
    let gone_on = goes_on_with(&request);
    let begun = match placed {
        Placed::Joined(begun) => Ok(begun),
        Placed::First(_) => match &join {
            // Nothing of it waits for the note.
            Some(Join { key, looks: false }) => {
                let begun = join!(begin(request, caller, id, now), again::note(key, id, now));
                begun.0.map(began)
            }
            _ => begin(request, caller, id, now).await.map(began),
        },
    };
    match (&begun, join) {
        (Ok(begun), _) => link(gone_on, begun).await,
        (Err(_), Some(Join { key, .. })) => again::take_back(&key, id, now).await,
        (Err(_), None) => {}
    }
    begun
}

/// Whoever looks at the ask that is gone on with is told of the one that does from now on. That it was joined is no
/// reason to leave this out: who began it may have died before it was written.
async fn link(gone_on: Option<AskId>, begun: &Begun) {
    if let (Some(earlier), Some(next)) = (gone_on, AskId::parse(&begun.id))
        && earlier != next
    {
        again::link(earlier, next).await;
    }
}

/// The kept ask that a request goes on with.
fn goes_on_with(request: &Request) -> Option<AskId> {
    match &request.resume {
        Some(Continuation::Kept(earlier)) => AskId::parse(earlier),
        _ => None,
    }
}

/// What there is to do for a request that may have come before.
enum Placed {
    /// Nothing: it reads what it began then.
    Joined(Begun),
    /// It is begun, or gone on with from this ask, and nobody else does the same.
    First(Option<AskId>),
}

/// Joins what this request began before, or claims to be the one that begins it.
async fn place(key: &str, id: AskId, now: Timestamp) -> Result<Placed, AskError> {
    if again::claim_first(key, id, now).await {
        return Ok(Placed::First(None));
    }
    for _ in 0..CLAIMS {
        let before = again::before(key, now).await;
        if let Some(Before::Joins(earlier)) = before {
            // One whose log is gone is asked again.
            if let Ok((events, outcome)) = rejoin::rejoin(&earlier.to_string(), 0).await {
                // It is found for as long as it is read.
                again::claim(key, earlier, Some(earlier), now).await;
                let id = earlier.to_string();
                return Ok(Placed::Joined(Begun { id, is_joined: true, events, outcome }));
            }
        }
        if again::claim(key, id, before.as_ref().map(Before::id), now).await {
            return Ok(Placed::First(match before {
                Some(Before::GoesOn(earlier)) => Some(earlier),
                _ => None,
            }));
        }
    }
    Err(AskError::Unavailable(
        "the same request is being begun by somebody else; send it again".to_owned(),
    ))
}

fn began((id, events, outcome): Started) -> Begun {
    Begun { id, is_joined: false, events, outcome }
}

/// The providers whose models somebody pays for here.
pub async fn providers() -> Vec<String> {
    let mut paid = Vec::new();
    for provider in Provider::ALL.into_iter().filter(|provider| provider.is_remote()) {
        let provider = provider.to_string();
        if let Ok(info) = catalog::describe(Some(provider.clone())).await
            && (info.has_operator_key || !info.needs_key)
        {
            paid.push(provider);
        }
    }
    paid
}

async fn begin(
    request: Request,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Started, AskError> {
    let settings = settings::read(now).await?;
    let Request {
        query,
        model,
        api_key,
        resume,
        budget,
        max_iterations,
        sources,
        domains,
        max_tool_calls,
        verify_with_model,
        wish,
        is_spare_key,
        waits_for_readers,
        join: _,
        keeps,
        lasts_ms,
    } = request;
    let earlier = match &resume {
        Some(continuation) => Some(read_continuation(continuation, &settings).await?),
        None => None,
    };
    let asked = AskRequest {
        query,
        wish: convert::wish(wish)?,
        model,
        budget: Budget { usd: budget.usd, tokens: budget.tokens },
        max_iterations,
        sources: quarry_tools::Sources {
            web: sources.contains(Sources::WEB),
            knowledge: sources.contains(Sources::KNOWLEDGE),
        },
        domains: Domains::new(domains),
        max_tool_calls,
        verify_with_model,
    };
    let asked = asked.going_on(earlier.as_ref())?;
    let wanted = catalog::describe(asked.model.clone()).await.map_err(catalog_error)?;
    let is_paid = caller.operator_keys && wanted.has_operator_key || !wanted.needs_key;
    let own_key = api_key.filter(|_| !(is_spare_key && is_paid));
    let (answering, credential) =
        pay(&asked.query, own_key.as_deref(), caller.operator_keys, wanted, &settings).await?;
    let Caller { email, name, operator_keys } = caller;
    let whose = Whose { email: email.clone(), operator_keys };
    let asker = Asker { email, name, operator_keys };
    let params = asked.params(id, random::bits64(), answering, asker, &settings.ask)?;
    // An ask is answered without a store, too; it cannot be joined again then.
    let shelf = Shelf::open(id).await.ok();
    let slot = placed(shelf.as_ref(), keeps, id, &settings).await?;
    let context = Context {
        id,
        credential,
        retries: None,
        whose,
        // Whoever waits for another reader says so when none came.
        on_disconnect: if waits_for_readers {
            OnDisconnect::Continue
        } else {
            settings.on_disconnect
        },
        shelf: shelf.map(Shelf::watched),
        slot,
        expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
        lasts_ms,
        retention_ms: settings.retention_ms,
    };
    Ok(launch(params, earlier, context, now))
}

/// A place among the asks under way, when what is to be kept is kept.
async fn placed(
    shelf: Option<&Shelf>,
    keeps: Option<Keepsake>,
    id: AskId,
    settings: &Settings,
) -> Result<Option<u32>, AskError> {
    let taking = slot::take(shelf, settings.max_asks);
    let Some(keepsake) = keeps else { return taking.await };
    // Neither waits for the other.
    match join!(shown::keep(shelf, keepsake, id, settings.retention_ms), taking) {
        (Ok(()), taken) => taken,
        (Err(error), taken) => {
            if let (Ok(Some(slot)), Some(shelf)) = (taken, shelf) {
                _ = shelf.remove(Place::Slot(slot)).await;
            }
            Err(error)
        }
    }
}

fn launch(
    params: AskParams,
    resumed: Option<Earlier>,
    context: Context,
    now: Timestamp,
) -> Started {
    let ask = match resumed {
        Some(earlier) => Ask::going_on(params, earlier, now),
        None => Ask::new(params, now),
    };
    set_going(ask, context)
}

/// Sets a machine going, whose events are told from then on.
pub fn set_going<M: Machine>(machine: M, context: Context) -> Started {
    let id = context.id.to_string();
    let (events, event_reader) = wit_stream::new();
    let (outcome, outcome_reader) = bindings::wit_future::new(|| {
        Err(AskError::Unavailable("the ask broke off; join again later".to_owned()))
    });
    wit_bindgen::spawn(driver::drive(machine, context, Client { events, outcome }));
    (id, event_reader, outcome_reader)
}

/// Asks who pays: for the model that is wanted, and then perhaps for the one that answers instead.
pub async fn pay(
    query: &str,
    own_key: Option<&str>,
    operator_keys: bool,
    wanted: ModelInfo,
    settings: &Settings,
) -> Result<(Answering, Credential), AskError> {
    let keyless = |message| {
        AskError::MissingKey(Keyless {
            message,
            query: query.to_owned(),
            model: wanted.model.clone(),
            context_profile: convert::profile(settings.ask.profile(wanted.context_window)),
        })
    };
    let payer = Payer {
        model: &wanted.model,
        needs_key: wanted.needs_key,
        has_operator_key: wanted.has_operator_key,
        operator_keys,
        own_key,
        fallback: settings.ask.fallback_model.as_deref(),
    };
    let (model, reason) = match payment(payer) {
        Payment::Pays(credential) => return Ok((answering(&wanted, None)?, credential)),
        Payment::FallBack { model, reason } => (model, reason),
        Payment::Refuse { message } => return Err(keyless(message)),
    };
    let instead = catalog::describe(Some(model)).await.map_err(fallback_error)?;
    let credential = payment_instead(Payer {
        model: &instead.model,
        needs_key: instead.needs_key,
        has_operator_key: instead.has_operator_key,
        ..payer
    });
    let credential = credential.map_err(keyless)?;
    let fallback = Fallback { requested: wanted.model.clone(), reason };
    Ok((answering(&instead, Some(fallback))?, credential))
}

fn answering(info: &ModelInfo, fallback: Option<Fallback>) -> Result<Answering, AskError> {
    let model = convert::model_sheet(info)
        .ok_or_else(|| AskError::Other(format!("unreadable model {}", info.model)))?;
    Ok(Answering { model, fallback })
}

async fn read_continuation(
    continuation: &Continuation,
    settings: &Settings,
) -> Result<Earlier, AskError> {
    match continuation {
        Continuation::State(text) => Earlier::from_client(text, settings.ask.secret.get())
            .map_err(|error| AskError::BadContinuation(error.to_string())),
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

pub fn catalog_error(error: CatalogError) -> AskError {
    match error {
        CatalogError::UnknownProvider(message) | CatalogError::InvalidModel(message) => {
            AskError::InvalidField(FieldError { field: "model".to_owned(), message })
        }
        CatalogError::Other(message) => AskError::Unavailable(message),
    }
}

fn fallback_error(error: CatalogError) -> AskError {
    match error {
        CatalogError::UnknownProvider(message) | CatalogError::InvalidModel(message) => {
            AskError::Other(format!("variable fallback_model cannot be used: {message}"))
        }
        CatalogError::Other(message) => AskError::Unavailable(message),
    }
}

impl From<Refusal> for AskError {
    fn from(refusal: Refusal) -> Self {
        let (field, message) = (refusal.field().to_owned(), refusal.to_string());
        AskError::InvalidField(FieldError { field, message })
    }
}
