//! What happens to a run beside its research: cost, waits, guidance, failures.

use crate::run::{Role, WaitingFor};
use quarry_evidence::{Conflict, Side};
use quarry_types::Knobs;
use serde::{Deserialize, Serialize};

/// `cost_updated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostUpdated {
    /// What the last call was for; the vector of a question to documents counts as reading.
    pub role: Role,
    /// `provider:name` of the model that was called, or `question_embedding` where only that is known.
    pub model: String,
    /// Its cost in US dollars; none where it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_cost: Option<f64>,
    /// Its tokens, in and out.
    pub call_tokens: u64,
    /// US dollars of all calls, as far as they are known.
    pub cost: f64,
    /// Whether every call's cost is known.
    pub cost_known: bool,
    /// Tokens of all calls.
    pub tokens: u64,
    /// Paid calls whose use is unknown, because their instance died or could not store what came of them.
    pub unsettled_calls: u64,
}

/// `conflict_found`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictFound {
    /// Who contradicts whom, and who is believed.
    pub conflict: Conflict,
    /// The findings that say one and the other.
    pub finding_ids: Vec<String>,
    /// A third sentence that says what each of them means; the conflict is told again when it is found later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained_by: Option<Side>,
}

impl ConflictFound {
    /// Whether nothing settles it: neither tells which is right, nor what each means.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.conflict.reason.is_none() && self.explained_by.is_none()
    }
}

/// `guidance_received`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GuidanceReceived {
    /// What the person said.
    pub text: String,
}

/// `run_waiting`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunWaiting {
    /// What for.
    pub waiting: WaitingFor,
}

/// `run_resumed`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunResumed {
    /// Whether somebody asked for it; else its time had come.
    pub by_request: bool,
    /// Of a fork: the run whose beginning it shares. What follows here holds in the place of what that was begun with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// Of a fork: what is to be found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Of a fork: `provider:name` of its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Of a fork, and where they have grown: every knob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Knobs>,
}

/// `step_failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepFailed {
    /// What failed, in a few words.
    pub step: String,
    /// Why, in a sentence.
    pub message: String,
    /// Times it was tried.
    pub attempts: u32,
    /// What stands in for it.
    pub fallback: String,
}

/// `checkpoint_saved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckpointSaved {
    /// Counts them, from 1.
    pub number: u64,
}
