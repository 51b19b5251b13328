//! `cargo xtask verify` and `cargo xtask answer`: claims and questions from a file, one JSON object a
//! line, through the very code that an ask uses. No component and no host is needed.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod answer;
mod lines;
mod verify;

use anyhow::{Result, bail};
use std::process::ExitCode;
use xtask::program;

fn main() -> ExitCode {
    program::main(run)
}

fn run(task: &str, args: lexopt::Parser) -> Result<ExitCode> {
    match task {
        "answer" => answer::run(args),
        "verify" => verify::run(args),
        _ => bail!("there is no such task"),
    }
}
