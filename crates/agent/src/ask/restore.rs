//! Going on from a continuation state. Source: reference section 10.

use super::continuation::ContinuationState;
use super::{Ask, AskParams, Conversation, Ledger, Reaction, Restored, Stage};
use crate::Timestamp;
use crate::event::{self, EventName};
use crate::json;
use serde_json::{Value, json};

impl Ask {
    /// An ask that goes on where an interrupted one stood. What was paid for is not paid for
    /// again: finished calls count in the accounts and are not repeated.
    #[must_use]
    pub fn resume(params: AskParams, state: ContinuationState, now: Timestamp) -> Self {
        let mut ask = Ask::new(params, now);
        let steps = state.llm_calls.iter().filter_map(|call| call.step.clone()).collect();
        ask.ledger = Ledger::resumed(steps);
        ask.calls = state.llm_calls;
        ask.setup = state
            .setup_data
            .or_else(|| state.research_plan.as_ref().map(|kept| kept.setup.clone()));
        ask.plan = state.research_plan.map(|kept| kept.plan);
        if ask.plan.is_some() {
            let (system, user) = ask.research_prompts(now);
            ask.conversation = Conversation::new(system, user);
        }
        for cycle in state.tool_call_cycles {
            let calls: Vec<_> = cycle.iter().map(super::CycleCall::call).collect();
            ask.conversation.push_calls("", &calls);
            for call in &cycle {
                ask.take_in(call, &arguments(call));
            }
            ask.evidence.end_iteration();
            ask.cycles.push(cycle);
        }
        for source in &state.search_results {
            // Sources whose page was in a call that had to be cut are known from here.
            let page = json!({
                "results": [{
                    "url": source.url,
                    "title": source.title,
                    "description": source.description,
                    "content": source.text,
                    "date": source.date,
                }]
            });
            ask.evidence.take_in("search_web", &Value::Null, &page.to_string());
        }
        let window = ask.model.context_window;
        ask.conversation.prune(ask.config.profile.prune_above(window));
        let iteration = u32::try_from(ask.cycles.len()).unwrap_or(u32::MAX).saturating_add(1);
        let restored = Restored { iteration, synthesis_due: state.synthesis_due };
        ask.stage = Stage::Ready { restored: Some(restored) };
        ask
    }

    /// Shows what is already known again, then goes on.
    pub(super) fn go_on(&mut self, restored: &Restored, now: Timestamp, out: &mut Reaction) {
        self.show_restored_tools(out);
        self.show_restored_calls(out);
        if self.plan.is_some() {
            self.log("Going on with the research plan made before", now, out);
            self.show_plan(out);
            if restored.synthesis_due {
                self.begin_answer(now, out);
            } else {
                self.begin_iteration(restored.iteration, now, out);
            }
        } else if self.setup.is_some() {
            self.log("Going on with the set-up made before", now, out);
            self.begin_planning(now, out);
        } else {
            self.begin_setup(now, out);
        }
    }

    fn show_restored_tools(&mut self, out: &mut Reaction) {
        for (at, cycle) in self.cycles.iter().enumerate() {
            for call in cycle {
                let shown = event::ToolResult {
                    iteration: u32::try_from(at + 1).unwrap_or(u32::MAX),
                    call_id: &call.request.id,
                    name: &call.request.function.name,
                    args: &arguments(call),
                    output: &call.output(),
                    duration: call.duration,
                    cost: call.cost,
                    continued: true,
                };
                super::emit(&mut self.sequence, out, EventName::ToolResult, &shown);
            }
        }
    }

    fn show_restored_calls(&mut self, out: &mut Reaction) {
        for (at, call) in self.calls.iter().enumerate() {
            let model = self.model.id.to_string();
            let field = |name: &str| call.response.get(name).unwrap_or(&Value::Null);
            let shown = event::RestoredLlmResponse {
                kind: "continuation_restore",
                iteration: at + 1,
                phase: call.step.as_ref().map_or("", |step| step.phase.as_str()),
                model: call.step.as_ref().map_or(model.as_str(), |step| step.model.as_str()),
                content: field("content").as_str().unwrap_or_default(),
                response: &call.response,
                usage: field("usage"),
                cost: call.cost,
                continued: true,
                timestamp: &call.timestamp,
            };
            super::emit(&mut self.sequence, out, EventName::LlmResponse, &shown);
        }
    }
}

fn arguments(call: &super::CycleCall) -> Value {
    json::read(&call.request.function.arguments).unwrap_or_else(|| json!({}))
}
