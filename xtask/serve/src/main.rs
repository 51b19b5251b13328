//! `cargo xtask up` and `cargo xtask ask`, once what they need is built: serves Quarry, on the local
//! host that is part of this program or under Spin, and asks it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod ask;
mod serve;
mod show;
mod up;
mod waiting;

use anyhow::{Result, bail};
use std::process::ExitCode;
use xtask::options;

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode> {
    let mut args = lexopt::Parser::from_env();
    let Some(lexopt::Arg::Value(task)) = args.next()? else { bail!("name a task") };
    match task.to_str() {
        Some("up") => match options::up::Options::parse(args)? {
            Some(options) => up::run(&options),
            None => help(options::up::HELP),
        },
        Some("ask") => match options::ask::Options::parse(args)? {
            Some(options) => ask::run(&options),
            None => help(options::ask::HELP),
        },
        _ => bail!("there is no such task"),
    }
}

fn help(text: &str) -> Result<ExitCode> {
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}
