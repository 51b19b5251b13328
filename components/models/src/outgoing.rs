//! Between `quarry-providers` and HTTP: its requests out, what went wrong as `ChatError`.

use quarry_providers::{HttpRequest, Method};
use quarry_rim::http::{self, HttpError, Request, Response, Timeouts};
use quarry_types::ChatError;

pub async fn send(request: HttpRequest, timeouts: Timeouts) -> Result<Response, ChatError> {
    http::send(outgoing(request), timeouts).await.map_err(failed)
}

pub fn outgoing(request: HttpRequest) -> Request {
    let HttpRequest { method, tls, authority, path, headers, body } = request;
    let method = match method {
        Method::Get => http::Method::Get,
        Method::Post => http::Method::Post,
    };
    Request { method, tls, authority, path, headers, body }
}

/// Says which setting decides, where one does.
pub fn failed(error: HttpError) -> ChatError {
    let timeout = |what: &str| ChatError::Timeout { message: what.to_owned() };
    let other = |what: &str| ChatError::Other { message: what.to_owned() };
    match error {
        HttpError::Unsendable => other("the key or the request cannot be sent as HTTP headers"),
        HttpError::NoAddress => {
            other("the provider's base URL is not an address that can be called")
        }
        HttpError::Connect => {
            timeout("no connection to the provider in time (provider_connect_timeout_ms)")
        }
        HttpError::FirstByte => {
            timeout("the provider did not begin to answer in time (provider_first_byte_timeout_ms)")
        }
        HttpError::Silence => {
            timeout("the provider fell silent for too long (provider_between_bytes_timeout_ms)")
        }
        HttpError::Total => timeout("the answer did not come in time"),
        HttpError::Denied | HttpError::Blocked => other(
            "this host may not be called; add it to allowed_outbound_hosts in spin.toml, \
             and check block_networks in the runtime configuration",
        ),
        HttpError::Broken(message) => ChatError::Connection { message },
    }
}
