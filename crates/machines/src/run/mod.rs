//! The run machine: deep research as a tree of questions, searched for first and parted only when that does
//! not suffice, one branch after the other.
//!
//! Border: inputs in, events and effects out, as for every machine. Its inputs are what its journal holds, so
//! folding a journal gives its state, and a replay the same events. Source: the contract of runs and the
//! reference it rests on.

mod birth;
mod brief;
mod calls;
mod clockwork;
mod cut_off;
mod driven;
mod ends;
mod facts;
mod fork;
mod found;
mod gathered;
mod hearing;
mod input;
mod judgement;
mod learned;
mod needed;
mod paying;
pub mod policy;
mod queue;
mod replies;
pub mod report;
mod requests;
pub mod room;
mod rounds;
mod rules;
mod searching;
mod share;
mod snapshot;
mod steering;
mod too_late;
mod tree;
mod turn;
mod vectors;
mod visit;
mod writing;

pub use birth::{NotAsked, OtherRules, Owner, Whose};
pub use brief::{Brief, Models, Replaced};
pub use ends::Kept;
pub use gathered::{Away, Gathered};
pub use hearing::Hearing;
pub use input::{Effect, Purpose, Reuse, Reused, RunInput, RunReaction, Standing, What};
pub use searching::bounded;
pub use steering::{Branch, GoesOn, Refused, Resumption, held, is_to_be_aborted};
pub use tree::{AttemptCounters, Node, NodeId, Tree};

use crate::core::Ticket;
use calls::Calls;
use clockwork::Clockwork;
use ends::End;
use quarry_events::run::{CutShort, GuidanceReceived, RunStarted, RunStatus, StepFailed};
use quarry_types::{RunId, Timestamp};
use rounds::Round;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use turn::{Numbers, Turn};
use visit::{Step, Visit};
use writing::Writing;

/// A run. Serialised, it is its checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    brief: Brief,
    numbers: Numbers,
    clockwork: Clockwork,
    tree: Tree,
    round: Round,
    /// What this round has still to do; the last is the next.
    agenda: Vec<NodeId>,
    stage: Stage,
    gathered: Gathered,
    calls: Calls,
    /// What persons said.
    guidance: Vec<String>,
    /// How much of that was taken in: the last call's prompt has it, or it was said before the report was begun.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    guided: usize,
    cut_short: Option<CutShort>,
    /// The version of each policy under which it works.
    policies: BTreeMap<String, u32>,
    forked_from: Option<RunId>,
    /// The turn of a node that an end cut off, for whoever goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_off: Option<Box<Visit>>,
}

/// What a run is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Stage {
    /// A node has its turn.
    Visit(Visit),
    /// It is judged whether another round is worth it.
    Pass,
    /// The report is being written.
    Writing(Box<Writing>),
    /// It has ended.
    Over(Box<End>),
}

impl Run {
    /// A run that was asked for, with what it does first.
    #[must_use]
    pub fn new(brief: Brief, now: Timestamp) -> (Self, RunReaction) {
        let mut run = Run {
            tree: Tree::new(&brief.task),
            numbers: Numbers::default(),
            clockwork: Clockwork::new(now),
            round: Round::default(),
            agenda: Vec::new(),
            stage: Stage::Pass,
            gathered: Gathered::of(&brief),
            calls: Calls::default(),
            guidance: Vec::new(),
            guided: 0,
            cut_short: None,
            policies: brief.policies.clone(),
            forked_from: None,
            cut_off: None,
            brief,
        };
        let reaction = run.in_turn(now, |run, turn| {
            let told = RunStarted {
                task: run.brief.task.clone(),
                model: run.brief.models.name(),
                language_model: run.brief.models.has_language_model(),
                root_node_id: NodeId::ROOT.to_string(),
                config: run.brief.knobs.clone(),
                policies: run.policies.clone(),
            };
            turn.tell(&told);
            run.tell_replaced(&run.brief.replaced.clone(), turn);
            run.tell_long_task(turn);
            if let Some(text) = run.brief.guidance.clone() {
                run.guide(text, turn);
            }
            run.begin_round(turn);
        });
        (run, reaction)
    }

    /// Takes an input in. One that does not belong to where the run stands changes nothing.
    pub fn handle(&mut self, input: RunInput, now: Timestamp) -> RunReaction {
        let before = self.clockwork.updated;
        self.in_turn(now, |run, turn| match input {
            RunInput::Asked { .. } => {}
            RunInput::Begun { effects } => {
                let tickets: Vec<_> = effects.iter().map(|effect| effect.ticket).collect();
                run.on_begun(&tickets, turn);
            }
            RunInput::Words { ticket, text } => run.on_words(ticket, &text, turn),
            RunInput::Model { ticket, result } => run.on_model(ticket, result, turn),
            RunInput::Tool { ticket, outcome, reused } => {
                run.on_tool(ticket, (outcome, reused.map(|reused| *reused)), turn);
            }
            RunInput::Guidance { text } if !run.has_ended() => run.guide(text, turn),
            RunInput::Guidance { .. } => {}
            RunInput::Abort => run.abort(turn),
            RunInput::Resumed { by_request, knobs, named, budget, policies, paid_by_caller } => {
                run.policies = policies.unwrap_or_else(|| std::mem::take(&mut run.policies));
                run.brief.paid_by_caller =
                    paid_by_caller.unwrap_or_else(|| std::mem::take(&mut run.brief.paid_by_caller));
                run.resume(by_request, (knobs.map(|knobs| *knobs), named), budget, turn);
            }
            RunInput::Forked { from, task, knobs, models, policies, replaced, operator_keys } => {
                run.brief.replaced = replaced;
                run.brief.operator_keys = operator_keys.unwrap_or(run.brief.operator_keys);
                run.policies = policies.unwrap_or_else(|| std::mem::take(&mut run.policies));
                run.fork(from, task, *knobs, models.map(|models| *models), turn);
            }
            RunInput::PolicyChanged { policies } => run.wait_for_policies(&policies, before, turn),
            RunInput::Unreadable { .. } if run.has_ended() => {}
            RunInput::Unreadable { message } => {
                let fallback = "it is left out".to_owned();
                let step = "what was left for the run".to_owned();
                turn.tell(&StepFailed { step, message, attempts: 1, fallback });
            }
            RunInput::TakenUp { driven_until } => {
                run.taken_up(driven_until.map_or(before, |until| until.max(before)), turn);
            }
            RunInput::Clock => run.look_at_clock(turn),
        })
    }

    fn in_turn(&mut self, now: Timestamp, act: impl FnOnce(&mut Self, &mut Turn)) -> RunReaction {
        self.clockwork.updated = now;
        let mut turn = Turn::new(
            now,
            self.brief.id,
            self.round.number,
            self.numbers,
            self.brief.checkpoints(),
        );
        turn.hides_ends(self.is_shared());
        act(self, &mut turn);
        while turn.takes_next() {
            self.take_next(&mut turn);
        }
        let (numbers, mut reaction) = turn.end();
        self.numbers = numbers;
        reaction.nodes = self.tree.take_touched();
        reaction
    }

    /// Whether what it is told is what its origin was told, whose ends are none of its own.
    fn is_shared(&self) -> bool {
        self.brief.origin != self.forked_from
    }

    /// Tells which models others stand in for; the report names them, too.
    fn tell_replaced(&mut self, replaced: &[Replaced], turn: &mut Turn) {
        for Replaced { requested, instead, reason } in replaced {
            let told = StepFailed {
                step: format!("asking {requested}"),
                message: reason.clone(),
                attempts: 0,
                fallback: instead.clone(),
            };
            turn.tell(&told);
            let what = format!("{instead} stands in for {requested}: {reason}");
            self.gathered.note_failure(what, self.away(None));
        }
    }

    /// Who counts as away; none: nobody.
    const fn away<'a>(&self, who: Option<&'a str>) -> Away<'a> {
        match who {
            _ if !self.brief.is_since(6) => Away::AsOften,
            Some(who) => Away::Provider(who),
            None => Away::Nobody,
        }
    }

    fn guide(&mut self, text: String, turn: &mut Turn) {
        turn.tell(&GuidanceReceived { text: text.clone() });
        self.guidance.push(text);
        // Read with that in mind, a page may say what it did not before.
        self.tree.forget_read();
        self.needs_anew(turn);
    }

    /// What is to be begun, once the journal says so.
    #[must_use]
    pub fn due(&self) -> Vec<Effect> {
        self.calls.due(self.brief.knobs.parallel_queries)
    }

    /// Whether anything is under way; with a new driver it is lost.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.calls.has_begun()
    }

    /// Whether something with this ticket is under way.
    #[must_use]
    pub fn is_under_way(&self, ticket: Ticket) -> bool {
        self.calls.purpose(ticket).is_some()
    }

    /// What it was asked for.
    #[must_use]
    pub const fn brief(&self) -> &Brief {
        &self.brief
    }

    /// The number of its last event.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.numbers.events
    }

    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where it stands.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        match &self.stage {
            Stage::Over(end) => end.status(),
            Stage::Visit(_) | Stage::Pass | Stage::Writing(_) => match self.clockwork.waiting() {
                Some(_) => RunStatus::Queued,
                None => RunStatus::Running,
            },
        }
    }

    /// Whether nothing more happens unless it is resumed.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Where it stands, for whoever drives it.
    #[must_use]
    pub fn standing_now(&self) -> Standing {
        let waiting = self.clockwork.waiting().cloned();
        let wake_at = match (&waiting, self.has_ended()) {
            (_, true) => None,
            (Some(waiting), false) => waiting.until.map(|until| until.0),
            (None, false) => Some(self.deadline()),
        };
        Standing { status: self.status(), waiting, wake_at }
    }
}
