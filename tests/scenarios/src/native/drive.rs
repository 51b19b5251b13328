//! Drives the machine: feeds it, performs what it asks for, keeps its events.

use super::agenda;
use super::model::{Models, Step};
use super::sandbox;
use super::web::Web;
use anyhow::{Result, bail};
use quarry_events::{Event, EventName};
use quarry_machines::core::{Effect, Input, Machine, Ticket};
use quarry_search::Query;
use quarry_tools::{Errand, FailureKind, Outcome};
use quarry_types::Retries;

/// More than any scenario takes: one that goes on for ever is told so.
const MOST_STEPS: usize = 100_000;

/// Milliseconds that an errand takes.
const ERRAND_MS: u64 = 5;

/// What is due when.
pub type Agenda = agenda::Agenda<Due>;

/// What is due.
#[derive(Debug)]
pub enum Due {
    /// Something for the machine.
    Input(Input),
    /// A step of a model call.
    Call(Ticket, Step),
}

/// An ask with its surroundings.
pub struct Drive<'a, M> {
    /// The machine.
    pub machine: M,
    /// What calls it makes go to.
    pub models: Models<'a>,
    /// What it searches and reads.
    pub web: Web,
    /// Its time.
    pub agenda: Agenda,
    /// Behind the first event of this name somebody stops it.
    pub stopped_behind: Option<EventName>,
}

impl<M: Machine> Drive<'_, M> {
    /// Drives the machine to its end: its events.
    pub fn finish(&mut self) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        self.agenda.put(0, Due::Input(Input::Begin));
        for _ in 0..MOST_STEPS {
            let Some(due) = self.agenda.next() else {
                bail!("the ask hangs: nothing is under way, and it has not ended");
            };
            let inputs = match due {
                Due::Input(input) => vec![input],
                Due::Call(ticket, step) => self.models.step(ticket, step, &mut self.agenda)?,
            };
            for input in inputs {
                let reaction = self.machine.handle(input, self.agenda.now());
                let stops = |event: &Event| Some(event.name) == self.stopped_behind;
                if reaction.events.iter().any(stops) {
                    self.stopped_behind = None;
                    self.agenda.put(0, Due::Input(Input::Stop));
                }
                events.extend(reaction.events);
                if reaction.ended {
                    return Ok(events);
                }
                for effect in reaction.effects {
                    self.begin(effect)?;
                }
            }
        }
        bail!("the ask does not end");
    }

    fn begin(&mut self, effect: Effect) -> Result<()> {
        match effect {
            Effect::CallModel { ticket, request, lost_tries } => {
                let retries = Retries { lost_tries, ..Retries::default() };
                self.models.begin(ticket, *request, retries, &mut self.agenda);
            }
            Effect::RunTool { ticket, errand } => {
                let outcome = self.run(errand)?;
                self.agenda.put(ERRAND_MS, Due::Input(Input::ToolDone { ticket, outcome }));
            }
        }
        Ok(())
    }

    fn run(&mut self, errand: Errand) -> Result<Outcome> {
        let now = self.agenda.now();
        match errand {
            Errand::Search { query, limit, timeout_ms, load_content, domains, .. } => {
                let query = Query::new(&query, limit).map(|query| query.within(domains));
                self.web.search(query, timeout_ms, load_content, now)
            }
            Errand::ReadPage { url, .. } => self.web.read(&url, now),
            // No scenario has documents; whoever names them is told as where there is no database.
            Errand::SearchKnowledge(_) => Ok(Outcome::failed(
                FailureKind::Unavailable,
                "the documents cannot be searched now: there are none",
            )),
            Errand::RunProgram { code, timeout_ms } => {
                Ok(sandbox::program(&code, timeout_ms, now.0))
            }
        }
    }
}
