//! What README.md tells the users of clients to write: it is read from there and run.

use quarry_scenarios::client;
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_scenarios::readme::{self, ADDRESS, Block};
use quarry_test_provider::Script;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SECTION: &str = "From other programs";
const OPENAI: &str = "OpenAI's own clients";
pub const FRAMEWORKS: &str = "Agents SDK, LangChain, AI SDK, LiteLLM";
const APPLICATIONS: &str = "Chat applications";
const PAGES: &str = "Pages and apps";
const HOSTS: &str = "Hosts of the Model Context Protocol";

/// What the demo web says of the question that the README asks.
const HEIGHT: &str = "38.2 m";

pub fn under(heading: &str, language: &str) -> Vec<Block> {
    readme::under(SECTION, heading, language).unwrap()
}

/// As who has no key meets it.
async fn without_a_key() -> Quarry {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    setup.variable("openai_api_key", "").start().await.unwrap()
}

/// A block that nobody runs may rot: each has its test, or is told here as one of settings.
#[test]
fn every_block_has_its_test() {
    let known = [
        (OPENAI, "python", 3),
        (OPENAI, "js", 1),
        (FRAMEWORKS, "python", 2),
        (FRAMEWORKS, "js", 1),
        (FRAMEWORKS, "yaml", 1),
        (APPLICATIONS, "sh", 1),
        (APPLICATIONS, "yaml", 1),
        // `tests/browser/tests/use_chat` runs it.
        (PAGES, "jsx", 1),
        (PAGES, "js", 1),
        (HOSTS, "sh", 1),
        (HOSTS, "json", 2),
    ];
    let blocks = readme::blocks(SECTION).unwrap();
    for (heading, language, count) in known {
        assert_eq!(under(heading, language).len(), count, "{heading}, {language}");
    }
    assert_eq!(blocks.len(), known.iter().map(|(_, _, count)| count).sum::<usize>());
}

/// Runs each of these blocks by itself; gives what they print.
async fn python(client: &str, blocks: &[Block]) -> Option<Vec<String>> {
    let clients = Clients::with(&[client]).unwrap()?;
    let quarry = without_a_key().await;
    let mut told = Vec::new();
    for block in blocks {
        told.push(clients::run(clients.python(), &["-c", &block.at(&quarry.url)]).await.unwrap());
    }
    Some(told)
}

async fn javascript(needed: &[&str], blocks: &[Block]) -> Option<Vec<String>> {
    let clients = Clients::with(needed).unwrap()?;
    let quarry = without_a_key().await;
    let mut told = Vec::new();
    for block in blocks {
        // Beside the packages, or they are not found.
        let file = tempfile::Builder::new().suffix(".mjs").tempfile_in(clients.packages()).unwrap();
        std::fs::write(file.path(), block.at(&quarry.url)).unwrap();
        let path = clients::path(file.path()).unwrap();
        told.push(clients::run(clients.node(), &[path]).await.unwrap());
    }
    Some(told)
}

fn all_answer(told: &[String]) {
    for answer in told {
        assert!(answer.contains(HEIGHT), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_says_for_openais_clients_runs() {
    if let Some(told) = python("openai-python", &under(OPENAI, "python")).await {
        all_answer(&told);
        for responses in told.iter().skip(1) {
            assert!(responses.contains("response.completed\n"), "{responses}");
        }
    }
    if let Some(told) = javascript(&["openai-js"], &under(OPENAI, "js")).await {
        all_answer(&told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_says_for_frameworks_runs() {
    let blocks = under(FRAMEWORKS, "python");
    for (block, client) in blocks.chunks(1).zip(["agents-python", "langchain-python"]) {
        if let Some(told) = python(client, block).await {
            all_answer(&told);
        }
    }
    if let Some(told) = javascript(&["ai-sdk-providers"], &under(FRAMEWORKS, "js")).await {
        all_answer(&told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_says_for_apps_runs() {
    if let Some(told) = javascript(&["ag-ui"], &under(PAGES, "js")).await {
        all_answer(&told);
    }
}

/// The program that Claude Desktop starts, as its settings say, spoken to over its pipes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_says_for_claude_desktop_runs() {
    let Some(clients) = Clients::with(&["mcp-js", "mcp-remote"]).unwrap() else { return };
    let quarry = without_a_key().await;
    let settings = under(HOSTS, "json").pop().unwrap().at(&quarry.url);
    let told = clients::run_script(clients.node(), "mcp_remote.mjs", &[&settings]).await.unwrap();
    assert!(told.contains(HEIGHT), "{told}");
}

/// Words of a block that begin with our address.
fn addresses(block: &Block) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || "\"'`,".contains(c);
    let words = block.text.split(ends).filter(|word| word.contains(ADDRESS));
    words.map(|word| word.split_once(ADDRESS).unwrap().1.to_owned()).collect()
}

/// Applications that are not run here ask for models at the first kind of address, and begin a conversation at the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_addresses_and_models_of_settings_are_served() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let blocks = readme::blocks(SECTION).unwrap();
    let mut seen = BTreeSet::new();
    for block in blocks.iter().filter(|it| matches!(&*it.language, "sh" | "json" | "yaml")) {
        let found = addresses(block);
        assert!(!found.is_empty(), "{block:?}");
        seen.extend(found);
        if block.language == "json" {
            serde_json::from_str::<Value>(&block.text).unwrap();
        }
        let models = ["quarry-direct", "quarry"];
        for model in models.into_iter().filter(|model| block.text.contains(model)) {
            let url = format!("{}/v1/models/{model}", quarry.url);
            assert_eq!(client::get(&url, &[]).await.unwrap().status, 200, "{block:?}");
        }
    }
    assert_eq!(seen, BTreeSet::from(["/mcp".to_owned(), "/v1".to_owned()]));
    let models = format!("{}/v1/models", quarry.url);
    assert_eq!(client::get(&models, &[]).await.unwrap().status, 200);
    let begun = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "host", "version": "1" } } });
    let headers =
        [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    let url = format!("{}/mcp", quarry.url);
    let open = client::send("POST", &url, &headers, begun.to_string()).await.unwrap();
    assert_eq!(open.status, 200);
}

/// What a shell would hand to VS Code.
#[test]
fn the_settings_for_vs_code_are_json() {
    let block = under(HOSTS, "sh").pop().unwrap();
    let line = block.text.lines().find(|line| line.starts_with("code ")).unwrap();
    let word = line.split('\'').nth(1).unwrap();
    let settings: Value = serde_json::from_str(word).unwrap();
    assert_eq!(settings["url"], format!("{ADDRESS}/mcp"));
}
