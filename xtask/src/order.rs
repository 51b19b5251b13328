//! `cargo xtask order`: has components note which functions an ask runs, and writes the list by which the build puts
//! those beside each other.

use crate::compile::{self, Told};
use crate::programs::{self, Build, Program};
use crate::watch::{self, Job};
use anyhow::{Context, Result, ensure};
use lexopt::prelude::*;
use std::fs;
use std::process::{Command, ExitCode};
use xtask::components::{self, Names, Profile};
use xtask::paths;
use xtask::program::help;

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
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    match args.next()? {
        None => {}
        Some(Short('h') | Long("help")) => return help(HELP),
        Some(other) => return Err(xtask::options::unknown(other, HELP)),
    }
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
    compile::build_some(Profile::Ship, &[], Told { sizes: false, names: Names::Kept })?;
    let mut command = Program::Assemble.command(Build::Development)?;
    command.args([Profile::Ship.name(), "--names", "--trace"]).arg(&traced);
    watch::run(vec![Job { what: "components that note their calls".to_owned(), command }])?;
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
