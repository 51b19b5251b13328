//! What an operator set for asks.
//!
//! Border: texts of variables in, typed settings out. Errors name the variable and never its value.

use super::{AskConfig, TokenCeilings};
use crate::core::{ContextProfile, Secret};
use quarry_types::ReasoningEffort;
use quarry_types::setting::{SettingError, choice, number, text};

/// What an operator set for asks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskSettings {
    /// Limits and prompts; a request may change some, and `profile` below stands for its profile.
    pub config: AskConfig,
    /// How much of what tools return the model sees; none: by the model's context.
    pub profile: Option<ContextProfile>,
    /// Signs continuation states.
    pub secret: Secret,
    /// The model that answers an ask for one that nobody has a key for.
    pub fallback_model: Option<String>,
}

impl AskSettings {
    /// Every variable that [`AskSettings::read`] looks at.
    pub const VARIABLES: [&str; 14] = [
        "max_tool_iterations",
        "reasoning_effort",
        "final_template",
        "system_prompt_digest_analyst",
        "context_profile",
        "continuation_secret",
        "fallback_model",
        "max_tokens_setup",
        "max_tokens_planning",
        "max_tokens_tool_synthesis",
        "max_tokens_math_response",
        "max_tokens_low_complexity",
        "max_tokens_medium_complexity",
        "max_tokens_high_complexity",
    ];

    /// Reads the texts of [`Self::VARIABLES`]; a variable that is not set is an empty text.
    ///
    /// # Errors
    /// When one cannot be used.
    pub fn read<'a>(value: impl Fn(&'static str) -> &'a str) -> Result<Self, SettingError> {
        let words = |name| text(value(name)).map(str::to_owned);
        let efforts = [
            ("low", ReasoningEffort::Low),
            ("medium", ReasoningEffort::Medium),
            ("high", ReasoningEffort::High),
        ];
        let profiles = [("frugal", ContextProfile::Frugal), ("roomy", ContextProfile::Roomy)];
        let (iterations, effort) = ("max_tool_iterations", "reasoning_effort");
        let config = AskConfig {
            max_iterations: number(
                iterations,
                value(iterations),
                AskConfig::DEFAULT_MAX_ITERATIONS,
            )?,
            ceilings: ceilings(&value)?,
            reasoning_effort: choice(effort, value(effort), &efforts)?,
            final_template: words("final_template"),
            digest_system_prompt: words("system_prompt_digest_analyst"),
            ..AskConfig::default()
        };
        let profile = "context_profile";
        Ok(AskSettings {
            config,
            profile: choice(profile, value(profile), &profiles)?,
            secret: Secret(words("continuation_secret")),
            fallback_model: words("fallback_model"),
        })
    }

    /// The operator's choice, else by what the model can take.
    #[must_use]
    pub fn profile(&self, context_window: Option<u64>) -> ContextProfile {
        self.profile.unwrap_or_else(|| ContextProfile::fitting(context_window))
    }
}

fn ceilings<'a>(value: &impl Fn(&'static str) -> &'a str) -> Result<TokenCeilings, SettingError> {
    let read = |name, default| number(name, value(name), default);
    let defaults = TokenCeilings::default();
    Ok(TokenCeilings {
        setup: read("max_tokens_setup", defaults.setup)?,
        planning: read("max_tokens_planning", defaults.planning)?,
        tool_synthesis: read("max_tokens_tool_synthesis", defaults.tool_synthesis)?,
        math: read("max_tokens_math_response", defaults.math)?,
        low: read("max_tokens_low_complexity", defaults.low)?,
        medium: read("max_tokens_medium_complexity", defaults.medium)?,
        high: read("max_tokens_high_complexity", defaults.high)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn read(set: &[(&str, &'static str)]) -> Result<AskSettings, SettingError> {
        let value =
            |name| set.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        AskSettings::read(value)
    }

    #[test]
    fn all_that_is_read_is_listed_and_all_that_is_listed_is_read() {
        let read = RefCell::new(Vec::new());
        let settings = AskSettings::read(|name| {
            read.borrow_mut().push(name);
            ""
        });
        settings.unwrap();
        let (mut read, mut listed) = (read.into_inner(), AskSettings::VARIABLES.to_vec());
        read.sort_unstable();
        listed.sort_unstable();
        assert_eq!(read, listed);
    }

    #[test]
    fn what_is_not_set_is_the_default() {
        let settings =
            read(&[("max_tool_iterations", "7"), ("context_profile", "frugal")]).unwrap();
        assert_eq!(settings.config.max_iterations, 7);
        assert_eq!(settings.profile(Some(1_000_000)), ContextProfile::Frugal);
        let settings = read(&[]).unwrap();
        assert_eq!(settings, AskSettings::default());
        assert_eq!(settings.profile(Some(1_000_000)), ContextProfile::Roomy);
        assert_eq!(settings.config.max_iterations, AskConfig::DEFAULT_MAX_ITERATIONS);
    }

    #[test]
    fn texts_are_kept_as_they_are_and_blanks_are_nothing() {
        let set = [("final_template", " {{ALL_INFORMATION}} "), ("continuation_secret", "  ")];
        let settings = read(&set).unwrap();
        assert_eq!(settings.config.final_template.as_deref(), Some(" {{ALL_INFORMATION}} "));
        assert_eq!(settings.secret, Secret(None));
    }

    #[test]
    fn mistakes_name_the_variable_and_not_its_value() {
        for name in ["max_tool_iterations", "max_tokens_setup", "reasoning_effort"] {
            let error = read(&[(name, "canary")]).err().unwrap().to_string();
            assert!(error.starts_with(name) && !error.contains("canary"), "{error}");
        }
    }
}
