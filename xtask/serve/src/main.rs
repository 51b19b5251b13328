//! `cargo xtask up`, `cargo xtask ask` and `cargo xtask run`, once what they need is built: serves Quarry, on the local
//! host that is part of this program or under Spin, and asks it or has it research.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod ask;
mod documents;
mod handbook;
mod run;
mod runtime_config;
mod serve;
mod up;

use anyhow::{Result, bail, ensure};
use quarry_client::replies;
use std::process::ExitCode;
use xtask::options;
use xtask::program::{self, help};

fn main() -> ExitCode {
    program::main(|name, args| task(name, args).map_err(replies::judged))
}

fn task(name: &str, args: lexopt::Parser) -> Result<ExitCode> {
    match name {
        "up" => match options::up::Options::parse(args)? {
            Some(options) => up::run(&options),
            None => help(options::up::HELP),
        },
        "ask" => match options::ask::Options::parse(args)? {
            Some(options) => served_here(options.url.as_ref()).and_then(|()| ask::run(&options)),
            None => help(options::ask::HELP),
        },
        "run" => match options::run::Options::parse(args)? {
            Some(options) => served_here(options.url.as_ref()).and_then(|()| run::run(&options)),
            None => help(options::run::HELP),
        },
        _ => bail!("there is no such task"),
    }
}

/// Whoever asks elsewhere does so with `quarry-client`.
fn served_here(url: Option<&String>) -> Result<()> {
    ensure!(url.is_none(), "this program serves what it asks; quarry-client takes --url");
    Ok(())
}
