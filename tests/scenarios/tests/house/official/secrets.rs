//! A canary in every secret, through every door, with the clients that people use: none of them is told, logged or kept.

use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use tokio::process::Command;

const SECRET: &str = "canary-of-access-secret-31d7";
const OWN: &str = "canary-of-the-caller-77aa";
const WRONG: &str = "wrong-guess-1b";

/// A provider that repeats the key in its errors, as careless ones do: the first ask fails so, the others' plans.
fn indiscreet() -> Script {
    let error = |status: u16| Reply::status(status, format!("bad luck with the key {OWN}"));
    Script::ordinary()
        .first(Match::Phase(Phase::Synthesis), [error(401)])
        .first_always(Match::Phase(Phase::Setup), error(400))
        .key(OWN)
}

async fn asks(program: Command, script: &str) {
    let setup = Setup::new(indiscreet()).variable("access_secret", SECRET);
    let quarry = setup.variable("openai_api_key", "").start().await.unwrap();
    let told = clients::run_script(program, script, &[&quarry.url, SECRET, OWN]).await.unwrap();
    assert!(told.contains(super::ANSWER), "nothing was answered: {told}");
    kept_to_itself(&quarry, &told);
}

fn kept_to_itself(quarry: &Quarry, told: &str) {
    let paid: Vec<_> = quarry.provider.calls();
    let bearer = format!("Bearer {OWN}");
    assert!(!paid.is_empty());
    assert!(paid.iter().all(|call| call.header("authorization") == Some(&bearer)));
    let stored = String::from_utf8_lossy(&quarry.stored().unwrap()).into_owned();
    assert!(stored.contains("What is six times seven?"), "the stores were not read");
    let output = quarry.output();
    for canary in [SECRET, OWN, WRONG] {
        for (place, text) in [("an answer", told), ("a store", &stored), ("a log line", &output)] {
            assert!(!text.contains(canary), "{canary} is in {place}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_comes_out_by_a_door_for_python() {
    let Some(clients) = Clients::with(&["openai-python", "mcp-python"]).unwrap() else { return };
    asks(clients.python(), "canary.py").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_comes_out_by_a_door_for_javascript() {
    let needed = ["openai-js", "ai-sdk", "ag-ui", "mcp-js"];
    let Some(clients) = Clients::with(&needed).unwrap() else { return };
    asks(clients.node(), "canary.mjs").await;
}
