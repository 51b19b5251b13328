//! Responses that were begun: read from the logs of their asks, and of their runs.
//!
//! Border: calls the orchestrator; what is said of a response is decided in `quarry-doors`.

use std::time::Duration;

use quarry_doors::responses::{self, Begin, Earlier, EarlierRun, Finding, Found, Of, Order};
use quarry_doors::{AskRequest, Event, Head, OwnName, Refusal, Unkept};
use quarry_rim::clock;
use quarry_rim::variables::Variables;
use wit_bindgen::spawn;

use crate::bindings::quarry::agent::{ask, run};
use crate::chat::Begins;
use crate::events::Next;
use crate::outgoing::Answer;
use crate::settings::Settings;
use crate::{chat, convert, nobodys, rejoin, runs, stream};

/// How long whoever cancels waits for the end.
const CANCEL_WAITS: Duration = Duration::from_secs(10);
/// How long whoever goes on with what was answered a moment ago waits for the store to know of its end.
const SETTLES: Duration = Duration::from_secs(5);

/// How far a log is read.
#[derive(Clone, Copy)]
pub enum Far {
    /// To what is there now.
    Now,
    /// To its end.
    End,
}

pub async fn perform(order: Order, head: &Head, variables: &Variables) -> Result<Answer, Refusal> {
    if let Order::Begin(begin) = order {
        return begun(*begin, head, variables).await;
    }
    let reader = chat::may_read(head, variables).await?;
    let reply = match order {
        // Neither comes here: the one is dealt with before, and what the other means is known by then.
        Order::Begin(_) | Order::Aliased(_) => {
            return Err(Refusal::Internal("a beginning within a reading".to_owned()));
        }
        Order::OfRun(id, of) => return of_run(id, of, convert::caller(reader), variables).await,
        Order::Show(id) => responses::shown(&id, &earlier(&id, Far::Now, variables).await?)?,
        Order::Stream(id, after) => {
            let known = ask::describe(id.clone()).await.map_err(nobodys)?;
            let voice = responses::streamed(&id, known.kept.as_deref(), after)?;
            // It was begun, as what is kept of it says, and died before it said anything.
            if known.last == 0 && known.has_ended {
                return Ok(Answer::broken(voice, &responses::interrupted()));
            }
            return Ok(stream(voice, rejoin(id, 0, variables).await?).await);
        }
        Order::Items(id, page) => {
            let earlier = earlier(&id, Far::Now, variables).await?;
            responses::items(&id, &earlier, &page)?
        }
        Order::Delete(id) => {
            let earlier = settled(&id, variables).await?;
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
                    Some(Ok(ended)) => responses::shown(&id, &ended)?,
                    // One that died has no end to wait for.
                    _ => responses::shown(&id, &earlier(&id, Far::Now, variables).await?)?,
                }
            }
        }
    };
    Ok(Answer::Whole(reply))
}

/// Begins a run, and answers with its response.
async fn begun(mut begin: Begin, head: &Head, variables: &Variables) -> Result<Answer, Refusal> {
    let caller = admitted(&mut begin.deep.ask, head, variables).await?;
    follow(&mut begin.deep.ask, Begins::Run, &caller, variables).await?;
    let found_by = found_by(&begin.deep.ask);
    let (request, begun) = begin.run()?;
    let created = run::create(convert::run(request), caller.clone()).await;
    let named = |error| runs::refusal_at(error, "quarry.budget.usd", "use quarry.budget.tokens");
    let id = created.map_err(named)?.id;
    note(found_by, responses::name_of_run(&id));
    if begun.streams
        && let Ok(events) = runs::events(id.clone(), 0, caller, variables).await
    {
        return Ok(stream(begun.stream(&id), events).await);
    }
    Ok(Answer::Whole(begun.reply(&id)))
}

/// Who asks for a run, when it may.
pub async fn admitted(
    asked: &mut AskRequest,
    head: &Head,
    variables: &Variables,
) -> Result<run::Caller, Refusal> {
    let settings = Settings::read(variables).await?;
    let caller = chat::admitted(asked, Begins::Run, head, &settings, variables).await;
    caller.map(convert::caller)
}

/// What is done with the response of a run.
async fn of_run(
    id: String,
    of: Of,
    caller: run::Caller,
    variables: &Variables,
) -> Result<Answer, Refusal> {
    let earlier = || runs::earlier(&id, &caller, variables);
    let reply = match of {
        Of::Show => earlier().await?.shown(&id)?,
        Of::Stream(after) => {
            let known = run::describe(id.clone(), caller.clone()).await.map_err(runs::refusal)?;
            let voice = EarlierRun { kept: known.kept, ..EarlierRun::default() };
            let voice = voice.streamed(&id, after)?;
            let events = runs::events(id, 0, caller, variables).await?;
            return Ok(stream(voice, events).await);
        }
        Of::Items(page) => earlier().await?.items(&id, &page)?,
        Of::Delete => {
            run::delete(id.clone(), caller.clone()).await.map_err(runs::refusal)?;
            EarlierRun::deleted(&id)
        }
        Of::Cancel => {
            runs::aborted(&id, &caller).await?;
            clock::within(CANCEL_WAITS, runs::ended(&id, &caller, variables)).await;
            earlier().await?.shown(&id)?
        }
    };
    Ok(Answer::Whole(reply))
}

/// By what whoever asks finds the items of what is begun with this; none: nobody does.
pub fn found_by(request: &AskRequest) -> Option<String> {
    let name = request.manners.finds.as_ref().filter(|_| request.manners.is_found);
    name.map(OwnName::key)
}

/// Notes what was begun, so that it is found by the ids of its items. Nobody waits for that: who got no item yet
/// has none to send.
pub fn note(found_by: Option<String>, named: String) {
    let Some(by) = found_by else { return };
    let key = responses::key_of(&by, &named);
    spawn(async move { ask::note(key, named).await });
}

/// Puts what was said before it into a request: what it refers to, and the conversation of the response that it names.
/// Whether other is kept of it then than its door meant.
pub async fn follow(
    request: &mut AskRequest,
    begins: Begins,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<bool, Refusal> {
    if request.manners.refers.is_empty() && request.manners.follows.is_none() {
        return Ok(false);
    }
    let followed = match refer(request, caller, variables).await {
        Ok(()) => go_on(request, caller, variables).await,
        Err(refusal) => Err(refusal),
    };
    if let Err(refusal) = followed {
        chat::refused(request, begins, &refusal, caller.clone()).await;
        return Err(refusal);
    }
    Ok(true)
}

/// Puts the items of earlier responses where a request refers to them.
async fn refer(
    request: &mut AskRequest,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<(), Refusal> {
    let Some(mut finding) = Finding::of(request)? else { return Ok(()) };
    while let Some(key) = finding.wanted() {
        let Some(named) = ask::noted(key).await.map_err(nobodys)? else {
            return Err(finding.missing());
        };
        let found = match responses::run_of(&named) {
            Some(run) => runs::earlier(&run, caller, variables).await.map(Found::Run),
            None => settled(&named, variables).await.map(Found::Ask),
        };
        match found {
            Ok(found) => finding.found(&named, &found)?,
            Err(Refusal::NotFound(_)) => return Err(finding.missing()),
            Err(refusal) => return Err(refusal),
        }
    }
    finding.put(request);
    Ok(())
}

async fn go_on(
    request: &mut AskRequest,
    caller: &run::Caller,
    variables: &Variables,
) -> Result<(), Refusal> {
    let Some(id) = request.manners.follows.take() else { return Ok(()) };
    if let Some(id) = responses::run_of(&id) {
        return match runs::earlier(&id, caller, variables).await {
            Ok(earlier) => earlier.follow(request, &id),
            Err(Refusal::NotFound(_)) => Err(responses::nothing_to_follow()),
            Err(refusal) => Err(refusal),
        };
    }
    let earlier = match settled(&id, variables).await {
        Ok(earlier) => Some(earlier),
        Err(Refusal::NotFound(_)) => None,
        Err(refusal) => return Err(refusal),
    };
    responses::follow(request, &id, earlier.as_ref())
}

/// What a continuation is told by: what is kept of it, for frames have numbers by which others come back, whoever was
/// quicker; or why not. What came through a door that keeps nothing is kept as this one wants it; where that is no more than
/// a small thing, each is told as it wants itself.
pub async fn joined(
    ask: &ask::Begun,
    own: Option<String>,
    unkept: Unkept,
    found_by: Option<String>,
) -> Result<Option<String>, Refusal> {
    let Some(own) = own else { return Ok(None) };
    let is_small = unkept == Unkept::Begun;
    match ask::keep(ask.id.clone(), own.clone(), found_by).await {
        Ok(kept) if !is_small => responses::joined(&own, &kept)
            .map(|are_stored| Some(if are_stored { kept } else { own })),
        Ok(_) => Ok(Some(own)),
        // It was begun as a small thing of it could not be kept; then nobody else has kept it either.
        Err(_) if !ask.is_joined || is_small => Ok(Some(own)),
        Err(error) => Err(nobodys(error)),
    }
}

/// What is known of an ask that should have ended: its answer reaches whoever asked before its end reaches the store.
async fn settled(id: &str, variables: &Variables) -> Result<Earlier, Refusal> {
    let now = earlier(id, Far::Now, variables).await?;
    if now.has_ended {
        return Ok(now);
    }
    match clock::within(SETTLES, earlier(id, Far::End, variables)).await {
        Some(Ok(ended)) => Ok(ended),
        Some(Err(_)) | None => Ok(now),
    }
}

/// What is known of an ask, with its events.
pub async fn earlier(id: &str, far: Far, variables: &Variables) -> Result<Earlier, Refusal> {
    let ask::Known { kept, last, has_ended, .. } =
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
            Next::Unkept | Next::Silence | Next::Look | Next::Late => {}
            Next::End(Some(refusal)) => return Err(refusal),
            Next::End(None) => return Ok(Earlier { kept, events, has_ended: true }),
        }
        let read = events.last().and_then(|event| event.sequence).unwrap_or_default();
        if matches!(far, Far::Now) && read >= last {
            return Ok(Earlier { kept, events, has_ended });
        }
    }
}
