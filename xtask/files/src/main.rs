//! `cargo xtask pages` and `cargo xtask js`, once what they need is built.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod alone;
mod js;
mod pages;

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
        Some("js") => match options::js::Options::parse(args)? {
            Some(options) => js::run(&options),
            None => help(options::js::HELP),
        },
        Some("pages") => match options::pages::Options::parse(args)? {
            Some(options) => pages::run(&options),
            None => help(options::pages::HELP),
        },
        _ => bail!("there is no such task"),
    }
}

fn help(text: &str) -> Result<ExitCode> {
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}
