//! `cargo xtask tidy`: our own checks on the house, none of which needs a tool installed.

mod dependencies;
mod events;
mod files;
mod licence;
mod manifest;
mod providers;
mod search;

use crate::without_arguments;
use anyhow::Result;
use std::process::ExitCode;

pub const HELP: &str = "\
Usage: cargo xtask tidy

Checks licences and duplicate versions of dependencies (deny.toml), permissions and variables in
spin.toml, what each search provider needs there, that it and the README know every model provider,
the length and opening line of source files, that a `mod` names each, that no path of this machine
is in them, that openapi.json is as the routes and the types make it, and that the console has a
rule for each event.
";

/// What a check found.
#[derive(Default)]
pub struct Findings {
    /// What has to be changed.
    pub errors: Vec<String>,
    /// What wants a second look.
    pub warnings: Vec<String>,
}

pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    without_arguments(args, HELP, || {
        Ok(if check()? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    })
}

/// Runs every check and prints what it found; false when something has to be changed.
pub fn check() -> Result<bool> {
    let mut findings = Findings::default();
    dependencies::check(&mut findings)?;
    manifest::check(&mut findings)?;
    providers::check(&mut findings)?;
    search::check(&mut findings)?;
    files::check(&mut findings)?;
    events::check(&mut findings)?;
    for warning in &findings.warnings {
        println!("look at: {warning}");
    }
    for error in &findings.errors {
        println!("untidy: {error}");
    }
    Ok(findings.errors.is_empty())
}
