//! Configuration, read when it is needed and no more than is needed: each look-up is a host call.
//!
//! Border: Spin variables in, typed settings out. Keys are read here and nowhere else.

use quarry_providers::{Address, catalogue};
use quarry_rim::http::Timeouts;
use quarry_rim::variables::{self, SettingError};
use quarry_types::{ChatError, Credential, ModelId, Provider};
use std::time::Duration;

/// What one call needs.
pub struct CallSettings {
    pub address: Address,
    pub key: Option<String>,
    pub timeouts: Timeouts,
    /// For the whole call, all its tries and waits included.
    pub total: Duration,
}

/// A setting; none when it is not set.
pub async fn get(name: &str) -> Result<Option<String>, ChatError> {
    variables::word(name).await.map_err(unusable)
}

async fn time(name: &str, default_ms: u64) -> Result<Duration, ChatError> {
    variables::milliseconds(name, Duration::from_millis(default_ms)).await.map_err(unusable)
}

fn unusable(error: SettingError) -> ChatError {
    ChatError::Other { message: error.to_string() }
}

/// The settings of one call.
pub async fn for_call(model: &ModelId, credential: Credential) -> Result<CallSettings, ChatError> {
    let provider = model.provider;
    let url_variable = catalogue::base_url_variable(provider);
    let (base_url, key, connect, first_byte, between_bytes, total) = futures::join!(
        get(&url_variable),
        key(provider, credential),
        time("provider_connect_timeout_ms", 5_000),
        time("provider_first_byte_timeout_ms", 30_000),
        time("provider_between_bytes_timeout_ms", 30_000),
        time("provider_total_timeout_ms", 120_000),
    );
    let base_url = base_url?;
    let base_url = base_url.as_deref().or(catalogue::base_url(provider)).ok_or_else(|| {
        ChatError::Other { message: format!("{provider} needs {url_variable} to be set") }
    })?;
    let key = key?;
    if provider.needs_key() && key.is_none() {
        return Err(ChatError::MissingKey { message: catalogue::missing_key(provider) });
    }
    Ok(CallSettings {
        address: Address::parse(base_url, &url_variable)?,
        key,
        timeouts: Timeouts {
            connect: connect?,
            first_byte: first_byte?,
            between_bytes: between_bytes?,
        },
        total: total?,
    })
}

async fn key(provider: Provider, credential: Credential) -> Result<Option<String>, ChatError> {
    match credential {
        Credential::Operator => get(&catalogue::key_variable(provider)).await,
        Credential::Caller(key) => Ok(Some(key.trim().to_owned()).filter(|key| !key.is_empty())),
    }
}
