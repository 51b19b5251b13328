//! The official clients against the built components. `cargo xtask doors` installs them and says where; without
//! them there is nothing to run, and the readers of the other tests assert the same.

#![cfg(test)]

use quarry_scenarios::quarry::{Setup, root};
use quarry_test_provider::Script;
use std::path::PathBuf;
use tokio::process::Command;

/// Where the clients are.
fn clients() -> Option<PathBuf> {
    let clients = std::env::var_os("QUARRY_CLIENTS").map(PathBuf::from);
    if clients.is_none() {
        println!("skipped: `cargo xtask doors` runs it");
    }
    clients
}

/// Runs a script of `clients/` against a Quarry of its own.
async fn run(mut command: Command, script: &str) {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let script = root().join("tests/scenarios/clients").join(script);
    let output = command.arg(script).arg(&quarry.url).output().await.unwrap();
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(output.status.success(), "{told}");
    println!("{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openai_for_python_is_served() {
    let Some(clients) = clients() else { return };
    let python = clients.join("python/bin/python");
    if !python.exists() {
        println!("skipped: there is no Python client");
        return;
    }
    run(Command::new(&python), "chat.py").await;
    run(Command::new(python), "responses.py").await;
}

/// Runs a script with Python, where this module is there.
async fn python(module: &str, script: &str) {
    let Some(clients) = clients() else { return };
    let python = clients.join("python/bin/python");
    let mut import = Command::new(&python);
    let is_there = import.args(["-c", &format!("import {module}")]).output().await;
    if !is_there.is_ok_and(|output| output.status.success()) {
        println!("skipped: {module} is not there");
        return;
    }
    run(Command::new(python), script).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn langchain_is_served() {
    python("langchain_openai", "langchain_responses.py").await;
}

/// Runs a script with Node, where this package is there.
async fn javascript(package: &str, script: &str) {
    let Some(clients) = clients() else { return };
    let folder = clients.join("node");
    if !folder.join("node_modules").join(package).exists() {
        println!("skipped: {package} is not there");
        return;
    }
    let mut node = Command::new("node");
    node.current_dir(folder);
    run(node, script).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openai_for_javascript_is_served() {
    javascript("openai", "chat.mjs").await;
    javascript("openai", "responses.mjs").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ai_sdk_is_served() {
    javascript("ai7", "ui.mjs").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_provider_of_the_ai_sdk_is_served() {
    javascript("@ai-sdk/openai", "provider.mjs").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agui_is_served() {
    javascript("@ag-ui/client", "agui.mjs").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_of_the_model_context_protocol_are_served() {
    javascript("@modelcontextprotocol/client", "mcp_host.mjs").await;
    python("mcp", "mcp_host.py").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_context_protocol_is_conformed_to() {
    javascript("@modelcontextprotocol/conformance", "conformance.mjs").await;
}
