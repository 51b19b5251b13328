//! Programs, run by `quarry-script` itself: a recorded outcome would be one more file to go stale.
//!
//! A program sees a clock that moves by a millisecond at each reading and random numbers from one
//! seed, so the same program always leaves the same behind.

use quarry_script::{
    Clock, ConsoleLevel, Environment, Limit, MemoryMeter, Outcome as Left, Realm, Value,
};
use quarry_tools::{Level, Outcome, Program, Ran, RanLimit, RanValue, RunFailure, Thrown};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Runs a program with this limit, from this time of day on; both in milliseconds.
pub fn program(code: &str, timeout_ms: u64, now: u64) -> Outcome {
    let environment = Environment {
        clock: Rc::new(Ticking { readings: Cell::new(0), now }),
        memory: Rc::new(Unmetered),
        seed: || [7; 32],
    };
    let timeout = Duration::from_millis(timeout_ms);
    match Realm::new(&environment) {
        Ok(mut realm) => Outcome::Program(Program::from(told(realm.run(code, timeout)))),
        Err(error) => Outcome::Failed(RunFailure::Other(error.message).into()),
    }
}

struct Ticking {
    readings: Cell<u64>,
    now: u64,
}

impl Clock for Ticking {
    fn now(&self) -> Duration {
        self.readings.set(self.readings.get() + 1);
        Duration::from_millis(self.readings.get())
    }

    fn wall_millis(&self) -> i64 {
        i64::try_from(self.now).unwrap_or(i64::MAX)
    }
}

/// Never full: what fills the heap is the hostile programs' affair.
struct Unmetered;

impl MemoryMeter for Unmetered {
    fn bytes_in_use(&self) -> usize {
        0
    }
}

/// Between the sandbox's words and those of tools.
fn told(left: Left) -> Ran {
    let level = |level| match level {
        ConsoleLevel::Log | ConsoleLevel::Info | ConsoleLevel::Debug => Level::Plain,
        ConsoleLevel::Warn => Level::Warn,
        ConsoleLevel::Error => Level::Error,
    };
    Ran {
        console: left.console.into_iter().map(|line| (level(line.level), line.text)).collect(),
        value: match left.value {
            Value::None => RanValue::None,
            Value::Json(json) => RanValue::Json(json),
            Value::Text(text) => RanValue::Text(text),
        },
        error: left.error.map(|error| Thrown {
            name: error.name,
            message: error.message,
            line: error.line,
            column: error.column,
        }),
        limit: left.limit.map(|limit| match limit {
            Limit::Time => RanLimit::Time,
            Limit::Memory => RanLimit::Memory,
            Limit::Source => RanLimit::Source,
            Limit::Output => RanLimit::Output,
            Limit::Recursion => RanLimit::Recursion,
        }),
    }
}
