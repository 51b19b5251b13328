//! Runs programs under a clock that only moves when it is read, so that no test waits.

#[allow(dead_code, reason = "each test binary uses its part")]
pub mod cases;

use std::{cell::Cell, rc::Rc, time::Duration};

use quarry_script::{Clock, Environment, MemoryMeter, Outcome, Realm, Value};

/// Each reading is one millisecond later than the last.
#[derive(Default)]
pub struct Ticking(Cell<u64>);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_millis(self.0.get())
    }

    fn wall_millis(&self) -> i64 {
        // 2026-02-03T04:05:06.789Z
        1_770_091_506_789
    }
}

/// Never full.
pub struct Unmetered;

impl MemoryMeter for Unmetered {
    fn bytes_in_use(&self) -> usize {
        0
    }
}

/// A ticking clock, no meter.
pub fn environment() -> Environment {
    Environment { clock: Rc::new(Ticking::default()), memory: Rc::new(Unmetered), seed: || [7; 32] }
}

/// Runs with the shortest limit.
#[allow(dead_code, reason = "each test binary uses its part")]
pub fn js(source: &str) -> Outcome {
    js_within(source, 1)
}

/// Runs with a limit in seconds of the ticking clock.
#[allow(dead_code, reason = "each test binary uses its part")]
pub fn js_within(source: &str, seconds: u64) -> Outcome {
    run(source, seconds, &environment())
}

/// Runs in a realm of this environment.
#[expect(clippy::expect_used, reason = "a helper of tests")]
pub fn run(source: &str, seconds: u64, environment: &Environment) -> Outcome {
    let realm = Realm::new(environment);
    realm.expect("a realm").run(source, Duration::from_secs(seconds))
}

/// The value of a program that must succeed.
#[allow(dead_code, reason = "each test binary uses its part")]
pub fn value(source: &str) -> Value {
    let outcome = js(source);
    assert_eq!((outcome.error, outcome.limit), (None, None), "{source}");
    outcome.value
}

/// The console of a program that must succeed, one line each.
#[allow(dead_code, reason = "each test binary uses its part")]
pub fn printed(source: &str) -> String {
    let outcome = js(source);
    assert_eq!((outcome.error, outcome.limit), (None, None), "{source}");
    outcome.console.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
}
