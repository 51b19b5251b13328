//! The clock.

use std::time::{SystemTime, UNIX_EPOCH};

use quarry_types::Timestamp;

fn since_1970() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub fn seconds() -> u64 {
    since_1970().as_secs()
}

pub fn timestamp() -> Timestamp {
    Timestamp(u64::try_from(since_1970().as_millis()).unwrap_or(u64::MAX))
}
