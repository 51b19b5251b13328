//! Messages of the Model Context Protocol: who may send them, and the asks and runs behind them.
//!
//! Border: calls the orchestrator; what a message wants, and what is said of an ask, is decided in `quarry-doors`.

mod call_off;
mod deep;
mod listen;
mod tasks;

use futures::future::join_all;
use quarry_admission::Caller;
use quarry_doors::door::Voice;
use quarry_doors::mcp::{self, ForRun, Order, What};
use quarry_doors::responses::{Earlier, interrupted};
use quarry_doors::{AskRequest, Head, Refusal, Reply, Sender};
use quarry_rim::variables::Variables;
use quarry_rim::{clock, random};

use crate::bindings::quarry::agent::{ask, run, tools};
use crate::events::Events;
use crate::outgoing::Answer;
use crate::responses::{Far, earlier};
use crate::settings::variable;
use crate::{chat, collect, convert, nobodys, refused, rejoin, start, stream};

/// How often the newest is looked for that goes on with an ask: somebody may go on with it meanwhile, and with one that
/// was gone on with ten thousand times nobody looks farther at once.
const LOOKS: u32 = 64;

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
        Order::Task(request, id) => {
            let done = tasks::begun(*request, &id, head, variables, &mut *voice).await;
            return told(done, voice).await;
        }
        Order::ForRun(ForRun { what: What::Begin(_), .. }) => {
            let answer = deep::begun(order, head, variables, Told::Now).await;
            return answer.unwrap_or_else(|refusal| refused(&*voice, &refusal));
        }
        Order::Call(single) => {
            let reply = call(&single, head, variables).await;
            return told(reply.map(Done::Reply), voice).await;
        }
        // A stream that stays open is counted like one that begins something.
        Order::Listen(wanted) => {
            return match chat::caller(head, variables).await {
                Ok(caller) => listen::open(wanted, convert::caller(caller)),
                Err(refusal) => refused(&*voice, &refusal),
            };
        }
        _ => {}
    }
    let reader = match chat::may_read(head, variables).await {
        Ok(known) => Reader { caller: convert::caller(known.clone()), known },
        Err(refusal) => return refused(&*voice, &refusal),
    };
    match order {
        Order::Several(all) => Answer::Whole(several(all, head, reader, variables).await),
        Order::ForRun(order) => {
            let answer = deep::perform(order, reader.caller, variables, Told::Now).await;
            answer.unwrap_or_else(|refusal| refused(&*voice, &refusal))
        }
        order => {
            let done = one(order, head, &reader, variables, &mut *voice).await;
            told(done, voice).await
        }
    }
}

/// Whoever looks at what was begun.
struct Reader {
    known: Caller,
    /// The same as the orchestrator knows it.
    caller: run::Caller,
}

/// When what is told of a run is sent.
#[derive(Clone, Copy)]
pub enum Told {
    /// As it comes.
    Now,
    /// All at once: it is one answer of several.
    Together,
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
    let begun = Box::pin(start(request, head, variables, voice)).await;
    begun.map(|(_, events)| events)
}

/// Several messages at once: none of them waits for a research, but a tool may take as long as it is given.
async fn several(all: Vec<mcp::One>, head: &Head, reader: Reader, variables: &Variables) -> Reply {
    let each = all.into_iter().map(|message| Box::pin(answered(message, head, &reader, variables)));
    mcp::batched(join_all(each).await.into_iter().flatten().collect())
}

/// The answer to one of several messages.
async fn answered(
    message: mcp::One,
    head: &Head,
    reader: &Reader,
    variables: &Variables,
) -> Option<Reply> {
    let mut voice = message.voice();
    let done = match message.order {
        Order::Ask(request) => {
            begin(*request, head, variables, &mut *voice).await.map(Done::Events)
        }
        Order::Call(single) => call(&single, head, variables).await.map(Done::Reply),
        Order::ForRun(order) => {
            let answer = match order.what {
                What::Begin(_) => {
                    let order = Order::ForRun(order);
                    deep::begun(order, head, variables, Told::Together).await
                }
                _ => deep::perform(order, reader.caller.clone(), variables, Told::Together).await,
            };
            answer.map(|answer| match answer {
                Answer::Whole(reply) => Done::Reply(reply),
                // What is told together is whole.
                Answer::Stream { .. } | Answer::Bytes { .. } => Done::Whole,
            })
        }
        order => one(order, head, reader, variables, &mut *voice).await,
    };
    let answer = match done {
        Ok(Done::Events(events)) => collect(voice, events).await,
        other => told(other, voice).await,
    };
    match answer {
        Answer::Whole(reply) => Some(reply),
        Answer::Stream { .. } | Answer::Bytes { .. } => None,
    }
}

/// One of the agent's tools. Whoever calls it is counted as whoever asks.
async fn call(single: &mcp::Single, head: &Head, variables: &Variables) -> Result<Reply, Refusal> {
    let caller = convert::caller(chat::caller(head, variables).await?);
    let outcome = tools::call(single.tool.to_owned(), single.arguments.clone(), caller).await;
    Ok(single.reply(&outcome.output, outcome.failure.as_deref()))
}

/// What is done for one message that starts nothing.
async fn one(
    order: Order,
    head: &Head,
    reader: &Reader,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Done, Refusal> {
    match order {
        Order::Known(reply) | Order::Public(reply) => Ok(Done::Reply(reply)),
        Order::Greet(reply) => Ok(Done::Reply(mcp::greeted(reply, random::bits128()))),
        Order::Look(id) => look(id, head, variables, voice).await,
        Order::Stop(id) => {
            let id = stop(id).await?;
            let (id, known) = latest(id).await?;
            let earlier = seen(&id, known.is_stopped, variables).await?;
            // Whoever ends it does not have it go on, though a limit that it waits for may be over.
            show(id, earlier, variables, voice).await
        }
        Order::Join(id) => {
            voice.begin(&id);
            rejoin(id, 0, variables).await.map(Done::Events)
        }
        Order::Read(reading) => {
            let (id, known) = latest(reading.ask.clone()).await?;
            let earlier = earlier(&id, Far::Now, variables).await?;
            Ok(Done::Reply(mcp::read(&reading, earlier, known.is_stopped)))
        }
        Order::Cancel(name) => {
            let key = name.by(Sender::of(&reader.known));
            call_off::end(key, reader.caller.clone()).await;
            Ok(Done::Reply(mcp::accepted()))
        }
        Order::OfTask(order) => {
            tasks::perform(order, head, &reader.caller, variables).await.map(Done::Reply)
        }
        // None of them comes here: each is dealt with before.
        Order::Ask(_)
        | Order::Task(..)
        | Order::ForRun(_)
        | Order::Listen(_)
        | Order::Call(_)
        | Order::Several(_) => Err(Refusal::Internal("a message within a message".to_owned())),
    }
}

/// The newest ask that goes on with an ask, or itself, and what is known of it.
pub async fn latest(mut id: String) -> Result<(String, ask::Known), Refusal> {
    for _ in 0..LOOKS {
        let mut known = described(&id).await?;
        match known.gone_on.take() {
            Some(next) => id = next,
            None => return Ok((id, known)),
        }
    }
    let words = "the ask was gone on with too often to find the newest at once; look again";
    Err(Refusal::Unavailable(words.to_owned()))
}

/// What is known of an ask. One that another instance began a moment ago has no log yet, and whoever was told that there is
/// no such ask would begin, and pay, another.
async fn described(id: &str) -> Result<ask::Known, Refusal> {
    match ask::describe(id.to_owned()).await {
        Err(ask::AskError::NotFound(_)) if mcp::may_begin(id, clock::now()) => {}
        known => return known.map_err(nobodys),
    }
    let begins = ask::begins(id.to_owned()).await;
    match ask::describe(id.to_owned()).await {
        Err(ask::AskError::NotFound(_)) if begins => {
            let words = "the store takes nothing for now, so nobody knows whether there is such an ask; try again";
            Err(Refusal::Unavailable(words.to_owned()))
        }
        known => known.map_err(nobodys),
    }
}

/// Ends the newest that goes on with an ask, and gives its id. One of which nothing can be read hears that all the same, where
/// it is driven.
async fn stop(id: String) -> Result<String, Refusal> {
    let id = match latest(id.clone()).await {
        Ok((newest, _)) => newest,
        Err(refusal) if refusal.is_passing() || matches!(refusal, Refusal::NotFound(_)) => id,
        Err(refusal) => return Err(refusal),
    };
    ask::stop(id.clone()).await.map_err(nobodys)?;
    Ok(id)
}

/// What has happened in an ask; one that was stopped while it waited for a limit has ended.
async fn seen(id: &str, is_stopped: bool, variables: &Variables) -> Result<Earlier, Refusal> {
    let mut earlier = earlier(id, Far::Now, variables).await?;
    if is_stopped {
        mcp::stopped(&mut earlier);
    }
    Ok(earlier)
}

/// Tells of the newest that goes on with an ask. One that waited for a provider's limit goes on where its time has come, and
/// one whose process died at once.
async fn look(
    id: String,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Done, Refusal> {
    let (id, known) = latest(id).await?;
    let mut earlier = seen(&id, known.is_stopped, variables).await?;
    let Some(request) = mcp::goes_on(&id, &earlier, clock::now()) else {
        return show(id, earlier, variables, voice).await;
    };
    let (next, events) = match Box::pin(start(request, head, variables, voice)).await {
        Err(Refusal::NotFound(_)) if mcp::unkept(&mut earlier) => {
            return show(id, earlier, variables, voice).await;
        }
        begun => begun?,
    };
    end_with(id, &next).await;
    Ok(Done::Events(events))
}

/// Whoever wished the end of an ask while another began that goes on with it means that one, too.
async fn end_with(earlier: String, next: &str) {
    if ask::describe(earlier).await.is_ok_and(|known| known.is_stopped) {
        drop(ask::stop(next.to_owned()).await);
    }
}

/// What has happened in an ask is known without a word; what comes is told.
async fn show(
    id: String,
    earlier: Earlier,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Done, Refusal> {
    voice.begin(&id);
    let seen = earlier.events.last().and_then(|event| event.sequence).unwrap_or_default();
    let is_told = voice.pass(earlier.events);
    if !is_told && earlier.has_ended {
        // It died before it wrote its end.
        drop(voice.broke_off(&interrupted(), clock::now()));
    }
    if is_told || earlier.has_ended {
        return Ok(Done::Whole);
    }
    rejoin(id, seen, variables).await.map(Done::Events)
}
