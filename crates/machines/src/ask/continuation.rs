//! The continuation state: what a client sends back to go on where an ask was interrupted.
//!
//! Its first seven fields are the reference's (section 5) and suffice for another process with no
//! memory of the ask; the others make the way back shorter. It is a view of the machine for
//! clients; what Quarry itself stores is the machine.

mod shrink;
mod sign;

use crate::core::Used;
use quarry_events::EndedEarly;
use quarry_types::ToolCall;
use quarry_types::json::put;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version that this code writes and reads.
pub const VERSION: u32 = 1;

/// The largest state, as JSON, in bytes. It travels in a request's body and comes back in one.
pub const MAX_BYTES: usize = 900_000;

/// The reference's fields: those suffice.
pub(crate) const SEVEN: [&str; 7] = [
    "toolCallCycles",
    "llmCalls",
    "searchResults",
    "currentIteration",
    "researchPlan",
    "totalCost",
    "totalTokens",
];

/// The same as a sentence has them.
fn seven() -> String {
    let [others @ .., last] = SEVEN;
    format!("{} and {last}", others.join(", "))
}

/// A tool call with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "KeptToolCall"))]
pub struct CycleCall {
    /// The call, as Chat Completions writes it.
    pub request: CallRequest,
    /// What came back: a JSON text; null while it has not come.
    #[serde(default)]
    pub response: Value,
    /// Milliseconds.
    #[serde(default)]
    pub duration: u64,
    /// US dollars of model calls inside the tool; null when unknown.
    #[serde(default)]
    pub cost: Option<f64>,
}

/// A tool call as Chat Completions writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct CallRequest {
    /// The provider's id for the call.
    #[serde(default)]
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type", default = "function")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = function())))]
    pub kind: String,
    /// Name and arguments.
    pub function: CallFunction,
}

/// Name and arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct CallFunction {
    /// The tool.
    pub name: String,
    /// A JSON text.
    #[serde(default)]
    pub arguments: String,
}

fn function() -> String {
    "function".to_owned()
}

impl CycleCall {
    /// A call that is yet to be answered.
    #[must_use]
    pub fn open(call: &ToolCall) -> Self {
        let (name, arguments) = (call.name.clone(), call.arguments.clone());
        CycleCall {
            request: CallRequest {
                id: call.id.clone(),
                kind: function(),
                function: CallFunction { name, arguments },
            },
            response: Value::Null,
            duration: 0,
            cost: None,
        }
    }

    /// Whether it is answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !self.response.is_null()
    }

    /// The call, as the conversation carries it.
    #[must_use]
    pub fn call(&self) -> ToolCall {
        ToolCall {
            id: self.request.id.clone(),
            name: self.request.function.name.clone(),
            arguments: self.request.function.arguments.clone(),
            // Nobody but the provider is shown it.
            signature: None,
        }
    }

    /// The output as the tool wrote it.
    #[must_use]
    pub fn output(&self) -> String {
        match &self.response {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// A model call that was made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "KeptModelCall"))]
pub struct KeptCall {
    /// What came back, as far as it is kept.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<KeptResponse<'static>>"))]
    pub response: Value,
    /// Accounts of the call.
    #[serde(default)]
    pub step: Option<KeptStep>,
    /// US dollars; null when no price is known.
    #[serde(default)]
    pub cost: Option<f64>,
    /// ISO 8601, UTC.
    #[serde(default)]
    pub timestamp: String,
}

/// What is kept of a model's reply.
// Written alone: a client may have kept it in another form, so it is read as any value.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptResponse<'a> {
    /// Its text.
    pub content: &'a str,
    /// What it used.
    pub usage: Used,
}

/// The accounts of a model call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct KeptStep {
    /// The phase, with the iteration where there is one.
    pub step_name: String,
    /// The phase alone.
    pub phase: String,
    /// `provider:name`.
    pub model: String,
    /// US dollars; null when no price is known.
    pub cost: Option<f64>,
    /// All input tokens.
    pub input_tokens: u64,
    /// All output tokens.
    pub output_tokens: u64,
    /// Of the input.
    pub cached_input_tokens: u64,
    /// Of the output.
    pub reasoning_tokens: u64,
    /// Whether the provider reported the figures; else they are estimates.
    pub reported: bool,
    /// Milliseconds.
    pub duration: u64,
    /// In words.
    pub description: String,
    /// ISO 8601, UTC.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub timestamp: String,
}

/// A source that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct KeptSource {
    /// Its number, from 1.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// When it was published, as the page says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The search that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// What the search engine said of it.
    pub description: String,
    /// Its text, as far as it was read.
    pub text: String,
}

/// What the set-up decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Setup"))]
#[serde(default)]
pub struct KeptSetup {
    /// The expert role.
    pub persona: String,
    /// The first questions.
    pub questions: Vec<String>,
    /// `short`, `medium` or `long`.
    pub response_length: String,
    /// `basic`, `detailed` or `comprehensive`.
    pub reasoning_level: String,
    /// For later calls: 0.1 to 0.9.
    pub temperature: f64,
}

/// The plan, with what the set-up decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResearchPlan"))]
#[serde(default)]
pub struct KeptPlan {
    /// The questions to look into.
    pub research_questions: Vec<String>,
    /// The expert role.
    pub optimal_persona: String,
    /// Why.
    pub reasoning: String,
    /// `low`, `medium` or `high`.
    pub complexity_assessment: String,
    /// The set-up before it.
    #[serde(rename = "setupData", skip_serializing_if = "Option::is_none")]
    pub setup: Option<KeptSetup>,
}

/// A model call whose use is unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct KeptUnsettled {
    /// The phase, with the iteration where there is one.
    pub step_name: String,
    /// `provider:name`.
    pub model: String,
    /// In words.
    pub reason: String,
    /// The most that it can have used, input and output together.
    pub most_tokens: u64,
    /// The most that it can have cost, in US dollars; null when no price is known.
    pub most_cost: Option<f64>,
}

/// Iterations that a state may have, and items of each of its lists.
const MOST_CYCLES: usize = 1_000;
const MOST_ITEMS: usize = 5_000;

/// Where an interrupted ask stands: enough to go on in another process. Send it back unchanged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ContinuationState {
    /// Tool calls with their outcomes, one list for each iteration.
    pub tool_call_cycles: Vec<Vec<CycleCall>>,
    /// Model calls made.
    pub llm_calls: Vec<KeptCall>,
    /// Sources found.
    pub search_results: Vec<KeptSource>,
    /// Iterations done.
    pub current_iteration: u32,
    /// The plan, once there is one.
    pub research_plan: Option<KeptPlan>,
    /// US dollars: the sum of the calls whose price is known; null in states of earlier versions.
    pub total_cost: Option<f64>,
    /// Input and output together.
    pub total_tokens: u64,
    /// Whether `totalCost` is the cost of every call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_known: Option<bool>,
    /// Calls whose cost is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpriced_calls: Option<usize>,
    /// Of this format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The interrupted ask.
    pub id: String,
    /// Its question; empty: the one in the request.
    pub query: String,
    /// Its model; empty: the one in the request.
    pub model: String,
    /// The set-up, once there is one.
    pub setup_data: Option<KeptSetup>,
    /// Whether only the final answer is missing.
    pub synthesis_due: bool,
    /// Whether a budget cut research short.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Why research ended before it was complete, where that was not a budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<EndedEarly>,
    /// The calls of an iteration that was interrupted; those without a response are yet to run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_cycle: Vec<CycleCall>,
    /// Model calls whose use is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<KeptUnsettled>,
    /// Made with the operator's `continuation_secret`; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// Why a state is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// No JSON text.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// Not the shape of a state.
    #[error(
        "continuationContext is not a continuation state: {0}; send back continuationState unchanged, or its fields {seven} (by themselves or in workState)", seven = seven()
    )]
    Shape(String),
    /// Another version.
    #[error("continuationContext has version {0}, this server reads version {VERSION}; ask again")]
    Version(u64),
    /// More than any ask comes to: whoever goes on from it looks at each with all that stand before it.
    #[error(
        "continuationContext has more than {most} {what}, which no ask comes to; send back continuationState unchanged"
    )]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Unsigned or wrongly signed.
    #[error("continuationContext was not made by this server or was altered; ask again")]
    Signature,
}

impl ContinuationState {
    /// Reads a state as a client sent it and checks its signature when a secret is given.
    ///
    /// The original's front end wraps what it collected itself into `workState`, with the set-up's
    /// persona and questions beside the seven fields; that is read, too.
    ///
    /// # Errors
    /// [`StateError`] says what is wrong and what is wanted.
    pub fn read(value: &Value, secret: Option<&str>) -> Result<Self, StateError> {
        let wrapped = value.get("workState").filter(|state| state.is_object());
        let state = wrapped.unwrap_or(value);
        match state.get("version").map(Value::as_u64) {
            Some(Some(version)) if version == u64::from(VERSION) => {}
            Some(version) => return Err(StateError::Version(version.unwrap_or_default())),
            // The reference's seven fields alone are a state too.
            None if state.get("toolCallCycles").is_some_and(Value::is_array) => {}
            None => return Err(StateError::Shape("toolCallCycles is missing".to_owned())),
        }
        if let Some(secret) = secret
            && !sign::is_signed(secret, state)
        {
            return Err(StateError::Signature);
        }
        let mut read: ContinuationState = serde_json::from_value(state.clone())
            .map_err(|error| StateError::Shape(error.to_string()))?;
        read.is_possible()?;
        if read.setup_data.is_none() {
            read.setup_data = collected_setup(state);
        }
        Ok(read)
    }

    fn is_possible(&self) -> Result<(), StateError> {
        let calls = || self.tool_call_cycles.iter().flatten().chain(&self.open_cycle);
        let results = |call: &CycleCall| {
            call.response.get("results").and_then(Value::as_array).map_or(0, Vec::len)
        };
        let lists = [
            ("iterations", self.tool_call_cycles.len(), MOST_CYCLES),
            ("tool calls", calls().count(), MOST_ITEMS),
            ("results", calls().map(results).sum(), MOST_ITEMS),
            ("model calls", self.llm_calls.len(), MOST_ITEMS),
            ("sources", self.search_results.len(), MOST_ITEMS),
            ("unsettled calls", self.unsettled.len(), MOST_ITEMS),
        ];
        match lists.into_iter().find(|(_, count, most)| count > most) {
            Some((what, _, most)) => Err(StateError::TooMany { what, most }),
            None => Ok(()),
        }
    }

    /// The state as JSON within [`MAX_BYTES`], signed when a secret is given. The flag says
    /// whether anything had to be dropped; the oldest goes first.
    #[must_use]
    pub fn write(mut self, secret: Option<&str>) -> (Value, bool) {
        self.signature = None;
        let dropped = shrink::texts(&mut self);
        let mut value = serde_json::to_value(&self).unwrap_or_default();
        let cut = shrink::surely(&mut value);
        if let Some(secret) = secret {
            let signature = sign::signature(secret, &value);
            put(&mut value, "signature", signature);
        }
        (value, dropped || cut)
    }
}

/// The set-up as the original's front end collects it: persona and questions, nothing more.
fn collected_setup(state: &Value) -> Option<KeptSetup> {
    let persona = state.get("persona")?.as_str()?.to_owned();
    let questions = state.get("questions").and_then(Value::as_array).into_iter().flatten();
    let questions: Vec<String> = questions.filter_map(Value::as_str).map(str::to_owned).collect();
    Some(KeptSetup { persona, questions, ..KeptSetup::default() })
}

#[cfg(test)]
mod tests;
