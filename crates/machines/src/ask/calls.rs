//! Model calls: reserved, shown and started; settled and shown again when they end.

use super::continuation::KeptCall;
use super::ledger::{Reservation, StepCost, Unsettled};
use super::{Ask, Effect, Reaction, RunState, Stage, Ticket, conversation, wire};
use quarry_events::{self as event, At, Json};
use quarry_types::Timestamp;
use quarry_types::{ChatError, ChatRequest, Completion, Message, Usd, tokens};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A model call under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) ticket: Ticket,
    reservation: Reservation,
    phase: Phase,
    started: Timestamp,
}

/// What a model call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    InitialSetup,
    Planning,
    ToolIteration(u32),
    SearchSummary(u32),
    FinalSynthesis,
}

impl Phase {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Phase::InitialSetup => "initial_setup",
            Phase::Planning => "planning",
            Phase::ToolIteration(_) => "tool_iteration",
            Phase::SearchSummary(_) => "search_summary",
            Phase::FinalSynthesis => "final_synthesis",
        }
    }

    const fn iteration(self) -> Option<u32> {
        match self {
            Phase::ToolIteration(iteration) | Phase::SearchSummary(iteration) => Some(iteration),
            Phase::InitialSetup | Phase::Planning | Phase::FinalSynthesis => None,
        }
    }

    /// The phase, with the iteration where there is one.
    pub(super) fn step_name(self) -> String {
        match self.iteration() {
            Some(iteration) => format!("{}_{iteration}", self.name()),
            None => self.name().to_owned(),
        }
    }

    fn description(self) -> String {
        match self {
            Phase::InitialSetup => "choosing the approach".to_owned(),
            Phase::Planning => "planning the research".to_owned(),
            Phase::ToolIteration(iteration) => format!("research, iteration {iteration}"),
            Phase::SearchSummary(iteration) => format!("digest, iteration {iteration}"),
            Phase::FinalSynthesis => "writing the answer".to_owned(),
        }
    }
}

/// How a model call ended: the reply, or why there is none; and what it cost, when that is known.
pub(super) type Settled = (Result<Completion, ChatError>, Option<Usd>);

impl Ask {
    pub(super) fn request(&self, messages: Vec<Message>, max_output_tokens: u32) -> ChatRequest {
        ChatRequest {
            model: self.model.id.clone(),
            messages,
            tools: Vec::new(),
            temperature: None,
            max_output_tokens,
            reasoning_effort: self.config.reasoning_effort,
            json: false,
        }
    }

    /// Starts a model call: reserves its worst case, shows the request.
    pub(super) fn call_model(
        &mut self,
        phase: Phase,
        request: ChatRequest,
        now: Timestamp,
        out: &mut Reaction,
    ) -> Pending {
        let input = request_estimate(&request);
        let output = u64::from(request.max_output_tokens);
        let reservation = self.ledger.reserve(self.model.price.as_ref(), input, output);
        let shown = event::LlmRequest {
            phase: phase.name().to_owned(),
            iteration: phase.iteration(),
            model: request.model.to_string(),
            request: Json::of(&wire::Request::from(&request)),
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &shown);
        let ticket = self.ticket();
        out.effects.push(Effect::CallModel { ticket, request: Box::new(request) });
        Pending { ticket, reservation, phase, started: now }
    }

    /// Ends a model call in the accounts and, when it succeeded, shows the reply.
    pub(super) fn settle(
        &mut self,
        pending: &Pending,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) -> Settled {
        let completion = match result {
            Ok(completion) => completion,
            Err(error) => {
                let cost = self.settle_failed(pending, &error);
                return (Err(error), cost);
            }
        };
        let cost = self.model.price.map(|price| price.cost(&completion.usage));
        let (model, timestamp) = (self.model.id.to_string(), now.iso());
        let duration = now.since(pending.started);
        let step = step_cost(pending.phase, &model, cost, &completion, duration, &timestamp);
        let (shown_cost, cost_known) = event::shown_cost(cost);
        let shown = event::LlmResponse::Made(event::MadeResponse {
            phase: pending.phase.name().to_owned(),
            iteration: pending.phase.iteration(),
            model,
            response: Json::of(&wire::response(&completion)),
            cost: shown_cost,
            cost_known,
            duration,
            timestamp: At(now),
        });
        super::emit(&mut self.sequence, out, &shown);
        self.calls.push(KeptCall {
            response: json!({
                "content": completion.text,
                "usage": wire::usage(&completion.usage),
            }),
            step: Some(step.clone()),
            cost,
            timestamp,
        });
        self.ledger.settle(pending.reservation, Some(step));
        (Ok(completion), cost)
    }

    /// A failed call cost nothing when the provider turned it away. Otherwise what it used is
    /// unknown: its worst case stays reserved, so that the budget holds, and it is listed apart
    /// from the costs that are known.
    fn settle_failed(&mut self, pending: &Pending, error: &ChatError) -> Option<Usd> {
        let has_begun =
            matches!(&self.stage, Stage::Answering { streamed, .. } if !streamed.is_empty());
        if has_begun || may_have_cost(error) {
            let lost = self.unsettled(pending, error.to_string());
            self.ledger.lose(pending.reservation, lost);
            None
        } else {
            self.ledger.settle(pending.reservation, None);
            Some(0.0)
        }
    }

    /// Ends the accounts of calls that are dropped while under way.
    pub(super) fn drop_calls(&mut self) {
        let dropped: Vec<Pending> = self.under_way().into_iter().cloned().collect();
        for pending in dropped {
            let lost = self.unsettled(&pending, "dropped while under way".to_owned());
            self.ledger.lose(pending.reservation, lost);
        }
    }

    pub(super) fn unsettled(&self, pending: &Pending, reason: String) -> Unsettled {
        let Reservation { tokens, usd } = pending.reservation;
        Unsettled {
            step_name: pending.phase.step_name(),
            model: self.model.id.to_string(),
            reason,
            most_tokens: tokens,
            most_cost: usd,
        }
    }

    /// The model calls under way.
    pub(super) fn under_way(&self) -> Vec<&Pending> {
        match &self.stage {
            Stage::Setup { pending }
            | Stage::Planning { pending }
            | Stage::Iterating { pending, .. }
            | Stage::Answering { pending, .. } => vec![pending],
            Stage::RunningTools { runs, .. } => runs
                .iter()
                .filter_map(|run| match &run.state {
                    RunState::Digesting { pending, .. } => Some(pending),
                    RunState::Running { .. } | RunState::Done(_) => None,
                })
                .collect(),
            Stage::Ready { .. } | Stage::Ended => Vec::new(),
        }
    }
}

/// Whether a call that ended so may have used tokens. A provider that answers with an error
/// bills nothing; where no whole answer came, nobody knows.
const fn may_have_cost(error: &ChatError) -> bool {
    match error {
        ChatError::RateLimited { .. }
        | ChatError::NoCredit { .. }
        | ChatError::Unauthorized { .. }
        | ChatError::MissingKey { .. }
        | ChatError::UnknownModel { .. }
        | ChatError::ContextTooLong { .. }
        | ChatError::Rejected { .. }
        | ChatError::ProviderFailed { .. } => false,
        ChatError::Timeout { .. }
        | ChatError::Connection { .. }
        | ChatError::Malformed { .. }
        | ChatError::Other { .. } => true,
    }
}

/// Estimated input tokens of a request, tools included.
pub(super) fn request_estimate(request: &ChatRequest) -> u64 {
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| {
            tokens::estimate(&tool.parameters.to_string()) + tokens::estimate(&tool.description)
        })
        .sum();
    conversation::estimate(&request.messages) + tools
}

fn step_cost(
    phase: Phase,
    model: &str,
    cost: Option<Usd>,
    completion: &Completion,
    duration: u64,
    timestamp: &str,
) -> StepCost {
    let usage = &completion.usage;
    StepCost {
        step_name: phase.step_name(),
        phase: phase.name().to_owned(),
        model: model.to_owned(),
        cost,
        input_tokens: usage.input,
        output_tokens: usage.output,
        cached_input_tokens: usage.cached_input,
        reasoning_tokens: usage.reasoning,
        reported: usage.reported,
        duration,
        description: phase.description(),
        timestamp: timestamp.to_owned(),
    }
}
