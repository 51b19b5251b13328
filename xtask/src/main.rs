//! The project's tasks: `cargo xtask <task>`. Each task is one module or one program; this picks it,
//! has built what it needs, and says meanwhile what is going on.
//!
//! Border: compiled in seconds, because everything waits for it. What needs a library beyond the
//! arguments' is a program of its own beside this one.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod bench;
mod cargo;
mod clients;
mod compile;
mod doors;
mod fuzz;
mod kill;
mod order;
mod programs;
mod search_path;
mod test;
mod test262;
mod watch;

use anyhow::Result;
use compile::Told;
use lexopt::prelude::*;
use programs::{Build, Program};
use std::process::ExitCode;
use xtask::components::{Names, Place, Profile};
use xtask::options::served::Served;
use xtask::options::{self, helps};
use xtask::port;
use xtask::program::{ended, help, without_arguments};

const HELP: &str = "\
Usage: cargo xtask <task> [options]

  up      build what is needed and serve Quarry
  ask     ask one question and watch it being answered
  run     research a task as a tree of questions, and watch it grow
  ingest  load a folder, a file or an archive into a running Quarry
  replay  fold a run's journal anew and compare what it tells
  test    check everything that has to hold
  fuzz    feed what reads the web with inputs made to break it
  kill    kill what serves a run, wherever it may die, and see what becomes of the run
  doors   run official clients against the doors
  tidy    check dependencies, spin.toml and source files
  openapi write the OpenAPI document from the routes and the types
  pages   turn files of HTML into text and Markdown, with the built component
  js      run JavaScript programs with the built sandbox
  verify  check claims against their sources
  answer  answer questions from given texts, without a model
  rank    tell how well questions find the documents of a folder
  test262 run the language's conformance suite through the sandbox
  bench   measure what ships, beside a floor in the same run
  order   note which functions an ask runs, so that the build puts them beside each other
  build   build the components, compose them, put them into target/quarry
          (--quick: fast instead of small; --names: traps name functions; names: only these components)

`cargo xtask <task> --help` says more.
";

fn main() -> ExitCode {
    ended(run())
}

fn run() -> Result<ExitCode> {
    let mut args = lexopt::Parser::from_env();
    let task = match args.next()? {
        Some(Value(task)) => task.string()?,
        Some(Short('h') | Long("help")) | None => return help(HELP),
        Some(other) => return Err(options::unknown(other, HELP)),
    };
    match task.as_str() {
        "up" => up(args),
        "ask" => ask(args),
        "run" => research(args),
        "ingest" => ingest(args),
        "test" => test::run(args),
        "test262" => test262::run(args),
        "fuzz" => fuzz::run(args),
        "kill" => kill::run(args),
        "doors" => doors::run(args),
        "tidy" => without_arguments(args, helps::TIDY, || Program::Tidy.run_instead()),
        "openapi" => without_arguments(args, helps::OPENAPI, || Program::Tidy.run_instead()),
        "verify" => handed_on(args, helps::VERIFY, Program::Judge),
        "answer" => handed_on(args, helps::ANSWER, Program::Judge),
        "rank" => handed_on(args, helps::RANK, Program::Judge),
        "replay" => handed_on(args, helps::REPLAY, Program::Judge),
        "bench" => bench::run(args),
        "order" => order::run(args),
        "pages" => pages(args),
        "js" => js(args),
        "build" => build(args),
        other => Err(options::misused(format!("there is no task `{other}`\n\n{HELP}"))),
    }
}

fn up(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = options::up::Options::parse(args)? else {
        return help(options::up::HELP);
    };
    // Whoever asked there meanwhile would be answered by somebody else.
    port::ensure_free(options.listen)?;
    served(options.served)
}

fn ask(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = options::ask::Options::parse(args)? else {
        return help(options::ask::HELP);
    };
    match options.url {
        // A Quarry that runs elsewhere needs nothing of ours built but what asks it.
        Some(_) => Program::Client.run_instead(),
        None => served(options.served),
    }
}

fn research(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = options::run::Options::parse(args)? else {
        return help(options::run::HELP);
    };
    match options.url {
        Some(_) => Program::Client.run_instead(),
        None => served(options.served),
    }
}

fn ingest(args: lexopt::Parser) -> Result<ExitCode> {
    match options::ingest::Options::parse(args)? {
        Some(_) => Program::Ingest.run_instead(),
        None => help(options::ingest::HELP),
    }
}

/// Builds what has to be there before Quarry is served, and serves it.
fn served(served: Served) -> Result<ExitCode> {
    let wanted = Build::of_host(served.profile(), served.runtime);
    if served.builds {
        compile::build_with_host(served.profile(), wanted)?;
        return Program::Serve.follow(wanted);
    }
    // Whoever does not want to wait is served by the host that is there.
    let host = if Program::Serve.is_built(wanted) { wanted } else { Build::Development };
    watch::run(vec![programs::job("the local host", &[Program::Serve], host)])?;
    Program::Serve.follow(host)
}

/// A task whose options are its program's to read. Its help is told without the program, which takes minutes to build.
fn handed_on(mut args: lexopt::Parser, text: &str, program: Program) -> Result<ExitCode> {
    if helps::are_asked_for(args.raw_args()?) { help(text) } else { program.run_instead() }
}

fn js(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = options::js::Options::parse(args)? else {
        return help(options::js::HELP);
    };
    let place = Place::of(options.profile);
    compile::build_some(place, options.profile, &["sandbox".to_owned()], Told::default())?;
    Program::Files.run_instead()
}

fn pages(args: lexopt::Parser) -> Result<ExitCode> {
    let Some(options) = options::pages::Options::parse(args)? else {
        return help(options::pages::HELP);
    };
    let place = Place::of(options.profile);
    compile::build_some(place, options.profile, &["web".to_owned()], Told::default())?;
    Program::Files.run_instead()
}

fn build(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut profile = Profile::Ship;
    let mut wanted = Vec::new();
    let mut told = Told { sizes: true, names: Names::Gone };
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) => wanted.push(name.string()?),
            Long("quick") => profile = Profile::Quick,
            Long("names") => told.names = Names::Kept,
            Short('h') | Long("help") => return help(HELP),
            other => return Err(options::unknown(other, HELP)),
        }
    }
    compile::build_some(Place::Own, profile, &wanted, told)?;
    Ok(ExitCode::SUCCESS)
}
