//! Researches with a run behind them.
//!
//! Border: calls the orchestrator; what is said of a run is decided in `quarry-doors`.

use std::time::Duration;

use quarry_doors::mcp::{self, ForRun, Order, What};
use quarry_doors::{Head, Refusal};
use quarry_rim::clock;
use quarry_rim::variables::Variables;

use super::Told;
use super::tasks;
use crate::bindings::quarry::agent::run;
use crate::outgoing::Answer;
use crate::{collect, convert, responses, runs, stream};

/// How long whoever ends a run that waits is made to wait for that.
const STOP_WAITS: Duration = Duration::from_secs(5);

/// Begins a run and tells of it, or answers with its task.
pub async fn begun(
    order: Order,
    head: &Head,
    variables: &Variables,
    when: Told,
) -> Result<Answer, Refusal> {
    let misplaced = || Refusal::Internal("a run that is not to be begun".to_owned());
    let Order::ForRun(mut order) = order else { return Err(misplaced()) };
    let ends_when_left = order.ends_when_left();
    let deep = std::mem::replace(&mut order.what, What::Look(String::new()));
    let What::Begin(mut deep) = deep else { return Err(misplaced()) };
    let caller = responses::admitted(&mut deep.ask, head, variables).await?;
    let created = run::create(convert::run(deep.run()?), caller.clone()).await;
    let named = |error| runs::refusal_at(error, "budget_usd", "leave it out");
    let id = created.map_err(named)?.id;
    if order.is_task() {
        return Ok(Answer::Whole(match tasks::of_run(&id, &caller, variables).await {
            Ok(task) => order.created(task),
            // It has begun: its id is told, whatever fails behind that.
            Err(_) => order.voice(&id).whole(None),
        }));
    }
    let Ok(mut events) = runs::events(id.clone(), 0, caller.clone(), variables).await else {
        return Ok(Answer::Whole(order.voice(&id).whole(None)));
    };
    let voice = order.voice(&id);
    if ends_when_left {
        let left = async move { drop(run::abort(id, caller).await) };
        events = events.when_left(left);
    }
    Ok(match when {
        Told::Now => stream(voice, events).await,
        Told::Together => collect(voice, events).await,
    })
}

/// Does something with a run that was begun.
pub async fn perform(
    order: ForRun,
    caller: run::Caller,
    variables: &Variables,
    when: Told,
) -> Result<Answer, Refusal> {
    match order.what.clone() {
        What::Begin(_) => Err(Refusal::Internal("a run that is to be begun".to_owned())),
        What::Look(id) => look(&order, id, caller, variables, when).await,
        What::Stop(id) => {
            runs::aborted(&id, &caller).await?;
            // What waited says that first, and its end once somebody has taken it up.
            if mcp::waits(&runs::earlier(&id, &caller, variables).await?) {
                clock::within(STOP_WAITS, runs::ended(&id, &caller, variables)).await;
            }
            look(&order, id, caller, variables, when).await
        }
        What::Join(id) => {
            let events = runs::events(id.clone(), 0, caller, variables).await?;
            Ok(stream(order.voice(&id), events).await)
        }
        What::Read(id, part) => {
            let earlier = runs::earlier(&id, &caller, variables).await?;
            Ok(Answer::Whole(order.read(&id, part, earlier)))
        }
    }
}

/// What has happened in a run is known without a word; what comes is told.
async fn look(
    order: &ForRun,
    id: String,
    caller: run::Caller,
    variables: &Variables,
    when: Told,
) -> Result<Answer, Refusal> {
    let earlier = runs::earlier(&id, &caller, variables).await?;
    let seen = earlier.events.last().and_then(|event| event.sequence).unwrap_or_default();
    let mut voice = order.voice(&id);
    if voice.pass(mcp::now(earlier).events) {
        return Ok(Answer::Whole(voice.whole(None)));
    }
    let events = runs::events(id, seen, caller, variables).await?;
    Ok(match when {
        Told::Now => stream(voice, events).await,
        Told::Together => collect(voice, events).await,
    })
}
