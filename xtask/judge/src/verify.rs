//! `cargo xtask verify`.

use anyhow::{Result, bail};
use std::process::ExitCode;

/// Runs the task.
pub fn run(_args: lexopt::Parser) -> Result<ExitCode> {
    bail!("not made yet")
}
