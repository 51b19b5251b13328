//! What a request begins, with the names by which its sender finds it later.
//!
//! Border: where a name is noted is decided in `again`; what is begun or joined, in `once`.

use crate::again::{self, Over};
use crate::asked::Asked;
use crate::bindings::exports::quarry::agent::ask::{AskError, Begun, Caller, Join, Request, Seeks};
use crate::start::begin;
use crate::{once, under_way};
use futures::join;
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_types::AskId;

pub async fn start(mut request: Request, caller: Caller) -> Result<Begun, AskError> {
    let (join, name) = (request.join.take(), request.name.take());
    let starting = start_once(join, Asked::Ask(Box::new(request)), caller);
    match name {
        Some(name) => called(&name, starting).await,
        None => starting.await,
    }
}

/// What is begun or joined has this name from now on, before anybody is told of it. A note of what was refused would stand
/// where one of an ask under way does.
async fn called(
    name: &str,
    starting: impl Future<Output = Result<Begun, AskError>>,
) -> Result<Begun, AskError> {
    // What had the name before makes way, however far the clock was ahead that it was named by.
    let (begun, seen) = join!(starting, again::seen(name, now()));
    match &begun {
        Ok(Begun { id, is_joined, .. }) => {
            let over = if *is_joined { Over::Anything } else { Over::Earlier { seen } };
            if let Some(id) = AskId::parse(id) {
                under_way::name(id, name);
                again::note(name, id, over, now()).await;
            }
        }
        Err(_) => again::invalidate(name, now()).await,
    }
    begun
}

/// Begins what is asked, or joins what the same request began before.
pub async fn start_once(
    join: Option<Join>,
    asked: Asked,
    caller: Caller,
) -> Result<Begun, AskError> {
    let now = now();
    let id = AskId::new(now.0, random::bits128());
    match join {
        Some(Join { key, seeks: Seeks::Anything }) => {
            once::begin_once(&key, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Unfinished }) => {
            once::take_up(&key, once::Left::Joined, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Halted }) => {
            once::take_up(&key, once::Left::Alone, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Nothing }) => {
            called(&key, begin(asked, caller, id, now)).await
        }
        None => begin(asked, caller, id, now).await,
    }
}
