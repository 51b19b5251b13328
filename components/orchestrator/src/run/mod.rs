//! Runs: started, driven, read, steered.
//!
//! Border: a run's decisions are `quarry_machines::run`'s, its journal's `quarry-journal`'s; here the database
//! is asked, effects are performed and events passed on.

mod create;
mod drive;
mod fork;
mod leave;
mod listen;
mod load;
mod read;
mod resume;
mod settings;
mod steer;
mod store;
mod trace;
mod under_way;
pub mod upkeep;

use crate::bindings::exports::quarry::agent::ask::AskError;
use crate::bindings::exports::quarry::agent::run::{
    Branch, Caller, Conflict, Created, Event, FieldError, Filter, Form, Guest, Known as WitKnown,
    Request, Resumption, RunError,
};
use crate::{Orchestrator, slot};
use quarry_events::run::RunStatus;
use quarry_journal::run::{Idempotency, Record};
use quarry_machines::run::{Refused, Whose};
use quarry_rim::clock;
use quarry_rim::variables::SettingError;
use quarry_types::RunId;
use store::{RunStore, StoreError};
use wit_bindgen::{FutureReader, StreamReader};

type Outcome = FutureReader<Result<(), RunError>>;

impl Guest for Orchestrator {
    async fn create(request: Request, caller: Caller) -> Result<Created, RunError> {
        upkeep::now_and_then();
        create::create(request, caller).await
    }

    async fn describe(id: String, caller: Caller) -> Result<WitKnown, RunError> {
        read::known(&find(&id, &caller).await?).await
    }

    async fn find(key: String, caller: Caller) -> Result<Option<String>, RunError> {
        upkeep::now_and_then();
        let email = caller.email.as_deref();
        let key = Idempotency::of_door(&key, "");
        let found = RunStore::open().await?.by_key(email, &key.key).await?;
        Ok(found.map(|(id, _)| id.to_string()))
    }

    async fn invalidate(key: String, caller: Caller) {
        let key = Idempotency::of_door(&key, "");
        let invalidating = async {
            let store = RunStore::open().await?;
            store.free_key_of_ended(caller.email.as_deref(), &key.key).await
        };
        // Nobody waits long to be told that it is refused.
        drop(clock::within(slot::PATIENCE, invalidating).await);
    }

    async fn snapshot(id: String, findings: bool, caller: Caller) -> Result<String, RunError> {
        let found = find(&id, &caller).await?;
        read::snapshot(&found, findings).await
    }

    async fn list(filter: Filter, caller: Caller) -> Result<String, RunError> {
        upkeep::now_and_then();
        read::list(filter, &caller).await
    }

    async fn events(
        id: String,
        after: u64,
        caller: Caller,
    ) -> Result<(StreamReader<Event>, Outcome), RunError> {
        let found = find(&id, &caller).await?;
        Ok(read::events(found, after))
    }

    async fn abort(id: String, caller: Caller) -> Result<String, RunError> {
        steer::abort(&find(&id, &caller).await?).await
    }

    async fn resume(
        id: String,
        resumption: Resumption,
        caller: Caller,
    ) -> Result<String, RunError> {
        // It may come with a key: nobody without one takes the run first.
        resume::resume(find_only(&id, &caller).await?, resumption, &caller).await
    }

    async fn guide(id: String, text: String, caller: Caller) -> Result<String, RunError> {
        steer::guide(&find(&id, &caller).await?, text).await
    }

    async fn fork(id: String, branch: Branch, caller: Caller) -> Result<Created, RunError> {
        let found = find(&id, &caller).await?;
        fork::fork(&found, branch, caller).await
    }

    async fn report(
        id: String,
        form: Form,
        partial: bool,
        caller: Caller,
    ) -> Result<String, RunError> {
        read::report(&find(&id, &caller).await?, form, partial).await
    }

    async fn trace(
        id: String,
        bundle: bool,
        caller: Caller,
    ) -> Result<(StreamReader<u8>, Outcome), RunError> {
        let found = find(&id, &caller).await?;
        Ok(trace::trace(found, bundle))
    }

    async fn delete(id: String, caller: Caller) -> Result<(), RunError> {
        steer::delete(&find(&id, &caller).await?).await
    }

    // Not with this one: who looks after runs has them driven by it, and would be called by what it calls.
    async fn drive(id: Option<String>, baton: Option<String>) -> Result<u32, RunError> {
        steer::drive(id, baton).await
    }
}

/// A run of the caller's.
struct Known {
    id: RunId,
    store: RunStore,
    record: Record,
}

/// Finds a run. Somebody else's is none; one that nobody drives is taken up.
async fn find(id: &str, caller: &Caller) -> Result<Known, RunError> {
    let found = find_only(id, caller).await?;
    steer::take_up_if_left(&found).await;
    Ok(found)
}

/// Finds a run and leaves it as it is.
async fn find_only(id: &str, caller: &Caller) -> Result<Known, RunError> {
    upkeep::now_and_then();
    let id = RunId::parse(id).ok_or_else(unknown)?;
    let store = RunStore::open().await?;
    let record = store.record(id).await?.ok_or_else(unknown)?;
    let is_theirs = record.caller.as_ref().is_none_or(|owner| Some(owner) == caller.email.as_ref());
    if !is_theirs {
        return Err(unknown());
    }
    Ok(Known { id, store, record })
}

impl Known {
    /// Whose its journal is.
    const fn whose(&self) -> Whose {
        Whose { id: self.id, origin: self.record.origin }
    }
}

fn unknown() -> RunError {
    RunError::NotFound("no such run, or it is no longer kept".to_owned())
}

fn conflict(message: impl Into<String>, status: RunStatus) -> RunError {
    RunError::Conflict(Conflict { message: message.into(), status: status.as_str().to_owned() })
}

/// What the run itself refuses, where it stands so.
fn refused(refused: Refused, status: RunStatus) -> RunError {
    match refused {
        Refused::Conflict(message) => conflict(message, status),
        Refused::Field { field, message } => wrong(&field, message),
    }
}

fn wrong(field: &str, message: impl Into<String>) -> RunError {
    RunError::InvalidField(FieldError { field: field.to_owned(), message: message.into() })
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoDatabase(_) | StoreError::Failed(_) => {
                RunError::Unavailable(error.to_string())
            }
            StoreError::Damaged(_) | StoreError::OtherRules(_) | StoreError::Unreadable { .. } => {
                RunError::Other(error.to_string())
            }
        }
    }
}

/// Why what was wanted of runs was not written. While others hold the database nothing was done, and the same is told as at
/// all doors that begin something.
fn unwritten(error: StoreError) -> RunError {
    match error.is_locked() {
        true => RunError::Busy(slot::locked()),
        false => error.into(),
    }
}

/// What is asked of models and settings is the same for asks.
impl From<AskError> for RunError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::InvalidField(field) => RunError::InvalidField(field),
            AskError::MissingKey(keyless) => RunError::MissingKey(keyless.message),
            AskError::NotFound(message) => RunError::NotFound(message),
            AskError::Busy(busy) => RunError::Busy(busy),
            AskError::Unavailable(message) => RunError::Unavailable(message),
            // None of these is said of what runs ask for.
            AskError::BadContinuation(message)
            | AskError::UnderWay(message)
            | AskError::Other(message) => RunError::Other(message),
            AskError::ReusedKey => RunError::ReusedKey,
        }
    }
}

impl From<SettingError> for RunError {
    fn from(error: SettingError) -> Self {
        AskError::from(error).into()
    }
}
