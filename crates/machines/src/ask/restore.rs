//! Writing a continuation state, and going on from one. Source: reference section 10.

use super::continuation::{ContinuationState, KeptPlan, VERSION};
use super::ledger::StepCost;
use super::{Ask, AskParams, Conversation, CycleCall, Ledger, Phase, Plan, Reaction, Restored};
use super::{KeptCall, RunState, Stage};
use crate::json;
use quarry_events::{self as event, At, Json, RestoredKind};
use quarry_types::Timestamp;
use serde_json::{Value, json};

impl Ask {
    /// Where the ask stands, to be kept or sent.
    #[must_use]
    pub fn continuation(&self) -> ContinuationState {
        let setup = self.setup.clone();
        let interrupted =
            |pending| self.unsettled(pending, "interrupted while under way".to_owned());
        let lost = self.under_way().into_iter().map(interrupted);
        ContinuationState {
            tool_call_cycles: self.cycles.clone(),
            llm_calls: self.calls.clone(),
            search_results: self.evidence.sources().to_vec(),
            current_iteration: u32::try_from(self.cycles.len()).unwrap_or(u32::MAX),
            research_plan: self
                .plan
                .clone()
                .map(|plan| KeptPlan { plan, setup: self.setup().into_owned() }),
            total_cost: self.ledger.total_cost(),
            total_tokens: self.ledger.tokens().total,
            version: VERSION,
            id: self.id.clone(),
            query: self.query.clone(),
            model: self.model.id.to_string(),
            setup_data: setup,
            synthesis_due: matches!(
                &self.stage,
                Stage::Answering { .. }
                    | Stage::Ready { restored: Some(Restored { synthesis_due: true, .. }) }
            ),
            partial: self.partial,
            open_cycle: self.open_cycle(),
            unsettled: self.ledger.unsettled().iter().cloned().chain(lost).collect(),
            signature: None,
        }
    }

    /// The calls of the iteration under way, those that have ended with their responses.
    fn open_cycle(&self) -> Vec<CycleCall> {
        match &self.stage {
            Stage::Ready { restored: Some(restored) } => restored.open_cycle.clone(),
            Stage::RunningTools { runs, .. } => runs
                .iter()
                .map(|run| match &run.state {
                    RunState::Done(done) => done.clone(),
                    RunState::Running { .. } | RunState::Digesting { .. } => {
                        CycleCall::open(&run.call)
                    }
                })
                .collect(),
            Stage::Ready { restored: None }
            | Stage::Setup { .. }
            | Stage::Planning { .. }
            | Stage::Iterating { .. }
            | Stage::Answering { .. }
            | Stage::Ended => Vec::new(),
        }
    }

    /// An ask that goes on where an interrupted one stood. What was paid for is not paid for
    /// again: finished calls count in the accounts and are not repeated.
    #[must_use]
    pub fn resume(params: AskParams, state: ContinuationState, now: Timestamp) -> Self {
        let mut ask = Ask::new(params, now);
        ask.ledger = Ledger::resumed(steps_of(&state), state.unsettled);
        ask.calls = state.llm_calls;
        ask.partial = state.partial;
        ask.setup = state
            .setup_data
            .or_else(|| state.research_plan.as_ref().map(|kept| kept.setup.clone()));
        ask.plan = state.research_plan.map(|kept| kept.plan);
        if ask.plan.is_none() && !state.tool_call_cycles.is_empty() {
            ask.plan = Some(Plan::fallback(&ask.setup()));
        }
        if ask.plan.is_some() {
            let (system, user) = ask.research_prompts(now);
            ask.conversation = Conversation::new(system, user);
        }
        for cycle in state.tool_call_cycles {
            ask.take_in_cycle(cycle);
        }
        for source in state.search_results {
            ask.evidence.restore(source);
        }
        let open_cycle = state.open_cycle;
        let restored = Restored { synthesis_due: state.synthesis_due, open_cycle };
        ask.stage = Stage::Ready { restored: Some(restored) };
        ask
    }

    /// Takes in a finished iteration as it was taken in when it was made.
    fn take_in_cycle(&mut self, cycle: Vec<CycleCall>) {
        let calls: Vec<_> = cycle.iter().map(CycleCall::call).collect();
        let text = self.text_of_iteration(self.next_iteration());
        self.conversation.push_calls(&text, calls.iter());
        for call in &cycle {
            self.take_in(call, &arguments(call));
        }
        self.end_cycle(cycle);
    }

    /// What the model wrote beside the calls of an iteration.
    fn text_of_iteration(&self, iteration: u32) -> String {
        let name = Phase::ToolIteration(iteration).step_name();
        let call = self
            .calls
            .iter()
            .rev()
            .find(|call| call.step.as_ref().is_some_and(|step| step.step_name == name));
        let text = call.and_then(|call| call.response.get("content")?.as_str());
        text.unwrap_or_default().to_owned()
    }

    /// Shows what is already known again, then goes on.
    pub(super) fn go_on(&mut self, restored: Restored, now: Timestamp, out: &mut Reaction) {
        self.show_restored_tools(&restored.open_cycle, now, out);
        self.show_restored_calls(now, out);
        if self.plan.is_some() {
            self.log("Going on with the research plan made before", now, out);
            self.show_plan(now, out);
            if restored.synthesis_due {
                self.begin_answer(now, out);
            } else if restored.open_cycle.is_empty() {
                self.begin_iteration(self.next_iteration(), now, out);
            } else {
                let iteration = self.next_iteration();
                let text = self.text_of_iteration(iteration);
                self.run_cycle(iteration, &text, restored.open_cycle, now, out);
            }
        } else if self.setup.is_some() {
            self.log("Going on with the set-up made before", now, out);
            self.begin_planning(now, out);
        } else {
            self.begin_setup(now, out);
        }
    }

    fn show_restored_tools(
        &mut self,
        open_cycle: &[CycleCall],
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let cycles = self.cycles.iter().map(Vec::as_slice).chain([open_cycle]);
        for (at, cycle) in cycles.enumerate() {
            for call in cycle.iter().filter(|call| call.is_answered()) {
                let iteration = u32::try_from(at + 1).unwrap_or(u32::MAX);
                let shown = call.shown(iteration, arguments(call), true, now);
                super::emit(&mut self.sequence, out, &shown);
            }
        }
    }

    fn show_restored_calls(&mut self, now: Timestamp, out: &mut Reaction) {
        for (at, call) in self.calls.iter().enumerate() {
            let model = self.model.id.to_string();
            let field = |name: &str| call.response.get(name).unwrap_or(&Value::Null);
            let (cost, cost_known) = event::shown_cost(call.cost);
            let shown = event::LlmResponse::Restored(event::RestoredResponse {
                kind: RestoredKind::ContinuationRestore,
                iteration: at + 1,
                phase: call.step.as_ref().map_or_else(String::new, |step| step.phase.clone()),
                model: call.step.as_ref().map_or(model, |step| step.model.clone()),
                content: field("content").as_str().unwrap_or_default().to_owned(),
                response: Json::of(&call.response),
                usage: field("usage").clone(),
                cost,
                cost_known,
                continued: true,
                timestamp: At(Timestamp::parse_iso(&call.timestamp).unwrap_or(now)),
            });
            super::emit(&mut self.sequence, out, &shown);
        }
    }
}

fn arguments(call: &CycleCall) -> Value {
    json::read(&call.request.function.arguments).unwrap_or_else(|| json!({}))
}

/// The accounts of the calls made. States with the reference's fields alone keep less of them:
/// then what the calls and the totals say is taken.
fn steps_of(state: &ContinuationState) -> Vec<StepCost> {
    let mut steps: Vec<StepCost> = state
        .llm_calls
        .iter()
        .map(|call| call.step.clone().unwrap_or_else(|| step_of(call, &state.model)))
        .collect();
    let known = steps.iter().map(|step| step.input_tokens.saturating_add(step.output_tokens));
    let known = known.fold(0, u64::saturating_add);
    if known == 0 && state.total_tokens > 0 {
        let usage = json!({ "prompt_tokens": state.total_tokens });
        let response = json!({ "usage": usage });
        let call = KeptCall { response, cost: state.total_cost, ..KeptCall::default() };
        steps.push(step_of(&call, &state.model));
    }
    for step in &mut steps {
        // A client may have written anything here; a negative cost would widen the budget.
        step.cost = step.cost.map(|cost| cost.max(0.0));
    }
    steps
}

fn step_of(call: &KeptCall, model: &str) -> StepCost {
    let usage = call.response.get("usage").unwrap_or(&Value::Null);
    let tokens = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
    StepCost {
        step_name: "before_interruption".to_owned(),
        phase: "before_interruption".to_owned(),
        model: model.to_owned(),
        cost: call.cost,
        input_tokens: tokens("prompt_tokens"),
        output_tokens: tokens("completion_tokens"),
        cached_input_tokens: tokens("cached_tokens"),
        reasoning_tokens: tokens("reasoning_tokens"),
        reported: false,
        duration: 0,
        description: "before the interruption".to_owned(),
        timestamp: call.timestamp.clone(),
    }
}
