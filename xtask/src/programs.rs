//! The programs beside this one that do what needs more than the standard library.

use crate::cargo;
use crate::watch::{self, Job};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// A program of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Serves Quarry and asks it.
    Serve,
    /// Makes finished components of compiled ones.
    Assemble,
    /// Runs files through one component.
    Files,
    /// Loads documents into a Quarry that runs.
    Ingest,
    /// Puts claims and questions through what decides about evidence.
    Judge,
    /// Checks the sources, writes the OpenAPI document.
    Tidy,
    /// Runs the language's conformance suite.
    Conformance,
    /// Kills what serves runs.
    Kill,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Program::Serve => "quarry-serve",
            Program::Assemble => "quarry-assemble",
            Program::Files => "quarry-files",
            Program::Ingest => "quarry-ingest",
            Program::Judge => "quarry-judge",
            Program::Tidy => "quarry-tidy",
            Program::Conformance => "quarry-conformance",
            Program::Kill => "quarry-kill",
        }
    }

    /// The program, which has to be built.
    pub fn command(self) -> Result<Command> {
        // Cargo puts all programs of a profile into one directory.
        let here = std::env::current_exe().context("cannot find this program")?;
        Ok(Command::new(here.with_file_name(self.name())))
    }

    /// Builds the program and becomes it, with this task's arguments.
    pub fn run_instead(self) -> Result<ExitCode> {
        build("what does this task", &[self])?;
        let mut command = self.command()?;
        command.args(std::env::args_os().skip(1));
        become_it(command)
    }

    /// Runs the program, which has to be built, to its end.
    pub fn run(self, arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
        let status = self.command()?.args(arguments).status();
        if !status.with_context(|| format!("cannot run {}", self.name()))?.success() {
            bail!("{} failed (see above)", self.name());
        }
        Ok(())
    }
}

/// Builds programs, all in one go.
pub fn build(what: &str, programs: &[Program]) -> Result<()> {
    watch::run(vec![job(what, programs)])
}

/// What builds programs: by their names, never those of their packages. Cargo unites the features of
/// dependencies over the packages that it is told, and without any it is told all that `cargo test`
/// is. So both share what they compile, wasmtime before all.
pub fn job(what: &str, programs: &[Program]) -> Job {
    let mut command = cargo::command();
    command.arg("build");
    for program in programs {
        command.args(["--bin", program.name()]);
    }
    Job { what: what.to_owned(), command }
}

/// This process goes on as the other program, so that signals and the exit code are its own.
#[cfg(unix)]
fn become_it(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec()).context("cannot run what was built")
}

/// Where a process cannot become another it waits for it.
#[cfg(not(unix))]
fn become_it(mut command: Command) -> Result<ExitCode> {
    let status = command.status().context("cannot run what was built")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
