//! Between the contract's types and those of `quarry-script`.

use std::time::Duration;

use crate::bindings::javascript as wit;

/// The contract's range of time limits, in milliseconds.
const TIMEOUT: std::ops::RangeInclusive<u64> = 1_000..=10_000;

/// The time limit, when it is one that the contract allows.
pub(crate) fn timeout(program: &wit::Program) -> Result<Duration, wit::RunError> {
    if TIMEOUT.contains(&program.timeout_ms) {
        return Ok(Duration::from_millis(program.timeout_ms));
    }
    Err(wit::RunError::Other(format!(
        "timeout-ms is {}; it must be between {} and {}",
        program.timeout_ms,
        TIMEOUT.start(),
        TIMEOUT.end()
    )))
}

pub(crate) fn outcome(outcome: quarry_script::Outcome) -> wit::Outcome {
    let quarry_script::Outcome { console, value, error, limit, elapsed, instructions } = outcome;
    wit::Outcome {
        console: console.into_iter().map(line).collect(),
        value: match value {
            quarry_script::Value::None => wit::Value::None,
            quarry_script::Value::Json(text) => wit::Value::Json(text),
            quarry_script::Value::Text(text) => wit::Value::Text(text),
        },
        error: error.map(error_of),
        limit: limit.map(limit_of),
        elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        instructions,
    }
}

fn line(line: quarry_script::ConsoleLine) -> wit::ConsoleLine {
    use quarry_script::ConsoleLevel;
    let level = match line.level {
        ConsoleLevel::Log => wit::ConsoleLevel::Log,
        ConsoleLevel::Info => wit::ConsoleLevel::Info,
        ConsoleLevel::Warn => wit::ConsoleLevel::Warn,
        ConsoleLevel::Error => wit::ConsoleLevel::Error,
        ConsoleLevel::Debug => wit::ConsoleLevel::Debug,
    };
    wit::ConsoleLine { level, text: line.text }
}

fn error_of(error: quarry_script::ScriptError) -> wit::ScriptError {
    let quarry_script::ScriptError { name, message, line, column } = error;
    wit::ScriptError { name, message, line, column }
}

fn limit_of(limit: quarry_script::Limit) -> wit::Limit {
    use quarry_script::Limit;
    match limit {
        Limit::Time => wit::Limit::Time,
        Limit::Memory => wit::Limit::Memory,
        Limit::Source => wit::Limit::Source,
        Limit::Output => wit::Limit::Output,
        Limit::Recursion => wit::Limit::Recursion,
    }
}
