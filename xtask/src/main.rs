//! The project's tasks: `cargo xtask <task>`. Each task is one module; this one picks it.

mod components;
mod compose;
mod paths;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <task> [options]

  build [--quick]     build the components, compose them, put them into target/quarry
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
        "build" => build(args),
        other => bail!("there is no task `{other}`\n\n{HELP}"),
    }
}

fn build(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut profile = components::Profile::Ship;
    while let Some(arg) = args.next()? {
        match arg {
            Long("quick") => profile = components::Profile::Quick,
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let built = components::build(profile)?;
    components::print_sizes(&built)?;
    Ok(ExitCode::SUCCESS)
}
