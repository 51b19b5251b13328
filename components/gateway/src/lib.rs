//! HTTP in and out: requests to the doors, events to their readers.
//!
//! Border: every decision is made in `quarry-doors` and `quarry-admission`; this component reads
//! requests and variables, calls `quarry:agent` and `quarry:knowledge`, and writes what comes.

mod bindings;
mod chat;
mod convert;
mod events;
mod gate;
mod incoming;
mod knowledge;
mod loads;
mod mcp;
mod outgoing;
mod responses;
mod runs;
mod settings;

use std::time::Duration;

use futures::join;
use quarry_admission::{Caller, Cors};
use quarry_doors::door::{Opened, Voice};
use quarry_doors::{
    AskRequest, ConsultRequest, Entrance, Head, Order, OwnName, Refusal, Reply, Sender, enter,
};
use quarry_events::EventName;
use quarry_rim::clock;
use quarry_rim::random;
use quarry_rim::variables::Variables;
use spin_sdk::wasip3;
use spin_sdk::wasip3::http::types::{ErrorCode, Request, Response};
use wit_bindgen::{FutureReader, StreamReader};

use bindings::quarry::agent::{ask, consult, database};
use bindings::quarry::web::network;
use chat::Begins;
use events::{Events, Next};
use incoming::Incoming;
use loads::Held;
use outgoing::Answer;
use responses::Far;
use settings::Settings;

/// How long the head of a stream waits for the first events.
const HEAD_WAITS: Duration = Duration::from_millis(50);

/// After this a chat is looked for again that somebody wants to end: its ask may be on the way still, on another connection.
const NAMED_AFTER: Duration = Duration::from_millis(250);

/// Characters of a page's address that are shown to it.
const SHOWN: usize = 200;

const NO_CHAT: &str =
    "no ask of this chat is under way; it has ended, or was begun with other credentials";

struct Gateway;

wasip3::http::service::export!(Gateway);

impl wasip3::exports::http::handler::Guest for Gateway {
    async fn handle(request: Request) -> Result<Response, ErrorCode> {
        let (head, incoming) = incoming::split(request);
        let variables = Variables::current(clock::now());
        let (mut answer, cors) =
            join!(answer(&head, incoming, &variables), settings::readers(&head, &variables));
        let mut headers = answer.headers();
        quarry_doors::name_answer(&head, &mut headers, random::bits128);
        // Without its rule no other origin is let in; the answer itself stands.
        cors.unwrap_or(Cors::Listed(Vec::new())).apply(head.origin.as_deref(), &mut headers);
        answer.send(headers)
    }
}

async fn answer(head: &Head, incoming: Incoming, variables: &Variables) -> Answer {
    let visit = match enter(head, clock::recently()) {
        Entrance::Closed(reply) => {
            incoming.let_go(head);
            return Answer::Whole(reply);
        }
        Entrance::Open(visit) => visit,
    };
    if let Some(origin) = visit.foreign_page(head)
        && let Err(refusal) = lets_act(origin, variables).await
    {
        incoming.let_go(head);
        return refused(&*visit.voice(head), &refusal);
    }
    let (mut limit, mut held) = (visit.body_limit(), None);
    if let Some(strangers) = visit.stranger_limit() {
        held = match loads::announced(head, variables).await {
            Ok(held) => held,
            Err(refusal) => {
                incoming.let_go(head);
                return refused(&*visit.voice(head), &refusal);
            }
        };
        limit = limit.filter(|_| held.is_some()).or(Some(strangers));
    }
    let body = match limit {
        Some(limit) => {
            let body = incoming.body(head, limit, variables);
            match &held {
                Some(held) => held.during(body).await,
                None => body.await,
            }
        }
        None => {
            incoming.let_go(head);
            Ok(Vec::new())
        }
    };
    match body.map(|body| visit.open(head, &body)) {
        Ok(opened) => perform(opened, held, head, variables).await,
        Err(refusal) => refused(&*visit.voice(head), &refusal),
    }
}

/// Whether a page of this site may have something done.
async fn lets_act(origin: &str, variables: &Variables) -> Result<(), Refusal> {
    match settings::cors(variables).await?.lets_act(origin) {
        true => Ok(()),
        false => Err(Refusal::ForeignPage(origin.chars().take(SHOWN).collect())),
    }
}

async fn perform(opened: Opened, held: Option<Held>, head: &Head, variables: &Variables) -> Answer {
    let Opened { order, mut voice } = opened;
    let order = match order {
        Ok(order) => chat::meant(order, variables).await,
        Err(refusal) => Err(refusal),
    };
    let done = match order {
        Ok(Order::Start(request)) => {
            let begun = start(*request, head, variables, &mut *voice).await;
            begun.map(|(_, events)| Done::Events(events))
        }
        Ok(Order::Rejoin { id, after }) => rejoin(id, after, variables).await.map(Done::Events),
        Ok(Order::Stop { id }) => stop(id).await.map(Done::Reply),
        Ok(Order::RejoinNamed(name)) => rejoin_named(&name, head, variables, &mut *voice).await,
        Ok(Order::StopNamed(name)) => stop_named(&name, head, variables).await.map(Done::Reply),
        Ok(Order::Consult(request)) => {
            consult(*request, head, variables, &mut *voice).await.map(Done::Events)
        }
        Ok(Order::Response(order)) => {
            let done = responses::perform(order, head, variables).await;
            return done.unwrap_or_else(|refusal| refused(&*voice, &refusal));
        }
        Ok(Order::Mcp(order)) => {
            // How it is answered goes along: an ask may be told for a while and not to its end.
            return mcp::perform(*order, head, variables, voice).await;
        }
        Ok(Order::Run(order)) => {
            let done = runs::perform(*order, head, variables).await;
            return done.unwrap_or_else(|refusal| refused(&*voice, &refusal));
        }
        Ok(Order::Knowledge(order)) => {
            let done = knowledge::perform(*order, head, held, variables).await;
            return done.unwrap_or_else(|refusal| refused(&*voice, &refusal));
        }
        Ok(Order::Models(id)) => {
            chat::models(id.as_deref(), head, variables).await.map(Done::Reply)
        }
        Ok(Order::Health) => Ok(Done::Reply(health().await)),
        Ok(Order::Reply(reply)) => Ok(Done::Reply(reply)),
        Err(refusal) => Err(refusal),
    };
    match done {
        Ok(Done::Events(_)) if voice.is_answered_at_once() => Answer::Whole(voice.whole(None)),
        Ok(Done::Events(events)) if voice.streams() => stream(voice, events).await,
        Ok(Done::Events(events)) => collect(voice, events).await,
        Ok(Done::Reply(reply)) => Answer::Whole(reply),
        Err(refusal) => refused(&*voice, &refusal),
    }
}

type Ended = FutureReader<Result<(), ask::AskError>>;

enum Done {
    Events(Events),
    Reply(Reply),
}

/// Starts an ask; its id, and its events.
async fn start(
    mut request: AskRequest,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<(String, Events), Refusal> {
    let settings = Settings::read(variables).await?;
    let caller = chat::admitted(&mut request, Begins::Ask, head, &settings, variables).await?;
    let whose = convert::caller(caller.clone());
    if let Err(refusal) = chat::settle(&mut request, variables).await {
        chat::refused(&request, Begins::Ask, &refusal, whose).await;
        return Err(refusal);
    }
    let is_other = responses::follow(&mut request, Begins::Ask, &whose, variables).await?;
    let (grace, goes_on) = (request.manners.grace_seconds, request.manners.goes_on);
    let only_again = request.manners.only_again.clone();
    let (found_by, continues) = (responses::found_by(&request), request.resume.is_some());
    let (own, unkept) = (request.manners.keeps.clone(), request.manners.unkept);
    let started = ask::start(convert::request(request, found_by.clone()), whose).await;
    let mut begun = started.map_err(|error| match (error, only_again) {
        (ask::AskError::NotFound(_), Some(refusal)) => refusal,
        (error, _) => convert::refusal(error, caller),
    })?;
    waits(begun.held_up.take(), voice)?;
    // Whoever joins one may even be quicker than whoever begins it.
    let kept = match continues || begun.is_continuation {
        true => responses::joined(&begun, own, unkept, found_by).await?,
        false => own.filter(|_| is_other),
    };
    let ask::Begun { id, is_joined, is_continuation, model, events, outcome, .. } = begun;
    if is_continuation && goes_on {
        // Whoever began it may have wanted its end when it leaves.
        ask::hold(id.clone()).await.map_err(nobodys)?;
    }
    if let Some(kept) = kept {
        voice.keeps(&kept);
    }
    voice.begin(&id);
    if let Some(model) = model {
        voice.answered_by(&model);
    }
    if is_joined && voice.is_answered_at_once() {
        // Whoever does not wait for its end is shown it as it is now.
        let earlier = responses::earlier(&id, Far::Now, variables).await?;
        voice.tell(earlier.events);
    }
    let events = told(events, outcome, settings.silence);
    let events = match voice.promises_to_keep() {
        true => events.until_kept(|name| name.is_last()),
        false => events,
    };
    let events = match grace {
        // Whoever joins is one of its readers, and known as such.
        Some(seconds) if !is_joined => events.when_left(ask::leave(id.clone(), seconds)),
        _ => events,
    };
    Ok((id, events))
}

async fn consult(
    mut request: ConsultRequest,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Events, Refusal> {
    let settings = Settings::read(variables).await?;
    let (secret, token) = request.credentials.letters(&settings.access);
    let address = head.client_address.as_deref();
    let caller = gate::admit(&settings, token, secret, address, variables).await?;
    request.manners.sent_by(Sender::of(&caller));
    let (request, whose) = (convert::consult(request), convert::caller(caller.clone()));
    let started = consult::start(request, whose).await;
    let begun = started.map_err(|error| convert::refusal(error, caller))?;
    waits(begun.held_up, voice)?;
    voice.begin(&begun.id);
    Ok(told(begun.events, begun.outcome, settings.silence))
}

/// Whether whoever asks waits for what is held up: only where it is told meanwhile that somebody is there.
fn waits(held_up: Option<ask::AskError>, voice: &dyn Voice) -> Result<(), Refusal> {
    match held_up {
        Some(error) if !voice.streams() && !voice.is_answered_at_once() => Err(nobodys(error)),
        _ => Ok(()),
    }
}

async fn rejoin(id: String, after: u64, variables: &Variables) -> Result<Events, Refusal> {
    let silence = settings::silence(variables).await?;
    let (stream, ended) = ask::rejoin(id, after).await.map_err(nobodys)?;
    Ok(told(stream, ended, silence))
}

/// The ask that its sender gave this name.
async fn find_named(
    name: &OwnName,
    head: &Head,
    variables: &Variables,
) -> Result<Option<String>, Refusal> {
    let caller = chat::may_read(head, variables).await?;
    ask::find(name.by(Sender::of(&caller))).await.map_err(nobodys)
}

/// The stream of the ask that has this name, from its beginning; nothing, where there is none.
async fn rejoin_named(
    name: &OwnName,
    head: &Head,
    variables: &Variables,
    voice: &mut dyn Voice,
) -> Result<Done, Refusal> {
    let Some(id) = find_named(name, head, variables).await? else {
        return Ok(Done::Reply(Reply::empty()));
    };
    // It died before there was anything to read.
    if !ask::begins(id.clone()).await {
        return Ok(Done::Reply(Reply::empty()));
    }
    // What its request wished of the stream, where anything was kept of it.
    if let Ok(ask::Known { kept: Some(kept), .. }) = ask::describe(id.clone()).await {
        voice.keeps(&kept);
    }
    voice.begin(&id);
    rejoin(id, 0, variables).await.map(Done::Events)
}

async fn stop_named(name: &OwnName, head: &Head, variables: &Variables) -> Result<Reply, Refusal> {
    let mut id = find_named(name, head, variables).await?;
    if id.is_none() {
        clock::sleep(NAMED_AFTER).await;
        id = find_named(name, head, variables).await?;
    }
    stop(id.ok_or_else(|| Refusal::NotFound(NO_CHAT.into()))?).await
}

fn told(stream: StreamReader<ask::Event>, ended: Ended, silence: Duration) -> Events {
    let ended = async move { ended.await.err().map(nobodys) };
    Events::new(stream, ended, silence, EventName::parse)
}

async fn stop(id: String) -> Result<Reply, Refusal> {
    ask::stop(id.clone()).await.map_err(nobodys)?;
    Ok(Reply::stopping(&id))
}

async fn health() -> Reply {
    let (network, database) = join!(network::state(), database::state());
    Reply::health(convert::network(network), convert::database(database))
}

/// A refusal of what no caller has to be known for.
fn nobodys(error: ask::AskError) -> Refusal {
    convert::refusal(error, Caller::default())
}

async fn stream<N: 'static>(mut voice: Box<dyn Voice<N>>, mut events: Events<N>) -> Answer {
    events.wait_for(&*voice);
    events.speak_within(&*voice);
    match events.first(HEAD_WAITS).await {
        Next::Batch(first) => Answer::stream(voice.tell(first), voice, events),
        Next::Unkept => {
            voice.unkept();
            Answer::stream(voice.tell(Vec::new()), voice, events)
        }
        Next::Silence | Next::Look | Next::Late => {
            Answer::stream(voice.tell(Vec::new()), voice, events)
        }
        Next::End(None) => Answer::Whole(voice.whole(None)),
        Next::End(Some(refusal)) => refused(&*voice, &refusal),
    }
}

async fn collect<N: 'static>(mut voice: Box<dyn Voice<N>>, mut events: Events<N>) -> Answer {
    events.wait_for(&*voice);
    loop {
        match events.next().await {
            Next::Batch(batch) => {
                // Nobody waits for what happens behind the last event.
                if voice.tell(batch).last {
                    return Answer::Whole(voice.whole(None));
                }
            }
            Next::Unkept => voice.unkept(),
            Next::Silence | Next::Look => {}
            Next::Late => return Answer::Whole(voice.whole(None)),
            Next::End(broke_off) => return Answer::Whole(voice.whole(broke_off.as_ref())),
        }
    }
}

fn refused<N>(voice: &dyn Voice<N>, refusal: &Refusal) -> Answer {
    Answer::Whole(voice.refuse(refusal, clock::now()))
}
