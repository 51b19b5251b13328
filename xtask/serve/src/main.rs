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
use xtask::program::{self, help};

fn main() -> ExitCode {
    program::main(run)
}

fn run(task: &str, args: lexopt::Parser) -> Result<ExitCode> {
    match task {
        "up" => match options::up::Options::parse(args)? {
            Some(options) => up::run(&options),
            None => help(options::up::HELP),
        },
        "ask" => match options::ask::Options::parse(args)? {
            Some(options) => ask::run(&options),
            None => help(options::ask::HELP),
        },
        _ => bail!("there is no such task"),
    }
}
