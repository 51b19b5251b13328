//! What comes from outside a run's plan: failures, waits, its time, its abortion, its resumption; and its ends.

use super::calls::{self, Ended, NotAgain};
use super::input::{Purpose, Reused, What};
use super::policy::retry::{self, Key, Spent};
use super::report::Report;
use super::turn::Turn;
use super::visit::next_model;
use super::{Run, Stage, Step, Visit, vectors};
use crate::core::{Budget, Ticket};
use quarry_events::run::{
    CutShort, NodeState, ResolutionReason, RunAborted, RunFailed, RunResumed, RunStatus,
    RunWaiting, StepFailed, WaitingFor,
};
use quarry_tools::{FailureKind, Outcome};
use quarry_types::{ChatError, ChatRequest, Completion, Knobs, OnTimeout, Timestamp};
use serde::{Deserialize, Serialize};

/// Why an effect is not begun a third time.
const LOST_TWICE: &str =
    "it was begun twice, and each time its instance died or could not store what came of it";

/// The same of one that failed first, and was then lost.
fn lost_after(first: &str) -> String {
    format!(
        "it was begun twice: the first time {first}; the second time its instance died or could not store what came \
         of it"
    )
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// With a report.
    Completed {
        /// The report, as it will always read.
        report: Kept,
    },
    /// Without one.
    Failed {
        /// Why.
        message: String,
    },
    /// Somebody ended it.
    Aborted,
}

/// A report in its three forms. It is kept and not made anew: a newer server would write another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// In Markdown.
    pub markdown: String,
    /// As an HTML page.
    pub html: String,
    /// For machines, one JSON object.
    pub json: String,
}

impl From<Report> for Kept {
    fn from(report: Report) -> Self {
        let json = serde_json::to_string(&report.companion).unwrap_or_else(|_| "{}".to_owned());
        Kept { markdown: report.markdown, html: report.html, json }
    }
}

impl End {
    /// In a word.
    #[must_use]
    pub const fn status(&self) -> RunStatus {
        match self {
            End::Completed { .. } => RunStatus::Completed,
            End::Failed { .. } => RunStatus::Failed,
            End::Aborted => RunStatus::Aborted,
        }
    }
}

impl Run {
    /// When research, or the report, has to be over.
    pub(super) fn deadline(&self) -> Timestamp {
        let most_ms = self.brief.knobs.timeouts.run.saturating_mul(1_000);
        self.clockwork.deadline(most_ms, matches!(self.stage, Stage::Writing(_)))
    }

    /// Whether the time for research is over.
    pub(super) fn is_time_over(&self, now: Timestamp) -> bool {
        self.worked_ms(now) >= self.brief.knobs.timeouts.run.saturating_mul(1_000)
    }

    /// Milliseconds that the run worked.
    #[must_use]
    pub fn worked_ms(&self, now: Timestamp) -> u64 {
        self.clockwork.elapsed(now)
    }

    /// Takes in how a model call ended.
    pub(super) fn on_model(
        &mut self,
        ticket: Ticket,
        result: Result<Completion, ChatError>,
        turn: &mut Turn,
    ) {
        let Some(ended) = self.calls.settle(&self.brief, ticket, &result, turn) else { return };
        match result {
            Ok(completion) => self.on_replied(&ended, &completion.text, turn),
            Err(error) => self.on_failure(ended, ticket, &error, turn),
        }
    }

    /// Takes in a reply; none: rules answer.
    pub(super) fn on_reply(&mut self, purpose: Purpose, reply: Option<&str>, turn: &mut Turn) {
        match purpose {
            Purpose::Queries(node) => self.on_queries(node, reply, turn),
            Purpose::Findings(node) => self.on_findings(node, reply, turn),
            Purpose::Judgement(node) => self.on_judgement(node, reply, turn),
            Purpose::Parts(node) => self.on_parts(node, reply, turn),
            Purpose::Pass(_) => self.on_pass(reply, turn),
            Purpose::Report => self.on_written(reply, turn),
            Purpose::Query(..) => {}
        }
    }

    /// A call failed for good: the next model of its list is asked, or the run waits, or rules answer.
    fn on_failure(&mut self, ended: Ended, ticket: Ticket, error: &ChatError, turn: &mut Turn) {
        let What::Model { role, request } = &ended.what else { return };
        let (role, model) = (*role, request.model.to_string());
        if self.writes_again(&ended, error, turn) {
            let attempts = if self.brief.is_since(8) { ended.attempts + 1 } else { 1 };
            return self.ask_as(attempts, (role, ended.purpose), ended.choice, turn);
        }
        if self.calls_again(&ended, error) {
            self.tell_again(&ended, &model, error, turn);
            let without_room = self.calls.call_again(&self.brief, ended, ticket, turn.now);
            return without_room.into_iter().for_each(|ended| self.go_on_without(ended, turn));
        }
        let later = next_model(self.brief.models.of(role), ended.choice + 1);
        let key = self.key_of(request);
        let limits = if later.is_none() { self.calls.note_limit(&self.brief, error) } else { 0 };
        if later.is_none()
            && let Some(waiting) = retry::after_call(error, key, limits, turn.now)
        {
            self.calls.hold(ended, ticket, turn.now);
            return self.wait(waiting, turn.now, turn);
        }
        self.falls_back(&ended, (&error.to_string(), error.is_retryable()), turn);
    }

    /// Whether a call that may have been paid for is made once more, which is this run's to say: whoever makes it
    /// tries again what nobody bills for, and nothing else.
    fn calls_again(&self, ended: &Ended, error: &ChatError) -> bool {
        let most = calls::MOST_ATTEMPTS.min(self.brief.knobs.retry_policy.attempts);
        self.brief.is_since(2)
            && error.may_have_cost()
            && error.is_retryable()
            && ended.attempts < most
            && !self.is_written_again()
    }

    /// Tells that a call failed and is made once more.
    pub(super) fn tell_again(
        &self,
        ended: &Ended,
        model: &str,
        error: &ChatError,
        turn: &mut Turn,
    ) {
        let told = StepFailed {
            step: ended.purpose.to_string(),
            message: error.to_string(),
            attempts: ended.attempts,
            fallback: format!("{model} is asked again"),
        };
        turn.emit(self.brief.node_of(ended.purpose), &told);
    }

    /// Who pays for a call.
    fn key_of(&self, request: &ChatRequest) -> Key {
        let is_theirs = self.brief.is_paid_by_caller(&request.model.to_string());
        let is_sent = self.brief.key_provider() == Some(request.model.provider);
        match (is_theirs, is_sent) {
            (true, _) => Key::Callers,
            (false, true) => Key::Operators,
            (false, false) => Key::OperatorsAlone(request.model.provider),
        }
    }

    /// Waits for this, and has stood still since then.
    pub(super) fn wait(&mut self, waiting: WaitingFor, since: Timestamp, turn: &mut Turn) {
        turn.goes_on(false);
        turn.checkpoint();
        turn.tell(&RunWaiting { waiting: waiting.clone() });
        self.clockwork.wait(waiting, since);
    }

    /// Goes on without a call that the budget has no room for, or waits for more.
    pub(super) fn go_on_without(&mut self, ended: Ended, turn: &mut Turn) {
        if ended.purpose == Purpose::Report {
            let told = StepFailed {
                step: ended.purpose.to_string(),
                message: "the budget has no room for it".to_owned(),
                attempts: 0,
                fallback: "rules".to_owned(),
            };
            turn.tell(&told);
            self.gathered.fallbacks += 1;
            return self.on_written(None, turn);
        }
        match retry::after_budget(self.gathered.verified(), self.brief.knobs.on_timeout) {
            Spent::Report => self.cut_short(CutShort::Budget, turn),
            Spent::Wait => self.wait_for_budget(ended, turn),
        }
    }

    /// Takes in what an errand brought.
    pub(super) fn on_tool(
        &mut self,
        ticket: Ticket,
        (outcome, reused): (Outcome, Option<Reused>),
        turn: &mut Turn,
    ) {
        let Some(ended) = self.calls.end(&self.brief, ticket, &outcome, turn) else { return };
        self.calls.paid_by_tool((&self.brief, ended.purpose), &outcome, turn);
        let Purpose::Query(node, at) = ended.purpose else { return };
        let stage = std::mem::replace(&mut self.stage, Stage::Pass);
        let Stage::Visit(Visit { step: Step::Search(mut search), .. }) = stage else {
            self.stage = stage;
            return;
        };
        if reused.is_none() {
            self.share(&ended.what, &search, &outcome, turn);
        }
        let waiting = self.searched(node, &mut search, (at, outcome, reused), turn);
        self.go_on_behind(node, search, waiting, turn);
    }

    /// What was under way is lost with the instance that drove the run.
    pub(super) fn taken_up(&mut self, since: Timestamp, turn: &mut Turn) {
        if self.has_ended() || self.clockwork.waiting().is_some() {
            return;
        }
        // While nobody drove it, its time stood still.
        self.clockwork.stood_still(turn.now.since(since));
        let (failed, without_room) = self.calls.begin_lost(&self.brief);
        for (ticket, why) in failed {
            let failed = match why {
                NotAgain::Call { first } => {
                    let first = first.filter(|_| self.brief.is_since(3));
                    let message = first.map_or_else(|| LOST_TWICE.to_owned(), |it| lost_after(&it));
                    self.on_model(ticket, Err(ChatError::Other { message }), turn);
                    continue;
                }
                NotAgain::Errand => Outcome::failed(FailureKind::Failed, LOST_TWICE),
                NotAgain::NoRoom => vectors::without_room(),
            };
            self.on_tool(ticket, (failed, None), turn);
        }
        without_room.into_iter().for_each(|ended| self.go_on_without(ended, turn));
    }

    /// Time has passed: it may be over, or a wait.
    pub(super) fn look_at_clock(&mut self, turn: &mut Turn) {
        if self.has_ended() {
            return;
        }
        if let Some(waiting) = self.clockwork.waiting() {
            if waiting.until.is_some_and(|until| until.0 <= turn.now) {
                self.go_on_telling(&RunResumed::default(), turn);
                self.go_on_with_held(turn);
            }
            return;
        }
        if turn.now < self.deadline() {
            return;
        }
        match (&self.stage, self.brief.knobs.on_timeout) {
            (Stage::Writing(_), _) => {
                self.calls.abandon(&self.brief, "the report's time was over");
                self.gathered.fallbacks += 1;
                self.on_written(None, turn);
            }
            (_, OnTimeout::Partial) => self.cut_short(CutShort::Timeout, turn),
            (_, OnTimeout::Fail) => self.fail("the run's time was over", turn),
        }
    }

    fn fail(&mut self, message: &str, turn: &mut Turn) {
        self.calls.abandon(&self.brief, message);
        self.close_open(ResolutionReason::Timeout, message, turn);
        self.clockwork.end(turn.now);
        let told = RunFailed {
            status: RunStatus::Failed,
            message: message.to_owned(),
            summary_metrics: self.metrics(turn.now),
        };
        self.stage = Stage::Over(Box::new(End::Failed { message: message.to_owned() }));
        turn.checkpoint();
        turn.tell(&told);
    }

    /// A person ends it: what is under way is let go of.
    pub(super) fn abort(&mut self, turn: &mut Turn) {
        if self.has_ended() {
            return;
        }
        let message = "the run was aborted";
        self.calls.abandon(&self.brief, message);
        self.close_open(ResolutionReason::Aborted, message, turn);
        self.clockwork.end(turn.now);
        let told =
            RunAborted { status: RunStatus::Aborted, summary_metrics: self.metrics(turn.now) };
        self.stage = Stage::Over(Box::new(End::Aborted));
        turn.checkpoint();
        turn.tell(&told);
    }

    /// Goes on after a wait, a failure or an abortion.
    pub(super) fn resume(
        &mut self,
        by_request: bool,
        (knobs, named): (Option<Knobs>, Option<String>),
        budget: Option<Budget>,
        turn: &mut Turn,
    ) {
        if matches!(&self.stage, Stage::Over(end) if end.status() == RunStatus::Completed) {
            return;
        }
        // Another wish may have been heard before this one, which has the bounds of before it: they would shrink.
        let goes_on = !self.has_ended() && self.clockwork.waiting().is_none();
        let (knobs, budget) = match (self.brief.is_since(4), goes_on && self.brief.is_since(3)) {
            (true, _) => (
                knobs.map(|knobs| self.grown_to(knobs, named)),
                budget.map(|budget| self.brief.budget.at_least(budget)),
            ),
            (false, true) => return,
            (false, false) => (knobs, budget),
        };
        if by_request {
            self.calls.forget_limits();
        }
        let lacks_only_its_report = self.lacks_only_its_report();
        let before = (self.brief.knobs.clone(), self.brief.budget);
        let has_other_knobs = knobs.is_some_and(|knobs| self.set_knobs(knobs));
        if let Some(budget) = budget {
            self.set_budget(budget);
        }
        let is_told = self.brief.is_since(6) && has_other_knobs;
        let config = is_told.then(|| self.brief.knobs.clone());
        let told = RunResumed { by_request, config, ..RunResumed::default() };
        if self.clockwork.waiting().is_some() {
            self.go_on_telling(&told, turn);
            self.tell_too_late(&before, turn);
            return self.go_on_with_held(turn);
        }
        if !self.has_ended() {
            return self.tell_too_late(&before, turn);
        }
        self.go_on_telling(&told, turn);
        self.go_on_in_time(lacks_only_its_report, turn);
    }

    /// Its knobs with those that a wish named, each bound the larger of both: the others may be of before another wish.
    fn grown_to(&self, knobs: Knobs, named: Option<String>) -> Knobs {
        let named = named.or_else(|| serde_json::to_string(&knobs).ok()).unwrap_or_default();
        self.brief.knobs.at_least(&named).unwrap_or(knobs)
    }

    /// Of a round that is over some may have been left out for want of money.
    fn set_budget(&mut self, budget: Budget) {
        let is_larger = budget != std::mem::replace(&mut self.brief.budget, budget);
        let is_over = self.has_ended() && self.agenda.is_empty() && self.cut_off.is_none();
        if is_larger && is_over {
            self.note_larger_bounds();
        }
    }

    /// Whether they are others than it had.
    pub(super) fn set_knobs(&mut self, knobs: Knobs) -> bool {
        let before = std::mem::replace(&mut self.brief.knobs, knobs);
        let are_others = self.brief.knobs != before;
        // What could not be worth another round may be with other bounds, and what did not suffice may.
        if are_others {
            self.round.is_judged = false;
            self.look_anew(&before);
        }
        self.bound_search();
        are_others
    }

    /// What is looked at anew with other knobs. What was read is not: none of them decides what a model sees of a page.
    fn look_anew(&mut self, before: &Knobs) {
        if !self.brief.is_since(10) {
            return self.tree.forget_read();
        }
        if self.brief.knobs.is_wider_than(before) {
            self.note_larger_bounds();
        }
        if self.brief.knobs.sufficiency_threshold != before.sufficiency_threshold {
            self.tree.forget_verdicts();
        }
    }

    pub(super) fn go_on_with_what_is_open(&mut self, turn: &mut Turn) {
        self.reopen();
        self.cut_short = None;
        self.stage = Stage::Pass;
        // What the round had still to look at again is open, too.
        let left = std::mem::take(&mut self.agenda).into_iter().collect();
        self.agenda = self.tree.pending(&left).into_iter().rev().collect();
        if self.go_on_with_cut_off(turn) {
            return;
        }
        match (self.agenda.is_empty(), self.round.is_judged && !self.has_reason()) {
            (false, _) => self.next(turn),
            (true, false) => self.pass(turn),
            (true, true) => self.write(turn),
        }
    }

    /// What an end cut off is to be worked on again. Nothing else is touched: what is, is written anew.
    pub(super) fn reopen(&mut self) {
        let is_cut_off = |reason: Option<ResolutionReason>| {
            matches!(
                reason,
                Some(
                    ResolutionReason::Aborted
                        | ResolutionReason::Timeout
                        | ResolutionReason::Budget
                )
            )
        };
        let nodes = self.tree.nodes().iter();
        let cut_off = nodes.filter(|node| is_cut_off(node.resolution_reason)).map(|node| node.id);
        for id in cut_off.collect::<Vec<_>>() {
            if let Some(node) = self.tree.get_mut(id) {
                (node.state, node.resolution_reason) = (NodeState::Pending, None);
            }
        }
    }

    fn go_on_telling(&mut self, told: &RunResumed, turn: &mut Turn) {
        self.clockwork.go_on(turn.now);
        self.tell_resumed(told, turn);
    }

    /// Begins again what was held while the run waited.
    fn go_on_with_held(&mut self, turn: &mut Turn) {
        let has_news = self.brief.is_since(8) && self.guidance.len() > self.guided;
        let anew = if has_news { self.calls.take_held_calls() } else { Vec::new() };
        let (unsent, without_room) = self.calls.release_held(&self.brief);
        for ticket in unsent {
            self.on_tool(ticket, (vectors::without_room(), None), turn);
        }
        without_room.into_iter().for_each(|ended| self.go_on_without(ended, turn));
        for (call, choice, attempt) in anew {
            self.ask_as(attempt, call, choice, turn);
        }
        self.search_again(turn);
    }

    /// Searches on where nothing is under way because a provider was down.
    pub(super) fn search_again(&mut self, turn: &mut Turn) {
        let stage = std::mem::replace(&mut self.stage, Stage::Pass);
        match stage {
            Stage::Visit(Visit { node, step: Step::Search(search) }) if !search.is_under_way() => {
                self.go_on_searching(node, search, turn);
            }
            other => self.stage = other,
        }
    }
}
