//! Whoever listens to tasks (`subscriptions/listen`): a reader that takes nothing, and a store that does not answer for a
//! while.

use crate::host::{TASKS, call, given, sent};
use crate::send;
use quarry_scenarios::client::Open;
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::Fault;
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

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

/// A research with a handle.
async fn begun(quarry: &Quarry) -> String {
    let params = json!({ "name": "research", "arguments": { "question": QUESTION } });
    let created = sent(quarry, VERSION, knows(), ("tools/call", params)).await;
    created.json().await.unwrap()["result"]["taskId"].as_str().unwrap().to_owned()
}

/// Listens with a small receive buffer, and reads until both tasks were told of.
async fn deaf(quarry: &Quarry, tasks: [&str; 2]) -> TcpStream {
    let mut params = wanted(&tasks);
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": { "extensions": knows() },
    });
    let method = "subscriptions/listen";
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let body = message.to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: quarry\r\naccept: application/json, text/event-stream\r\n\
         content-type: application/json\r\nmcp-protocol-version: {VERSION}\r\nmcp-method: {method}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let address = quarry.url.trim_start_matches("http://").parse().unwrap();
    let mut wire = socket.connect(address).await.unwrap();
    wire.write_all(head.as_bytes()).await.unwrap();
    let (mut told, mut chunk) = (String::new(), [0; 512]);
    while !tasks.iter().all(|task| told.contains(&format!("\"taskId\":\"{task}\""))) {
        let read = wire.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the stream stays open: {told}");
        told.push_str(&String::from_utf8_lossy(&chunk[..read]));
    }
    wire
}

/// An ask that is read by nobody else ends for want of readers, so its end shows that it is not read any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_stops_reading_keeps_nothing_for_long() {
    // Its task says it twice: more than what lies between two sockets.
    let long = Reply::text("word ".repeat(700_000)).split(Split::Frames).hold("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [long]);
    let setup = Setup::new(script).variable("chat_grace_seconds", "1");
    let quarry = setup.variable("keep_alive_seconds", "1").start().await.unwrap();
    let told_of = begun(&quarry).await;
    quarry.provider.holding("answer", 1).await;
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    quarry.provider.set_script(script);
    let messages = json!([{ "role": "user", "content": "Why?" }]);
    let chat = json!({ "model": "quarry", "stream": true, "messages": messages });
    let first = send(&quarry, "POST /v1/chat/completions", &[], &chat).await;
    let read = first.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    let wire = deaf(&quarry, [&read, &told_of]).await;
    drop(first);
    quarry.provider.release("planning");
    quarry.provider.holding("iteration", 1).await;
    // From here on there is more to tell than anybody takes.
    quarry.provider.release("answer");
    let stopped = quarry.until_stored("\"ended\":\"stopped\"");
    let stopped = tokio::time::timeout(Duration::from_secs(120), stopped).await;
    stopped.expect("it is read for ever").unwrap();
    quarry.provider.release("iteration");
    // Who is given up harms nobody who is served by the same instance.
    assert!(!quarry.output().contains("instance ended"), "{}", quarry.output());
    drop(wire);
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
    let mut read = async |until: &str| {
        while !told.contains(until) {
            let chunk = open.chunk().await.unwrap().expect("the stream stays open");
            told.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        told.clone()
    };
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
