//! What the benchmark measures an ask against: the same outside calls and nothing else.
//!
//! Border: what is called comes from the environment, so that nothing has to be parsed. `FLOOR_URL` is
//! the provider's address; each line of `FLOOR_CALLS` is the body of a call to it, or `hop` for a
//! call to the private component at `FLOOR_HOP`.

use std::sync::LazyLock;
use std::time::Instant;

use bytes::Bytes;
use futures::{SinkExt as _, StreamExt as _};
use http_body_util::Full;
use spin_sdk::http::body::IncomingBodyExt as _;
use spin_sdk::http::{Response, StatusCode, send};

use crate::{Reply, reply, streamed, text};

/// What is called, read once an instance.
static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    let calls = read("FLOOR_CALLS").lines().map(|line| Bytes::from(line.to_owned())).collect();
    Plan { url: read("FLOOR_URL"), hop: read("FLOOR_HOP"), calls }
});

struct Plan {
    url: String,
    hop: String,
    calls: Vec<Bytes>,
}

/// Makes all calls, one after the other, and streams a line for each.
pub fn floor() -> Reply {
    let (mut sender, reply) = streamed();
    spin_sdk::wasip3::spawn(async move {
        for body in &PLAN.calls {
            let called = match body.as_ref() {
                b"hop" => call(&PLAN.hop, Bytes::new()).await,
                _ => call(&PLAN.url, body.clone()).await,
            };
            let line = match called {
                Ok(bytes) => format!("data: {bytes}\n\n"),
                Err(error) => format!("data: failed: {error}\n\n"),
            };
            if sender.send(Bytes::from(line)).await.is_err() {
                break;
            }
        }
    });
    reply
}

/// Calls `FLOOR_HOP_HELLO` or `FLOOR_HOP_SANDBOX` (`argument` is `hello` or `sandbox`, a comma, and
/// how often) and tells how long each call took, in nanoseconds, a line each.
pub async fn hops(argument: &str) -> Reply {
    let Some((name, times)) = argument.split_once(',') else {
        return reply(StatusCode::BAD_REQUEST, "where to, and how often?");
    };
    let read = |part: &str| {
        std::env::var(format!("FLOOR_HOP_{}{part}", name.to_ascii_uppercase())).unwrap_or_default()
    };
    let (url, body) = (read(""), Bytes::from(read("_BODY")));
    let mut told = String::new();
    for _ in 0..times.parse().unwrap_or(1) {
        let started = Instant::now();
        if let Err(error) = call(&url, body.clone()).await {
            return reply(StatusCode::BAD_GATEWAY, error);
        }
        told.push_str(&format!("{}\n", started.elapsed().as_nanos()));
    }
    text(told)
}

/// Sends a request, reads the whole response and gives its size in bytes.
async fn call(url: &str, body: Bytes) -> Result<usize, String> {
    let request = http::Request::post(url)
        .header("content-type", "application/json")
        .header("authorization", "Bearer bench")
        .body(Full::new(body))
        .map_err(|error| error.to_string())?;
    let response: Response = send(request).await.map_err(|error| format!("{error:?}"))?;
    if response.status() != StatusCode::OK {
        return Err(format!("status {}", response.status()));
    }
    let (mut parts, mut bytes) = (response.into_body().stream(), 0);
    while let Some(part) = parts.next().await {
        bytes += part.map_err(|error| format!("{error:?}"))?.len();
    }
    Ok(bytes)
}
