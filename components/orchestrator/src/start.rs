//! Starting an ask: the model is described, the continuation read, the machine set going.
//!
//! Border: who pays is decided in `quarry-admission`, and all else by the machine's own request.

use crate::again;
use crate::asked::Asked;
use crate::beside::Beside;
use crate::bindings::exports::quarry::agent::ask::{
    AskError, Begun, Caller, Event, FieldError, Keepsake, Keyless, Request, Sources,
};
use crate::bindings::quarry::models::catalog::{self, CatalogError, ModelInfo};
use crate::bindings::wit_stream;
use crate::driver::{self, Client, Context};
use crate::effects::Whose;
use crate::senders_key::SendersKey;
use crate::settings::{self, OnDisconnect, Settings};
use crate::shelf::Shelf;
use crate::slot::{self, Note, Taken};
use crate::under_way::Driving;
use crate::{bindings, continuation, convert};
use quarry_admission::{OwnKey, Payer, Payment, payment, payment_instead};
use quarry_events::Fallback;
use quarry_journal::{Place, notes};
use quarry_machines::ask::{Answering, Ask, AskParams, AskRequest, Asker, Earlier, Refusal};
use quarry_machines::core::{Budget, Machine, NoDocuments};
use quarry_rim::clock;
use quarry_rim::random;
use quarry_schema::trouble::Defect;
use quarry_tools::Domains;
use quarry_types::{AskId, CollectionName, Credential, Provider, Retries, Timestamp};
use std::rc::Rc;
use wit_bindgen::{FutureReader, StreamReader};

/// What a client gets of a machine that was set going.
pub struct Started {
    /// Its id.
    pub id: String,
    /// `provider:name` of the model that answers.
    pub model: String,
    /// Its events, from the first on.
    pub events: StreamReader<Event>,
    /// Whether its log is whole.
    pub outcome: FutureReader<Result<(), AskError>>,
}

/// By what it is known what a request begins.
#[derive(Clone, Copy)]
pub struct Once<'k> {
    /// Its key.
    pub key: &'k str,
    /// Whether it says that it may have come before. Then nothing begins that is not noted; whoever asks anew is answered
    /// without a store, too.
    pub may_have_come: bool,
    /// Whether it says so by what whoever asks anew can leave out: a key of its sender's, or a count of tries.
    pub says_so: bool,
    /// The key that its sender gave it, if it did.
    pub own: Option<&'k SendersKey>,
    /// Whether its note stands already, so that it begins whatever is noted.
    pub is_noted: bool,
}

/// Begins it where there is a place and, with a key of its request, nothing notes that the same began something before.
pub async fn try_once(
    once: Option<Once<'_>>,
    asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Option<Begun>, AskError> {
    let gone_on = asked.takes_up();
    let Some(started) = asked.set_going(once, caller, id, now).await? else { return Ok(None) };
    let Started { id, model, events, outcome } = started;
    let (is_joined, is_continuation, model) = (false, false, Some(model));
    let held_up = None;
    let begun = Begun { id, is_joined, is_continuation, model, events, outcome, held_up };
    link(gone_on, &begun).await;
    Ok(Some(begun))
}

/// Whoever looks at the ask that is gone on with is told of the one that does from now on. That it was joined is no
/// reason to leave this out: who began it may have died before it was written.
pub async fn link(gone_on: Option<AskId>, begun: &Begun) {
    if let (Some(earlier), Some(next)) = (gone_on, AskId::parse(&begun.id))
        && earlier != next
    {
        again::link(earlier, next).await;
    }
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

/// Begins it whatever is noted.
pub async fn begin(
    once: Option<Once<'_>>,
    asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    let once = once.map(|once| Once { is_noted: true, ..once });
    try_once(once, asked, caller, id, now)
        .await?
        .ok_or_else(|| AskError::Unavailable("the ask could not begin; send it again".to_owned()))
}

/// Where evidence may come from.
pub const fn sources(given: Sources) -> quarry_tools::Sources {
    quarry_tools::Sources {
        web: given.contains(Sources::WEB),
        knowledge: given.contains(Sources::KNOWLEDGE),
        program: given.contains(Sources::PROGRAM),
    }
}

/// The collection of this name.
pub fn collection(name: Option<String>) -> Result<Option<CollectionName>, AskError> {
    name.map(CollectionName::try_from).transpose().map_err(|wrong| {
        let (field, message) = (NoDocuments::FIELD.to_owned(), wrong.to_string());
        AskError::InvalidField(FieldError { field, message })
    })
}

/// An ask as it is accepted: nothing of it was written yet.
struct Accepted {
    params: AskParams,
    earlier: Option<Earlier>,
    credential: Credential,
    whose: Whose,
    settings: Settings,
    keeps: Option<Keepsake>,
    /// Its name from now on.
    called: Option<String>,
    on_disconnect: OnDisconnect,
    lasts_ms: Option<u64>,
    id: AskId,
}

/// Sets an ask going.
pub async fn set_ask_going(
    request: Request,
    once: Option<Once<'_>>,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Option<Started>, AskError> {
    accept(request, caller, id, now).await?.set_going(once, now).await
}

/// Reads a request, and decides who pays.
async fn accept(
    request: Request,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Accepted, AskError> {
    let settings = settings::read(now).await?;
    let earlier = match &request.resume {
        Some(continuation) => Some(continuation::read(continuation, &settings).await?),
        None => None,
    };
    let (api_key, is_spare_key) = (request.api_key, request.is_spare_key);
    let (keeps, called, lasts_ms) = (request.keeps, request.name, request.lasts_ms);
    // Whoever waits for another reader says so when none came.
    let on_disconnect = match request.waits_for_readers {
        true => OnDisconnect::Continue,
        false => settings.on_disconnect,
    };
    let asked = AskRequest {
        query: request.query,
        wish: convert::wish(request.wish)?,
        model: request.model,
        budget: Budget { usd: request.budget.usd, tokens: request.budget.tokens },
        max_iterations: request.max_iterations,
        sources: sources(request.sources),
        collection: collection(request.collection)?,
        domains: Domains::new(request.domains),
        max_tool_calls: request.max_tool_calls,
        verify_with_model: request.verify_with_model,
    };
    let asked = asked.going_on(earlier.as_ref())?;
    let wanted = catalog::describe(asked.model.clone()).await.map_err(catalog_error)?;
    let own_key = api_key.as_deref().map(|text| OwnKey { text, is_spare: is_spare_key });
    let (answering, credential) =
        pay(&asked.query, own_key, caller.operator_keys, wanted, &settings).await?;
    let Caller { email, name, operator_keys } = caller;
    let whose = Whose { email: email.clone(), operator_keys };
    let asker = Asker { email, name, operator_keys };
    let params = asked.params(id, random::bits64(), answering, asker, &settings.ask)?;
    Ok(Accepted {
        params,
        earlier,
        credential,
        whose,
        settings,
        keeps,
        called,
        on_disconnect,
        lasts_ms,
        id,
    })
}

impl Accepted {
    /// Sets it going, when it has its place and what is to be kept is kept. With a key of its request, only where there
    /// is no note that the same began something before.
    async fn set_going(
        self,
        once: Option<Once<'_>>,
        now: Timestamp,
    ) -> Result<Option<Started>, AskError> {
        let model = self.params.model.id.to_string();
        let Accepted { id, settings, .. } = self;
        // An ask is answered without a store, too; it cannot be joined again then.
        let shelf = Shelf::open(id).await.map_err(|error| error.defect());
        let opened = shelf.as_ref().map_err(|defect| *defect);
        let holding = Holding { shelf: opened, settings: &settings, id, now };
        let Held { taken, has_log } = holding.place(self.keeps, self.called, once).await?;
        if taken == Taken::Nothing {
            return Ok(None);
        }
        let context = Context {
            id,
            credential: self.credential,
            retries: Retries::default(),
            whose: self.whose,
            // Without a log nobody comes back for it.
            on_disconnect: if has_log { self.on_disconnect } else { OnDisconnect::Stop },
            shelf: shelf.ok().filter(|_| has_log).map(Shelf::watched),
            slot: taken.number(),
            expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
            lasts_ms: self.lasts_ms,
            retention_ms: settings.retention_ms,
        };
        let ask = match self.earlier {
            Some(earlier) => Ask::going_on(self.params, earlier, now),
            None => Ask::new(self.params, now),
        };
        Ok(Some(set_going(ask, model, context)))
    }
}

/// What is asked holds this before it goes.
pub struct Holding<'a> {
    /// Or what somebody has to mend before it opens, where that is known.
    pub shelf: Result<&'a Shelf, Option<Defect>>,
    pub settings: &'a Settings,
    pub id: AskId,
    pub now: Timestamp,
}

/// What it holds then.
pub struct Held {
    /// Its place.
    pub taken: Taken,
    /// Whether it may write a log, where there is a store.
    pub has_log: bool,
}

impl Holding<'_> {
    /// A place among the asks under way, when what is to be kept is kept, and it is called as it is to be.
    pub async fn place(
        &self,
        keeps: Option<Keepsake>,
        name: Option<String>,
        once: Option<Once<'_>>,
    ) -> Result<Held, AskError> {
        let born = (self.id, self.now, self.settings.retention_ms);
        let own = once.and_then(|once| once.own);
        let means = own.map(|own| own.means(self.now, self.settings.retention_ms));
        let beside = Rc::new(Beside::new(born, keeps, name, means));
        let taken = self.take(once, &beside).await?;
        // Who has no place is not made to wait for a store that hangs.
        if taken != Taken::Nothing
            && let Err(error) = beside.write_rest(self.shelf).await
        {
            // Also where it is begun: without a log whoever was led to it would find nothing.
            self.give_back(taken, once, &beside).await;
            let unlogged = Held { taken: Taken::Without, has_log: false };
            return if beside.may_leave_no_log() { Ok(unlogged) } else { Err(error) };
        }
        Ok(Held { taken, has_log: true })
    }

    async fn take(&self, once: Option<Once<'_>>, beside: &Rc<Beside>) -> Result<Taken, AskError> {
        let places = self.settings.max_asks;
        let first = once.filter(|once| !once.is_noted);
        let taken = match first {
            Some(once) => self.take_noted(once, beside).await,
            None => Ok(slot::take(self.shelf.ok(), places, beside).await),
        };
        // While there is no place nothing begins, whatever the key means.
        if matches!(taken, Ok(Taken::Nothing) | Err(_))
            && (places == 0 || !slot::is_full())
            && let (Some(means), Ok(shelf)) = (beside.means(), self.shelf)
        {
            match (means.is_anothers(shelf).await, &taken) {
                (Some(true), _) => return Err(AskError::ReusedKey),
                // Places may be free: that they are taken would be told to everybody.
                (None, Ok(_)) => return Err(slot::unnoted(None, true)),
                (Some(false), _) | (None, Err(_)) => {}
            }
        }
        match taken {
            Ok(Taken::Nothing) if first.is_none() => Err(slot::full(places)),
            taken => taken,
        }
    }

    /// The same for what is to be found by a note that does not stand yet.
    async fn take_noted(
        &self,
        Once { key, may_have_come, says_so, .. }: Once<'_>,
        beside: &Rc<Beside>,
    ) -> Result<Taken, AskError> {
        let places = self.settings.max_asks;
        let note = Note { logs: self.notes(key), is_off: Rc::clone(&beside.is_off) };
        let noted = (self.id, note.clone());
        let taken = slot::take_noted(self.shelf, places, noted, beside).await;
        let Taken::Unsaid(defect) = taken else { return Ok(taken) };
        // What cannot be written can often be read.
        match clock::within(slot::PATIENCE, again::noted(key, self.now)).await {
            // Its own came late.
            Some(Ok(Some(noted))) if noted == self.id => Ok(taken),
            Some(Ok(Some(_))) => {
                // What it still tries to write comes to something only once that note is gone: then nothing else began by it.
                beside.is_off.set(true);
                Ok(Taken::Nothing)
            }
            // Nothing is ever noted here.
            Some(Err(error)) if error.is_for_good() => Ok(taken),
            // That no note is read does not say that none is being written.
            _ if may_have_come => {
                self.call_off(Some(key), beside);
                Err(slot::unnoted(defect, says_so))
            }
            _ => {
                slot::note_late(self.id, note);
                Ok(taken)
            }
        }
    }

    /// It is not begun. Its notes, which may have been written by now or be written yet, would lead nowhere.
    fn call_off(&self, key: Option<&str>, beside: &Rc<Beside>) {
        beside.is_off.set(true);
        let note = key.map(|key| self.notes(key));
        let (id, beside) = (self.id, Rc::clone(beside));
        wit_bindgen::spawn(async move {
            let undoing = async {
                if let Some([log, _]) = note {
                    again::undo(log, id).await;
                }
                beside.take_back().await;
            };
            clock::within(slot::GIVE_UP, undoing).await;
        });
    }

    fn notes(&self, key: &str) -> [AskId; 2] {
        notes(key, self.now, self.settings.retention_ms)
    }

    async fn give_back(&self, taken: Taken, once: Option<Once<'_>>, beside: &Rc<Beside>) {
        if let (Taken::Place(slot), Ok(shelf)) = (taken, self.shelf) {
            _ = shelf.remove(Place::Slot(slot)).await;
        }
        let key = once.map(|once| once.key);
        match (taken, key) {
            (Taken::Unsaid(_), key) => self.call_off(key, beside),
            (_, Some(key)) => {
                let [log, _] = self.notes(key);
                again::undo(log, self.id).await;
            }
            (_, None) => {}
        }
    }
}

/// Sets a machine going, whose events are told from then on.
pub fn set_going<M: Machine>(machine: M, model: String, context: Context) -> Started {
    let id = context.id.to_string();
    let (writer, events) = wit_stream::new();
    let (ending, outcome) = bindings::wit_future::new(|| {
        Err(AskError::Unavailable("the ask broke off; join again later".to_owned()))
    });
    let client = Client { events: writer, outcome: ending };
    // From here on it can be found, however long its driver waits for its turn.
    let driving = Driving::begin(context.id);
    wit_bindgen::spawn(driver::drive(machine, context, client, driving));
    Started { id, model, events, outcome }
}

/// Asks who pays: for the model that is wanted, and then perhaps for the one that answers instead.
pub async fn pay(
    query: &str,
    own_key: Option<OwnKey<'_>>,
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

pub fn catalog_error(error: CatalogError) -> AskError {
    match error {
        CatalogError::UnknownProvider(message) | CatalogError::InvalidModel(message) => {
            let message = format!("cannot be used: {message}");
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
