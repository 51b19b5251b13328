//! One driver of a run: what happens to it, and what it does about it.

use crate::drive::Sim;
use crate::plan::Performed;
use crate::store::StepError;
use quarry_events::run::Event;
use quarry_journal::run::{Step, Waiting};
use quarry_journal::{Append, Leave, Slice, SliceCommand, Written};
use quarry_machines::run::{Effect, Run, RunInput, What};
use quarry_schema::run::Refusal;
use quarry_tools::Outcome;
use quarry_types::{ChatError, Timestamp};
use std::collections::BTreeMap;

#[allow(clippy::large_enum_variant, reason = "a handful at a time")]
enum Happening {
    Input(RunInput),
    Written(Written),
    Looked(Vec<Waiting>),
    Entered(bool),
    Reloaded(Run, u64),
}

/// A driver.
pub struct Live {
    pub holder: String,
    pub slice: Slice<Run>,
    happens: BTreeMap<(Timestamp, usize), Happening>,
    tried: Option<u64>,
    pub has_key: bool,
    pub since: Timestamp,
}

impl Live {
    pub fn new(holder: String, slice: Slice<Run>, has_key: bool, since: Timestamp) -> Self {
        Live { holder, slice, happens: BTreeMap::new(), tried: None, has_key, since }
    }

    /// When it has something to do.
    pub fn next(&self, now: Timestamp) -> Timestamp {
        let woken = self.slice.wake_at(now).max(Timestamp(now.0 + 1));
        self.happens.first_key_value().map_or(woken, |((at, _), _)| woken.min(*at))
    }
}

impl Sim {
    /// One turn of a driver: what happens next, and all that follows at once.
    pub fn turn(&mut self, live: &mut Live) -> Result<(), Option<Leave>> {
        while let Some(entry) = live.happens.first_entry() {
            if entry.key().0 > self.now {
                break;
            }
            match entry.remove() {
                Happening::Input(input) => live.slice.happened(input),
                Happening::Written(written) => live.slice.written(written, self.now),
                Happening::Looked(said) => {
                    let hears = |it: Waiting| {
                        let input = live.slice.machine().hears(it.body.as_deref(), self.now);
                        (it.id, input)
                    };
                    let said = said.into_iter().map(hears).collect();
                    live.slice.looked(Some(said), self.now);
                }
                Happening::Entered(is_room) => live.slice.entered(is_room, self.now),
                Happening::Reloaded(run, last) => {
                    live.slice.reloaded(Some((run, last)), self.now);
                }
            }
        }
        while let Some(command) = live.slice.poll(self.now) {
            match command {
                SliceCommand::Leave(left) => return Err(Some(left)),
                SliceCommand::Write(append) => self.write(append, live)?,
                SliceCommand::Begin(effects) => {
                    for effect in effects {
                        self.perform(&effect, live)?;
                    }
                }
                SliceCommand::Look => {
                    let said = self.store.inbox(self.id);
                    self.happens(live, 1, Happening::Looked(said));
                }
                SliceCommand::Renew(until) => {
                    let is_kept = self.store.take(self.id, &live.holder, self.now, until);
                    let renewed = if is_kept { Written::Yes } else { Written::Lost };
                    live.slice.renewed(renewed, self.now);
                }
                SliceCommand::Reload => {
                    self.point()?;
                    let (run, last) = self.store.load(self.id, u64::MAX);
                    self.happens(live, 1, Happening::Reloaded(run, last));
                }
                SliceCommand::Enter => {
                    let is_room = self.store.is_room(self.id, self.now, self.most_driven);
                    self.happens(live, 1, Happening::Entered(is_room));
                }
            }
        }
        Ok(())
    }

    fn happens(&mut self, live: &mut Live, after_ms: u64, what: Happening) {
        self.happenings += 1;
        live.happens.insert((Timestamp(self.now.0 + after_ms), self.happenings), what);
    }

    /// A driver may die here.
    fn point(&mut self) -> Result<(), Option<Leave>> {
        self.points += 1;
        if let Some(input) = self.plan.says.remove(&self.points) {
            let is_heard = self.say(&input);
            let n = self.store.position(self.id).n;
            self.heard.extend(is_heard.then_some((input, n)));
        }
        if let Some(wish) = self.plan.wishes.remove(&self.points)
            && self.leaves(&wish)
        {
            self.promised.push(wish);
        }
        if self.plan.kills.contains(&self.points) { Err(None) } else { Ok(()) }
    }

    fn write(
        &mut self,
        append: Append<RunInput, Event>,
        live: &mut Live,
    ) -> Result<(), Option<Leave>> {
        self.point()?;
        let again = live.tried.replace(append.n) == Some(append.n);
        let holder = live.holder.clone();
        let step = live.slice.machine().step(self.id, holder, append, self.now);
        let kept = step.checkpoint.is_some().then(|| serde_json::to_string(live.slice.machine()));
        let last = step.last();
        let written = match self.plan.locks(self.points) {
            true => Written::Failed,
            false => self.written(step, again),
        };
        if let (Written::Yes, Some(state)) = (written, kept) {
            self.kept.push((self.id, last, state.unwrap()));
        }
        self.point()?;
        self.happens(live, 1, Happening::Written(written));
        Ok(())
    }

    /// What a driver is told of a step that it writes, or tries to write again.
    fn written(&mut self, step: Step, again: bool) -> Written {
        match self.store.step(step.clone()) {
            Ok(()) if self.plan.lies(self.points) => Written::Failed,
            Ok(()) => Written::Yes,
            Err(StepError::Refused(_)) if again && step.is_in(&self.store.position(self.id)) => {
                Written::Yes
            }
            Err(StepError::Refused(Refusal::Lost)) => Written::Lost,
            Err(StepError::Refused(Refusal::Unheard)) => Written::Unheard,
            Err(StepError::Full(words)) => {
                self.fulls.push(words);
                Written::Failed
            }
        }
    }

    fn perform(&mut self, effect: &Effect, live: &mut Live) -> Result<(), Option<Leave>> {
        self.point()?;
        let Effect { ticket, id, attempt, timeout_ms, what, reuse } = effect;
        let found = reuse.as_ref().and_then(|reuse| self.store.searched(self.id, reuse, self.now));
        let found = found.and_then(|found| RunInput::found_again(*ticket, found));
        let (ticket, is_model) = (*ticket, matches!(what, What::Model { .. }));
        assert!(*timeout_ms > 0, "{id} is given no time");
        if let Some(found) = found {
            self.happens(live, 5, Happening::Input(found));
            return self.point();
        }
        let takes = if is_model { self.model_ms } else { (self.errand_ms)(id) };
        let input = match what {
            What::Errand(errand) => {
                let mut outcome = self.web.run(errand, self.now);
                if let Outcome::Passages(found) = &mut outcome {
                    found.spent.take_if(|_| self.by_words);
                }
                RunInput::Tool { ticket, outcome, reused: None }
            }
            What::Model { request, .. } => {
                let brief = live.slice.machine().brief();
                let result = if brief.is_paid_by_caller(&request.model.to_string()) && !live.has_key
                {
                    Err(ChatError::MissingKey { message: "the caller's key is gone".to_owned() })
                } else {
                    let (parts, result) = self.script.said((id, *attempt), request);
                    for (text, after) in parts.into_iter().zip((300..).step_by(300)) {
                        let words = RunInput::Words { ticket, text };
                        self.happens(live, after, Happening::Input(words));
                    }
                    result
                };
                RunInput::Model { ticket, result }
            }
        };
        let (id, attempt, at, point) = (id.clone(), *attempt, self.now, self.points);
        let holder = live.holder.clone();
        self.performed.push(Performed { id, attempt, is_model, holder, at, point });
        self.point()?;
        self.happens(live, takes, Happening::Input(input));
        Ok(())
    }
}
