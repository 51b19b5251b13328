//! One bounded GET, for Google's keys.

use bytes::Bytes;
use futures::StreamExt as _;
use http_body_util::Empty;
use spin_sdk::http::body::IncomingBodyExt as _;
use spin_sdk::http::{Response, send};
use spin_sdk::wasip3::http::types::RequestOptions;
use spin_sdk::wasip3::http_compat::RequestOptionsExtension;

/// Nanoseconds for each of: connect, first byte, between bytes.
const TIMEOUT: u64 = 5_000_000_000;

pub struct Fetched {
    pub cache_control: Option<String>,
    pub age: Option<String>,
    pub body: Vec<u8>,
}

/// None when it cannot be had, whatever the reason: callers are told to try again.
pub async fn get(url: &str, most: usize) -> Option<Fetched> {
    let options = RequestOptions::new();
    options.set_connect_timeout(Some(TIMEOUT)).ok()?;
    options.set_first_byte_timeout(Some(TIMEOUT)).ok()?;
    options.set_between_bytes_timeout(Some(TIMEOUT)).ok()?;
    let request = http::Request::get(url)
        .extension(RequestOptionsExtension(options))
        .body(Empty::<Bytes>::new())
        .ok()?;
    let response: Response = send(request).await.ok()?;
    if response.status() != http::StatusCode::OK {
        return None;
    }
    let header = |name| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let (cache_control, age) = (header("cache-control"), header("age"));
    let mut chunks = response.into_body().stream();
    let mut body = Vec::new();
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk.ok()?);
        if body.len() > most {
            return None;
        }
    }
    Some(Fetched { cache_control, age, body })
}
