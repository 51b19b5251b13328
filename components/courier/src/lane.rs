//! How many calls are under way to a component at once.
//!
//! Each call keeps an instance over there, with its memory, to itself, and a host has 1,000
//! memories for all: one that has none left fails whoever comes next, asks included.

use quarry_rim::clock;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Programs.
pub static SANDBOX: Lane = Lane::of(12);

/// Searches and pages.
pub static WEB: Lane = Lane::of(20);

/// Between two looks of the call that is next. Calls of other requests cannot wake it.
const LOOK: Duration = Duration::from_millis(2);

/// The same for those behind it.
const LOOK_BEHIND: Duration = Duration::from_millis(20);

/// Lets so many through at once, in this instance, in the order in which they came. No data of
/// anybody's.
pub struct Lane {
    most: usize,
    calls: Mutex<Calls>,
}

struct Calls {
    under_way: usize,
    /// The tickets of those who wait, and the next one.
    waiting: VecDeque<u64>,
    next: u64,
}

/// A call that waits, until it is dropped.
struct Ticket(&'static Lane, u64);

/// A call that was let through, until it is dropped.
pub struct Pass(&'static Lane);

impl Lane {
    const fn of(most: usize) -> Self {
        let calls = Calls { under_way: 0, waiting: VecDeque::new(), next: 0 };
        Lane { most, calls: Mutex::new(calls) }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its turn, for so long at most; with it, what is left of that time.
    pub async fn enter(&'static self, within: Duration) -> Option<(Pass, Duration)> {
        let ticket = {
            let mut calls = self.calls();
            let number = calls.next;
            calls.next += 1;
            calls.waiting.push_back(number);
            Ticket(self, number)
        };
        let mut is_first = match ticket.redeem() {
            Ok(pass) => return Some((pass, within)),
            Err(is_first) => is_first,
        };
        let came = clock::monotonic();
        loop {
            clock::sleep(if is_first { LOOK } else { LOOK_BEHIND }).await;
            let left = within.checked_sub(clock::monotonic().saturating_sub(came))?;
            is_first = match ticket.redeem() {
                Ok(pass) => return Some((pass, left)),
                Err(is_first) => is_first,
            };
        }
    }
}

impl Ticket {
    /// The pass, if it is this one's turn; else whether it is the next.
    fn redeem(&self) -> Result<Pass, bool> {
        let Ticket(lane, number) = self;
        let mut calls = lane.calls();
        let is_first = calls.waiting.front() == Some(number);
        if !is_first || calls.under_way >= lane.most {
            return Err(is_first);
        }
        calls.under_way += 1;
        Ok(Pass(lane))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let Ticket(lane, number) = self;
        lane.calls().waiting.retain(|waiting| waiting != number);
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.calls().under_way -= 1;
    }
}
