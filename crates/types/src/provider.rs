//! The providers: one row each, and everything that differs between them in it.
//!
//! Border: constants. What a row means for requests and replies is `quarry-providers`' business;
//! that `spin.toml` has the lines for it, `cargo xtask tidy` checks.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `POST {base}/chat/completions`, as OpenAI defined it.
    ChatCompletions,
    /// `POST {base}/responses`, as OpenAI defined it. No row has it: some of a provider's models want it.
    Responses,
    /// `POST {base}/messages`, as Anthropic defined it.
    Messages,
    /// No wire: the built-in model.
    BuiltIn,
}

/// Whether calls carry a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// No call without one.
    Needed,
    /// Only where the operator set one.
    Optional,
    /// There is nobody to show one to.
    None,
}

/// Which of a provider's models take a reasoning effort. Others refuse the parameter or, like
/// Anthropic's, need thoughts sent back that our interface does not carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Those that OpenAI names as reasoning models, whoever serves them.
    ReasoningModels,
    /// Gemini from 2.5 on.
    Gemini,
    /// None.
    Never,
}

/// What of its models' thoughts a provider wants back with the calls that came of them. Without it, it refuses the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoughts {
    /// Nothing.
    Forgotten,
    /// The signatures of calls.
    Signed,
    /// All of them, though there were none.
    Told,
    /// Whatever it sent: nobody knows who it is.
    AsTheyCame,
}

/// What is known of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderSheet {
    /// The name in `provider:name` and in configuration variables.
    pub name: &'static str,
    /// What it speaks.
    pub wire: Wire,
    /// Its address unless configuration says otherwise; none where only configuration can know it.
    pub base_url: Option<&'static str>,
    /// The model that stands in for it when nobody names one. Small and cheap on purpose: whoever
    /// wants more says so. None: what is installed there, only the operator knows.
    pub default_model: Option<&'static str>,
    /// Whether calls carry a key.
    pub key: Key,
    /// Its name in LiteLLM's table of prices; none: the table does not know it.
    pub prices: Option<&'static str>,
    /// Which models take a reasoning effort.
    pub effort: Effort,
    /// Whether its wire has a place for what a reply must fit. Where a server passes over what it does not know, the
    /// model is better told in words.
    pub takes_schema: bool,
    /// What it wants back of what its models thought.
    pub thoughts: Thoughts,
}

macro_rules! providers {
    ($($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),+ $(,)? })+) => {
        /// A model provider that Quarry can speak to.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(rename_all = "lowercase")]
        pub enum Provider {
            $($(#[$doc])* $variant,)+
        }

        impl Provider {
            /// Every provider, in the order in which documentation lists them and a default is
            /// looked for.
            pub const ALL: [Provider; [$(Provider::$variant),+].len()] =
                [$(Provider::$variant),+];

            /// Its row.
            #[must_use]
            pub const fn sheet(self) -> &'static ProviderSheet {
                match self {
                    $(Provider::$variant => const { &ProviderSheet { $($field: $value),+ } },)+
                }
            }
        }
    };
}

providers! {
    /// OpenAI.
    OpenAi {
        name: "openai",
        wire: Wire::ChatCompletions,
        base_url: Some("https://api.openai.com/v1"),
        default_model: Some("gpt-6-luna"),
        key: Key::Needed,
        prices: Some("openai"),
        effort: Effort::ReasoningModels,
        takes_schema: true,
        thoughts: Thoughts::Forgotten,
    }
    /// Groq.
    Groq {
        name: "groq",
        wire: Wire::ChatCompletions,
        base_url: Some("https://api.groq.com/openai/v1"),
        default_model: Some("openai/gpt-oss-20b"),
        key: Key::Needed,
        prices: Some("groq"),
        effort: Effort::ReasoningModels,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
    /// Anthropic.
    Anthropic {
        name: "anthropic",
        wire: Wire::Messages,
        base_url: Some("https://api.anthropic.com/v1"),
        default_model: Some("claude-haiku-4-5"),
        key: Key::Needed,
        prices: Some("anthropic"),
        effort: Effort::Never,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
    /// Google Gemini, through its OpenAI-compatible door.
    Gemini {
        name: "gemini",
        wire: Wire::ChatCompletions,
        base_url: Some("https://generativelanguage.googleapis.com/v1beta/openai"),
        default_model: Some("gemini-3.5-flash-lite"),
        key: Key::Needed,
        prices: Some("gemini"),
        effort: Effort::Gemini,
        takes_schema: true,
        thoughts: Thoughts::Signed,
    }
    /// Mistral.
    Mistral {
        name: "mistral",
        wire: Wire::ChatCompletions,
        base_url: Some("https://api.mistral.ai/v1"),
        default_model: Some("mistral-small-latest"),
        key: Key::Needed,
        prices: Some("mistral"),
        effort: Effort::Never,
        takes_schema: true,
        thoughts: Thoughts::Forgotten,
    }
    /// Together.
    Together {
        name: "together",
        wire: Wire::ChatCompletions,
        base_url: Some("https://api.together.xyz/v1"),
        default_model: Some("meta-llama/Llama-3.3-70B-Instruct-Turbo"),
        key: Key::Needed,
        prices: Some("together_ai"),
        effort: Effort::ReasoningModels,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
    /// OpenRouter.
    OpenRouter {
        name: "openrouter",
        wire: Wire::ChatCompletions,
        base_url: Some("https://openrouter.ai/api/v1"),
        default_model: Some("openai/gpt-6-luna"),
        key: Key::Needed,
        prices: Some("openrouter"),
        effort: Effort::ReasoningModels,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
    /// DeepSeek.
    DeepSeek {
        name: "deepseek",
        wire: Wire::ChatCompletions,
        base_url: Some("https://api.deepseek.com/v1"),
        default_model: Some("deepseek-flash"),
        key: Key::Needed,
        prices: Some("deepseek"),
        effort: Effort::Never,
        takes_schema: false,
        thoughts: Thoughts::Told,
    }
    /// A local Ollama.
    Ollama {
        name: "ollama",
        wire: Wire::ChatCompletions,
        base_url: Some("http://localhost:11434/v1"),
        default_model: None,
        key: Key::Optional,
        prices: None,
        effort: Effort::ReasoningModels,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
    /// Any OpenAI-compatible address from configuration.
    Custom {
        name: "custom",
        wire: Wire::ChatCompletions,
        base_url: None,
        default_model: None,
        key: Key::Optional,
        prices: None,
        effort: Effort::ReasoningModels,
        takes_schema: false,
        thoughts: Thoughts::AsTheyCame,
    }
    /// Built in: no language model, no network.
    Local {
        name: "local",
        wire: Wire::BuiltIn,
        base_url: None,
        default_model: Some("extractive"),
        key: Key::None,
        prices: None,
        effort: Effort::Never,
        takes_schema: false,
        thoughts: Thoughts::Forgotten,
    }
}

impl Provider {
    /// The name in `provider:name` and in configuration variables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.sheet().name
    }

    /// Whether no call is made without a key.
    #[must_use]
    pub const fn needs_key(self) -> bool {
        matches!(self.sheet().key, Key::Needed)
    }

    /// Whether it is reached over a network, and so has an address, variables and perhaps a key.
    #[must_use]
    pub const fn is_remote(self) -> bool {
        !matches!(self.sheet().wire, Wire::BuiltIn)
    }

    /// The configuration variable that holds its key.
    #[must_use]
    pub fn key_variable(self) -> String {
        format!("{self}_api_key")
    }

    /// The configuration variable that overrides its address.
    #[must_use]
    pub fn base_url_variable(self) -> String {
        format!("{self}_base_url")
    }

    /// The configuration variable that overrides its default model.
    #[must_use]
    pub fn model_variable(self) -> String {
        format!("{self}_model")
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no provider's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown provider \"{0}\"; known are {known}", known = Provider::ALL.map(Provider::as_str).join(", "))]
pub struct UnknownProvider(pub String);

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Provider::ALL.into_iter();
        all.find(|provider| provider.as_str() == text)
            .ok_or_else(|| UnknownProvider(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_written_and_read_by_its_name() {
        for provider in Provider::ALL {
            let name = provider.as_str();
            assert_eq!(name.parse(), Ok(provider));
            assert_eq!(serde_json::to_value(provider).unwrap(), name);
            // It becomes part of variables and of `provider:name`.
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name}");
        }
        let unknown = "nobody".parse::<Provider>().unwrap_err().to_string();
        assert!(unknown.contains("\"nobody\"; known are openai, groq"), "{unknown}");
    }

    #[test]
    fn rows_are_sound() {
        for provider in Provider::ALL {
            let sheet = provider.sheet();
            assert_eq!(sheet.key == Key::None, !provider.is_remote(), "{provider}");
            // Who needs a key needs nothing else.
            assert!(
                sheet.key != Key::Needed
                    || (sheet.base_url.is_some() && sheet.default_model.is_some()),
                "{provider}"
            );
            if let Some(url) = sheet.base_url {
                assert!(url.starts_with("http") && !url.ends_with('/'), "{provider}");
            }
        }
    }
}
