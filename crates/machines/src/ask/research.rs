//! The research of an ask: an inquiry with a set-up and a plan before it.

use super::plan::{Plan, Setup, numbered};
use super::{Ask, Phase, Stage, question};
use crate::core::{
    Beside, Inquiry, Next, OpenCall, Rules, Settled, Ticket, Turn, Why, request_estimate,
};
use quarry_events::EndedEarly;
use quarry_prompts as prompts;
use quarry_tools::{Digest, Outcome, ToolName};
use quarry_types::{ChatError, ChatRequest, Completion, Timestamp, Usd};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What is known when an answer is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Research {
    /// How to answer.
    pub setup: Setup,
    /// What to look into.
    pub plan: Plan,
    /// What was looked into.
    pub inquiry: Inquiry,
    /// Whether a budget cut it short.
    pub partial: bool,
    /// Why it ended before it was complete, where the model is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<EndedEarly>,
}

/// What is told of a reply to research that has no calls and is no end of it.
const BROKEN_OFF: &str = "the model's reply broke off before it called a tool";

impl Research {
    /// Research that has not begun.
    pub fn new(setup: Setup, plan: Plan) -> Self {
        Research { setup, plan, inquiry: Inquiry::default(), partial: false, ended_early: None }
    }

    /// Whether something of it is missing.
    pub const fn is_partial(&self) -> bool {
        self.partial || self.ended_early.is_some()
    }

    /// What there is when nothing was planned.
    pub fn unplanned(setup: Setup) -> Self {
        let plan = Plan::fallback(&setup);
        Research::new(setup, plan)
    }
}

impl Ask {
    /// What is known so far; defaults stand in for what is not.
    pub(super) fn known(&self) -> Cow<'_, Research> {
        match &self.stage {
            Stage::Researching(research) | Stage::Answering { research, .. } => {
                Cow::Borrowed(research)
            }
            Stage::Checking(answer) => Cow::Borrowed(&answer.research),
            Stage::Forming(forming) => Cow::Borrowed(&forming.answer.research),
            Stage::Planning { setup } => Cow::Owned(Research::unplanned(setup.clone())),
            Stage::Ready(start) | Stage::Interrupted(start) => start.known(&self.brief.query),
            Stage::Setup | Stage::Ended => {
                Cow::Owned(Research::unplanned(Setup::fallback(&self.brief.query)))
            }
        }
    }

    /// Takes what is known out of the stage: the next stage is set by who calls.
    pub(super) fn take_known(&mut self) -> Research {
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Researching(research) | Stage::Answering { research, .. } => research,
            Stage::Checking(answer) => answer.research,
            Stage::Forming(forming) => forming.answer.research,
            other => {
                self.stage = other;
                let known = self.known().into_owned();
                self.stage = Stage::Ended;
                known
            }
        }
    }

    pub(super) fn rules(&self) -> Rules<'_> {
        Rules {
            query: self.question(),
            fence: &self.brief.fence,
            profile: self.config.profile,
            context_window: self.calls.sheet().context_window,
            sources: self.config.sources,
            domains: &self.config.domains,
            collection: self.config.collection.as_ref(),
            max_iterations: self.config.max_iterations,
            max_calls: self.config.max_tool_calls,
            digest_prompt: self.config.digest_system_prompt.as_deref(),
            roomier: self.calls.roomier(self.config.ceilings.tool_synthesis),
            request: self.calls.request(Vec::new(), self.config.ceilings.tool_synthesis),
        }
    }

    /// An inquiry with this research's role and task.
    pub(super) fn new_inquiry(&self, research: &Research, now: Timestamp) -> Inquiry {
        let Research { setup, plan, .. } = research;
        let offered = ToolName::on_offer(self.config.sources);
        let rules: Vec<String> = offered.iter().map(|tool| format!("- {}", tool.rule())).collect();
        let system = prompts::ResearchSystem {
            persona: &plan.optimal_persona,
            rules: &rules.join("\n"),
            fence: self.brief.fence.mark(),
            now: &now.spoken(),
        }
        .render();
        let query = self.question();
        let user = if question::is_calculation(query) && self.config.sources.program {
            prompts::MathUser { query }.render()
        } else {
            prompts::ResearchUser {
                query,
                questions: &numbered(&plan.research_questions),
                response_length: &setup.response_length,
                reasoning_level: &setup.reasoning_level,
            }
            .render()
        };
        Inquiry::new(system, user)
    }

    /// Begins the next round of this research.
    pub(super) fn begin_round(&mut self, mut research: Research, turn: &mut Turn) {
        let next = research.inquiry.begin_round(&self.rules(), turn);
        self.stage = Stage::Researching(research);
        self.follow(next, turn);
    }

    /// Runs the calls of a round that was interrupted.
    pub(super) fn run_round(
        &mut self,
        mut research: Research,
        text: &str,
        open: Vec<OpenCall>,
        turn: &mut Turn,
    ) {
        let beside = Beside { text, reasoning: None };
        let next = research.inquiry.run_round(beside, open, &self.rules(), turn);
        self.stage = Stage::Researching(research);
        self.follow(next, turn);
    }

    /// Calls the model, or lets rules answer where there is none.
    pub(super) fn ask_model(&mut self, phase: Phase, request: ChatRequest, turn: &mut Turn) {
        if self.calls.sheet().is_language_model {
            let and_then = self.after(phase, turn).saturating_add(self.beside(phase, &request));
            self.calls.start(phase, request, and_then, turn);
            return;
        }
        let completion = self.reply_by_rule(phase, &request);
        let settled = self.calls.answer_by_rule(phase, &request, completion, turn);
        self.on_settled(settled, turn);
    }

    /// Tokens of the calls that may still begin beside this one. Tries that may be lost are promised when a call begins: each
    /// of the others has its first before this has a second.
    fn beside(&self, phase: Phase, request: &ChatRequest) -> u64 {
        let Phase::SearchSummary { .. } = phase else { return 0 };
        let each = request_estimate(request).saturating_add(request.max_output_tokens.into());
        let others = self.known().inquiry.digests_to_come();
        each.saturating_mul(u64::try_from(others).unwrap_or(u64::MAX))
    }

    pub(super) fn on_settled(&mut self, settled: Settled<Phase>, turn: &mut Turn) {
        let Settled { purpose, result, cost } = settled;
        match purpose {
            Phase::SearchSummary { run, .. } => self.after_digest(run, result, cost, turn),
            Phase::FinalSynthesis => self.after_answer(result, turn),
            Phase::FinalFormat => self.after_form(result, turn),
            Phase::CitationCheck => self.after_check(result, turn),
            Phase::InitialSetup | Phase::Planning | Phase::ToolIteration(_) => {
                if let Err(error) = &result
                    && self.ends_with(error, turn)
                {
                    return;
                }
                match std::mem::replace(&mut self.stage, Stage::Ended) {
                    Stage::Setup => self.after_setup(result, cost, turn),
                    Stage::Planning { setup } => self.after_planning(setup, result, turn),
                    Stage::Researching(research) => self.after_iteration(research, result, turn),
                    other @ (Stage::Ready(_)
                    | Stage::Answering { .. }
                    | Stage::Checking(_)
                    | Stage::Forming(_)
                    | Stage::Interrupted(_)
                    | Stage::Ended) => self.stage = other,
                }
            }
        }
    }

    fn after_iteration(
        &mut self,
        mut research: Research,
        result: Result<Completion, ChatError>,
        turn: &mut Turn,
    ) {
        match result {
            Ok(completion) => {
                let next = research.inquiry.on_reply(&completion, &self.rules(), turn);
                self.stage = Stage::Researching(research);
                self.follow(next, turn);
            }
            Err(error) => self.end_early(research, error.to_string(), turn),
        }
    }

    /// The model is of no use to research: it answers from what there is, and says so.
    fn end_early(&mut self, research: Research, reason: String, turn: &mut Turn) {
        turn.log(format!("Research ends early ({reason}); answering from what was found"));
        let ended_early = Some(EndedEarly { reason });
        self.begin_answer(Research { ended_early, ..research }, turn);
    }

    pub(super) fn on_tool(&mut self, ticket: Ticket, outcome: Outcome, turn: &mut Turn) {
        if matches!(self.stage, Stage::Researching(_)) {
            self.calls.paid_by_tool(&outcome, turn);
        }
        self.with_inquiry(turn, |inquiry, rules, turn| {
            inquiry.on_outcome(ticket, outcome, rules, turn)
        });
    }

    fn after_digest(
        &mut self,
        run: usize,
        result: Result<Completion, ChatError>,
        cost: Option<Usd>,
        turn: &mut Turn,
    ) {
        let model = self.calls.sheet().id.to_string();
        let digest = match result {
            Ok(completion) => Digest::Written { model, text: completion.text },
            Err(error) => Digest::Failed(error.to_string()),
        };
        self.with_inquiry(turn, |inquiry, rules, turn| {
            inquiry.on_digest(run, digest, cost, rules, turn)
        });
    }

    /// Changes the inquiry under way and follows what comes of it.
    fn with_inquiry(
        &mut self,
        turn: &mut Turn,
        change: impl FnOnce(&mut Inquiry, &Rules<'_>, &mut Turn) -> Next,
    ) {
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Researching(mut research) => {
                let next = change(&mut research.inquiry, &self.rules(), turn);
                self.stage = Stage::Researching(research);
                self.follow(next, turn);
            }
            other => self.stage = other,
        }
    }

    pub(super) fn follow(&mut self, next: Next, turn: &mut Turn) {
        match next {
            Next::Wait => {}
            Next::Done(Why::Enough | Why::Limit | Why::LearnsNothing) => {
                let research = self.take_known();
                self.begin_answer(research, turn);
            }
            Next::Done(Why::BrokenOff) => {
                let research = self.take_known();
                self.end_early(research, BROKEN_OFF.to_owned(), turn);
            }
            Next::Call(step, request) => {
                let phase = Phase::from(step);
                if self.may_call(&request, turn) {
                    self.ask_model(phase, *request, turn);
                } else if let Phase::SearchSummary { run, .. } = phase {
                    let reason = "the budget leaves no room for a digest".to_owned();
                    self.with_inquiry(turn, |inquiry, rules, turn| {
                        inquiry.on_digest(run, Digest::Failed(reason), Some(0.0), rules, turn)
                    });
                } else {
                    self.cut_short(turn);
                }
            }
        }
    }
}
