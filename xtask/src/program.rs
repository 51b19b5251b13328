//! What every program behind the task runner begins with.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "for programs for people at a terminal"
)]

use crate::options;
use anyhow::{Context, Error, Result};
use std::fmt;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The exit code for wrong options.
const WRONG: u8 = 2;

/// Nobody reads what is written any more.
#[derive(Debug)]
struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads what is written")
    }
}

impl std::error::Error for Closed {}

/// Runs the task that the first argument names, with the arguments behind it; tells an error.
pub fn main(run: impl FnOnce(&str, lexopt::Parser) -> Result<ExitCode>) -> ExitCode {
    let mut args = lexopt::Parser::from_env();
    let task = match args.next() {
        Ok(Some(lexopt::Arg::Value(task))) => task.into_string().ok(),
        _ => None,
    };
    let done = task.context("name a task").and_then(|task| run(&task, args));
    ended(done)
}

/// How a task ends: an error is told, unless it is that whoever read has seen enough.
pub fn ended(done: Result<ExitCode>) -> ExitCode {
    let error = match done {
        Ok(code) => return code,
        Err(error) if error.is::<Closed>() => return ExitCode::SUCCESS,
        Err(error) => error,
    };
    eprintln!("error: {}", told(&error));
    if options::is_wrong(&error) { ExitCode::from(WRONG) } else { ExitCode::FAILURE }
}

/// Runs a task that takes no arguments but `--help`.
pub fn without_arguments(
    mut args: lexopt::Parser,
    text: &str,
    task: impl FnOnce() -> Result<ExitCode>,
) -> Result<ExitCode> {
    match args.next()? {
        None => task(),
        Some(lexopt::Arg::Short('h') | lexopt::Arg::Long("help")) => help(text),
        Some(other) => Err(options::unknown(other, text)),
    }
}

/// Prints at once, so that an answer is seen as it is written. Where nobody reads any more, the task is over.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Closed.into(),
        _ => error.into(),
    })
}

/// An error and what caused it, each said once: some say their cause themselves.
pub fn told(error: &Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !told.ends_with(&cause) {
            let between = if told.is_empty() { "" } else { ": " };
            told = told + between + &cause;
        }
    }
    told
}

/// Tells a task's help.
pub fn help(text: &str) -> Result<ExitCode> {
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_error_says_of_its_cause_is_not_said_again() {
        let args = ["--budget", "abc"];
        let parsed = |args: [&'static str; 2]| -> Result<f64> {
            let mut args = lexopt::Parser::from_args(args);
            args.next()?;
            Ok(lexopt::ValueExt::parse(&args.value()?)?)
        };
        let error = parsed(args).unwrap_err();
        assert_eq!(told(&error).matches("invalid float").count(), 1, "{}", told(&error));
        let error = parsed(args).context("no budget").unwrap_err();
        assert!(told(&error).starts_with("no budget: "), "{}", told(&error));
    }
}
