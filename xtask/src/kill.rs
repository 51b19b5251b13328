//! `cargo xtask kill`: builds the components and what kills the processes that serve them, then runs it. The work is
//! `quarry-kill`'s, which takes the arguments.

use crate::compile;
use crate::programs::{self, Build, Program};
use anyhow::{Context, Result};
use std::process::ExitCode;
use xtask::components::Place;
use xtask::options::kill::{HELP, Options};
use xtask::program::help;

/// What it needs: itself, and what replays the runs that it has followed.
const PROGRAMS: [Program; 2] = [Program::Kill, Program::Judge];

/// Runs the task.
pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = Options::parse(args)? else { return help(HELP) };
    programs::build("what kills", &PROGRAMS)?;
    compile::build(Place::Own, options.profile)?;
    // As they are: what kills reads the same.
    let arguments = std::env::args_os().skip(1);
    let status = Program::Kill.command(Build::Development)?.args(arguments).status();
    let status = status.context("cannot run what was built")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The step of `cargo xtask test`, on components that are built.
pub fn check() -> Result<()> {
    println!("== kill test");
    programs::build("what kills", &PROGRAMS)?;
    Program::Kill.run(["kill".into(), "--short".into()])
}
