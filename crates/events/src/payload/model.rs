//! Model calls: what was asked, what came back, what it cost.

use crate::{At, Json, StepKind};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// `llm_call`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LlmCall {
    /// Which half of the ask begins.
    #[serde(rename = "type")]
    pub kind: StepKind,
    /// `provider:name`.
    pub model: String,
    /// The beginning of the prompt, for `setup_query`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_preview: Option<String>,
    /// The expert role, for `query_cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The first questions, for `query_cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<String>>,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `llm_request`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LlmRequest {
    /// What the call is for: `initial_setup`, `planning`, `tool_iteration`, `search_summary`, `final_synthesis`, or
    /// `final_format` where a program wants the answer in a form.
    pub phase: String,
    /// For calls of an iteration, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// `provider:name`.
    pub model: String,
    /// Model, input, tools and options; never a key.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::model_request"))]
    pub request: Json,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `llm_response`: of a call that was made now, or restored from before an interruption.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LlmResponse {
    /// Made now.
    Made(MadeResponse),
    /// Made before an interruption.
    Restored(RestoredResponse),
}

/// A model's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MadeResponse {
    /// As in the request.
    pub phase: String,
    /// As in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// `provider:name`.
    pub model: String,
    /// Output, text, usage.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::model_response"))]
    pub response: Json,
    /// US dollars.
    pub cost: f64,
    /// Whether `cost` is known.
    #[serde(rename = "costKnown")]
    pub cost_known: bool,
    /// Milliseconds.
    pub duration: u64,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// The mark of a restored reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RestoredKind {
    /// Its only value.
    ContinuationRestore,
}

/// A model's reply from before an interruption.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RestoredResponse {
    /// Always `continuation_restore`.
    #[serde(rename = "type")]
    pub kind: RestoredKind,
    /// The call's place among all calls, from 1.
    pub iteration: usize,
    /// What the call was for.
    pub phase: String,
    /// `provider:name`.
    pub model: String,
    /// Its text.
    pub content: String,
    /// The response as far as it is kept.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::restored_response"))]
    pub response: Json,
    /// Its usage as far as it is kept.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::usage"))]
    pub usage: Value,
    /// US dollars.
    pub cost: f64,
    /// Whether `cost` is known.
    #[serde(rename = "costKnown")]
    pub cost_known: bool,
    /// Always true.
    pub continued: bool,
    /// When it was made; of states that do not say, when it was restored.
    pub timestamp: At,
}

impl<'de> Deserialize<'de> for LlmResponse {
    /// By hand: text that is passed through cannot be read by trying one variant after another.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Peek {
            #[serde(default)]
            continued: bool,
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let read = match serde_json::from_str::<Peek>(text.get()).map_err(D::Error::custom)? {
            Peek { continued: true } => serde_json::from_str(text.get()).map(Self::Restored),
            Peek { continued: false } => serde_json::from_str(text.get()).map(Self::Made),
        };
        read.map_err(D::Error::custom)
    }
}

/// `thought`: the model's own words, neither an answer nor evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thought {
    /// Unique in the ask.
    pub id: String,
    /// The research iteration, from 1.
    pub iteration: u32,
    /// Its first words, to be shown in one line.
    pub title: String,
    /// All of it.
    pub text: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// Tokens of several calls together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenCounts {
    /// Input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Both.
    pub total: u64,
}

/// What one model call used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StepCost {
    /// The phase, with the iteration where there is one.
    pub step_name: String,
    /// The phase alone.
    pub phase: String,
    /// `provider:name`.
    pub model: String,
    /// US dollars.
    pub cost: f64,
    /// Whether `cost` is known.
    pub cost_known: bool,
    /// All input.
    pub input_tokens: u64,
    /// All output.
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
    /// ISO 8601, UTC: when the call ended.
    pub timestamp: At,
}

/// A model call whose use nobody told: it broke off, or was dropped while under way. The sums do
/// not have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnsettledCall {
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

/// `cost_summary`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostSummary {
    /// US dollars: the sum of the calls whose price is known.
    pub total_cost: f64,
    /// Whether that is the cost of every call.
    pub cost_known: bool,
    /// Calls whose cost is unknown, those in `unsettledCalls` too.
    pub unpriced_calls: usize,
    /// Sums.
    pub token_counts: TokenCounts,
    /// One for each model call, in the order in which they ended.
    pub step_costs: Vec<StepCost>,
    /// The model without its provider.
    pub model_name: String,
    /// The provider.
    pub provider: String,
    /// Calls that the sums do not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled_calls: Vec<UnsettledCall>,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// What an ask cost, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CostTotals {
    /// US dollars: the sum of the calls whose price is known.
    pub total_cost: f64,
    /// Whether that is the cost of every call.
    pub cost_known: bool,
    /// Calls whose cost is unknown.
    pub unpriced_calls: usize,
    /// Input and output together.
    pub total_tokens: u64,
    /// The model without its provider.
    pub model_name: String,
}
