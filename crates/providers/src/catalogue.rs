//! The providers: where they are, what they speak, how their keys travel.
//!
//! Border: constants. Configuration may override every address and model named here.

use quarry_types::{ModelId, Provider};

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `POST {base}/chat/completions`, as OpenAI defined it.
    ChatCompletions,
    /// `POST {base}/messages`, as Anthropic defined it.
    Messages,
    /// No wire: the built-in model.
    BuiltIn,
}

/// The wire format of a provider.
#[must_use]
pub const fn wire(provider: Provider) -> Wire {
    match provider {
        Provider::Anthropic => Wire::Messages,
        Provider::Local => Wire::BuiltIn,
        Provider::OpenAi
        | Provider::Groq
        | Provider::Gemini
        | Provider::Mistral
        | Provider::Together
        | Provider::OpenRouter
        | Provider::DeepSeek
        | Provider::Ollama
        | Provider::Custom => Wire::ChatCompletions,
    }
}

/// The address that a provider has unless configuration says otherwise; none where only
/// configuration can know it.
#[must_use]
pub const fn base_url(provider: Provider) -> Option<&'static str> {
    Some(match provider {
        Provider::OpenAi => "https://api.openai.com/v1",
        Provider::Groq => "https://api.groq.com/openai/v1",
        Provider::Anthropic => "https://api.anthropic.com/v1",
        Provider::Gemini => "https://generativelanguage.googleapis.com/v1beta/openai",
        Provider::Mistral => "https://api.mistral.ai/v1",
        Provider::Together => "https://api.together.xyz/v1",
        Provider::OpenRouter => "https://openrouter.ai/api/v1",
        Provider::DeepSeek => "https://api.deepseek.com/v1",
        Provider::Ollama => "http://127.0.0.1:11434/v1",
        Provider::Custom | Provider::Local => return None,
    })
}

/// The model that stands in for a provider when nobody names one. Small and cheap on purpose:
/// whoever wants more says so.
#[must_use]
pub const fn default_model(provider: Provider) -> Option<&'static str> {
    Some(match provider {
        Provider::OpenAi => "gpt-4o-mini",
        Provider::Groq => "llama-3.1-8b-instant",
        Provider::Anthropic => "claude-haiku-4-5",
        Provider::Gemini => "gemini-2.5-flash",
        Provider::Mistral => "mistral-small-latest",
        Provider::Together => "meta-llama/Llama-3.3-70B-Instruct-Turbo",
        Provider::OpenRouter => "openai/gpt-4o-mini",
        Provider::DeepSeek => "deepseek-chat",
        Provider::Local => LOCAL_MODEL,
        // What is installed there, only the operator knows.
        Provider::Ollama | Provider::Custom => return None,
    })
}

/// The name of the built-in model.
pub const LOCAL_MODEL: &str = "extractive";

/// `local:extractive`.
#[must_use]
pub fn local_extractive() -> ModelId {
    ModelId { provider: Provider::Local, name: LOCAL_MODEL.to_owned() }
}

/// Where a call goes under a base address.
#[must_use]
pub const fn endpoint(wire: Wire) -> &'static str {
    match wire {
        Wire::ChatCompletions => "/chat/completions",
        Wire::Messages => "/messages",
        Wire::BuiltIn => "",
    }
}

/// The one header that carries a key.
#[must_use]
pub fn key_header(wire: Wire, key: &str) -> (&'static str, String) {
    match wire {
        Wire::Messages => ("x-api-key", key.to_owned()),
        Wire::ChatCompletions | Wire::BuiltIn => ("authorization", format!("Bearer {key}")),
    }
}

/// Headers that a wire format wants besides the key.
#[must_use]
pub const fn extra_headers(wire: Wire) -> &'static [(&'static str, &'static str)] {
    match wire {
        Wire::Messages => &[("anthropic-version", "2023-06-01")],
        Wire::ChatCompletions | Wire::BuiltIn => &[],
    }
}

/// The configuration variable that holds a provider's key.
#[must_use]
pub fn key_variable(provider: Provider) -> String {
    format!("{provider}_api_key")
}

/// The configuration variable that overrides a provider's address.
#[must_use]
pub fn base_url_variable(provider: Provider) -> String {
    format!("{provider}_base_url")
}

/// The configuration variable that overrides a provider's default model.
#[must_use]
pub fn model_variable(provider: Provider) -> String {
    format!("{provider}_model")
}

/// What to tell somebody who has no key.
#[must_use]
pub fn missing_key(provider: Provider) -> String {
    format!(
        "no key for {provider}; pass apiKey with the request, or set SPIN_VARIABLE_{}",
        key_variable(provider).to_uppercase()
    )
}

/// Whether a model thinks before it answers, and takes other parameters for that reason.
#[must_use]
pub fn is_openai_reasoning(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let o_series = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    o_series || (name.starts_with("gpt-5") && !name.contains("chat"))
}

/// Whether a model takes a reasoning effort from this provider's door. Others refuse the
/// parameter or, like Anthropic, need thoughts sent back that this interface does not carry.
#[must_use]
pub fn takes_reasoning_effort(model: &ModelId) -> bool {
    let name = model.name.as_str();
    let thinks = is_openai_reasoning(name) || name.contains("gpt-oss");
    match model.provider {
        Provider::Gemini => name.contains("gemini-2.5") || name.contains("gemini-3"),
        Provider::OpenAi
        | Provider::Groq
        | Provider::Together
        | Provider::OpenRouter
        | Provider::Ollama
        | Provider::Custom => thinks,
        Provider::Anthropic | Provider::Mistral | Provider::DeepSeek | Provider::Local => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_but_the_configured_ones_has_an_address() {
        for provider in Provider::ALL {
            let known = !matches!(provider, Provider::Custom | Provider::Local);
            assert_eq!(base_url(provider).is_some(), known, "{provider}");
        }
    }

    #[test]
    fn reasoning_models_are_told_by_name() {
        for name in ["o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5.1-mini", "openai/o3"] {
            assert!(is_openai_reasoning(name), "{name}");
        }
        for name in ["gpt-4o", "gpt-5-chat-latest", "olmo", "o", "gpt-4.1"] {
            assert!(!is_openai_reasoning(name), "{name}");
        }
    }
}
