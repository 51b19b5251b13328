//! Whoever listens to tasks (`subscriptions/listen`) while a store does not answer.

use super::host::{TASKS, call, given, read_until, sent};
use quarry_scenarios::client::Open;
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::Fault;
use quarry_test_provider::Script;
use serde_json::{Value, json};

const VERSION: &str = "2026-07-28";
const QUESTION: &str = "What is six times seven?";

fn knows() -> Value {
    json!({ TASKS: {} })
}

fn wanted(tasks: &[&str]) -> Value {
    json!({ "notifications": { "taskIds": tasks } })
}

async fn listen(quarry: &Quarry, task: &str) -> Open {
    sent(quarry, VERSION, knows(), ("subscriptions/listen", wanted(&[task]))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_cannot_be_read_for_now_is_told_of_once_it_can() {
    let mut setup = Setup::new(Script::ordinary());
    setup.keeper = Keeper::Scripted;
    let quarry = setup.start().await.unwrap();
    let research = call(&quarry, VERSION, "research", json!({ "question": QUESTION })).await;
    assert_eq!(given(&research, "status"), "completed", "{research}");
    let id = given(&research, "id").to_owned();
    let server = quarry.database.scripted().unwrap();
    server.fault("SELECT value FROM log_value", 0..u32::MAX, Fault::Status(500));
    let mut open = listen(&quarry, &id).await;
    let mut told = String::new();
    let mut read = async |until: &str| read_until(&mut open, &mut told, until).await;
    let first = read("\n\n").await;
    server.heal();
    assert!(first.contains(&format!("\"taskIds\":[\"{id}\"]")), "{first}");
    let all = read("\"method\":\"notifications/tasks\"").await;
    assert!(all.contains("\"status\":\"completed\"") && !all.contains("\"working\""), "{all}");
    // What nobody knows is not waited for.
    let mut open = listen(&quarry, &"0".repeat(32)).await;
    let first = open.chunk().await.unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&first).contains("taskIds"), "{first:?}");
}
