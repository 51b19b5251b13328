//! Golden logs, told by their doors, read by the official clients.

use quarry_doors::{Entrance, Head, enter};
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::golden;
use quarry_types::Timestamp;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_golden_log_is_read_by_the_client_of_agui() {
    let Some(clients) = Clients::with(&["ag-ui"]).unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    let body = json!({
        "threadId": "t", "runId": "r", "tools": [], "context": [], "state": {},
        "protocolVersion": "1.0",
        "messages": [{ "id": "m", "role": "user", "content": "What is six times seven?" }],
    });
    let head = Head { method: "POST".to_owned(), path: "/agui".to_owned(), ..Head::default() };
    for (name, log) in golden::logs().unwrap() {
        let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
        let mut voice = visit.open(&head, body.to_string().as_bytes()).voice;
        voice.begin(&log.id);
        let told = golden::told(&mut *voice, &log, 3).unwrap();
        std::fs::write(folder.path().join(name), told).unwrap();
    }
    let folder = clients::path(folder.path()).unwrap();
    println!(
        "{}",
        clients::run_script(clients.node(), "agui_golden.mjs", &[folder]).await.unwrap()
    );
}
