//! The guest of the host's own tests: one small route for each thing that the host does. The
//! routes `/hello` and `/floor` are also what the benchmark measures against.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it prints is what is tested")]

mod floor;
mod rows;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::{SinkExt as _, StreamExt as _, channel::mpsc};
use http_body_util::{Full, StreamBody};
use spin_sdk::http::body::IncomingBodyExt as _;
use spin_sdk::http::{BoxBody, Request, Response, StatusCode, box_body, send};
use spin_sdk::http_service;
use spin_sdk::key_value::Store;
use spin_sdk::wasip3::clocks::monotonic_clock;
use spin_sdk::wasip3::http::types::RequestOptions;
use spin_sdk::wasip3::http_compat::RequestOptionsExtension;

type Reply = http::Response<BoxBody>;

/// Requests that this instance has had: shows whether instances are reused.
static SERVED: AtomicU64 = AtomicU64::new(0);

#[http_service]
async fn handle(request: Request) -> Reply {
    let served = SERVED.fetch_add(1, Ordering::Relaxed) + 1;
    let argument = request.uri().query().unwrap_or_default().to_owned();
    match request.uri().path() {
        "/hello" => text("hello"),
        "/served" => text(served.to_string()),
        "/headers" | "/named/you" => text(headers(&request)),
        "/variable" => shown(spin_sdk::variables::get(&argument).await),
        "/environment" => text(std::env::var(&argument).unwrap_or_default()),
        "/print" => print(&argument),
        "/open" => shown(Store::open(&argument).await.map(|_| "open")),
        "/keys" => key_value(&argument).await.unwrap_or_else(|error| text(format!("{error:?}"))),
        "/rows-held" => shown(rows::held().await),
        "/rows-failing" => shown(rows::failing(&argument).await),
        "/connections" => shown(rows::connections(&argument).await),
        "/stores" => shown(stores(&argument).await),
        "/fetch" => fetch(&argument, None).await,
        "/hurry" => fetch(&argument, Some(Duration::from_millis(50))).await,
        "/patient" => fetch(&argument, Some(Duration::from_mins(1))).await,
        "/floor" => floor::floor(),
        "/hop" => floor::hops(&argument).await,
        "/echo" => echo(request),
        "/afterwards" => afterwards(argument),
        "/until-left" => until_left(argument),
        "/trap" => std::process::abort(),
        "/spin" => busy(&argument).await,
        _ => reply(StatusCode::NOT_FOUND, "no such route"),
    }
}

fn reply(status: StatusCode, body: impl Into<Bytes>) -> Reply {
    let mut reply = http::Response::new(box_body(Full::new(body.into())));
    *reply.status_mut() = status;
    reply
}

fn text(body: impl Into<Bytes>) -> Reply {
    reply(StatusCode::OK, body)
}

fn shown<T: Into<String>, E: std::fmt::Debug>(result: Result<T, E>) -> Reply {
    match result {
        Ok(value) => text(value.into()),
        Err(error) => reply(StatusCode::BAD_REQUEST, format!("{error:?}")),
    }
}

fn headers(request: &Request) -> String {
    request
        .headers()
        .iter()
        .map(|(name, value)| format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

fn print(argument: &str) -> Reply {
    println!("out {argument}");
    eprintln!("err {argument}");
    text("printed")
}

/// Writes, reads, lists and deletes; says what it saw.
async fn key_value(key: &str) -> Result<Reply, spin_sdk::key_value::Error> {
    let store = Store::open_default().await?;
    let before = store.exists(key).await?;
    store.set(key, b"first").await?;
    store.set(key, b"second").await?;
    store.set("other", b"kept").await?;
    let value = store.get(key).await?.unwrap_or_default();
    let mut keys = store.get_keys().await.collect().await?;
    keys.sort();
    store.delete(key).await?;
    store.delete(key).await?;
    let after = store.get(key).await?;
    Ok(text(format!("{before} {} {keys:?} {after:?}", String::from_utf8_lossy(&value))))
}

/// Opens the store so often, and says how often that went.
async fn stores(times: &str) -> Result<String, spin_sdk::key_value::Error> {
    let mut open = Vec::new();
    for _ in 0..times.parse().unwrap_or(1) {
        open.push(Store::open_default().await?);
    }
    Ok(open.len().to_string())
}

/// Sends a request and says what came back, a failure included.
async fn fetch(url: &str, timeout: Option<Duration>) -> Reply {
    shown(try_fetch(url, timeout).await)
}

async fn try_fetch(url: &str, timeout: Option<Duration>) -> Result<String, String> {
    let mut request = http::Request::post(url)
        .body(Full::new(Bytes::from_static(b"ping")))
        .map_err(|error| error.to_string())?;
    if let Some(timeout) = timeout {
        let nanoseconds = u64::try_from(timeout.as_nanos()).ok();
        let options = RequestOptions::new();
        options.set_first_byte_timeout(nanoseconds).map_err(|error| format!("{error:?}"))?;
        options.set_between_bytes_timeout(nanoseconds).map_err(|error| format!("{error:?}"))?;
        request.extensions_mut().insert(RequestOptionsExtension(options));
    }
    let response: Response = send(request).await.map_err(|error| format!("{error:?}"))?;
    let status = response.status();
    let body = response.into_body().bytes().await.map_err(|error| format!("{error:?}"))?;
    Ok(format!("{} {}", status.as_u16(), String::from_utf8_lossy(&body)))
}

/// Sends each part of the request back as it comes.
fn echo(request: Request) -> Reply {
    let mut parts = request.into_body().stream();
    let (mut sender, reply) = streamed();
    spin_sdk::wasip3::spawn(async move {
        while let Some(Ok(part)) = parts.next().await {
            if sender.send(part).await.is_err() {
                break;
            }
        }
    });
    reply
}

/// Answers at once and calls the address afterwards.
fn afterwards(url: String) -> Reply {
    spin_sdk::wasip3::spawn(async move {
        drop(try_fetch(&url, None).await);
    });
    text("soon")
}

/// Streams until the client has left, then calls the address.
fn until_left(url: String) -> Reply {
    let (mut sender, reply) = streamed();
    spin_sdk::wasip3::spawn(async move {
        while sender.send(Bytes::from_static(b"data: still here\n\n")).await.is_ok() {
            monotonic_clock::wait_for(5_000_000).await;
        }
        drop(try_fetch(&url, None).await);
    });
    reply
}

fn streamed() -> (mpsc::Sender<Bytes>, Reply) {
    let (sender, receiver) = mpsc::channel::<Bytes>(0);
    let frames =
        receiver.map(|part| Ok::<_, std::convert::Infallible>(http_body::Frame::data(part)));
    (sender, http::Response::new(box_body(StreamBody::new(frames))))
}

/// Calls the address and then never gives the processor back.
async fn busy(url: &str) -> Reply {
    drop(try_fetch(url, None).await);
    let mut turns = 0_u64;
    loop {
        turns = std::hint::black_box(turns.wrapping_add(1));
    }
}
