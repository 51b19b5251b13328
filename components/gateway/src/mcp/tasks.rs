//! The extension of tasks: handles of asks and runs.
//!
//! Border: calls the orchestrator; what a task looks like is decided in `quarry-doors`.

use quarry_doors::door::Voice;
use quarry_doors::mcp::{self, Doing, Facts, Id, OfTask, Task};
use quarry_doors::responses::run_of;
use quarry_doors::{AskRequest, Head, Refusal, Reply};
use quarry_rim::clock;
use quarry_rim::variables::Variables;

use super::{Done, end_with, latest, seen, stop};
use crate::bindings::quarry::agent::run;
use crate::{runs, start};

/// Whoever is answered with a task is told of its ask later.
struct Silent;

impl Voice for Silent {}

/// Starts an ask and answers with its task, which can be looked at from then on.
pub async fn begun(
    request: AskRequest,
    asked: &Id,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Done, Refusal> {
    let (id, events) = Box::pin(start(request, head, variables, voice)).await?;
    drop(events);
    Ok(match of_ask(&id, None, variables).await {
        Ok(task) => Done::Reply(mcp::created(Some(asked), task)),
        // It has begun: its id is told, whatever fails behind that.
        Err(_) => Done::Whole,
    })
}

/// Does something with a task.
pub async fn perform(
    order: OfTask,
    head: &Head,
    reader: &run::Caller,
    variables: &Variables,
) -> Result<Reply, Refusal> {
    let done = match (order.doing, run_of(&order.id)) {
        (Doing::Get, Some(run)) => of_run(&run, reader, variables).await.map(Some),
        (Doing::Get, None) => of_ask(&order.id, Some(head), variables).await.map(Some),
        (Doing::Cancel, Some(run)) => runs::aborted(&run, reader).await.map(|()| None),
        (Doing::Cancel, None) => stop(order.id.clone()).await.map(|_| None),
        (Doing::Update, Some(run)) => {
            let known = run::describe(run, reader.clone()).await;
            known.map(|_| None).map_err(runs::refusal)
        }
        (Doing::Update, None) => latest(order.id.clone()).await.map(|_| None),
    };
    match done {
        Ok(Some(task)) => Ok(order.shown(task)),
        Ok(None) => Ok(order.acknowledged()),
        Err(Refusal::NotFound(_)) => Ok(order.unknown()),
        Err(refusal) => Err(refusal),
    }
}

/// A run's task as it stands.
pub async fn of_run(
    id: &str,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<Task, Refusal> {
    let (earlier, lasts_ms) = runs::lasting(id, caller, variables).await?;
    Ok(mcp::of_run(id, earlier, Facts { lasts_ms, now: clock::now() }))
}

/// An ask's task as it stands. For whoever sent this head it goes on where a provider's limit is over, or its process died.
async fn of_ask(id: &str, head: Option<&Head>, variables: &Variables) -> Result<Task, Refusal> {
    let (mut named, known) = latest(id.to_owned()).await?;
    let mut earlier = seen(&named, known.is_stopped, variables).await?;
    if let (Some(head), Some(request)) = (head, mcp::goes_on(&named, &earlier, clock::now())) {
        match Box::pin(start(request, head, variables, &mut Silent)).await {
            Ok((next, events)) => {
                drop(events);
                end_with(named, &next).await;
                earlier = seen(&next, false, variables).await?;
                named = next;
            }
            Err(Refusal::NotFound(_)) if mcp::unkept(&mut earlier) => {}
            // It waits on, and the next look tries again.
            Err(Refusal::RateLimited { .. } | Refusal::Busy { .. } | Refusal::Unavailable(_)) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    let facts = Facts { lasts_ms: known.lasts_ms, now: clock::now() };
    Ok(mcp::of_ask(id, &named, &earlier, facts))
}
