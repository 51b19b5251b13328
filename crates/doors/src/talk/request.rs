//! An ask, put together from what a conversation's request says.
//!
//! Border: values in, an order's request out.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::extension::Wanted;
use super::message::Talk;
use super::model::Meant;
use crate::body::few_values;
use crate::json_field::{is_blank, names};
use crate::native::MAX_QUERY_CHARACTERS;
use crate::order::{AskRequest, Manners, Seeks, Wish};
use crate::variable::GRACE_SECONDS;
use crate::{OwnName, Refusal};

/// Ignored fields that are named at most, and characters of each.
pub(crate) const MAX_NAMED: usize = 32;
const MAX_NAME: usize = 64;

/// The talk, where there is a question in it. `elsewhere` follows where there is none.
pub(crate) fn asked(talk: Talk, elsewhere: &str) -> Result<Talk, Refusal> {
    if let Some((field, wants)) = &talk.wrong {
        return Err(Refusal::field(field, wants));
    }
    if talk.question.trim().is_empty() {
        let wants = format!(
            "is missing or ends with an empty one; send the question as the last message{elsewhere}"
        );
        return Err(Refusal::field("messages", &wants));
    }
    if talk.question.len() > MAX_QUERY_CHARACTERS
        && talk.question.chars().count() > MAX_QUERY_CHARACTERS
    {
        let wants = format!(
            "ends with a question that is too long; send at most {MAX_QUERY_CHARACTERS} characters"
        );
        return Err(Refusal::field("messages", &wants));
    }
    Ok(talk)
}

/// The ask that is meant: of the model with this name, by whoever the head says, ended when nobody reads it any more.
pub(crate) fn request(talk: Talk, model: &str, wanted: Wanted) -> AskRequest {
    let meant = Meant::by(model);
    AskRequest {
        query: talk.question,
        wish: Wish {
            history: talk.history,
            instructions: talk.instructions,
            is_direct: meant == Meant::Direct,
            ..Wish::default()
        },
        manners: Manners {
            alias: matches!(meant, Meant::Other | Meant::Run).then(|| model.to_owned()),
            reads_bearer: true,
            grace_seconds: Some(GRACE_SECONDS),
            ..Manners::default()
        },
        model: if let Meant::Named(model) = meant { Some(model) } else { None },
        api_key: None,
        access_secret: None,
        google_token: None,
        resume: None,
        budget: wanted.budget,
        max_iterations: wanted.max_iterations,
        sources: wanted.sources,
        collection: wanted.collection,
        domains: Vec::new(),
        max_tool_calls: None,
        verify_with_model: wanted.verify_with_model,
    }
}

impl AskRequest {
    /// The keys by which an answer could be found that is none to this request any more, when it is refused so: its
    /// client tries again then, and says that it does. Without that of a request that wants exactly that answer.
    #[must_use]
    pub fn refused_with(&self, refusal: &Refusal) -> Vec<String> {
        if !refusal.is_passing() {
            return Vec::new();
        }
        let join = self.manners.join.as_ref().filter(|join| join.seeks != Seeks::Anything);
        let name = self.manners.called.as_ref().map(OwnName::key);
        join.map(|join| join.key.clone()).into_iter().chain(name).collect()
    }
}

/// The JSON object of a body.
///
/// # Errors
/// Why it is none, or holds too much, in words.
pub(crate) fn object(body: &[u8]) -> Result<Map<String, Value>, String> {
    few_values(body)?;
    match serde_json::from_slice(body) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err("it is another kind of value".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A field whose own fields are read.
pub(crate) struct Within {
    /// Its name, with dots for nesting.
    pub at: &'static str,
    /// The names of those that are read.
    pub known: fn() -> Vec<&'static str>,
}

impl Within {
    /// The names of what is ignored of it.
    fn ignored(&self, map: &Map<String, Value>) -> Vec<String> {
        let mut names = self.at.split('.');
        let outermost = names.next().and_then(|name| map.get(name));
        let value = names.fold(outermost, |value, name| value?.get(name));
        let Some(fields) = value.and_then(Value::as_object) else { return Vec::new() };
        let names = ignored(fields, &(self.known)());
        names.into_iter().map(|name| format!("{}.{name}", self.at)).collect()
    }
}

/// What is read of such an object, and the names of the fields that are ignored: its own, and those within these.
///
/// # Errors
/// Why it cannot be read, in words.
pub(crate) fn read<T: DeserializeOwned>(
    map: Map<String, Value>,
    within: &[Within],
) -> Result<(T, Vec<String>), String> {
    let mut ignored = ignored(&map, names::<T>());
    ignored.extend(within.iter().flat_map(|field| field.ignored(&map)));
    let body = serde_json::from_value(Value::Object(map)).map_err(|error| error.to_string())?;
    Ok((body, ignored))
}

/// The names of fields that nobody here reads and that say something. `known` are those that are read.
fn ignored(map: &Map<String, Value>, known: &[&str]) -> Vec<String> {
    let names = map.iter().filter(|(name, value)| !known.contains(&name.as_str()) && says(value));
    names.map(|(name, _)| plain(name)).filter(|name| !name.is_empty()).take(MAX_NAMED).collect()
}

/// Whether a value asks for anything.
pub(crate) fn says(value: &Value) -> bool {
    !is_blank(value) && value.as_array().is_none_or(|all| !all.is_empty())
}

/// A field's name as a header can hold it.
pub(crate) fn plain(name: &str) -> String {
    let fits = |letter: &char| letter.is_ascii_alphanumeric() || "_-.".contains(*letter);
    name.chars().filter(fits).take(MAX_NAME).collect()
}
