//! `cargo xtask test262`: the language's public conformance suite, through the built sandbox and
//! through the plain engine. The work is `quarry-conformance`'s, which takes the arguments.

use crate::paths;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let arguments: Vec<OsString> = args.raw_args()?.collect();
    let sandbox = paths::finished().join("sandbox.wasm");
    if !sandbox.exists() {
        bail!("the sandbox is not built\nhint: `cargo xtask build sandbox`");
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    // From where the caller is: the suite's directory may be relative.
    command.arg("run").arg("--quiet").arg("--manifest-path").arg(paths::root().join("Cargo.toml"));
    command.args(["--package", "quarry-conformance", "--"]).args(arguments);
    command.arg("--manifest").arg(paths::root().join("spin.toml"));
    let status = command.status().context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
