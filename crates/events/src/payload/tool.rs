//! Tool calls and what they find.

use crate::At;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool call that begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PendingCall {
    /// The research iteration, from 1.
    pub iteration: u32,
    /// The provider's id for the call. It may be empty or come twice; `id` does not.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
    /// The call in a line for people, whatever the tool.
    pub line: String,
    /// Unique in the ask; the same in `tool_result`.
    pub id: String,
}

/// `tools`: these calls begin now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tools {
    /// The research iteration, from 1.
    pub iteration: u32,
    /// How many calls.
    pub pending: usize,
    /// The calls.
    pub calls: Vec<PendingCall>,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// Why a tool call brought nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// The arguments do not fit the tool's schema.
    RefusedArguments,
    /// There is no such tool.
    UnknownTool,
    /// It did not end in time.
    Timeout,
    /// It reached a limit other than time: memory, output, calls at once, the budget.
    Limit,
    /// The address is refused, or the site keeps programs out.
    Blocked,
    /// The page does not exist.
    NotFound,
    /// What the tool needs is away or not configured.
    Unavailable,
    /// It failed in its own way; for programs, they threw.
    Failed,
}

/// Why a tool call brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolError {
    /// The kind, for programs.
    pub kind: ToolErrorKind,
    /// In words.
    pub message: String,
}

/// `tool_result`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolResult {
    /// The research iteration, from 1.
    pub iteration: u32,
    /// The provider's id for the call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
    /// The call in a line for people, as in `tools`.
    pub line: String,
    /// The result, a JSON text.
    pub output: String,
    /// Milliseconds.
    pub duration: u64,
    /// US dollars of model calls inside the tool; 0 where there were none.
    pub cost: f64,
    /// Whether `cost` is known.
    #[serde(rename = "costKnown")]
    pub cost_known: bool,
    /// True when the call was made before an interruption.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
    /// Unique in the ask; as in `tools`.
    pub id: String,
    /// Whether the tool did what it was asked to.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// The addresses that it found or read.
    pub urls: Vec<String>,
    /// The numbers of the sources among the evidence that it found or read.
    pub found: Vec<usize>,
    /// ISO 8601, UTC: when the call ended.
    pub timestamp: At,
}

/// What an answer may cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Its number, from 1: in `sources` and `found` that of the evidence; in `final_answer` and `complete`
    /// that of the answer, which its citations have.
    pub n: usize,
    /// Its title, or its address.
    pub title: String,
    /// Address.
    pub url: String,
    /// When it was published, as the page says.
    pub date: Option<String>,
    /// The search engine's words.
    pub description: String,
}

/// `sources`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sources {
    /// Those that were not known before.
    pub added: Vec<Source>,
    /// ISO 8601, UTC.
    pub timestamp: At,
}
