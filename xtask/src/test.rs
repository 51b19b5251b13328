//! `cargo xtask test`: everything that has to hold, in the order in which it fails fastest.

use crate::cargo::{self, KNOWN, Linter};
use crate::clients::{Installing, Wanted};
use crate::programs::{self, Program};
use crate::search_path::is_installed;
use crate::{compile, fuzz, kill};
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::Instant;
use xtask::components::{Place, Profile};
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

With a filter: only the tests and scenarios whose name contains it, and no client but what --clients asks for. A filter
that picks nothing fails.

  --url URL              run the scenarios against a Quarry that is already running; it must be
                         started with the variables that tests/scenarios/README.md lists
  --runtime local|spin   what serves the components (local)
  --quick                build the components fast instead of small
  --clients small|all    which official clients are installed (small); all take 1.6 GB
";

/// How many tests of a program run at once; libtest's own name for it.
const THREADS: &str = "RUST_TEST_THREADS";

struct Options {
    filter: Option<Filter>,
    url: Option<String>,
    runtime: Runtime,
    profile: Profile,
    /// Those that were asked for.
    clients: Option<Wanted>,
}

/// Part of a name.
struct Filter {
    part: String,
    /// Whether a scenario has it in its name.
    picks_scenarios: bool,
}

impl Filter {
    fn of(part: String) -> Result<Filter> {
        let picks_scenarios = picks_scenarios(&paths::root().join("tests/scenarios"), &part)?;
        Ok(Filter { part, picks_scenarios })
    }
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
    match &options.filter {
        Some(filter) if !filter.picks_scenarios => ensure_picks_tests(&filter.part)?,
        Some(_) | None => {
            let mut native = cargo::command();
            native.args(["test", "--test", "native"]);
            filter(&mut native, &options);
            step("scenarios without components", &mut native)?;
        }
    }
    tell("components");
    let told = compile::Told { sizes: true, ..Default::default() };
    compile::build_some(Place::Own, options.profile, &[], told)?;
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
    if let Some(Filter { part, picks_scenarios: false }) = &options.filter {
        bail!("no scenario has `{part}` in its name; tests/scenarios has them");
    }
    let mut command = cargo::command();
    command.args(["test", "--test", "scenarios", "--", "--nocapture"]);
    command.env("QUARRY_URL", url);
    filter(&mut command, options);
    step("scenarios", &mut command)
}

/// Whether a scenario of this folder has that in its name.
fn picks_scenarios(folder: &Path, part: &str) -> Result<bool> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let has_it = entry.file_name().to_string_lossy().contains(part);
        if has_it && entry.path().join("scenario.toml").is_file() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Fails where no test has this in its name. All are compiled for that, as they are to be run.
fn ensure_picks_tests(part: &str) -> Result<()> {
    tell("which tests are meant");
    let mut list = cargo::command();
    list.args(["test", "--", part, "--list"]).stderr(Stdio::inherit());
    let listed = list.output().context("cannot run cargo")?;
    if !listed.status.success() {
        bail!("the tests cannot be listed (see above)");
    }
    if !lists_tests(&String::from_utf8_lossy(&listed.stdout)) {
        bail!("neither a scenario nor a test has `{part}` in its name");
    }
    Ok(())
}

/// Whether libtest's list names a test.
fn lists_tests(list: &str) -> bool {
    list.lines().any(|line| line.ends_with(": test"))
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
    if let Some(Filter { part, picks_scenarios }) = &options.filter {
        tests.args(["--", part]);
        // The one test that runs all scenarios filters them itself.
        tests.args(picks_scenarios.then_some("every_scenario_goes_as_written"));
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

/// Whether a variable of the environment may name a provider, its key or its model.
fn sets_up(name: &str) -> bool {
    name.starts_with("SPIN_VARIABLE_")
        || ["_API_KEY", "_URL", "_MODEL"].into_iter().any(|end| name.ends_with(end))
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
        for (name, _) in std::env::vars_os().filter(|(name, _)| sets_up(&name.to_string_lossy())) {
            command.env_remove(&name);
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
    // The last option that says how servers are started.
    let mut starting = None;
    while let Some(arg) = args.next()? {
        match arg {
            Value(part) if options.filter.is_none() => {
                options.filter = Some(Filter::of(part.string()?)?);
            }
            Long("url") => options.url = Some(args.value()?.string()?),
            Long("runtime") => {
                options.runtime = args.value()?.parse()?;
                starting = Some("--runtime");
            }
            Long("quick") => {
                options.profile = Profile::Quick;
                starting = Some("--quick");
            }
            Long("clients") => {
                options.clients = Some(args.value()?.string()?.parse()?);
                starting = Some("--clients");
            }
            Short('h') | Long("help") => return Ok(None),
            other => return Err(xtask::options::unknown(other, HELP)),
        }
    }
    if let (Some(said), Some(_)) = (starting, &options.url) {
        bail!(xtask::options::misused(format!(
            "{said} is for tests that start their servers themselves; leave {said} or --url out"
        )));
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
    if let Some(Filter { part, picks_scenarios: true }) = &options.filter {
        command.env("SCENARIO", part);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Option<Options>> {
        parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn a_filter_picks_scenarios_by_their_folders_and_tests_by_their_list() {
        let picks = |part: &str| Filter::of(part.to_owned()).unwrap().picks_scenarios;
        assert!(picks("014") && picks("messages-wire") && !picks("mesages"));
        assert!(!picks("src"), "a folder without a scenario is none");
        assert!(lists_tests("tests::a_part: test\n\n1 test, 0 benchmarks\n"));
        assert!(!lists_tests("0 tests, 0 benchmarks\n\n0 tests, 0 benchmarks\n"));
    }

    #[test]
    fn a_filter_that_picks_no_scenario_of_a_server_that_runs_is_refused() {
        let options = parsed(&["mesages", "--url", "http://a"]).unwrap().unwrap();
        let refused = scenarios_at("http://a", &options).unwrap_err().to_string();
        assert!(refused.starts_with("no scenario has `mesages`"), "{refused}");
    }

    #[test]
    fn what_a_server_that_runs_would_ignore_is_refused() {
        for words in [&["--runtime", "spin"][..], &["--quick"], &["--clients", "all"]] {
            let refused = parsed(&[words, &["--url", "http://a"]].concat()).err().unwrap();
            assert!(xtask::options::is_wrong(&refused), "{words:?}");
            assert!(refused.to_string().contains(&format!("leave {} or", words[0])));
        }
    }

    #[test]
    fn the_first_try_is_a_newcomers() {
        for name in
            ["OPENAI_API_KEY", "OLLAMA_MODEL", "CUSTOM_MODEL", "DEFAULT_MODEL", "SEARXNG_URL"]
        {
            assert!(sets_up(name), "{name}");
        }
        assert!(sets_up("SPIN_VARIABLE_SEARCH_PROVIDERS") && !sets_up("PATH") && !sets_up("HOME"));
    }
}
