//! The time of day that components see, which a test may move on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wasmtime_wasi::HostWallClock;

/// This machine's time of day and what was added to it. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock {
    /// Milliseconds.
    added: Arc<AtomicU64>,
}

impl Clock {
    pub fn advance(&self, by: Duration) {
        let by = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.added.fetch_add(by, Ordering::Relaxed);
    }
}

impl HostWallClock for Clock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now + Duration::from_millis(self.added.load(Ordering::Relaxed))
    }
}
