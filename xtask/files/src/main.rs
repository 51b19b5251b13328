//! `cargo xtask pages` and `cargo xtask js`, once what they need is built.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod alone;
mod js;
mod pages;

use anyhow::{Result, bail};
use std::process::ExitCode;
use xtask::options;
use xtask::program::{self, help};

fn main() -> ExitCode {
    program::main(run)
}

fn run(task: &str, args: lexopt::Parser) -> Result<ExitCode> {
    match task {
        "js" => match options::js::Options::parse(args)? {
            Some(options) => js::run(&options),
            None => help(options::js::HELP),
        },
        "pages" => match options::pages::Options::parse(args)? {
            Some(options) => pages::run(&options),
            None => help(options::pages::HELP),
        },
        _ => bail!("there is no such task"),
    }
}
