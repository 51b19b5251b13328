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
    #[error("\"{0}\" names no provider; write it as provider:name, such as openai:gpt-6-luna")]
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

/// Beginnings of the names of OpenAI's models that do not think before they answer. What names a later generation is taken
/// for one that does: the next ones will, and nobody has to know them.
const OPENAI_OLDER: [&str; 4] = ["gpt-2", "gpt-3", "gpt-4", "gpt-5-chat"];

/// Beginnings of the names of OpenAI's models from GPT-6 on that can be told not to think, and so take tools over Chat
/// Completions. Those that came after them take none there.
const OPENAI_SILENCED: [&str; 3] = ["gpt-6-sol", "gpt-6-luna", "gpt-6.1-terra"];

/// Parts of the names of those that are meant for Responses alone.
const OPENAI_ELSEWHERE: [&str; 2] = ["-pro", "-codex"];

/// Beginnings of the names of Claude models that take a temperature. Those that came after them refuse one.
const CLAUDE_OLDER: [&str; 10] = [
    "claude-2",
    "claude-3",
    "claude-instant",
    "claude-haiku-4",
    "claude-sonnet-4",
    // With the date of its release, the first of its name.
    "claude-opus-4-2025",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-5",
    "claude-opus-4-6",
];

/// Whether a name is one of OpenAI's models that think before they answer, and take other parameters
/// for that reason.
#[must_use]
pub fn is_openai_reasoning(name: &str) -> bool {
    let name = bare(name);
    let o_series = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    o_series || (generation(name).is_some() && !begins(name, &OPENAI_OLDER))
}

/// Whether OpenAI's Chat Completions take tools for this model only where it does not think: so it is from GPT-5.4 on.
#[must_use]
pub fn is_openai_silent_with_tools(name: &str) -> bool {
    generation(bare(name)).is_some_and(|generation| generation >= (5, 4))
}

/// Whether OpenAI has this model do its work, or take tools, by Responses alone.
#[must_use]
pub fn is_openai_by_responses(name: &str) -> bool {
    let name = bare(name).split(':').next().unwrap_or_default();
    let is_newer = generation(name).is_some_and(|generation| generation >= (6, 0));
    is_openai_reasoning(name)
        && ((is_newer && !begins(name, &OPENAI_SILENCED))
            || OPENAI_ELSEWHERE.iter().any(|part| name.contains(part)))
}

/// Whether a name is one of Claude's that take a temperature.
#[must_use]
pub fn is_older_claude(name: &str) -> bool {
    begins(bare(name), &CLAUDE_OLDER)
}

fn begins(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// A name without who made the model, as others who serve it write it, and without what was made of it.
fn bare(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.strip_prefix("ft:").unwrap_or(name)
}

/// The number in `gpt-5.4-mini`; none: the name has none.
fn generation(name: &str) -> Option<(u32, u32)> {
    let rest = name.strip_prefix("gpt-")?;
    let number = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let (major, minor) = number.split_once('.').unwrap_or((number, ""));
    Some((major.parse().ok()?, minor.parse().unwrap_or(0)))
}

impl ModelId {
    /// Which of a temperature and `top_p` it takes.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        match self.provider.sheet().wire {
            Wire::ChatCompletions | Wire::Responses
                if self.provider == Provider::OpenAi && is_openai_reasoning(&self.name) =>
            {
                Sampling::Neither
            }
            Wire::ChatCompletions | Wire::Responses => Sampling::Both,
            Wire::Messages if is_older_claude(&self.name) => Sampling::One,
            Wire::Messages => Sampling::Neither,
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
    fn a_name_that_nobody_knows_is_of_a_newer_model() {
        for name in ["o1", "o3-mini", "gpt-5", "gpt-5.1-mini", "gpt-5.1-chat-latest", "gpt-6.2-sol"]
        {
            assert!(is_openai_reasoning(name), "{name}");
        }
        for name in ["openai/o3", "ft:o4-mini:org::x", "gpt-10", "gpt-17.3-whatever"] {
            assert!(is_openai_reasoning(name), "{name}");
        }
        for name in ["gpt-4o", "gpt-4.1", "gpt-35-turbo", "ft:gpt-4o-mini-2024-07-18:org::x"] {
            assert!(!is_openai_reasoning(name), "{name}");
        }
        for name in ["gpt-5-chat-latest", "gpt-oss-20b", "gpt-", "olmo", "o", "chatgpt-4o-latest"] {
            assert!(!is_openai_reasoning(name), "{name}");
        }
        for (name, is_silent) in [
            ("gpt-5.3", false),
            ("gpt-5-mini", false),
            ("gpt-5.4", true),
            ("gpt-5.10-mini", true),
            ("gpt-6-luna", true),
            ("o3", false),
        ] {
            assert_eq!(is_openai_silent_with_tools(name), is_silent, "{name}");
        }
    }

    #[test]
    fn who_cannot_be_told_not_to_think_is_asked_by_responses() {
        for name in [
            "gpt-6-astra",
            "gpt-6.1-sol",
            "gpt-6.2-sol",
            "gpt-6.2-astra-2026-11-17",
            "gpt-7-luna",
            "ft:gpt-6.2-sol:org::x",
            "gpt-5-pro",
            "o3-pro-2025-06-10",
            "gpt-5.1-codex-max",
        ] {
            assert!(is_openai_by_responses(name), "{name}");
        }
        for name in [
            "gpt-6-sol",
            "gpt-6-luna",
            "gpt-6.1-terra",
            "gpt-5.6-sol",
            "gpt-5.4",
            "o3",
            "gpt-4o",
            "gpt-35-turbo",
            "ft:o4-mini:some-project::x",
            "scripted",
        ] {
            assert!(!is_openai_by_responses(name), "{name}");
        }
    }

    #[test]
    fn a_temperature_goes_to_who_takes_one() {
        for (model, sampling) in [
            ("openai:gpt-4o", Sampling::Both),
            ("openai:gpt-6-sol", Sampling::Neither),
            ("openrouter:openai/gpt-6-sol", Sampling::Both),
            ("anthropic:claude-3-7-sonnet-latest", Sampling::One),
            ("anthropic:claude-opus-4-20250514", Sampling::One),
            ("anthropic:claude-opus-4-6", Sampling::One),
            ("anthropic:claude-sonnet-4-6", Sampling::One),
            ("anthropic:claude-haiku-4-5-20251001", Sampling::One),
            ("anthropic:claude-opus-4-7", Sampling::Neither),
            ("anthropic:claude-haiku-5-5", Sampling::Neither),
            ("anthropic:claude-fable-5-1", Sampling::Neither),
            ("anthropic:claude-next", Sampling::Neither),
        ] {
            assert_eq!(model.parse::<ModelId>().unwrap().sampling(), sampling, "{model}");
        }
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
