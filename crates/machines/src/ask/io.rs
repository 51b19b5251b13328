//! What goes into the machine and what comes out of it.

use super::{Job, ToolOutcome};
use quarry_events::Event;
use quarry_types::{ChatError, ChatRequest, Completion};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// Call the model. Pieces of the reply are wanted as they come.
    CallModel {
        /// To be told with the outcome.
        ticket: Ticket,
        /// The request; holds no key.
        request: Box<ChatRequest>,
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
