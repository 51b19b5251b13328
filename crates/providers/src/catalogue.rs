//! What a provider's row means: where calls go, how keys travel, which models think.
//!
//! Border: rows of `quarry_types::Provider` and names of models in, words of HTTP out.

use crate::pricing::Entry;
use crate::refused::{Parameter, Refused};
use quarry_types::model::is_older_claude;
use quarry_types::{Effort, ModelId, Provider, Thoughts};

pub use quarry_types::Wire;
pub use quarry_types::model::{
    is_openai_by_responses, is_openai_reasoning, is_openai_silent_with_tools,
};

/// The wire format of a call to a model: its provider's, or the other one that some of its models want.
#[must_use]
pub fn wire(model: &ModelId, refused: &Refused) -> Wire {
    let is_by_name = model.provider == Provider::OpenAi && is_openai_by_responses(&model.name);
    let is_wanted = is_by_name || refused.contains(Parameter::ChatCompletions);
    match model.provider.sheet().wire {
        // Whoever stands in for a provider may not have it.
        Wire::ChatCompletions if is_wanted && !refused.contains(Parameter::Responses) => {
            Wire::Responses
        }
        wire => wire,
    }
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
        Wire::Responses => "/responses",
        Wire::Messages => "/messages",
        Wire::BuiltIn => "",
    }
}

/// The one header that carries a key.
#[must_use]
pub fn key_header(wire: Wire, key: &str) -> (&'static str, String) {
    match wire {
        Wire::Messages => ("x-api-key", key.to_owned()),
        Wire::ChatCompletions | Wire::Responses | Wire::BuiltIn => {
            ("authorization", format!("Bearer {key}"))
        }
    }
}

/// Headers that a wire format wants besides the key.
#[must_use]
pub const fn extra_headers(wire: Wire) -> &'static [(&'static str, &'static str)] {
    match wire {
        Wire::Messages => &[("anthropic-version", "2023-06-01")],
        Wire::ChatCompletions | Wire::Responses | Wire::BuiltIn => &[],
    }
}

/// What to tell somebody who has no key.
#[must_use]
pub fn missing_key(provider: Provider) -> String {
    format!(
        "no key for {provider}: send apiKey, or set SPIN_VARIABLE_{}",
        provider.key_variable().to_uppercase()
    )
}

/// Whether a model takes a reasoning effort from this provider's door.
#[must_use]
pub fn takes_reasoning_effort(model: &ModelId) -> bool {
    let name = model.name.as_str();
    match model.provider.sheet().effort {
        Effort::ReasoningModels => is_openai_reasoning(name) || name.contains("gpt-oss"),
        Effort::Gemini => is_thinking_gemini(name),
        Effort::Never => false,
    }
}

/// Whether a name is one of Gemini's from 2.5 on, which all think.
fn is_thinking_gemini(name: &str) -> bool {
    let is_older = || ["gemini-1", "gemini-2.0", "gemini-exp"].iter().any(|it| name.contains(it));
    name.contains("gemini-") && !is_older()
}

/// Whether a name is one of Claude's that think unless they are told not to.
fn is_thinking_claude(name: &str) -> bool {
    let is_asked = || ["claude-opus-4-7", "claude-opus-4-8"].iter().any(|it| name.starts_with(it));
    name.starts_with("claude-") && !is_older_claude(name) && !is_asked()
}

/// Whether its maker's own model thinks unless it is told not to; others who serve it may want to be asked.
fn is_thinker_at_home(model: &ModelId, name: &str) -> bool {
    let is_at = |provider: Provider| model.provider == provider;
    (is_at(Provider::Anthropic) && is_thinking_claude(name))
        || (is_at(Provider::DeepSeek) && !name.starts_with("deepseek-chat"))
}

/// Parts of the names of models that think before they answer, whoever serves them.
const THINKERS: [&str; 8] = [
    "deepseek-reasoner",
    "deepseek-r1",
    "deepseek-v4",
    "magistral",
    "qwen3",
    "qwq",
    "grok-4",
    "thinking",
];

/// Parts of the names of those of them that do not.
const OTHERS: [&str; 4] = ["non-reasoning", "non-thinking", "coder", "instruct"];

/// Whether a model is known to think before it answers, at the cost of the tokens that its reply may have.
#[must_use]
pub fn thinks(model: &ModelId) -> bool {
    let name = model.name.to_lowercase();
    let has = |part: &&str| name.contains(*part);
    let is_thinker =
        is_thinker_at_home(model, &name) || is_thinking_gemini(&name) || THINKERS.iter().any(has);
    takes_reasoning_effort(model) || (is_thinker && !OTHERS.iter().any(has))
}

/// Whether a provider wants back what its models thought before their calls.
#[must_use]
pub const fn takes_reasoning_back(provider: Provider) -> bool {
    matches!(provider.sheet().thoughts, Thoughts::Told | Thoughts::AsTheyCame)
}

/// Whether calls of which nobody has the signature are to say so: those that a model before it made, or whose first was
/// forgotten. Gemini's older ones want none.
#[must_use]
pub fn misses_signatures(model: &ModelId) -> bool {
    let is_older = model.name.contains("gemini-1") || model.name.contains("gemini-2");
    model.provider.sheet().thoughts == Thoughts::Signed && !is_older
}

/// Tokens of context that the smallest of a family's models has, where it is told by its name: for those of which no table
/// tells. Too little is only frugal; nothing would be so for a model of any size.
const FAMILIES: [(Provider, &str, u64); 4] = [
    (Provider::OpenAi, "gpt-", 128_000),
    (Provider::Anthropic, "claude-", 200_000),
    (Provider::Gemini, "gemini-", 1_048_576),
    (Provider::DeepSeek, "deepseek-", 131_072),
];

/// Tokens of a model's context, by the table of prices or else by its family; none: nobody knows.
#[must_use]
pub fn context_window(model: &ModelId, entry: Option<&Entry>) -> Option<u64> {
    let name = model.name.strip_prefix("models/").unwrap_or(&model.name);
    let is_of = |(provider, begins, _): &(Provider, &str, u64)| {
        model.provider == *provider && name.starts_with(*begins)
    };
    // OpenAI's older ones have less, and rows.
    let is_newer = model.provider != Provider::OpenAi || is_openai_reasoning(name);
    let of_family = || FAMILIES.into_iter().find(is_of).filter(|_| is_newer);
    let told = entry.and_then(|entry| entry.context_window);
    told.or_else(|| of_family().map(|(_, _, tokens)| tokens))
}

/// Whether what a reply must fit has a place of its own in this model's requests.
pub fn takes_schema(model: &ModelId) -> bool {
    let name = model.name.as_str();
    let is_older = name == "gpt-4" || name.starts_with("gpt-4-") || name.starts_with("gpt-3");
    model.provider.sheet().takes_schema && !(model.provider == Provider::OpenAi && is_older)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::Table;

    #[test]
    fn a_schema_has_a_place_where_it_is_kept_to() {
        for (model, takes) in [
            ("openai:gpt-4o-mini", true),
            ("openai:gpt-4.1", true),
            ("openai:gpt-4-turbo", false),
            ("openai:gpt-3.5-turbo", false),
            ("gemini:gemini-2.5-flash", true),
            ("groq:llama-3.1-8b-instant", false),
            ("anthropic:claude-haiku-4-5", false),
            ("custom:gpt-4o", false),
        ] {
            assert_eq!(takes_schema(&model.parse().unwrap()), takes, "{model}");
        }
    }

    #[test]
    fn a_model_that_no_table_knows_has_the_context_of_its_family() {
        let table = Table::built_in();
        for (model, tokens) in [
            ("openai:gpt-6-luna", Some(1_050_000)),
            ("openai:gpt-9-whatever", Some(128_000)),
            ("openai:gpt-4-0613", Some(8_192)),
            ("openai:gpt-4-32k", None),
            ("openai:scripted", None),
            ("anthropic:claude-next-9", Some(200_000)),
            ("anthropic:claude-opus-4-8", Some(200_000)),
            ("gemini:models/gemini-9-flash", Some(1_048_576)),
            ("deepseek:deepseek-v9", Some(131_072)),
            ("openrouter:openai/gpt-9-whatever", None),
            ("ollama:llama3.2", None),
        ] {
            let model = model.parse().unwrap();
            assert_eq!(context_window(&model, table.find(&model)), tokens, "{model}");
        }
    }

    #[test]
    fn a_model_is_asked_by_the_wire_that_it_wants_where_there_is_one() {
        use Parameter::{ChatCompletions, Responses};
        for (model, refused, expected) in [
            ("openai:gpt-6.2-sol", &[][..], Wire::Responses),
            ("openai:gpt-6.2-sol", &[Responses][..], Wire::ChatCompletions),
            ("openai:gpt-6-luna", &[][..], Wire::ChatCompletions),
            ("openai:gpt-6-luna", &[ChatCompletions][..], Wire::Responses),
            ("openrouter:openai/gpt-6.2-sol", &[][..], Wire::ChatCompletions),
            ("custom:gpt-6.2-sol", &[][..], Wire::ChatCompletions),
            ("custom:gpt-6.2-sol", &[ChatCompletions][..], Wire::Responses),
            ("custom:gpt-6.2-sol", &[ChatCompletions, Responses][..], Wire::ChatCompletions),
            ("anthropic:claude-opus-5", &[ChatCompletions][..], Wire::Messages),
        ] {
            let refused = refused.iter().fold(Refused::default(), |all, it| all.with(*it).unwrap());
            assert_eq!(wire(&model.parse().unwrap(), &refused), expected, "{model} {refused:?}");
        }
    }

    #[test]
    fn the_built_in_model_is_the_one_in_its_row() {
        assert_eq!(Provider::Local.sheet().default_model, Some(LOCAL_MODEL));
        assert_eq!(local_extractive().to_string(), "local:extractive");
    }

    #[test]
    fn a_reasoning_effort_goes_to_who_takes_it() {
        for (model, takes) in [
            ("openai:o3-mini", true),
            ("groq:openai/gpt-oss-20b", true),
            ("gemini:gemini-2.5-flash", true),
            ("gemini:gemini-4-flash", true),
            ("gemini:gemini-flash-latest", true),
            ("gemini:gemini-1.5-pro", false),
            ("gemini:models/gemini-2.0-flash", false),
            ("openai:gpt-6-luna", true),
            ("openai:gpt-4o", false),
            ("anthropic:claude-haiku-4-5", false),
            ("deepseek:o3", false),
        ] {
            assert_eq!(takes_reasoning_effort(&model.parse().unwrap()), takes, "{model}");
        }
        for (model, does) in [
            ("openai:gpt-5-mini", true),
            ("deepseek:deepseek-reasoner", true),
            ("deepseek:deepseek-chat", false),
            ("deepseek:deepseek-flash", true),
            ("together:deepseek-ai/DeepSeek-V4-Pro", true),
            ("openai:gpt-6.2-sol", true),
            ("anthropic:claude-haiku-4-5", false),
            ("anthropic:claude-opus-4-8", false),
            ("anthropic:claude-opus-5", true),
            ("anthropic:claude-haiku-5-5", true),
            ("openrouter:anthropic/claude-opus-5", false),
            ("ollama:qwen3:8b", true),
            ("together:Qwen/Qwen3-235B-A22B-Thinking-2507", true),
            ("together:Qwen/Qwen3-235B-A22B-Instruct-2507", false),
            ("openrouter:google/gemini-2.5-pro", true),
            ("ollama:llama3.2", false),
            ("local:extractive", false),
        ] {
            assert_eq!(thinks(&model.parse().unwrap()), does, "{model}");
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
