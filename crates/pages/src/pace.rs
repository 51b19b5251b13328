//! How work that takes long goes beside other work.
//! Border: what pauses, and what time it is, is whoever's who runs it.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Tells how much time went by, since any beginning.
pub type Clock = fn() -> Duration;

/// What work asks of where it runs.
pub trait Pace {
    /// The time.
    fn clock(&self) -> Clock;
    /// Gives all others a turn.
    fn pause(&mut self) -> impl Future<Output = ()>;
}

/// Work beside nobody, for which time stands still.
pub struct Alone;

impl Pace for Alone {
    fn clock(&self) -> Clock {
        || Duration::ZERO
    }

    fn pause(&mut self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// Does work that waits for nothing.
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
    }
}
