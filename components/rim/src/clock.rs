//! The time of day, time that only goes forward, and waiting.

use futures::future::{Either, select};
use futures::poll;
use quarry_types::Timestamp;
use spin_sdk::wasip3::clocks::{monotonic_clock, system_clock};
use std::cell::Cell;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// Since 1970; zero for a clock that stands before it.
fn since_1970() -> Duration {
    let now = system_clock::now();
    Duration::new(u64::try_from(now.seconds).unwrap_or(0), now.nanoseconds)
}

/// Whole seconds since 1970.
pub fn unix_seconds() -> u64 {
    since_1970().as_secs()
}

/// Seconds since 1970 with their fraction.
pub fn unix_seconds_exact() -> f64 {
    since_1970().as_secs_f64()
}

/// Whole milliseconds since 1970.
pub fn unix_milliseconds() -> u64 {
    u64::try_from(since_1970().as_millis()).unwrap_or(u64::MAX)
}

thread_local! {
    /// The time of day that this instance read last.
    static READ: Cell<Timestamp> = const { Cell::new(Timestamp(0)) };
}

/// The time of day as our types have it.
pub fn now() -> Timestamp {
    let now = Timestamp(unix_milliseconds());
    READ.set(now);
    now
}

/// [`now`] as it was when somebody in this instance last asked: for what need not be exact. Costs no
/// call, unless nobody has asked yet.
pub fn recently() -> Timestamp {
    match READ.get() {
        Timestamp(0) => now(),
        read => read,
    }
}

/// Whether so much time lies between then and now. The time of day can be set back: then it does, too.
pub fn is_older_than(age: Duration, then: Timestamp, now: Timestamp) -> bool {
    u128::from(now.0.abs_diff(then.0)) >= age.as_millis()
}

/// How much is left now of a time that began then. Milliseconds.
pub fn left_of(time: Duration, begun: Timestamp) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_sub(now().since(begun))
}

/// Since some moment that stays the same while the instance lives. Only goes forward.
pub fn monotonic() -> Duration {
    Duration::from_nanos(monotonic_clock::now())
}

/// Waits so long.
pub async fn sleep(duration: Duration) {
    monotonic_clock::wait_for(nanoseconds(duration)).await;
}

/// What `work` gives, or none when it has not ended within the limit; it is dropped then. What is
/// ready at once costs no timer.
pub async fn within<F: Future>(limit: Duration, work: F) -> Option<F::Output> {
    let mut work = pin!(work);
    if let Poll::Ready(output) = poll!(&mut work) {
        return Some(output);
    }
    match select(work, pin!(sleep(limit))).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(((), _)) => None,
    }
}

/// As the host counts; the most that it can count for what is longer.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
