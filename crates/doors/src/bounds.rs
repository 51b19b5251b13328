//! What the bodies of an ask and of a run have in common: a budget, and where evidence may come from.
//!
//! Border: the types here are the parser and the schema of the document at once.

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, IntoDeserializer};
use serde_json::Value;

use crate::Refusal;
use crate::json_field::{AboveZero, Field, Given, Positive};
use crate::order::{Budget, Sources};

/// Hard limits of an ask or a run.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Limits {
    /// US dollars.
    usd: Given<Positive>,
    /// Input and output together.
    tokens: Given<AboveZero>,
}

/// Where evidence may come from.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) enum SourceName {
    Web,
    Knowledge,
    Both,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, untagged))]
pub(crate) enum SourceNames {
    One(SourceName),
    /// Several.
    Several(#[cfg_attr(feature = "schema", schemars(length(min = 1)))] Vec<SourceName>),
}

impl SourceName {
    /// A name as it stands in JSON: a text, and none of the other forms that an enum may have.
    fn read(value: &Value) -> Option<SourceName> {
        let word: StrDeserializer<'_, de::value::Error> = value.as_str()?.into_deserializer();
        SourceName::deserialize(word).ok()
    }
}

impl Field for SourceNames {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let names = match value.as_array() {
            Some(names) if names.is_empty() => None,
            Some(names) => {
                names.iter().map(SourceName::read).collect::<Option<_>>().map(SourceNames::Several)
            }
            None => SourceName::read(&value).map(SourceNames::One),
        };
        names
            .map(Some)
            .ok_or_else(|| "wants \"web\", \"knowledge\", \"both\" or an array of these".to_owned())
    }
}

impl SourceNames {
    fn list(&self) -> &[SourceName] {
        match self {
            SourceNames::One(name) => std::slice::from_ref(name),
            SourceNames::Several(names) => names,
        }
    }
}

impl From<SourceNames> for Sources {
    fn from(names: SourceNames) -> Self {
        let mut sources = Sources { web: false, knowledge: false, program: true };
        for name in names.list() {
            sources.web |= matches!(name, SourceName::Web | SourceName::Both);
            sources.knowledge |= matches!(name, SourceName::Knowledge | SourceName::Both);
        }
        sources
    }
}

/// The limits of `budget`.
///
/// # Errors
/// [`Refusal::InvalidField`] for one that cannot be used.
pub(crate) fn budget(limits: Option<Limits>) -> Result<Budget, Refusal> {
    let Some(limits) = limits else { return Ok(Budget::default()) };
    let usd = limits.usd.named("budget.usd")?.map(|number| number.0);
    Ok(Budget { usd, tokens: limits.tokens.named("budget.tokens")?.map(|number| number.0) })
}

/// What `sources` says; nothing: the web. Documents of one's own are looked into by whoever asks for it.
///
/// # Errors
/// [`Refusal::InvalidField`] when it names another.
pub(crate) fn sources(given: Given<SourceNames>) -> Result<Sources, Refusal> {
    let web = Sources { web: true, knowledge: false, program: true };
    Ok(given.named("sources")?.map_or(web, Sources::from))
}
