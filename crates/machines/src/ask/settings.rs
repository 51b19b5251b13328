//! What an operator set for asks, and what of it a request replaces.
//!
//! Border: texts of variables in, typed settings out. Errors name the variable and never its value.

use super::{AskConfig, TokenCeilings};
use crate::core::{Budget, ContextProfile, ModelSheet};
use quarry_tools::Sources;
use quarry_types::ReasoningEffort;
use quarry_types::setting::{SettingError, choice, number, text};

/// What an operator set for asks.
pub struct AskSettings {
    /// Limits and prompts, where a request says nothing else.
    config: AskConfig,
    /// The operator's choice of profile; none: by the model's context.
    profile: Option<ContextProfile>,
    /// Signs continuation states.
    pub secret: Option<String>,
    /// The model that answers an ask for one that nobody has a key for.
    pub fallback_model: Option<String>,
}

/// What a request may say of limits and sources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// Tool iterations at most; none: as many as the operator set.
    pub max_iterations: Option<u32>,
    /// See [`Budget`].
    pub budget: Budget,
    /// See [`Sources`].
    pub sources: Sources,
}

/// A wish that cannot be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unmet {
    /// Nothing that was named serves.
    #[error("this version has no knowledge base; use \"web\"")]
    Sources,
    /// A budget in dollars without a price.
    #[error("cannot be held: no price is known for this model; use budget.tokens")]
    Dollars,
}

impl Unmet {
    /// The request's field that asks for it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Unmet::Sources => "sources",
            Unmet::Dollars => "budget.usd",
        }
    }
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
            secret: words("continuation_secret"),
            fallback_model: words("fallback_model"),
        })
    }

    /// The operator's choice, else by what the model can take.
    #[must_use]
    pub fn profile(&self, context_window: Option<u64>) -> ContextProfile {
        self.profile.unwrap_or_else(|| ContextProfile::fitting(context_window))
    }

    /// What an ask of this model may use.
    ///
    /// # Errors
    /// When a wish cannot be met.
    pub fn config(&self, wish: Wish, model: &ModelSheet) -> Result<AskConfig, Unmet> {
        if !wish.sources.web {
            return Err(Unmet::Sources);
        }
        if wish.budget.usd.is_some() && model.price.is_none() {
            return Err(Unmet::Dollars);
        }
        Ok(AskConfig {
            max_iterations: wish.max_iterations.unwrap_or(self.config.max_iterations),
            profile: self.profile(model.context_window),
            budget: wish.budget,
            sources: wish.sources,
            ..self.config.clone()
        })
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

    const WEB: Sources = Sources { web: true, knowledge: false };
    const NOTHING: Wish =
        Wish { max_iterations: None, budget: Budget { usd: None, tokens: None }, sources: WEB };

    fn read(set: &[(&str, &'static str)]) -> Result<AskSettings, SettingError> {
        let value =
            |name| set.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        AskSettings::read(value)
    }

    fn sheet(context_window: Option<u64>) -> ModelSheet {
        ModelSheet {
            id: "openai:m".parse().unwrap(),
            price: None,
            context_window,
            is_language_model: true,
            timeout_ms: 1_000,
        }
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
    fn a_request_goes_before_the_operator_and_the_operator_before_the_default() {
        let settings =
            read(&[("max_tool_iterations", "7"), ("context_profile", "frugal")]).unwrap();
        let config = settings.config(NOTHING, &sheet(Some(1_000_000))).unwrap();
        assert_eq!((config.max_iterations, config.profile), (7, ContextProfile::Frugal));
        let wish = Wish { max_iterations: Some(2), ..NOTHING };
        assert_eq!(settings.config(wish, &sheet(None)).unwrap().max_iterations, 2);
        let config = read(&[]).unwrap().config(NOTHING, &sheet(Some(1_000_000))).unwrap();
        assert_eq!(config.max_iterations, AskConfig::DEFAULT_MAX_ITERATIONS);
        assert_eq!(config.profile, ContextProfile::Roomy);
        assert_eq!(config.ceilings, TokenCeilings::default());
    }

    #[test]
    fn texts_are_kept_as_they_are_and_blanks_are_nothing() {
        let set = [("final_template", " {{ALL_INFORMATION}} "), ("continuation_secret", "  ")];
        let settings = read(&set).unwrap();
        assert_eq!(settings.config.final_template.as_deref(), Some(" {{ALL_INFORMATION}} "));
        assert_eq!(settings.secret, None);
    }

    #[test]
    fn mistakes_name_the_variable_and_not_its_value() {
        for name in ["max_tool_iterations", "max_tokens_setup", "reasoning_effort"] {
            let error = read(&[(name, "canary")]).err().unwrap().to_string();
            assert!(error.starts_with(name) && !error.contains("canary"), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_held_is_refused() {
        let settings = read(&[]).unwrap();
        let knowledge = Wish { sources: Sources { web: false, knowledge: true }, ..NOTHING };
        assert_eq!(settings.config(knowledge, &sheet(None)), Err(Unmet::Sources));
        let dollars = Wish { budget: Budget { usd: Some(1.0), tokens: None }, ..NOTHING };
        assert_eq!(settings.config(dollars, &sheet(None)), Err(Unmet::Dollars));
    }
}
