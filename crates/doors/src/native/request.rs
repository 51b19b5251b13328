//! The body of `POST /ask`, read and checked.
//!
//! Border: checks what needs no configuration. Whether the model exists, a key is at hand or a
//! continuation is ours is for the callee to say.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::json_field::Fields;
use crate::Refusal;

/// Bytes a body may have.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Characters a question may have.
pub const MAX_QUERY_CHARACTERS: usize = 32_768;
/// Tool iterations that may be asked for.
pub const MAX_ITERATIONS: u64 = 50;

/// What the body says, apart from who asks.
#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The question; empty only with `resume`.
    pub query: String,
    /// `provider:name`.
    pub model: Option<String>,
    /// The caller's own provider key.
    pub api_key: Option<String>,
    /// For the comparison with the operator's access secret.
    pub access_secret: Option<String>,
    /// A Google ID token.
    pub google_token: Option<String>,
    /// Go on from an interrupted ask.
    pub resume: Option<Continuation>,
    /// Hard limits.
    pub budget: Budget,
    /// Tool iterations at most.
    pub max_iterations: Option<u32>,
    /// Where evidence may come from.
    pub sources: Sources,
}

/// Hard limits of an ask.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// US dollars.
    pub usd: Option<f64>,
    /// Input and output together.
    pub tokens: Option<u64>,
}

/// Where evidence may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    /// The public web.
    pub web: bool,
    /// The private knowledge base.
    pub knowledge: bool,
}

/// Where an interrupted ask goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuation {
    /// The id of an ask whose state the server keeps.
    Kept(String),
    /// The state as the client received it, one JSON text.
    State(String),
}

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
            Ok(stream) => Parsed { stream, request: AskRequest::from_fields(&fields, body) },
            Err(refusal) => Parsed { stream: None, request: Err(refusal) },
        }
    }

    fn refused(why: &str) -> Parsed {
        Parsed { stream: None, request: Err(Refusal::InvalidJson(why.to_owned())) }
    }
}

impl AskRequest {
    fn from_fields(fields: &Fields<'_>, body: &[u8]) -> Result<AskRequest, Refusal> {
        let resume = resume(fields, body)?;
        Ok(AskRequest {
            query: query(fields, resume.is_some())?,
            model: fields.text("model")?,
            api_key: fields.text("apiKey")?,
            access_secret: fields.text("accessSecret")?,
            google_token: match fields.text("google_token")? {
                Some(token) => Some(token),
                None => fields.text("googleToken")?,
            },
            resume,
            budget: budget(fields)?,
            max_iterations: fields
                .whole("max_iterations", MAX_ITERATIONS)?
                .and_then(|number| u32::try_from(number).ok()),
            sources: sources(fields)?,
        })
    }
}

fn query(fields: &Fields<'_>, resumes: bool) -> Result<String, Refusal> {
    let query = fields.text("query")?.unwrap_or_default();
    // Bytes first: counting characters is for the few that are near the limit.
    if query.len() > MAX_QUERY_CHARACTERS && query.chars().count() > MAX_QUERY_CHARACTERS {
        return Err(Refusal::field(
            "query",
            &format!("is too long; send at most {MAX_QUERY_CHARACTERS} characters"),
        ));
    }
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
            Value::String(id) if !id.is_empty() => Ok(Some(Continuation::Kept(id.clone()))),
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
