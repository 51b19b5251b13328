//! The official clients against the built components. `cargo xtask doors` installs all of them and says where, `cargo
//! xtask test` those that are not large; without them there is nothing to run, and the readers of the other tests assert
//! the same.

mod cut;
mod golden;
mod readme;
mod retries;
mod secrets;
mod slow;
mod written;

use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use std::net::TcpListener;

/// The answer of the ordinary script.
const ANSWER: &str = "31.2 percent";

async fn started() -> Quarry {
    Setup::new(Script::ordinary()).start().await.unwrap()
}

/// Runs scripts with Python, each against a Quarry of its own.
async fn python(client: &str, scripts: &[&str]) {
    let Some(clients) = Clients::with(&[client]).unwrap() else { return };
    for script in scripts {
        let quarry = started().await;
        println!(
            "{}",
            clients::run_script(clients.python(), script, &[&quarry.url]).await.unwrap()
        );
    }
}

/// Runs scripts with the Node of this machine.
async fn javascript(needed: &[&str], scripts: &[&str]) {
    let Some(clients) = Clients::with(needed).unwrap() else { return };
    for script in scripts {
        let quarry = started().await;
        println!("{}", clients::run_script(clients.node(), script, &[&quarry.url]).await.unwrap());
    }
}

/// Runs scripts with a newer Node; what they are given behind the address is the same for all.
async fn new_javascript(client: &str, scripts: &[&str], given: &[&str]) {
    let Some(clients) = Clients::with(&[client, "node"]).unwrap() else { return };
    for script in scripts {
        let quarry = started().await;
        let arguments = [&[quarry.url.as_str()], given].concat();
        println!("{}", clients::run_script(clients.new_node(), script, &arguments).await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openai_for_python_is_served() {
    python("openai-python", &["chat.py", "responses.py"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_responses_finds_its_schema_kept() {
    python("open-responses-python", &["open_responses.py"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn langchain_for_python_is_served() {
    python("langchain-python", &["langchain_chat.py", "langchain_responses.py"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_agents_sdk_for_python_is_served() {
    python("agents-python", &["agents_sdk.py"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openai_for_javascript_is_served() {
    javascript(&["openai-js"], &["chat.mjs", "responses.mjs"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_openai_for_javascript_is_served() {
    new_javascript("openai-js-7", &["chat.mjs", "responses.mjs"], &["openai7"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn langchain_for_javascript_is_served() {
    new_javascript("langchain-js", &["langchain.mjs"], &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_agents_sdk_for_javascript_is_served() {
    new_javascript("agents-js", &["agents.mjs"], &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ai_sdk_is_served() {
    javascript(&["ai-sdk"], &["ui.mjs"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_provider_of_the_ai_sdk_is_served() {
    javascript(&["ai-sdk", "ai-sdk-providers"], &["provider.mjs"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agui_is_served() {
    javascript(&["ag-ui"], &["agui.mjs"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_of_the_model_context_protocol_are_served() {
    javascript(&["mcp-js"], &["mcp_host.mjs"]).await;
    python("mcp-python", &["mcp_host.py"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_context_protocol_is_conformed_to() {
    new_javascript("conformance", &["conformance.mjs"], &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_come_in_a_form_of_the_callers() {
    let needed = ["openai-python", "langchain-python"];
    let Some(clients) = Clients::with(&needed).unwrap() else { return };
    let answer = Reply::json(&serde_json::json!({ "number": 42 }));
    let script = Script::ordinary().first_always(Match::Phase(Phase::Format), answer);
    let quarry = Setup::new(script).start().await.unwrap();
    clients::run_script(clients.python(), "structured.py", &[&quarry.url]).await.unwrap();
}

/// By the configuration that README.md shows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn litellm_in_front_is_served() {
    let Some(clients) = Clients::with(&["litellm"]).unwrap() else { return };
    let quarry = started().await;
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.yaml");
    let blocks = readme::under(readme::FRAMEWORKS, "yaml");
    std::fs::write(&config, blocks.first().unwrap().at(&quarry.url)).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let (python, _) = clients.apart("litellm");
    let arguments = [clients::path(&config).unwrap(), &port];
    println!("{}", clients::run_script(python, "litellm_proxy.py", &arguments).await.unwrap());
}
