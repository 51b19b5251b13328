//! What is done to a run: guided, aborted, taken up, deleted.

use super::drive::Driver;
use super::store::StoreError;
use super::{Known, RunError, conflict, load, refused, settings, unknown, unwritten, upkeep};
use quarry_machines::run::{Refused, RunInput, is_to_be_aborted};
use quarry_rim::clock::now;
use quarry_rim::diagnostics::note;
use quarry_rim::random;
use quarry_schema::run::MOST_GUIDANCE;
use quarry_types::RunId;

/// Takes a run up whose time has come and that nobody drives. A run that cannot be taken up stays where it is.
pub async fn take_up_if_left(known: &Known) {
    if known.record.is_left(now()) {
        drop(take_up(known).await);
    }
}

/// Takes a run up that nobody drives. Gives why it never can be here.
async fn take_up(known: &Known) -> Option<StoreError> {
    let settings = match settings::read().await {
        Ok(settings) => settings,
        Err(error) => {
            note(format_args!("a run could not be taken up: {error}"));
            return None;
        }
    };
    let driver = Driver::new(known.id, known.store.clone(), None, settings.limits);
    let error = driver.take_up().await.err()?;
    note(format_args!("a run could not be taken up: {error}"));
    error.is_lasting().then_some(error)
}

/// Leaves a wish for whoever drives, or becomes who does.
async fn say(known: &Known, input: RunInput) -> Result<String, RunError> {
    let kind = input.wish();
    let body = serde_json::to_string(&input).map_err(|error| RunError::Other(error.to_string()))?;
    // A second wish to end it is the first once more.
    let note = match &input {
        RunInput::Abort => kind.to_owned(),
        _ => format!("{:032x}", random::bits128()),
    };
    let left = known.store.leave(known.id, &note, now(), (kind, body)).await;
    if left.map_err(unwritten)?.is_none() {
        let record = known.store.record(known.id).await?.ok_or_else(unknown)?;
        return Err(match record.status.has_ended() {
            true => refused(Refused::ended(record.status), record.status),
            false => conflict(
                format!("the run was given guidance {MOST_GUIDANCE} times, and takes no more"),
                record.status,
            ),
        });
    }
    // Where somebody drives, they find it, and so does who drives later: it is kept whatever comes of this.
    let Some(why) = take_up(known).await else {
        return super::read::snapshot(known, false).await;
    };
    let message = match &input {
        RunInput::Abort => format!(
            "the run can neither go on here nor be ended: {why}. DELETE /runs/{} deletes it as it is",
            known.id
        ),
        _ => format!(
            "the run does not go on here: {why}. What you said is kept for whoever drives it"
        ),
    };
    Err(conflict(message, known.record.status))
}

pub async fn abort(known: &Known) -> Result<String, RunError> {
    let status = known.record.status;
    match is_to_be_aborted(status).map_err(|why| refused(why, status))? {
        true => say(known, RunInput::Abort).await,
        false => super::read::snapshot(known, false).await,
    }
}

pub async fn guide(known: &Known, text: String) -> Result<String, RunError> {
    say(known, RunInput::Guidance { text }).await
}

pub async fn delete(known: &Known) -> Result<(), RunError> {
    if known.store.delete(known.id).await.map_err(unwritten)?
        || is_unusable_and_deleted(known).await?
    {
        return Ok(());
    }
    let record = known.store.record(known.id).await?.ok_or_else(unknown)?;
    Err(conflict("the run has not ended; abort it first", record.status))
}

/// Deletes a run that can never be gone on with here, nor be ended: else it would be there for ever. Whoever drives it
/// elsewhere can, and ends it when it is aborted.
async fn is_unusable_and_deleted(known: &Known) -> Result<bool, RunError> {
    match load::to_drive(&known.store, known.whose()).await {
        Err(error) if error.is_lasting() => {
            known.store.delete_left(known.id, now()).await.map_err(unwritten)
        }
        // It is aborted first.
        Ok(_) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Goes on with a run that another has handed over, takes up a run that nobody drives, or every one that is due;
/// what ended long ago is forgotten then. One that cannot be taken up keeps nobody from the others.
pub async fn drive(id: Option<String>, baton: Option<String>) -> Result<u32, RunError> {
    let store = super::RunStore::open().await?;
    let settings = settings::read().await?;
    if id.is_none()
        && let Err(error) = upkeep::sweep(&store, settings.retention_ms).await
    {
        note(format_args!("old runs could not be deleted: {error}"));
    }
    let own = |id| Driver::new(id, store.clone(), None, settings.limits);
    let due: Vec<Driver> = match (id, baton) {
        (Some(id), baton) => {
            let id = RunId::parse(&id).ok_or_else(unknown)?;
            let record = store.record(id).await?;
            // One that is not there is left alone, as one that is another's to drive, or not due: who asks learns nothing.
            let driver = record.and_then(|record| match baton {
                Some(baton) => Driver::after(&record, store.clone(), &baton, settings.limits),
                None => record.is_left(now()).then(|| own(id)),
            });
            driver.into_iter().collect()
        }
        (None, _) => store.due(now(), settings.parallel).await?.into_iter().map(own).collect(),
    };
    let mut taken = 0;
    for driver in due {
        let id = driver.id;
        match driver.take_up().await {
            Ok(is_taken) => taken += u32::from(is_taken),
            Err(error) => note(format_args!("run {id} could not be taken up: {error}")),
        }
    }
    Ok(taken)
}
