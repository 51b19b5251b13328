//! Messages of the Model Context Protocol: who may send them, and the asks behind them.
//!
//! Border: calls the orchestrator; what a message wants, and what is said of an ask, is decided in `quarry-doors`.

use quarry_doors::door::Voice;
use quarry_doors::mcp::{self, Order};
use quarry_doors::{AskRequest, Head, Refusal, Reply};
use quarry_rim::random;
use quarry_rim::variables::Variables;

use crate::bindings::quarry::agent::{ask, tools};
use crate::events::Events;
use crate::outgoing::Answer;
use crate::responses::{Far, earlier};
use crate::settings::variable;
use crate::{chat, collect, convert, nobodys, refused, rejoin, start, stream};

/// What comes of a message: an answer, or what its voice tells of.
enum Done {
    Reply(Reply),
    Events(Events),
    /// The voice knows all.
    Whole,
}

pub async fn perform(
    order: Order,
    head: &Head,
    variables: &Variables,
    mut voice: Box<dyn Voice>,
) -> Answer {
    match foreign(head, variables).await {
        Ok(None) => {}
        Ok(Some(reply)) => return Answer::Whole(reply),
        Err(refusal) => return refused(&*voice, &refusal),
    }
    match order {
        Order::Public(reply) => return Answer::Whole(reply),
        // Whoever starts an ask is looked at, and counted, there.
        Order::Ask(request) => {
            let events = begin(*request, head, variables, &mut *voice).await;
            return told(events.map(Done::Events), voice).await;
        }
        Order::Call(single) => {
            let reply = call(&single, head, variables).await;
            return told(reply.map(Done::Reply), voice).await;
        }
        _ => {}
    }
    if let Err(refusal) = chat::may_read(head, variables).await {
        return refused(&*voice, &refusal);
    }
    if let Order::Several(all) = order {
        return Answer::Whole(several(all, head, variables).await);
    }
    let done = one(order, variables, &mut *voice).await;
    told(done, voice).await
}

/// The answer to a page that may not call; none: it may, or it is no page.
async fn foreign(head: &Head, variables: &Variables) -> Result<Option<Reply>, Refusal> {
    if head.origin.is_none() {
        return Ok(None);
    }
    Ok(mcp::foreign(head, &variable(variables, "mcp_allowed_origins").await?))
}

async fn told(done: Result<Done, Refusal>, mut voice: Box<dyn Voice>) -> Answer {
    match done {
        Ok(Done::Reply(reply)) => Answer::Whole(reply),
        Ok(Done::Whole) => Answer::Whole(voice.whole(None)),
        Ok(Done::Events(events)) => stream(voice, events).await,
        Err(refusal) => refused(&*voice, &refusal),
    }
}

/// Boxed: it is half of what an ask's start needs, and most messages need nothing of it.
async fn begin(
    request: AskRequest,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Events, Refusal> {
    Box::pin(start(request, head, variables, voice)).await
}

/// Several messages, one after another: none of them waits.
async fn several(all: Vec<mcp::One>, head: &Head, variables: &Variables) -> Reply {
    let mut replies = Vec::new();
    for message in all {
        let mut voice = message.voice();
        let done = match message.order {
            Order::Ask(request) => {
                begin(*request, head, variables, &mut *voice).await.map(Done::Events)
            }
            Order::Call(single) => call(&single, head, variables).await.map(Done::Reply),
            order => one(order, variables, &mut *voice).await,
        };
        let answer = match done {
            Ok(Done::Events(events)) => collect(voice, events).await,
            other => told(other, voice).await,
        };
        if let Answer::Whole(reply) = answer {
            replies.push(reply);
        }
    }
    mcp::batched(replies)
}

/// One of the agent's tools. Whoever calls it is counted as whoever asks.
async fn call(single: &mcp::Single, head: &Head, variables: &Variables) -> Result<Reply, Refusal> {
    let caller = convert::caller(chat::caller(head, variables).await?);
    let outcome = tools::call(single.tool.to_owned(), single.arguments.clone(), caller).await;
    Ok(single.reply(&outcome.output, outcome.failure.as_deref()))
}

/// What is done for one message that starts nothing.
async fn one(order: Order, variables: &Variables, voice: &mut dyn Voice) -> Result<Done, Refusal> {
    match order {
        Order::Known(reply) | Order::Public(reply) => Ok(Done::Reply(reply)),
        Order::Greet(reply) => Ok(Done::Reply(mcp::greeted(reply, random::bits128()))),
        Order::Look(id) => look(id, variables, voice).await,
        Order::Stop(id) => {
            // First whether there is anything that may be stopped.
            ask::describe(id.clone()).await.map_err(nobodys)?;
            ask::stop(id.clone()).await.map_err(nobodys)?;
            look(id, variables, voice).await
        }
        Order::Join(id) => {
            voice.begin(&id);
            rejoin(id, 0, variables).await.map(Done::Events)
        }
        Order::Read(reading) => {
            let earlier = earlier(&reading.ask, Far::Now, variables).await?;
            Ok(Done::Reply(mcp::read(&reading, &earlier)))
        }
        Order::Cancel(key) => {
            if let Some(id) = ask::find(key).await.map_err(nobodys)? {
                ask::stop(id).await.map_err(nobodys)?;
            }
            Ok(Done::Reply(mcp::accepted()))
        }
        // Neither comes here: each is dealt with before.
        Order::Ask(_) | Order::Call(_) | Order::Several(_) => {
            Err(Refusal::Internal("a message within a message".to_owned()))
        }
    }
}

/// What has happened in an ask is known without a word; what comes is told.
async fn look(id: String, variables: &Variables, voice: &mut dyn Voice) -> Result<Done, Refusal> {
    let earlier = earlier(&id, Far::Now, variables).await?;
    voice.begin(&id);
    let seen = earlier.events.last().and_then(|event| event.sequence).unwrap_or_default();
    if voice.tell(earlier.events).last || earlier.has_ended {
        return Ok(Done::Whole);
    }
    rejoin(id, seen, variables).await.map(Done::Events)
}
