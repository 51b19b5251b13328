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

Measures Quarry as shipped, on the local host, with a scripted provider that keeps connections,
acknowledges late and streams piece by piece; prints a table. In turns with an ask are measured:
(a) a hello world; (b) the floor: a component that makes the ask's outside calls with the same
bodies and nothing else; (c) a peer, if there is one; and the same ask as `cargo xtask up` serves
it: its host and its components are built in less time and are slower. The host behaves like Spin: no TCP_NODELAY,
the body of two provider calls of three apart from its head, a span for each host call, Spin's own
memory settings. Ask and floor are also measured without the waits for acknowledgements that come
of it. Doors are measured in pairs with `/ask`, and `/ask` with itself. Clients acknowledge at
once; what one that does not waits for is told too.

Wake-ups are voluntary context switches of all the process's threads. Host calls are those of
functions that components import, by component and package; by name while it measures. Dropped
resources and the component model's own built-ins are not among them.

  --quick          few repetitions: to see that it works, not to quote
  --only P         one part: ask, doors, citations, sandbox, streams, readers, runs or knowledge
  --unlike-spin    everything on a host that behaves like none
  --peer URL       another server that answers the same request: the JSON of an ask, posted to
                   this address, answered by server-sent events; it has to ask our provider
  --peer-pid PID   its process, whose processor time and memory are read
  --provider ADDR  where the provider of ordinary asks listens, such as 127.0.0.1:9000, so that a
                   peer can be told: it speaks Chat Completions under /v1; any free port otherwise
  --readme         also put the table into README.md, with machine and date; of --only doors, citations,
                   runs and knowledge their rows alone
";

const BEGIN: &str = "<!-- bench -->\n";
const END: &str = "<!-- /bench -->";

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let (mut passed, mut only, mut readme) = (Vec::new(), None, false);
    while let Some(arg) = args.next()? {
        match arg {
            Long("quick") => passed.push(OsString::from("--quick")),
            Long("unlike-spin") => passed.push(OsString::from("--unlike-spin")),
            Long(name @ ("only" | "peer" | "peer-pid" | "provider")) => {
                let is_part = name == "only";
                let name = OsString::from(format!("--{name}"));
                let value = args.value()?;
                if is_part {
                    only = Some(value.clone());
                }
                passed.extend([name, value]);
            }
            Long("readme") => readme = true,
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(xtask::options::unknown(other, HELP)),
        }
    }
    let part = only.as_deref().and_then(|only| APART.into_iter().find(|part| only == *part));
    if readme && only.is_some() && part.is_none() {
        let apart = APART.join(" or ");
        bail!(xtask::options::misused(format!(
            "--readme wants the whole table, or --only {apart}; leave --only out"
        )));
    }
    if only.as_deref().is_none_or(|only| only == "ask") {
        passed.extend(as_up_serves()?);
    }
    compile::build(Profile::Ship)?;
    let table = measure(&passed)?;
    print!("{table}");
    if readme {
        write_readme(&table, part)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds what `cargo xtask up` serves and lays it aside; what the measuring program has to be told of it.
fn as_up_serves() -> Result<[OsString; 4]> {
    let folder = paths::root().join("target/bench");
    let components = folder.join("target/quarry");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&components).context("cannot create target/bench")?;
    compile::build(Profile::Quick)?;
    // As the tasks do, so that cargo compiles what they share once (`programs::job`).
    cargo(&["build", "--bin", "quarry-host"])?;
    let manifest = folder.join("spin.toml");
    std::fs::copy(paths::root().join("spin.toml"), &manifest).context("cannot copy spin.toml")?;
    for entry in std::fs::read_dir(paths::finished())? {
        let file = entry?.path();
        let name = file.file_name().filter(|_| file.extension().is_some_and(|end| end == "wasm"));
        if let Some(name) = name {
            std::fs::copy(&file, components.join(name)).context("cannot copy a component")?;
        }
    }
    let host = paths::root().join("target/debug/quarry-host");
    Ok(["--up-host".into(), host.into(), "--up-manifest".into(), manifest.into()])
}

fn measure(passed: &[OsString]) -> Result<String> {
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
    bench.arg("--hello").arg(hello).args(passed);
    let output = bench.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the measurement failed (see above)");
    }
    String::from_utf8(output.stdout).context("the table is not text")
}

/// Cargo in the workspace's root, to its end.
pub fn cargo(arguments: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let status = Command::new(cargo).current_dir(paths::root()).args(arguments).status()?;
    if !status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}

/// Parts whose rows can be measured by themselves; each row begins with its part.
const APART: [&str; 4] = ["doors", "citations", "runs", "knowledge"];

/// Replaces what stands between the marks in README.md, or only the rows of a part.
fn write_readme(table: &str, only: Option<&str>) -> Result<()> {
    let file = paths::root().join("README.md");
    let text = std::fs::read_to_string(&file)?;
    let (before, rest) = text.split_once(BEGIN).context("README.md has no bench mark")?;
    let (known, after) = rest.split_once(END).context("README.md has no end of the bench mark")?;
    let written = match only {
        Some(part) => with_part(part, known, table),
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
