//! The bodies of requests about runs, read and checked.
//!
//! Border: what fields may hold; the types here are the parser and the schema of the document at once. A
//! field that is not known is an error: a bound that was misspelt would be none.

use quarry_types::{CollectionName, ModelId, RunEffort};
use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, IntoDeserializer};
use serde_json::{Map, Value};

use super::knobs;
use super::order::{Branch, Credentials, Request, Resumption, Roles};
use crate::body::few_values;
use crate::bounds::{Limits, SourceNames, budget, sources};
use crate::json_field::{AboveZero, Field, Given, Known, Text, unknown};
use crate::native::{
    MAX_KEY_CHARACTERS, MAX_MODEL_CHARACTERS, MAX_SECRET_CHARACTERS, MAX_TOKEN_CHARACTERS,
};
use crate::once::{self, Once};
#[cfg(feature = "schema")]
use crate::own_key::PATTERN;
use crate::own_key::own_key;
use crate::{Hidden, Refusal};

/// Bytes a body may have.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Characters a task may have.
pub const MAX_TASK_CHARACTERS: usize = 32_768;
/// Characters a person may say at once.
pub const MAX_GUIDANCE_CHARACTERS: usize = 8_192;
/// Models that may be named for a role.
pub const MAX_MODELS: usize = 8;

/// A body: behind its own fields those by which a caller proves who it is. One that is `paid` has the caller's
/// own key, too.
macro_rules! body {
    ($(#[$about:meta])* paid struct $name:ident { $($own:tt)* }) => {
        body! {
            $(#[$about])*
            struct $name {
                $($own)*
                /// The caller's own key for the model's provider. Never logged, stored or shown: when the instance
                /// that drives the run is gone, the run waits until it is resumed with a key.
                #[serde(rename = "apiKey")]
                #[cfg_attr(feature = "schema", schemars(extend("format" = "password", "pattern" = PATTERN)))]
                api_key: Given<Text<MAX_KEY_CHARACTERS>>,
            }
        }
    };
    ($(#[$about:meta])* struct $name:ident { $($own:tt)* }) => {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $(#[$about])*
        pub(crate) struct $name {
            $($own)*
            /// The operator's access secret, where one is configured.
            #[serde(rename = "accessSecret")]
            #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
            access_secret: Given<Text<MAX_SECRET_CHARACTERS>>,
            /// A Google ID token. Read where `google_client_id` or `allowed_emails` is configured.
            #[cfg_attr(feature = "schema", schemars(extend("format" = "password")))]
            google_token: Given<Text<MAX_TOKEN_CHARACTERS>>,
        }
    };
}

body! {
    /// A run that is asked for. Null and the empty text mean: not given.
    #[cfg_attr(feature = "schema", schemars(
        rename = "RunRequest", extend("required" = ["task"], "additionalProperties" = false),
    ))]
    paid struct Create {
        /// What is to be found out.
        #[cfg_attr(feature = "schema", schemars(
            with = "Text<MAX_TASK_CHARACTERS>", extend("pattern" = "\\S")
        ))]
        task: Given<Text<MAX_TASK_CHARACTERS>>,
        /// `provider:name`. Default: configuration.
        model: Given<Text<MAX_MODEL_CHARACTERS>>,
        /// Other models for some of the work, each a name or several in order of preference.
        models: Given<Known<RoleModels>>,
        /// Single knobs; those that are not given are those of `effort`.
        #[cfg_attr(feature = "schema", schemars(schema_with = "knobs::schema"))]
        config: Given<Map<String, Value>>,
        /// Sets all knobs together; those in `config` win.
        effort: Given<RunEffort>,
        /// Hard limits of the whole run.
        budget: Given<Known<Limits>>,
        /// Where evidence may come from. Default: the web.
        sources: Given<SourceNames>,
        /// Which collection of documents is searched; `sources` has to have them. Default: `default`.
        collection: Given<CollectionName>,
        /// What a person says before it begins.
        guidance: Given<Text<MAX_GUIDANCE_CHARACTERS>>,
    }
}

/// Models by what they do.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct RoleModels {
    /// Chooses queries and parts questions.
    plan: Given<Models>,
    /// Reads sources and states findings.
    read: Given<Models>,
    /// Judges whether a question is answered.
    judge: Given<Models>,
    /// Writes the report.
    write: Given<Models>,
}

/// One model, or several in order of preference.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, untagged))]
enum Models {
    One(#[cfg_attr(feature = "schema", schemars(length(max = MAX_MODEL_CHARACTERS)))] String),
    Several(
        #[cfg_attr(feature = "schema", schemars(
            length(max = MAX_MODELS),
            inner(length(min = 1, max = MAX_MODEL_CHARACTERS))
        ))]
        Vec<String>,
    ),
}

impl Models {
    fn list(self) -> Vec<String> {
        match self {
            Models::One(name) => vec![name],
            Models::Several(names) => names,
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().nth(ModelId::MAX_CHARACTERS).is_none()
}

impl Field for Models {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let name = |value| match value {
            Value::String(name) if is_name(&name) => Some(name),
            _ => None,
        };
        let models = match value {
            Value::String(name) if name.is_empty() => return Ok(None),
            Value::Array(names) if names.len() <= MAX_MODELS => {
                names.into_iter().map(name).collect::<Option<_>>().map(Models::Several)
            }
            one => name(one).map(Models::One),
        };
        models.map(Some).ok_or_else(|| {
            format!(
                "wants a model as provider:name, or an array of at most {MAX_MODELS}, each of at most {MAX_MODEL_CHARACTERS} characters"
            )
        })
    }
}

impl Field for RunEffort {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let wants = || "wants \"quick\", \"standard\" or \"deep\"".to_owned();
        let word: StrDeserializer<'_, de::value::Error> =
            value.as_str().ok_or_else(wants)?.into_deserializer();
        RunEffort::deserialize(word).map(Some).map_err(|_| wants())
    }
}

body! {
    /// How a run goes on. Null and the empty text mean: not given.
    #[cfg_attr(feature = "schema", schemars(
        rename = "RunResumption", extend("additionalProperties" = false)
    ))]
    paid struct Resume {
        /// Limits in place of those it has. They may only grow; where there is none, none is set.
        budget: Given<Known<Limits>>,
        /// Knobs in place of those it has: bounds may only grow.
        #[cfg_attr(feature = "schema", schemars(schema_with = "knobs::schema"))]
        config: Given<Map<String, Value>>,
        /// true: go on although a policy has another version than when the run began.
        force: Given<bool>,
    }
}

body! {
    /// What a person says to a run.
    #[cfg_attr(feature = "schema", schemars(
        rename = "RunGuidance", extend("required" = ["text"], "additionalProperties" = false),
    ))]
    struct Guide {
        /// What to look into, to leave out, to keep in mind.
        #[cfg_attr(feature = "schema", schemars(
            with = "Text<MAX_GUIDANCE_CHARACTERS>", extend("pattern" = "\\S")
        ))]
        text: Given<Text<MAX_GUIDANCE_CHARACTERS>>,
    }
}

body! {
    /// What differs in a run that shares another's beginning. Null and the empty text mean: not given.
    #[cfg_attr(feature = "schema", schemars(
        rename = "RunBranch", extend("additionalProperties" = false)
    ))]
    paid struct Fork {
        /// The event of the old run up to which its steps are shared. Default: all completed steps.
        at: Given<AboveZero>,
        /// Another task.
        task: Given<Text<MAX_TASK_CHARACTERS>>,
        /// Another model, `provider:name`, in the place of all that the run has. Default: those that it has for each role.
        model: Given<Text<MAX_MODEL_CHARACTERS>>,
        /// Knobs in place of those it has.
        #[cfg_attr(feature = "schema", schemars(schema_with = "knobs::schema"))]
        config: Given<Map<String, Value>>,
    }
}

body! {
    /// Who asks, where nothing else is said. Null and the empty text mean: not given.
    #[cfg_attr(feature = "schema", schemars(
        rename = "Credentials", extend("additionalProperties" = false)
    ))]
    struct Proof {}
}

impl Proof {
    /// Bytes that such a body may have: a secret and a token as JSON may write them.
    pub(crate) const MOST_BYTES: usize = 128 * 1024;

    /// Reads a body; none at all proves nothing.
    pub(crate) fn read(bytes: &[u8]) -> Result<Credentials, Refusal> {
        let body: Proof = optional(bytes)?;
        credentials(body.access_secret, body.google_token)
    }
}

impl Create {
    /// Reads a body. The order of the fields is the order in which what is wrong is told.
    pub(super) fn read(
        bytes: &[u8],
        idempotency_key: Option<String>,
    ) -> Result<(Request, Credentials), Refusal> {
        let body: Create = object(bytes, "{\"task\": \"…\"}")?;
        let task = said(body.task.named("task")?);
        let missing = || Refusal::field("task", "is missing or empty; send the task as a text");
        let request = Request {
            task: task.ok_or_else(missing)?,
            model: text(body.model, "model")?,
            models: roles(body.models.named("models")?)?,
            api_key: own(body.api_key)?,
            config: knobs::complete(
                body.effort.named("effort")?,
                knobs::given(body.config.named(knobs::CONFIG)?)?,
            )?,
            budget: budget(body.budget.named("budget")?.map(|Known(limits)| limits))?,
            sources: sources(body.sources)?,
            collection: body.collection.named("collection")?,
            guidance: said(body.guidance.named("guidance")?),
            idempotency_key,
            key_lasts_ms: None,
            senders_key: None,
            is_spare_key: false,
            keeps: None,
        };
        Ok((request, credentials(body.access_secret, body.google_token)?))
    }
}

impl Resume {
    /// Reads a body; none at all changes nothing.
    pub(super) fn read(bytes: &[u8]) -> Result<(Resumption, Credentials), Refusal> {
        let body: Resume = optional(bytes)?;
        let resumption = Resumption {
            api_key: own(body.api_key)?,
            budget: budget(body.budget.named("budget")?.map(|Known(limits)| limits))?,
            config: knobs::given(body.config.named(knobs::CONFIG)?)?.to_string(),
            force: body.force.named("force")?.unwrap_or_default(),
        };
        Ok((resumption, credentials(body.access_secret, body.google_token)?))
    }
}

impl Guide {
    /// Reads a body.
    pub(super) fn read(bytes: &[u8]) -> Result<(String, Credentials), Refusal> {
        let body: Guide = object(bytes, "{\"text\": \"…\"}")?;
        let missing = || Refusal::field("text", "is missing or empty; send what is to be said");
        let text = said(body.text.named("text")?).ok_or_else(missing)?;
        Ok((text, credentials(body.access_secret, body.google_token)?))
    }
}

impl Fork {
    /// Reads a body; none at all changes nothing.
    pub(super) fn read(
        bytes: &[u8],
        idempotency_key: Option<String>,
    ) -> Result<(Branch, Credentials), Refusal> {
        let body: Fork = optional(bytes)?;
        let branch = Branch {
            at: body.at.named("at")?.map(|number| number.0),
            task: said(body.task.named("task")?),
            model: text(body.model, "model")?,
            api_key: own(body.api_key)?,
            config: knobs::given(body.config.named(knobs::CONFIG)?)?.to_string(),
            idempotency_key,
        };
        Ok((branch, credentials(body.access_secret, body.google_token)?))
    }
}

/// A body whose fields are all known.
fn object<T: DeserializeOwned>(bytes: &[u8], send: &'static str) -> Result<T, Refusal> {
    known(fields(bytes, send)?, send)
}

/// The fields of a body, known or not.
fn fields(bytes: &[u8], send: &'static str) -> Result<Map<String, Value>, Refusal> {
    fields_once(bytes, send).map(|fields| fields.value)
}

/// The fields of a body, known or not, and which of them stands there twice: one that is refused may still say how to
/// answer.
///
/// # Errors
/// [`Refusal::NoObject`] when it is none, or holds too much.
pub(crate) fn fields_once(
    bytes: &[u8],
    send: &'static str,
) -> Result<Once<Map<String, Value>>, Refusal> {
    let no_object = |why: &str| Refusal::NoObject { why: why.to_owned(), send };
    few_values(bytes).map_err(|why| no_object(&why))?;
    match once::read(bytes) {
        Ok(Once { value: Value::Object(value), twice }) => Ok(Once { value, twice }),
        Ok(_) => Err(no_object("it is another kind of value")),
        Err(error) => Err(no_object(&error.to_string())),
    }
}

/// What the fields of a body say.
///
/// # Errors
/// [`Refusal::InvalidField`] with the first that is not known, and which may be meant.
pub(crate) fn known<T: DeserializeOwned>(
    fields: Map<String, Value>,
    send: &'static str,
) -> Result<T, Refusal> {
    if let Some((unknown, meant)) = unknown::<T>(&fields) {
        return Err(Refusal::field(unknown, &format!("is no field here; {meant}")));
    }
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| Refusal::NoObject { why: error.to_string(), send })
}

/// The same, where nothing has to be sent.
fn optional<T: DeserializeOwned + Default>(bytes: &[u8]) -> Result<T, Refusal> {
    if bytes.is_empty() { Ok(T::default()) } else { object(bytes, "{} or nothing") }
}

/// What was said, unless it is blank.
pub(crate) fn said<const MOST: usize>(given: Option<Text<MOST>>) -> Option<String> {
    given.map(|text| text.0).filter(|text| !text.trim().is_empty())
}

pub(crate) fn text<const MOST: usize>(
    given: Given<Text<MOST>>,
    name: &str,
) -> Result<Option<String>, Refusal> {
    Ok(given.named(name)?.map(|text| text.0))
}

fn hidden<const MOST: usize>(
    given: Given<Text<MOST>>,
    name: &str,
) -> Result<Option<Hidden>, Refusal> {
    Ok(text(given, name)?.map(Hidden))
}

/// The caller's own key.
fn own(given: Given<Text<MAX_KEY_CHARACTERS>>) -> Result<Option<Hidden>, Refusal> {
    Ok(own_key(text(given, "apiKey")?, "apiKey")?.map(Hidden))
}

pub(crate) fn credentials(
    access_secret: Given<Text<MAX_SECRET_CHARACTERS>>,
    google_token: Given<Text<MAX_TOKEN_CHARACTERS>>,
) -> Result<Credentials, Refusal> {
    Ok(Credentials {
        secret: hidden(access_secret, "accessSecret")?,
        google_token: hidden(google_token, "google_token")?,
        bearer: None,
    })
}

fn roles(models: Option<Known<RoleModels>>) -> Result<Roles, Refusal> {
    let Some(Known(models)) = models else { return Ok(Roles::default()) };
    let list = |given: Given<Models>, name| {
        Ok::<_, Refusal>(given.named(name)?.map(Models::list).unwrap_or_default())
    };
    Ok(Roles {
        plan: list(models.plan, "models.plan")?,
        read: list(models.read, "models.read")?,
        judge: list(models.judge, "models.judge")?,
        write: list(models.write, "models.write")?,
    })
}

#[cfg(test)]
mod tests;
