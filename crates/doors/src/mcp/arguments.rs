//! The arguments of tools and prompts, read and checked.
//!
//! Border: a field that cannot be used, or that there is not, is refused by its name, so that a model can do better.

use quarry_types::ReasoningEffort;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::address::is_id;
use crate::bounds::{SourceNames, sources};
use crate::chat::Effort;
use crate::json_field::{Field, Given, Known, Positive, Text, whole};
use crate::native::MAX_QUERY_CHARACTERS;
use crate::order::{Said, Speaker};
use crate::runs::MAX_GUIDANCE_CHARACTERS;
use crate::talk::{self, Extension, Talk};
use crate::{AskRequest, Budget, Refusal};

/// Characters that a context may have.
const MAX_CONTEXT: usize = 65_536;
/// Seconds that a call waits for an answer, and at most: clients give one a minute.
const WAITS: u64 = 45;
const MAX_WAIT: u64 = 55;

/// Of `research`, and of the prompt as far as it has them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    question: Given<Text<MAX_QUERY_CHARACTERS>>,
    context: Given<Text<MAX_CONTEXT>>,
    effort: Given<Depth>,
    sources: Given<SourceNames>,
    budget_usd: Given<Positive>,
    wait_seconds: Given<Wait>,
}

/// Of `research_result`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Looked {
    id: Given<Handle>,
    wait_seconds: Given<Wait>,
}

/// Of `research_stop`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stopped {
    id: Given<Handle>,
}

/// Of the prompt.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Prompted {
    question: Given<Text<MAX_QUERY_CHARACTERS>>,
    context: Given<Text<MAX_CONTEXT>>,
}

/// How much thought and research there is.
#[derive(Clone, Copy)]
enum Depth {
    /// In an ask.
    Ask(ReasoningEffort),
    /// In a run.
    Run,
}

impl Field for Depth {
    fn read(value: Value) -> Result<Option<Self>, String> {
        if value.as_str() == Some("deep") {
            return Ok(Some(Depth::Run));
        }
        let wants = |_| "wants low, medium, high or deep".to_owned();
        Ok(Effort::read(value).map_err(wants)?.map(|Effort(effort)| Depth::Ask(effort)))
    }
}

struct Wait(u64);

impl Field for Wait {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let seconds = whole(&value).filter(|seconds| *seconds <= MAX_WAIT);
        let wants = || format!("wants a whole number from 0 to {MAX_WAIT}");
        seconds.map(|seconds| Some(Wait(seconds))).ok_or_else(wants)
    }
}

struct Handle(String);

impl Field for Handle {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let id = value.as_str().filter(|id| is_id(id));
        let wants = || "wants the id that research gave".to_owned();
        id.map(|id| Some(Handle(id.to_owned()))).ok_or_else(wants)
    }
}

/// A question, and how many seconds its caller waits for the answer.
pub(super) struct Research {
    pub request: AskRequest,
    pub wait: u64,
    /// Whether a run is to answer it.
    pub is_deep: bool,
}

/// Reads the arguments of `research`.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn research(arguments: &Map<String, Value>) -> Result<Research, Refusal> {
    let asked: Asked = known(arguments)?;
    let question = needed(asked.question, "question")?;
    let context = asked.context.named("context")?.map(|text| text.0);
    let depth = asked.effort.named("effort")?;
    let mut wanted = Extension::default().wanted("")?;
    wanted.sources = sources(asked.sources)?;
    let usd = asked.budget_usd.named("budget_usd")?.map(|number| number.0);
    wanted.budget = Budget { usd, tokens: None };
    let wait = wait(asked.wait_seconds)?;
    let is_deep = matches!(depth, Some(Depth::Run));
    if is_deep && context.as_ref().is_some_and(|it| it.chars().count() > MAX_GUIDANCE_CHARACTERS) {
        let wants = format!(
            "is too long with effort deep; send at most {MAX_GUIDANCE_CHARACTERS} characters"
        );
        return Err(Refusal::field("context", &wants));
    }
    // A run has guidance and no history, and takes all of it.
    let (instructions, context) = if is_deep { (context, None) } else { (None, context) };
    let history = context.map(|text| Said { by: Speaker::User, text }).into_iter().collect();
    let talk = Talk { question, history, instructions, ..Talk::default() };
    let mut request = talk::request(talk, "quarry", wanted);
    if let Some(Depth::Ask(effort)) = depth {
        request.wish.effort = Some(effort);
    }
    Ok(Research { request, wait, is_deep })
}

/// Reads the arguments of `research_result`: an ask's id, and seconds to wait.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn result(arguments: &Map<String, Value>) -> Result<(String, u64), Refusal> {
    let looked: Looked = known(arguments)?;
    Ok((handle(looked.id)?, wait(looked.wait_seconds)?))
}

/// Reads the arguments of `research_stop`: an ask's id.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn stop(arguments: &Map<String, Value>) -> Result<String, Refusal> {
    handle(known::<Stopped>(arguments)?.id)
}

/// Reads the arguments of the prompt: a question, and what is known already.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn prompt(arguments: &Map<String, Value>) -> Result<(String, Option<String>), Refusal> {
    let Prompted { question, context } = known(arguments)?;
    let context = context.named("context")?.map(|text| text.0);
    Ok((needed(question, "question")?, context))
}

/// Arguments of this type, and no others.
pub(super) fn known<T: DeserializeOwned + Default>(
    arguments: &Map<String, Value>,
) -> Result<T, Refusal> {
    let read = Known::read(Value::Object(arguments.clone()));
    let read = read.map_err(|why| Refusal::field("arguments", &why))?;
    Ok(read.map(|Known(fields)| fields).unwrap_or_default())
}

/// A text that has to be there.
pub(super) fn needed<const MOST: usize>(
    given: Given<Text<MOST>>,
    name: &str,
) -> Result<String, Refusal> {
    let text = given.named(name)?.map(|text| text.0).filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Refusal::field(name, "is missing"))
}

fn wait(given: Given<Wait>) -> Result<u64, Refusal> {
    Ok(given.named("wait_seconds")?.map_or(WAITS, |wait| wait.0))
}

fn handle(given: Given<Handle>) -> Result<String, Refusal> {
    let id = given.named("id")?.map(|handle| handle.0);
    id.ok_or_else(|| Refusal::field("id", "is missing; send the one that research gave"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("{value}") };
        map
    }

    #[test]
    fn a_question_with_all_that_can_be_said_of_it_is_an_ask() {
        let read = research(&map(json!({
            "question": "Why?", "context": "Because.", "effort": "high", "sources": "both",
            "budget_usd": 0.5, "wait_seconds": 0,
        })));
        let Research { request, wait, is_deep } = read.unwrap();
        assert_eq!((request.query.as_str(), wait, is_deep), ("Why?", 0, false));
        assert_eq!(request.wish.history[0].text, "Because.");
        assert_eq!(request.wish.effort, Some(ReasoningEffort::High));
        assert_eq!(request.sources, Sources { web: true, knowledge: true, program: true });
        assert_eq!(request.budget.usd, Some(0.5));
        assert!(request.manners.reads_bearer);
        let Research { request, wait, .. } = research(&map(json!({ "question": "Why?" }))).unwrap();
        assert_eq!((request.wish.history.len(), wait), (0, WAITS));
        let deep = research(&map(json!({ "question": "Why?", "effort": "deep" }))).unwrap();
        assert!(deep.is_deep && deep.request.wish.effort.is_none());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (arguments, field) in [
            (json!({}), "question"),
            (json!({ "question": " " }), "question"),
            (json!({ "question": "?", "wait_seconds": 56 }), "wait_seconds"),
            (json!({ "question": "?", "effort": "most" }), "effort"),
            (json!({ "question": "?", "sources": "books" }), "sources"),
            (json!({ "question": "?", "budget_usd": 0 }), "budget_usd"),
            (json!({ "question": "?", "wait": 5 }), "arguments"),
        ] {
            let refusal = research(&map(arguments.clone())).err().unwrap();
            let Refusal::InvalidField { field: told, .. } = refusal else { panic!("{arguments}") };
            assert_eq!(told, field, "{arguments}");
        }
        assert!(result(&map(json!({ "id": "0af3", "wait_seconds": 55 }))).is_ok());
        for wrong in [json!({}), json!({ "id": "../x" }), json!({ "id": 7 })] {
            assert!(result(&map(wrong.clone())).is_err() && stop(&map(wrong)).is_err());
        }
    }
}
