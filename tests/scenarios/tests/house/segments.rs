//! What leaves together: a client that acknowledges late waits for whatever leaves behind the head, as long as it waits
//! itself, since the listener has Nagle's algorithm on.

use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Answers on one connection.
const ANSWERS: usize = 20;

/// How many of them come with their head, of the best of a few rounds: a machine that stands still between the two sends
/// them apart.
const TOGETHER: usize = 18;
const ROUNDS: usize = 5;

/// How many answers came with something behind their heads.
async fn together(quarry: &Quarry, request: &str, is_whole: impl Fn(&[u8]) -> bool) -> usize {
    let address = quarry.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut count = 0;
    for _ in 0..ANSWERS {
        #[cfg(target_os = "linux")]
        stream.set_quickack(false).unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::with_capacity(64 * 1024);
        assert!(stream.read_buf(&mut answer).await.unwrap() > 0, "the connection was closed");
        let head = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head");
        count += usize::from(answer.len() > head + 4);
        while !is_whole(&answer) {
            let read = stream.read_buf(&mut answer).await.unwrap();
            assert!(read > 0, "the connection was closed");
        }
    }
    count
}

async fn are_together(quarry: &Quarry, request: &str, is_whole: impl Fn(&[u8]) -> bool + Copy) {
    let mut most = 0;
    for _ in 0..ROUNDS {
        most = most.max(together(quarry, request, is_whole).await);
        if most >= TOGETHER {
            return;
        }
    }
    panic!("{most} of {ANSWERS} came with their heads: {request}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_leaves_with_its_head_and_a_stream_with_its_first_events() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    if !quarry.is_local_or_skipped("threads that look for bytes sooner may serve connections") {
        return;
    }
    let whole = "GET /healthz HTTP/1.1\r\nhost: quarry\r\n\r\n";
    are_together(&quarry, whole, |answer| answer.ends_with(b"}")).await;
    let body = json!({ "query": "What is 6 times 7?", "max_iterations": 1 }).to_string();
    let head = "POST /ask HTTP/1.1\r\nhost: quarry\r\naccept: text/event-stream\r\ncontent-type: application/json";
    let stream = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    are_together(&quarry, &stream, |answer| answer.ends_with(b"\r\n0\r\n\r\n")).await;
}
