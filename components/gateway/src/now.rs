//! The clock.

use std::time::{SystemTime, UNIX_EPOCH};

fn since_1970() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub fn seconds() -> u64 {
    since_1970().as_secs()
}

pub fn iso() -> String {
    let milliseconds = since_1970().as_millis();
    quarry_types::Timestamp(u64::try_from(milliseconds).unwrap_or(u64::MAX)).iso()
}
