//! Loads that take long: how many of them there may be at once, how much is taken in before it is known who sends it,
//! and what their readers are shown meanwhile.

use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

const LOAD: &str = "POST /knowledge/documents";
const SMALL: &str = "openai:text-embedding-3-small";
const EMBEDDING: Match = Match::Phase(Phase::Embedding);

/// A server whose provider has these replies for the first texts that are to be embedded.
async fn embedding(replies: Vec<Reply>, variables: &[(&str, &str)]) -> Quarry {
    let setup = Setup::new(Script::ordinary().first(EMBEDDING, replies));
    let setup =
        variables.iter().fold(setup.variable("embedding_model", SMALL), |setup, (name, value)| {
            setup.variable(name, value)
        });
    setup.start().await.unwrap()
}

fn held() -> Reply {
    Reply::embeddings(256).hold("vectors")
}

async fn send(quarry: &Quarry, headers: &[(&str, &str)], body: &Value) -> Open {
    client::by_line(&quarry.url, LOAD, headers, body.to_string()).await.unwrap()
}

async fn told(quarry: &Quarry, headers: &[(&str, &str)], body: &Value) -> (u16, Value) {
    let open = send(quarry, headers, body).await;
    (open.status.as_u16(), open.json().await.unwrap())
}

fn text(title: &str) -> Value {
    json!({ "title": title, "text": format!("{title} is let by the week.") })
}

/// A document of more chunks than one call embeds.
fn long() -> Value {
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    json!({ "title": "Long", "markdown": (0..100).map(section).collect::<String>() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_finds_all_places_taken_is_told_before_its_body_is_read() {
    let quarry = embedding(vec![held()], &[("max_loads", "1")]).await;
    let url = quarry.url.clone();
    let first = tokio::spawn(async move {
        client::by_line(&url, LOAD, &[], text("Berth 1").to_string()).await.unwrap().status
    });
    quarry.provider.holding("vectors", 1).await;
    let refused = send(&quarry, &[], &text("Berth 2")).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("1"));
    let why = refused.json().await.unwrap()["error"]["message"].as_str().unwrap().to_owned();
    assert!(why.starts_with("this server loads documents for 1 request at most"), "{why}");
    // Nothing of this body is ever sent.
    let mut wire = TcpStream::connect(quarry.url.trim_start_matches("http://")).await.unwrap();
    let head = "POST /knowledge/documents HTTP/1.1\r\nhost: quarry\r\ncontent-type: application/json\r\n\
                content-length: 20000000\r\n\r\n";
    wire.write_all(head.as_bytes()).await.unwrap();
    let mut begins = [0; 12];
    wire.read_exact(&mut begins).await.unwrap();
    assert_eq!(&begins, b"HTTP/1.1 429");
    quarry.provider.release("vectors");
    assert_eq!(first.await.unwrap(), 201);
    // It is free when the answer is there, or a moment later.
    while told(&quarry, &[], &text("Berth 2")).await.0 != 201 {}
    // And so it is behind what could not be loaded, and behind what is no order.
    let (status, _) = told(&quarry, &[], &json!({ "title": "Nothing" })).await;
    assert_eq!(status, 400);
    while told(&quarry, &[], &text("Berth 3")).await.0 != 201 {}
}

/// Whoever sends documents, and reads nothing of what became of them, keeps nobody from loading.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_stops_gives_its_place_back() {
    let setup = Setup::new(Script::ordinary());
    let setup = setup.variable("max_loads", "1").variable("keep_alive_seconds", "1");
    let quarry = setup.start().await.unwrap();
    // Each is told with its name: more than what lies between two sockets.
    let name = "n".repeat(15_000);
    let part = |at: usize| {
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{at}{name}.md\"\r\n\r\nBerths.\r\n"
        )
    };
    let body = format!("{}--x--\r\n", (0..1_000).map(part).collect::<String>());
    let head = format!(
        "{LOAD} HTTP/1.1\r\nhost: quarry\r\naccept: text/event-stream\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let address = quarry.url.trim_start_matches("http://").parse().unwrap();
    let mut wire = socket.connect(address).await.unwrap();
    wire.write_all(head.as_bytes()).await.unwrap();
    wire.write_all(body.as_bytes()).await.unwrap();
    wire.readable().await.unwrap();
    let is_free = async { while told(&quarry, &[], &text("Berth 1")).await.0 != 201 {} };
    // A place that nobody keeps is anybody's after a minute.
    tokio::time::timeout(Duration::from_secs(40), is_free).await.expect("it is held for ever");
    drop(wire);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_whom_the_head_does_not_know_no_more_is_read_than_a_little() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry = setup.start().await.unwrap();
    let right = ("authorization", "Bearer open sesame");
    let large = json!({ "title": "Large", "text": "Berths are let. ".repeat(80_000) });
    let with_secret = |mut body: Value| {
        body["accessSecret"] = json!("open sesame");
        body
    };
    let (status, refused) = told(&quarry, &[], &with_secret(large.clone())).await;
    let why = refused["error"]["message"].as_str().unwrap();
    assert_eq!(status, 413, "{why}");
    assert!(why.contains("Authorization: Bearer"), "{why}");
    let (status, loaded) = told(&quarry, &[right], &large).await;
    assert_eq!(status, 201, "{loaded}");
    // What is small may say it at its end, also beside what a proxy adds.
    let proxys = ("authorization", "Bearer something of a proxy");
    let (status, loaded) = told(&quarry, &[proxys], &with_secret(text("Berth 1"))).await;
    assert_eq!(status, 201, "{loaded}");
    assert_eq!(told(&quarry, &[proxys], &text("Berth 2")).await.0, 403);
    assert_eq!(told(&quarry, &[], &text("Berth 2")).await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guesses_in_the_head_count_whatever_becomes_of_the_body() {
    let setup = Setup::new(Script::ordinary())
        .variable("access_secret", "open sesame")
        .variable("rate_limit_requests", "3");
    let quarry = setup.start().await.unwrap();
    let large = json!({ "title": "Large", "text": "Berths are let. ".repeat(80_000) });
    let mut statuses = Vec::new();
    for guess in 0..5 {
        let guess = format!("Bearer guess {guess}");
        statuses.push(told(&quarry, &[("authorization", &guess)], &large).await.0);
    }
    assert_eq!(statuses, [413, 413, 413, 429, 429]);
}

/// Many such would else keep everybody out for as long as a body may take, and count for nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_holds_a_place_is_counted_before_its_body_is_there_and_once() {
    let setup = Setup::new(Script::ordinary())
        .variable("rate_limit_requests", "2")
        .variable("rate_limit_window_seconds", "3600");
    let quarry = setup.start().await.unwrap();
    // Nothing of this body is ever sent.
    let mut wire = TcpStream::connect(quarry.url.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "{LOAD} HTTP/1.1\r\nhost: quarry\r\ncontent-type: application/json\r\ncontent-length: 2000\r\n\r\n"
    );
    wire.write_all(head.as_bytes()).await.unwrap();
    let is_counted = quarry.until_stored("gateway:rate:");
    // Far less than its body may take.
    let is_counted = tokio::time::timeout(Duration::from_secs(20), is_counted).await;
    is_counted.expect("it is not counted").unwrap();
    // What proves nothing here makes nobody known.
    let anything = ("authorization", "Bearer anything");
    let (status, loaded) = told(&quarry, &[anything], &text("Berth 1")).await;
    assert_eq!(status, 201, "{loaded}");
    for headers in [&[][..], &[anything]] {
        let (status, refused) = told(&quarry, headers, &text("Berth 2")).await;
        assert_eq!((status, &refused["error"]["type"]), (429, &json!("rate_limited")), "{refused}");
    }
    drop(wire);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_load_tells_how_far_it_is_and_that_somebody_is_there() {
    let replies = vec![Reply::embeddings(256), held()];
    let quarry = embedding(replies, &[("keep_alive_seconds", "1")]).await;
    let mut open = send(&quarry, &[("accept", "text/event-stream")], &long()).await;
    quarry.provider.holding("vectors", 1).await;
    let mut text = String::new();
    // Without two signs of life this would wait for ever.
    while text.matches(": keep-alive\n\n").count() < 2 {
        let chunk = open.chunk().await.unwrap().expect("the stream must stay open");
        text += std::str::from_utf8(&chunk).unwrap();
    }
    quarry.provider.release("vectors");
    while let Some(chunk) = open.chunk().await.unwrap() {
        text += std::str::from_utf8(&chunk).unwrap();
    }
    let frames: Vec<(&str, Value)> = text
        .trim_end()
        .split("\n\n")
        .filter(|block| *block != ": keep-alive")
        .map(|block| {
            let (name, data) = block.split_once('\n').unwrap();
            let data = data.strip_prefix("data: ").unwrap();
            (name.strip_prefix("event: ").unwrap(), serde_json::from_str(data).unwrap())
        })
        .collect();
    let [told @ .., (document, loaded), (done, count)] = frames.as_slice() else {
        panic!("{text}")
    };
    assert_eq!((*document, *done), ("document", "done"), "{text}");
    assert_eq!((&loaded["change"], &count["loaded"]), (&json!("added"), &json!(1)));
    let chunks = loaded["document"]["chunks"].as_u64().unwrap();
    assert!(
        told.iter().all(|(name, far)| *name == "progress" && far["chunks"] == chunks),
        "{text}"
    );
    assert!(told.iter().any(|(_, far)| far["done"] == 64), "the first call's: {text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_are_of_documents_alone_whatever_is_shown_between_them() {
    let replies = vec![Reply::embeddings(256), held()];
    let quarry = embedding(replies, &[("keep_alive_seconds", "1")]).await;
    let mut open = send(&quarry, &[("accept", "application/x-ndjson")], &long()).await;
    quarry.provider.holding("vectors", 1).await;
    let mut text = String::new();
    while text.len() < 3 {
        let chunk = open.chunk().await.unwrap().expect("the stream must stay open");
        text += std::str::from_utf8(&chunk).unwrap();
    }
    assert_eq!(text.trim(), "", "a line is not begun before its document is there");
    quarry.provider.release("vectors");
    while let Some(chunk) = open.chunk().await.unwrap() {
        text += std::str::from_utf8(&chunk).unwrap();
    }
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!((&lines[0]["change"], &lines[1]["loaded"]), (&json!("added"), &json!(1)), "{text}");
}
