//! Configuration, read when it is needed and no more than is needed: each look-up is a host call.
//!
//! Border: Spin variables in, typed settings out. Keys are read here and nowhere else.

use quarry_providers::{Address, catalogue};
use quarry_types::{ChatError, Credential, ModelId, Provider};
use spin_sdk::variables;

/// Nanoseconds, as the host wants them.
#[derive(Clone, Copy)]
pub struct Timeouts {
    pub connect: u64,
    pub first_byte: u64,
    pub between_bytes: u64,
    pub total: u64,
}

/// What one call needs.
pub struct CallSettings {
    pub address: Address,
    pub key: Option<String>,
    pub timeouts: Timeouts,
}

/// A setting; none when it is empty or not declared.
pub async fn get(name: &str) -> Result<Option<String>, ChatError> {
    match variables::get(name).await {
        Ok(value) if value.trim().is_empty() => Ok(None),
        Ok(value) => Ok(Some(value.trim().to_owned())),
        Err(variables::Error::Undefined(_)) => Ok(None),
        // The host's words could quote a value.
        Err(_) => Err(ChatError::Other { message: format!("cannot read the setting {name}") }),
    }
}

async fn nanoseconds(name: &str, default_ms: u64) -> Result<u64, ChatError> {
    let milliseconds = match get(name).await? {
        None => default_ms,
        Some(text) => text.parse().ok().filter(|ms: &u64| *ms > 0).ok_or_else(|| {
            ChatError::Other { message: format!("{name} must be a whole number of milliseconds") }
        })?,
    };
    Ok(milliseconds.saturating_mul(1_000_000))
}

/// The settings of one call.
pub async fn for_call(model: &ModelId, credential: Credential) -> Result<CallSettings, ChatError> {
    let provider = model.provider;
    let url_variable = catalogue::base_url_variable(provider);
    let (base_url, key, connect, first_byte, between_bytes, total) = futures::join!(
        get(&url_variable),
        key(provider, credential),
        nanoseconds("provider_connect_timeout_ms", 5_000),
        nanoseconds("provider_first_byte_timeout_ms", 30_000),
        nanoseconds("provider_between_bytes_timeout_ms", 30_000),
        nanoseconds("provider_total_timeout_ms", 120_000),
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
            total: total?,
        },
    })
}

async fn key(provider: Provider, credential: Credential) -> Result<Option<String>, ChatError> {
    match credential {
        Credential::Operator => get(&catalogue::key_variable(provider)).await,
        Credential::Caller(key) => Ok(Some(key.trim().to_owned()).filter(|key| !key.is_empty())),
    }
}
