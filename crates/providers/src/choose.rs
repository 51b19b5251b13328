//! Which model is meant, and what configuration says of it.
//!
//! Border: sans I/O. [`describe`] is asked, told the variable that it needs, and asked again until
//! it has decided: so no more is read than is needed.

use crate::catalogue;
use crate::target::TOTAL_TIMEOUT;
use quarry_types::{ChatError, Key, ModelId, ModelIdError, Provider, UnknownProvider};
use std::collections::BTreeMap;

const DEFAULT_MODEL: &str = "default_model";

/// What is known of the configuration so far.
#[derive(Debug, Clone, Default)]
pub struct Known(BTreeMap<String, Option<String>>);

impl Known {
    /// Notes a variable's value; none when it is not set.
    pub fn learn(&mut self, variable: String, value: Option<String>) {
        self.0.insert(variable, value);
    }

    fn get(&self, variable: String) -> Result<Option<&str>, Undecided> {
        self.0.get(&variable).map(Option::as_deref).ok_or(Undecided::Needs(variable))
    }
}

/// Why there is no decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Undecided {
    /// The value of this variable is needed.
    Needs(String),
    /// There will be none.
    Refused(Refusal),
}

/// Why a model cannot be described.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// It names a provider that nobody knows.
    #[error(transparent)]
    UnknownProvider(#[from] UnknownProvider),
    /// It is no model's name, or the provider has no default.
    #[error("{0}")]
    InvalidModel(String),
    /// A setting cannot be used.
    #[error(transparent)]
    Setting(#[from] ChatError),
}

impl<R: Into<Refusal>> From<R> for Undecided {
    fn from(refusal: R) -> Self {
        Undecided::Refused(refusal.into())
    }
}

impl From<ModelIdError> for Refusal {
    fn from(error: ModelIdError) -> Self {
        match error {
            ModelIdError::UnknownProvider(unknown) => Refusal::UnknownProvider(unknown),
            ModelIdError::NoProvider(_) | ModelIdError::NoName(_) | ModelIdError::TooLong => {
                Refusal::InvalidModel(error.to_string())
            }
        }
    }
}

/// A model, as far as configuration knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Which.
    pub model: ModelId,
    /// Whether the operator set a key for its provider.
    pub has_operator_key: bool,
    /// Milliseconds that a whole call may take.
    pub timeout_ms: u64,
}

/// Describes the model that a caller wrote; none, or blanks, stand for the default.
///
/// # Errors
/// The next variable that is needed, or why there is no such model.
pub fn describe(written: Option<&str>, known: &Known) -> Result<Description, Undecided> {
    let model = match written.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => completed(text, known)?,
        None => default(known)?,
    };
    if !model.provider.is_remote() && model.name != catalogue::LOCAL_MODEL {
        let message = format!("the only built-in model is {}", catalogue::local_extractive());
        return Err(Refusal::InvalidModel(message).into());
    }
    addressed(model.provider, known)?;
    let timeout = known.get(TOTAL_TIMEOUT.variable.to_owned())?;
    Ok(Description {
        has_operator_key: has_key(model.provider, known)?,
        timeout_ms: TOTAL_TIMEOUT.read(timeout)?,
        model,
    })
}

/// A provider without an address is named by mistake: no call of it comes to anything.
fn addressed(provider: Provider, known: &Known) -> Result<(), Undecided> {
    if !provider.is_remote() || provider.sheet().base_url.is_some() {
        return Ok(());
    }
    let variable = provider.base_url_variable();
    if known.get(variable.clone())?.is_none() {
        return Err(Refusal::InvalidModel(format!("{provider} needs {variable} to be set")).into());
    }
    Ok(())
}

fn has_key(provider: Provider, known: &Known) -> Result<bool, Undecided> {
    match provider.sheet().key {
        Key::None => Ok(false),
        Key::Needed | Key::Optional => Ok(known.get(provider.key_variable())?.is_some()),
    }
}

/// `provider:name`, or a provider alone with its default model.
fn completed(text: &str, known: &Known) -> Result<ModelId, Undecided> {
    let alone = text.strip_suffix(':').unwrap_or(text);
    let Ok(provider) = alone.parse::<Provider>() else {
        return Ok(text.parse().map_err(Refusal::from)?);
    };
    default_of(provider, known)?.ok_or_else(|| {
        let variable = provider.model_variable();
        let message =
            format!("{provider} has no default model; write {provider}:name, or set {variable}");
        Refusal::InvalidModel(message).into()
    })
}

fn default_of(provider: Provider, known: &Known) -> Result<Option<ModelId>, Undecided> {
    let configured =
        if provider.is_remote() { known.get(provider.model_variable())? } else { None };
    let name = configured.or(provider.sheet().default_model);
    Ok(name.map(|name| ModelId { provider, name: name.to_owned() }))
}

/// The configured default; else the first provider that the operator set up; else the built-in
/// model, which needs nothing.
fn default(known: &Known) -> Result<ModelId, Undecided> {
    if let Some(text) = known.get(DEFAULT_MODEL.to_owned())? {
        return completed(text, known);
    }
    for provider in Provider::ALL {
        let is_set_up = match provider.sheet().key {
            Key::Needed => has_key(provider, known)?,
            // Without a key of their own, these count when somebody has named a model.
            Key::Optional => true,
            Key::None => false,
        };
        if is_set_up && let Some(model) = default_of(provider, known)? {
            return Ok(model);
        }
    }
    Ok(catalogue::local_extractive())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Describes with this configuration; also which variables were read, in order.
    fn described(
        written: Option<&str>,
        settings: &[(&str, &str)],
    ) -> (Result<Description, Refusal>, Vec<String>) {
        let mut known = Known::default();
        let mut read = Vec::new();
        loop {
            match describe(written, &known) {
                Ok(description) => return (Ok(description), read),
                Err(Undecided::Refused(refusal)) => return (Err(refusal), read),
                Err(Undecided::Needs(variable)) => {
                    assert!(!read.contains(&variable), "{variable} is read twice");
                    let value = settings.iter().find(|(name, _)| *name == variable);
                    known.learn(variable.clone(), value.map(|(_, value)| (*value).to_owned()));
                    read.push(variable);
                }
            }
        }
    }

    fn model(written: Option<&str>, settings: &[(&str, &str)]) -> String {
        described(written, settings)
            .0
            .map_or_else(|refusal| refusal.to_string(), |description| description.model.to_string())
    }

    #[test]
    fn the_default_is_the_configured_one_or_the_first_that_is_set_up() {
        for (settings, expected) in [
            (&[][..], "local:extractive"),
            (&[("groq_api_key", "k"), ("mistral_api_key", "k")][..], "groq:openai/gpt-oss-20b"),
            (&[("groq_api_key", "k"), ("groq_model", "m:1")][..], "groq:m:1"),
            (&[("ollama_model", "llama3:8b")][..], "ollama:llama3:8b"),
            (&[("ollama_base_url", "http://x/v1")][..], "local:extractive"),
            (&[("default_model", "openai:o3"), ("groq_api_key", "k")][..], "openai:o3"),
            (&[("default_model", "mistral")][..], "mistral:mistral-small-latest"),
        ] {
            assert_eq!(model(None, settings), expected, "{settings:?}");
            assert_eq!(model(Some("  "), settings), expected, "{settings:?}");
        }
    }

    #[test]
    fn what_is_written_is_completed_or_refused() {
        for (written, expected) in [
            ("openai:gpt-4o", "openai:gpt-4o"),
            (" anthropic ", "anthropic:claude-haiku-4-5"),
            ("anthropic:", "anthropic:claude-haiku-4-5"),
            ("local", "local:extractive"),
            ("local:other", "the only built-in model is local:extractive"),
            ("custom", "custom has no default model; write custom:name, or set custom_model"),
            ("custom:mine", "custom needs custom_base_url to be set"),
        ] {
            assert_eq!(model(Some(written), &[]), expected, "{written}");
        }
        let addressed = [("custom_base_url", "http://x/v1")];
        assert_eq!(model(Some("custom:mine"), &addressed), "custom:mine");
        let refusal = |written| described(Some(written), &[]).0.unwrap_err();
        assert!(matches!(refusal("nobody:x"), Refusal::UnknownProvider(_)));
        assert!(matches!(refusal("gpt-4o"), Refusal::InvalidModel(_)));
    }

    #[test]
    fn no_more_is_read_than_is_needed() {
        let (description, read) = described(Some("openai:gpt-4o"), &[("openai_api_key", "k")]);
        assert_eq!(read, ["provider_total_timeout_ms", "openai_api_key"]);
        assert!(description.unwrap().has_operator_key);
        let (description, read) = described(Some("local:extractive"), &[("local_api_key", "k")]);
        assert_eq!(read, ["provider_total_timeout_ms"]);
        assert!(!description.unwrap().has_operator_key);
    }

    #[test]
    fn the_time_of_a_call_is_the_configured_one() {
        let with = |value| described(Some("local"), &[("provider_total_timeout_ms", value)]).0;
        assert_eq!(described(Some("local"), &[]).0.unwrap().timeout_ms, 120_000);
        assert_eq!(with("4500").unwrap().timeout_ms, 4_500);
        for wrong in ["0", "-1", "two"] {
            let said = with(wrong).unwrap_err().to_string();
            assert!(said.contains("provider_total_timeout_ms must be"), "{said}");
            assert!(!said.contains("two"), "{said}");
        }
    }
}
