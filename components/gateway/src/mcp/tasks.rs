//! The extension of tasks: handles of asks and runs, and a stream that tells how they stand.
//!
//! Border: calls the orchestrator; what a task looks like is decided in `quarry-doors`.

use std::pin::Pin;
use std::time::Duration;

use quarry_doors::door::Voice;
use quarry_doors::mcp::{self, Doing, Facts, Id, Listen, OfTask, Task};
use quarry_doors::responses::run_of;
use quarry_doors::{AskRequest, Head, Refusal, Reply};
use quarry_rim::clock;
use quarry_rim::variables::Variables;
use wit_bindgen::StreamWriter;

use super::{Done, latest, seen};
use crate::bindings::quarry::agent::{ask, run};
use crate::outgoing::Answer;
use crate::{nobodys, runs, start};

/// Between two looks at the tasks that a stream tells of.
const LOOKS: Duration = Duration::from_secs(1);
/// Looks without a word after which there is a sign of life.
const SILENT_LOOKS: u32 = 10;
/// Looks after which a stream ends: whoever still listens asks for another.
const MOST_LOOKS: u32 = 3_600;

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
        (Doing::Cancel, None) => stopped(&order.id).await.map(|()| None),
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

async fn stopped(id: &str) -> Result<(), Refusal> {
    let (id, _) = latest(id.to_owned()).await?;
    ask::stop(id).await.map_err(nobodys)
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

/// An ask's task as it stands. For whoever sent this head it goes on where a provider's limit is over.
async fn of_ask(id: &str, head: Option<&Head>, variables: &Variables) -> Result<Task, Refusal> {
    let (mut named, known) = latest(id.to_owned()).await?;
    let mut earlier = seen(&named, known.is_stopped, variables).await?;
    if let (Some(head), Some(request)) = (head, mcp::goes_on(&named, &earlier, clock::now())) {
        match Box::pin(start(request, head, variables, &mut Silent)).await {
            Ok((next, events)) => {
                drop(events);
                // Who wished its end while this one began means this one, too.
                if ask::describe(named).await.is_ok_and(|known| known.is_stopped) {
                    drop(ask::stop(next.clone()).await);
                }
                earlier = seen(&next, false, variables).await?;
                named = next;
            }
            // It waits on, and the next look tries again.
            Err(Refusal::RateLimited { .. } | Refusal::Busy { .. } | Refusal::Unavailable(_)) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    let facts = Facts { lasts_ms: known.lasts_ms, now: clock::now() };
    Ok(mcp::of_ask(id, &named, &earlier, facts))
}

/// A stream that stays open and tells how tasks stand.
pub fn listen(listen: Listen, reader: run::Caller) -> Answer {
    let headers = listen.head();
    let pump = move |writer| -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(tell(listen, reader, writer))
    };
    Answer::Stream { headers, pump: Box::new(pump) }
}

/// By what is known whether anything happened: which ask it is by now, its last event, whether it has ended.
type Mark = (String, u64, bool);

async fn mark(id: &str, reader: &run::Caller) -> Result<Mark, Refusal> {
    match run_of(id) {
        Some(run) => {
            let known = run::describe(run, reader.clone()).await.map_err(runs::refusal)?;
            Ok((String::new(), known.last, false))
        }
        None => {
            let (named, known) = latest(id.to_owned()).await?;
            Ok((named, known.last, known.has_ended))
        }
    }
}

async fn tell(mut listen: Listen, reader: run::Caller, mut writer: StreamWriter<u8>) {
    let variables = Variables::current(clock::now());
    // What was told last, and whether that was the end.
    let mut marks: Vec<(Option<Mark>, bool)> = Vec::new();
    let mut known = Vec::new();
    for id in std::mem::take(&mut listen.tasks) {
        if mark(&id, &reader).await.is_ok() {
            known.push(id);
            marks.push((None, false));
        }
    }
    listen.tasks = known;
    let mut bytes = listen.acknowledged();
    let mut silent = 0;
    for _ in 0..MOST_LOOKS {
        for (id, (told, is_over)) in listen.tasks.iter().zip(&mut marks) {
            if *is_over {
                continue;
            }
            let Ok(now) = mark(id, &reader).await else { continue };
            if told.as_ref() == Some(&now) {
                continue;
            }
            let task = match run_of(id) {
                Some(run) => of_run(&run, &reader, &variables).await,
                None => of_ask(id, None, &variables).await,
            };
            if let Ok(task) = task {
                (*told, *is_over) = (Some(now), task.is_over());
                bytes.append(&mut listen.told(&task));
            }
        }
        silent = if bytes.is_empty() { silent + 1 } else { 0 };
        if silent >= SILENT_LOOKS {
            silent = 0;
            bytes = listen.sign_of_life();
        }
        if !bytes.is_empty() && !writer.write_all(std::mem::take(&mut bytes)).await.is_empty() {
            return;
        }
        clock::sleep(LOOKS).await;
    }
    drop(writer.write_all(listen.ended()).await);
}
