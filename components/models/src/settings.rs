//! Configuration, read when it is needed and no more than is needed: each look-up is a host call.
//!
//! Border: Spin variables in, typed settings out. Keys are read here and nowhere else.

use quarry_providers::target::{self, Target, TimeSetting};
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
    pub target: Target,
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

async fn nanoseconds(setting: TimeSetting) -> Result<u64, ChatError> {
    let milliseconds = setting.read(get(setting.variable).await?.as_deref())?;
    Ok(milliseconds.saturating_mul(1_000_000))
}

/// The settings of one call.
pub async fn for_call(model: &ModelId, credential: Credential) -> Result<CallSettings, ChatError> {
    let provider = model.provider;
    let url_variable = provider.base_url_variable();
    let (base_url, key, connect, first_byte, between_bytes, total) = futures::join!(
        get(&url_variable),
        key(provider, credential),
        nanoseconds(target::CONNECT_TIMEOUT),
        nanoseconds(target::FIRST_BYTE_TIMEOUT),
        nanoseconds(target::BETWEEN_BYTES_TIMEOUT),
        nanoseconds(target::TOTAL_TIMEOUT),
    );
    Ok(CallSettings {
        target: Target::of(provider, base_url?.as_deref(), key?)?,
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
        Credential::Operator => get(&provider.key_variable()).await,
        Credential::Caller(key) => Ok(Some(key)),
    }
}
