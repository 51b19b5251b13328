//! The body of `POST /v1/chat/completions`, read and checked.
//!
//! Border: each field is honoured, refused, or named among those that are ignored; none is dropped in silence. The
//! types here are the parser and the schema of the document at once.

use std::mem;

use quarry_types::ReasoningEffort;
use serde::Deserialize;
use serde_json::Value;

use super::fold::Record;
use crate::Refusal;
use crate::json_field::{AboveZero, Field, Given, Known, Object, Text, is_blank, names};
use crate::native::MAX_MODEL_CHARACTERS;
use crate::order::{AskRequest, Form};
use crate::responses;
use crate::talk::form::{self, Named};
use crate::talk::model::is_side_task;
use crate::talk::{self, Extension, Gist, Messages, Metadata, Progress, Within};

/// Stop sequences at most.
const MAX_STOPS: usize = 4;
/// What is said besides where there is no question.
const ELSEWHERE: &str = ". Where `input` holds it, send the request to /v1/responses";

/// A chat request. Fields that are not listed are ignored; `X-Quarry-Ignored` names them.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "ChatCompletionRequest", extend("required" = ["messages"])
))]
pub(crate) struct Body {
    /// The conversation. The last message is the question; system and developer messages say how to answer.
    #[cfg_attr(feature = "schema", schemars(with = "Messages"))]
    messages: Given<Messages>,
    /// `quarry`, `quarry-direct` (one call, no research), `quarry-` with a provider's name, or `provider:name`.
    /// Default: `quarry`.
    model: Given<Text<MAX_MODEL_CHARACTERS>>,
    /// Whether the answer comes as chunks.
    stream: Given<bool>,
    /// How it comes.
    stream_options: Given<Object<StreamOptions>>,
    /// The answer has at most so many tokens.
    max_completion_tokens: Given<AboveZero>,
    /// The older name of the same.
    max_tokens: Given<AboveZero>,
    /// Of the answer, 0 to 2. Models of Anthropic's are asked for 1 where it is above that.
    temperature: Given<Temperature>,
    /// The share of likely words that the answer is drawn from, 0 to 1. Models of Anthropic's take it only without
    /// a temperature, OpenAI's reasoning models neither.
    top_p: Given<TopP>,
    /// The answer ends before the first of these: a text, or at most four.
    stop: Given<Stops>,
    /// How long a reasoning model thinks, and how many rounds of research there are: with `low` half of the
    /// configured ones, with `high` twice as many.
    reasoning_effort: Given<Effort>,
    /// `text`, `json_object` or `json_schema`. JSON needs a language model; nothing of it is sent before it fits, and
    /// what it rests on stands in the annotations, each source once and without a place.
    response_format: Given<Object<Format>>,
    /// Only 1.
    n: Given<AboveZero>,
    /// Only false.
    logprobs: Given<bool>,
    /// Only `text`.
    modalities: Given<Modalities>,
    /// Not supported.
    #[cfg_attr(feature = "schema", schemars(skip))]
    audio: Option<Value>,
    /// `auto`, `none`, or `allowed_tools` with the mode `auto`: functions are never called.
    tool_choice: Given<ToolChoice>,
    /// The same, as clients of before write it.
    #[cfg_attr(feature = "schema", schemars(skip))]
    function_call: Given<ToolChoice>,
    /// The caller's own notes: at most 16, with names of 64 and texts of 512 characters. They are kept with the ask,
    /// and `GET /v1/responses/resp_…` with its id shows them.
    metadata: Given<Metadata>,
    /// Whom the caller asks for; kept and shown likewise.
    user: Given<Text<256>>,
    /// What belongs to `/v1/responses`.
    #[cfg_attr(feature = "schema", schemars(skip))]
    input: Option<Value>,
    /// What only Quarry knows.
    quarry: Given<Known<Extension>>,
}

/// Fields whose own fields are read. That a stream is not obfuscated is no wish that is ignored: none ever is.
const WITHIN: [Within; 3] = [
    Within {
        at: "stream_options",
        known: || [names::<StreamOptions>(), ["include_obfuscation"].as_slice()].concat(),
    },
    Within { at: "response_format", known: || names::<Format>().to_vec() },
    Within { at: "response_format.json_schema", known: || names::<Named>().to_vec() },
];

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct StreamOptions {
    /// Whether a last chunk without choices has the usage.
    include_usage: Given<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Format {
    /// `text`, `json_object` or `json_schema`.
    #[serde(rename = "type")]
    kind: Given<Text<64>>,
    /// What the object must fit, with `json_schema`.
    json_schema: Given<Object<Named>>,
}

/// A number from 0 to 2.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Temperature(
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 2)))] pub(crate) f64,
);

impl Field for Temperature {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let number = value.as_f64().filter(|number| (0.0..=2.0).contains(number));
        number
            .map(|number| Some(Temperature(number)))
            .ok_or_else(|| "wants a number from 0 to 2".to_owned())
    }
}

/// A share of one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct TopP(
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))] pub(crate) f64,
);

impl Field for TopP {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share.map(|share| Some(TopP(share))).ok_or_else(|| "wants a number from 0 to 1".to_owned())
    }
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Stops(#[cfg_attr(feature = "schema", schemars(with = "Value"))] Vec<String>);

impl Field for Stops {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let all = match value {
            Value::String(one) => Some(vec![one]),
            Value::Array(all) => {
                all.into_iter().map(|one| one.as_str().map(str::to_owned)).collect()
            }
            _ => None,
        };
        let all = all.filter(|all: &Vec<String>| all.len() <= MAX_STOPS);
        all.map(|all| Some(Stops(all)))
            .ok_or_else(|| format!("wants a text, or at most {MAX_STOPS}"))
    }
}

/// How much thought there is, by every word that clients have for it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Effort(
    #[cfg_attr(feature = "schema", schemars(with = "String"))] pub(crate) ReasoningEffort,
);

impl Field for Effort {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let effort = match value.as_str() {
            Some("none" | "minimal" | "low") => ReasoningEffort::Low,
            Some("medium") => ReasoningEffort::Medium,
            Some("high" | "xhigh" | "max") => ReasoningEffort::High,
            _ => return Err("wants low, medium or high".to_owned()),
        };
        Ok(Some(Effort(effort)))
    }
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Modalities(#[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))] ());

impl Field for Modalities {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let all = value.as_array().ok_or_else(|| "wants [\"text\"]".to_owned())?;
        if all.iter().any(|one| one != "text") {
            return Err("is not supported beyond [\"text\"]".to_owned());
        }
        Ok(None)
    }
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct ToolChoice(#[cfg_attr(feature = "schema", schemars(with = "Value"))] ());

impl Field for ToolChoice {
    fn read(value: Value) -> Result<Option<Self>, String> {
        // Whichever functions may be called, none has to be.
        let is_auto = |allowed: &Value| allowed.get("mode") == Some(&Value::from("auto"));
        let may_be_none = match value.as_str() {
            Some(word) => matches!(word, "auto" | "none"),
            None => value.get("allowed_tools").is_some_and(is_auto),
        };
        may_be_none.then_some(None).ok_or_else(|| {
            "is not supported: functions of the caller's are never called; use \"auto\" or \"none\"".to_owned()
        })
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
            request: Err(Refusal::InvalidJson(why)),
        };
        let read = talk::object(bytes).and_then(|map| {
            let gist = Gist::of(&map);
            Ok((gist, talk::read::<Body>(map, &WITHIN)?))
        });
        let (gist, (mut body, mut ignored)) = match read {
            Ok(read) => read,
            Err(why) => return refused(why),
        };
        let mut streams = false;
        let mut record = Record::default();
        let request = mem::take(&mut body.stream).named("stream").and_then(|stream| {
            streams = stream.unwrap_or(false);
            request(body, streams, &mut record, &mut ignored)
        });
        Parsed { streams, gist, record, ignored, request }
    }
}

/// The order of the fields is the order in which what is wrong is told.
fn request(
    body: Body,
    streams: bool,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<AskRequest, Refusal> {
    refuse_what_cannot_be(&body)?;
    let model = body.model.named("model")?.map_or_else(|| "quarry".to_owned(), |text| text.0);
    record.model.clone_from(&model);
    let options = body.stream_options.named("stream_options")?;
    let includes_usage =
        options.map(|Object(options)| options.include_usage.named("stream_options.include_usage"));
    record.includes_usage = includes_usage.transpose()?.flatten().unwrap_or(false);
    let extension =
        body.quarry.named("quarry")?.map(|Known(extension)| extension).unwrap_or_default();
    let wanted = extension.wanted("quarry")?;
    record.progress = wanted.progress;
    let (newer, older) = (body.max_completion_tokens, body.max_tokens);
    let (newer, older) = (newer.named("max_completion_tokens")?, older.named("max_tokens")?);
    let is_overruled = newer.is_some() && older.is_some() && newer != older;
    ignored.extend(is_overruled.then(|| "max_tokens".to_owned()));
    let most = newer.or(older).map(|most| u32::try_from(most.0).unwrap_or(u32::MAX));
    let temperature = body.temperature.named("temperature")?.map(|number| number.0);
    let stop = body.stop.named("stop")?.map(|stops| stops.0).unwrap_or_default();
    let effort = body.reasoning_effort.named("reasoning_effort")?.map(|effort| effort.0);
    let top_p = body.top_p.named("top_p")?.map(|share| share.0);
    let form = formed(body.response_format, ignored)?;
    if let Some(form) = &form {
        form::beside(form, "response_format", &stop)?;
        if record.progress == Progress::Think {
            return Err(Refusal::field(
                "quarry.progress",
                "is not supported as think with JSON in `response_format`: thoughts in the content are none",
            ));
        }
    }
    let metadata = body.metadata.named("metadata")?.map(|Metadata(notes)| notes);
    let user = body.user.named("user")?.map(|text| text.0);
    body.modalities.named("modalities")?;
    body.tool_choice.named("tool_choice")?;
    body.function_call.named("function_call")?;
    let talk = body.messages.named("messages")?.map(|Messages(talk)| talk).unwrap_or_default();
    let talk = talk::asked(talk, ELSEWHERE)?;
    ignored.extend(talk.ignored.iter().cloned());
    let is_side_task = !streams && talk.history.is_empty() && is_side_task(&talk.question);
    let mut request = talk::request(talk, &model, wanted);
    request.manners.is_side_task = is_side_task && !request.wish.is_direct;
    (request.wish.effort, request.wish.max_tokens) = (effort, most);
    (request.wish.temperature, request.wish.top_p) = (temperature, top_p);
    (request.wish.stop, request.wish.form) = (stop, form);
    if metadata.is_some() || user.is_some() {
        let metadata = metadata.unwrap_or_default();
        request.manners.keeps = Some(responses::kept_of_chat(&request, &model, metadata, user));
    }
    Ok(request)
}

fn refuse_what_cannot_be(body: &Body) -> Result<(), Refusal> {
    if body.n.clone().named("n")?.is_some_and(|n| n.0 > 1) {
        return Err(Refusal::field("n", "is not supported above 1; ask again for another answer"));
    }
    if body.logprobs.clone().named("logprobs")?.unwrap_or(false) {
        return Err(Refusal::field("logprobs", "is not supported; leave it out"));
    }
    if body.audio.as_ref().is_some_and(|audio| !is_blank(audio)) {
        return Err(Refusal::field("audio", "is not supported; leave it out"));
    }
    Ok(())
}

/// The form of the answer, where it is no text.
fn formed(
    format: Given<Object<Format>>,
    ignored: &mut Vec<String>,
) -> Result<Option<Form>, Refusal> {
    let Some(Object(Format { kind, json_schema })) = format.named("response_format")? else {
        return Ok(None);
    };
    match kind.named("response_format.type")?.as_ref().map(|kind| kind.0.as_str()) {
        None if json_schema.is_given() => Err(Refusal::field(
            "response_format.type",
            "is missing; send json_schema with a schema",
        )),
        None => Ok(None),
        Some("text") => {
            ignored
                .extend(json_schema.is_given().then(|| "response_format.json_schema".to_owned()));
            Ok(None)
        }
        Some("json_object") => Ok(Some(Form::JsonObject)),
        Some("json_schema") => {
            let place = "response_format.json_schema";
            let missing = || Refusal::field(place, "is missing; send {\"name\", \"schema\"}");
            let Object(named) = json_schema.named(place)?.ok_or_else(missing)?;
            let form::Asked { form, unchecked } = named.form(place)?;
            ignored.extend(unchecked.iter().map(|name| format!("response_format.{name}")));
            Ok(Some(form))
        }
        Some(_) => {
            Err(Refusal::field("response_format.type", "wants text, json_object or json_schema"))
        }
    }
}

#[cfg(test)]
mod tests;
