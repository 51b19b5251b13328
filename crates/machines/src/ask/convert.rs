//! Between the machine's state and the continuation state that clients see.

use super::continuation::{
    ContinuationState, CycleCall, KeptCall, KeptPlan, KeptResponse, KeptSetup, KeptSource,
    KeptStep, KeptUnsettled, VERSION,
};
use super::plan::{Complexity, Plan, Setup};
use super::restore::Start;
use super::{Ask, AskConfig, Form, Stage};
use crate::core::{
    Budget, DoneCall, Inquiry, Ledger, OpenCall, Reservation, Round, Step, Unsettled, Used,
};
use quarry_events::run::{RunBudget, SearchedIn};
use quarry_events::{AskedFor, AskedForm};
use quarry_evidence::{Content, Source};
use quarry_tools::{FailureKind, Outcome, ToolFailure, ToolName, read_call};
use quarry_types::{Timestamp, Usage};
use serde_json::{Value, json};

impl Ask {
    /// Where the ask stands, for its client.
    #[must_use]
    pub fn continuation(&self) -> ContinuationState {
        let mut calls = self.calls.clone();
        calls.lose_all("interrupted while under way");
        let ledger = calls.ledger();
        let totals = ledger.totals(&self.calls.sheet().id);
        let known = self.known();
        let (is_set_up, is_planned) = match &self.stage {
            Stage::Ready(start) | Stage::Interrupted(start) => start.progress(),
            Stage::Setup | Stage::Ended => (false, false),
            Stage::Planning { .. } => (true, false),
            Stage::Researching(_)
            | Stage::Answering { .. }
            | Stage::Checking(_)
            | Stage::Forming(_) => (true, true),
        };
        let setup = KeptSetup::from(&known.setup);
        ContinuationState {
            tool_call_cycles: known.inquiry.rounds().iter().map(cycle).collect(),
            llm_calls: ledger.steps().iter().map(KeptCall::from).collect(),
            search_results: sources(&known.inquiry),
            current_iteration: known.inquiry.next_iteration() - 1,
            research_plan: is_planned.then(|| plan(&known.plan, &setup)),
            total_cost: Some(totals.total_cost),
            total_tokens: totals.total_tokens,
            cost_known: Some(totals.cost_known),
            unpriced_calls: Some(totals.unpriced_calls),
            version: VERSION,
            id: self.brief.id.clone(),
            query: self.brief.query.clone(),
            model: self.model(),
            setup_data: is_set_up.then_some(setup),
            synthesis_due: match &self.stage {
                Stage::Ready(start) | Stage::Interrupted(start) => start.is_answer_due(),
                Stage::Answering { .. } | Stage::Checking(_) | Stage::Forming(_) => true,
                Stage::Setup | Stage::Planning { .. } | Stage::Researching(_) | Stage::Ended => {
                    false
                }
            },
            partial: known.partial,
            ended_early: known.ended_early.clone(),
            open_cycle: self.open_calls().1.iter().map(CycleCall::from).collect(),
            unsettled: ledger.unsettled().iter().map(KeptUnsettled::from).collect(),
            signature: None,
        }
    }

    /// The calls of the round under way, and what the model wrote beside them.
    pub(super) fn open_calls(&self) -> (String, Vec<OpenCall>) {
        match &self.stage {
            Stage::Researching(research) => research.inquiry.open_calls(),
            Stage::Ready(start) | Stage::Interrupted(start) => start.open_calls(),
            Stage::Setup
            | Stage::Planning { .. }
            | Stage::Answering { .. }
            | Stage::Checking(_)
            | Stage::Forming(_)
            | Stage::Ended => Default::default(),
        }
    }
}

fn cycle(round: &Round) -> Vec<CycleCall> {
    round.calls.iter().map(CycleCall::from).collect()
}

fn sources(inquiry: &Inquiry) -> Vec<KeptSource> {
    let kept = |source: &Source| KeptSource {
        n: source.n,
        url: source.url.clone(),
        title: source.title.clone(),
        date: source.date.clone(),
        query: source.query.clone(),
        description: source.description.clone(),
        text: source.content.text().into_owned(),
    };
    inquiry.evidence().sources().iter().map(kept).collect()
}

fn plan(plan: &Plan, setup: &KeptSetup) -> KeptPlan {
    KeptPlan {
        research_questions: plan.research_questions.clone(),
        optimal_persona: plan.optimal_persona.clone(),
        reasoning: plan.reasoning.clone(),
        complexity_assessment: plan.complexity_assessment.as_str().to_owned(),
        setup: Some(setup.clone()),
    }
}

impl From<&DoneCall> for CycleCall {
    fn from(done: &DoneCall) -> Self {
        CycleCall {
            response: done.output().into(),
            duration: done.duration,
            cost: done.cost,
            ..CycleCall::open(&done.call)
        }
    }
}

impl From<&OpenCall> for CycleCall {
    fn from(call: &OpenCall) -> Self {
        match call {
            OpenCall::Answered(done) => CycleCall::from(done),
            OpenCall::Open(call) => CycleCall::open(call),
        }
    }
}

impl From<&Step> for KeptCall {
    fn from(step: &Step) -> Self {
        let timestamp = step.at.iso();
        KeptCall {
            response: json!(KeptResponse { content: &step.text, usage: Used::from(&step.usage) }),
            step: Some(KeptStep {
                step_name: step.name.clone(),
                phase: step.phase.clone(),
                model: step.model.clone(),
                cost: step.cost,
                input_tokens: step.usage.input,
                output_tokens: step.usage.output,
                cached_input_tokens: step.usage.cached_input,
                reasoning_tokens: step.usage.reasoning,
                reported: step.usage.reported,
                duration: step.duration,
                description: step.description.clone(),
                timestamp: timestamp.clone(),
            }),
            cost: step.cost,
            timestamp,
        }
    }
}

impl From<&Unsettled> for KeptUnsettled {
    fn from(lost: &Unsettled) -> Self {
        KeptUnsettled {
            step_name: lost.name.clone(),
            model: lost.model.clone(),
            reason: lost.reason.clone(),
            most_tokens: lost.most.tokens,
            most_cost: lost.most.usd,
        }
    }
}

impl From<&Setup> for KeptSetup {
    fn from(setup: &Setup) -> Self {
        KeptSetup {
            persona: setup.persona.clone(),
            questions: setup.questions.clone(),
            response_length: setup.response_length.clone(),
            reasoning_level: setup.reasoning_level.clone(),
            temperature: setup.temperature,
        }
    }
}

impl KeptSetup {
    /// What was decided; what a client dropped is filled in.
    pub(super) fn into_setup(self, query: &str) -> Setup {
        Setup::read(&json!(self).to_string(), query).0
    }
}

impl KeptPlan {
    /// What was planned; what a client dropped is filled in.
    pub(super) fn into_plan(self, setup: &Setup) -> Plan {
        let fallback = Plan::fallback(setup);
        let or = |text: String, default: String| if text.is_empty() { default } else { text };
        let questions = self.research_questions;
        Plan {
            research_questions: if questions.is_empty() {
                fallback.research_questions
            } else {
                questions
            },
            optimal_persona: or(self.optimal_persona, fallback.optimal_persona),
            reasoning: or(self.reasoning, fallback.reasoning),
            complexity_assessment: Complexity::read(&self.complexity_assessment),
        }
    }
}

impl Ask {
    /// What its request says of how it is answered, for who shows it as a request again.
    pub(super) fn asked(&self) -> Option<AskedFor> {
        let AskConfig { budget, sources, collection, domains, max_tool_calls, .. } = &self.config;
        let own = self.brief.own;
        let web = sources.web.then_some(SearchedIn::Web);
        let named = web.into_iter().chain(sources.knowledge.then_some(SearchedIn::Knowledge));
        let asked = AskedFor {
            budget: (*budget != Budget::default())
                .then_some(RunBudget { usd: budget.usd, tokens: budget.tokens }),
            max_iterations: own.max_iterations,
            sources: named.filter(|_| sources.knowledge).collect(),
            collection: collection.clone(),
            verify_with_model: own.verify_with_model.unwrap_or_default(),
            effort: self.brief.wish.effort,
            allowed_domains: domains.names().to_vec(),
            max_tool_calls: *max_tool_calls,
            instructions: self.brief.wish.instructions.clone(),
            format: self.brief.wish.form.as_ref().map(AskedForm::from),
        };
        (asked != AskedFor::default()).then_some(asked)
    }
}

impl From<&Form> for AskedForm {
    fn from(form: &Form) -> Self {
        match form {
            Form::JsonObject => AskedForm::JsonObject,
            Form::JsonSchema { name, schema, strict } => {
                let (name, schema) = (name.clone(), schema.value());
                AskedForm::JsonSchema { name, schema, strict: *strict }
            }
        }
    }
}

impl CycleCall {
    /// The call with the outcome behind its output; it was accepted when it was made.
    pub(super) fn into_done(self) -> DoneCall {
        let call = self.call();
        let read = read_call(&call, ToolName::ALL);
        let output = serde_json::from_str(&self.output()).unwrap_or(Value::Null);
        let said = output.get("error").and_then(Value::as_str);
        let (job, outcome) = match read.job {
            Ok(job) => {
                let outcome = job.recall(&output);
                (Ok(job), outcome)
            }
            Err(failure) => {
                let message = said.map_or(failure.message, str::to_owned);
                let failure = ToolFailure::new(FailureKind::RefusedArguments, message);
                (Err(failure.clone()), Outcome::Failed(failure))
            }
        };
        let (duration, cost) = (self.duration, self.cost);
        DoneCall { call, arguments: read.arguments, job, outcome, duration, cost }
    }

    /// The call as a round takes it up.
    pub(super) fn into_open(self) -> OpenCall {
        if self.is_answered() {
            OpenCall::Answered(self.into_done())
        } else {
            OpenCall::Open(self.call())
        }
    }
}

impl From<KeptSource> for Source {
    fn from(kept: KeptSource) -> Self {
        let KeptSource { n, url, title, date, query, description, text } = kept;
        let content = Content::new(&text, Vec::new());
        Source { n, url, title, date, query, description, signals: Vec::new(), content }
    }
}

/// The accounts of the calls made. States with the reference's fields alone keep less of them:
/// then what the calls and the totals say is taken.
pub(super) fn ledger(state: &ContinuationState, now: Timestamp) -> Ledger {
    let of_call = |call: &KeptCall| step(call, &state.model, now);
    let mut steps: Vec<Step> = state.llm_calls.iter().map(of_call).collect();
    let known = steps.iter().map(|step| step.usage.total()).fold(0, u64::saturating_add);
    if known == 0 && state.total_tokens > 0 {
        let usage = json!({ "prompt_tokens": state.total_tokens });
        let response = json!({ "usage": usage });
        let call = KeptCall { response, cost: state.total_cost, ..KeptCall::default() };
        steps.push(of_call(&call));
    }
    let unsettled = state.unsettled.iter().map(|lost| Unsettled {
        name: lost.step_name.clone(),
        model: lost.model.clone(),
        reason: lost.reason.clone(),
        most: Reservation { tokens: lost.most_tokens, usd: lost.most_cost.map(not_negative) },
    });
    Ledger::resumed(steps, unsettled.collect())
}

/// A client may have written anything; a negative cost would widen the budget.
fn not_negative(cost: f64) -> f64 {
    cost.max(0.0)
}

fn step(call: &KeptCall, model: &str, now: Timestamp) -> Step {
    let content = call.response.get("content").and_then(Value::as_str);
    let text = content.unwrap_or_default().to_owned();
    let at = Timestamp::parse_iso(&call.timestamp).unwrap_or(now);
    match &call.step {
        Some(kept) => Step {
            name: kept.step_name.clone(),
            phase: kept.phase.clone(),
            description: kept.description.clone(),
            model: kept.model.clone(),
            cost: kept.cost.map(not_negative),
            usage: Usage {
                input: kept.input_tokens,
                output: kept.output_tokens,
                cached_input: kept.cached_input_tokens,
                reasoning: kept.reasoning_tokens,
                reported: kept.reported,
            },
            duration: kept.duration,
            at,
            text,
        },
        None => Step {
            name: EARLIER.to_owned(),
            phase: EARLIER.to_owned(),
            description: "before the interruption".to_owned(),
            model: model.to_owned(),
            cost: call.cost.map(not_negative),
            usage: kept_usage(call),
            duration: 0,
            at,
            text,
        },
    }
}

/// The phase of calls of which the state does not say it.
const EARLIER: &str = "before_interruption";

fn kept_usage(call: &KeptCall) -> Usage {
    let usage = call.response.get("usage").unwrap_or(&Value::Null);
    let tokens = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
    Usage {
        input: tokens("prompt_tokens"),
        output: tokens("completion_tokens"),
        cached_input: tokens("cached_tokens"),
        reasoning: tokens("reasoning_tokens"),
        reported: false,
    }
}

/// What the model wrote beside the calls of an iteration.
pub(super) fn text_of_iteration(ledger: &Ledger, iteration: usize) -> String {
    let name = format!("tool_iteration_{iteration}");
    let step = ledger.steps().iter().rev().find(|step| step.name == name);
    step.map(|step| step.text.clone()).unwrap_or_default()
}

impl ContinuationState {
    /// Whether the state's stage has the plan that research needs.
    pub(super) fn has_plan(&self) -> bool {
        self.research_plan.is_some() || !self.tool_call_cycles.is_empty()
    }
}

impl Start {
    /// Whether the set-up and the plan are known.
    fn progress(&self) -> (bool, bool) {
        match self {
            Start::Fresh => (false, false),
            Start::Planning { .. } => (true, false),
            Start::Research { .. }
            | Start::Answer { .. }
            | Start::Answered { .. }
            | Start::Misfit { .. } => (true, true),
        }
    }
}
