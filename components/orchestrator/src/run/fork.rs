//! A new run that shares another's first entries, and pays for none of them.

use super::create::{self, Payers, begun, existing, room};
use super::drive::Driver;
use super::{Known, load, read, refused, settings, unknown, unwritten, wrong};
use crate::bindings::exports::quarry::agent::run::{Branch, Caller, Created, RunError};
use crate::settings as ask_settings;
use quarry_journal::run::{Idempotency, Origin};
use quarry_machines::run::{self, Models, Owner, Replaced, Run, Whose};
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_types::RunId;

pub async fn fork(known: &Known, branch: Branch, caller: Caller) -> Result<Created, RunError> {
    let now = now();
    let settings = settings::read().await?;
    let key = key(known, &branch, &caller)?;
    let made = existing(&known.store, &caller, key.as_ref(), branch.api_key.as_deref()).await?;
    if let Some(created) = made {
        return Ok(created);
    }
    let n = match branch.at {
        None => known.store.position(known.id).await?.map(|position| position.n),
        Some(sequence) => known.store.entry_of(known.id, sequence).await?,
    };
    let n = n.ok_or_else(|| wrong("at", "names no event of this run"))?;
    let whose = Whose { id: RunId::new(now.0, random::bits128()), origin: Some(known.id) };
    let (run, told) = load::replayed(&known.store, (known.id, whose), n).await?;
    let run = run.ok_or_else(unknown)?;
    let Branch { task, model, api_key, config, .. } = branch;
    let (models, replaced) = paid(&run, model, api_key.as_deref(), &caller).await?;
    let operator_keys = caller.operator_keys;
    let branch = run::Branch { from: known.id, task, config, models, replaced, operator_keys };
    let forked = run.branch(branch).map_err(|why| refused(why, run.status()))?;
    let origin = Origin { run: known.id, n };
    let owner = Owner { caller: caller.email.clone(), key: key.clone() };
    let (run, birth) = run.forked(origin, told, (forked, owner), now);
    if !run.brief().paid_by_caller.is_empty() {
        // The key is kept nowhere: the run could not wait for its turn.
        room(&known.store, settings.most_driven).await?;
    }
    if !known.store.create(birth).await.map_err(unwritten)? {
        // Another try with the same key was quicker, or the run has changed.
        let made = existing(&known.store, &caller, key.as_ref(), api_key.as_deref()).await?;
        return made.ok_or_else(|| {
            RunError::Unavailable("the run has changed meanwhile; try again".to_owned())
        });
    }
    let snapshot = read::queued(&run, false, now);
    let own_key = api_key.clone().filter(|_| run.needs_key_after(None));
    let driver = Driver::new(whose.id, known.store.clone(), api_key, settings.limits);
    let taken = driver.take_up_born(run, n + 1).await;
    begun(taken, (whose.id, known.store.clone()), own_key);
    Ok(Created { id: whose.id.to_string(), snapshot })
}

/// By what the fork is found when it is asked for once more. A key of the caller's is nothing that is asked.
fn key(known: &Known, branch: &Branch, caller: &Caller) -> Result<Option<Idempotency>, RunError> {
    let Some(key) = branch.idempotency_key.as_deref() else { return Ok(None) };
    let Branch { at, task, model, config, .. } = branch;
    let asked = serde_json::json!([known.id.to_string(), at, task, model, config]).to_string();
    create::named(key, caller, &asked).map(Some)
}

/// The models that it asks, with those that the caller pays for, and what they stand in for: the one that is named in
/// the place of all others, or, where none is, those that the run has for each role.
async fn paid(
    run: &Run,
    model: Option<String>,
    api_key: Option<&str>,
    caller: &Caller,
) -> Result<((Models, Vec<String>), Vec<Replaced>), RunError> {
    // Who forks a run pays for what it does from there on, with a key of theirs or by leave of the operator.
    let asks = ask_settings::read(now()).await?;
    let mut payers = Payers::new(&run.brief().task, api_key, caller, &asks);
    let models = match model {
        Some(name) => Models::all(&payers.sheet("model", Some(name)).await?),
        None => {
            let Models { plan, read, judge, write } = &run.brief().models;
            payers.key_for = run.brief().key_provider();
            Models {
                plan: payers.again(plan).await?,
                read: payers.again(read).await?,
                judge: payers.again(judge).await?,
                write: payers.again(write).await?,
            }
        }
    };
    Ok(((models, payers.by_caller), payers.replaced))
}
