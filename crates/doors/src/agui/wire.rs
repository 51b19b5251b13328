//! The events of AG-UI 1.0 that an ask becomes, as they are written. No optional field is ever null: clients that
//! check events refuse that.

use serde::Serialize;
use serde_json::Value;

use crate::frames;

/// One event, with its time.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AgUiEvent"))]
#[cfg_attr(feature = "schema", schemars(transform = in_each))]
pub(crate) struct Timed<'a> {
    /// The event.
    #[serde(flatten)]
    pub frame: &'a Frame<'a>,
    /// Of all events.
    #[serde(flatten)]
    pub when: When,
}

/// When an event was.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct When {
    /// When what it tells happened, in milliseconds since 1970; absent where nothing says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<u64>,
}

impl Timed<'_> {
    /// Writes the frame: what serde makes of it, without its way of putting one object into another.
    pub fn write(&self, out: &mut Vec<u8>) {
        frames::data_beside(self.frame, &self.when, out);
    }
}

/// Puts what all events have into each of them: whoever is strict about one looks nowhere else.
#[cfg(feature = "schema")]
fn in_each(schema: &mut schemars::Schema) {
    schema.remove("type");
    let Some(Value::Object(shared)) = schema.remove("properties") else { return };
    let Some(Value::Array(each)) = schema.get_mut("oneOf") else { return };
    for properties in each.iter_mut().filter_map(|one| one.get_mut("properties")?.as_object_mut()) {
        properties.extend(shared.clone());
    }
}

/// What is told.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub(crate) enum Frame<'a> {
    /// The first one.
    RunStarted {
        /// As it was sent.
        thread_id: &'a str,
        /// As it was sent.
        run_id: &'a str,
        /// As it was sent.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_run_id: Option<&'a str>,
        /// `1.0`.
        protocol_version: &'static str,
    },
    /// The state as it begins.
    StateSnapshot {
        /// Status, question, questions, sources, cost.
        snapshot: State,
    },
    /// What changes in it.
    StateDelta {
        /// RFC 6902.
        delta: [Change<'a>; 1],
    },
    /// A stage begins.
    StepStarted {
        /// `setup`, `planning`, `research` with its round, `answer`.
        step_name: &'a str,
    },
    /// It ends.
    StepFinished {
        /// As it began.
        step_name: &'a str,
    },
    /// What goes on.
    ReasoningStart {
        /// The message.
        message_id: &'a str,
    },
    /// Its message begins.
    ReasoningMessageStart {
        /// The message.
        message_id: &'a str,
        /// `reasoning`.
        role: &'static str,
    },
    /// Its text.
    ReasoningMessageContent {
        /// The message.
        message_id: &'a str,
        /// Never empty.
        delta: &'a str,
    },
    /// Its message ends.
    ReasoningMessageEnd {
        /// The message.
        message_id: &'a str,
    },
    /// It ends.
    ReasoningEnd {
        /// The message.
        message_id: &'a str,
    },
    /// A tool call begins.
    ToolCallStart {
        /// The call.
        tool_call_id: &'a str,
        /// The tool.
        tool_call_name: &'a str,
        /// The message that it belongs to.
        parent_message_id: &'a str,
    },
    /// Its arguments.
    ToolCallArgs {
        /// The call.
        tool_call_id: &'a str,
        /// JSON.
        delta: &'a str,
    },
    /// Its arguments end.
    ToolCallEnd {
        /// The call.
        tool_call_id: &'a str,
    },
    /// What it came to.
    ToolCallResult {
        /// A message of its own.
        message_id: &'a str,
        /// The call.
        tool_call_id: &'a str,
        /// At most 4 KiB.
        content: &'a str,
        /// `tool`.
        role: &'static str,
    },
    /// The answer begins.
    TextMessageStart {
        /// The message.
        message_id: &'a str,
        /// `assistant`.
        role: &'static str,
    },
    /// A piece of it.
    TextMessageContent {
        /// The message.
        message_id: &'a str,
        /// Never empty.
        delta: &'a str,
    },
    /// It ends.
    TextMessageEnd {
        /// The message.
        message_id: &'a str,
    },
    /// `quarry.citations`: what the answer cites, with places in code points.
    Custom {
        /// `quarry.citations`.
        name: &'static str,
        /// The citations.
        value: Value,
    },
    /// The last one of an ask that was answered, stopped, or waits for a provider.
    RunFinished {
        /// As it was sent.
        thread_id: &'a str,
        /// As it was sent.
        run_id: &'a str,
        /// How.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<Outcome<'a>>,
        /// What each model used, where that is known of every call.
        #[serde(skip_serializing_if = "<[TokenUsage]>::is_empty")]
        usage: &'a [TokenUsage],
        /// The ask, how its answer ended, its cost where it is known, and `turnsLeftOut`, where the model has no room for so
        /// many of the oldest messages.
        result: Value,
    },
    /// The last one of an ask that failed.
    RunError {
        /// In words.
        message: &'a str,
        /// For programs.
        code: &'a str,
        /// What each model used, where that is known of every call.
        #[serde(skip_serializing_if = "<[TokenUsage]>::is_empty")]
        usage: &'a [TokenUsage],
    },
}

/// The state as it begins.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct State {
    /// `running`.
    pub status: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// What is researched.
    pub questions: [&'static str; 0],
    /// What was found.
    pub sources: [&'static str; 0],
    /// US dollars; null until it is known of every call.
    pub cost: Option<f64>,
}

/// A change of it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Change<'a> {
    /// `add` or `replace`.
    pub op: &'static str,
    /// Of what.
    pub path: &'static str,
    /// What it is now.
    pub value: New<'a>,
}

/// What something in the state is now.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub(crate) enum New<'a> {
    /// A status, or the question.
    Text(&'a str),
    /// The questions.
    Texts(&'a [String]),
    /// US dollars.
    Number(f64),
    /// A source.
    Source {
        /// Its number among the evidence.
        n: usize,
        /// Its title, or its address.
        title: &'a str,
        /// Its address.
        url: &'a str,
    },
}

/// How a run ended. It is absent where the run was stopped and the input named no version: before 1.0 there is no word for that.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Outcome<'a> {
    /// With an answer.
    Success,
    /// On request, before it.
    Cancelled,
    /// A provider's limit: it can be gone on with.
    Interrupt {
        /// One.
        interrupts: [Interrupt<'a>; 1],
    },
}

/// What a run waits for.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Interrupt<'a> {
    /// To be sent back in `resume`.
    pub id: &'a str,
    /// `rate_limited`.
    pub reason: &'static str,
    /// In words.
    pub message: &'a str,
    /// `waitSeconds` and `resumeAfter`.
    pub metadata: Value,
}

/// What a model used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenUsage {
    /// Whose it is.
    pub provider: String,
    /// Its name there.
    pub model: String,
    /// All input.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// Both.
    pub total_tokens: u64,
    /// Of the output.
    pub reasoning_tokens: u64,
    /// Of the input.
    pub cached_input_tokens: u64,
}
