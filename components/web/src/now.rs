//! The time of day, which entries in the store carry.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Since 1970.
fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Seconds since 1970.
pub fn seconds() -> u64 {
    since_1970().as_secs()
}

/// Milliseconds since 1970.
pub fn milliseconds() -> u64 {
    u64::try_from(since_1970().as_millis()).unwrap_or(u64::MAX)
}
