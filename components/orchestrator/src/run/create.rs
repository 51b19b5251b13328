//! A run is started: its models are described, who pays is asked, its journal begun.

use super::drive::Driver;
use super::resume::keep_key;
use super::store::{RunStore, StoreError};
use super::{Known, conflict, read, settings, unwritten, wrong};
use crate::bindings::exports::quarry::agent::ask::AskError;
use crate::bindings::exports::quarry::agent::run::{
    Busy, Caller, Created, Request, Roles, RunError, Sources,
};
use crate::bindings::quarry::models::catalog;
use crate::settings::Settings;
use crate::{settings as ask_settings, slot, start};
use quarry_admission::OwnKey;
use quarry_events::Fallback;
use quarry_journal::RETRY_AFTER_MS;
use quarry_journal::run::Idempotency;
use quarry_machines::core::{Budget, Fence, ModelSheet, NoDocuments};
use quarry_machines::run::{Brief, Models, Owner, Replaced, Run, policy};
use quarry_rim::clock::{self, now};
use quarry_rim::diagnostics::note;
use quarry_rim::random;
use quarry_types::{
    CollectionName, Credential, Knobs, ModelId, ModelIdError, Provider, RunId, Timestamp, text,
};
use std::time::Duration;

/// How long whoever begins a run waits for the database to open: another process may be bringing it to a new version, or
/// hold it.
const OPENED_WITHIN: Duration = Duration::from_secs(2);

/// Models of one list at most.
const MOST_MODELS: usize = 8;

pub async fn create(request: Request, caller: Caller) -> Result<Created, RunError> {
    let now = now();
    let opened = clock::within(OPENED_WITHIN, RunStore::open()).await;
    let store = opened.ok_or_else(|| RunError::Busy(slot::locked()))?.map_err(unwritten)?;
    let settings = settings::read().await?;
    let key = key(&request, &caller)?;
    if let (Some(key), Some(lasts)) = (&key, request.key_lasts_ms) {
        let until = Timestamp(now.0.saturating_sub(lasts));
        store.free_key(caller.email.as_deref(), &key.key, until).await.map_err(unwritten)?;
    }
    let made = existing(&store, &caller, key.as_ref(), request.api_key.as_deref()).await?;
    if let Some(created) = made {
        return Ok(created);
    }
    let id = RunId::new(now.0, random::bits128());
    let (api_key, kept) = (request.api_key.clone(), request.keeps.clone());
    let brief = brief(id, request, &caller, now).await?;
    if !brief.paid_by_caller.is_empty() {
        // The key is kept nowhere: the run could not wait for its turn.
        room(&store, settings.most_driven).await?;
    }
    let owner = Owner { caller: caller.email.clone(), key: key.clone() };
    let (run, birth) = Run::created(brief, owner, now);
    if let Some(text) = &kept {
        store.keep(id, now, text).await.map_err(unwritten)?;
    }
    let is_created = store.create(birth).await;
    if kept.is_some() && !matches!(is_created, Ok(true)) {
        store.unkeep(id).await;
    }
    if !is_created.map_err(unwritten)? {
        if let Some(created) = existing(&store, &caller, key.as_ref(), api_key.as_deref()).await? {
            return Ok(created);
        }
        return Err(match &key {
            Some(key) if store.began_ask(&key.key).await? => RunError::ReusedKey,
            _ => RunError::Unavailable("the run was not kept; try again".to_owned()),
        });
    }
    let snapshot = read::queued(&run, false, now);
    // One that pays for none of its models is no loss.
    let own_key = api_key.clone().filter(|_| run.needs_key_after(None));
    let driver = Driver::new(id, store.clone(), api_key, settings.limits);
    begun(driver.take_up_born(run, 1).await, (id, store), own_key);
    Ok(Created { id: id.to_string(), snapshot })
}

/// By what the run is found when it is asked for once more.
fn key(request: &Request, caller: &Caller) -> Result<Option<Idempotency>, RunError> {
    let Some(key) = request.idempotency_key.as_deref() else { return Ok(None) };
    if let Some(own) = &request.senders_key {
        // What its door made of the request has all in it that is asked, and was its run's key before.
        let former = named(key, caller, &asked(request))?;
        return Ok(Some(Idempotency::of_sender(own, key, former)));
    }
    if request.key_lasts_ms.is_some() {
        return Ok(Some(Idempotency::of_door(key, &asked(request))));
    }
    named(key, caller, &asked(request)).map(Some)
}

/// A key that a caller named.
pub fn named(key: &str, caller: &Caller, asked: &str) -> Result<Idempotency, RunError> {
    let key = Idempotency::of(caller.email.as_deref(), key, asked);
    key.map_err(|guessable| wrong("Idempotency-Key", guessable.to_string()))
}

/// Whether another run can be driven now.
pub async fn room(store: &RunStore, most: u32) -> Result<(), RunError> {
    if most == 0 || store.driven(now()).await? < most {
        return Ok(());
    }
    let most = text::count(most.into(), "run", "runs");
    let message = format!("this server drives {most} at most, and does; try again soon");
    Err(RunError::Busy(Busy { message, retry_after_ms: RETRY_AFTER_MS }))
}

/// A run that is born is driven sooner or later, whatever becomes of its first driver. By the caller's own key only while
/// somebody keeps that: there may be no room any more, or the database locked, since the run was created.
pub fn begun(
    taken: Result<bool, StoreError>,
    (id, store): (RunId, RunStore),
    own_key: Option<String>,
) {
    match (&taken, own_key) {
        (Ok(true), _) | (Ok(false), None) => return,
        (Ok(false) | Err(_), Some(api_key)) => keep_key(id, store, api_key, None),
        (Err(_), None) => {}
    }
    match taken {
        Ok(_) => note(format_args!("run {id} was not taken up at once: its key is kept for it")),
        Err(error) => note(format_args!("run {id} was not taken up at once: {error}")),
    }
}

/// The run that was made with this key, where the same was asked; without a key there is none. One that was left is gone
/// on with, by the caller's own key for its models where one came again.
pub async fn existing(
    store: &RunStore,
    caller: &Caller,
    key: Option<&Idempotency>,
    api_key: Option<&str>,
) -> Result<Option<Created>, RunError> {
    let Some(key) = key else { return Ok(None) };
    let mut found = None;
    for kept in key.kept() {
        if let Some((id, asked)) = store.by_key(caller.email.as_deref(), &kept.key).await? {
            found = Some((id, asked.as_ref() == Some(&kept.asked)));
            break;
        }
    }
    let Some((id, is_same)) = found else { return Ok(None) };
    let Some(record) = store.record(id).await? else { return Ok(None) };
    if !is_same && key.is_senders {
        return Err(RunError::ReusedKey);
    }
    if !is_same {
        let message = "this Idempotency-Key was used with another request; send a new one";
        return Err(conflict(message, record.status));
    }
    let known = Known { id, store: store.clone(), record };
    if known.record.is_left(now()) {
        let limits = settings::read().await?.limits;
        let driver = Driver::new(id, store.clone(), api_key.map(str::to_owned), limits);
        begun(driver.take_up().await, (id, store.clone()), api_key.map(str::to_owned));
    }
    let snapshot = read::snapshot(&known, false).await?;
    Ok(Some(Created { id: id.to_string(), snapshot }))
}

/// What two requests share that ask the same. A key of the caller's is nothing that is asked.
fn asked(request: &Request) -> String {
    let Request { task, model, models, config, budget, sources, collection, guidance, .. } =
        request;
    let Roles { plan, read, judge, write } = models;
    let mut asked = serde_json::json!([
        task,
        model,
        [plan, read, judge, write],
        config,
        [budget.usd.map(f64::to_bits), budget.tokens],
        sources.contains(Sources::WEB),
        sources.contains(Sources::KNOWLEDGE),
        guidance,
    ]);
    // Left out where there is none: a request that was sent before there were any is still the same one.
    if let (Some(named), Some(parts)) = (collection, asked.as_array_mut()) {
        parts.push(serde_json::json!({ "collection": named }));
    }
    asked.to_string()
}

/// Where evidence may come from, and of which documents.
fn searched(
    sources: Sources,
    collection: Option<String>,
) -> Result<(quarry_tools::Sources, Option<CollectionName>), RunError> {
    let (sources, collection) = (start::sources(sources), start::collection(collection)?);
    NoDocuments::check(collection.as_ref(), sources)
        .map_err(|refused| wrong(NoDocuments::FIELD, refused.to_string()))?;
    Ok((sources, collection))
}

async fn brief(
    id: RunId,
    request: Request,
    caller: &Caller,
    now: Timestamp,
) -> Result<Brief, RunError> {
    let asks = ask_settings::read(now).await?;
    let knobs: Knobs = serde_json::from_str(&request.config)
        .map_err(|error| wrong("config", error.to_string()))?;
    let Request { task, model, models, api_key, budget, guidance, is_spare_key, .. } = request;
    let (sources, collection) = searched(request.sources, request.collection)?;
    let budget = Budget { usd: budget.usd, tokens: budget.tokens };
    let mut payers = Payers::new(&task, api_key.as_deref(), caller, &asks);
    payers.is_spare_key = is_spare_key;
    let main = payers.sheet("model", model).await?;
    let models = Models {
        plan: payers.sheets("models.plan", models.plan, &main).await?,
        read: payers.sheets("models.read", models.read, &main).await?,
        judge: payers.sheets("models.judge", models.judge, &main).await?,
        write: payers.sheets("models.write", models.write, &main).await?,
    };
    let (paid_by_caller, replaced) = (payers.by_caller, payers.replaced);
    if budget.usd.is_some() && !models.are_priced() {
        let message = "cannot be held: no price is known for one of the models; use budget.tokens";
        return Err(wrong("budget.usd", message));
    }
    Ok(Brief {
        id,
        task,
        knobs,
        models,
        budget,
        sources,
        collection,
        reasoning_effort: asks.ask.config.reasoning_effort,
        fence: Fence::of(random::bits64()),
        guidance,
        paid_by_caller,
        policies: policy::versions(),
        replaced,
        shares_searches: caller.email.is_some(),
        operator_keys: caller.operator_keys,
        keeps_visits: true,
        revision: Brief::REVISION,
        origin: None,
    })
}

/// Describes models and asks who pays for them.
pub struct Payers<'p> {
    task: &'p str,
    api_key: Option<&'p str>,
    /// The provider that it was sent for: it goes to no other. Where nobody says, that of the first model that is described.
    pub key_for: Option<Provider>,
    /// Whether that key counts only where nobody else pays.
    is_spare_key: bool,
    caller: &'p Caller,
    asks: &'p Settings,
    /// Models that the caller's own key pays for.
    pub by_caller: Vec<String>,
    /// Models that nobody pays for, and what stands in for them.
    pub replaced: Vec<Replaced>,
}

impl<'p> Payers<'p> {
    pub fn new(
        task: &'p str,
        api_key: Option<&'p str>,
        caller: &'p Caller,
        asks: &'p Settings,
    ) -> Self {
        let (by_caller, replaced) = (Vec::new(), Vec::new());
        let (key_for, is_spare_key) = (None, false);
        Payers { task, api_key, key_for, is_spare_key, caller, asks, by_caller, replaced }
    }

    async fn sheets(
        &mut self,
        field: &str,
        names: Vec<String>,
        main: &ModelSheet,
    ) -> Result<Vec<ModelSheet>, RunError> {
        if names.len() > MOST_MODELS {
            return Err(wrong(field, format!("must name {MOST_MODELS} models at most")));
        }
        if names.is_empty() {
            return Ok(vec![main.clone()]);
        }
        self.all(field, names).await
    }

    /// The models of another run's list, as they are now and for who pays now.
    pub async fn again(&mut self, list: &[ModelSheet]) -> Result<Vec<ModelSheet>, RunError> {
        self.all("model", list.iter().map(|sheet| sheet.id.to_string()).collect()).await
    }

    async fn all(&mut self, field: &str, names: Vec<String>) -> Result<Vec<ModelSheet>, RunError> {
        let mut sheets = Vec::with_capacity(names.len());
        for name in names {
            sheets.push(self.sheet(field, Some(name)).await?);
        }
        Ok(sheets)
    }

    pub async fn sheet(
        &mut self,
        field: &str,
        name: Option<String>,
    ) -> Result<ModelSheet, RunError> {
        let wanted = catalog::describe(name).await.map_err(start::catalog_error);
        let wanted = wanted.map_err(|error| at_field(error.into(), field))?;
        let operator_keys = self.caller.operator_keys;
        let id: ModelId =
            wanted.model.parse().map_err(|error: ModelIdError| wrong(field, error.to_string()))?;
        let provider = id.provider;
        let key_for = *self.key_for.get_or_insert(provider);
        let is_anothers = key_for != provider;
        let own_key = self.api_key.filter(|_| !is_anothers);
        let own_key = own_key.map(|text| OwnKey { text, is_spare: self.is_spare_key });
        let paid = start::pay(self.task, own_key, operator_keys, wanted, self.asks).await;
        let (answering, credential) = match paid {
            Err(AskError::MissingKey(_)) if is_anothers && self.api_key.is_some() => {
                return Err(RunError::MissingKey(format!(
                    "no key for {provider}: apiKey goes to {key_for} alone; name a model of {key_for} in {field}, or set \
                     the variable {provider}_api_key"
                )));
            }
            paid => paid?,
        };
        let model = answering.model.id.to_string();
        if matches!(credential, Credential::Caller(_)) && !self.by_caller.contains(&model) {
            self.by_caller.push(model.clone());
        }
        if let Some(Fallback { requested, reason }) = answering.fallback {
            let replaced = Replaced { requested, instead: model, reason };
            if !self.replaced.contains(&replaced) {
                self.replaced.push(replaced);
            }
        }
        Ok(answering.model)
    }
}

fn at_field(error: RunError, field: &str) -> RunError {
    match error {
        RunError::InvalidField(it) => wrong(field, it.message),
        other => other,
    }
}
