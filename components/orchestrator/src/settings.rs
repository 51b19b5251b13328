//! What an operator set, read from variables when an ask starts.
//!
//! An empty variable is one that is not set. A value that cannot be used is an error that names
//! the variable: a silently ignored setting costs hours.

use crate::bindings::exports::quarry::agent::ask::AskError;
use futures::try_join;
use quarry_machines::ask::{AskConfig, TokenCeilings};
use quarry_machines::core::ContextProfile;
use quarry_types::ReasoningEffort;
use spin_sdk::variables;
use std::str::FromStr;

/// Asks under way at once, when nothing else is set.
const MAX_ASKS: u32 = 400;

/// Settings that concern the driver rather than the machine.
pub struct Settings {
    /// Limits and prompts of the machine; the profile may still depend on the model.
    pub config: AskConfig,
    /// The model that answers an ask for one that nobody has a key for.
    pub fallback_model: Option<String>,
    /// The operator's choice of profile; none: by the model's context.
    pub profile: Option<ContextProfile>,
    /// Signs continuation states.
    pub secret: Option<String>,
    /// Whether an ask goes on when its client leaves.
    pub on_disconnect: OnDisconnect,
    /// How long logs and states are kept.
    pub retention_ms: u64,
    /// Asks under way at once, over all instances; 0: no bound.
    pub max_asks: u32,
}

/// What happens to an ask whose client leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisconnect {
    /// It goes on into its log.
    Continue,
    /// It ends at its next step.
    Stop,
}

/// Reads the settings, side by side: each look-up is a host call.
pub async fn read() -> Result<Settings, AskError> {
    let (config, fallback_model, profile, secret, on_disconnect, retention_ms, max_asks) = try_join!(
        config(),
        text("fallback_model"),
        choice(
            "context_profile",
            &[("frugal", ContextProfile::Frugal), ("roomy", ContextProfile::Roomy)],
        ),
        text("continuation_secret"),
        choice(
            "on_disconnect",
            &[("continue", OnDisconnect::Continue), ("stop", OnDisconnect::Stop)],
        ),
        retention_ms(),
        number("max_asks", MAX_ASKS),
    )?;
    let on_disconnect = on_disconnect.unwrap_or(OnDisconnect::Continue);
    Ok(Settings { config, fallback_model, profile, secret, on_disconnect, retention_ms, max_asks })
}

async fn config() -> Result<AskConfig, AskError> {
    let (ceilings, max_iterations, reasoning_effort, final_template, digest_system_prompt) = try_join!(
        ceilings(),
        number("max_tool_iterations", AskConfig::DEFAULT_MAX_ITERATIONS),
        choice(
            "reasoning_effort",
            &[
                ("low", ReasoningEffort::Low),
                ("medium", ReasoningEffort::Medium),
                ("high", ReasoningEffort::High),
            ],
        ),
        text("final_template"),
        text("system_prompt_digest_analyst"),
    )?;
    Ok(AskConfig {
        max_iterations,
        ceilings,
        reasoning_effort,
        final_template,
        digest_system_prompt,
        ..AskConfig::default()
    })
}

async fn ceilings() -> Result<TokenCeilings, AskError> {
    let defaults = TokenCeilings::default();
    let (setup, planning, tool_synthesis, math, low, medium, high) = try_join!(
        number("max_tokens_setup", defaults.setup),
        number("max_tokens_planning", defaults.planning),
        number("max_tokens_tool_synthesis", defaults.tool_synthesis),
        number("max_tokens_math_response", defaults.math),
        number("max_tokens_low_complexity", defaults.low),
        number("max_tokens_medium_complexity", defaults.medium),
        number("max_tokens_high_complexity", defaults.high),
    )?;
    Ok(TokenCeilings { setup, planning, tool_synthesis, math, low, medium, high })
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
