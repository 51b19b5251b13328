//! `cargo xtask kill`: builds the components and what kills the processes that serve them, then runs it. The work is
//! `quarry-kill`'s, which takes the arguments.

use crate::compile;
use crate::programs::{self, Build, Program};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::process::ExitCode;
use xtask::components::Profile;
use xtask::options::helps;
use xtask::program::help;

/// What it needs: itself, and what replays the runs that it has followed.
const PROGRAMS: [Program; 2] = [Program::Kill, Program::Judge];

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut arguments: Vec<OsString> = args.raw_args()?.collect();
    let before = arguments.len();
    arguments.retain(|it| it != "--quick");
    let profile = if arguments.len() < before { Profile::Quick } else { Profile::Ship };
    if helps::are_asked_for(arguments.iter().cloned()) {
        return help(helps::KILL);
    }
    programs::build("what kills", &PROGRAMS)?;
    compile::build(profile)?;
    let mut command = Program::Kill.command(Build::Development)?;
    let status = command.arg("kill").args(arguments).status();
    let status = status.context("cannot run what was built")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The step of `cargo xtask test`, on components that are built.
pub fn check() -> Result<()> {
    println!("== kill test");
    programs::build("what kills", &PROGRAMS)?;
    Program::Kill.run(["kill".into(), "--short".into()])
}
