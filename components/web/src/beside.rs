//! Pauses for who asks the same instance meanwhile.

use quarry_pages::pace::{Clock, Pace};
use quarry_rim::clock;
use std::time::Duration;

/// What others may have to wait.
const TURN: Duration = Duration::from_millis(20);

/// Work beside that of other requests.
pub struct Beside {
    since: Duration,
}

impl Beside {
    pub fn new() -> Self {
        Self { since: clock::monotonic() }
    }
}

impl Pace for Beside {
    fn clock(&self) -> Clock {
        clock::monotonic
    }

    async fn pause(&mut self) {
        if clock::monotonic().saturating_sub(self.since) >= TURN {
            wit_bindgen::yield_async().await;
            self.since = clock::monotonic();
        }
    }
}
