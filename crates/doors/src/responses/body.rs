//! The body of `POST /v1/responses`, read and checked.
//!
//! Border: each field is honoured, refused, or named among those that are ignored; none is dropped in silence. The
//! types here are the parser and the schema of the document at once.

use std::mem::take;

use quarry_types::ReasoningEffort;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::PREFIX;
use super::input::Input;
use super::record::Record;
use super::reference::Reference;
use super::tools::{Choice, ToolChoice, Tools};
use super::turns::Instructing;
use super::wire::Format;
use crate::chat::{Effort, Temperature, TopP};
use crate::json_field::{AboveZero, Field, Given, Known, Object, Text, Whole, is_blank, names};
use crate::native::MAX_MODEL_CHARACTERS;
use crate::order::{AskRequest, Continuation, Form as AnswerForm, Unkept};
use crate::talk::form::{self, Named};
use crate::talk::{
    self, Extension, Gist, MAX_GIVEN_INSTRUCTIONS, MAX_INSTRUCTIONS, Metadata, Progress, Talk,
    Within,
};
use crate::{Refusal, Sources};

/// How long the log of what is not to be stored is kept after its end: its client may come back for the stream.
const UNSTORED_MS: u64 = 10 * 60 * 1_000;

/// Where evidence comes from where no tool is named.
const EVERYTHING: Sources = Sources { web: true, knowledge: true, program: true };

/// Characters of what is shown again and not used.
const MAX_ECHO: usize = 256;

/// A request for a response. Fields that are not listed are ignored; `X-Quarry-Ignored` names them.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ResponseRequest"))]
pub(crate) struct Body {
    /// The question, or the items of a conversation whose last message is the question. An `item_reference` stands for
    /// an item of a response that the same caller began and that is kept. It may be left out only with the
    /// `previous_response_id` of a response that a provider's limit ended, or that was interrupted when something of it
    /// was written, which then goes on.
    input: Given<Input>,
    /// `quarry`, `quarry-direct` (one call, no research), `quarry-run` (a run, with `background`), `quarry-` with a
    /// provider's name, or `provider:name`. Default: `quarry`.
    model: Given<Text<MAX_MODEL_CHARACTERS>>,
    /// How the answer is to be. Not taken over from an earlier response.
    instructions: Given<Text<MAX_GIVEN_INSTRUCTIONS>>,
    /// The response whose conversation goes on.
    previous_response_id: Given<Text<128>>,
    /// Whether the answer comes as events.
    stream: Given<bool>,
    /// Whether the response can be fetched and followed. Default: true.
    store: Given<bool>,
    /// Whether it goes on without a reader; the answer then comes at once, and the response is fetched later.
    background: Given<bool>,
    /// The answer has at most so many tokens.
    max_output_tokens: Given<AboveZero>,
    /// Of the answer, 0 to 2. Models of Anthropic's are asked for 1 where it is above that.
    temperature: Given<Temperature>,
    /// The share of likely words that the answer is drawn from, 0 to 1. Models of Anthropic's take it only without
    /// a temperature, OpenAI's reasoning models neither.
    top_p: Given<TopP>,
    /// How long a reasoning model thinks and how much is researched, and whether it is told what goes on.
    reasoning: Given<Object<Reasoning>>,
    /// The answer's form: text, `json_object` or `json_schema`. JSON needs a language model; nothing of it is sent
    /// before it fits, and what it rests on stands in the annotations, each source once and without a place.
    text: Given<Object<TextOptions>>,
    /// `web_search`, `file_search` (documents of one's own) and `code_interpreter`; of these none is used that is not
    /// named. Default: all of them, or as `quarry.sources` says, and programs.
    /// `web_search` keeps to the sites of `filters.allowed_domains` and what is below their names; with
    /// `external_web_access: false` it stands for documents of one's own alone.
    tools: Given<Tools>,
    /// Calls of tools at most, over all rounds of research.
    max_tool_calls: Given<Whole<1_000>>,
    /// `auto`, or `none` for one call without research. `allowed_tools` with the mode `auto` is the same as `auto` where
    /// it allows all of ours that `tools` names.
    tool_choice: Given<ToolChoice>,
    /// `code_interpreter_call.outputs` shows what programs gave, `web_search_call.action.sources` the addresses that
    /// searches found, `file_search_call.results` what was found in documents.
    include: Given<Include>,
    /// The caller's own notes: at most 16, with names of 64 and texts of 512 characters.
    metadata: Given<Metadata>,
    /// Whom the caller asks for; shown again, and not used.
    user: Given<Text<MAX_ECHO>>,
    /// Read by clients alone: nothing is ever obfuscated.
    #[cfg_attr(feature = "schema", schemars(skip))]
    stream_options: Given<Map<String, Value>>,
    /// `auto`, the default: of a history that is too long the oldest turns are left out. `disabled`: it is refused.
    truncation: Given<Truncation>,
    /// Not supported.
    #[cfg_attr(feature = "schema", schemars(skip))]
    conversation: Option<Value>,
    /// Not supported.
    #[cfg_attr(feature = "schema", schemars(skip))]
    prompt: Option<Value>,
    /// Ignored where it wants the answer soonest; a later hour is not supported.
    #[cfg_attr(feature = "schema", schemars(skip))]
    background_options: Option<Value>,
    /// Only 0.
    #[cfg_attr(feature = "schema", schemars(skip))]
    top_logprobs: Option<Value>,
    /// What belongs to `/v1/chat/completions`.
    #[cfg_attr(feature = "schema", schemars(skip))]
    messages: Option<Value>,
    /// What only Quarry knows.
    quarry: Given<Known<Extension>>,
}

/// The truncation by which nothing is left out.
const DISABLED: &str = "disabled";

/// Fields whose own fields are read.
const WITHIN: [Within; 4] = [
    Within { at: "stream_options", known: || vec!["include_obfuscation"] },
    Within { at: "reasoning", known: || names::<Reasoning>().to_vec() },
    Within { at: "text", known: || names::<TextOptions>().to_vec() },
    Within { at: "text.format", known: || [["type"].as_slice(), names::<Named>()].concat() },
];

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Reasoning {
    effort: Given<Effort>,
    /// `none` tells nothing of what goes on.
    summary: Given<Text<64>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct TextOptions {
    format: Given<Object<Form>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Form {
    /// `text`, `json_object` or `json_schema`.
    #[serde(rename = "type")]
    kind: Given<Text<64>>,
    #[serde(flatten)]
    schema: Named,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[cfg_attr(feature = "schema", schemars(rename_all = "snake_case"))]
enum Truncation {
    Auto,
    Disabled,
}

impl Field for Truncation {
    fn read(value: Value) -> Result<Option<Self>, String> {
        match value.as_str() {
            Some("auto") => Ok(Some(Truncation::Auto)),
            Some(DISABLED) => Ok(Some(Truncation::Disabled)),
            _ => Err(format!("wants auto or {DISABLED}")),
        }
    }
}

/// What of calls is shown, and whether anything else is wanted.
#[derive(Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Include {
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    outputs: bool,
    #[cfg_attr(feature = "schema", schemars(skip))]
    sources: bool,
    #[cfg_attr(feature = "schema", schemars(skip))]
    results: bool,
    #[cfg_attr(feature = "schema", schemars(skip))]
    more: bool,
}

impl Field for Include {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let wants = || "wants a list of texts".to_owned();
        let all = value.as_array().ok_or_else(wants)?;
        let mut include = Include::default();
        for one in all {
            match one.as_str().ok_or_else(wants)? {
                "code_interpreter_call.outputs" => include.outputs = true,
                "web_search_call.action.sources" => include.sources = true,
                "file_search_call.results" => include.results = true,
                _ => include.more = true,
            }
        }
        Ok(Some(include))
    }
}

/// A body as far as it could be read: even a refused one may say how to answer.
pub(super) struct Parsed {
    pub streams: bool,
    /// What it says, however it is written.
    pub gist: Gist,
    pub record: Record,
    /// The names of what is ignored, for the header.
    pub ignored: Vec<String>,
    pub request: Result<AskRequest, Refusal>,
}

impl Parsed {
    pub fn read(bytes: &[u8]) -> Parsed {
        let refused = |why: String| Parsed {
            streams: false,
            gist: Gist::default(),
            record: Record::default(),
            ignored: Vec::new(),
            request: Err(Refusal::NoObject { why, send: "{\"input\": \"…\"}" }),
        };
        let map = match talk::object(bytes) {
            Ok(map) => map,
            Err(why) => return refused(why),
        };
        let gist = Gist::of(&map);
        let mut record = Record::default();
        echo(&map, &mut record);
        let (mut body, mut ignored) = match talk::read::<Body>(map, &WITHIN) {
            Ok(read) => read,
            Err(why) => return refused(why),
        };
        // A stream that is not said rightly is told with the rest of what is wrong.
        let streams = take(&mut body.stream).named("stream");
        let (streams, request) = match streams {
            Ok(streams) => (streams.unwrap_or(false), request(body, &mut record, &mut ignored)),
            Err(refusal) => (false, Err(refusal)),
        };
        Parsed { streams, gist, record, ignored, request }
    }
}

/// What is shown again although nobody reads it.
fn echo(map: &Map<String, Value>, record: &mut Record) {
    let text = |name: &str| {
        let text = map.get(name).and_then(Value::as_str);
        text.map(|text| text.chars().take(MAX_ECHO).collect::<String>())
    };
    let echo = &mut record.echo;
    echo.safety_identifier = text("safety_identifier");
    echo.prompt_cache_key = text("prompt_cache_key");
    let parallel = map.get("parallel_tool_calls").and_then(Value::as_bool);
    echo.parallel_tool_calls = parallel.unwrap_or(true);
}

/// The order of the fields is the order in which what is wrong is told.
fn request(
    mut body: Body,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<AskRequest, Refusal> {
    refuse_what_cannot_be(&body)?;
    take(&mut body.stream_options).named("stream_options")?;
    let is_none = body.top_logprobs == Some(Value::from(0));
    ignored.extend(is_none.then(|| "top_logprobs".to_owned()));
    ignored.extend(waits_for_nothing(body.background_options.as_ref())?);
    keeping(&mut body, record)?;
    ignored.extend(record.echo.user.as_ref().map(|_| "user".to_owned()));
    let mut wanted = Extension::beside(take(&mut body.quarry), "quarry", "items")?;
    let all = (!wanted.names_sources).then_some(EVERYTHING);
    let (effort, is_told) = thinking(take(&mut body.reasoning), record)?;
    record.has_summaries = is_told && wanted.progress == Progress::Reasoning;
    let most = take(&mut body.max_output_tokens).named("max_output_tokens")?;
    record.echo.max_output_tokens = most.map(|most| u32::try_from(most.0).unwrap_or(u32::MAX));
    let temperature = take(&mut body.temperature).named("temperature")?.map(|number| number.0);
    record.echo.temperature = temperature.unwrap_or(record.echo.temperature);
    let top_p = take(&mut body.top_p).named("top_p")?.map(|share| share.0);
    record.echo.top_p = top_p.unwrap_or(record.echo.top_p);
    let form = formed(take(&mut body.text), record, ignored)?;
    let (sources, domains) = tooled(&mut body, record, ignored)?;
    wanted.sources = sources.or(all).unwrap_or(wanted.sources);
    let max_tool_calls = take(&mut body.max_tool_calls).named("max_tool_calls")?.map(|most| most.0);
    record.echo.max_tool_calls = max_tool_calls.map(u64::from);
    let previous = body.previous_response_id.named("previous_response_id")?.map(|text| text.0);
    record.echo.previous_response_id.clone_from(&previous);
    let previous = previous.map(|id| id.strip_prefix(PREFIX).unwrap_or_default().to_owned());
    let instructions = body.instructions.named("instructions")?.map(|text| text.0);
    record.echo.instructions = instructions.as_deref().map(begins);
    let talk = body.input.named("input")?.map(|Input(talk)| talk);
    let goes_on = talk.is_none() && previous.is_some();
    let mut talk = talked(talk.unwrap_or_default(), instructions, goes_on)?;
    let (instructing, turns) = (take(&mut talk.instructing).into_iter(), talk.history.len());
    record.instructing = instructing.map(|said| Instructing::of(said, turns)).collect();
    ignored.extend(talk.ignored.iter().cloned());
    let refers = talk.references.iter().cloned().map(|(at, id)| Reference { at, id }).collect();
    let mut request = talk::request(talk, &record.echo.model, wanted);
    (request.manners.refers, request.manners.is_found) = (refers, record.echo.store);
    if !record.echo.store {
        (request.manners.lasts_ms, request.manners.unkept) = (Some(UNSTORED_MS), Unkept::Unlogged);
    }
    (request.wish.effort, request.wish.max_tokens) = (effort, record.echo.max_output_tokens);
    (request.wish.temperature, request.wish.top_p) = (temperature, top_p);
    request.wish.form = form;
    (request.domains, request.max_tool_calls) = (domains, max_tool_calls);
    request.wish.is_direct |= record.echo.tool_choice == "none";
    request.wish.wants_all_said = record.echo.truncation == DISABLED;
    request.manners.goes_on = record.echo.background;
    request.manners.grace_seconds.take_if(|_| record.echo.background);
    request.resume = previous.clone().filter(|_| goes_on).map(Continuation::Kept);
    request.manners.follows = previous;
    Ok(request)
}

/// What answers, and what becomes of the answer.
fn keeping(body: &mut Body, record: &mut Record) -> Result<(), Refusal> {
    let model = take(&mut body.model).named("model")?.map(|text| text.0);
    record.echo.model = model.unwrap_or_else(|| "quarry".to_owned());
    record.echo.store = take(&mut body.store).named("store")?.unwrap_or(true);
    record.echo.background = take(&mut body.background).named("background")?.unwrap_or(false);
    if record.echo.background && !record.echo.store {
        return Err(Refusal::field(
            "background",
            "is not supported with `store: false`: what is not kept cannot be fetched",
        ));
    }
    if let Some(Metadata(metadata)) = take(&mut body.metadata).named("metadata")? {
        record.echo.metadata = metadata;
    }
    record.echo.user = take(&mut body.user).named("user")?.map(|text| text.0);
    if let Some(Truncation::Disabled) = take(&mut body.truncation).named("truncation")? {
        DISABLED.clone_into(&mut record.echo.truncation);
    }
    Ok(())
}

/// Where evidence may come from, where tools say so, and what is shown of them.
fn tooled(
    body: &mut Body,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<(Option<Sources>, Vec<String>), Refusal> {
    let tools = take(&mut body.tools).named("tools")?.unwrap_or_default();
    let choice = take(&mut body.tool_choice).named("tool_choice")?;
    let choice = match choice.map_or(Choice::Auto, |ToolChoice(choice)| choice) {
        Choice::Among(some) if !tools.are_all_of(&some) => {
            return Err(Refusal::field(
                "tool_choice",
                "is not supported where it allows other tools of ours than `tools` names; name in `tools` what is to be used",
            ));
        }
        Choice::Auto | Choice::Among(_) => "auto",
        Choice::Never => "none",
    };
    choice.clone_into(&mut record.echo.tool_choice);
    record.echo.tools = tools.echo;
    ignored.extend(tools.ignored);
    if let Some(include) = take(&mut body.include).named("include")? {
        record.shows_outputs = include.outputs;
        (record.shows_sources, record.shows_results) = (include.sources, include.results);
        ignored.extend(include.more.then(|| "include".to_owned()));
    }
    Ok((tools.sources, tools.domains))
}

/// What is read of instructions.
fn begins(text: &str) -> String {
    text.chars().take(MAX_INSTRUCTIONS).collect()
}

/// The conversation; without a question only where an earlier ask goes on.
fn talked(mut talk: Talk, instructions: Option<String>, goes_on: bool) -> Result<Talk, Refusal> {
    if let Some(instructions) = instructions {
        talk.instruct_first(&instructions, "instructions", "input.system");
    }
    if goes_on {
        return Ok(talk);
    }
    talk::asked(talk, "")
}

type Thought = (Option<ReasoningEffort>, bool);

/// How much thought there is, and whether it is told.
fn thinking(reasoning: Given<Object<Reasoning>>, record: &mut Record) -> Result<Thought, Refusal> {
    let Some(Object(reasoning)) = reasoning.named("reasoning")? else { return Ok((None, true)) };
    let effort = reasoning.effort.named("reasoning.effort")?.map(|effort| effort.0);
    let summary = reasoning.summary.named("reasoning.summary")?.map(|text| text.0);
    let is_told = match summary.as_deref() {
        None | Some("auto" | "concise" | "detailed") => true,
        Some("none") => false,
        Some(_) => {
            return Err(Refusal::field(
                "reasoning.summary",
                "wants auto, concise, detailed or none",
            ));
        }
    };
    record.echo.reasoning.effort = effort;
    record.echo.reasoning.summary = summary;
    Ok((effort, is_told))
}

fn refuse_what_cannot_be(body: &Body) -> Result<(), Refusal> {
    let is_there = |value: &Option<Value>| value.as_ref().is_some_and(|value| !is_blank(value));
    if is_there(&body.conversation) {
        return Err(Refusal::field(
            "conversation",
            "is not supported; follow a response by `previous_response_id`",
        ));
    }
    if is_there(&body.prompt) {
        return Err(Refusal::field("prompt", "is not supported; write it into `instructions`"));
    }
    if is_there(&body.top_logprobs) && body.top_logprobs != Some(Value::from(0)) {
        return Err(Refusal::field("top_logprobs", "is not supported above 0; leave it out"));
    }
    if is_there(&body.messages) {
        return Err(Refusal::field(
            "input",
            "is what is read here; `messages` are read by /v1/chat/completions",
        ));
    }
    Ok(())
}

/// The name of the field by which a caller may want its answer later, where it wants it at once and says so.
fn waits_for_nothing(options: Option<&Value>) -> Result<Option<String>, Refusal> {
    const NAME: &str = "background_options";
    let is_soonest = |value: &Value| value == "soonest" || is_blank(value);
    match options.filter(|value| !is_blank(value)) {
        None => Ok(None),
        Some(Value::Object(all)) if all.values().all(is_soonest) => Ok(Some(NAME.to_owned())),
        Some(value) if is_soonest(value) => Ok(Some(NAME.to_owned())),
        Some(_) => Err(Refusal::field(
            NAME,
            "is not supported beyond soonest: what is begun in the background begins at once",
        )),
    }
}

/// The form of the answer, where it is no text, as it is shown again.
fn formed(
    text: Given<Object<TextOptions>>,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<Option<AnswerForm>, Refusal> {
    let Some(Object(text)) = text.named("text")? else { return Ok(None) };
    let Some(Object(Form { kind, schema })) = text.format.named("text.format")? else {
        return Ok(None);
    };
    let asked = match kind.named("text.format.type")?.as_ref().map(|kind| kind.0.as_str()) {
        None if schema.is_given() => {
            return Err(Refusal::field(
                "text.format.type",
                "is missing; send json_schema with a schema",
            ));
        }
        None => return Ok(None),
        Some("text") => {
            ignored.extend(schema.is_given().then(|| "text.format.schema".to_owned()));
            return Ok(None);
        }
        Some("json_object") => AnswerForm::JsonObject,
        Some("json_schema") => {
            let form::Asked { form, unchecked } = schema.form("text.format")?;
            ignored.extend(unchecked.iter().map(|name| format!("text.format.{name}")));
            form
        }
        Some(_) => {
            return Err(Refusal::field(
                "text.format.type",
                "wants text, json_object or json_schema",
            ));
        }
    };
    record.echo.text.format = Format::of(&asked);
    Ok(Some(asked))
}

#[cfg(test)]
mod tests;
