//! Researches with a run behind them: begun, looked at, ended, joined again, read.
//!
//! Border: orders in, voices out. A run that broke off for its reader goes on, so there is no failure in that.

use std::time::Duration;

use quarry_events::run::EventName;
use quarry_types::Timestamp;

use super::address::Part;
use super::fold::Fold;
use super::reply::{self, Scope};
use super::tasks::Task;
use super::voice::{Call, Voice, Wants};
use crate::door::{Told, Voice as AnyVoice};
use crate::responses::EarlierRun;
use crate::talk::{Deep, OfRun, RUN_PREFIX, standing};
use crate::{Event, Headers, Refusal, Reply};

/// What is to be done with a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ForRun {
    /// What.
    pub what: What,
    pub(super) call: Call,
}

/// What is to be done with a run. Ids are the run's own.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Begin it and tell of it.
    Begin(Box<Deep>),
    /// Tell of the one with this id.
    Look(String),
    /// End it early and tell of it.
    Stop(String),
    /// Tell of it again from its beginning.
    Join(String),
    /// Read a part of it.
    Read(String, PartOf),
}

/// Which part of a run is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartOf(pub(super) Part);

impl ForRun {
    /// Whether it is answered with a task.
    #[must_use]
    pub const fn is_task(&self) -> bool {
        matches!(self.call.wants, Wants::Task)
    }

    /// Whether the run ends when whoever began it closes the stream before its end: in the new era that says so.
    #[must_use]
    pub fn ends_when_left(&self) -> bool {
        self.call.version.is_modern() && matches!(self.what, What::Begin(_)) && !self.is_task()
    }

    /// How it is answered, with the run's id.
    #[must_use]
    pub fn voice(&self, run: &str) -> Box<dyn AnyVoice<EventName>> {
        let mut voice = Voice::new(self.call.clone());
        AnyVoice::begin(&mut voice, &format!("{RUN_PREFIX}{run}"));
        Box::new(OfRunVoice { run: OfRun::default(), voice })
    }

    /// The answer to the call whose result is had by this task.
    #[must_use]
    pub fn created(&self, task: Task) -> Reply {
        super::created(self.call.id.as_ref(), task)
    }

    /// A part of it, as far as it has come.
    #[must_use]
    pub fn read(&self, run: &str, part: PartOf, earlier: EarlierRun) -> Reply {
        let Call { version, id, wants } = &self.call;
        let (Wants::Resource(uri), Some(id)) = (wants, id) else { return reply::accepted() };
        let PartOf(part) = part;
        let text = match part {
            Part::Events => lines(&earlier.events),
            Part::Document => folded(run, now(earlier)).markdown(),
            Part::Sources => folded(run, now(earlier)).sources(),
        };
        let contents = reply::contents(uri, part.kind(), &text);
        reply::result(id, *version, reply::kept(*version, Scope::Private, contents))
    }
}

/// Its events without ends that somebody has gone on from: how it stands now.
#[must_use]
pub fn now(mut earlier: EarlierRun) -> EarlierRun {
    standing(&mut earlier.events);
    earlier
}

/// Whether it waits, and tells that last. One that somebody ends meanwhile tells its end in a moment.
#[must_use]
pub fn waits(earlier: &EarlierRun) -> bool {
    earlier.events.last().is_some_and(|event| event.name == EventName::RunWaiting)
}

/// A run as far as it has come.
pub(super) fn folded(run: &str, earlier: EarlierRun) -> Fold {
    let (mut fold, mut of_run) = (Fold::default(), OfRun::default());
    fold.begin(&format!("{RUN_PREFIX}{run}"));
    for event in &earlier.events {
        drop(fold.step_of_run(&mut of_run, event));
    }
    fold
}

/// The events, one a line. None of them has a prompt in it.
fn lines(events: &[Event<EventName>]) -> String {
    let mut text = String::new();
    for Event { sequence, name, data } in events {
        let id = sequence.unwrap_or_default();
        text.push_str(&format!(
            "{{\"id\":{id},\"event\":\"{}\",\"data\":{data}}}\n",
            name.as_str()
        ));
    }
    text
}

/// How a message about a run is answered.
struct OfRunVoice {
    run: OfRun,
    voice: Voice,
}

impl AnyVoice<EventName> for OfRunVoice {
    fn streams(&self) -> bool {
        AnyVoice::streams(&self.voice)
    }

    fn patience(&self, now: Timestamp) -> Option<Duration> {
        AnyVoice::patience(&self.voice, now)
    }

    fn head(&self) -> Headers {
        AnyVoice::head(&self.voice)
    }

    fn tell(&mut self, events: Vec<Event<EventName>>) -> Told {
        let OfRunVoice { run, voice } = self;
        voice.tell_each(&events, |fold, event| fold.step_of_run(run, event))
    }

    fn silence(&self) -> Option<Duration> {
        AnyVoice::silence(&self.voice)
    }

    fn sign_of_life(&self) -> Vec<u8> {
        AnyVoice::sign_of_life(&self.voice)
    }

    fn late(&mut self) -> Vec<u8> {
        AnyVoice::late(&mut self.voice)
    }

    fn broke_off(&mut self, _: &Refusal, _: Timestamp) -> Vec<u8> {
        AnyVoice::late(&mut self.voice)
    }

    fn whole(&mut self, _: Option<&Refusal>) -> Reply {
        AnyVoice::whole(&mut self.voice, None)
    }

    fn refuse(&self, refusal: &Refusal, now: Timestamp) -> Reply {
        AnyVoice::refuse(&self.voice, refusal, now)
    }
}
