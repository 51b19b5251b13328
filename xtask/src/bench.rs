//! `cargo xtask bench`: builds what ships and what measures it, then measures.

use crate::programs::{self, Build};
use crate::watch::{self, Job};
use crate::{cargo, compile};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use xtask::components::{self, Place, Profile};
use xtask::options::bench::{HELP, Options, Part};
use xtask::paths;
use xtask::program::help;

const BEGIN: &str = "<!-- bench -->\n";
const END: &str = "<!-- /bench -->";

/// Runs the task.
pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = Options::parse(args)? else { return help(HELP) };
    options.check_system(Path::new("/proc/self/stat").exists())?;
    // As they are: the measuring program reads the same.
    let mut passed: Vec<OsString> = std::env::args_os().skip(2).collect();
    if options.measures(Part::Ask) {
        passed.extend(as_up_serves()?);
    }
    compile::build(Place::Own, Profile::Ship)?;
    let table = measure(&passed)?;
    print!("{table}");
    if options.readme {
        write_readme(&table, options.only)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds what `cargo xtask up` serves; what the measuring program has to be told of it.
fn as_up_serves() -> Result<[OsString; 4]> {
    compile::build(Place::Apart, Profile::Quick)?;
    watch::run(vec![programs::named("the local host", &["quarry-host"], Build::Development)])?;
    let host = programs::file("quarry-host", Build::Development)?;
    let manifest = Place::Apart.manifest()?;
    Ok(["--up-host".into(), host.into(), "--up-manifest".into(), manifest.into()])
}

fn measure(passed: &[OsString]) -> Result<String> {
    let mut guest = cargo::plain();
    guest.args(["build", "--profile", "ship", "--target", components::TARGET, "--target-dir"]);
    guest.arg(paths::component_target()).args(["-p", "quarry-host-guest"]);
    watch::run(vec![
        Job { what: "the floor".to_owned(), command: guest },
        programs::named("what measures", &["quarry-host", "quarry-bench"], Build::Release),
    ])?;
    let hello =
        paths::component_target().join(components::TARGET).join("ship/quarry_host_guest.wasm");
    let mut bench = Command::new(programs::file("quarry-bench", Build::Release)?);
    bench.arg("--host").arg(programs::file("quarry-host", Build::Release)?);
    bench.arg("--manifest").arg(paths::root().join("spin.toml"));
    bench.arg("--hello").arg(hello).args(passed);
    let output = bench.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the measurement failed (see above)");
    }
    String::from_utf8(output.stdout).context("the table is not text")
}

/// Replaces what stands between the marks in README.md, or only the rows of a part.
fn write_readme(table: &str, only: Option<Part>) -> Result<()> {
    let file = paths::root().join("README.md");
    let text = std::fs::read_to_string(&file)?;
    let (before, rest) = text.split_once(BEGIN).context("README.md has no bench mark")?;
    let (known, after) = rest.split_once(END).context("README.md has no end of the bench mark")?;
    let written = match only {
        Some(part) => with_part(part.name(), known, table),
        None => format!("{}\n\n{table}", machine()),
    };
    let text = format!("{before}{BEGIN}{written}{END}{after}");
    std::fs::write(file, text).context("README.md cannot be written")
}

/// A table with the rows of a part from another in front of the sizes, and a sentence that says when they were measured.
fn with_part(part: &str, known: &str, table: &str) -> String {
    let (of_part, measured) = (format!("| {part}: "), format!("Rows that begin with *{part}*: "));
    let is_new = |line: &&str| !line.starts_with(&of_part) && !line.starts_with(&measured);
    let mut lines: Vec<String> = known.lines().filter(is_new).map(str::to_owned).collect();
    let rows = table.lines().filter(|line| line.starts_with(&of_part)).map(str::to_owned);
    let sizes = lines.iter().position(|line| line.starts_with("| size of"));
    let at = sizes.unwrap_or(lines.len());
    lines.splice(at..at, rows);
    lines.insert(1.min(lines.len()), format!("{measured}{}", machine()));
    lines.join("\n") + "\n"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_part_take_the_place_of_the_old_ones() {
        let known = "Measured then.\n\n| what | measured |\n|---|---|\n| runs: a | 1 |\n| knowledge: b | 2 |\n| size of c | 3 |\n";
        let told = with_part("knowledge", known, "| knowledge: b | 7 |\n| runs: a | 9 |\n");
        assert!(
            told.contains("| runs: a | 1 |\n| knowledge: b | 7 |\n| size of c | 3 |\n"),
            "{told}"
        );
        assert!(told.contains("Rows that begin with *knowledge*: Measured on"), "{told}");
        assert_eq!(with_part("knowledge", &told, "| knowledge: b | 7 |\n"), told);
    }
}
