//! What an operator set, read from variables when an ask starts.
//!
//! An empty variable is one that is not set. A value that cannot be used is an error that names
//! the variable: a silently ignored setting costs hours.

use crate::bindings::exports::quarry::agent::ask::AskError;
use quarry_agent::ask::{AskConfig, ContextProfile, TokenCeilings};
use quarry_types::ReasoningEffort;
use spin_sdk::variables;
use std::str::FromStr;

/// Settings that concern the driver rather than the machine.
pub struct Settings {
    /// Limits and prompts of the machine; the profile may still depend on the model.
    pub config: AskConfig,
    /// The operator's choice of profile; none: by the model's context.
    pub profile: Option<ContextProfile>,
    /// Signs continuation states.
    pub secret: Option<String>,
    /// Whether an ask goes on when its client leaves.
    pub on_disconnect: OnDisconnect,
    /// How long logs and states are kept.
    pub retention_ms: u64,
}

/// What happens to an ask whose client leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisconnect {
    /// It goes on into its log.
    Continue,
    /// It ends at its next step.
    Stop,
}

/// Reads the settings.
pub async fn read() -> Result<Settings, AskError> {
    let defaults = TokenCeilings::default();
    let ceilings = TokenCeilings {
        setup: number("max_tokens_setup", defaults.setup).await?,
        planning: number("max_tokens_planning", defaults.planning).await?,
        tool_synthesis: number("max_tokens_tool_synthesis", defaults.tool_synthesis).await?,
        math: number("max_tokens_math_response", defaults.math).await?,
        low: number("max_tokens_low_complexity", defaults.low).await?,
        medium: number("max_tokens_medium_complexity", defaults.medium).await?,
        high: number("max_tokens_high_complexity", defaults.high).await?,
    };
    let config = AskConfig {
        max_iterations: number("max_tool_iterations", AskConfig::DEFAULT_MAX_ITERATIONS).await?,
        ceilings,
        reasoning_effort: choice(
            "reasoning_effort",
            &[
                ("low", ReasoningEffort::Low),
                ("medium", ReasoningEffort::Medium),
                ("high", ReasoningEffort::High),
            ],
        )
        .await?,
        final_template: text("final_template").await?,
        digest_system_prompt: text("system_prompt_digest_analyst").await?,
        ..AskConfig::default()
    };
    Ok(Settings {
        config,
        profile: choice(
            "context_profile",
            &[("frugal", ContextProfile::Frugal), ("roomy", ContextProfile::Roomy)],
        )
        .await?,
        secret: text("continuation_secret").await?,
        on_disconnect: choice(
            "on_disconnect",
            &[("continue", OnDisconnect::Continue), ("stop", OnDisconnect::Stop)],
        )
        .await?
        .unwrap_or(OnDisconnect::Continue),
        retention_ms: retention_ms().await?,
    })
}

/// How long logs and states are kept, in milliseconds.
pub async fn retention_ms() -> Result<u64, AskError> {
    let hours: u64 = number("ask_retention_hours", 24).await?;
    Ok(hours.saturating_mul(3_600_000))
}

async fn text(name: &str) -> Result<Option<String>, AskError> {
    match variables::get(name).await {
        Ok(value) if value.trim().is_empty() => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(variables::Error::Undefined(_)) => Ok(None),
        // The variable's value may be a secret, so only its name is told.
        Err(_) => Err(AskError::Unavailable(format!("variable {name} could not be read"))),
    }
}

async fn number<N: FromStr>(name: &str, default: N) -> Result<N, AskError> {
    let Some(value) = text(name).await? else { return Ok(default) };
    let wrong = || AskError::Other(format!("variable {name} must be a whole number"));
    value.trim().parse().map_err(|_| wrong())
}

async fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> Result<Option<T>, AskError> {
    let Some(value) = text(name).await? else { return Ok(None) };
    let value = value.trim();
    if value == "auto" {
        return Ok(None);
    }
    let found = choices.iter().find(|(word, _)| *word == value).map(|(_, choice)| *choice);
    found.map(Some).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        AskError::Other(format!("variable {name} must be one of {}", words.join(", ")))
    })
}
