//! `cargo xtask test262`: the language's public conformance suite, through the built sandbox and
//! through the plain engine. The work is `quarry-conformance`'s, which takes the arguments.

use crate::programs::{self, Build, Program};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::ExitCode;
use xtask::components::{METERED, Place};
use xtask::options::helps;
use xtask::program::help;

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let arguments: Vec<OsString> = args.raw_args()?.collect();
    if helps::are_asked_for(arguments.iter().cloned()) {
        return help(helps::TEST262);
    }
    let is_own = !names_manifest(&arguments);
    if is_own && !Place::Own.file(METERED).exists() {
        bail!("the sandbox is not built\nhint: `cargo xtask build sandbox`");
    }
    programs::build("the suite's runner", &[Program::Conformance])?;
    // From where the caller is: the suite's directory may be relative.
    let mut command = Program::Conformance.command(Build::Development)?;
    command.args(arguments);
    if is_own {
        command.arg("--manifest").arg(Place::Own.manifest()?);
    }
    let status = command.status().context("cannot run what was built")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether somebody says which sandbox is meant.
fn names_manifest(arguments: &[OsString]) -> bool {
    let is_it = |argument: &OsString| {
        argument.to_str().is_some_and(|it| it == "--manifest" || it.starts_with("--manifest="))
    };
    arguments.iter().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_is_named_is_the_one_that_is_used() {
        let names =
            |words: &[&str]| names_manifest(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(names(&["suite", "--manifest", "a.toml"]) && names(&["--manifest=a.toml"]));
        assert!(!names(&["suite", "--filter", "manifest"]));
    }
}
