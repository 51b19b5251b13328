//! What takes longer than a client waits by itself.

use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::Setup;
use quarry_test_provider::{Match, Phase, Reply, Script};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};

const CLIENTS: usize = 3;

/// It waits for 45 s as they do, so it is left to `cargo xtask doors`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_that_outlasts_a_call_is_waited_for_by_its_id() {
    let Some(clients) = Clients::with(&["mcp-js", "node"]).unwrap() else { return };
    let plan = Reply::json(&serde_json::json!({})).hold("planning");
    let held = Script::ordinary().first_always(Match::Phase(Phase::Planning), plan);
    let quarry = Setup::new(held).start().await.unwrap();
    let mut program = clients.new_node();
    program.arg(clients::script("mcp_slow.mjs")).arg(&quarry.url);
    let mut child = program.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut running = 0;
    while let Some(line) = lines.next_line().await.unwrap() {
        running += usize::from(line == "running");
        if running == CLIENTS {
            quarry.provider.release("planning");
        }
    }
    assert_eq!(running, CLIENTS);
    assert!(child.wait().await.unwrap().success(), "see what it says above");
    let begun = quarry.provider.calls();
    let begun = begun.iter().filter(|call| call.phase() == Some(Phase::Setup)).count();
    assert_eq!(begun, CLIENTS, "something was asked twice");
}
