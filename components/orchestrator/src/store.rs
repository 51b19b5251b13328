//! Keys and values of asks in key-value.
//!
//! Every key of an ask begins with `ask/<id>/`, and an id begins with its time of birth, so that a
//! sweep tells what is old without reading it. Values also carry their own expiry.

use quarry_types::AskId;
use spin_sdk::key_value::{Error, Store};

/// The name of the store.
const STORE: &str = "default";

/// When a sweep last ran, as milliseconds.
const SWEPT: &str = "ask-swept";

/// Between two sweeps.
const SWEEP_EVERY_MS: u64 = 3_600_000;

/// Opens the store.
pub async fn open() -> Result<Store, Error> {
    Store::open(STORE).await
}

/// A part of an ask's log.
pub fn log_key(id: &AskId, part: u32) -> String {
    format!("ask/{id}/log/{part:06}")
}

/// A running ask's sign of life: milliseconds.
pub fn alive_key(id: &AskId) -> String {
    format!("ask/{id}/alive")
}

/// An ask's continuation state.
pub fn state_key(id: &AskId) -> String {
    format!("ask/{id}/state")
}

/// Present when somebody asked the ask to stop.
pub fn stop_key(id: &AskId) -> String {
    format!("ask/{id}/stop")
}

/// Puts an expiry in front of a value.
pub fn with_expiry(expires_ms: u64, value: &str) -> Vec<u8> {
    format!("{expires_ms}\n{value}").into_bytes()
}

/// The value behind its expiry; none when it has expired or is not ours.
pub fn unexpired(bytes: &[u8], now_ms: u64) -> Option<&str> {
    let (expires, value) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    (expires.parse::<u64>().ok()? > now_ms).then_some(value)
}

/// Deletes the keys of asks that are older than the retention, at most once an hour.
pub async fn sweep(store: &Store, now_ms: u64, retention_ms: u64) -> Result<(), Error> {
    let swept = store.get(SWEPT).await?.unwrap_or_default();
    let swept: u64 = std::str::from_utf8(&swept).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    if now_ms < swept.saturating_add(SWEEP_EVERY_MS) {
        return Ok(());
    }
    store.set(SWEPT, now_ms.to_string()).await?;
    for key in store.get_keys().await.collect().await? {
        let id = key.strip_prefix("ask/").and_then(|rest| AskId::parse(rest.split('/').next()?));
        if id.is_some_and(|id| id.born_at().saturating_add(retention_ms) < now_ms) {
            store.delete(&key).await?;
        }
    }
    Ok(())
}
