//! Between `quarry-providers` and HTTP: its requests out, what went wrong back.

use quarry_providers::{HttpRequest, Lost, Method};
use quarry_rim::http::{self, HttpError, Request, Response, Timeouts};

pub async fn send(request: HttpRequest, timeouts: Timeouts) -> Result<Response, HttpError> {
    http::send(outgoing(request), timeouts).await
}

pub fn outgoing(request: HttpRequest) -> Request {
    let HttpRequest { method, tls, authority, path, headers, body } = request;
    let method = match method {
        Method::Get => http::Method::Get,
        Method::Post => http::Method::Post,
    };
    Request { method, tls, authority, path, headers, body }
}

/// What went wrong, as `quarry-providers` knows it.
pub fn lost(error: HttpError) -> Lost {
    match error {
        HttpError::Unsendable => Lost::Unsendable,
        HttpError::NoAddress => Lost::NoAddress,
        HttpError::Denied | HttpError::Blocked => Lost::Forbidden,
        HttpError::Connect => Lost::Connect,
        HttpError::FirstByte => Lost::FirstByte,
        HttpError::Silence => Lost::Silence,
        HttpError::Total => Lost::Total,
        HttpError::Unreached(message) => Lost::Unreached(message),
        HttpError::Broken(message) => Lost::Broken(message),
    }
}
