//! The request as WASI hands it over.

use quarry_doors::Refusal;
use quarry_doors::native::MAX_BODY_BYTES;
use spin_sdk::wasip3::http::types::{Method, Request};
use spin_sdk::wasip3::wit_future;
use wit_bindgen::{StreamResult, spawn};

/// Bytes that one read of a body takes at most.
const CHUNK: usize = 16 * 1024;

pub struct Incoming {
    pub method: String,
    pub path: String,
    pub query: Option<String>,
    pub accept: Option<String>,
    pub origin: Option<String>,
    pub last_event_id: Option<String>,
    pub client_address: Option<String>,
    length: Option<usize>,
    request: Request,
}

impl Incoming {
    pub fn new(request: Request) -> Self {
        let target = request.get_path_with_query().unwrap_or_default();
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
            None => (target, None),
        };
        let headers = request.get_headers();
        let text = |value: Vec<u8>| String::from_utf8(value).ok();
        let header = |name: &str| text(headers.get(name).into_iter().next()?);
        // Spin puts its own after any that the client sent: only the last one is true.
        let spins_header = |name: &str| text(headers.get(name).into_iter().next_back()?);
        Incoming {
            method: method(request.get_method()),
            path,
            query,
            accept: header("accept"),
            origin: header("origin"),
            last_event_id: header("last-event-id"),
            client_address: spins_header("spin-client-addr"),
            length: header("content-length").and_then(|length| length.parse().ok()),
            request,
        }
    }

    /// The whole body, up to the limit.
    pub async fn body(self) -> Result<Vec<u8>, Refusal> {
        let too_large = || Refusal::TooLarge { limit: MAX_BODY_BYTES };
        if self.length.is_some_and(|length| length > MAX_BODY_BYTES) {
            return Err(too_large());
        }
        let (processing, processed) = wit_future::new(|| Ok(()));
        let (mut stream, ended) = Request::consume_body(self.request, processed);
        // One byte more than announced: the read that sees the end needs room, too.
        let mut body = Vec::with_capacity(self.length.map_or(CHUNK, |length| length + 1));
        loop {
            if body.len() == body.capacity() {
                body.reserve(CHUNK);
            }
            let (result, read) = stream.read(body).await;
            body = read;
            if body.len() > MAX_BODY_BYTES {
                return Err(too_large());
            }
            if self.length == Some(body.len()) {
                // Reading on to the end, or letting go now, would wake the server's connection
                // while the response is on its way, and then head and body leave apart
                // (measured: 40 % in one segment against all).
                spawn(async move { drop((stream, ended, processing)) });
                return Ok(body);
            }
            if matches!(result, StreamResult::Dropped) {
                break;
            }
        }
        match ended.await {
            Ok(_) => Ok(body),
            Err(_) => Err(Refusal::InvalidJson("its end did not arrive".into())),
        }
    }
}

fn method(method: Method) -> String {
    let known = match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(other) => return other,
    };
    known.to_owned()
}
