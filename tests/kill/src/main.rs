//! The kill test of runs: the program behind `cargo xtask kill`.
//!
//! Each case is a world of its own: a scripted provider, the small web, a database, and processes that serve Quarry's
//! built components on the local host. A process dies by SIGKILL, at exactly the point that it was told.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]
#![allow(clippy::indexing_slicing, reason = "a part that a JSON value lacks is null")]

#[cfg(unix)]
mod kills;
#[cfg(unix)]
mod model;
#[cfg(unix)]
mod points;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod scenes;
#[cfg(unix)]
mod script;
#[cfg(unix)]
mod seeds;
#[cfg(unix)]
mod seen;
#[cfg(unix)]
mod task;
#[cfg(unix)]
mod told;
#[cfg(unix)]
mod victim;
#[cfg(unix)]
mod world;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    xtask::program::main(task::run)
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("error: processes are killed by signals, which this system has not");
    ExitCode::FAILURE
}
