//! The body of `POST /agui`, read and checked.
//!
//! Border: each field is honoured, refused, or named among those that are ignored; none is dropped in silence, but for
//! messages behind the question, which are a run's own when it is sent again. The types here are the parser and the schema
//! of the document at once.

use serde::Deserialize;
use serde_json::Value;

use super::fold::Record;
use crate::Refusal;
use crate::json_field::{Field, Given, Known, Object, Text, names};
use crate::native::MAX_MODEL_CHARACTERS;
use crate::order::{AskRequest, Continuation};
use crate::route::MAX_ID_CHARACTERS;
use crate::talk::{self, Extension, Gist, Messages, Talk, Within};

/// Characters that the names of a thread and of a run may have.
const MAX_NAME_CHARACTERS: usize = 256;

/// AG-UI's `RunAgentInput`. Fields that are not listed are ignored; `X-Quarry-Ignored` names them.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "RunAgentInput", extend("required" = ["threadId", "runId", "messages"])
))]
pub(crate) struct Body {
    /// The conversation's name.
    thread_id: Given<Text<MAX_NAME_CHARACTERS>>,
    /// The run's name. The same thread and run with the same question, sent again, are told again.
    run_id: Given<Text<MAX_NAME_CHARACTERS>>,
    /// The conversation. The last message is the question; system and developer messages say how to answer. Only a run that
    /// is sent again may have its own answer behind it, as far as that had come.
    #[cfg_attr(feature = "schema", schemars(with = "Messages"))]
    messages: Given<RunMessages>,
    /// What the app knows; it is added to how to answer.
    context: Given<Contexts>,
    /// Of it `model` alone is read. It is no part of what a run is known by: events of a run take its place.
    state: Given<StateIn>,
    /// `model`, and `quarry` for what only Quarry knows.
    forwarded_props: Given<Object<Forwarded>>,
    /// Goes on from an interrupt of an earlier run. Messages, context and model are not read then: that run has its own.
    resume: Given<Resumes>,
    /// Only 1.0. Whoever leaves it out is taken for a reader of before 1.0, which knows no run that was stopped.
    protocol_version: Given<Text<MAX_NAME_CHARACTERS>>,
    /// The run that this one comes from. `RUN_STARTED` names it again, and no answer depends on it.
    parent_run_id: Given<Text<MAX_NAME_CHARACTERS>>,
}

/// Fields whose own fields are read. Of a state, which is the app's, nothing more is wanted of anybody.
const WITHIN: [Within; 1] =
    [Within { at: "forwardedProps", known: || names::<Forwarded>().to_vec() }];

#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Forwarded {
    /// `quarry`, `quarry-direct`, `quarry-` with a provider's name, or `provider:name`.
    model: Given<Text<MAX_MODEL_CHARACTERS>>,
    /// What only Quarry knows.
    quarry: Given<Known<Extension>>,
}

/// The conversation up to the question.
struct RunMessages {
    talk: Talk,
    /// Whether what the app was told of an answer stands behind it.
    is_answered: bool,
}

/// Of messages behind a question: what an app makes of a run's events.
const OF_ANSWERS: [&str; 4] = ["assistant", "tool", "reasoning", "activity"];

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

impl Field for RunMessages {
    fn read(mut value: Value) -> Result<Option<Self>, String> {
        let mut is_answered = false;
        if let Value::Array(all) = &mut value {
            let is_asked = |message: &Value| role(message) == "user";
            let end = all.iter().rposition(is_asked).map_or(all.len(), |at| at + 1);
            let is_told = |message: &Value| OF_ANSWERS.contains(&role(message));
            is_answered = end < all.len() && all.iter().skip(end).all(is_told);
            all.truncate(if is_answered { end } else { all.len() });
        }
        let talk = Messages::read(value)?;
        Ok(talk.map(|Messages(talk)| RunMessages { talk, is_answered }))
    }
}

/// A state of any shape: an object's `model` is read, if it is a text.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct StateIn(#[cfg_attr(feature = "schema", schemars(with = "Value"))] Option<String>);

impl Field for StateIn {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let model = value.get("model").and_then(Value::as_str);
        Ok(Some(StateIn(model.filter(|model| !model.is_empty()).map(str::to_owned))))
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Context {
    /// What it is.
    #[serde(default)]
    description: String,
    /// It.
    value: String,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Contexts(Vec<Context>);

impl Field for Contexts {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let all = serde_json::from_value(value);
        all.map(|all| Some(Contexts(all))).map_err(|_| {
            "wants a list, each with a `description` and a `value`, both texts".to_owned()
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Resumed {
    Resolved,
    Cancelled,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Resume {
    /// The interrupt's id.
    interrupt_id: String,
    /// `resolved`.
    status: Resumed,
    /// What a person answered: a limit asks nothing.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    payload: Value,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Resumes(#[cfg_attr(feature = "schema", schemars(with = "Vec<Resume>"))] Resume);

impl Field for Resumes {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let all: Vec<Resume> = serde_json::from_value(value)
            .map_err(|_| "wants a list, each with an `interruptId` and a `status`".to_owned())?;
        let [one] = all.as_slice() else {
            return if all.is_empty() {
                Ok(None)
            } else {
                Err("has several entries; an interrupted run has one interrupt".to_owned())
            };
        };
        if one.status == Resumed::Cancelled {
            return Err(
                "cancels the interrupt, and then there is nothing to go on with; send a new question without `resume`"
                    .to_owned(),
            );
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if one.interrupt_id.is_empty()
            || one.interrupt_id.len() > MAX_ID_CHARACTERS
            || !one.interrupt_id.chars().all(plain)
        {
            return Err("names no interrupt; send the `id` that RUN_FINISHED had".to_owned());
        }
        Ok(all.into_iter().next().map(Resumes))
    }
}

/// The least that is asked with.
const SEND: &str = "{\"threadId\": \"…\", \"runId\": \"…\", \"messages\": […]}";

/// A body as far as it could be read.
pub(super) struct Parsed {
    /// What it asks: the same whatever the app's state is by then, so a model that stands there does not count.
    pub said: Gist,
    pub record: Record,
    /// The names of what is ignored, for the header.
    pub ignored: Vec<String>,
    pub request: Result<AskRequest, Refusal>,
}

impl Parsed {
    pub fn read(bytes: &[u8]) -> Parsed {
        let refused = |why: String| Parsed {
            said: Gist::default(),
            record: Record::default(),
            ignored: Vec::new(),
            request: Err(Refusal::NoObject { why, send: SEND }),
        };
        let map = match talk::object(bytes) {
            Ok(map) => map,
            Err(why) => return refused(why),
        };
        let wanted = map.get("forwardedProps").cloned().unwrap_or_default();
        let (body, mut ignored) = match talk::read::<Body>(map, &WITHIN) {
            Ok(read) => read,
            Err(why) => return refused(why),
        };
        let mut record = Record::default();
        let request = request(body, &mut record, &mut ignored);
        let said = request.as_ref().map(|request| Gist::of_talk(&wanted, request));
        Parsed { said: said.unwrap_or_default(), record, ignored, request }
    }
}

/// The order of the fields is the order in which what is wrong is told.
fn request(
    body: Body,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<AskRequest, Refusal> {
    let name = |given: Given<Text<MAX_NAME_CHARACTERS>>, field: &str| {
        let text = given.named(field)?.map(|text| text.0);
        text.ok_or_else(|| Refusal::field(field, "is missing"))
    };
    record.thread = name(body.thread_id, "threadId")?;
    record.run = name(body.run_id, "runId")?;
    record.parent = body.parent_run_id.named("parentRunId")?.map(|Text(name)| name);
    if let Some(Text(version)) = body.protocol_version.named("protocolVersion")? {
        record.names_version = version.split('.').next() == Some("1");
        if !record.names_version {
            return Err(Refusal::field("protocolVersion", "is not known here; send 1.0"));
        }
    }
    let Forwarded { model, quarry } = body
        .forwarded_props
        .named("forwardedProps")?
        .map(|Object(props)| props)
        .unwrap_or_default();
    let of_state = body.state.named("state")?.and_then(|StateIn(model)| model);
    let of_props = model.named("forwardedProps.model")?.map(|text| text.0);
    let wanted = Extension::beside(quarry, "forwardedProps.quarry", "messages")?;
    record.progress = wanted.progress;
    let context = body.context.named("context")?;
    let talk = body.messages.named("messages");
    if let Some(Resumes(Resume { interrupt_id, payload, .. })) = body.resume.named("resume")? {
        // It goes on with the model that it began with, and with what was said then.
        let says = [
            ("forwardedProps.model", of_props.is_some()),
            ("state.model", of_state.is_some()),
            ("context", context.is_some_and(|Contexts(all)| !all.is_empty())),
            ("messages", !matches!(talk, Ok(None))),
            ("resume.payload", talk::says(&payload)),
        ];
        ignored.extend(says.iter().filter(|(_, says)| *says).map(|(name, _)| (*name).to_owned()));
        let mut request = talk::request(Talk::default(), "quarry", wanted);
        request.resume = Some(Continuation::Kept(interrupt_id));
        return Ok(request);
    }
    let model = of_props.or(of_state).unwrap_or_else(|| "quarry".to_owned());
    let messages = talk?;
    let is_answered = messages.as_ref().is_some_and(|all| all.is_answered);
    let mut talk = messages.map(|all| all.talk).unwrap_or_default();
    for Context { description, value } in context.into_iter().flat_map(|Contexts(all)| all) {
        let line = if description.is_empty() { value } else { format!("{description}: {value}") };
        talk.instruct(&line, "context");
    }
    let talk = talk::asked(talk, "")?;
    ignored.extend(talk.ignored.iter().cloned());
    let mut request = talk::request(talk, &model, wanted);
    // With the beginning of its answer only a run that is sent again can be meant.
    let refusal = || Refusal::field("messages", talk::ENDS_OTHERWISE);
    request.manners.only_again = is_answered.then(refusal);
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::Progress;
    use serde_json::json;

    fn body(more: &Value) -> Value {
        let mut body = json!({
            "threadId": "t", "runId": "r", "tools": [], "context": [],
            "messages": [{ "id": "m", "role": "user", "content": "why?" }],
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    }

    fn read(more: &Value) -> Parsed {
        Parsed::read(body(more).to_string().as_bytes())
    }

    #[test]
    fn an_input_is_an_ask() {
        let parsed = read(&json!({
            "messages": [
                { "id": "1", "role": "user", "content": "Who?" },
                { "id": "2", "role": "assistant", "toolCalls": [] },
                { "id": "3", "role": "tool", "content": "x", "toolCallId": "c" },
                { "id": "4", "role": "activity", "activityType": "a", "content": { "b": 1 } },
                { "id": "5", "role": "reasoning", "content": "hm" },
                { "id": "6", "role": "assistant", "content": "Ada." },
                { "id": "7", "role": "user", "content": [{ "type": "text", "text": "When?" }] },
            ],
            "context": [{ "description": "Place", "value": "Orrin" }],
            "tools": [{ "name": "alert" }],
            "state": { "model": "groq:x", "other": 1 },
            "forwardedProps": { "quarry": { "max_iterations": 2, "progress": "none" }, "tone": "kind" },
        }));
        let request = parsed.request.unwrap();
        assert_eq!((request.query.as_str(), request.wish.history.len()), ("When?", 2));
        assert_eq!(request.wish.instructions.as_deref(), Some("Place: Orrin"));
        assert_eq!((request.model.as_deref(), request.max_iterations), (Some("groq:x"), Some(2)));
        assert_eq!(parsed.record.progress, Progress::None);
        assert_eq!(parsed.ignored, ["tools", "forwardedProps.tone", "messages.tool"]);
        assert!(request.manners.reads_bearer && request.manners.grace_seconds.is_some());
    }

    #[test]
    fn an_interrupt_is_gone_on_with() {
        let resume = json!([{ "interruptId": "0af3", "status": "resolved" }]);
        let read = |more: Value| {
            let mut all = json!({ "messages": [], "resume": resume });
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            self::read(&all)
        };
        let parsed = read(json!({ "state": {}, "forwardedProps": { "model": "" } }));
        let request = parsed.request.unwrap();
        assert_eq!(request.resume, Some(Continuation::Kept("0af3".into())));
        assert_eq!(request.query, "");
        assert!(parsed.ignored.iter().all(|name| name == "tools"), "{:?}", parsed.ignored);
        // What it cannot go on with is named where it says something.
        let context = json!([{ "description": "Place", "value": "Orrin" }]);
        let said = json!([{ "id": "m", "role": "user", "content": "why?" }]);
        for (more, name) in [
            (json!({ "messages": said }), "messages"),
            (json!({ "messages": 7 }), "messages"),
            (json!({ "context": context }), "context"),
            (json!({ "state": { "model": "groq:x" } }), "state.model"),
            (json!({ "forwardedProps": { "model": "groq:x" } }), "forwardedProps.model"),
            (
                json!({ "resume": [{ "interruptId": "0af3", "status": "resolved", "payload": {} }] }),
                "resume.payload",
            ),
        ] {
            let parsed = read(more.clone());
            assert_eq!(parsed.request.unwrap().model, request.model, "{more}");
            assert!(parsed.ignored.iter().any(|told| told == name), "{more}: {:?}", parsed.ignored);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (more, field) in [
            (json!({ "threadId": "" }), "threadId"),
            (json!({ "runId": null }), "runId"),
            (json!({ "messages": [] }), "messages"),
            (json!({ "parentRunId": 7 }), "parentRunId"),
            (json!({ "messages": 1 }), "messages"),
            (json!({ "context": [{}] }), "context"),
            (json!({ "protocolVersion": "2.0" }), "protocolVersion"),
            (
                json!({ "forwardedProps": { "quarry": { "progress": "think" } } }),
                "forwardedProps.quarry.progress",
            ),
            (
                json!({ "forwardedProps": { "quarry": { "budget": { "usd": 0 } } } }),
                "forwardedProps.quarry.budget.usd",
            ),
            (json!({ "resume": [{ "interruptId": "a", "status": "cancelled" }] }), "resume"),
            (json!({ "resume": [{ "interruptId": "../a", "status": "resolved" }] }), "resume"),
            (json!({ "resume": [{}] }), "resume"),
        ] {
            match read(&more).request.unwrap_err() {
                Refusal::InvalidField { field: told, .. } => assert_eq!(told, field, "{more}"),
                other => panic!("{more}: {other:?}"),
            }
        }
        let told = Parsed::read(b"[]").request.err().map(|refusal| refusal.to_string());
        assert!(told.is_some_and(|told| told.contains("messages") && !told.contains("query")));
    }
}
