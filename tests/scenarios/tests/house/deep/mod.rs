//! Runs behind other doors, on the built components: a response in the background, a host's tool, a task.

mod host;
mod listening;
mod response;

use crate::account::{CLIENT_ID, bearer_of_age};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_scenarios::research::{ASKED, asked, replies, script};
use quarry_test_provider::{Reply, Script};
use serde_json::{Value, json};

/// Nothing dies here: no driver is to lose its run to another, however slow the machine.
const LEASE_MS: &str = "60000";

async fn started(script: Script) -> Quarry {
    Setup::new(script).variable("run_lease_ms", LEASE_MS).start().await.unwrap()
}

/// A provider that answers all that a run of one node asks, and is held at its judgement.
fn held(signal: &str) -> Script {
    let [_, _, judged, _] = replies();
    script().first(asked(ASKED[2]), [Reply::json(&judged).hold(signal)])
}

async fn send(quarry: &Quarry, line: &str, headers: &[(&str, &str)], body: &Value) -> Open {
    let (method, path) = line.split_once(' ').unwrap();
    let url = format!("{}{path}", quarry.url);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    client::send(method, &url, &all, body).await.unwrap()
}

async fn get(quarry: &Quarry, path: &str) -> (u16, Value) {
    let open = send(quarry, &format!("GET {path}"), &[], &Value::Null).await;
    (open.status.as_u16(), open.json().await.unwrap())
}

/// The report of a run as its own door gives it.
async fn report(quarry: &Quarry, run: &str) -> String {
    let accept = [("accept", "text/markdown")];
    send(quarry, &format!("GET /runs/{run}/report"), &accept, &json!(null))
        .await
        .text()
        .await
        .unwrap()
}

/// A server that people sign in to.
async fn signed_in(script: Script) -> Quarry {
    let setup = Setup::new(script).variable("run_lease_ms", LEASE_MS);
    setup.variable("google_client_id", CLIENT_ID).start().await.unwrap()
}

/// Ada's token, renewed so many times.
fn bearer(renewed: u64) -> String {
    bearer_of_age("ada@example.com", 100 - renewed)
}
