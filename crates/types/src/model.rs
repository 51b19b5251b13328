//! Which model: `provider:name`.

use crate::{Provider, UnknownProvider, Wire};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A provider and the name of one of its models, written `provider:name`.
///
/// The name may itself contain colons (`ollama:llama3:8b`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, extend("maxLength" = ModelId::MAX_CHARACTERS)))]
pub struct ModelId {
    /// Who serves the model.
    pub provider: Provider,
    /// The provider's own name for it; never empty.
    pub name: String,
}

/// Why a text is not a `provider:name`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelIdError {
    /// There is no colon.
    #[error("\"{0}\" names no provider; write it as provider:name, such as openai:gpt-4o-mini")]
    NoProvider(String),
    /// What stands before the colon is no provider.
    #[error(transparent)]
    UnknownProvider(#[from] UnknownProvider),
    /// It is longer than any name of a model; it is not repeated.
    #[error("a model's name has at most {} characters", ModelId::MAX_CHARACTERS)]
    TooLong,
    /// Nothing follows the colon.
    #[error("the model name after \"{0}:\" is empty")]
    NoName(Provider),
}

/// Which of a temperature and `top_p` a model takes from its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// Both.
    Both,
    /// One of them: where both are given, the temperature, and that up to [`Sampling::HOTTEST_OF_ONE`].
    One,
    /// Neither.
    Neither,
}

impl Sampling {
    /// The highest temperature that models take which take one of the two. Others take up to 2.
    pub const HOTTEST_OF_ONE: f64 = 1.0;
}

/// Whether a name is one of OpenAI's models that think before they answer, and take other parameters
/// for that reason.
#[must_use]
pub fn is_openai_reasoning(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let o_series = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    o_series || (name.starts_with("gpt-5") && !name.contains("chat"))
}

impl ModelId {
    /// Which of a temperature and `top_p` it takes.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        match self.provider.sheet().wire {
            Wire::ChatCompletions
                if self.provider == Provider::OpenAi && is_openai_reasoning(&self.name) =>
            {
                Sampling::Neither
            }
            Wire::ChatCompletions => Sampling::Both,
            Wire::Messages => Sampling::One,
            Wire::BuiltIn => Sampling::Neither,
        }
    }

    /// Characters that `provider:name` may have: it stands in nearly every event of a log.
    pub const MAX_CHARACTERS: usize = 200;
}

impl FromStr for ModelId {
    type Err = ModelIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.chars().nth(ModelId::MAX_CHARACTERS).is_some() {
            return Err(ModelIdError::TooLong);
        }
        let (provider, name) =
            text.trim().split_once(':').ok_or_else(|| ModelIdError::NoProvider(text.to_owned()))?;
        let provider: Provider = provider.parse()?;
        let name = name.trim();
        if name.is_empty() {
            return Err(ModelIdError::NoName(provider));
        }
        Ok(ModelId { provider, name: name.to_owned() })
    }
}

impl TryFrom<String> for ModelId {
    type Error = ModelIdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ModelId> for String {
    fn from(model: ModelId) -> String {
        model.to_string()
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_end_is_refused_and_not_repeated() {
        let longest = format!("openai:{}", "ü".repeat(ModelId::MAX_CHARACTERS - 7));
        assert!(longest.parse::<ModelId>().is_ok());
        for text in [format!("{longest}x"), "x".repeat(1 << 20), "nobody:".repeat(1 << 10)] {
            let error = text.parse::<ModelId>().unwrap_err();
            assert_eq!(error, ModelIdError::TooLong);
            assert!(error.to_string().len() < 100);
        }
    }

    #[test]
    fn a_model_name_may_contain_colons() {
        let model: ModelId = "ollama:llama3:8b".parse().unwrap();
        assert_eq!((model.provider, model.name.as_str()), (Provider::Ollama, "llama3:8b"));
        assert_eq!(model.to_string(), "ollama:llama3:8b");
    }

    #[test]
    fn errors_say_what_to_write() {
        let no_provider = "gpt-4o".parse::<ModelId>().unwrap_err();
        assert!(no_provider.to_string().contains("provider:name"));
        let unknown = "nobody:x".parse::<ModelId>().unwrap_err();
        assert!(unknown.to_string().contains("openai, groq"));
        assert_eq!("groq:".parse::<ModelId>(), Err(ModelIdError::NoName(Provider::Groq)));
    }
}
