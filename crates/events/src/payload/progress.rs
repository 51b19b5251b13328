//! Where an ask stands: its beginning, its stages, its plan, its waits.

use crate::run::{RunBudget, SearchedIn};
use crate::{At, Fallback, Seconds};
use quarry_types::{CollectionName, ReasoningEffort};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `log`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Log {
    /// The sentence.
    pub message: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// The caller, from a verified ID token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct User {
    /// Address.
    pub email: Option<String>,
    /// Name.
    pub name: Option<String>,
}

/// What a request says itself of how it is answered: what it leaves out was the server's to choose. Names and values
/// are those of the body of `POST /ask`, and where that takes none those of the other doors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AskedFor {
    /// Hard limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<RunBudget>,
    /// Tool iterations at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// Where evidence may come from, where that is not the web alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SearchedIn>,
    /// The collection that searches of documents have which name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<CollectionName>,
    /// That the model judges doubtful citations.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verify_with_model: bool,
    /// How much thought and research there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<ReasoningEffort>,
    /// Sites that searches and pages keep to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_domains: Vec<String>,
    /// Tool calls of all iterations at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u32>,
    /// How the answer is to be, in the caller's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The answer's form, where that is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<AskedForm>,
}

/// A form of the answer, as `text.format` of a response says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AskedForm {
    /// One JSON object.
    JsonObject,
    /// One JSON object that fits a schema.
    JsonSchema {
        /// Letters, digits, `_` and `-`.
        name: String,
        /// JSON Schema.
        schema: Value,
        /// Whether the provider is to hold the model to it as it writes, where it can.
        strict: bool,
    },
}

/// `init`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Init {
    /// The ask's id, for rejoining, stopping and resuming; null for an ask that was refused.
    pub id: Option<String>,
    /// The question as it was asked.
    pub query: String,
    /// `provider:name`: the model that answers.
    pub model: String,
    /// The caller, when identified.
    pub user: Option<User>,
    /// Whether the operator's provider keys may be used.
    pub allow_env_fallback: bool,
    /// False when the answer comes from `local:extractive`.
    pub language_model: bool,
    /// `frugal` or `roomy`.
    pub context_profile: String,
    /// The question as it is researched. After a conversation the set-up makes one of it that stands
    /// alone: `setup_complete` has that.
    pub question: String,
    /// How many earlier turns of the conversation the ask was given.
    pub turns: usize,
    /// How many more there were, the oldest, for which the model has no room. Absent: none.
    #[serde(default, skip_serializing_if = "super::answer::is_zero")]
    pub turns_left_out: usize,
    /// Absent where it says nothing but its question and its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<AskedFor>,
    /// Set when another model answers than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// What a reader is told where so many turns of a conversation are left out; none: there is nothing to tell.
#[must_use]
pub fn left_out_line(turns: usize) -> Option<String> {
    let what = match turns {
        0 => return None,
        1 => "oldest turn of the conversation is left out: the model has no room for it".to_owned(),
        _ => format!(
            "{turns} oldest turns of the conversation are left out: the model has no room for them"
        ),
    };
    Some(format!("The {what}"))
}

/// Which half of an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// How to answer.
    SetupQuery,
    /// Planning, research and the answer.
    QueryCycle,
}

/// `step`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Which half.
    #[serde(rename = "type")]
    pub kind: StepKind,
    /// In words.
    pub message: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// A stage of an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StageName {
    /// How to answer.
    Setup,
    /// What to look into.
    Planning,
    /// One iteration of model and tools.
    Research,
    /// The answer is written.
    Answer,
    /// Documents of one's own are searched.
    Retrieve,
    /// What was found becomes what the model is shown.
    Context,
    /// The model writes.
    Generate,
    /// Its citations are matched and told.
    Citations,
}

/// Whether a stage begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StageState {
    /// It begins.
    Begun,
    /// It ends.
    Ended,
}

/// `stage`. Every stage that begins also ends, before the last event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stage {
    /// Unique in the ask; the same when the stage begins and when it ends.
    pub id: String,
    /// Which stage.
    pub name: StageName,
    /// For `research`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// Whether it begins or ends.
    pub state: StageState,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `setup_complete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupComplete {
    /// The expert role.
    pub persona: String,
    /// The first questions.
    pub questions: Vec<String>,
    /// `short`, `medium` or `long`.
    pub response_length: String,
    /// `basic`, `detailed` or `comprehensive`.
    pub reasoning_level: String,
    /// For later calls.
    pub temperature: f64,
    /// The question as it is researched, where a conversation stood before it: it stands alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// US dollars of the set-up call.
    pub cost: f64,
    /// Whether `cost` is known.
    #[serde(rename = "costKnown")]
    pub cost_known: bool,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `persona`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Persona {
    /// The expert role.
    pub persona: String,
    /// How many questions to research.
    pub research_questions_needed: usize,
    /// Why.
    pub reasoning: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// `research_questions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResearchQuestions {
    /// The questions.
    pub questions: Vec<String>,
    /// How many.
    pub questions_needed: usize,
    /// Why.
    pub reasoning: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}

/// Why an ask waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// The provider's rate limit.
    RateLimit,
    /// The provider failed or broke off; the call is tried again.
    ProviderError,
}

/// `waiting`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// How long, from `timestamp` on.
    pub seconds: Seconds,
    /// Why.
    pub why: WaitReason,
    /// Why, in words.
    pub message: String,
    /// ISO 8601, UTC.
    pub timestamp: At,
}
