//! What every program behind the task runner begins with.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "for programs for people at a terminal"
)]

use anyhow::{Context, Result};
use std::process::ExitCode;

/// Runs the task that the first argument names, with the arguments behind it; tells an error.
pub fn main(run: impl FnOnce(&str, lexopt::Parser) -> Result<ExitCode>) -> ExitCode {
    let mut args = lexopt::Parser::from_env();
    let task = match args.next() {
        Ok(Some(lexopt::Arg::Value(task))) => task.into_string().ok(),
        _ => None,
    };
    let done = task.context("name a task").and_then(|task| run(&task, args));
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// Tells a task's help.
pub fn help(text: &str) -> Result<ExitCode> {
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}
