//! What an operator set, when an ask starts or is joined.
//!
//! Border: what asks may use is read by `quarry_machines::ask::AskSettings`, a text by
//! `quarry_rim::variables`.

use crate::bindings::exports::quarry::agent::ask::AskError;
use futures::try_join;
use quarry_machines::ask::AskSettings;
use quarry_machines::consult::ConsultSettings;
use quarry_rim::clock;
use quarry_rim::variables::{SettingError, Variables};
use quarry_types::Timestamp;

/// Asks under way at once, when nothing else is set.
const MAX_ASKS: u32 = 400;

/// What starting an ask needs to know.
pub struct Settings {
    /// What an ask may use.
    pub ask: AskSettings,
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

/// Reads the settings.
pub async fn read(now: Timestamp) -> Result<Settings, SettingError> {
    let variables = Variables::current(now);
    let (texts, on_disconnect, retention_ms, max_asks) = try_join!(
        variables.all(AskSettings::VARIABLES),
        variables.choice(
            "on_disconnect",
            &[("continue", OnDisconnect::Continue), ("stop", OnDisconnect::Stop)],
        ),
        retention(&variables),
        variables.number("max_asks", MAX_ASKS),
    )?;
    let ask = AskSettings::read(|name| texts.get(name).map_or("", String::as_str))?;
    let on_disconnect = on_disconnect.unwrap_or(OnDisconnect::Continue);
    Ok(Settings { ask, on_disconnect, retention_ms, max_asks })
}

/// Reads what questions to documents need beside it.
pub async fn consult(settings: &Settings, now: Timestamp) -> Result<ConsultSettings, SettingError> {
    let variables = Variables::current(now);
    let texts = variables.all([ConsultSettings::CATEGORIES]).await?;
    let categories = texts.get(ConsultSettings::CATEGORIES).map_or("", String::as_str);
    ConsultSettings::read(&settings.ask, categories)
}

/// How long logs and states are kept, in milliseconds.
pub async fn retention_ms() -> Result<u64, SettingError> {
    retention_at(clock::now()).await
}

/// The same for whoever knows what time it is.
pub async fn retention_at(now: Timestamp) -> Result<u64, SettingError> {
    retention(&Variables::current(now)).await
}

async fn retention(variables: &Variables) -> Result<u64, SettingError> {
    let hours: u64 = variables.number("ask_retention_hours", 24).await?;
    // What expires as it is written is swept from under whoever reads it, and from under an ask that waits.
    Ok(hours.max(1).saturating_mul(3_600_000))
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
