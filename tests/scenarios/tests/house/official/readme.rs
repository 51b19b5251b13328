//! What README.md tells the users of clients to write: it is read from there and run.

use quarry_scenarios::client;
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup, root};
use quarry_scenarios::readme::{self, ADDRESS, Block};
use quarry_test_provider::Script;
use serde_json::{Value, json};
use std::collections::BTreeSet;

use super::ANSWER;

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

/// What settings say behind a word.
fn said<'b>(settings: &'b str, word: &str) -> &'b str {
    let behind = settings.split_once(word).unwrap_or_else(|| panic!("{word}: {settings}")).1;
    let ends = |c: char| c.is_whitespace() || "\"'`,]}".contains(c);
    behind.split(ends).find(|word| !word.is_empty()).unwrap()
}

/// Open WebUI and LibreChat with the address, the key and the models that their settings say: they list the models, ask
/// with a stream, and have a title made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chat_applications_ask_as_their_settings_say() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let open_webui = under(APPLICATIONS, "sh").pop().unwrap().at(&quarry.url);
    let libre_chat = under(APPLICATIONS, "yaml").pop().unwrap().at(&quarry.url);
    let words = ["OPENAI_API_BASE_URL=", "OPENAI_API_KEY=", "TASK_MODEL_EXTERNAL="];
    let [base, key, titles] = words.map(|word| said(&open_webui, word));
    let of_open_webui = (base, key, "quarry", titles);
    let words = ["baseURL:", "apiKey:", "default: [", "titleModel:"];
    let [base, key, model, titles] = words.map(|word| said(&libre_chat, word));
    for (base, key, model, titles) in [of_open_webui, (base, key, model, titles)] {
        let bearer = format!("Bearer {key}");
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let listed = client::get(&format!("{base}/models"), &headers).await.unwrap();
        let listed = listed.json().await.unwrap();
        let listed: Vec<&str> =
            listed["data"].as_array().unwrap().iter().filter_map(|it| it["id"].as_str()).collect();
        assert!(listed.contains(&model) && listed.contains(&titles), "{listed:?}");
        let asked = async |model: &str, text: &str, stream: bool| {
            let messages = json!([{ "role": "user", "content": text }]);
            let body = json!({ "model": model, "stream": stream, "messages": messages });
            let url = format!("{base}/chat/completions");
            let open = client::send("POST", &url, &headers, body.to_string()).await.unwrap();
            assert_eq!(open.status, 200);
            open.text().await.unwrap()
        };
        let told = asked(model, "What is six times seven?", true).await;
        assert!(told.contains(ANSWER) && told.ends_with("data: [DONE]\n\n"), "{told}");
        quarry.provider.forget();
        let task = "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.";
        let title = asked(titles, task, false).await;
        let title: Value = serde_json::from_str(&title).unwrap();
        assert_eq!(title["choices"][0]["finish_reason"], "stop");
        assert_eq!(quarry.provider.calls().len(), 1, "a title is one call");
    }
}

/// What n8n is given is said in words: its credential's address and model, tried as it tries them, and its tool's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n8n_finds_what_its_credential_and_its_tool_say() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let about = text.split("\n\n").find(|part| part.starts_with("n8n: ")).unwrap();
    let about = about.replace(ADDRESS, &quarry.url);
    let (base, model) = (said(&about, "base URL"), said(&about, "any key, and"));
    let json = ("content-type", "application/json");
    let headers = [("authorization", "Bearer any"), json];
    let listed = client::get(&format!("{base}/models"), &headers).await.unwrap();
    assert!(listed.text().await.unwrap().contains(&format!("\"id\":\"{model}\"")), "{model}");
    let messages = json!([{ "role": "user", "content": "What is six times seven?" }]);
    // Its newer nodes ask for a response, and its older ones for a chat.
    for (path, body) in [
        ("responses", json!({ "model": model, "input": messages })),
        ("chat/completions", json!({ "model": model, "messages": messages })),
    ] {
        let url = format!("{base}/{path}");
        let open = client::send("POST", &url, &headers, body.to_string()).await.unwrap();
        assert_eq!(open.status, 200, "{path}");
        assert!(open.text().await.unwrap().contains(ANSWER), "{path}");
    }
    let begun = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "n8n", "version": "1" } } });
    let headers = [json, ("accept", "application/json, text/event-stream")];
    let url = said(&about, "the endpoint");
    let open = client::send("POST", url, &headers, begun.to_string()).await.unwrap();
    assert_eq!(open.status, 200, "{url}");
}

/// What Claude Code's and VS Code's lines and Cursor's settings lead to, by the protocol's own client.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_find_the_server_where_their_settings_say() {
    let Some(clients) = Clients::with(&["mcp-js"]).unwrap() else { return };
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let lines = under(HOSTS, "sh").pop().unwrap().at(&quarry.url);
    let line = |program: &str| lines.lines().find(|line| line.starts_with(program)).unwrap();
    let claude_code = said(line("claude "), "--transport http quarry").to_owned();
    // What a shell would hand to VS Code.
    let vs_code: Value = serde_json::from_str(line("code ").split('\'').nth(1).unwrap()).unwrap();
    assert_eq!((&vs_code["name"], &vs_code["type"]), (&json!("quarry"), &json!("http")));
    let cursor = under(HOSTS, "json").first().unwrap().at(&quarry.url);
    let cursor: Value = serde_json::from_str(&cursor).unwrap();
    let cursor = cursor["mcpServers"]["quarry"]["url"].clone();
    for url in [json!(claude_code), vs_code["url"].clone(), cursor] {
        let settings = json!({ "mcpServers": { "quarry": { "type": "http", "url": url } } });
        let arguments = [settings.to_string()];
        let arguments = [arguments[0].as_str()];
        let told =
            clients::run_script(clients.node(), "mcp_settings.mjs", &arguments).await.unwrap();
        assert!(told.contains(ANSWER), "{told}");
    }
}
