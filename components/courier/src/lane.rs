//! The lanes of this instance: who comes when many calls are under way waits for its turn.
//!
//! Border: whose turn it is is decided in `quarry-admission`.

use quarry_admission::lane::{self, Ticket, Turn};
use quarry_rim::bell::{BellOverHttp, bell_over_http};
use quarry_rim::clock;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Programs: most take less than a millisecond, and a host keeps memory for as many as ever ran at
/// once. Some take seconds, and the others must not wait for those.
pub static SANDBOX: Lane = Lane::of(4, 12);

/// Searches and pages, which wait for others most of the time.
pub static WEB: Lane = Lane::of(20, 20);

/// One for all the requests of this instance. No data of anybody's.
pub struct Lane(Mutex<Calls>);

struct Calls {
    line: lane::Lane,
    /// What wakes those who wait.
    bells: Vec<(Ticket, BellOverHttp)>,
}

/// A call that waits, until it is dropped.
struct Waiting(&'static Lane, Ticket);

/// A call that was let through, until it is dropped.
pub struct Pass(&'static Lane);

impl Lane {
    const fn of(few: usize, most: usize) -> Self {
        Lane(Mutex::new(Calls { line: lane::Lane::new(few, most), bells: Vec::new() }))
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its turn, for so long at most; with it, what is left of that time.
    pub async fn enter(&'static self, within: Duration) -> Option<(Pass, Duration)> {
        let came = clock::monotonic();
        let (ticket, turn) = self.calls().line.come(came);
        if turn == Turn::Now {
            return Some((Pass(self), within));
        }
        let waiting = Waiting(self, ticket);
        let (mut now, mut left) = (came, within);
        loop {
            let (bell, rings) = bell_over_http();
            let patience = self.calls().wait(waiting.1, bell, now);
            clock::within(patience.map_or(left, |patience| patience.min(left)), rings).await;
            now = clock::monotonic();
            left = within.checked_sub(now.saturating_sub(came))?;
            if self.calls().ask(waiting.1, now) == Turn::Now {
                return Some((Pass(self), left));
            }
        }
    }

    /// Something has changed: whoever is first now looks whether it may go.
    fn wake_first(&self) {
        let bell = self.calls().first_bell();
        drop(bell);
    }
}

impl Calls {
    /// It is woken by this bell, or asks again after its patience.
    fn wait(&mut self, ticket: Ticket, bell: BellOverHttp, now: Duration) -> Option<Duration> {
        self.bells.push((ticket, bell));
        self.line.patience(ticket, now)
    }

    fn ask(&mut self, ticket: Ticket, now: Duration) -> Turn {
        self.bells.retain(|(of, _)| *of != ticket);
        self.line.ask(ticket, now)
    }

    fn first_bell(&mut self) -> Option<BellOverHttp> {
        let first = self.line.first()?;
        let at = self.bells.iter().position(|(of, _)| *of == first)?;
        Some(self.bells.swap_remove(at).1)
    }
}

/// It went or gave up: either way another may be first.
impl Drop for Waiting {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.bells.retain(|(of, _)| *of != self.1);
        calls.line.leave(self.1);
        drop(calls);
        self.0.wake_first();
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.calls().line.end();
        self.0.wake_first();
    }
}
