//! The project's tasks: `cargo xtask <task>`. Each task is one module; this one picks it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod alone;
mod ask;
mod bench;
mod client;
mod components;
mod compose;
mod fuzz;
mod js;
mod openapi;
mod pages;
mod paths;
mod serve;
mod show;
mod test;
mod test262;
mod tidy;
mod up;
mod variables;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <task> [options]

  up      build what is needed and serve Quarry
  ask     ask one question and watch it being answered
  test    check everything that has to hold
  fuzz    feed what reads the web with inputs made to break it
  tidy    check dependencies, spin.toml and source files
  openapi write the OpenAPI document from the routes and the types
  pages   read files of HTML with the built component
  js      run JavaScript programs with the built sandbox
  test262 run the language's conformance suite through the sandbox
  bench   measure what ships, beside a floor in the same run
  build   build the components, compose them, put them into target/quarry
          (--quick: fast instead of small; names: only these components)

`cargo xtask <task> --help` says more.
";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let mut args = lexopt::Parser::from_env();
    let task = match args.next()? {
        Some(Value(task)) => task.string()?,
        Some(Short('h') | Long("help")) | None => {
            print!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        Some(other) => return Err(other.unexpected().into()),
    };
    match task.as_str() {
        "up" => up::run(args),
        "ask" => ask::run(args),
        "test" => test::run(args),
        "test262" => test262::run(args),
        "fuzz" => fuzz::run(args),
        "tidy" => tidy::run(args),
        "openapi" => openapi::run(args),
        "bench" => bench::run(args),
        "pages" => pages::run(args),
        "js" => js::run(args),
        "build" => build(args),
        other => bail!("there is no task `{other}`\n\n{HELP}"),
    }
}

fn build(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut profile = components::Profile::Ship;
    let mut names = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) => names.push(name.string()?),
            Long("quick") => profile = components::Profile::Quick,
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let built = components::build_some(profile, &names)?;
    components::print_sizes(&built)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a task that takes no arguments but `--help`.
pub fn without_arguments(
    mut args: lexopt::Parser,
    help: &str,
    task: impl FnOnce() -> Result<ExitCode>,
) -> Result<ExitCode> {
    match args.next()? {
        None => task(),
        Some(lexopt::Arg::Short('h') | lexopt::Arg::Long("help")) => {
            print!("{help}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => Err(other.unexpected().into()),
    }
}
