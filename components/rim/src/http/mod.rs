//! Requests to other hosts, within limits of time and size.
//!
//! [`fetch`] gives a whole answer, cut at a limit; [`send`] gives one whose body is read in pieces.
//! On WASI directly: a call makes few host calls, and nothing is copied twice.
//! Border: whom to ask and what an answer means is decided by others.

mod body;
mod error;
mod request;

pub use body::Body;
pub use error::HttpError;
pub use request::{Method, Request};

use crate::clock::{self, nanoseconds};
use error::Stage;
use spin_sdk::wasip3::http::client;
use spin_sdk::wasip3::http::types::{self, ErrorCode, Fields, RequestOptions, Trailers};
use spin_sdk::wasip3::{wit_future, wit_stream};
use std::cell::RefCell;
use std::time::Duration;

/// Headers in the order in which they came, names in lower case.
pub type Headers = Vec<(String, Vec<u8>)>;

/// How long the parts of an exchange may take. A host may be unable to do one of them, so whoever
/// must not wait for ever has a limit for the whole, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To a connection.
    pub connect: Duration,
    /// From there to the head of the answer.
    pub first_byte: Duration,
    /// Between two pieces of its body.
    pub between_bytes: Duration,
}

impl Timeouts {
    /// The same for each part.
    pub const fn each(duration: Duration) -> Self {
        Self { connect: duration, first_byte: duration, between_bytes: duration }
    }

    /// Made once an instance for one after another with the same limits, and copied.
    fn options(self) -> RequestOptions {
        thread_local! {
            static LAST: RefCell<Option<(Timeouts, RequestOptions)>> = const { RefCell::new(None) };
        }
        LAST.with_borrow_mut(|last| match last {
            Some((timeouts, options)) if *timeouts == self => options.clone(),
            _ => last.insert((self, self.new_options())).1.clone(),
        })
    }

    fn new_options(self) -> RequestOptions {
        let options = RequestOptions::new();
        _ = options.set_connect_timeout(Some(nanoseconds(self.connect)));
        _ = options.set_first_byte_timeout(Some(nanoseconds(self.first_byte)));
        _ = options.set_between_bytes_timeout(Some(nanoseconds(self.between_bytes)));
        options
    }
}

/// The head of an answer, with its body still to be read.
pub struct Response(types::Response);

impl Response {
    /// The status.
    pub fn status(&self) -> u16 {
        self.0.get_status_code()
    }

    /// The headers.
    pub fn headers(&self) -> Headers {
        self.0.get_headers().copy_all()
    }

    /// The body.
    pub fn into_body(self) -> Body {
        Body::of(self.0)
    }
}

/// Sends a request and waits for the head of its answer.
///
/// # Errors
/// When there is none.
pub async fn send(request: Request, timeouts: Timeouts) -> Result<Response, HttpError> {
    let headers = Fields::from_list(&request.headers).map_err(|_| HttpError::Unsendable)?;
    let (mut body, body_read) = wit_stream::new::<u8>();
    let (trailers, trailers_read) =
        wit_future::new::<Result<Option<Trailers>, ErrorCode>>(|| Ok(None));
    let (method, contents) = match request.method {
        Method::Get => (types::Method::Get, None),
        Method::Post => (types::Method::Post, Some(body_read)),
    };
    let options = Some(timeouts.options());
    let (outgoing, _sent) = types::Request::new(headers, contents, trailers_read, options);
    let scheme = if request.tls { types::Scheme::Https } else { types::Scheme::Http };
    let accepted = outgoing.set_method(&method).is_ok()
        && outgoing.set_scheme(Some(&scheme)).is_ok()
        && outgoing.set_authority(Some(&request.authority)).is_ok()
        && outgoing.set_path_with_query(Some(&request.path)).is_ok();
    if !accepted {
        return Err(HttpError::NoAddress);
    }
    let bytes = request.body;
    let mut sending = Box::pin(async move {
        if !bytes.is_empty() {
            _ = body.write_all(bytes).await;
        }
        drop(body);
        _ = trailers.write(Ok(None)).await;
    });
    // Begun before the call, so that the host finds the body beside the head: sent apart, the body
    // would wait for the head's acknowledgement. Then beside the call: a server may answer before
    // it has read everything.
    if futures::poll!(&mut sending).is_pending() {
        wit_bindgen::spawn(sending);
    }
    let answer = client::send(outgoing).await;
    answer.map(Response).map_err(|code| HttpError::from_code(code, Stage::Head))
}

/// An answer that was read to its end or to a limit.
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The body, or as much of it as the limits allow.
    pub body: Vec<u8>,
    /// Whether the body went on: beyond the limit of bytes or of time, or the connection broke.
    pub cut: bool,
}

impl Fetched {
    /// A header as text; empty when it is missing or is no text.
    pub fn header(&self, name: &str) -> &str {
        header(&self.headers, name)
    }
}

/// A header as text; empty when it is missing or is no text.
pub fn header<'a>(headers: &'a Headers, name: &str) -> &'a str {
    let found = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.and_then(|(_, value)| std::str::from_utf8(value).ok()).unwrap_or_default()
}

/// Sends a request and reads its answer. `total` is the time for everything; `limit` says from the
/// headers how many bytes of the body are read. What was read before the time was over or the
/// connection broke counts, unless it is nothing. At a limit of none the body is not asked for.
///
/// # Errors
/// When nothing came.
pub async fn fetch(
    request: Request,
    timeouts: Timeouts,
    total: Duration,
    limit: impl FnOnce(&Headers) -> usize,
) -> Result<Fetched, HttpError> {
    let with_headers = |response: &Response| {
        let headers = response.headers();
        let limit = limit(&headers);
        (headers, limit)
    };
    within(request, timeouts, total, with_headers).await
}

/// The same without the headers of the answer.
///
/// # Errors
/// When nothing came.
pub async fn fetch_bare(
    request: Request,
    timeouts: Timeouts,
    total: Duration,
    limit: usize,
) -> Result<Fetched, HttpError> {
    within(request, timeouts, total, |_| (Headers::new(), limit)).await
}

async fn within(
    request: Request,
    timeouts: Timeouts,
    total: Duration,
    head: impl FnOnce(&Response) -> (Headers, usize),
) -> Result<Fetched, HttpError> {
    if total.is_zero() {
        return Err(HttpError::Total);
    }
    // Filled from within, so that what was read outlives the clock.
    let mut partial = None;
    let outcome = clock::within(total, exchange(request, timeouts, head, &mut partial)).await;
    match (outcome, partial) {
        (Some(Err(error)), _) => Err(error),
        (Some(Ok(())), Some(fetched)) => Ok(fetched),
        (None, Some(fetched)) if !fetched.body.is_empty() => Ok(Fetched { cut: true, ..fetched }),
        _ => Err(HttpError::Total),
    }
}

async fn exchange(
    request: Request,
    timeouts: Timeouts,
    head: impl FnOnce(&Response) -> (Headers, usize),
    received: &mut Option<Fetched>,
) -> Result<(), HttpError> {
    let response = send(request, timeouts).await?;
    let status = response.status();
    let (headers, limit) = head(&response);
    let fetched = received.insert(Fetched { status, headers, body: Vec::new(), cut: false });
    if limit == 0 {
        return Ok(());
    }
    let mut body = response.into_body();
    loop {
        match body.next().await {
            Ok(Some(bytes)) => fetched.body.extend_from_slice(bytes),
            Ok(None) => return Ok(()),
            Err(_) if !fetched.body.is_empty() => {
                fetched.cut = true;
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        if fetched.body.len() > limit {
            fetched.body.truncate(limit);
            fetched.cut = true;
            return Ok(());
        }
    }
}
