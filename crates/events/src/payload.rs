//! Events: what a client of an ask sees, one type for each name.
//!
//! Names, payload fields and their spelling are a public API. Source: the ask contract and the
//! event taxonomy it rests on. A field may be added; none may be renamed, dropped or retyped.

use crate::EventName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// 1 for the first event of an ask, then without gaps.
    pub sequence: u64,
    /// Its name.
    pub name: EventName,
    /// Its payload: one line of JSON.
    pub data: String,
}

/// `log`.
#[derive(Debug, Serialize)]
pub struct Log<'a> {
    /// The sentence.
    pub message: &'a str,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// Who asks, as far as events show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// From a verified identity token.
    pub email: Option<String>,
    /// From a verified identity token.
    pub name: Option<String>,
}

/// Which model was asked for where another one answers: `fallback` of `init` and `final_answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    /// `provider:name`.
    pub requested: String,
    /// Why it does not answer, in words.
    pub reason: String,
}

/// `init`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Init<'a> {
    /// The ask's id, for rejoining, stopping and resuming; null for an ask that was refused.
    pub id: Option<&'a str>,
    /// The question.
    pub query: &'a str,
    /// `provider:name`.
    pub model: &'a str,
    /// The caller, when identified.
    pub user: Option<&'a User>,
    /// Whether the operator's keys may be used.
    pub allow_env_fallback: bool,
    /// False when answers come from `local:extractive`.
    pub language_model: bool,
    /// `frugal` or `roomy`.
    pub context_profile: &'a str,
    /// Present when another model answers than the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<&'a Fallback>,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `step`.
#[derive(Debug, Serialize)]
pub struct Step<'a> {
    /// `setup_query` or `query_cycle`.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// In words.
    pub message: &'a str,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `llm_call`.
#[derive(Debug, Serialize)]
pub struct LlmCall<'a> {
    /// `setup_query` or `query_cycle`.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// `provider:name`.
    pub model: &'a str,
    /// The beginning of the prompt, for `setup_query`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_preview: Option<&'a str>,
    /// For `query_cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<&'a str>,
    /// For `query_cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<&'a [String]>,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `llm_request`.
#[derive(Debug, Serialize)]
pub struct LlmRequest<'a, R: Serialize> {
    /// `initial_setup`, `planning`, `tool_iteration`, `search_summary` or `final_synthesis`.
    pub phase: &'a str,
    /// For `tool_iteration`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// `provider:name`.
    pub model: &'a str,
    /// Model, input, tools and options; never a key.
    pub request: R,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `llm_response`.
#[derive(Debug, Serialize)]
pub struct LlmResponse<'a> {
    /// As in the request.
    pub phase: &'a str,
    /// As in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// `provider:name`.
    pub model: &'a str,
    /// Output, text, usage.
    pub response: Value,
    /// US dollars; null when no price is known.
    pub cost: Option<f64>,
    /// Milliseconds.
    pub duration: u64,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `llm_response` for a call made before an interruption.
#[derive(Debug, Serialize)]
pub struct RestoredLlmResponse<'a> {
    /// Always `continuation_restore`.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// The call's place among all calls, from 1.
    pub iteration: usize,
    /// Its phase.
    pub phase: &'a str,
    /// Its model.
    pub model: &'a str,
    /// Its text.
    pub content: &'a str,
    /// The response as far as it is kept.
    pub response: &'a Value,
    /// Its usage.
    pub usage: &'a Value,
    /// Its cost.
    pub cost: Option<f64>,
    /// Always true.
    pub continued: bool,
    /// When it was made.
    pub timestamp: &'a str,
}

/// `setup_complete`.
#[derive(Debug, Serialize)]
pub struct SetupComplete<'a> {
    /// The expert role.
    pub persona: &'a str,
    /// The first questions.
    pub questions: &'a [String],
    /// `short`, `medium` or `long`.
    pub response_length: &'a str,
    /// `basic`, `detailed` or `comprehensive`.
    pub reasoning_level: &'a str,
    /// For later calls.
    pub temperature: f64,
    /// US dollars of the set-up call; null when unknown.
    pub cost: Option<f64>,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `persona`.
#[derive(Debug, Serialize)]
pub struct Persona<'a> {
    /// The expert role.
    pub persona: &'a str,
    /// How many questions to research.
    pub research_questions_needed: usize,
    /// Why.
    pub reasoning: &'a str,
}

/// `research_questions`.
#[derive(Debug, Serialize)]
pub struct ResearchQuestions<'a> {
    /// The questions.
    pub questions: &'a [String],
    /// How many.
    pub questions_needed: usize,
    /// Why.
    pub reasoning: &'a str,
}

/// One call in `tools`.
#[derive(Debug, Serialize)]
pub struct PendingCall<'a> {
    /// From 1.
    pub iteration: u32,
    /// The provider's id for the call.
    pub call_id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a Value,
}

/// `tools`.
#[derive(Debug, Serialize)]
pub struct Tools<'a> {
    /// From 1.
    pub iteration: u32,
    /// How many calls are under way.
    pub pending: usize,
    /// The calls.
    pub calls: Vec<PendingCall<'a>>,
}

/// `tool_result`.
#[derive(Debug, Serialize)]
pub struct ToolResult<'a> {
    /// From 1.
    pub iteration: u32,
    /// The provider's id for the call.
    pub call_id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a Value,
    /// The result, a JSON text.
    pub output: &'a str,
    /// Milliseconds.
    pub duration: u64,
    /// US dollars of model calls inside the tool; 0 where there were none.
    pub cost: Option<f64>,
    /// True when the call was made before an interruption.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
}

/// `answer_delta`.
#[derive(Debug, Serialize)]
pub struct AnswerDelta<'a> {
    /// The next piece of the answer.
    pub text: &'a str,
}

/// Token sums in `cost_summary`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TokenCounts {
    /// Input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Both.
    pub total: u64,
}

/// `final_answer`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FinalAnswer<'a> {
    /// The answer, Markdown.
    pub content: &'a str,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
    /// Sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_summary: Option<Value>,
    /// What the answer may cite, numbered as in the evidence.
    pub sources: Value,
    /// True when research was cut short by a budget.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// As in `init`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<&'a Fallback>,
}

/// `complete`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complete<'a> {
    /// Everything about the ask in one object.
    pub result: Value,
    /// Milliseconds.
    pub execution_time: u64,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `error`.
#[derive(Debug, Serialize)]
pub struct Failure<'a> {
    /// What went wrong and what to do, in words.
    pub error: &'a str,
    /// Machine-readable kind.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// What had been found by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}

/// `quota_exceeded`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotaExceeded<'a> {
    /// In words.
    pub message: &'a str,
    /// Seconds.
    pub wait_time: Value,
    /// Send it back as `continuationContext`.
    pub continuation_state: Value,
    /// ISO 8601, UTC.
    pub timestamp: &'a str,
}
