//! `cargo xtask test262`: the language's public conformance suite, through the built sandbox and
//! through the plain engine. The work is `quarry-conformance`'s, which takes the arguments.

use crate::programs::{self, Build, Program};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::ExitCode;
use xtask::components;
use xtask::options::helps;
use xtask::paths;
use xtask::program::help;

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let arguments: Vec<OsString> = args.raw_args()?.collect();
    if helps::are_asked_for(arguments.iter().cloned()) {
        return help(helps::TEST262);
    }
    let sandbox = components::file(components::METERED);
    if !sandbox.exists() {
        bail!("the sandbox is not built\nhint: `cargo xtask build sandbox`");
    }
    programs::build("the suite's runner", &[Program::Conformance])?;
    // From where the caller is: the suite's directory may be relative.
    let mut command = Program::Conformance.command(Build::Development)?;
    command.args(arguments).arg("--manifest").arg(paths::root().join("spin.toml"));
    let status = command.status().context("cannot run what was built")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
