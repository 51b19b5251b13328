//! `cargo xtask test`: everything that has to hold, in the order in which it fails fastest.

use crate::cargo::{self, KNOWN, Linter};
use crate::clients::{Installing, Wanted};
use crate::programs::{self, Program};
use crate::search_path::is_installed;
use crate::{compile, fuzz, kill};
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use std::ffi::OsStr;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::Instant;
use xtask::components::Profile;
use xtask::options::Runtime;
use xtask::paths;

pub const HELP: &str = "\
Usage: cargo xtask test [filter] [options]

Everything that has to hold, in the order in which it fails fastest: format, our own checks, scenarios
without components, the components as they ship, all tests, scenarios on the components, runs and logs on
a scripted libSQL server, a short kill test of runs, a short run of the fuzz targets, and the first try: an
ask and a run with components that are built fast. The kill test and the first try are for the local host
alone. Whatever of ours is compiled is linted, except the components as they ship.

Among the tests are official clients of the doors' protocols, and libsql-server with runs and logs. Those
that are not large are installed below target/clients meanwhile (450 MB); `cargo xtask doors` runs all. What
this machine lacks (a C++ compiler, a browser, registries that answer) is skipped, and said.

With a filter: only the tests and scenarios whose name contains it, and no client but what --clients asks for.

  --url URL              run the scenarios against a Quarry that is already running; it must be
                         started with the variables that tests/scenarios/README.md lists
  --runtime local|spin   what serves the components (local)
  --quick                build the components fast instead of small
  --clients small|all    which official clients are installed (small); all take 1.6 GB
";

/// How many tests of a program run at once; libtest's own name for it.
const THREADS: &str = "RUST_TEST_THREADS";

struct Options {
    filter: Option<String>,
    url: Option<String>,
    runtime: Runtime,
    profile: Profile,
    /// Those that were asked for.
    clients: Option<Wanted>,
}

pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = parse(args)? else {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(url) = &options.url {
        return scenarios_at(url, &options).map(|()| ExitCode::SUCCESS);
    }
    let wanted = options.clients.or(options.filter.is_none().then_some(Wanted::Small));
    let clients = wanted.map(Installing::begin);
    if options.filter.is_none() {
        check_source()?;
    }
    let mut native = cargo::command();
    native.args(["test", "--test", "native"]);
    filter(&mut native, &options);
    step("scenarios without components", &mut native)?;
    tell("components");
    compile::build_some(options.profile, &[], compile::Told { sizes: true, ..Default::default() })?;
    all_tests(&options, clients)?;
    if options.filter.is_none() {
        on_libsql(&options)?;
        if options.runtime == Runtime::Local {
            kill::check()?;
        }
        fuzz::check()?;
        if options.runtime == Runtime::Local {
            first_try()?;
        }
    }
    tell_of_no_browser();
    tell("all is well");
    Ok(ExitCode::SUCCESS)
}

/// The scenarios on a server that is running.
fn scenarios_at(url: &str, options: &Options) -> Result<()> {
    if options.clients.is_some() {
        bail!(xtask::options::misused(
            "--clients is for tests that start their servers themselves; leave it or --url out"
        ));
    }
    let mut command = cargo::command();
    command.args(["test", "--test", "scenarios", "--", "--nocapture"]);
    command.env("QUARRY_URL", url);
    filter(&mut command, options);
    step("scenarios", &mut command)
}

/// All tests, those of the official clients that are being installed included.
fn all_tests(options: &Options, clients: Option<Installing>) -> Result<()> {
    let mut tests = cargo::command();
    // A whole run takes long: it tells all that fails, not the first.
    tests.args(["test", "--no-fail-fast"]);
    // Those on components wait for each other's leases and clocks a quarter of their time.
    if std::env::var_os(THREADS).is_none() {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        tests.env(THREADS, (cores + cores.div_ceil(2)).to_string());
    }
    if let Some(name) = &options.filter {
        // The one test that runs all scenarios filters them itself.
        tests.args(["--", name, "every_scenario_goes_as_written"]);
    }
    filter(&mut tests, options);
    if let Some(clients) = clients {
        tell("official clients");
        tests.env("QUARRY_CLIENTS", clients.end()?);
    }
    step("tests", &mut tests)
}

/// The tests that a database on a server may change. Those of libSQL choose their servers themselves, and have run.
fn on_libsql(options: &Options) -> Result<()> {
    let mut served = cargo::command();
    served.args(["test", "--test", "house", "--", "runs::", "rejoin::", "--skip", "libsql"]);
    // They wait for one another's leases more than for a processor.
    served.args(["--test-threads", "4"]);
    served.env("QUARRY_DATABASE", "scripted");
    filter(&mut served, options);
    step("runs and logs on a scripted libSQL server", &mut served)
}

fn tell_of_no_browser() {
    // As the tests take them.
    let browsers = [
        "chromium-headless-shell",
        "chrome-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    if !browsers.into_iter().any(is_installed) || !is_installed("chromedriver") {
        println!(
            "== skipped: the browser tests, because chromium and chromedriver are not installed\n\
             hint: on Debian, `apt-get install chromium chromium-driver`"
        );
    }
}

/// What a newcomer does first, with components that are built fast: they take several times the stack of those that ship.
/// They are linted here, since those that ship are compiled by nothing but the compiler; to lint them apart, all that they
/// stand on would be looked at once more.
fn first_try() -> Result<()> {
    let state = paths::root().join("target/first-try");
    let _ = std::fs::remove_dir_all(&state);
    let question = OsStr::new("How tall is the Orrin lighthouse?");
    let state =
        [OsStr::new("--effort"), OsStr::new("quick"), OsStr::new("--state"), state.as_os_str()];
    for (task, options) in [("ask", &[][..]), ("run", &state)] {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(task).arg(question).args(options).envs(cargo::linting());
        // Whoever has keys set is asked for none of their money.
        for (name, _) in std::env::vars_os() {
            let known = name.to_string_lossy();
            if known.starts_with("SPIN_VARIABLE_")
                || known.ends_with("_API_KEY")
                || known.ends_with("_URL")
            {
                command.env_remove(&name);
            }
        }
        step(&format!("the first try: cargo xtask {task}"), &mut command)?;
    }
    Ok(())
}

fn parse(mut args: lexopt::Parser) -> Result<Option<Options>> {
    let mut options = Options {
        filter: None,
        url: None,
        runtime: Runtime::Local,
        profile: Profile::Ship,
        clients: None,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Value(filter) if options.filter.is_none() => options.filter = Some(filter.string()?),
            Long("url") => options.url = Some(args.value()?.string()?),
            Long("runtime") => options.runtime = args.value()?.parse()?,
            Long("quick") => options.profile = Profile::Quick,
            Long("clients") => options.clients = Some(args.value()?.string()?.parse()?),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(xtask::options::unknown(other, HELP)),
        }
    }
    Ok(Some(options))
}

/// What needs no component.
fn check_source() -> Result<()> {
    step("format", cargo::command().args(["fmt", "--all", "--check"]))?;
    let apart = ["fmt", "--manifest-path", "tests/fuzz/Cargo.toml", "--check"];
    step("format of the fuzz targets", cargo::command().args(apart))?;
    let linter = Linter::find().context(
        "clippy is not installed\nhint: `rustup component add clippy`, or install it with whatever installed Rust",
    )?;
    if !linter.denies() {
        println!(
            "this compiler is newer than Rust {KNOWN}, whose warnings are errors here; new ones are shown"
        );
    }
    cargo::lint_by(linter);
    tell("tidy");
    programs::build("what checks the sources", &[Program::Tidy])?;
    Program::Tidy.run(["tidy".into()]).context("the house is untidy")
}

/// Tells the tests which scenarios and which runtime.
fn filter(command: &mut Command, options: &Options) {
    if let Some(filter) = &options.filter {
        command.env("SCENARIO", filter);
    }
    if options.runtime == Runtime::Spin {
        command.env("QUARRY_RUNTIME", "spin");
    }
}

fn step(name: &str, command: &mut Command) -> Result<()> {
    tell(name);
    let status = command.status().with_context(|| format!("cannot start: {name}"))?;
    if !status.success() {
        bail!("{name} failed (see above)");
    }
    Ok(())
}

/// Says what begins, and how much time has passed, so that whoever reads the end knows where it went.
fn tell(name: &str) {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let seconds = BEGUN.get_or_init(Instant::now).elapsed().as_secs();
    println!("== {name} ({} min {:02} s)", seconds / 60, seconds % 60);
}
