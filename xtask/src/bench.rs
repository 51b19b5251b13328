//! `cargo xtask bench`: builds what ships and what measures it, then measures.

use crate::compile;
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use xtask::components::{self, Profile};
use xtask::paths;

const HELP: &str = "\
Usage: cargo xtask bench [options]

Measures Quarry as shipped on the local host with a scripted provider, beside a hello-world
component in the same run, and prints a table.

  --quick    few repetitions: to see that it works, not to quote
  --only P   one part: ask, sandbox, streams or readers
  --readme   also put the table into README.md, with machine and date
";

const BEGIN: &str = "<!-- bench -->\n";
const END: &str = "<!-- /bench -->";

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let (mut quick, mut only, mut readme) = (false, None, false);
    while let Some(arg) = args.next()? {
        match arg {
            Long("quick") => quick = true,
            Long("only") => only = Some(args.value()?),
            Long("readme") => readme = true,
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if readme && only.is_some() {
        bail!("--readme wants the whole table; leave --only out");
    }
    compile::build(Profile::Ship)?;
    let table = measure(quick, only)?;
    print!("{table}");
    if readme {
        write_readme(&table)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(quick: bool, only: Option<OsString>) -> Result<String> {
    cargo(&[
        "build",
        "--profile",
        "ship",
        "--target",
        components::TARGET,
        "--target-dir",
        &paths::component_target().display().to_string(),
        "-p",
        "quarry-host-guest",
    ])?;
    cargo(&["build", "--release", "-p", "quarry-host", "-p", "quarry-bench"])?;
    let release = paths::root().join("target/release");
    let hello =
        paths::component_target().join(components::TARGET).join("ship/quarry_host_guest.wasm");
    let mut bench = Command::new(release.join("quarry-bench"));
    bench.arg("--host").arg(release.join("quarry-host"));
    bench.arg("--manifest").arg(paths::root().join("spin.toml"));
    bench.arg("--hello").arg(hello);
    if quick {
        bench.arg("--quick");
    }
    if let Some(part) = only {
        bench.arg("--only").arg(part);
    }
    let output = bench.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the measurement failed (see above)");
    }
    String::from_utf8(output.stdout).context("the table is not text")
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let status = Command::new(cargo).current_dir(paths::root()).args(arguments).status()?;
    if !status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}

/// Replaces what stands between the marks in README.md.
fn write_readme(table: &str) -> Result<()> {
    let file = paths::root().join("README.md");
    let text = std::fs::read_to_string(&file)?;
    let (before, rest) = text.split_once(BEGIN).context("README.md has no bench mark")?;
    let (_, after) = rest.split_once(END).context("README.md has no end of the bench mark")?;
    let text = format!("{before}{BEGIN}{}\n\n{table}{END}{after}", machine());
    std::fs::write(file, text).context("README.md cannot be written")
}

/// One sentence on where and when.
fn machine() -> String {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let date = Command::new("date").arg("+%Y-%m-%d").output();
    let date = date.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!(
        "Measured on {} with {cores} cores ({model}), provider and clients on the same machine, by `cargo xtask bench`.",
        date.unwrap_or_default()
    )
}
