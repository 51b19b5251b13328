//! One HTTP exchange with the limits of this component. What may be asked is decided elsewhere.

use quarry_rim::http::{self, Fetched, Headers, HttpError, Request, Timeouts};
use std::time::{Duration, Instant};
use url::Url;

/// Time to a connection.
const CONNECT: Duration = Duration::from_secs(5);

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
pub async fn fetch(ask: Ask<'_>) -> Result<Fetched, HttpError> {
    let left = ask.deadline.saturating_duration_since(Instant::now());
    let address = ask.url.as_str();
    let mut request = match ask.body {
        Some(body) => Request::post(address, body.into_bytes())?,
        None => Request::get(address)?,
    };
    for (name, value) in &ask.headers {
        request = request.header(name, value);
    }
    let timeouts = Timeouts { connect: left.min(CONNECT), first_byte: left, between_bytes: left };
    let limit = |headers: &Headers| (ask.limit)(http::header(headers, "content-type"));
    http::fetch(request, timeouts, left, limit).await
}
