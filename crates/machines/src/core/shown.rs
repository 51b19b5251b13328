//! How requests and replies read in events: the reference's internal shapes (its section 19).

use quarry_evidence::Source;
use quarry_types::json::long;
use quarry_types::text::cut;
use quarry_types::{
    ChatRequest, Completion, FinishReason, Json, Message, ModelId, ReasoningEffort, Role, ToolCall,
    ToolSpec, Usage,
};
use serde::Serialize;
use serde_json::{Value, json};

/// Characters of a description that events show.
const DESCRIPTION: usize = 300;

/// Sources as events show them, without the text of their pages.
#[must_use]
pub fn listing<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Vec<quarry_events::Source> {
    let shown = |source: &Source| quarry_events::Source {
        n: source.n,
        title: source.title.clone(),
        url: source.url.clone(),
        date: source.date.clone(),
        description: cut(&source.description, DESCRIPTION),
    };
    sources.into_iter().map(shown).collect()
}

/// A request to a model; never a key.
// It borrows: conversations are long, and every call shows one.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ModelRequest"))]
pub struct Request<'a> {
    /// `provider:name`.
    model: &'a ModelId,
    /// The conversation.
    input: Vec<Item<'a>>,
    /// What the model may call.
    tools: Vec<Tool<'a>>,
    /// Options.
    options: Options<'a>,
}

/// A message, or the outcome of a tool call.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "InputItem"))]
#[serde(untagged)]
enum Item<'a> {
    /// The outcome of a tool call.
    Output {
        /// Which kind of item it is.
        #[serde(rename = "type")]
        kind: OutputType,
        /// The provider's id for the call.
        call_id: Option<&'a str>,
        /// What the model is told of it.
        #[serde(serialize_with = "long::serialize")]
        output: &'a str,
    },
    /// A message.
    Message {
        /// Who speaks.
        role: Role,
        /// The text.
        #[serde(serialize_with = "long::serialize")]
        content: &'a str,
        /// Calls that an assistant's message makes.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum OutputType {
    FunctionCallOutput,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum ToolType {
    Function,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum CallType {
    FunctionCall,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum ResponseFormat {
    JsonObject,
    JsonSchema,
}

/// A tool call as an assistant's message carries it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MessageCall"))]
struct Call<'a> {
    /// The provider's id for the call.
    id: &'a str,
    /// Always `function`.
    #[serde(rename = "type")]
    kind: ToolType,
    /// What is called.
    function: Function<'a>,
}

/// What a call calls.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Function<'a> {
    /// The tool.
    name: &'a str,
    /// A JSON text, as the model wrote it.
    #[serde(serialize_with = "long::serialize")]
    arguments: &'a str,
}

/// A tool that the model may call.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OfferedTool"))]
struct Tool<'a> {
    /// Always `function`.
    #[serde(rename = "type")]
    kind: ToolType,
    #[serde(flatten)]
    spec: &'a ToolSpec,
}

/// Options.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Options<'a> {
    /// Output ceiling.
    max_tokens: u32,
    /// Temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// The share of likely words that are drawn from; absent where nothing is asked for.
    #[serde(rename = "topP", skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    /// How long a reasoning model may think; null where nothing is asked for.
    #[serde(rename = "reasoningEffort")]
    reasoning_effort: Option<ReasoningEffort>,
    /// Milliseconds after which the call is given up.
    #[serde(rename = "timeoutMs")]
    timeout_ms: u64,
    /// Set where only JSON will do.
    #[serde(rename = "responseFormat", skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
    /// What that JSON must fit, with `json_schema`.
    #[serde(rename = "jsonSchema", skip_serializing_if = "Option::is_none")]
    json_schema: Option<&'a Json>,
}

impl<'a> Request<'a> {
    /// A request of which the provider gives up after so many milliseconds.
    #[must_use]
    pub fn new(request: &'a ChatRequest, timeout_ms: u64) -> Self {
        Request {
            model: &request.model,
            input: request.messages.iter().map(Item::from).collect(),
            tools: request
                .tools
                .iter()
                .map(|spec| Tool { kind: ToolType::Function, spec })
                .collect(),
            options: Options {
                max_tokens: request.max_output_tokens,
                temperature: request.temperature,
                top_p: request.top_p,
                reasoning_effort: request.reasoning_effort,
                timeout_ms,
                response_format: request.json.then_some(match &request.schema {
                    Some(_) => ResponseFormat::JsonSchema,
                    None => ResponseFormat::JsonObject,
                }),
                json_schema: request.schema.as_ref().map(|schema| &schema.schema),
            },
        }
    }
}

impl<'a> From<&'a Message> for Item<'a> {
    fn from(message: &'a Message) -> Self {
        match message.role {
            Role::Tool => Item::Output {
                kind: OutputType::FunctionCallOutput,
                call_id: message.tool_call_id.as_deref(),
                output: &message.content,
            },
            Role::System | Role::User | Role::Assistant => Item::Message {
                role: message.role,
                content: &message.content,
                tool_calls: message.tool_calls.iter().map(Call::from).collect(),
            },
        }
    }
}

impl<'a> From<&'a ToolCall> for Call<'a> {
    fn from(call: &'a ToolCall) -> Self {
        let function = Function { name: &call.name, arguments: &call.arguments };
        Call { id: &call.id, kind: ToolType::Function, function }
    }
}

/// A model's reply.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ModelResponse"))]
#[serde(rename_all = "camelCase")]
pub struct Response<'a> {
    /// Tool calls.
    output: Vec<FunctionCall<'a>>,
    /// Text.
    text: &'a str,
    /// What it used.
    usage: Used,
    /// The model that answered, in the provider's words.
    model: &'a str,
    /// Why it stopped.
    finish_reason: FinishReason,
    /// Tries that it took.
    attempts: u32,
}

/// A tool call that a model asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FunctionCall<'a> {
    /// Always `function_call`.
    #[serde(rename = "type")]
    kind: CallType,
    /// The provider's id for the call.
    id: &'a str,
    /// The same.
    call_id: &'a str,
    /// The tool.
    name: &'a str,
    /// A JSON text, as the model wrote it.
    #[serde(serialize_with = "long::serialize")]
    arguments: &'a str,
}

/// Tokens of one model call.
// With the field names that clients know from Chat Completions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Usage"))]
pub struct Used {
    /// All input.
    prompt_tokens: u64,
    /// All output.
    completion_tokens: u64,
    /// Both.
    total_tokens: u64,
    /// Of the input.
    cached_tokens: u64,
    /// Of the output.
    reasoning_tokens: u64,
    /// True when the provider reported nothing and the figures are estimates.
    estimated: bool,
}

impl<'a> From<&'a Completion> for Response<'a> {
    fn from(completion: &'a Completion) -> Self {
        Response {
            output: completion.tool_calls.iter().map(FunctionCall::from).collect(),
            text: &completion.text,
            usage: Used::from(&completion.usage),
            model: &completion.model,
            finish_reason: completion.finish_reason,
            attempts: completion.attempts,
        }
    }
}

impl<'a> From<&'a ToolCall> for FunctionCall<'a> {
    fn from(call: &'a ToolCall) -> Self {
        let ToolCall { id, name, arguments, .. } = call;
        FunctionCall { kind: CallType::FunctionCall, id, call_id: id, name, arguments }
    }
}

impl From<&Usage> for Used {
    fn from(usage: &Usage) -> Self {
        Used {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.total(),
            cached_tokens: usage.cached_input,
            reasoning_tokens: usage.reasoning,
            estimated: !usage.reported,
        }
    }
}

/// The sources of an answer: those that it numbers first, then the others, which are numbered on.
#[must_use]
pub fn numbered(sources: &[Source], places: &[usize]) -> Vec<quarry_events::Source> {
    let is_cited = |at: &usize| places.contains(at);
    let others = (0..sources.len()).filter(|at| !is_cited(at));
    let order = places.iter().copied().chain(others).filter_map(|at| sources.get(at));
    let mut listed = listing(order);
    for (n, source) in (1..).zip(&mut listed) {
        source.n = n;
    }
    listed
}

/// Usage as events carry it.
#[must_use]
pub fn usage(usage: &Usage) -> Value {
    json!(Used::from(usage))
}
