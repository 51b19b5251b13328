//! The ask machine: set-up, planning, tool loop, synthesis.
//!
//! It is told what happened and answers with events and effects. Everything that it knows is in
//! its state, which serialises: a checkpoint is that state, a resume is to read it and go on.
//! Source: the ask contract; reference sections 4, 8, 10, 11, 18.

mod answer;
mod calls;
mod config;
mod continuation;
mod conversation;
mod evidence;
mod io;
mod ledger;
mod outcome;
mod plan;
mod planning;
mod question;
mod research;
mod restore;
mod secret;
mod text;
mod tools;
mod wire;

pub use config::{AskConfig, Budget, ContextProfile, Sources, TokenCeilings};
pub use continuation::{ContinuationState, StateError};
pub use io::{Effect, Input, Reaction, Ticket};
pub use outcome::{Found, Hit, Page, Script, ToolOutcome};
pub use tools::{Job, ToolName};

use calls::{Pending, Phase};
use continuation::{CycleCall, KeptCall};
use conversation::Conversation;
use evidence::Evidence;
use ledger::Ledger;
use plan::{Plan, Setup};
use quarry_events::{self as event, Event, EventName, Fallback, User};
use quarry_types::{AskId, Timestamp};
use quarry_types::{ChatError, Completion, ModelId, Price, ToolCall};
use secret::Secret;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

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
#[derive(Clone, PartialEq)]
pub struct AskParams {
    /// Its id.
    pub id: AskId,
    /// The question.
    pub query: String,
    /// The model.
    pub model: ModelSheet,
    /// Which model was asked for, when this one answers instead.
    pub fallback: Option<Fallback>,
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

impl fmt::Debug for AskParams {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskParams")
            .field("id", &self.id)
            .field("query", &self.query)
            .field("model", &self.model)
            .field("fallback", &self.fallback)
            .field("user", &self.user)
            .field("operator_keys", &self.operator_keys)
            .field("config", &self.config)
            .field("fence", &self.fence)
            .finish_non_exhaustive()
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Restored {
    synthesis_due: bool,
    /// The calls of an iteration that was interrupted; those without a response are yet to run.
    open_cycle: Vec<CycleCall>,
}

/// The ask machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    id: String,
    query: String,
    model: ModelSheet,
    #[serde(default)]
    fallback: Option<Fallback>,
    user: Option<User>,
    operator_keys: bool,
    config: AskConfig,
    fence: String,
    /// Never serialised: a checkpoint holds no secret.
    #[serde(skip)]
    secret: Secret,
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
            fallback: params.fallback,
            user: params.user,
            operator_keys: params.operator_keys,
            config: params.config,
            fence: params.fence,
            secret: Secret(params.secret),
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

    /// Gives a deserialised ask the secret that its checkpoint left out. Without it the
    /// continuation states that it writes are unsigned.
    #[must_use]
    pub fn with_secret(mut self, secret: Option<String>) -> Self {
        self.secret = Secret(secret);
        self
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
        let taken = match &self.fallback {
            None => "Quarry has taken the question.".to_owned(),
            Some(Fallback { requested, reason }) => format!(
                "Quarry has taken the question. {} answers instead of {requested}: {reason}.",
                self.model.id
            ),
        };
        self.log(&taken, now, out);
        let init = event::Init {
            id: Some(&self.id),
            query: &self.query,
            model: &self.model.id.to_string(),
            user: self.user.as_ref(),
            allow_env_fallback: self.operator_keys,
            language_model: self.model.is_language_model,
            context_profile: self.config.profile.as_str(),
            fallback: self.fallback.as_ref(),
            timestamp: &now.iso(),
        };
        emit(&mut self.sequence, out, EventName::Init, &init);
        match restored {
            None => self.begin_setup(now, out),
            Some(restored) => self.go_on(restored, now, out),
        }
    }

    fn on_text(&mut self, ticket: Ticket, text: &str, out: &mut Reaction) {
        if let Stage::Answering { pending, streamed } = &mut self.stage
            && pending.ticket == ticket
            && !text.is_empty()
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
        let under_way = self.under_way().into_iter().find(|pending| pending.ticket == ticket);
        let Some(pending) = under_way.cloned() else { return };
        let (result, cost) = self.settle(&pending, result, now, out);
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Setup { .. } => self.after_setup(result, cost, now, out),
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
        self.under_way().iter().any(|pending| pending.ticket == ticket)
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

/// Numbers an event and adds it. A payload that does not serialise (none should) is shown as an
/// empty object, so that the numbering has no gaps.
fn emit(sequence: &mut u64, out: &mut Reaction, name: EventName, payload: &impl Serialize) {
    *sequence += 1;
    let data = serde_json::to_string(payload).unwrap_or_else(|_| "{}".to_owned());
    out.events.push(Event { sequence: *sequence, name, data });
}
