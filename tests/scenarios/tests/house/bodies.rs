//! Bodies that are too long, too slow, or that nobody asked for: the answer always arrives, and
//! the connection stays whole as long as the client does.

use bytes::Bytes;
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn start(variables: &[(&str, &str)]) -> Quarry {
    let mut setup = Setup::new(Script::ordinary());
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    setup.start().await.unwrap()
}

/// A client that decides on every byte.
struct Wire(TcpStream);

impl Wire {
    async fn open(quarry: &Quarry) -> Wire {
        let authority = quarry.url.trim_start_matches("http://");
        Wire(TcpStream::connect(authority).await.unwrap())
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    async fn head(&mut self, line: &str, headers: &str) {
        self.send(format!("{line} HTTP/1.1\r\nhost: quarry\r\n{headers}\r\n").as_bytes()).await;
    }

    /// The next answer: its status, and its body by its length.
    async fn answer(&mut self) -> (u16, String) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
        self.0.read_exact(&mut body).await.unwrap();
        (status, String::from_utf8(body).unwrap())
    }

    /// Whether the connection still serves.
    async fn is_whole(&mut self) -> bool {
        self.head("GET /healthz", "").await;
        self.answer().await.0 == 200
    }
}

const PART: usize = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_needs_no_body_leaves_the_connection_whole() {
    let quarry = start(&[]).await;
    let id = "0".repeat(32);
    for (line, length, status) in [
        ("POST /ask", 3 << 20, 413),
        ("POST /", 2 << 20, 413),
        ("DELETE /ask", 1 << 20, 405),
        ("POST /nowhere", 1 << 20, 404),
        (&format!("POST /ask/{id}/stop"), 1 << 20, 404),
        ("GET /healthz", 2 * PART, 200),
    ] {
        let mut wire = Wire::open(&quarry).await;
        wire.head(line, &format!("content-length: {length}\r\n")).await;
        wire.send(&vec![b'x'; PART]).await;
        assert_eq!(wire.answer().await.0, status, "{line}");
        // Many clients send everything before they look at the answer.
        for _ in 1..length / PART {
            wire.send(&vec![b'x'; PART]).await;
        }
        assert!(wire.is_whole().await, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_length_that_nobody_announced_is_met_all_the_same() {
    let quarry = start(&[]).await;
    let mut wire = Wire::open(&quarry).await;
    wire.head("POST /ask", "transfer-encoding: chunked\r\n").await;
    let chunk = [format!("{PART:x}\r\n").into_bytes(), vec![b'x'; PART], b"\r\n".to_vec()].concat();
    for _ in 0..(3 << 20) / PART {
        wire.send(&chunk).await;
    }
    wire.send(b"0\r\n\r\n").await;
    let (status, body) = wire.answer().await;
    assert_eq!(status, 413, "{body}");
    assert!(wire.is_whole().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_of_whoever_may_not_ask_leave_the_connection_whole() {
    let quarry = start(&[("access_secret", "open sesame"), ("rate_limit_requests", "2")]).await;
    let body = json!({ "query": "q", "note": "x".repeat(8 * PART) }).to_string();
    let mut wire = Wire::open(&quarry).await;
    for status in [401, 401, 429, 429] {
        wire.head("POST /ask", &format!("content-length: {}\r\n", body.len())).await;
        wire.send(body.as_bytes()).await;
        assert_eq!(wire.answer().await.0, status);
    }
    assert!(wire.is_whole().await);
}

/// Sends a byte now and then, for ever.
async fn trickle(quarry: &Quarry, accept: &str) -> client::Open {
    let (pieces, body) = client::piecewise(1_000);
    tokio::spawn(async move {
        while pieces.send(Bytes::from_static(b" ")).is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let url = format!("{}/ask", quarry.url);
    client::send_body("POST", &url, &[("accept", accept)], body).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_trickles_is_not_waited_for() {
    let quarry = start(&[("body_timeout_seconds", "1")]).await;
    let answer = trickle(&quarry, "application/json").await;
    assert_eq!(answer.status, 408);
    let error = answer.json().await.unwrap()["error"].clone();
    assert_eq!((&error["type"], &error["code"]), (&json!("too_slow"), &json!("TOO_SLOW")));
    assert!(error["message"].as_str().unwrap().contains("within 1 s"), "{error}");
    let events = trickle(&quarry, "text/event-stream").await.events().await.unwrap();
    let told: Vec<(&str, &Value)> =
        events.iter().map(|event| (event.name.as_str(), &event.data["type"])).collect();
    assert_eq!(told, [("error", &json!("too_slow"))]);
    // Whoever stops in the middle is told the same.
    let mut wire = Wire::open(&quarry).await;
    wire.head("POST /ask", "content-length: 20\r\n").await;
    wire.send(b"{\"query\":").await;
    assert_eq!(wire.answer().await.0, 408);
    assert!(quarry.provider.calls().is_empty());
}

/// As on a line that brings some hundred kilobytes a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_comes_steadily_is_waited_for_beyond_its_time() {
    const PIECES: usize = 25;
    let quarry = start(&[("body_timeout_seconds", "1")]).await;
    let question = Bytes::from(json!({ "query": "What is six times seven?" }).to_string());
    let blanks = Bytes::from(vec![b' '; 32 * 1024]);
    let length = u64::try_from(PIECES * blanks.len() + question.len()).unwrap();
    let (pieces, body) = client::piecewise(length);
    tokio::spawn(async move {
        for _ in 0..PIECES {
            pieces.send(blanks.clone()).unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        pieces.send(question).unwrap();
    });
    let url = format!("{}/ask", quarry.url);
    let json = [("accept", "application/json")];
    let answer = client::send_body("POST", &url, &json, body).await.unwrap();
    assert_eq!(answer.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_that_is_no_number_is_named() {
    let quarry = start(&[("body_timeout_seconds", "soon")]).await;
    let url = format!("{}/ask", quarry.url);
    let answer =
        client::send("POST", &url, &[], json!({ "query": "q" }).to_string()).await.unwrap();
    assert_eq!(answer.status, 503);
    let body = answer.json().await.unwrap();
    assert!(body.to_string().contains("body_timeout_seconds"), "{body}");
}
