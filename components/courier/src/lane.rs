//! The lanes of this instance: who comes when many calls are under way waits for its turn.
//!
//! Border: whose turn it is is decided in `quarry-admission`.

use quarry_admission::lane::{self, Turn};
use quarry_rim::clock;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Programs: most take less than a millisecond, and a host keeps memory for as many as ever ran at
/// once. Some take seconds, and the others must not wait for those.
pub static SANDBOX: Lane = Lane::of(4, 12);

/// Searches and pages, which wait for others most of the time.
pub static WEB: Lane = Lane::of(20, 20);

/// Between two looks of the call that is next. Calls of other requests cannot wake it.
const LOOK: Duration = Duration::from_millis(2);

/// The same for those behind it.
const LOOK_BEHIND: Duration = Duration::from_millis(20);

/// One for all the requests of this instance. No data of anybody's.
pub struct Lane(Mutex<lane::Lane>);

/// A call that waits, until it is dropped.
struct Waiting(&'static Lane, lane::Ticket);

/// A call that was let through, until it is dropped.
pub struct Pass(&'static Lane);

impl Lane {
    const fn of(few: usize, most: usize) -> Self {
        Lane(Mutex::new(lane::Lane::new(few, most)))
    }

    fn calls(&self) -> MutexGuard<'_, lane::Lane> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its turn, for so long at most; with it, what is left of that time.
    pub async fn enter(&'static self, within: Duration) -> Option<(Pass, Duration)> {
        let (ticket, mut turn) = self.calls().come();
        if turn == Turn::Now {
            return Some((Pass(self), within));
        }
        let waiting = Waiting(self, ticket);
        let came = clock::monotonic();
        loop {
            clock::sleep(if turn == Turn::Next { LOOK } else { LOOK_BEHIND }).await;
            let now = clock::monotonic();
            let left = within.checked_sub(now.saturating_sub(came))?;
            turn = waiting.0.calls().ask(ticket, now);
            if turn == Turn::Now {
                return Some((Pass(self), left));
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.calls().leave(self.1);
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.calls().end();
    }
}
