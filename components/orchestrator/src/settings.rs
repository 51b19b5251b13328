//! What an operator set, read from variables when an ask starts or is joined.
//!
//! Border: names, choices and defaults; what a text means is read by `quarry_rim::variables`.

use crate::bindings::exports::quarry::agent::ask::AskError;
use futures::try_join;
use quarry_machines::ask::{AskConfig, AskSettings, TokenCeilings};
use quarry_machines::core::ContextProfile;
use quarry_rim::variables::{SettingError, choice, number, text};
use quarry_types::ReasoningEffort;

/// Asks under way at once, when nothing else is set.
const MAX_ASKS: u32 = 400;

/// What starting an ask needs to know.
pub struct Settings {
    /// What the machine is to know.
    pub ask: AskSettings,
    /// The model that answers an ask for one that nobody has a key for.
    pub fallback_model: Option<String>,
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
pub async fn read() -> Result<Settings, SettingError> {
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
    let ask = AskSettings { config, profile, secret };
    Ok(Settings { ask, fallback_model, on_disconnect, retention_ms, max_asks })
}

async fn config() -> Result<AskConfig, SettingError> {
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

async fn ceilings() -> Result<TokenCeilings, SettingError> {
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
pub async fn retention_ms() -> Result<u64, SettingError> {
    let hours: u64 = number("ask_retention_hours", 24).await?;
    Ok(hours.saturating_mul(3_600_000))
}

/// Says which variable it is, and never what it holds.
impl From<SettingError> for AskError {
    fn from(error: SettingError) -> Self {
        match error {
            SettingError::Unreadable(name) => {
                AskError::Unavailable(format!("variable {name} could not be read"))
            }
            wrong @ SettingError::Wrong { .. } => AskError::Other(format!("variable {wrong}")),
        }
    }
}
