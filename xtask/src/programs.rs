//! The programs beside this one that do what needs more than the standard library.

use crate::cargo;
use crate::watch::{self, Job};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::components::Profile;
use xtask::options::Runtime;

/// A program of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Serves Quarry and asks it.
    Serve,
    /// Asks a Quarry that runs elsewhere.
    Client,
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
            Program::Client => "quarry-client",
            Program::Assemble => "quarry-assemble",
            Program::Files => "quarry-files",
            Program::Ingest => "quarry-ingest",
            Program::Judge => "quarry-judge",
            Program::Tidy => "quarry-tidy",
            Program::Conformance => "quarry-conformance",
            Program::Kill => "quarry-kill",
        }
    }

    /// The program, which has to be built so.
    pub fn command(self, build: Build) -> Result<Command> {
        Ok(Command::new(file(self.name(), build)?))
    }

    /// Whether there is one that was built so.
    pub fn is_built(self, build: Build) -> bool {
        file(self.name(), build).is_ok_and(|file| file.exists())
    }

    /// Builds the program and becomes it, with this task's arguments.
    pub fn run_instead(self) -> Result<ExitCode> {
        build("what does this task", &[self])?;
        self.follow(Build::Development)
    }

    /// Becomes the program, which has to be built so, with this task's arguments.
    pub fn follow(self, build: Build) -> Result<ExitCode> {
        let mut command = self.command(build)?;
        command.args(std::env::args_os().skip(1));
        become_it(command)
    }

    /// Runs the program, which has to be built, to its end.
    pub fn run(self, arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
        let status = self.command(Build::Development)?.args(arguments).status();
        if !status.with_context(|| format!("cannot run {}", self.name()))?.success() {
            bail!("{} failed (see above)", self.name());
        }
        Ok(())
    }
}

/// How programs are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// In little time.
    Development,
    /// As fast as they can be, in minutes more.
    Release,
}

impl Build {
    /// That of what serves components. Whoever wants them as they ship wants a host that does not slow them down; Spin is
    /// as it was installed.
    pub fn of_host(components: Profile, runtime: Runtime) -> Build {
        match (components, runtime) {
            (Profile::Ship, Runtime::Local) => Build::Release,
            (Profile::Ship | Profile::Quick, Runtime::Local | Runtime::Spin) => Build::Development,
        }
    }

    /// Cargo's directory for it.
    pub fn directory(self) -> &'static str {
        match self {
            Build::Development => "debug",
            Build::Release => "release",
        }
    }
}

/// Where a program of this name is that was built so.
pub fn file(name: &str, build: Build) -> Result<PathBuf> {
    let here = std::env::current_exe().context("cannot find this program")?;
    beside(&here, name, build).context("this program is in no directory of cargo's")
}

/// Cargo has a directory for each profile beside those of the others, and this program may be of another.
fn beside(here: &Path, name: &str, build: Build) -> Option<PathBuf> {
    Some(here.parent()?.parent()?.join(build.directory()).join(name))
}

/// Builds programs, all in one go.
pub fn build(what: &str, programs: &[Program]) -> Result<()> {
    watch::run(vec![job(what, programs, Build::Development)])
}

/// What builds programs: by their names, never those of their packages. Cargo unites the features of
/// dependencies over the packages that it is told, and without any it is told all that `cargo test`
/// is. So both share what they compile, wasmtime before all.
pub fn job(what: &str, programs: &[Program], build: Build) -> Job {
    let names: Vec<&str> = programs.iter().map(|program| program.name()).collect();
    named(what, &names, build)
}

/// The same for programs by their names.
pub fn named(what: &str, names: &[&str], build: Build) -> Job {
    let mut command = match build {
        Build::Development => cargo::command(),
        // What is to be fast is compiled by nothing but the compiler.
        Build::Release => cargo::plain(),
    };
    command.arg("build");
    if build == Build::Release {
        command.arg("--release");
    }
    for name in names {
        command.args(["--bin", name]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_from_where_it_was_built_whatever_built_the_task() {
        for task in ["/p/target/debug/xtask", "/p/target/release/xtask"] {
            let beside = |build| beside(Path::new(task), "quarry-serve", build).unwrap();
            assert_eq!(beside(Build::Development), Path::new("/p/target/debug/quarry-serve"));
            assert_eq!(beside(Build::Release), Path::new("/p/target/release/quarry-serve"));
        }
    }

    #[test]
    fn what_ships_is_served_by_a_host_that_is_as_fast() {
        for (components, runtime, build) in [
            (Profile::Ship, Runtime::Local, Build::Release),
            (Profile::Ship, Runtime::Spin, Build::Development),
            (Profile::Quick, Runtime::Local, Build::Development),
        ] {
            assert_eq!(Build::of_host(components, runtime), build, "{components:?} {runtime:?}");
            let command = named("x", &["quarry-serve"], build).command;
            let is_release = command.get_args().any(|arg| arg == "--release");
            assert_eq!(is_release, build == Build::Release);
        }
    }
}
