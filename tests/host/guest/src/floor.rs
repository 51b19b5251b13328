//! What the benchmark measures an ask against: the same outside calls and nothing else.
//!
//! Border: what is called comes from the environment, so that nothing has to be parsed. `FLOOR_URL` is
//! the provider's address; each line of `FLOOR_CALLS` is the length and the body of a call to it, with
//! blanks behind the body up to that length, or `hop` for a call to the private component at `FLOOR_HOP`. Our components
//! call each other with heads alone, so hops are such calls, too.

use std::sync::LazyLock;
use std::time::Instant;

use bytes::Bytes;
use futures::SinkExt as _;
use spin_sdk::http::StatusCode;
use spin_sdk::wasip3::http::client;
use spin_sdk::wasip3::http::types::{ErrorCode, Fields, Method, Request, Response, Scheme};
use spin_sdk::wasip3::wit_bindgen::StreamResult;
use spin_sdk::wasip3::{wit_future, wit_stream};

use crate::{Reply, reply, streamed, text};

/// Bytes of a response that are read at once, at most.
const PART: usize = 16 * 1024;

/// What is called, read once an instance.
static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    let calls = read("FLOOR_CALLS").lines().map(body).collect();
    let address = |name| Address::of(&read(name));
    Plan { provider: address("FLOOR_URL"), hop: address("FLOOR_HOP"), calls }
});

fn body(line: &str) -> Bytes {
    let (length, body) = line.split_once(' ').unwrap_or_default();
    match length.parse::<usize>() {
        Ok(length) => {
            let mut body = body.as_bytes().to_vec();
            body.resize(length, b' ');
            Bytes::from(body)
        }
        Err(_) => Bytes::from(line.to_owned()),
    }
}

struct Plan {
    provider: Address,
    hop: Address,
    calls: Vec<Bytes>,
}

struct Address {
    authority: String,
    path: String,
}

impl Address {
    /// Of an address that begins with `http://`.
    fn of(url: &str) -> Self {
        let rest = url.strip_prefix("http://").unwrap_or(url);
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        Self { authority: authority.to_owned(), path: format!("/{path}") }
    }
}

/// What a request has.
#[derive(Clone)]
enum Sent {
    /// A head, and in it a header.
    Head(Option<(String, Vec<u8>)>),
    /// A body of JSON.
    Body(Bytes),
}

/// Makes all calls, one after the other, and streams a line for each.
pub fn floor() -> Reply {
    let (mut sender, reply) = streamed();
    spin_sdk::wasip3::spawn(async move {
        for body in &PLAN.calls {
            let called = match body.as_ref() {
                b"hop" => call(&PLAN.hop, Sent::Head(None)).await,
                _ => call(&PLAN.provider, Sent::Body(body.clone())).await,
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
/// how often), with a header where one is said, and tells how long each call took, in nanoseconds, a line each.
pub async fn hops(argument: &str) -> Reply {
    let Some((name, times)) = argument.split_once(',') else {
        return reply(StatusCode::BAD_REQUEST, "where to, and how often?");
    };
    let read = |part: &str| {
        std::env::var(format!("FLOOR_HOP_{}{part}", name.to_ascii_uppercase())).unwrap_or_default()
    };
    let header = read("_HEADER");
    let header = header.split_once(": ").map(|(name, value)| (name.to_owned(), value.into()));
    let (address, sent) = (Address::of(&read("")), Sent::Head(header));
    let mut told = String::new();
    for _ in 0..times.parse().unwrap_or(1) {
        let started = Instant::now();
        if let Err(error) = call(&address, sent.clone()).await {
            return reply(StatusCode::BAD_GATEWAY, error);
        }
        told.push_str(&format!("{}\n", started.elapsed().as_nanos()));
    }
    text(told)
}

/// Sends a request, reads the whole response and gives its size in bytes.
///
/// The body is begun before the call and goes on beside it. The SDK's `send` leaves it to a task
/// that begins when something else happens, which in a task that only waits is never.
async fn call(address: &Address, sent: Sent) -> Result<usize, String> {
    let (mut writer, contents) = wit_stream::new::<u8>();
    let (trailers, trailers_read) =
        wit_future::new::<Result<Option<Fields>, ErrorCode>>(|| Ok(None));
    let (method, contents, headers, body) = match sent {
        Sent::Head(header) => (Method::Get, None, header.into_iter().collect(), Bytes::new()),
        Sent::Body(body) => {
            let headers = vec![
                ("content-type".to_owned(), b"application/json".to_vec()),
                ("authorization".to_owned(), b"Bearer bench".to_vec()),
            ];
            (Method::Post, Some(contents), headers, body)
        }
    };
    let headers: Vec<(String, Vec<u8>)> = headers;
    let headers = Fields::from_list(&headers).map_err(|error| format!("{error:?}"))?;
    let (request, _) = Request::new(headers, contents, trailers_read, None);
    let set = request.set_method(&method).is_ok()
        && request.set_scheme(Some(&Scheme::Http)).is_ok()
        && request.set_authority(Some(&address.authority)).is_ok()
        && request.set_path_with_query(Some(&address.path)).is_ok();
    if !set {
        return Err("no address".to_owned());
    }
    let sending = async move {
        if !body.is_empty() {
            writer.write_all(body.into()).await;
        }
        drop(writer);
        _ = trailers.write(Ok(None)).await;
    };
    let (_, response) = futures::join!(sending, client::send(request));
    let response = response.map_err(|error| format!("{error:?}"))?;
    if response.get_status_code() != 200 {
        return Err(format!("status {}", response.get_status_code()));
    }
    let (_read, read) = wit_future::new::<Result<(), ErrorCode>>(|| Ok(()));
    let (mut parts, _) = Response::consume_body(response, read);
    let mut bytes = 0;
    loop {
        let (result, part) = parts.read(Vec::with_capacity(PART)).await;
        bytes += part.len();
        if result == StreamResult::Dropped {
            return Ok(bytes);
        }
    }
}
