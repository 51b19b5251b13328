//! `cargo xtask doors`: official clients against the doors of the built components.

use crate::clients::{self, Wanted};
use crate::{cargo, compile};
use anyhow::{Context, Result};
use std::process::ExitCode;
use xtask::components::{Place, Profile};
use xtask::program::without_arguments;

const HELP: &str = "\
Usage: cargo xtask doors

Installs official clients below target/clients and runs them against the built components and the scripted provider,
with what README.md and the console tell their users to write:

  Python      OpenAI's client, its Agents SDK, the models of the Open Responses schema, LangChain, the client of the Model
              Context Protocol
  JavaScript  OpenAI's client, the AI SDK (5, 6 and 7) with its providers and `useChat` in Chromium, the client of AG-UI, both
              clients of the Model Context Protocol, `mcp-remote`
  and, large  LiteLLM as a proxy; with a Node of their own OpenAI's newest client and its Agents SDK for JavaScript,
              LangChain for JavaScript, the conformance suite of the Model Context Protocol
  and         libsql-server, which is no client: it keeps runs and logs

All of them take 1.6 GB. `cargo xtask test` installs (450 MB) and runs those that are not large, where the registries
answer. What cannot be installed is skipped, and said.
";

/// The tests that use them.
const TESTS: [&[&str]; 2] =
    [&["--test", "house", "--", "official::", "libsql_server"], &["--test", "use_chat", "--"]];

/// Runs the task.
pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    without_arguments(args, HELP, tests)
}

fn tests() -> Result<ExitCode> {
    let clients = clients::install(Wanted::All)?;
    compile::build(Place::Apart, Profile::Quick)?;
    let manifest = Place::Apart.manifest()?;
    let mut all_pass = true;
    for those in TESTS {
        let mut tests = cargo::command();
        tests.arg("test").args(those).arg("--nocapture").env("QUARRY_CLIENTS", &clients);
        tests.env("QUARRY_MANIFEST", &manifest);
        all_pass &= tests.status().context("cannot run cargo")?.success();
    }
    Ok(if all_pass { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
