//! One turn of a machine: what came in, and what goes out of it.

use quarry_events::{At, Event, Log, Payload, Stage, StageName, StageState, WaitReason, Waiting};
use quarry_tools::{Errand, Outcome};
use quarry_types::text::unended;
use quarry_types::{ChatError, ChatRequest, Completion, Timestamp};
use serde::{Deserialize, Serialize};

/// Names an effect until its outcome is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ticket(pub u64);

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// The machine begins, or goes on from where it was interrupted.
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
        /// Whether the try that failed may have been paid for.
        may_be_paid: bool,
    },
    /// A call ended.
    ModelDone {
        /// Which call.
        ticket: Ticket,
        /// The reply, or why there is none.
        result: Result<Completion, ChatError>,
    },
    /// A tool's errand ended.
    ToolDone {
        /// Which errand.
        ticket: Ticket,
        /// What it brought.
        outcome: Outcome,
    },
    /// Somebody asked for a stop.
    Stop,
    /// The client left, and configuration says to stop then. Nobody called it off: whoever wants the same again goes on.
    Left,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Call the model. Pieces of the reply are wanted as they come.
    CallModel {
        /// To be told with the outcome.
        ticket: Ticket,
        /// The request; holds no key.
        request: Box<ChatRequest>,
        /// Tries that may have been paid for and are followed by another, at most: the budget has room for those.
        lost_tries: u32,
    },
    /// Run a tool's errand.
    RunTool {
        /// To be told with the outcome.
        ticket: Ticket,
        /// What to do.
        errand: Errand,
    },
}

impl Effect {
    /// Whether it costs money or reaches beyond Quarry: it is then recorded before it starts.
    #[must_use]
    pub const fn must_be_announced(&self) -> bool {
        match self {
            Effect::CallModel { .. } => true,
            Effect::RunTool { errand, .. } => errand.touches_the_outside(),
        }
    }
}

/// A machine's answer to an input.
#[derive(Debug, Default, PartialEq)]
pub struct Reaction {
    /// To be shown and logged, in order.
    pub events: Vec<Event>,
    /// To be started now, side by side.
    pub effects: Vec<Effect>,
    /// Whether the machine has ended. Effects under way are then dropped.
    pub ended: bool,
    /// Whether it ended so that it can be gone on with: its checkpoint is then kept.
    pub resumable: bool,
}

/// The numbers that a machine has given out, and the stage that is open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbering {
    events: u64,
    tickets: u64,
    calls: u64,
    thoughts: u64,
    stages: u64,
    open: Option<OpenStage>,
}

impl Numbering {
    /// The number of the last event.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.events
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OpenStage {
    id: u64,
    name: StageName,
    iteration: Option<u32>,
}

/// One call of `handle`: the present, the numbers, and what goes out.
#[derive(Debug)]
pub struct Turn {
    /// The present.
    pub now: Timestamp,
    numbering: Numbering,
    reaction: Reaction,
}

impl Turn {
    /// A turn that goes on with these numbers.
    #[must_use]
    pub fn new(now: Timestamp, numbering: Numbering) -> Self {
        Turn { now, numbering, reaction: Reaction::default() }
    }

    /// The numbers, for the next turn, and what goes out.
    #[must_use]
    pub fn end(self, ended: bool) -> (Numbering, Reaction) {
        let mut reaction = self.reaction;
        reaction.ended = ended;
        if ended {
            reaction.effects.clear();
        }
        (self.numbering, reaction)
    }

    /// The present, as payloads write it.
    #[must_use]
    pub const fn at(&self) -> At {
        At(self.now)
    }

    /// Numbers an event and adds it. A last event closes what is open before it.
    pub fn emit<P: Payload>(&mut self, payload: &P) {
        if P::NAME.is_last() {
            self.end_stage();
        }
        self.numbering.events += 1;
        self.reaction.events.push(Event::new(self.numbering.events, payload));
    }

    /// A sentence about what is going on.
    pub fn log(&mut self, message: impl Into<String>) {
        let timestamp = self.at();
        self.emit(&Log { message: message.into(), timestamp });
    }

    /// A provider makes us wait.
    pub fn wait(&mut self, wait_ms: u64, reason: &str) {
        let seconds = wait_ms.div_ceil(1_000);
        self.log(format!("{}; trying again in {seconds} s", unended(reason)));
        let limited = reason.to_lowercase().contains("rate limit");
        let why = if limited { WaitReason::RateLimit } else { WaitReason::ProviderError };
        #[expect(clippy::cast_precision_loss, reason = "waits stay far below 2^53 ms")]
        let seconds = quarry_events::Seconds(wait_ms as f64 / 1_000.0);
        let timestamp = self.at();
        self.emit(&Waiting { seconds, why, message: reason.to_owned(), timestamp });
    }

    /// Begins a stage, and ends the one before it. One that is open already stays so.
    pub fn begin_stage(&mut self, name: StageName, iteration: Option<u32>) {
        let is_open = |open: &OpenStage| open.name == name && open.iteration == iteration;
        if self.numbering.open.as_ref().is_some_and(is_open) {
            return;
        }
        self.end_stage();
        self.numbering.stages += 1;
        let stage = OpenStage { id: self.numbering.stages, name, iteration };
        self.show_stage(&stage, StageState::Begun);
        self.numbering.open = Some(stage);
    }

    /// Ends the stage that is open.
    pub fn end_stage(&mut self) {
        if let Some(stage) = self.numbering.open.take() {
            self.show_stage(&stage, StageState::Ended);
        }
    }

    fn show_stage(&mut self, stage: &OpenStage, state: StageState) {
        let OpenStage { id, name, iteration } = *stage;
        let timestamp = self.at();
        self.emit(&Stage { id: format!("stage-{id}"), name, iteration, state, timestamp });
    }

    /// The name of the next effect.
    pub const fn ticket(&mut self) -> Ticket {
        self.numbering.tickets += 1;
        Ticket(self.numbering.tickets)
    }

    /// An id for a tool call, unique in the stream.
    pub fn call_id(&mut self) -> String {
        self.numbering.calls += 1;
        format!("call-{}", self.numbering.calls)
    }

    /// An id for a thought, unique in the stream.
    pub fn thought_id(&mut self) -> String {
        self.numbering.thoughts += 1;
        format!("thought-{}", self.numbering.thoughts)
    }

    /// Asks for an effect.
    pub fn perform(&mut self, effect: Effect) {
        self.reaction.effects.push(effect);
    }

    /// The machine ends so that it can be gone on with.
    pub const fn keep(&mut self) {
        self.reaction.resumable = true;
    }
}
