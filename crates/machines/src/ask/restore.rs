//! Going on where an ask was interrupted. Source: reference section 10.
//!
//! What was paid for is not paid for again: finished calls count in the accounts and are not
//! repeated. A call that was under way is made once more; what it used before stays on record.

use super::continuation::KeptResponse;
use super::convert;
use super::ending::Answer;
use super::form::{Forming, NO_WRITER};
use super::opening::show_plan;
use super::plan::Setup;
use super::research::Research;
use super::{Ask, AskConfig, AskParams, Brief, ContinuationState, Stage, StateError};
use crate::core::{Ledger, OpenCall, Round, Step, Turn, Used, usage};
use quarry_events::{
    At, FailureKind, Json, LlmResponse, RestoredKind, RestoredResponse, shown_cost,
};
use quarry_tools::{Domains, Sources};
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Where an ask begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Start {
    /// With the set-up.
    Fresh,
    /// With the plan.
    Planning {
        /// What was decided before.
        setup: Setup,
    },
    /// With research.
    Research {
        /// What was found before.
        research: Research,
        /// What the model wrote beside the calls of the round that was interrupted.
        text: String,
        /// These calls; those that are not answered are yet to run.
        open: Vec<OpenCall>,
    },
    /// With the answer.
    Answer {
        /// What was found before.
        research: Research,
    },
    /// With the check of an answer that is written.
    Answered {
        /// What was written before.
        answer: Box<Answer>,
    },
    /// With what does not fit of an answer's form.
    Misfit {
        /// What was written before, and what is wrong with it.
        forming: Box<Forming>,
    },
}

impl Start {
    pub(super) fn known(&self, query: &str) -> Cow<'_, Research> {
        match self {
            Start::Fresh => Cow::Owned(Research::unplanned(Setup::fallback(query))),
            Start::Planning { setup } => Cow::Owned(Research::unplanned(setup.clone())),
            Start::Research { research, .. } | Start::Answer { research } => {
                Cow::Borrowed(research)
            }
            Start::Answered { answer } => Cow::Borrowed(&answer.research),
            Start::Misfit { forming } => Cow::Borrowed(&forming.answer.research),
        }
    }

    /// Whether a client goes on with the answer: what it is given has none.
    pub(super) const fn is_answer_due(&self) -> bool {
        matches!(self, Start::Answer { .. } | Start::Answered { .. } | Start::Misfit { .. })
    }

    /// The start for another question: what was found serves it, an answer does not.
    fn for_another_question(self) -> Self {
        match self.for_another_wish() {
            Start::Answered { answer } => Start::Answer { research: answer.research },
            other @ (Start::Fresh
            | Start::Planning { .. }
            | Start::Research { .. }
            | Start::Answer { .. }
            | Start::Misfit { .. }) => other,
        }
    }

    /// The start where something else is wished of the same answer: its form is another one.
    fn for_another_wish(self) -> Self {
        match self {
            Start::Misfit { forming } => Start::Answered { answer: Box::new(forming.answer) },
            other => other,
        }
    }

    pub(super) fn open_calls(&self) -> (String, Vec<OpenCall>) {
        match self {
            Start::Research { text, open, .. } => (text.clone(), open.clone()),
            Start::Fresh
            | Start::Planning { .. }
            | Start::Answer { .. }
            | Start::Answered { .. }
            | Start::Misfit { .. } => Default::default(),
        }
    }
}

/// What an ask goes on from.
#[derive(Debug, Clone, PartialEq)]
pub enum Earlier {
    /// The machine itself, as Quarry kept it.
    Checkpoint(Box<Ask>),
    /// What its client was given and sent back.
    Client(Box<ContinuationState>),
}

impl Earlier {
    /// What a client sent back, one JSON text. Its signature is checked when a secret is given.
    ///
    /// # Errors
    /// [`StateError`] says what is wrong and what is wanted.
    pub fn from_client(text: &str, secret: Option<&str>) -> Result<Self, StateError> {
        let value = serde_json::from_str(text);
        let value = value.map_err(|error| StateError::NotJson(error.to_string()))?;
        Ok(Earlier::Client(Box::new(ContinuationState::read(&value, secret)?)))
    }

    /// The question; empty when nobody kept it.
    #[must_use]
    pub fn query(&self) -> &str {
        match self {
            Earlier::Checkpoint(ask) => ask.query(),
            Earlier::Client(state) => &state.query,
        }
    }

    /// Whether whoever goes on with it and asks this asks the same: nothing of its own, or its question, however the words
    /// are spaced.
    #[must_use]
    pub fn is_asked_by(&self, query: &str) -> bool {
        let mut own = query.split_whitespace().peekable();
        own.peek().is_none() || own.eq(self.query().split_whitespace())
    }

    /// The model that was asked for, `provider:name`; empty when nobody kept it.
    #[must_use]
    pub fn model(&self) -> String {
        match self {
            Earlier::Checkpoint(ask) => ask.model(),
            Earlier::Client(state) => state.model.clone(),
        }
    }

    /// What is searched by whoever goes on with its question and names this.
    pub(super) fn searched_by(&self, named: Sources) -> Sources {
        match self {
            Earlier::Checkpoint(ask) => named_or(named, ask.config.sources),
            Earlier::Client(_) => named,
        }
    }
}

/// The web alone is what is meant where nothing is said.
fn named_or(named: Sources, before: Sources) -> Sources {
    if named == AskConfig::default().sources { before } else { named }
}

impl AskParams {
    /// Whoever goes on wants what was wanted then, but for what is said anew.
    fn go_on_as(&mut self, brief: Brief, before: AskConfig) {
        let (config, own) = (&mut self.config, &mut self.own);
        // Rounds follow from an effort only where nobody said how many there may be.
        let rounds = match (own.max_iterations, brief.own.max_iterations) {
            (Some(_), _) => config.max_iterations,
            (None, Some(said)) => said,
            (None, None) if self.wish.effort.is_some() => config.max_iterations,
            (None, None) => before.max_iterations,
        };
        config.max_iterations = rounds;
        if self.wish.effort.is_none() {
            config.reasoning_effort = before.reasoning_effort;
        }
        // A model that cannot judge was not named to judge.
        let is_checked = before.verify_with_model && self.model.is_language_model;
        config.verify_with_model = own.verify_with_model.unwrap_or(is_checked);
        config.sources = named_or(config.sources, before.sources);
        config.collection = config.collection.take().or(before.collection);
        let budget = &mut config.budget;
        budget.usd = budget.usd.or(before.budget.usd);
        budget.tokens = budget.tokens.or(before.budget.tokens);
        if config.domains == Domains::default() {
            config.domains = before.domains;
        }
        config.max_tool_calls = config.max_tool_calls.or(before.max_tool_calls);
        own.max_iterations = own.max_iterations.or(brief.own.max_iterations);
        own.verify_with_model = own.verify_with_model.or(brief.own.verify_with_model);
        self.wish = std::mem::take(&mut self.wish).or(brief.wish);
    }
}

impl Ask {
    /// An ask that goes on from an earlier one.
    #[must_use]
    pub fn going_on(params: AskParams, earlier: Earlier, now: Timestamp) -> Self {
        match earlier {
            Earlier::Checkpoint(ask) => Ask::revive(params, *ask, now),
            Earlier::Client(state) => Ask::resume(params, *state, now),
        }
    }

    /// An ask that goes on where the machine of a checkpoint stood.
    #[must_use]
    pub fn revive(mut params: AskParams, checkpoint: Ask, now: Timestamp) -> Self {
        let mut earlier = checkpoint;
        earlier.calls.lose_all("interrupted while under way");
        let mut start = earlier.take_start();
        let Ask { brief, calls, config: earlier_config, .. } = earlier;
        let mut question = None;
        if params.query == brief.query {
            question = brief.question.clone();
            let wished = brief.wish.clone();
            params.go_on_as(brief, earlier_config);
            if params.wish != wished {
                start = start.for_another_wish();
            }
        } else {
            start = start.for_another_question();
        }
        let mut ask = Ask::starting(params, start, now).with_ledger(calls.ledger().clone());
        ask.brief.question = question;
        ask
    }

    /// Where an ask would go on that is interrupted here.
    pub(super) fn take_start(&mut self) -> Start {
        let (text, open) = self.open_calls();
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Ready(start) | Stage::Interrupted(start) => start,
            Stage::Setup | Stage::Ended => Start::Fresh,
            Stage::Planning { setup } => Start::Planning { setup },
            Stage::Researching(mut research) => {
                research.inquiry.interrupt();
                Start::Research { research, text, open }
            }
            Stage::Answering { research, .. } => Start::Answer { research },
            Stage::Checking(answer) => Start::Answered { answer },
            Stage::Forming(forming) if forming.is_repair => Start::Misfit { forming },
            Stage::Forming(forming) => Start::Answered { answer: Box::new(forming.answer) },
        }
    }

    /// An ask that goes on from what its client kept.
    #[must_use]
    pub fn resume(params: AskParams, state: ContinuationState, now: Timestamp) -> Self {
        let ledger = convert::ledger(&state, now);
        let mut ask = Ask::starting(params, Start::Fresh, now);
        ask.stage = Stage::Ready(ask.start_of(state, &ledger, now));
        ask.with_ledger(ledger)
    }

    fn with_ledger(mut self, ledger: Ledger) -> Self {
        self.calls = self.calls.with_ledger(ledger);
        self
    }

    fn start_of(&self, state: ContinuationState, ledger: &Ledger, now: Timestamp) -> Start {
        let query = &self.brief.query;
        let has_plan = state.has_plan();
        let of_plan = state.research_plan.as_ref().and_then(|plan| plan.setup.clone());
        let setup = state.setup_data.or(of_plan).map(|kept| kept.into_setup(query));
        let setup = match (setup, has_plan) {
            (None, false) => return Start::Fresh,
            (Some(setup), false) => return Start::Planning { setup },
            (setup, true) => setup.unwrap_or_else(|| Setup::fallback(query)),
        };
        let (partial, ended_early) = (state.partial, state.ended_early);
        let mut research = Research { partial, ended_early, ..Research::unplanned(setup) };
        if let Some(plan) = state.research_plan {
            research.plan = plan.into_plan(&research.setup);
        }
        research.inquiry = self.new_inquiry(&research, now);
        for (at, cycle) in state.tool_call_cycles.into_iter().enumerate() {
            let text = convert::text_of_iteration(ledger, at + 1);
            let calls = cycle.into_iter().map(|call| call.into_done()).collect();
            research.inquiry.restore_round(Round { text, calls }, &self.rules());
        }
        let mut open: Vec<OpenCall> =
            state.open_cycle.into_iter().map(|call| call.into_open()).collect();
        research.inquiry.restore_answered(&mut open);
        let sources = state.search_results.into_iter().map(Into::into).collect();
        research.inquiry.restore_sources(sources);
        if state.synthesis_due {
            return Start::Answer { research };
        }
        let text = convert::text_of_iteration(ledger, research.inquiry.rounds().len() + 1);
        Start::Research { research, text, open }
    }

    /// Shows what is already known again, then goes on.
    pub(super) fn go_on(&mut self, start: Start, turn: &mut Turn) {
        self.show_restored_tools(&start, turn);
        self.show_restored_calls(turn);
        if self.cannot_form() {
            self.fail(FailureKind::InvalidOutput, NO_WRITER, turn);
            return;
        }
        if self.brief.wish.is_direct && !matches!(start, Start::Misfit { .. }) {
            self.begin_direct(turn);
            return;
        }
        match start {
            Start::Fresh => self.begin_setup(turn),
            Start::Planning { setup } => {
                turn.log("Going on with the set-up made before");
                self.begin_planning(setup, turn);
            }
            Start::Research { research, text, open } => {
                show_restored_plan(&research, turn);
                if open.is_empty() {
                    self.begin_round(research, turn);
                } else {
                    self.run_round(research, &text, open, turn);
                }
            }
            Start::Answer { research } => {
                show_restored_plan(&research, turn);
                self.begin_answer(research, turn);
            }
            Start::Answered { answer } => {
                show_restored_plan(&answer.research, turn);
                self.check_again(*answer, turn);
            }
            Start::Misfit { forming } => {
                if !self.brief.wish.is_direct {
                    show_restored_plan(&forming.answer.research, turn);
                }
                self.form_again_later(*forming, turn);
            }
        }
    }

    fn show_restored_tools(&self, start: &Start, turn: &mut Turn) {
        let known = start.known(&self.brief.query);
        let (_, open) = start.open_calls();
        let answered = open.iter().filter_map(|call| match call {
            OpenCall::Answered(done) => Some(done),
            OpenCall::Open(_) => None,
        });
        let rounds = known.inquiry.rounds().iter().map(|round| round.calls.iter().collect());
        let rounds: Vec<Vec<_>> = rounds.chain([answered.collect()]).collect();
        let evidence = known.inquiry.evidence();
        for (at, calls) in rounds.into_iter().enumerate() {
            let iteration = u32::try_from(at + 1).unwrap_or(u32::MAX);
            for done in calls {
                let id = turn.call_id();
                let found = done.found_in(evidence);
                done.show(iteration, &id, found, true, turn);
            }
        }
    }

    fn show_restored_calls(&self, turn: &mut Turn) {
        for (at, step) in self.calls.ledger().steps().iter().enumerate() {
            turn.emit(&restored(at + 1, step));
        }
    }
}

fn show_restored_plan(research: &Research, turn: &mut Turn) {
    turn.log("Going on with the research plan made before");
    show_plan(&research.plan, turn);
}

fn restored(place: usize, step: &Step) -> LlmResponse {
    let (cost, cost_known) = shown_cost(step.cost);
    let response = KeptResponse { content: &step.text, usage: Used::from(&step.usage) };
    LlmResponse::Restored(RestoredResponse {
        kind: RestoredKind::ContinuationRestore,
        iteration: place,
        phase: step.phase.clone(),
        model: step.model.clone(),
        content: step.text.clone(),
        response: Json::of(&response),
        usage: usage(&step.usage),
        cost,
        cost_known,
        continued: true,
        timestamp: At(step.at),
    })
}
