//! The bodies of requests about documents, read and checked.
//!
//! Border: what fields may hold; the types here are the parser and the schema of the document at once. A field that
//! is not known is an error.

use std::sync::Arc;

use quarry_types::CollectionName;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::filter::{Filter, Lists};
use super::order::{Content, FieldValue, Query, Replace, Source, nothing};
use crate::Refusal;
use crate::json_field::{Field, Given, Known, Text, Whole};
use crate::native::{MAX_QUERY_CHARACTERS, MAX_SECRET_CHARACTERS, MAX_TOKEN_CHARACTERS};
use crate::runs::Credentials;
use crate::runs::body::{credentials, fields_once, known, said, text};

/// Characters of a document's text: no text of 20 MiB has more.
pub const MAX_TEXT_CHARACTERS: usize = 20 * 1024 * 1024;
/// Characters of a title, a collection's name, an address, and an origin.
const TITLE: usize = 500;
pub(super) const NAME: usize = CollectionName::MAX_CHARACTERS;
const ADDRESS: usize = 2_048;
pub(super) const ORIGIN: usize = 2_048;
/// Chunks that a search gives, at most and where nobody says how many.
const MAX_TOP_K: u32 = 100;
const TOP_K: u32 = 10;
/// The least score of a chunk, where nobody says another.
const THRESHOLD: f64 = 0.15;

/// A document that is to be loaded: one of `markdown`, `text`, `html` and `url`, and what is known of it. Null and
/// the empty text mean: not given.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "DocumentRequest", extend("additionalProperties" = false)
))]
pub(super) struct Load {
    /// In place of the document's own.
    title: Given<Text<TITLE>>,
    /// With headings, and front matter perhaps: `title`, `source_org`, `source_urls`, `category`, `id`, dates.
    markdown: Given<Text<MAX_TEXT_CHARACTERS>>,
    /// Paragraphs.
    text: Given<Text<MAX_TEXT_CHARACTERS>>,
    /// A page, of which the main text counts.
    html: Given<Text<MAX_TEXT_CHARACTERS>>,
    /// A public address, which is read once.
    url: Given<Text<ADDRESS>>,
    /// Further fields, in place of the document's own: `category`, `source_org`, `source_urls`, `id`, `published`,
    /// `updated`, or any other. Texts, numbers, true and false, or arrays of these: at most 32 fields of at most 500
    /// characters; of addresses at most 32, each of at most 2,048.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    metadata: Given<Map<String, Value>>,
    /// Default: `default`.
    collection: Given<Text<NAME>>,
    /// Where it comes from: a folder, say, in one line. A document of the same id from elsewhere is not replaced then.
    origin: Given<Text<ORIGIN>>,
    /// Whether it takes the place of another document that is there: true, of whatever is there; false, of none, so that
    /// somebody can be asked first. Not given: of one that does not come from elsewhere.
    replace: Given<bool>,
    /// The operator's access secret, where one is configured.
    #[serde(rename = "accessSecret")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    access_secret: Given<Text<MAX_SECRET_CHARACTERS>>,
    /// A Google ID token. Read where `google_client_id` or `allowed_emails` is configured.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    google_token: Given<Text<MAX_TOKEN_CHARACTERS>>,
}

/// Files that are to be loaded, each a document.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "DocumentFiles")]
#[allow(dead_code, reason = "its shape alone is read: the files are read by another parser")]
pub(super) struct Files {
    /// Markdown with front matter perhaps, text, HTML, PDF, DOCX, CSV or JSON; each with its name, which may have
    /// folders.
    #[schemars(with = "Vec<String>", length(min = 1))]
    file: Vec<String>,
    /// Default: `default`.
    collection: Option<String>,
    /// A JSON object of fields in place of every file's own.
    metadata: Option<String>,
    /// Where they come from: a folder, say, in one line of at most 2,048 characters. Documents of the same names from
    /// elsewhere are not replaced then.
    origin: Option<String>,
    /// Whether they take the place of other documents that are there: true, of whatever is there; false, of none, so that
    /// somebody can be asked first. Not given: of those that do not come from elsewhere.
    replace: Option<bool>,
    /// The operator's access secret, where one is configured.
    #[serde(rename = "accessSecret")]
    #[schemars(extend("format" = "password"))]
    access_secret: Option<String>,
    /// A Google ID token.
    #[schemars(extend("format" = "password"))]
    google_token: Option<String>,
}

/// A search. Null and the empty text mean: not given.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "KnowledgeQuery", extend("required" = ["query"], "additionalProperties" = false)
))]
pub(super) struct Search {
    /// The question.
    #[cfg_attr(feature = "schema", schemars(
        with = "Text<MAX_QUERY_CHARACTERS>", extend("pattern" = "\\S")
    ))]
    query: Given<Text<MAX_QUERY_CHARACTERS>>,
    /// Chunks at most. Default: 10.
    top_k: Given<Whole<MAX_TOP_K>>,
    /// The least score of a chunk. Default: 0.15.
    threshold: Given<Fraction>,
    /// Default: `default`.
    collection: Given<Text<NAME>>,
    /// Documents that count. Default: all.
    filter: Given<Known<Filter>>,
    /// The operator's access secret, where one is configured.
    #[serde(rename = "accessSecret")]
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    access_secret: Given<Text<MAX_SECRET_CHARACTERS>>,
    /// A Google ID token. Read where `google_client_id` or `allowed_emails` is configured.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
    google_token: Given<Text<MAX_TOKEN_CHARACTERS>>,
}

/// A number from 0 to 1.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Fraction(#[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))] f64);

impl Field for Fraction {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let number = value.as_f64().filter(|number| (0.0..=1.0).contains(number));
        let wants = || "wants a number from 0 to 1".to_owned();
        number.map(|number| Some(Fraction(number))).ok_or_else(wants)
    }
}

/// A body whose fields are all known, each once.
fn object<T: DeserializeOwned>(bytes: &[u8], send: &'static str) -> Result<T, Refusal> {
    fields_once(bytes, send)?.checked().and_then(|fields| known(fields, send))
}

impl Load {
    /// Reads a body.
    pub(super) fn read(bytes: &[u8]) -> Result<(Source, Credentials), Refusal> {
        let body: Load = object(bytes, "{\"markdown\": \"…\"}, or files as multipart/form-data")?;
        let markdown =
            text(body.markdown, "markdown")?.map(|text| ("markdown", Content::Markdown(text)));
        let plain = text(body.text, "text")?.map(|text| ("text", Content::Text(text)));
        let html = text(body.html, "html")?.map(|text| ("html", Content::Html(text)));
        let url = text(body.url, "url")?.map(|url| ("url", Content::Url(url)));
        let mut given = [markdown, plain, html, url].into_iter().flatten();
        let (_, content) = given.next().ok_or_else(|| empty(bytes).unwrap_or_else(nothing))?;
        if let Some((second, _)) = given.next() {
            let message = "stands beside another text of the same document; send one of markdown, text, html and url";
            return Err(Refusal::field(second, message));
        }
        let source = Source {
            collection: text(body.collection, "collection")?,
            content,
            title: said(body.title.named("title")?),
            metadata: fields(body.metadata.named("metadata")?.unwrap_or_default())?.into(),
            origin: said(body.origin.named("origin")?).map(Arc::from),
            replace: Replace::said(body.replace.named("replace")?),
        };
        Ok((source, credentials(body.access_secret, body.google_token)?))
    }
}

/// What is said where a document's text is there and empty.
fn empty(bytes: &[u8]) -> Option<Refusal> {
    let body: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let is_empty = |name: &&str| body.get(*name).and_then(Value::as_str) == Some("");
    let name = ["text", "markdown", "html", "url"].into_iter().find(is_empty)?;
    let message = "is empty; send what the document says, or leave it out and send another of markdown, text, html \
                   and url";
    Some(Refusal::field(name, message))
}

/// The fields of metadata, each a text or several.
pub(super) fn fields(given: Map<String, Value>) -> Result<Vec<(String, FieldValue)>, Refusal> {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    };
    let mut fields = Vec::new();
    for (name, value) in given {
        let said = match &value {
            Value::Array(values) => {
                values.iter().map(plain).collect::<Option<_>>().map(FieldValue::List)
            }
            one => plain(one).map(FieldValue::Text),
        };
        let wants = || {
            let field = format!("metadata.{}", crate::nearest::shown(&name));
            Refusal::field(&field, "wants a text, a number, true, false, or an array of these")
        };
        let said = said.ok_or_else(wants)?;
        fields.push((name, said));
    }
    Ok(fields)
}

impl Search {
    /// Reads a body.
    pub(super) fn read(bytes: &[u8]) -> Result<(Query, Credentials), Refusal> {
        let body: Search = object(bytes, "{\"query\": \"…\"}")?;
        let missing =
            || Refusal::field("query", "is missing or empty; send the question as a text");
        let Lists { categories, source_orgs, documents } = Filter::lists(body.filter)?;
        let query = Query {
            text: said(body.query.named("query")?).ok_or_else(missing)?,
            collection: text(body.collection, "collection")?,
            top_k: body.top_k.named("top_k")?.map_or(TOP_K, |Whole(number)| number),
            threshold: body
                .threshold
                .named("threshold")?
                .map_or(THRESHOLD, |Fraction(least)| least),
            categories,
            source_orgs,
            documents,
        };
        Ok((query, credentials(body.access_secret, body.google_token)?))
    }
}
