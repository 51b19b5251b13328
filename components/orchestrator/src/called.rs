//! What a request begins, with the names by which its sender finds it later.
//!
//! Border: where a name is noted is decided in `again`; what is begun or joined, in `once`.

use crate::again::{self, Over};
use crate::asked::Asked;
use crate::bindings::exports::quarry::agent::ask::{AskError, Begun, Caller, Join, Request, Seeks};
use crate::senders_key::SendersKey;
use crate::start::{Once, begin};
use crate::{once, under_way};
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_types::AskId;

pub async fn start(mut request: Request, caller: Caller) -> Result<Begun, AskError> {
    let join = match request.join.take() {
        // What seeks nothing is a name.
        Some(Join { key, seeks: Seeks::Nothing, .. }) if request.name.is_none() => {
            request.name = Some(key);
            None
        }
        join => join,
    };
    let name = request.name.clone();
    let begun = start_once(join, Asked::Ask(Box::new(request)), caller).await;
    if let Some(name) = name {
        // What is begun is called so with its place.
        call(&name, &begun, None).await;
    }
    begun
}

/// What is begun or joined has this name from now on, before anybody is told of it. `begins_over` is what the note of one
/// that is begun takes the place of; none: it is noted already. A note of what was refused would stand where one of an ask
/// under way does.
async fn call(name: &str, begun: &Result<Begun, AskError>, begins_over: Option<Over>) {
    let Ok(Begun { id, is_joined, .. }) = begun else {
        return again::invalidate(name, now()).await;
    };
    let Some(id) = AskId::parse(id) else { return };
    under_way::name(id, name);
    let over = if *is_joined { Some(Over::Anything) } else { begins_over };
    if let Some(over) = over {
        again::note(name, id, over, now()).await;
    }
}

/// Begins what is asked, or joins what the same request began before.
pub async fn start_once(
    mut join: Option<Join>,
    mut asked: Asked,
    caller: Caller,
) -> Result<Begun, AskError> {
    let now = now();
    let id = AskId::new(now.0, random::bits128());
    asked.know_its_question().await?;
    // Whatever it is sent with: it is known by what it goes on with.
    if let (Some(join), Some(key)) = (&mut join, asked.continuation_key()) {
        (join.key, join.senders_key) = (key, None);
    }
    match join {
        Some(Join { key, seeks: Seeks::Anything, says_so, senders_key: own }) => {
            let own = own.map(|own| SendersKey::new(&own, &key, caller.email.as_deref()));
            let own = own.as_ref();
            let once = Once { key: &key, may_have_come: true, says_so, own, is_noted: false };
            once::begin_once(once, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Earlier, .. }) => {
            once::only_again(&key, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Unfinished, .. }) => {
            once::take_up(&key, once::Left::Joined, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Halted, .. }) => {
            once::take_up(&key, once::Left::Alone, asked, caller, id, now).await
        }
        Some(Join { key, seeks: Seeks::Nothing, .. }) => {
            let begun = begin(None, asked, caller, id, now).await;
            call(&key, &begun, Some(Over::Earlier { seen: None })).await;
            begun
        }
        None => begin(None, asked, caller, id, now).await,
    }
}
