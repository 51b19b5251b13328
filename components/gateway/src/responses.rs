//! Responses that were begun: read from the logs of their asks.
//!
//! Border: calls the orchestrator; what is said of a response is decided in `quarry-doors`.

use std::time::Duration;

use quarry_doors::responses::{self, Earlier, Order};
use quarry_doors::{AskRequest, Event, Head, Refusal};
use quarry_rim::clock;
use quarry_rim::variables::Variables;

use crate::bindings::quarry::agent::ask;
use crate::events::Next;
use crate::outgoing::Answer;
use crate::{chat, nobodys, rejoin, stream};

/// How long whoever cancels waits for the end.
const CANCEL_WAITS: Duration = Duration::from_secs(10);

/// How far a log is read.
#[derive(Clone, Copy)]
pub enum Far {
    /// To what is there now.
    Now,
    /// To its end.
    End,
}

pub async fn perform(order: Order, head: &Head, variables: &Variables) -> Result<Answer, Refusal> {
    chat::may_read(head, variables).await?;
    let reply = match order {
        Order::Show(id) => responses::shown(&id, &earlier(&id, Far::Now, variables).await?)?,
        Order::Stream(id, after) => {
            let known = ask::describe(id.clone()).await.map_err(nobodys)?;
            let voice = responses::streamed(&id, known.kept.as_deref(), after)?;
            return Ok(stream(voice, rejoin(id, 0, variables).await?).await);
        }
        Order::Items(id, page) => {
            let earlier = earlier(&id, Far::Now, variables).await?;
            responses::items(&id, &earlier, &page)?
        }
        Order::Delete(id) => {
            let earlier = earlier(&id, Far::Now, variables).await?;
            let reply = responses::deleted(&id, &earlier)?;
            ask::forget(id).await.map_err(nobodys)?;
            reply
        }
        Order::Cancel(id) => {
            // First whether there is anything that may be shown.
            let now = earlier(&id, Far::Now, variables).await?;
            let reply = responses::shown(&id, &now)?;
            if now.has_ended {
                reply
            } else {
                ask::stop(id.clone()).await.map_err(nobodys)?;
                match clock::within(CANCEL_WAITS, earlier(&id, Far::End, variables)).await {
                    Some(ended) => responses::shown(&id, &ended?)?,
                    None => responses::shown(&id, &earlier(&id, Far::Now, variables).await?)?,
                }
            }
        }
    };
    Ok(Answer::Whole(reply))
}

/// Puts the conversation of the response before it that a request names.
pub async fn follow(request: &mut AskRequest, variables: &Variables) -> Result<(), Refusal> {
    let Some(id) = request.manners.follows.take() else { return Ok(()) };
    let earlier = match earlier(&id, Far::Now, variables).await {
        Ok(earlier) => Some(earlier),
        Err(Refusal::NotFound(_)) => None,
        Err(refusal) => return Err(refusal),
    };
    responses::follow(request, &id, earlier.as_ref())
}

/// What is known of an ask, with its events.
pub async fn earlier(id: &str, far: Far, variables: &Variables) -> Result<Earlier, Refusal> {
    let ask::Known { kept, last, has_ended } =
        ask::describe(id.to_owned()).await.map_err(nobodys)?;
    let mut events: Vec<Event> = Vec::new();
    if matches!(far, Far::Now) && last == 0 {
        return Ok(Earlier { kept, events, has_ended });
    }
    let mut coming = rejoin(id.to_owned(), 0, variables).await?;
    loop {
        match coming.next().await {
            Next::Batch(batch) => events.extend(batch),
            // Nobody set a time here.
            Next::Silence | Next::Late => {}
            Next::End(Some(refusal)) => return Err(refusal),
            Next::End(None) => return Ok(Earlier { kept, events, has_ended: true }),
        }
        let read = events.last().and_then(|event| event.sequence).unwrap_or_default();
        if matches!(far, Far::Now) && read >= last {
            return Ok(Earlier { kept, events, has_ended });
        }
    }
}
