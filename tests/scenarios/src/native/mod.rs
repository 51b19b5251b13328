//! Runs a scenario without components: the crates that decide, put together, on virtual time.
//!
//! The request goes through its door, the settings through their readers, the machine through its
//! inputs, and its events back through the door's voice and the client's parser, as they do when
//! components perform. What stands in for the rim is here: who sends what when, and what the host would
//! say of a connection. It makes no event.
//!
//! Border: no socket and no clock. What it cannot follow is an error that says so, never a guess.

mod agenda;
mod drive;
mod model;
mod sandbox;
mod start;
mod variables;
mod web;

use crate::client::{Frames, as_documented};
use crate::contract::Answered;
use crate::scenario::{Observed, Scenario};
use anyhow::{Result, bail, ensure};
use drive::{Agenda, Drive};
use model::Models;
use quarry_admission::Cors;
use quarry_doors::door::{Opened, Voice};
use quarry_doors::{AskRequest, Entrance, Event, Head, Order, enter};
use quarry_events::EventName;
use quarry_machines::ask::Ask;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::path::Path;
use variables::Variables;
use web::Web;

const STREAM: &str = "text/event-stream";

/// Runs a scenario and returns what is wrong; nothing, if all is well.
pub fn run(directory: &Path, scenario: &Scenario) -> Result<Vec<String>> {
    let variables = Variables::of(&scenario.variables)?;
    let observed = observe(scenario, &variables)?;
    let unread = variables.unread();
    if !unread.is_empty() {
        bail!("nothing here looks at {}: say why in components_only", unread.join(", "));
    }
    scenario.judge(directory, &observed)
}

/// A log as it was written.
pub struct Log {
    /// The ask's id.
    pub id: String,
    /// Its events.
    pub events: Vec<quarry_events::Event>,
}

/// The log of a scenario's ask, for whoever tells it in a way of its own; of one that is stopped behind the first event of
/// a name, where there is one.
pub fn log(scenario: &Scenario, stopped_behind: Option<EventName>) -> Result<Log> {
    let variables = Variables::of(&scenario.variables)?;
    let agenda = Agenda::new();
    let (request, _) = open(scenario, agenda.now())?;
    let (params, credential) = start::params(request, &variables, agenda.now())?;
    let id = params.id.to_string();
    let machine = Ask::new(params, agenda.now());
    let models = Models::new(&variables, credential, scenario.script());
    let web = Web::new(&variables)?;
    let mut drive = Drive { machine, models, web, agenda, stopped_behind };
    let events = drive.finish()?;
    ensure!(drive.stopped_behind.is_none(), "nothing was told behind which it is stopped");
    Ok(Log { id, events })
}

fn observe(scenario: &Scenario, variables: &Variables) -> Result<Observed> {
    let agenda = Agenda::new();
    let (request, mut voice) = open(scenario, agenda.now())?;
    let (params, credential) = start::params(request, variables, agenda.now())?;
    voice.begin(&params.id.to_string());
    let machine = Ask::new(params, agenda.now());
    let models = Models::new(variables, credential, scenario.script());
    let web = Web::new(variables)?;
    let mut drive = Drive { machine, models, web, agenda, stopped_behind: None };
    let events = drive.finish()?;
    let calls = drive.models.requests();
    Ok(Observed { events: shown(&mut *voice, events, variables)?, calls })
}

/// Takes the request to its door. Whichever that is, its events are told as those of an ask.
fn open(scenario: &Scenario, now: Timestamp) -> Result<(AskRequest, Box<dyn Voice>)> {
    let (request, voice) = enter_at(scenario.door.as_deref().unwrap_or("/"), scenario.body(), now)?;
    match scenario.door {
        None => Ok((request, voice)),
        Some(_) => Ok((request, enter_at("/", json!({ "query": "anything" }), now)?.1)),
    }
}

fn enter_at(path: &str, body: Value, now: Timestamp) -> Result<(AskRequest, Box<dyn Voice>)> {
    let head = Head {
        method: "POST".to_owned(),
        path: path.to_owned(),
        accept: Some(STREAM.to_owned()),
        ..Head::default()
    };
    let Entrance::Open(visit) = enter(&head, now) else { bail!("there is no such door") };
    let Opened { order, voice } = visit.open(&head, body.to_string().as_bytes());
    match order {
        Ok(Order::Start(request)) if voice.streams() => Ok((*request, voice)),
        Ok(order) => bail!("the request starts no stream, but is {order:?}"),
        Err(refusal) => bail!("the request is refused: {refusal:?}"),
    }
}

/// Events as the client sees them: through the door's voice, over the wire, as documented.
fn shown(
    voice: &mut dyn Voice,
    events: Vec<quarry_events::Event>,
    variables: &Variables,
) -> Result<Vec<crate::client::Event>> {
    let mut headers = voice.head();
    Cors::read(variables.get("cors_allowed_origins")).apply(None, &mut headers);
    let headers: Vec<(String, String)> =
        headers.into_iter().map(|(name, value)| (name.to_owned(), value.into_owned())).collect();
    let answered = Answered::new("POST", "/", 200, Some(STREAM));
    as_documented(answered.head(&headers))?;
    let mut frames = Frames::new(answered);
    let mut shown = Vec::new();
    for event in events {
        let event = Event { sequence: Some(event.sequence), name: event.name, data: event.data };
        frames.push(&voice.tell(vec![event]).bytes)?;
        while let Some(event) = frames.pop() {
            shown.push(event);
        }
    }
    Ok(shown)
}
