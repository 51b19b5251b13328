//! The body of `POST /knowledge/ask`, read and checked.
//!
//! Border: what the fields may hold. The types here are the parser and the schema of the document at once.

use std::fmt;

use quarry_types::CollectionName;
use serde::Deserialize;
use serde_json::Value;

use crate::Refusal;
use crate::bounds::{Limits, budget};
use crate::json_field::{Field, Given, Known, Text, Whole, either};
use crate::knowledge::filter::{Filter, Lists};
use crate::native::{
    Keyed, MAX_KEY_CHARACTERS, MAX_MODEL_CHARACTERS, MAX_QUERY_CHARACTERS, MAX_SECRET_CHARACTERS,
    MAX_TOKEN_CHARACTERS,
};
use crate::order::{Budget, Manners};
#[cfg(feature = "schema")]
use crate::own_key::PATTERN;
use crate::own_key::own_key;
use crate::runs::Credentials;
use crate::runs::body::{credentials, fields_once, known};
use crate::talk::Gist;

/// What a body looks like.
const SEND: &str = "{\"query\": \"…\"}";
/// Chunks that are found unless it says otherwise, and the most.
const TOP_K: u32 = 10;
const MOST_CHUNKS: u32 = 100;
/// The least score of a chunk unless it says otherwise.
const THRESHOLD: f64 = 0.15;
/// Characters that a collection's name may have.
const COLLECTION_CHARACTERS: usize = CollectionName::MAX_CHARACTERS;

/// A question to documents, and who asks it. Printed, it shows no secret.
#[derive(Clone, PartialEq)]
pub struct ConsultRequest {
    /// The question.
    pub query: String,
    /// How its door deals with its caller.
    pub manners: Manners,
    /// Which collection; none: the default one.
    pub collection: Option<String>,
    /// Chunks at most.
    pub top_k: u32,
    /// The least score that a chunk may have, 0 to 1.
    pub threshold: f64,
    /// Documents that count.
    pub filter: ConsultFilter,
    /// `provider:name`.
    pub model: Option<String>,
    /// The caller's own provider key.
    pub api_key: Option<String>,
    /// By what the caller proves who it is.
    pub credentials: Credentials,
    /// Hard limits.
    pub budget: Budget,
    /// Whether the model judges the citations that the check could neither confirm nor refute.
    pub verify_with_model: bool,
}

impl fmt::Debug for ConsultRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsultRequest")
            .field("query", &self.query)
            .field("collection", &self.collection)
            .field("top_k", &self.top_k)
            .field("threshold", &self.threshold)
            .field("filter", &self.filter)
            .field("model", &self.model)
            .field("budget", &self.budget)
            .field("verify_with_model", &self.verify_with_model)
            .finish_non_exhaustive()
    }
}

/// Documents that count. An empty list lets all through; of several lists, all have to let a document through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsultFilter {
    /// Categories as documents write them.
    pub categories: Vec<String>,
    /// Who published them.
    pub source_orgs: Vec<String>,
    /// Ids of documents.
    pub documents: Vec<String>,
}

/// A question to documents. Null and the empty text mean: not given.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "KnowledgeAskRequest", extend("required" = ["query"], "additionalProperties" = false)
))]
pub(crate) struct Body {
    /// The question.
    #[cfg_attr(feature = "schema", schemars(with = "Text<MAX_QUERY_CHARACTERS>"))]
    query: Given<Text<MAX_QUERY_CHARACTERS>>,
    /// Which collection of documents. Default: `default`.
    collection: Given<Text<COLLECTION_CHARACTERS>>,
    /// Chunks that are found at most. Default: 10.
    top_k: Given<Whole<MOST_CHUNKS>>,
    /// The same as `top_k`; send one of them.
    #[serde(rename = "topK")]
    top_k_in_camel_case: Given<Whole<MOST_CHUNKS>>,
    /// The least score that a chunk may have, 0 to 1. Default: 0.15.
    threshold: Given<Share>,
    /// Documents that count. Default: all.
    filter: Given<Known<Filter>>,
    /// `provider:name`. Default: configuration.
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
    /// true: an event stream. false: one JSON object. Wins over `?stream=` and `Accept`.
    stream: Given<bool>,
    /// Hard limits of this question.
    budget: Given<Known<Limits>>,
    /// Whether the model judges, in one more call within the budget, the citations that the check could neither
    /// confirm nor refute. Default: false.
    verify_with_model: Given<bool>,
}

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Share(#[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))] f64);

impl Field for Share {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share.map(|share| Some(Share(share))).ok_or_else(|| "wants a number from 0 to 1".to_owned())
    }
}

/// A body as far as it could be read: even a refused one may say how to answer.
pub(super) struct Parsed {
    /// The body's `stream`.
    pub stream: Option<bool>,
    /// What it says beside its collection, however it is written, where its sender may send it again.
    pub gist: Option<Gist>,
    /// The request, or why there is none.
    pub request: Result<ConsultRequest, Refusal>,
}

impl Parsed {
    /// Reads a body.
    pub fn read(bytes: &[u8], keyed: Keyed) -> Parsed {
        let fields = match fields_once(bytes, SEND) {
            Ok(fields) => fields,
            Err(refusal) => return Parsed { stream: None, gist: None, request: Err(refusal) },
        };
        let stream = fields.value.get("stream").and_then(Value::as_bool);
        let gist = keyed.gist(&fields.value, &["collection"]);
        let fields = fields.checked().and_then(|fields| known::<Body>(fields, SEND));
        Parsed { stream, gist, request: fields.and_then(request) }
    }
}

fn request(body: Body) -> Result<ConsultRequest, Refusal> {
    // Its value was taken before the rest was read; a wrong one is told here.
    body.stream.named("stream")?;
    let query = body.query.named("query")?.map(|text| text.0).unwrap_or_default();
    if query.trim().is_empty() {
        return Err(Refusal::field("query", "is missing or empty; send the question as a text"));
    }
    let top_k = either(("top_k", body.top_k), ("topK", body.top_k_in_camel_case))?;
    let Lists { categories, source_orgs, documents } = Filter::lists(body.filter)?;
    Ok(ConsultRequest {
        query,
        manners: Manners::default(),
        collection: body.collection.named("collection")?.map(|text| text.0),
        top_k: top_k.map_or(TOP_K, |number| number.0),
        threshold: body.threshold.named("threshold")?.map_or(THRESHOLD, |share| share.0),
        filter: ConsultFilter { categories, source_orgs, documents },
        model: body.model.named("model")?.map(|text| text.0),
        api_key: own_key(body.api_key.named("apiKey")?.map(|text| text.0), "apiKey")?,
        credentials: credentials(body.access_secret, body.google_token)?,
        budget: budget(body.budget.named("budget")?.map(|Known(limits)| limits))?,
        verify_with_model: body.verify_with_model.named("verify_with_model")?.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::once::TWICE;
    use serde_json::json;

    fn read(body: &Value) -> Result<ConsultRequest, Refusal> {
        Parsed::read(body.to_string().as_bytes(), Keyed::No).request
    }

    #[test]
    fn a_question_alone_has_the_usual_figures() {
        let request = read(&json!({ "query": "why?" })).unwrap();
        assert_eq!((request.top_k, request.threshold.to_bits()), (10, 0.15_f64.to_bits()));
        assert_eq!((request.collection, request.filter), (None, ConsultFilter::default()));
        assert!(!request.verify_with_model);
    }

    #[test]
    fn every_field_is_read_and_no_secret_is_printed() {
        let request = read(&json!({
            "query": "why?", "collection": "team", "topK": 3, "threshold": 0, "model": "groq:x",
            "apiKey": " canary\n", "accessSecret": "canary", "google_token": "canary",
            "filter": { "categories": ["rules"], "source_orgs": ["Board"], "documents": ["d1"] },
            "budget": { "tokens": 900 }, "verify_with_model": true,
        }))
        .unwrap();
        assert_eq!((request.top_k, request.collection.as_deref()), (3, Some("team")));
        assert_eq!(request.filter.categories, ["rules"]);
        assert_eq!(request.filter.source_orgs, ["Board"]);
        assert_eq!(request.filter.documents, ["d1"]);
        assert_eq!(request.budget.tokens, Some(900));
        assert!(request.verify_with_model);
        assert_eq!(request.api_key.as_deref(), Some("canary"));
        assert!(!format!("{request:?}").contains("canary"));
    }

    #[test]
    fn a_body_that_is_refused_still_says_how_to_answer() {
        for body in [
            r#"{"stream":true}"#,
            r#"{"query":"q","stream":true,"threshhold":0.5}"#,
            r#"{"query":"q","stream":true,"query":"r"}"#,
        ] {
            let parsed = Parsed::read(body.as_bytes(), Keyed::No);
            assert_eq!(parsed.stream, Some(true), "{body}");
            assert!(matches!(parsed.request, Err(Refusal::InvalidField { .. })), "{body}");
        }
        for body in ["[]", "{", "7"] {
            let parsed = Parsed::read(body.as_bytes(), Keyed::No);
            assert_eq!(parsed.stream, None, "{body}");
            let Err(refusal) = parsed.request else { panic!("{body}") };
            let says = refusal.to_string();
            assert!(says.starts_with("the body is not a JSON object"), "{says}");
            assert!(says.ends_with(r#"send {"query": "…"}"#), "{says}");
        }
    }

    #[test]
    fn a_field_that_stands_there_twice_is_named() {
        for (body, field) in [
            (r#"{"query":"q","collection":"a","collection":"b"}"#, "collection"),
            (r#"{"query":"q","query":"q"}"#, "query"),
            (r#"{"query":"q","filter":{"category":"a","category":"b"}}"#, "filter.category"),
        ] {
            let Err(Refusal::InvalidField { field: named, message }) =
                Parsed::read(body.as_bytes(), Keyed::No).request
            else {
                panic!("{body}")
            };
            assert_eq!((named.as_str(), message.as_str()), (field, TWICE), "{body}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_field() {
        for (given, field, words) in [
            (json!({}), "query", "send the question"),
            (json!({ "query": "q", "top_k": 0 }), "top_k", "from 1 to 100"),
            (json!({ "query": "q", "topK": 101 }), "topK", "from 1 to 100"),
            (json!({ "query": "q", "top_k": 3, "topK": 3 }), "topK", "stands beside `top_k`"),
            (json!({ "query": "q", "threshold": 1.5 }), "threshold", "from 0 to 1"),
            (
                json!({ "query": "q", "threshhold": 0.5 }),
                "threshhold",
                "the nearest is `threshold`",
            ),
            (json!({ "query": "q", "filters": {} }), "filters", "the nearest is `filter`"),
            (json!({ "query": "q", "colection": "a" }), "colection", "nearest is `collection`"),
            (json!({ "query": "q", "stream": "yes" }), "stream", "true or false"),
            (json!({ "query": "q", "budget": { "token": 9 } }), "budget", "nearest is `tokens`"),
            (
                json!({ "query": "q", "verify_with_model": "yes" }),
                "verify_with_model",
                "true or false",
            ),
            (
                json!({ "query": "q", "filter": { "categry": [] } }),
                "filter",
                "the nearest is `category`",
            ),
            (
                json!({ "query": "q", "filter": { "categories": [] } }),
                "filter.categories",
                "wants at least one value",
            ),
            (
                json!({ "query": "q", "filter": { "documents": [""] } }),
                "filter.documents",
                "1 to 500",
            ),
        ] {
            let Err(Refusal::InvalidField { field: named, message }) = read(&given) else {
                panic!("{given}")
            };
            assert_eq!(named, field);
            assert!(message.contains(words), "{message}");
        }
    }
}
