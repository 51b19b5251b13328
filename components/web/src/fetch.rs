//! One HTTP exchange with the limits of this component. What may be asked is decided elsewhere.

use quarry_pages::page::{self, Wanted};
use quarry_pages::reader::Reader;
use quarry_rim::clock;
use quarry_rim::http::{self, Fetched, Headers, HttpError, Request, Timeouts};
use std::time::{Duration, Instant};
use url::Url;

/// Time to a connection.
const CONNECT: Duration = Duration::from_secs(5);

pub struct Ask<'a> {
    pub url: &'a Url,
    pub headers: Vec<(&'static str, String)>,
    pub body: Option<String>,
    pub deadline: Instant,
}

impl Ask<'_> {
    fn prepared(self) -> Result<(Request, Timeouts, Duration), HttpError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let address = self.url.as_str();
        let mut request = match self.body {
            Some(body) => Request::post(address, body.into_bytes())?,
            None => Request::get(address)?,
        };
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let connect = left.min(CONNECT);
        Ok((request, Timeouts { connect, first_byte: left, between_bytes: left }, left))
    }
}

/// Asks and waits, no longer than until the deadline, for at most `limit` bytes.
pub async fn fetch(ask: Ask<'_>, limit: usize) -> Result<Fetched, HttpError> {
    let (request, timeouts, left) = ask.prepared()?;
    http::fetch(request, timeouts, left, |_| limit).await
}

/// An answer whose body was read as a page while it arrived.
pub struct Arrived {
    pub status: u16,
    pub headers: Headers,
    pub reader: Reader,
    /// Whether the body broke off.
    pub cut: bool,
}

/// Asks for a page and reads it, no longer than until the deadline. What was read before the time
/// was over or the connection broke counts, unless it is nothing.
pub async fn page(ask: Ask<'_>, wanted: Wanted) -> Result<Arrived, HttpError> {
    let url = ask.url;
    let (request, timeouts, left) = ask.prepared()?;
    let mut arrived = None;
    let exchange = async {
        let response = http::send(request, timeouts).await?;
        let (status, headers) = (response.status(), response.headers());
        let reader = Reader::new(&said(&headers), url, wanted);
        let arrived = arrived.insert(Arrived { status, headers, reader, cut: false });
        let mut body = response.into_body();
        while !arrived.reader.is_over() {
            match body.next().await {
                Ok(Some(bytes)) => arrived.reader.write(bytes),
                Ok(None) => break,
                Err(_) if arrived.reader.has_begun() => {
                    arrived.cut = true;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    };
    match (clock::within(left, exchange).await, arrived) {
        (Some(Err(error)), _) => Err(error),
        (Some(Ok(())), Some(arrived)) => Ok(arrived),
        (None, Some(arrived)) if arrived.reader.has_begun() => Ok(Arrived { cut: true, ..arrived }),
        _ => Err(HttpError::Total),
    }
}

fn said(headers: &Headers) -> page::Headers<'_> {
    page::Headers {
        content_type: http::header(headers, "content-type"),
        content_encoding: http::header(headers, "content-encoding"),
        content_language: http::header(headers, "content-language"),
    }
}
