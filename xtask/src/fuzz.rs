//! `cargo xtask fuzz`: builds the fuzz targets of tests/fuzz with what libFuzzer needs, and runs
//! them. The layout is cargo-fuzz's, but nothing has to be installed for this except a C++ compiler.

use crate::cargo::{self, Linter};
use crate::watch::{self, Job};
use anyhow::{Context, Result, anyhow, bail, ensure};
use lexopt::prelude::*;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use xtask::options;
use xtask::paths;
use xtask::program::help;

const HELP: &str = "\
Usage: cargo xtask fuzz [target] [options]

Feeds the targets of tests/fuzz (all, or the one that is named) with inputs made from their corpus,
until one fails or the runs are over. What is found goes on in target/fuzz/corpus; the committed
corpus stays as it is. An input that fails is kept in target/fuzz/artifacts.

  --runs N        inputs for each target (1000000)
  --seed N        for the same inputs again (chosen at random)
  --input FILE    only this input, once; wants a target
  --short         what `cargo xtask test` does, by itself: the same few inputs every time
";

/// What makes a build tell libFuzzer which way an input took. All of it is stable; the checks of a
/// debug build stand in the profile of tests/fuzz.
const FLAGS: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    --cfg fuzzing";

/// Inputs for each target unless somebody says how many.
const RUNS: u64 = 1_000_000;

/// Bounds of every run: bytes of an input, seconds and MiB that one may take.
const BOUNDS: [&str; 3] = ["-max_len=4096", "-timeout=10", "-rss_limit_mb=1024"];

/// The targets and how many inputs each gets in `cargo xtask test`: some seconds each.
const SHORT: &[(&str, u64)] = &[
    ("address", 150_000),
    ("answer", 5_000),
    ("charset", 300_000),
    ("documents", 30_000),
    ("docx", 30_000),
    ("extract", 20_000),
    ("search", 30_000),
];

/// A slow machine stops here instead; what it has not run it does not claim to have.
const SHORT_SECONDS: &str = "-max_total_time=20";

/// Says in `cargo xtask test` that fuzzing may not be skipped.
pub const REQUIRE: &str = "QUARRY_REQUIRE_FUZZ";

/// What is fed.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    /// The same few inputs every time.
    Short,
    /// Targets, so many inputs for each, and what these are drawn by.
    Targets { names: Vec<&'static str>, runs: u64, seed: Option<u32> },
    /// One input for a target.
    Input { name: &'static str, input: PathBuf },
}

pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(wanted) = parse(args).map_err(|error| options::wrong(&error))? else {
        return help(HELP);
    };
    match wanted {
        Wanted::Short => check()?,
        Wanted::Input { name, input } => return once(&ready()?, name, &input),
        Wanted::Targets { names, runs, seed } => {
            let programs = ready()?;
            for name in names {
                let found = work().join("corpus").join(name);
                fs::create_dir_all(&found)?;
                let mut options = vec![format!("-runs={runs}")];
                options.extend(seed.map(|seed| format!("-seed={seed}")));
                fuzz(&programs, name, &found, &options)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the targets where that can be done.
fn ready() -> Result<PathBuf> {
    if !has_compiler() {
        bail!("libFuzzer is C++: install a C++ compiler (on Debian, `apt-get install g++`)");
    }
    build()
}

fn parse(mut args: lexopt::Parser) -> Result<Option<Wanted>> {
    let (mut target, mut runs, mut seed, mut input) = (None, None, None, None);
    let mut short = false;
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) if target.is_none() => target = Some(name.string()?),
            Long("runs") => runs = Some(args.value()?.parse()?),
            Long("seed") => seed = Some(args.value()?.parse()?),
            Long("short") => short = true,
            Long("input") => input = Some(PathBuf::from(args.value()?)),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(options::unknown(other, HELP)),
        }
    }
    let says_how = runs.is_some() || seed.is_some();
    if short {
        let is_alone = target.is_none() && input.is_none() && !says_how;
        ensure!(is_alone, "--short is the same every time; leave it out, or all else");
        return Ok(Some(Wanted::Short));
    }
    let known = names().into_iter();
    let names: Vec<_> =
        known.filter(|name| target.as_deref().is_none_or(|wanted| wanted == *name)).collect();
    ensure!(!names.is_empty(), "there is no such target; there are {}", self::names().join(", "));
    let Some(input) = input else {
        return Ok(Some(Wanted::Targets { names, runs: runs.unwrap_or(RUNS), seed }));
    };
    ensure!(!says_how, "--input is run once, as it is; leave out --runs and --seed, or --input");
    ensure!(input.is_file(), "there is no file {}", input.display());
    match names.as_slice() {
        [name] => Ok(Some(Wanted::Input { name, input })),
        _ => bail!("say which target --input is for"),
    }
}

/// The step of `cargo xtask test`: the same inputs every time, from the committed corpus alone.
pub fn check() -> Result<()> {
    println!("== fuzz targets");
    if !has_compiler() {
        if std::env::var_os(REQUIRE).is_some_and(|value| value == "1") {
            bail!("{REQUIRE} is set, but there is no C++ compiler, which libFuzzer needs");
        }
        println!(
            "== skipped: the fuzz targets, because there is no C++ compiler\n\
             hint: on Debian, `apt-get install g++`"
        );
        return Ok(());
    }
    let programs = build()?;
    let waiting = Mutex::new(SHORT.iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = || {
        while let Some((name, runs)) = next() {
            let found = short_corpus(name)?;
            let options = [format!("-runs={runs}"), "-seed=1".to_owned(), SHORT_SECONDS.to_owned()];
            fuzz(&programs, name, &found, &options)?;
        }
        Ok(())
    };
    // Each is one thread.
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(lane)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow!("running a fuzz target panicked"))?
        })
    })
}

/// An empty folder for what a short run finds.
fn short_corpus(name: &str) -> Result<PathBuf> {
    let found = work().join("short").join(name);
    if found.exists() {
        fs::remove_dir_all(&found)?;
    }
    fs::create_dir_all(&found)?;
    Ok(found)
}

fn names() -> Vec<&'static str> {
    SHORT.iter().map(|(name, _)| *name).collect()
}

/// Where everything goes that fuzzing makes.
fn work() -> PathBuf {
    paths::root().join("target/fuzz")
}

fn has_compiler() -> bool {
    std::env::var_os("CXX").is_some() || crate::search_path::is_installed("c++")
}

/// Builds all targets, on their own workspace, and gives the directory that they are in. The compiler is clippy's where there is
/// one: so they are linted, and nothing that they stand on has to be looked at once more for that.
fn build() -> Result<PathBuf> {
    let target = work().join("build");
    let linter = Linter::find();
    let is_strict = linter.as_ref().is_none_or(Linter::denies);
    let warnings = if is_strict { "-Dwarnings" } else { "" };
    let mut command = cargo::plain();
    command
        // With a platform named, the flags reach neither build scripts nor macros.
        .args(["build", "--release", "--target", &host()?, "--manifest-path"])
        .arg(paths::root().join("tests/fuzz/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", format!("{warnings} {FLAGS}"))
        .envs(linter.as_ref().map(Linter::compiles));
    watch::run(vec![Job { what: "the fuzz targets".to_owned(), command }])?;
    Ok(target.join(host()?).join("release"))
}

/// What the compiler itself runs on, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc).arg("-vV").output().context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say what it runs on")
}

/// Runs one target. New inputs go to `found`; the committed corpus is only read.
fn fuzz(programs: &Path, name: &str, found: &Path, options: &[String]) -> Result<()> {
    let artifacts = work().join("artifacts").join(name);
    fs::create_dir_all(&artifacts)?;
    let output = Command::new(programs.join(name))
        .args(options)
        .args(BOUNDS)
        .args(["-verbosity=0", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(found)
        .arg(paths::root().join("tests/fuzz/corpus").join(name))
        .output()
        .with_context(|| format!("cannot run the fuzz target {name}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        println!("{name}: {} inputs", count(&report).unwrap_or("no"));
        return Ok(());
    }
    eprintln!("{report}");
    match kept(&report) {
        Some(input) => bail!(
            "the fuzz target {name} failed (see above); the input is kept: {input}\n\
             hint: `cargo xtask fuzz {name} --input {input}` runs it alone"
        ),
        None => bail!("the fuzz target {name} failed (see above) without an input of its own"),
    }
}

/// One input, with the target's own words.
fn once(programs: &Path, name: &str, input: &Path) -> Result<ExitCode> {
    let status = Command::new(programs.join(name))
        .args(BOUNDS)
        .arg(input)
        .status()
        .with_context(|| format!("cannot run the fuzz target {name}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How many inputs libFuzzer says it ran.
fn count(report: &str) -> Option<&str> {
    report
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .map(str::trim)
}

/// Where libFuzzer says it put the input that failed.
fn kept(report: &str) -> Option<&str> {
    report
        .lines()
        .find_map(|line| line.split_once("Test unit written to "))
        .map(|(_, path)| path.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_libfuzzer_are_understood() {
        let report = "Done\nstat::number_of_executed_units: 20000\nstat::peak_rss_mb: 31\n\
                      artifact_prefix='a/'; Test unit written to a/crash-55c9\n";
        assert_eq!((count(report), kept(report)), (Some("20000"), Some("a/crash-55c9")));
        assert_eq!((count("x"), kept("x")), (None, None));
    }

    fn parsed(words: &[&str]) -> Result<Option<Wanted>> {
        parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn what_would_be_ignored_is_refused_before_anything_is_built() {
        assert_eq!(parsed(&["--short"]).unwrap(), Some(Wanted::Short));
        let one = Wanted::Targets { names: vec!["docx"], runs: 7, seed: Some(1) };
        assert_eq!(parsed(&["docx", "--runs", "7", "--seed", "1"]).unwrap(), Some(one));
        let input = Wanted::Input { name: "docx", input: "Cargo.toml".into() };
        assert_eq!(parsed(&["docx", "--input", "Cargo.toml"]).unwrap(), Some(input));
        for (bad, told) in [
            (&["--short", "docx"][..], "or all else"),
            (&["--short", "--runs", "7"], "or all else"),
            (&["--short", "--seed", "7"], "or all else"),
            (&["--short", "--input", "Cargo.toml"], "or all else"),
            (&["docx", "--input", "Cargo.toml", "--runs", "7"], "run once"),
            (&["docx", "--input", "no-such-file"], "there is no file no-such-file"),
            (&["--input", "Cargo.toml"], "which target"),
            (&["pdf"], "there are address, answer"),
            (&["--run", "7"], "the nearest is --runs"),
        ] {
            let refused = parsed(bad).unwrap_err().to_string();
            assert!(refused.contains(told), "{bad:?}: {refused}");
        }
        assert!(parsed(&["--help"]).unwrap().is_none());
    }

    #[test]
    fn every_target_is_run_and_has_a_small_corpus() {
        let folder = paths::root().join("tests/fuzz");
        let mut targets: Vec<String> = fs::read_dir(folder.join("fuzz_targets"))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        targets.sort();
        assert_eq!(targets, names());
        for name in targets {
            let seeds: Vec<_> = fs::read_dir(folder.join("corpus").join(&name))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            assert!((1..=40).contains(&seeds.len()), "{name} has {} seeds", seeds.len());
            for seed in seeds {
                assert!(seed.metadata().unwrap().len() <= 2048, "{:?} is too large", seed.path());
            }
        }
    }
}
