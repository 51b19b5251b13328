//! `cargo xtask tidy`: our own checks on the house, none of which needs a tool installed; and
//! `cargo xtask openapi`, whose document is one of the things that they check.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod dependencies;
mod events;
mod files;
mod licence;
mod manifest;
mod openapi;
mod providers;
mod search;
mod settings;
mod tables;

use anyhow::{Result, bail};
use std::process::ExitCode;
use xtask::options::helps::TIDY;
use xtask::program::{self, without_arguments};

/// What a check found.
#[derive(Default)]
pub struct Findings {
    /// What has to be changed.
    pub errors: Vec<String>,
    /// What wants a second look.
    pub warnings: Vec<String>,
}

fn main() -> ExitCode {
    program::main(run)
}

fn run(task: &str, args: lexopt::Parser) -> Result<ExitCode> {
    match task {
        "tidy" => without_arguments(args, TIDY, || {
            Ok(if check()? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }),
        "openapi" => openapi::run(args),
        _ => bail!("there is no such task"),
    }
}

/// Runs every check and prints what it found; false when something has to be changed.
fn check() -> Result<bool> {
    let mut findings = Findings::default();
    dependencies::check(&mut findings)?;
    manifest::check(&mut findings)?;
    providers::check(&mut findings)?;
    search::check(&mut findings)?;
    settings::check(&mut findings)?;
    files::check(&mut findings)?;
    tables::check(&mut findings)?;
    events::check(&mut findings)?;
    for warning in &findings.warnings {
        println!("look at: {warning}");
    }
    for error in &findings.errors {
        println!("untidy: {error}");
    }
    Ok(findings.errors.is_empty())
}
