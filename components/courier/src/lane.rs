//! How many calls are under way to a component at once.
//!
//! Each call keeps an instance over there, with its memory, to itself, and a host has 1,000
//! memories for all: one that has none left fails whoever comes next, asks included.

use quarry_rim::clock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Programs.
pub static SANDBOX: Lane = Lane::of(12);

/// Searches and pages.
pub static WEB: Lane = Lane::of(20);

/// Between two looks of a call that waits. Calls of other requests cannot wake it.
const LOOK: Duration = Duration::from_millis(2);

/// Lets so many through at once, in this instance. No data of anybody's.
pub struct Lane {
    most: usize,
    under_way: AtomicUsize,
}

/// A call that was let through, until it is dropped.
pub struct Pass(&'static Lane);

impl Lane {
    const fn of(most: usize) -> Self {
        Lane { most, under_way: AtomicUsize::new(0) }
    }

    pub async fn enter(&'static self) -> Pass {
        while self.under_way.load(Ordering::Relaxed) >= self.most {
            clock::sleep(LOOK).await;
        }
        self.under_way.fetch_add(1, Ordering::Relaxed);
        Pass(self)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}
