//! The body of `POST /ask`, read and checked.
//!
//! Border: what the fields of the ask contract may hold. Each text has a limit. The types here are
//! the parser and the schema of the document at once.

use std::mem;

#[cfg(feature = "schema")]
use quarry_events::schema::component_named;
use quarry_types::{CollectionName, ModelId};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Keyed;
use crate::Refusal;
use crate::bounds::{Limits, SourceNames, budget, sources};
use crate::json_field::{Given, Object, Text, Whole};
use crate::order::{AskRequest, Continuation, Manners, Wish};
#[cfg(feature = "schema")]
use crate::own_key::PATTERN;
use crate::own_key::own_key;
use crate::route::MAX_ID_CHARACTERS;
use crate::talk::{self, Gist};

/// Bytes a body may have.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Characters a question may have.
pub const MAX_QUERY_CHARACTERS: usize = 32_768;
/// Tool iterations that may be asked for.
pub const MAX_ITERATIONS: u32 = 50;

/// Characters a model's name may have, with its provider.
pub const MAX_MODEL_CHARACTERS: usize = ModelId::MAX_CHARACTERS;
/// Characters a provider's key may have; the longest that are known are tokens of some 2,000.
pub const MAX_KEY_CHARACTERS: usize = 4_096;
/// Characters an access secret may have.
pub const MAX_SECRET_CHARACTERS: usize = 1_024;
/// Characters an ID token may have. What can be one at all is decided where it is verified.
pub const MAX_TOKEN_CHARACTERS: usize = 16_384;

/// A question. Unknown fields are ignored; null and the empty text mean: not given.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "AskRequest",
    extend("anyOf" = [
        { "required": ["query"] }, { "required": ["continuation", "continuationContext"] },
    ]),
))]
pub(crate) struct Body {
    /// The question. May be empty only with `continuation`.
    // Nobody should send null for it, though whoever goes on from an ask may.
    #[cfg_attr(feature = "schema", schemars(with = "Text<MAX_QUERY_CHARACTERS>"))]
    query: Given<Text<MAX_QUERY_CHARACTERS>>,
    /// `provider:name`. Default: configuration.
    #[cfg_attr(feature = "schema", schemars(
        extend("examples" = ["groq:openai/gpt-oss-20b", "local:extractive"])
    ))]
    model: Given<Text<MAX_MODEL_CHARACTERS>>,
    /// The caller's own key for the model's provider. Never logged, stored or shown.
    #[serde(rename = "apiKey")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password", "pattern" = PATTERN)))]
    api_key: Given<Text<MAX_KEY_CHARACTERS>>,
    /// The operator's access secret, where one is configured.
    #[serde(rename = "accessSecret")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    access_secret: Given<Text<MAX_SECRET_CHARACTERS>>,
    /// A Google ID token. Read where `google_client_id` or `allowed_emails` is configured.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    google_token: Given<Text<MAX_TOKEN_CHARACTERS>>,
    /// The same as `google_token`, which wins.
    #[serde(rename = "googleToken")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    google_token_in_camel_case: Given<Text<MAX_TOKEN_CHARACTERS>>,
    /// Go on from an interrupted ask.
    continuation: Given<bool>,
    /// Used only with `continuation`: the `continuationState` of `quota_exceeded`, unchanged, or
    /// `{"id": …}` alone for the state that the server keeps.
    #[serde(rename = "continuationContext")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "continuation_context"))]
    continuation_context: Given<Map<String, Value>>,
    /// true: an event stream. false: one JSON object. Wins over `?stream=` and `Accept`.
    stream: Given<bool>,
    /// Hard limits of this ask.
    budget: Given<Object<Limits>>,
    /// Tool iterations at most.
    max_iterations: Given<Whole<MAX_ITERATIONS>>,
    /// Where evidence may come from. Default: the web.
    sources: Given<SourceNames>,
    /// Which collection of documents is searched where a search names none itself; `sources` has to have them. Default:
    /// as the ask that is gone on with, else `default`.
    collection: Given<CollectionName>,
    /// true: the model judges, in one more call within the budget, the citations that the check could
    /// neither confirm nor refute. Default: as the ask that is gone on with, else false.
    verify_with_model: Given<bool>,
}

/// Names a state that the server keeps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KeptContinuation {
    /// The ask's id.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MAX_ID_CHARACTERS)))]
    id: String,
}

/// A body as far as it could be read: even a refused one may say how to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The body's `stream`.
    pub stream: Option<bool>,
    /// What it says, however it is written, where its sender may send it again.
    pub(crate) gist: Option<Gist>,
    /// The request, or why there is none.
    pub request: Result<AskRequest, Refusal>,
}

impl Parsed {
    /// Reads a body.
    #[must_use]
    pub(crate) fn read(bytes: &[u8], keyed: Keyed) -> Parsed {
        let map = match talk::object(bytes) {
            Ok(map) => map,
            Err(why) => return Parsed::refused(why),
        };
        let gist = keyed.gist(&map, &[]);
        let mut body = match serde_json::from_value::<Body>(Value::Object(map)) {
            Ok(body) => body,
            Err(error) => return Parsed::refused(error.to_string()),
        };
        match mem::take(&mut body.stream).named("stream") {
            Ok(stream) => Parsed { stream, gist, request: request(body, bytes) },
            Err(refusal) => Parsed { stream: None, gist, request: Err(refusal) },
        }
    }

    fn refused(why: String) -> Parsed {
        Parsed { stream: None, gist: None, request: Err(Refusal::InvalidJson(why)) }
    }
}

/// The order of the fields is the order in which what is wrong is told.
fn request(body: Body, bytes: &[u8]) -> Result<AskRequest, Refusal> {
    let resume = resume(body.continuation, body.continuation_context, bytes)?;
    // Both are looked at, so that a wrong one is told whichever is used.
    let google_token = body.google_token.named("google_token")?;
    let in_camel_case = body.google_token_in_camel_case.named("googleToken")?;
    Ok(AskRequest {
        query: query(body.query, resume.is_some())?,
        wish: Wish::default(),
        manners: Manners::default(),
        model: body.model.named("model")?.map(|text| text.0),
        api_key: own_key(body.api_key.named("apiKey")?.map(|text| text.0), "apiKey")?,
        access_secret: body.access_secret.named("accessSecret")?.map(|text| text.0),
        google_token: google_token.or(in_camel_case).map(|text| text.0),
        resume,
        budget: budget(body.budget.named("budget")?.map(|limits| limits.0))?,
        max_iterations: body.max_iterations.named("max_iterations")?.map(|number| number.0),
        sources: sources(body.sources)?,
        collection: body.collection.named("collection")?,
        domains: Vec::new(),
        max_tool_calls: None,
        verify_with_model: body.verify_with_model.named("verify_with_model")?,
    })
}

fn query(given: Given<Text<MAX_QUERY_CHARACTERS>>, resumes: bool) -> Result<String, Refusal> {
    let query = given.named("query")?.map(|text| text.0).unwrap_or_default();
    if !resumes && query.trim().is_empty() {
        return Err(Refusal::field("query", "is missing or empty; send the question as a text"));
    }
    Ok(query)
}

/// `continuationContext` counts only with `continuation: true`, as in the original contract.
fn resume(
    wanted: Given<bool>,
    context: Given<Map<String, Value>>,
    bytes: &[u8],
) -> Result<Option<Continuation>, Refusal> {
    let wanted = wanted.named("continuation")?.unwrap_or(false);
    let context = context.named("continuationContext")?;
    if !wanted {
        return Ok(None);
    }
    let Some(context) = context.filter(|context| !context.is_empty()) else {
        return Err(Refusal::field(
            "continuationContext",
            "is missing; send the continuationState of `quota_exceeded`, or {\"id\": \"…\"}",
        ));
    };
    if context.len() == 1 && context.contains_key("id") {
        let kept = serde_json::from_value::<KeptContinuation>(Value::Object(context)).ok();
        let id = kept.map(|kept| kept.id);
        return match id.filter(|id| (1..=MAX_ID_CHARACTERS).contains(&id.chars().count())) {
            Some(id) => Ok(Some(Continuation::Kept(id))),
            None => Err(Refusal::field("continuationContext.id", "wants the id of an ask")),
        };
    }
    // As it was sent, byte for byte: numbers that are parsed and printed again may differ in
    // their last digit, and a state may be signed.
    let raw: RawContext<'_> =
        serde_json::from_slice(bytes).map_err(|error| Refusal::InvalidJson(error.to_string()))?;
    Ok(Some(Continuation::State(raw.context.get().to_owned())))
}

#[derive(Deserialize)]
struct RawContext<'a> {
    #[serde(borrow, rename = "continuationContext")]
    context: &'a RawValue,
}

/// What a continuation may be. Whether a state is one is for the machine to say that reads it.
#[cfg(feature = "schema")]
fn continuation_context(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "anyOf": [
        generator.subschema_for::<KeptContinuation>(),
        component_named("ContinuationState"),
        component_named("SufficientState"),
        { "type": "null" },
    ] })
}

#[cfg(test)]
mod tests;
