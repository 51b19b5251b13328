//! The body of `POST /ask`, read and checked.
//!
//! Border: what the fields of the ask contract may hold. Each text has a limit.

use quarry_types::ModelId;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::json_field::Fields;
use crate::Refusal;
use crate::order::{AskRequest, Budget, Continuation, Sources};

/// Bytes a body may have.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Characters a question may have.
pub const MAX_QUERY_CHARACTERS: usize = 32_768;
/// Tool iterations that may be asked for.
pub const MAX_ITERATIONS: u64 = 50;

/// Characters a model's name may have, with its provider.
pub const MAX_MODEL_CHARACTERS: usize = ModelId::MAX_CHARACTERS;
/// Characters a provider's key may have; the longest that are known are tokens of some 2,000.
pub const MAX_KEY_CHARACTERS: usize = 4_096;
/// Characters an access secret may have.
pub const MAX_SECRET_CHARACTERS: usize = 1_024;
/// Characters an ID token may have. What can be one at all is decided where it is verified.
pub const MAX_TOKEN_CHARACTERS: usize = 16_384;
/// Characters an ask's id may have.
const MAX_ID_CHARACTERS: usize = 64;

/// A body as far as it could be read: even a refused one may say how to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The body's `stream`.
    pub stream: Option<bool>,
    /// The request, or why there is none.
    pub request: Result<AskRequest, Refusal>,
}

impl Parsed {
    /// Reads a body.
    #[must_use]
    pub fn read(body: &[u8]) -> Parsed {
        let map = match serde_json::from_slice::<Value>(body) {
            Ok(Value::Object(map)) => map,
            Ok(_) => return Parsed::refused("it is another kind of value"),
            Err(error) => return Parsed::refused(&error.to_string()),
        };
        let fields = Fields::new(&map, "");
        match fields.boolean("stream") {
            Ok(stream) => Parsed { stream, request: request(&fields, body) },
            Err(refusal) => Parsed { stream: None, request: Err(refusal) },
        }
    }

    fn refused(why: &str) -> Parsed {
        Parsed { stream: None, request: Err(Refusal::InvalidJson(why.to_owned())) }
    }
}

fn request(fields: &Fields<'_>, body: &[u8]) -> Result<AskRequest, Refusal> {
    let resume = resume(fields, body)?;
    let token = |name| fields.text(name, MAX_TOKEN_CHARACTERS);
    // Both are looked at, so that a wrong one is told whichever is used.
    let (google_token, camel_case) = (token("google_token")?, token("googleToken")?);
    Ok(AskRequest {
        query: query(fields, resume.is_some())?,
        model: fields.text("model", MAX_MODEL_CHARACTERS)?,
        api_key: fields.text("apiKey", MAX_KEY_CHARACTERS)?,
        access_secret: fields.text("accessSecret", MAX_SECRET_CHARACTERS)?,
        google_token: google_token.or(camel_case),
        resume,
        budget: budget(fields)?,
        max_iterations: fields
            .whole("max_iterations", MAX_ITERATIONS)?
            .and_then(|number| u32::try_from(number).ok()),
        sources: sources(fields)?,
    })
}

fn query(fields: &Fields<'_>, resumes: bool) -> Result<String, Refusal> {
    let query = fields.text("query", MAX_QUERY_CHARACTERS)?.unwrap_or_default();
    if !resumes && query.trim().is_empty() {
        return Err(Refusal::field("query", "is missing or empty; send the question as a text"));
    }
    Ok(query)
}

/// `continuationContext` counts only with `continuation: true`, as in the original contract.
fn resume(fields: &Fields<'_>, body: &[u8]) -> Result<Option<Continuation>, Refusal> {
    let wanted = fields.boolean("continuation")?.unwrap_or(false);
    let context = fields.object("continuationContext")?;
    if !wanted {
        return Ok(None);
    }
    let Some(context) = context.filter(|context| !context.is_empty()) else {
        return Err(Refusal::field(
            "continuationContext",
            "is missing; send the continuationState of `quota_exceeded`, or {\"id\": \"…\"}",
        ));
    };
    if let (1, Some(id)) = (context.len(), context.get("id")) {
        return match id {
            Value::String(id) if (1..=MAX_ID_CHARACTERS).contains(&id.len()) => {
                Ok(Some(Continuation::Kept(id.clone())))
            }
            _ => Err(Refusal::field("continuationContext.id", "wants the id of an ask")),
        };
    }
    // As it was sent, byte for byte: numbers that are parsed and printed again may differ in
    // their last digit, and a state may be signed.
    let raw: RawContext<'_> =
        serde_json::from_slice(body).map_err(|error| Refusal::InvalidJson(error.to_string()))?;
    Ok(Some(Continuation::State(raw.context.get().to_owned())))
}

#[derive(Deserialize)]
struct RawContext<'a> {
    #[serde(borrow, rename = "continuationContext")]
    context: &'a RawValue,
}

fn budget(fields: &Fields<'_>) -> Result<Budget, Refusal> {
    let Some(map) = fields.object("budget")? else { return Ok(Budget::default()) };
    let fields = Fields::new(map, "budget.");
    Ok(Budget { usd: fields.positive("usd")?, tokens: fields.whole("tokens", u64::MAX)? })
}

fn sources(fields: &Fields<'_>) -> Result<Sources, Refusal> {
    let named: Vec<&Value> = match fields.value("sources") {
        None => return Ok(Sources { web: true, knowledge: true }),
        Some(Value::Array(names)) => names.iter().collect(),
        Some(name) => vec![name],
    };
    let mut sources = Sources { web: false, knowledge: false };
    for name in named {
        match name.as_str() {
            Some("web") => sources.web = true,
            Some("knowledge") => sources.knowledge = true,
            Some("both") => sources = Sources { web: true, knowledge: true },
            _ => return Err(wrong_sources(fields)),
        }
    }
    if sources.web || sources.knowledge { Ok(sources) } else { Err(wrong_sources(fields)) }
}

fn wrong_sources(fields: &Fields<'_>) -> Refusal {
    fields.wrong("sources", "wants \"web\", \"knowledge\", \"both\" or an array of these")
}

#[cfg(test)]
mod tests;
