//! One HTTP exchange with limits: time to connect, time in all, bytes of the body.
//! Border: a ready request in, a response out; what may be asked is decided elsewhere.

use bytes::Bytes;
use futures::StreamExt;
use futures::future::{Either, select};
use http::{HeaderMap, Uri};
use http_body_util::Full;
use spin_sdk::http::body::IncomingBodyExt;
use spin_sdk::wasip3::http::types::{ErrorCode, RequestOptions};
use spin_sdk::wasip3::http_compat::RequestOptionsExtension;
use std::pin::pin;
use std::time::{Duration, Instant};
use url::Url;

/// Time to a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// Why there is no response.
#[derive(Debug)]
pub enum FetchError {
    /// The time is over.
    Timeout,
    /// No connection, no such host, TLS trouble; the words are for people.
    Unreachable(String),
    /// The host's rules forbid it.
    Denied,
}

/// What came back.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// Whether the body goes on beyond the limit or the time.
    pub cut: bool,
}

impl Response {
    /// A header as text; empty when it is missing or is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// What to ask.
pub struct Ask<'a> {
    pub url: &'a Url,
    pub headers: Vec<(&'static str, String)>,
    /// Sent with POST.
    pub body: Option<String>,
    /// Bytes of the response's body that are read, by its content type.
    pub limit: fn(&str) -> usize,
    pub deadline: Instant,
}

/// Asks and waits, no longer than until the deadline.
pub async fn fetch(ask: Ask<'_>) -> Result<Response, FetchError> {
    let left = ask.deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(FetchError::Timeout);
    }
    // Reading goes on beside the clock, so that what was read counts when the time is over.
    let mut partial = None;
    let outcome = {
        let work = pin!(exchange(&ask, left, &mut partial));
        let clock = pin!(spin_sdk::time::sleep(left));
        match select(work, clock).await {
            Either::Left((result, _)) => Some(result),
            Either::Right(_) => None,
        }
    };
    match (outcome, partial) {
        (Some(Err(error)), _) => Err(error),
        (Some(Ok(())), Some(response)) => Ok(response),
        (None, Some(response)) if !response.body.is_empty() => {
            Ok(Response { cut: true, ..response })
        }
        _ => Err(FetchError::Timeout),
    }
}

async fn exchange(
    ask: &Ask<'_>,
    left: Duration,
    received: &mut Option<Response>,
) -> Result<(), FetchError> {
    // The address parser leaves one sign that the HTTP library does not take.
    let uri: Uri =
        ask.url.as_str().replace('`', "%60").parse().map_err(|error| unsendable(&error))?;
    let mut builder =
        if ask.body.is_some() { http::Request::post(uri) } else { http::Request::get(uri) };
    for (name, value) in &ask.headers {
        builder = builder.header(*name, value);
    }
    let body = Bytes::from(ask.body.clone().unwrap_or_default());
    if ask.body.is_some() {
        builder = builder.header("content-length", body.len());
    }
    let request =
        builder.extension(RequestOptionsExtension(options(left))).body(Full::new(body)).map_err(
            |_| FetchError::Unreachable("the request cannot be sent as HTTP headers".to_owned()),
        )?;
    let response = spin_sdk::http::send(request).await.map_err(broken)?;
    let (parts, body) = response.into_parts();
    let response = received.insert(Response {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: Vec::new(),
        cut: false,
    });
    let limit = (ask.limit)(response.header("content-type"));
    let mut chunks = body.stream();
    while let Some(chunk) = chunks.next().await {
        match chunk {
            Ok(bytes) => response.body.extend_from_slice(&bytes),
            // A connection that breaks after some text has still brought that text.
            Err(_) if !response.body.is_empty() => {
                response.cut = true;
                break;
            }
            Err(code) => return Err(broken(code)),
        }
        if response.body.len() > limit {
            response.body.truncate(limit);
            response.cut = true;
            break;
        }
    }
    Ok(())
}

fn options(left: Duration) -> RequestOptions {
    let nanoseconds = |time: Duration| Some(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    let options = RequestOptions::new();
    // A host that cannot do one of them still has our clock.
    _ = options.set_connect_timeout(nanoseconds(left.min(CONNECT)));
    _ = options.set_first_byte_timeout(nanoseconds(left));
    _ = options.set_between_bytes_timeout(nanoseconds(left));
    options
}

fn unsendable(error: &dyn std::fmt::Display) -> FetchError {
    FetchError::Unreachable(format!("the address cannot be sent: {error}"))
}

fn broken(code: ErrorCode) -> FetchError {
    match code {
        ErrorCode::DnsTimeout
        | ErrorCode::ConnectionTimeout
        | ErrorCode::HttpResponseTimeout
        | ErrorCode::ConnectionReadTimeout
        | ErrorCode::ConnectionWriteTimeout => FetchError::Timeout,
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => FetchError::Denied,
        other => FetchError::Unreachable(describe(&other)),
    }
}

fn describe(code: &ErrorCode) -> String {
    match code {
        ErrorCode::DnsError(_) | ErrorCode::DestinationNotFound => "no such host".to_owned(),
        ErrorCode::ConnectionRefused => "the connection was refused".to_owned(),
        ErrorCode::ConnectionTerminated => "the connection was closed".to_owned(),
        ErrorCode::TlsCertificateError => "the server's certificate is not valid".to_owned(),
        ErrorCode::TlsProtocolError | ErrorCode::TlsAlertReceived(_) => "TLS failed".to_owned(),
        other => other.to_string(),
    }
}
