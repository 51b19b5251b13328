//! What the console shows as code (*Use from code*) is run as it stands there.

use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::Setup;
use quarry_test_provider::Script;
use serde_json::{Value, json};
use tokio::process::Command;

/// A question that shells, JSON and Python each write in another way.
const QUESTION: &str = r#"What did "O'Hara's" bridge cost: $186 or \186?"#;
const SECRET: &str = "open sesame";

/// The text of this name among them.
fn text<'a>(shown: &'a Value, name: &str) -> &'a str {
    let of = |request: &&Value| request["name"] == name;
    shown.as_array().unwrap().iter().find(of).unwrap()["text"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_console_shows_runs() {
    let needed = ["openai-python", "openai-js", "mcp-js"];
    let Some(clients) = Clients::with(&needed).unwrap() else { return };
    for has_secret in [false, true] {
        let secret = if has_secret { SECRET } else { "" };
        let setup = Setup::new(Script::ordinary()).variable("access_secret", secret);
        let quarry = setup.start().await.unwrap();
        let asked = json!({ "query": QUESTION, "model": "openai:gpt-4o-mini",
            "budget": { "usd": 0.25, "tokens": 90000 }, "max_iterations": 3 });
        let (asked, has_secret) = (asked.to_string(), has_secret.to_string());
        let arguments = [&*asked, &quarry.url, &has_secret];
        let shown = clients::run_script(clients.node(), "console.mjs", &arguments).await.unwrap();
        let shown: Value = serde_json::from_str(&shown).unwrap();
        for name in ["OpenAI: chat", "OpenAI: responses"] {
            let code = text(&shown, name).replace("YOUR_ACCESS_SECRET", SECRET);
            let told = clients::run(clients.python(), &["-c", &code]).await.unwrap();
            assert!(told.contains(super::ANSWER), "{name}: {told}");
        }
        for (name, end) in [("curl", "event: complete"), ("AG-UI", "\"RUN_FINISHED\"")] {
            let code = text(&shown, name).replace("YOUR_ACCESS_SECRET", SECRET);
            let told = clients::run(Command::new("sh"), &["-c", &code]).await.unwrap();
            assert!(told.contains(super::ANSWER) && told.contains(end), "{name}: {told}");
        }
        let code = text(&shown, "MCP").replace("YOUR_ACCESS_SECRET", SECRET);
        let told = clients::run_script(clients.node(), "mcp_settings.mjs", &[&code]).await.unwrap();
        assert!(told.contains(super::ANSWER), "MCP: {told}");
        let questions = quarry.provider.calls();
        assert!(questions.iter().all(|call| call.text().contains("O'Hara")), "a question was lost");
    }
}

/// A run's, as who has no key meets it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_console_shows_for_a_run_runs() {
    let Some(clients) = Clients::with(&["openai-python"]).unwrap() else { return };
    let setup = Setup::new(Script::ordinary()).variable("access_secret", SECRET);
    let setup = setup.variable("default_model", "local:extractive").variable("openai_api_key", "");
    let quarry = setup.start().await.unwrap();
    let record = json!({ "task": "How tall is the Orrin lighthouse?", "budget": { "usd": 0.25 } });
    let arguments = [&*record.to_string(), &quarry.url, "true"];
    let shown = clients::run_script(clients.node(), "console.mjs", &arguments).await.unwrap();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let code = |name| text(&shown, name).replace("YOUR_ACCESS_SECRET", SECRET);
    let told = clients::run(clients.python(), &["-c", &code("OpenAI: responses")]).await.unwrap();
    assert!(told.contains("response.completed\n") && told.contains("38.2 m"), "{told}");
    let told = clients::run(Command::new("sh"), &["-c", &code("MCP")]).await.unwrap();
    assert!(told.contains("The research is under way") && told.contains("run_"), "{told}");
}
