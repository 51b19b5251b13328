//! The arguments of tools and prompts, read and checked.
//!
//! Border: a field that cannot be used, or that there is not, is refused by its name, so that a model can do better.

use quarry_types::ReasoningEffort;
use serde_json::{Map, Value};

use super::address::is_id;
use crate::bounds::sources;
use crate::chat::Effort;
use crate::json_field::{Field, Given, Positive, Text, knows, whole};
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

/// The arguments of a tool or a prompt.
pub(super) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Of one that has these and no others.
    ///
    /// # Errors
    /// [`Refusal`] names one that it does not have.
    pub fn of(given: &'a Map<String, Value>, names: &[&'static str]) -> Result<Self, Refusal> {
        knows(names, given).map_err(|why| Refusal::field("arguments", &why))?;
        Ok(Arguments(given))
    }

    fn given<T: Field>(&self, name: &str) -> Given<T> {
        Given::of(self.0.get(name).cloned().unwrap_or_default())
    }

    fn read<T: Field>(&self, name: &str) -> Result<Option<T>, Refusal> {
        self.given(name).named(name)
    }

    fn text<const MOST: usize>(&self, name: &str) -> Result<Option<String>, Refusal> {
        Ok(self.read::<Text<MOST>>(name)?.map(|text| text.0))
    }

    /// A text that has to be there.
    ///
    /// # Errors
    /// [`Refusal`] where it is not, or cannot be used.
    pub fn needed<const MOST: usize>(&self, name: &str) -> Result<String, Refusal> {
        let text = self.text::<MOST>(name)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| Refusal::field(name, "is missing"))
    }

    /// For how many seconds the answer is waited for.
    fn wait(&self) -> Result<u64, Refusal> {
        Ok(self.read("wait_seconds")?.map_or(WAITS, |Wait(seconds)| seconds))
    }

    fn handle(&self) -> Result<String, Refusal> {
        let id = self.read("id")?.map(|Handle(id)| id);
        id.ok_or_else(|| Refusal::field("id", "is missing; send the one that research gave"))
    }
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
    const NAMES: [&str; 7] =
        ["question", "context", "effort", "sources", "collection", "budget_usd", "wait_seconds"];
    let asked = Arguments::of(arguments, &NAMES)?;
    let question = asked.needed::<MAX_QUERY_CHARACTERS>("question")?;
    let context = asked.text::<MAX_CONTEXT>("context")?;
    let depth: Option<Depth> = asked.read("effort")?;
    let mut wanted = Extension::default().wanted("")?;
    wanted.sources = sources(asked.given("sources"))?;
    wanted.collection = asked.read("collection")?;
    let usd = asked.read("budget_usd")?.map(|Positive(number)| number);
    wanted.budget = Budget { usd, tokens: None };
    let wait = asked.wait()?;
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
    let looked = Arguments::of(arguments, &["id", "wait_seconds"])?;
    Ok((looked.handle()?, looked.wait()?))
}

/// Reads the arguments of `research_stop`: an ask's id.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn stop(arguments: &Map<String, Value>) -> Result<String, Refusal> {
    Arguments::of(arguments, &["id"])?.handle()
}

/// Reads the arguments of the prompt: a question, and what is known already.
///
/// # Errors
/// [`Refusal`] names what cannot be used.
pub(super) fn prompt(arguments: &Map<String, Value>) -> Result<(String, Option<String>), Refusal> {
    let prompted = Arguments::of(arguments, &["question", "context"])?;
    let context = prompted.text::<MAX_CONTEXT>("context")?;
    Ok((prompted.needed::<MAX_QUERY_CHARACTERS>("question")?, context))
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
            "collection": "boats", "budget_usd": 0.5, "wait_seconds": 0,
        })));
        let Research { request, wait, is_deep } = read.unwrap();
        assert_eq!((request.query.as_str(), wait, is_deep), ("Why?", 0, false));
        assert_eq!(request.wish.history[0].text, "Because.");
        assert_eq!(request.wish.effort, Some(ReasoningEffort::High));
        assert_eq!(request.sources, Sources { web: true, knowledge: true, program: true });
        assert_eq!(request.collection.unwrap().as_str(), "boats");
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
            (json!({ "question": "?", "collection": "A b" }), "collection"),
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
