//! HTTP to providers.
//!
//! Border: a ready request in, status and body chunks out, broken connections as `ChatError`. On
//! WASI directly: a call makes five small host calls and nothing is copied twice.

use crate::settings::Timeouts;
use quarry_providers::{HttpRequest, Method};
use quarry_types::ChatError;
use spin_sdk::wasip3::http::client;
use spin_sdk::wasip3::http::types::{
    ErrorCode, Fields, Method as WasiMethod, Request, RequestOptions, Response, Scheme, Trailers,
};
use spin_sdk::wasip3::{wit_future, wit_stream};
use wit_bindgen::{FutureReader, StreamReader, StreamResult};

/// Bytes read at once; about what a host hands over.
const CHUNK: usize = 16 * 1024;
/// Bytes of an error body that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// Bytes after a reply's end that are read so that the connection can be used again.
const DRAIN_LIMIT: usize = 64 * 1024;

/// Sends a request and waits for the head of its response.
pub async fn send(request: HttpRequest, timeouts: Timeouts) -> Result<Response, ChatError> {
    let headers = Fields::from_list(&request.headers).map_err(|_| ChatError::Other {
        message: "the key or the request cannot be sent as HTTP headers".to_owned(),
    })?;
    let (mut body, body_read) = wit_stream::new::<u8>();
    let (trailers, trailers_read) =
        wit_future::new::<Result<Option<Trailers>, ErrorCode>>(|| Ok(None));
    let (method, contents) = match request.method {
        Method::Get => (WasiMethod::Get, None),
        Method::Post => (WasiMethod::Post, Some(body_read)),
    };
    let (outgoing, _sent) = Request::new(headers, contents, trailers_read, Some(options(timeouts)));
    let scheme = if request.tls { Scheme::Https } else { Scheme::Http };
    let accepted = outgoing.set_method(&method).is_ok()
        && outgoing.set_scheme(Some(&scheme)).is_ok()
        && outgoing.set_authority(Some(&request.authority)).is_ok()
        && outgoing.set_path_with_query(Some(&request.path)).is_ok();
    if !accepted {
        return Err(ChatError::Other {
            message: "the provider's base URL is not an address that can be called".to_owned(),
        });
    }
    let bytes = request.body;
    let mut sending = Box::pin(async move {
        if !bytes.is_empty() {
            let _ = body.write_all(bytes).await;
        }
        drop(body);
        let _ = trailers.write(Ok(None)).await;
    });
    // Begun before the call, so that the host finds the body beside the head: sent apart, the body
    // would wait for the head's acknowledgement. Then beside the call: a provider may answer
    // before it has read everything.
    if futures::poll!(&mut sending).is_pending() {
        wit_bindgen::spawn(sending);
    }
    client::send(outgoing).await.map_err(|code| match code {
        // Hosts do not say what they waited for; before the head it was the first byte.
        ErrorCode::ConnectionReadTimeout => broken(&ErrorCode::HttpResponseTimeout),
        other => broken(&other),
    })
}

fn options(timeouts: Timeouts) -> RequestOptions {
    let options = RequestOptions::new();
    // A host that cannot do one of them still has the limit for the whole call.
    let _ = options.set_connect_timeout(Some(timeouts.connect));
    let _ = options.set_first_byte_timeout(Some(timeouts.first_byte));
    let _ = options.set_between_bytes_timeout(Some(timeouts.between_bytes));
    options
}

/// A response's body.
pub struct Body {
    stream: StreamReader<u8>,
    /// How the body ended; taken when it has.
    end: Option<FutureReader<Result<Option<Trailers>, ErrorCode>>>,
    buffer: Vec<u8>,
}

impl Body {
    /// The body of a response.
    pub fn of(response: Response) -> Self {
        let (_fine, handled) = wit_future::new::<Result<(), ErrorCode>>(|| Ok(()));
        let (stream, end) = Response::consume_body(response, handled);
        Body { stream, end: Some(end), buffer: Vec::with_capacity(CHUNK) }
    }

    /// The next bytes; none at the end, unless the body ends in an error.
    pub async fn next(&mut self) -> Result<Option<&[u8]>, ChatError> {
        loop {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let (result, buffer) = self.stream.read(buffer).await;
            self.buffer = buffer;
            match result {
                StreamResult::Complete(0) => {}
                StreamResult::Complete(_) => return Ok(Some(&self.buffer)),
                StreamResult::Dropped | StreamResult::Cancelled => break,
            }
        }
        match self.end.take() {
            Some(end) => match end.await {
                Ok(_) => Ok(None),
                Err(code) => Err(broken(&code)),
            },
            None => Ok(None),
        }
    }

    /// The whole body; none when it is longer than the limit.
    pub async fn whole(mut self, limit: usize) -> Result<Option<Vec<u8>>, ChatError> {
        let mut text = Vec::new();
        while let Some(bytes) = self.next().await? {
            if text.len() + bytes.len() > limit {
                return Ok(None);
            }
            text.extend_from_slice(bytes);
        }
        Ok(Some(text))
    }

    /// The body of an error, as far as it is needed. What breaks off is used as it is.
    pub async fn error_text(mut self) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < ERROR_BODY_LIMIT {
            match self.next().await {
                Ok(Some(bytes)) => text.extend_from_slice(bytes),
                Ok(None) | Err(_) => break,
            }
        }
        text
    }

    /// Reads what little is left, so that the host can use the connection again.
    pub async fn drain(mut self) {
        let mut read = 0;
        while let Ok(Some(bytes)) = self.next().await {
            read += bytes.len();
            if read > DRAIN_LIMIT {
                break;
            }
        }
    }
}

fn broken(code: &ErrorCode) -> ChatError {
    let timeout = |what: &str| ChatError::Timeout { message: what.to_owned() };
    match code {
        ErrorCode::DnsTimeout | ErrorCode::ConnectionTimeout => {
            timeout("no connection to the provider in time (provider_connect_timeout_ms)")
        }
        ErrorCode::HttpResponseTimeout => {
            timeout("the provider did not begin to answer in time (provider_first_byte_timeout_ms)")
        }
        ErrorCode::ConnectionReadTimeout | ErrorCode::ConnectionWriteTimeout => {
            timeout("the provider fell silent for too long (provider_between_bytes_timeout_ms)")
        }
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => ChatError::Other {
            message: "this host may not be called; add it to allowed_outbound_hosts in spin.toml, \
                      and check block_networks in the runtime configuration"
                .to_owned(),
        },
        other => ChatError::Connection { message: other.to_string() },
    }
}
