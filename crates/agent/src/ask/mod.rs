//! The ask machine: set-up, planning, tool loop, synthesis.
//!
//! It is told what happened and answers with events and effects. Everything that it knows is in
//! its state, which serialises: a checkpoint is that state, a resume is to read it and go on.
//! Source: the ask contract; reference sections 4, 8, 10, 11, 18.

mod answer;
mod config;
mod continuation;
mod conversation;
mod evidence;
mod ledger;
mod outcome;
mod plan;
mod planning;
mod question;
mod research;
mod restore;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod wire;

pub use config::{AskConfig, Budget, ContextProfile, Sources, TokenCeilings};
pub use continuation::{ContinuationState, StateError};
pub use outcome::{Found, Hit, Page, Script, ToolOutcome};
pub use tools::{Job, ToolName};

use crate::event::{self, Event, EventName, User};
use crate::{AskId, Timestamp};
use continuation::{CycleCall, KeptCall};
use conversation::Conversation;
use evidence::Evidence;
use ledger::{Ledger, Reservation, StepCost};
use plan::{Plan, Setup};
use quarry_types::{ChatError, ChatRequest, Completion, ModelId, Price, ToolCall, Usd};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is known about the model that answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelSheet {
    /// Which model.
    pub id: ModelId,
    /// Its price, when it is known.
    pub price: Option<Price>,
    /// Tokens, when it is known.
    pub context_window: Option<u64>,
    /// False for `local:extractive`.
    pub is_language_model: bool,
}

/// An ask as it is accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct AskParams {
    /// Its id.
    pub id: AskId,
    /// The question.
    pub query: String,
    /// The model.
    pub model: ModelSheet,
    /// The caller, when identified.
    pub user: Option<User>,
    /// Whether the operator's keys may be used.
    pub operator_keys: bool,
    /// What it may use.
    pub config: AskConfig,
    /// A random mark that lines around outside text begin with; new for each ask.
    pub fence: String,
    /// Signs continuation states.
    pub secret: Option<String>,
}

/// Names an effect until its outcome is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ticket(pub u64);

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The ask begins, or goes on from a continuation state.
    Begin,
    /// The next piece of a streamed reply.
    ModelText {
        /// Of which call.
        ticket: Ticket,
        /// The piece.
        text: String,
    },
    /// A call failed once and is tried again.
    ModelRetry {
        /// Of which call.
        ticket: Ticket,
        /// Milliseconds until the next try.
        wait_ms: u64,
        /// Why.
        reason: String,
    },
    /// A call ended.
    ModelDone {
        /// Which call.
        ticket: Ticket,
        /// The reply, or why there is none.
        result: Result<Completion, ChatError>,
    },
    /// A tool ended.
    ToolDone {
        /// Which run.
        ticket: Ticket,
        /// What it brought.
        outcome: ToolOutcome,
    },
    /// Somebody asked the ask to stop, or its client left and configuration says to stop then.
    Stop,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Call the model.
    CallModel {
        /// To be told with the outcome.
        ticket: Ticket,
        /// The request; holds no key.
        request: Box<ChatRequest>,
        /// Whether pieces of the reply are wanted as they come.
        stream: bool,
    },
    /// Run a tool.
    RunTool {
        /// To be told with the outcome.
        ticket: Ticket,
        /// What to run.
        job: Job,
    },
}

/// The machine's answer to an input.
#[derive(Debug, Default, PartialEq)]
pub struct Reaction {
    /// To be shown and logged, in order.
    pub events: Vec<Event>,
    /// To be started now, side by side.
    pub effects: Vec<Effect>,
    /// Whether the ask has ended. Effects under way are then dropped.
    pub ended: bool,
    /// When it ended so that it can be gone on with: its continuation state, to be kept.
    pub continuation: Option<Value>,
}

/// A model call under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pending {
    ticket: Ticket,
    reservation: Reservation,
    phase: Phase,
    started: Timestamp,
}

/// What a model call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    InitialSetup,
    Planning,
    ToolIteration(u32),
    SearchSummary(u32),
    FinalSynthesis,
}

impl Phase {
    const fn name(self) -> &'static str {
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
}

/// A tool call under way or done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ToolRun {
    call: ToolCall,
    arguments: Value,
    started: Timestamp,
    state: RunState,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum RunState {
    /// The tool runs.
    Running { ticket: Ticket, job: Job },
    /// The tool is done and a model digests what it brought.
    Digesting { pending: Pending, output: Value },
    /// All is done.
    Done(CycleCall),
}

/// Where an ask stands; data that only one stage needs lives in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Stage {
    /// Not begun.
    Ready { restored: Option<Restored> },
    /// The set-up call is under way.
    Setup { pending: Pending },
    /// The planning call is under way.
    Planning { pending: Pending },
    /// An iteration's model call is under way.
    Iterating { pending: Pending, iteration: u32 },
    /// An iteration's tools are under way.
    RunningTools { iteration: u32, runs: Vec<ToolRun> },
    /// The final call is under way.
    Answering { pending: Pending, streamed: String },
    /// Nothing more will happen.
    Ended,
}

/// Where a resumed ask goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Restored {
    iteration: u32,
    synthesis_due: bool,
}

/// The ask machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    id: String,
    query: String,
    model: ModelSheet,
    user: Option<User>,
    operator_keys: bool,
    config: AskConfig,
    fence: String,
    /// Never serialised: a checkpoint holds no secret.
    #[serde(skip)]
    secret: Option<String>,
    started: Timestamp,
    sequence: u64,
    tickets: u64,
    stage: Stage,
    setup: Option<Setup>,
    plan: Option<Plan>,
    conversation: Conversation,
    evidence: Evidence,
    ledger: Ledger,
    cycles: Vec<Vec<CycleCall>>,
    calls: Vec<KeptCall>,
    /// Whether a budget cut research short.
    partial: bool,
}

impl Ask {
    /// A new ask.
    #[must_use]
    pub fn new(params: AskParams, now: Timestamp) -> Self {
        Ask {
            id: params.id.to_string(),
            query: params.query,
            model: params.model,
            user: params.user,
            operator_keys: params.operator_keys,
            config: params.config,
            fence: params.fence,
            secret: params.secret,
            started: now,
            sequence: 0,
            tickets: 0,
            stage: Stage::Ready { restored: None },
            setup: None,
            plan: None,
            conversation: Conversation::default(),
            evidence: Evidence::default(),
            ledger: Ledger::default(),
            cycles: Vec::new(),
            calls: Vec::new(),
            partial: false,
        }
    }

    /// The number of the last event.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Whether the ask has ended.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended)
    }

    /// Takes an input in. Inputs that do not belong to the current stage (a late reply after
    /// an end, say) change nothing.
    pub fn handle(&mut self, input: Input, now: Timestamp) -> Reaction {
        let mut out = Reaction::default();
        match input {
            Input::Begin => self.begin(now, &mut out),
            Input::ModelText { ticket, text } => self.on_text(ticket, &text, &mut out),
            Input::ModelRetry { ticket, wait_ms, reason } => {
                if self.awaits(ticket) {
                    let seconds = wait_ms.div_ceil(1_000);
                    self.log(&format!("{reason}; trying again in {seconds} s"), now, &mut out);
                }
            }
            Input::ModelDone { ticket, result } => self.on_model(ticket, result, now, &mut out),
            Input::ToolDone { ticket, outcome } => self.on_tool(ticket, &outcome, now, &mut out),
            Input::Stop => self.stop(now, &mut out),
        }
        out.ended = self.has_ended();
        if out.ended {
            out.effects.clear();
        }
        out
    }

    fn begin(&mut self, now: Timestamp, out: &mut Reaction) {
        let Stage::Ready { restored } = &self.stage else { return };
        let restored = restored.clone();
        self.log("Quarry has taken the question.", now, out);
        let init = event::Init {
            id: &self.id,
            query: &self.query,
            model: &self.model.id.to_string(),
            user: self.user.as_ref(),
            allow_env_fallback: self.operator_keys,
            language_model: self.model.is_language_model,
            context_profile: self.config.profile.as_str(),
            timestamp: &now.iso(),
        };
        emit(&mut self.sequence, out, EventName::Init, &init);
        match restored {
            None => self.begin_setup(now, out),
            Some(restored) => self.go_on(&restored, now, out),
        }
    }

    fn on_text(&mut self, ticket: Ticket, text: &str, out: &mut Reaction) {
        if let Stage::Answering { pending, streamed } = &mut self.stage
            && pending.ticket == ticket
        {
            streamed.push_str(text);
            emit(&mut self.sequence, out, EventName::AnswerDelta, &event::AnswerDelta { text });
        }
    }

    fn on_model(
        &mut self,
        ticket: Ticket,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        if matches!(self.stage, Stage::RunningTools { .. }) {
            self.on_digest(ticket, result, now, out);
            return;
        }
        let (Stage::Setup { pending }
        | Stage::Planning { pending }
        | Stage::Iterating { pending, .. }
        | Stage::Answering { pending, .. }) = &self.stage
        else {
            return;
        };
        if pending.ticket != ticket {
            return;
        }
        let pending = pending.clone();
        let result = self.settle(&pending, result, now, out).map(|(completion, _)| completion);
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Setup { .. } => self.after_setup(result, now, out),
            Stage::Planning { .. } => self.after_planning(result, now, out),
            Stage::Iterating { iteration, .. } => self.after_iteration(iteration, result, now, out),
            Stage::Answering { streamed, .. } => self.after_answer(&streamed, result, now, out),
            other @ (Stage::Ready { .. } | Stage::RunningTools { .. } | Stage::Ended) => {
                self.stage = other;
            }
        }
    }

    /// Whether the call with this ticket is under way.
    fn awaits(&self, ticket: Ticket) -> bool {
        match &self.stage {
            Stage::Setup { pending }
            | Stage::Planning { pending }
            | Stage::Iterating { pending, .. }
            | Stage::Answering { pending, .. } => pending.ticket == ticket,
            Stage::RunningTools { runs, .. } => runs.iter().any(|run| match &run.state {
                RunState::Digesting { pending, .. } => pending.ticket == ticket,
                RunState::Running { .. } | RunState::Done(_) => false,
            }),
            Stage::Ready { .. } | Stage::Ended => false,
        }
    }

    /// Starts a model call: reserves its worst case, shows the request.
    fn call_model(
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
            phase: phase.name(),
            iteration: phase.iteration(),
            model: &request.model.to_string(),
            request: wire::request(&request),
            timestamp: &now.iso(),
        };
        emit(&mut self.sequence, out, EventName::LlmRequest, &shown);
        let ticket = self.ticket();
        let stream = phase == Phase::FinalSynthesis;
        out.effects.push(Effect::CallModel { ticket, request: Box::new(request), stream });
        Pending { ticket, reservation, phase, started: now }
    }

    /// Ends a model call in the accounts and, when it succeeded, shows the reply.
    fn settle(
        &mut self,
        pending: &Pending,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) -> Result<(Completion, Option<Usd>), ChatError> {
        let completion = match result {
            Ok(completion) => completion,
            Err(error) => {
                self.ledger.settle(pending.reservation, None);
                return Err(error);
            }
        };
        let cost = self.model.price.map(|price| price.cost(&completion.usage));
        let (model, timestamp) = (self.model.id.to_string(), now.iso());
        let duration = now.since(pending.started);
        let step = step_cost(pending.phase, &model, cost, &completion, duration, &timestamp);
        let response = wire::response(&completion);
        let shown = event::LlmResponse {
            phase: pending.phase.name(),
            iteration: pending.phase.iteration(),
            model: &model,
            response,
            cost,
            duration,
            timestamp: &timestamp,
        };
        emit(&mut self.sequence, out, EventName::LlmResponse, &shown);
        self.calls.push(KeptCall {
            response: serde_json::json!({
                "content": completion.text,
                "usage": wire::usage(&completion.usage),
            }),
            step: Some(step.clone()),
            cost,
            timestamp,
        });
        self.ledger.settle(pending.reservation, Some(step));
        Ok((completion, cost))
    }

    fn request(&self, messages: Vec<quarry_types::Message>, max_output_tokens: u32) -> ChatRequest {
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

    const fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    fn log(&mut self, message: &str, now: Timestamp, out: &mut Reaction) {
        let log = event::Log { message, timestamp: &now.iso() };
        emit(&mut self.sequence, out, EventName::Log, &log);
    }
}

/// Estimated input tokens of a request, tools included.
fn request_estimate(request: &ChatRequest) -> u64 {
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| {
            quarry_types::tokens::estimate(&tool.parameters.to_string())
                + quarry_types::tokens::estimate(&tool.description)
        })
        .sum();
    conversation::estimate(&request.messages) + tools
}

/// Numbers an event and adds it. A payload that does not serialise (none should) is shown as an
/// empty object, so that the numbering has no gaps.
fn emit(sequence: &mut u64, out: &mut Reaction, name: EventName, payload: &impl Serialize) {
    *sequence += 1;
    let data = serde_json::to_string(payload).unwrap_or_else(|_| "{}".to_owned());
    out.events.push(Event { sequence: *sequence, name, data });
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
    let step_name = match phase.iteration() {
        Some(iteration) => format!("{}_{iteration}", phase.name()),
        None => phase.name().to_owned(),
    };
    StepCost {
        step_name,
        phase: phase.name().to_owned(),
        model: model.to_owned(),
        cost,
        input_tokens: usage.input,
        output_tokens: usage.output,
        cached_input_tokens: usage.cached_input,
        reasoning_tokens: usage.reasoning,
        reported: usage.reported,
        duration,
        description: match phase {
            Phase::InitialSetup => "choosing the approach".to_owned(),
            Phase::Planning => "planning the research".to_owned(),
            Phase::ToolIteration(iteration) => format!("research, iteration {iteration}"),
            Phase::SearchSummary(iteration) => format!("digest, iteration {iteration}"),
            Phase::FinalSynthesis => "writing the answer".to_owned(),
        },
        timestamp: timestamp.to_owned(),
    }
}
