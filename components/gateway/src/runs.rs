//! Orders about runs, performed.
//!
//! Border: calls `quarry:agent/run` and hands on what comes; what a caller has to pass, and how it is
//! answered, is decided in `quarry-doors`.

use std::time::Duration;

use quarry_admission::Caller;
use quarry_doors::responses::EarlierRun;
use quarry_doors::runs::{self, Branch, Call, Gate, Order, Request, Resumption, Telling, Then};
use quarry_doors::{Event, Head, Hidden, Refusal, Reply};
use quarry_events::run::EventName;
use quarry_rim::clock;
use quarry_rim::variables::Variables;

use crate::bindings::quarry::agent::run;
use crate::events::{Events, Next};
use crate::outgoing::Answer;
use crate::settings::{self, Settings};
use crate::{convert, gate};

pub async fn perform(order: Order, head: &Head, variables: &Variables) -> Result<Answer, Refusal> {
    let caller = convert::caller(passed(&order, head, variables).await?);
    let reply = match order.call {
        Call::Create(request, then) => return create(*request, then, caller, variables).await,
        Call::Events(id, after, format) => {
            let events = events(id, after, caller, variables).await?;
            return Ok(crate::stream(Box::new(Telling::of(format)), events).await);
        }
        Call::Trace(id, bundle) => {
            let (bytes, ended) = run::trace(id, bundle, caller).await.map_err(refusal)?;
            let ended = Box::pin(async move { ended.await.is_ok() });
            return Ok(Answer::Bytes { headers: runs::trace_head(), bytes, ended });
        }
        Call::List(filter) => run::list(convert::filter(filter), caller).await.map(runs::shown),
        Call::Snapshot(id, findings) => run::snapshot(id, findings, caller).await.map(runs::shown),
        Call::Abort(id) => run::abort(id, caller).await.map(runs::accepted),
        Call::Resume(id, resumption) => resume(id, resumption, caller).await,
        Call::Guide(id, text) => run::guide(id, text, caller).await.map(runs::accepted),
        Call::Fork(id, branch) => fork(id, branch, caller).await,
        Call::Report(id, form, partial) => {
            let report = run::report(id, convert::form(form), partial, caller).await;
            report.map(|text| runs::report(form, text))
        }
        Call::Delete(id) => run::delete(id, caller).await.map(|()| Reply::empty()),
        Call::DriveDue => run::drive(None, None).await.map(runs::driven),
        Call::Drive(id, key) => run::drive(Some(id), key.map(shown)).await.map(runs::driven),
    };
    reply.map(Answer::Whole).map_err(refusal)
}

/// Who asks, when it may.
async fn passed(order: &Order, head: &Head, variables: &Variables) -> Result<Caller, Refusal> {
    let credentials = &order.credentials;
    let address = head.client_address.as_deref();
    match order.call.gate() {
        Gate::Access => {
            let settings = Settings::read(variables).await?;
            let (secret, token) = credentials.letters(&settings.access);
            gate::admit(&settings, token, secret, address, variables).await
        }
        Gate::Identity if credentials.are_none() => Ok(Caller::default()),
        Gate::Identity => {
            let settings = Settings::read(variables).await?;
            let (_, token) = credentials.letters(&settings.access);
            gate::identified(&settings, token, address, variables).await
        }
        Gate::DriveSecret => {
            let settings = Settings::read(variables).await?;
            gate::may_drive(&settings, credentials.bearer(), address, variables).await?;
            Ok(Caller::default())
        }
        Gate::Open => Ok(Caller::default()),
    }
}

/// Whatever fails behind the run's beginning, its maker learns that it has begun.
async fn create(
    request: Request,
    then: Then,
    caller: run::Caller,
    variables: &Variables,
) -> Result<Answer, Refusal> {
    let created = run::create(convert::run(request), caller.clone()).await.map_err(refusal)?;
    let run::Created { id, snapshot } = created;
    match then {
        Then::Answer => Ok(Answer::Whole(runs::begun(&id, snapshot, None))),
        Then::Events(format) => match events(id.clone(), 0, caller, variables).await {
            Ok(events) => Ok(crate::stream(Box::new(Telling::of_new(format, &id)), events).await),
            Err(_) => Ok(Answer::Whole(runs::begun(&id, snapshot, None))),
        },
        Then::Wait(seconds) => {
            if let Ok(events) =
                events(id.clone(), runs::seen(&snapshot), caller.clone(), variables).await
            {
                clock::within(Duration::from_secs(seconds.into()), over(events)).await;
            }
            let now = run::snapshot(id.clone(), false, caller).await;
            Ok(Answer::Whole(runs::begun(&id, now.unwrap_or(snapshot), Some(seconds))))
        }
    }
}

/// Ends a run early. One that has ended is as it is.
pub async fn aborted(id: &str, caller: &run::Caller) -> Result<(), Refusal> {
    match run::abort(id.to_owned(), caller.clone()).await {
        Ok(_) | Err(run::RunError::Conflict(_)) => Ok(()),
        Err(error) => Err(refusal(error)),
    }
}

/// What is known of a run, with its events as far as they have come.
pub async fn earlier(
    id: &str,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<EarlierRun, Refusal> {
    lasting(id, caller, variables).await.map(|(earlier, _)| earlier)
}

/// The same, and for how many milliseconds it is kept from its birth on at least.
pub async fn lasting(
    id: &str,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<(EarlierRun, u64), Refusal> {
    let run::Known { kept, last, lasts_ms, .. } =
        run::describe(id.to_owned(), caller.clone()).await.map_err(refusal)?;
    let mut all = Vec::<Event<EventName>>::new();
    if last == 0 {
        return Ok((EarlierRun { kept, events: all }, lasts_ms));
    }
    let mut coming = events(id.to_owned(), 0, caller.clone(), variables).await?;
    loop {
        match coming.next().await {
            Next::Batch(batch) => all.extend(batch),
            // Nobody set a time here.
            Next::Unkept | Next::Silence | Next::Look | Next::Late => {}
            Next::End(Some(refusal)) => return Err(refusal),
            Next::End(None) => break,
        }
        let read = all.last().and_then(|event| event.sequence).unwrap_or_default();
        if read >= last {
            break;
        }
    }
    Ok((EarlierRun { kept, events: all }, lasts_ms))
}

/// Comes when a run has ended or waits for somebody.
async fn over(mut events: Events<EventName>) {
    while !matches!(events.next().await, Next::End(_)) {}
}

/// The same of a run by its id; at once where it cannot be told.
pub async fn ended(id: &str, caller: &run::Caller, variables: &Variables) {
    let Ok(known) = run::describe(id.to_owned(), caller.clone()).await else { return };
    if let Ok(events) = events(id.to_owned(), known.last, caller.clone(), variables).await {
        over(events).await;
    }
}

/// A run's events behind this number.
pub async fn events(
    id: String,
    after: u64,
    caller: run::Caller,
    variables: &Variables,
) -> Result<Events<EventName>, Refusal> {
    let silence = settings::silence(variables).await?;
    let (stream, ended) = run::events(id, after, caller).await.map_err(refusal)?;
    let ended = async move { ended.await.err().map(refusal) };
    Ok(Events::new(stream, ended, silence, EventName::parse))
}

async fn resume(
    id: String,
    resumption: Resumption,
    caller: run::Caller,
) -> Result<Reply, run::RunError> {
    run::resume(id, convert::resumption(resumption), caller).await.map(runs::accepted)
}

async fn fork(id: String, branch: Branch, caller: run::Caller) -> Result<Reply, run::RunError> {
    let created = run::fork(id, convert::branch(branch), caller).await?;
    Ok(runs::begun(&created.id, created.snapshot, None))
}

/// A key on its way to whoever needs it.
fn shown(key: Hidden) -> String {
    key.0
}

/// A run's own refusal.
pub fn refusal(error: run::RunError) -> Refusal {
    convert::run_refusal(error)
}

/// The same, money called as the door that was asked calls it, and what else there is.
pub fn refusal_at(error: run::RunError, money: &str, instead: &str) -> Refusal {
    match refusal(error) {
        Refusal::InvalidField { field, message } if field == "budget.usd" => {
            Refusal::InvalidField {
                field: money.to_owned(),
                message: message.replace("use budget.tokens", instead),
            }
        }
        other => other,
    }
}
