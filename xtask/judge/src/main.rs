//! `cargo xtask verify`, `answer`, `replay` and `rank`: claims, questions and the bundles of runs from a file, one JSON
//! object a line, through the very code that asks and runs use. No component and no host is needed.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod answer;
mod lines;
mod rank;
mod replay;
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
        "rank" => rank::run(args),
        "replay" => replay::run(args),
        "verify" => verify::run(args),
        _ => bail!("there is no such task"),
    }
}
