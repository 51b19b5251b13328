//! A run that a person has go on.
//!
//! Border: what it goes on with is the run's, and who may have it the journal's. Nobody can tell a driver that has died
//! from one that says nothing for a while, before its lease is over: who asks meanwhile is told until when that is, and
//! the run is looked at then; with a key that lies nowhere else sooner, and for longer.

use super::create::{Payers, room};
use super::drive::{Driver, Told};
use super::settings::RunSettings;
use super::store::{RunStore, StoreError};
use super::{Known, RunError, conflict, load, read, refused, settings, unknown, unwritten};
use crate::bindings::exports::quarry::agent::run::{Caller, Resumption};
use crate::settings as ask_settings;
use quarry_events::run::RunStatus;
use quarry_journal::{Looked, Promise, SliceLimits};
use quarry_machines::core::Budget;
use quarry_machines::run::{self as machine, GoesOn, Refused, Run};
use quarry_rim::clock::{self, now};
use quarry_rim::diagnostics::note;
use quarry_rim::random;
use quarry_types::{RunId, Timestamp};
use std::time::Duration;

/// Why nobody can say whether the run goes on.
const UNWRITTEN: &str =
    "the database did not say that it took it: look at the run, and resume it if it does not go on";

/// A key of the caller's whose run somebody else has, or nobody could take: it lies nowhere but here, so it stays with the
/// run for as long as one that came with a resumption. `since`: the last entry that is known to be older than the key, or
/// to be written by who has it; none: the last that there is.
pub fn keep_key(id: RunId, store: RunStore, api_key: String, since: Option<u64>) {
    let (config, budget) = ("{}".to_owned(), Budget::default());
    let (force, has_key, operator_pays) = (false, true, false);
    let wanted = machine::Resumption { config, budget, force, has_key, operator_pays };
    wit_bindgen::spawn(async move {
        let position = async || store.position(id).await.ok().flatten().map(|position| position.n);
        let since = if since.is_some() { since } else { position().await };
        let wish = Wish { wanted, api_key: Some(api_key), name: None, since };
        if let Ok(true) = wish.is_outdated(&store, id).await {
            return;
        }
        match settings::read().await {
            Ok(settings) => look_again((id, &store), &wish, settings, now()).await,
            Err(error) => note(format_args!("the key of run {id} could not be kept: {error}")),
        }
    });
}

/// What a person wants, with their own key, which lives here alone.
struct Wish {
    wanted: machine::Resumption,
    api_key: Option<String>,
    /// The name under which it lies in the run's inbox, without the key.
    name: Option<String>,
    /// The last entry of the run when it came; none: nobody knows.
    since: Option<u64>,
}

impl Wish {
    /// Whether its key is of no use any more: the run has had another since, or goes on without one.
    async fn is_outdated(&self, store: &RunStore, id: RunId) -> Result<bool, StoreError> {
        match (&self.api_key, self.since) {
            (Some(_), Some(since)) => load::is_rekeyed(store, id, since).await,
            (None, _) | (Some(_), None) => Ok(false),
        }
    }
}

/// What came of a wish.
enum Came {
    /// It goes on.
    Goes,
    /// Another has it.
    Held(Held),
    /// It cannot be had just now, and nobody has it. What came of telling it, where it was to be told something.
    NotNow(Option<Told>),
}

/// A run that another has.
struct Held {
    until: Timestamp,
    /// Whether the run is to be told something, and not to go on as it is.
    is_told: bool,
}

pub async fn resume(
    known: Known,
    resumption: Resumption,
    caller: &Caller,
) -> Result<String, RunError> {
    let Resumption { api_key, budget, config, force } = resumption;
    let budget = Budget { usd: budget.usd, tokens: budget.tokens };
    let has_key = api_key.is_some();
    let settings = settings::read().await?;
    let (run, last) = loaded(&known).await?;
    let operator_pays = !has_key && has_operators_key(&run, caller).await?;
    let wanted = machine::Resumption { config, budget, force, has_key, operator_pays };
    let status = run.status();
    let goes_on = run.resumption(wanted.clone(), now());
    let goes_on = goes_on.map_err(|why| refused(why, status))?;
    is_paid(&run, &goes_on, caller).await?;
    let left = known.store.inbox(known.id).await?;
    let beside = goes_on.beside(&wanted, &left).map_err(|why| refused(why, status))?;
    let (goes_on, name) = beside;
    let mut wish = Wish { wanted, api_key, name, since: Some(last) };
    let limits = settings.limits;
    let came = go_on(&known, (run, last), (goes_on, &wish), (settings, limits)).await?;
    let Held { until, is_told } = match came {
        Came::Held(held) => held,
        Came::NotNow(Some(told)) => return Err(not_told(&known, told, (status, settings)).await),
        // It is taken up by whoever has room for it; a key by nobody else.
        Came::NotNow(None) if wish.api_key.is_some() => {
            let shown = read::snapshot(&known, false).await?;
            wit_bindgen::spawn(async move {
                look_again((known.id, &known.store), &wish, settings, now()).await;
            });
            return Ok(shown);
        }
        Came::Goes | Came::NotNow(None) => return read::snapshot(&known, false).await,
    };
    if is_told {
        // It is promised now, also should this instance die.
        wish.name = Some(leave(&known, &wish.wanted).await?);
    }
    let shown = read::snapshot(&known, false).await?;
    wit_bindgen::spawn(async move {
        look_again((known.id, &known.store), &wish, settings, until).await;
    });
    Ok(read::with_message(&shown, &machine::held(until)))
}

/// Whoever has a run go on pays for what it does from there on, with a key of theirs or by leave of the operator: that may have
/// been taken back since it began. What goes on as it is, as it would by itself, asks nobody.
///
/// # Errors
/// [`RunError::MissingKey`] with what is to be sent.
async fn is_paid(run: &Run, goes_on: &GoesOn, caller: &Caller) -> Result<(), RunError> {
    let GoesOn::Told(said) = goes_on else { return Ok(()) };
    if caller.operator_keys {
        return Ok(());
    }
    let brief = run.brief();
    let asks = ask_settings::read(now()).await?;
    let mut payers = Payers::new(&brief.task, None, caller, &asks);
    for model in run.paid_by_operator_after(Some(said.as_ref())) {
        let stands_in = payers.sheet("model", Some(model.clone())).await?.id.to_string();
        if stands_in != model {
            return Err(RunError::MissingKey(format!(
                "nobody pays for {model} in this run: send apiKey, your own key for it, or fork the run"
            )));
        }
    }
    // Documents are found by meaning with a key of the operator's, which no key of the caller's stands in for.
    if brief.operator_keys && brief.sources.knowledge {
        return Err(RunError::MissingKey(
            "the run searches documents with this server's keys, which are not yours to use any more: fork it"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether the operator has a key for what a key of a caller's was to pay for in this run that is missing or refused, and
/// this caller may use it.
async fn has_operators_key(run: &Run, caller: &Caller) -> Result<bool, RunError> {
    let wanting = run.wants_key_for();
    if wanting.is_empty() || !caller.operator_keys {
        return Ok(false);
    }
    let asks = ask_settings::read(now()).await?;
    let mut payers = Payers::new(&run.brief().task, None, caller, &asks);
    for model in wanting {
        match payers.sheet("model", Some(model.clone())).await {
            Ok(sheet) if sheet.id.to_string() == *model => {}
            Ok(_) | Err(RunError::MissingKey(_)) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Leaves what is wanted for whoever drives the run next. Gives its name.
async fn leave(known: &Known, wanted: &machine::Resumption) -> Result<String, RunError> {
    let name = format!("{:032x}", random::bits128());
    let body = wanted.left().map_err(|error| RunError::Other(error.to_string()))?;
    let wish = (machine::Resumption::WISH, body);
    let left = known.store.leave(known.id, &name, now(), wish).await;
    if let Some(name) = left.map_err(unwritten)? {
        return Ok(name);
    }
    let status = known.store.record(known.id).await?.ok_or_else(unknown)?.status;
    Err(match status.has_ended() {
        true => refused(Refused::ended(status), status),
        false => refused(Refused::another_wish(), status),
    })
}

/// The run as it stands, and its last entry.
async fn loaded(known: &Known) -> Result<(Run, u64), RunError> {
    let loaded = load::to_drive(&known.store, known.whose()).await.map_err(|error| match error
        .is_lasting()
    {
        true => conflict(error.to_string(), known.record.status),
        false => error.into(),
    })?;
    loaded.ok_or_else(unknown)
}

async fn go_on(
    known: &Known,
    (run, last): (Run, u64),
    (goes_on, wish): (GoesOn, &Wish),
    (settings, limits): (RunSettings, SliceLimits),
) -> Result<Came, RunError> {
    let status = run.status();
    let driver = Driver::new(known.id, known.store.clone(), wish.api_key.clone(), limits);
    let told = match goes_on {
        GoesOn::AsItIs => match driver.take_up().await.map_err(unwritten)? {
            true => return Ok(Came::Goes),
            false => None,
        },
        GoesOn::Told(input) => {
            room(&known.store, settings.most_driven).await?;
            let told = driver.take_up_loaded(run, last, (*input, wish.name.clone())).await;
            Some(told.map_err(unwritten)?)
        }
    };
    if told == Some(Told::Yes) {
        return Ok(Came::Goes);
    }
    let record = known.store.record(known.id).await?.ok_or_else(unknown)?;
    // Nothing is left for whoever has it of a wish that came with a key: they would have the run go on with another, or
    // without one, and it is they who have had it go on since.
    let is_for_key = told.is_some() && wish.api_key.is_some();
    match record.held_until(now()) {
        Some(until) if !status.has_ended() && !is_for_key => {
            Ok(Came::Held(Held { until, is_told: told.is_some() }))
        }
        _ => Ok(Came::NotNow(told)),
    }
}

/// Why a run that nobody has was not told what it was to be told. Who is asked for a run that has no room says so: it is
/// no other's doing, and it helps to try again.
async fn not_told(
    known: &Known,
    told: Told,
    (status, settings): (RunStatus, RunSettings),
) -> RunError {
    match told {
        Told::NoLease => match room(&known.store, settings.most_driven).await {
            Err(full) => full,
            Ok(()) => conflict("the run could not be had just now; try again", status),
        },
        Told::Unwritten => RunError::Unavailable(UNWRITTEN.to_owned()),
        Told::Yes | Told::Outrun => conflict(
            "somebody else was faster: look at the run, and resume it if it does not go on",
            status,
        ),
    }
}

/// Looks again whether whoever had the run does not have it any more. What is left for the run when that was long enough is
/// for whoever drives it next; a key is gone then.
async fn look_again(
    (id, store): (RunId, &RunStore),
    wish: &Wish,
    settings: RunSettings,
    until: Timestamp,
) {
    let mut promise = Promise::new(until, wish.api_key.is_some(), settings.limits, now());
    while let Some(wait_ms) = promise.next(now()) {
        clock::sleep(Duration::from_millis(wait_ms)).await;
        let looked = look((id, store), wish, (settings, promise.limits(now()))).await;
        promise.looked(looked.unwrap_or_else(|error| {
            note(format_args!("run {id} was not taken up again: {error:?}"));
            match error {
                RunError::Busy(_) | RunError::Unavailable(_) => Looked::NotNow,
                RunError::InvalidField(_)
                | RunError::MissingKey(_)
                | RunError::NotFound(_)
                | RunError::Conflict(_)
                | RunError::ReusedKey
                | RunError::Other(_) => Looked::Over,
            }
        }));
    }
}

/// Looks whether anybody has the run, and does what is left to do of a wish where nobody does.
async fn look(
    (id, store): (RunId, &RunStore),
    wish: &Wish,
    settings: (RunSettings, SliceLimits),
) -> Result<Looked, RunError> {
    let Some(record) = store.record(id).await? else { return Ok(Looked::Over) };
    if let Some(until) = record.held_until(now()).filter(|_| !record.status.has_ended()) {
        return Ok(Looked::Held(until));
    }
    let known = Known { id, store: store.clone(), record };
    match go_on_as_promised(&known, wish, settings).await {
        Ok(Came::Held(held)) => Ok(Looked::Held(held.until)),
        Ok(Came::NotNow(_)) => Ok(Looked::NotNow),
        // What has ended meanwhile, or does not go on so.
        Ok(Came::Goes) | Err(RunError::Conflict(_)) => Ok(Looked::Over),
        Err(error) => Err(error),
    }
}

/// Does what is left to do of a wish. The run is loaded before its inbox is read: what somebody else has heard in between
/// cannot be written once more behind what they wrote.
async fn go_on_as_promised(
    known: &Known,
    wish: &Wish,
    settings: (RunSettings, SliceLimits),
) -> Result<Came, RunError> {
    let (run, last) = loaded(known).await?;
    if wish.is_outdated(&known.store, known.id).await? {
        return Ok(Came::Goes);
    }
    let left = known.store.inbox(known.id).await?;
    let lies_there = left.iter().any(|it| Some(&it.id) == wish.name.as_ref());
    let goes_on = run.promised(wish.wanted.clone(), lies_there, now());
    match goes_on.map_err(|why| refused(why, run.status()))? {
        Some(goes_on) => go_on(known, (run, last), (goes_on, wish), settings).await,
        None => Ok(Came::Goes),
    }
}
