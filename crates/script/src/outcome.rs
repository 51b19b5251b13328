//! What goes in and what comes out: plain data, the same shape as the WIT contract.

use std::time::Duration;

/// How loud a console line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsoleLevel {
    /// `console.log`
    Log,
    /// `console.info`
    Info,
    /// `console.warn`
    Warn,
    /// `console.error`
    Error,
    /// `console.debug`
    Debug,
}

/// One call of a console method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleLine {
    /// The method's level.
    pub level: ConsoleLevel,
    /// The arguments, formatted and joined by spaces.
    pub text: String,
}

/// The value of the last expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// There is none, or it is `undefined`.
    None,
    /// It survives a round trip through JSON unchanged: one JSON text.
    Json(String),
    /// It does not: a readable rendering.
    Text(String),
}

/// What was thrown and not caught, or the limit in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// `TypeError`, `SyntaxError`, …; `LimitError` when a limit ended the program.
    pub name: String,
    /// What happened.
    pub message: String,
    /// In the program's source, from 1.
    pub line: Option<u32>,
    /// In the program's source, from 1.
    pub column: Option<u32>,
}

/// A limit that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The wall clock.
    Time,
    /// The heap.
    Memory,
    /// The length of the source.
    Source,
    /// Console and value together.
    Output,
    /// The depth of calls, or of nested code or data.
    Recursion,
}

/// All that a program left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// In the order of the calls.
    pub console: Vec<ConsoleLine>,
    /// The value of the last expression; a settled promise counts as what it settled to.
    pub value: Value,
    /// What was thrown and not caught; present whenever a limit ended the program.
    pub error: Option<ScriptError>,
    /// The limit that ended the program, if one did.
    pub limit: Option<Limit>,
    /// Wall clock from the call to its answer.
    pub elapsed: Duration,
    /// Instructions of the engine that it took; native built-ins count as one each.
    pub instructions: u64,
}
