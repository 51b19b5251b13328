//! `cargo xtask order`: has components note which functions an ask runs, and writes the list by which the build puts
//! those beside each other.

use crate::compile;
use crate::programs::{self, Build};
use crate::watch::{self, Job};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::process::{Command, ExitCode};
use xtask::components;
use xtask::paths;
use xtask::program::without_arguments;

const HELP: &str = "\
Usage: cargo xtask order

Writes components/order.txt anew: the names of the functions that an ask runs, in the order of their
first calls. The build of what ships puts these first in their components, so that an ask waits less
for code to be brought. A list that has become old costs speed and nothing else.

Builds what ships, adds to each function that it notes its first call, and asks on the local host: by
/ask until it is warm and once more, likewise through each other door, then with a program in the
sandbox. Linux only: the notes are read from the memory of the host. In target/quarry it leaves
components with their names; `cargo xtask build` takes those out, and puts in order by the new list.
";

/// How the list begins.
const HEAD: &str = "\
# Functions that an ask runs, in the order of their first calls: the build of what ships puts them first in their
# components. Made by `cargo xtask order`.
";

/// Runs the task.
pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    without_arguments(args, HELP, write)
}

/// Writes the list.
fn write() -> Result<ExitCode> {
    let (names, told) = (noted()?, paths::order());
    let list = format!("{HEAD}{names}");
    components::replace(&told, list.as_bytes())?;
    println!("{} names in {}", names.lines().count(), told.display());
    Ok(ExitCode::SUCCESS)
}

/// The names, a line each.
fn noted() -> Result<String> {
    let folder = paths::root().join("target/order");
    let traced = folder.join("target/quarry");
    let manifest = folder.join("spin.toml");
    compile::build_traced(&traced)?;
    fs::copy(paths::root().join("spin.toml"), &manifest).context("cannot copy spin.toml")?;
    let (host, asking) = ("quarry-host", "quarry-bench");
    watch::run(vec![programs::named("what asks", &[host, asking], Build::Development)])?;
    let mut command = Command::new(programs::file(asking, Build::Development)?);
    command.arg("order").arg(programs::file(host, Build::Development)?).arg(manifest);
    let noted = folder.join("noted.txt");
    command.arg(traced.join("functions.txt")).arg(&noted);
    watch::run(vec![Job { what: "asks through each door".to_owned(), command }])?;
    let names = fs::read_to_string(noted).context("nothing was noted")?;
    ensure!(!names.is_empty(), "no function has noted that it was called");
    Ok(names)
}
