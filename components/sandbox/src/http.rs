//! `POST /javascript/run`: the contract's records as JSON, for callers in other Spin components.

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use spin_sdk::http::Request;

use crate::{bindings::javascript::Program, turn::Turn};

const PATH: &str = "/javascript/run";

/// A source of 1 MiB takes up to six bytes for each of its own in JSON.
const BODY: usize = 6 * quarry_script::limits::SOURCE + 1_024;

#[spin_sdk::http_service]
async fn handle(request: Request) -> Response<Full<Bytes>> {
    let turn = Turn::begin();
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, format!("there is only {PATH} here"));
    }
    if request.method() != Method::POST {
        let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "use POST".into());
        refused.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("POST"));
        return refused;
    }
    let body = match Limited::new(request.into_body(), BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => {
            return plain(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the body cannot be read: {error}"),
            );
        }
    };
    let program: Program = match serde_json::from_slice(&body) {
        Ok(program) => program,
        Err(error) => {
            return plain(StatusCode::BAD_REQUEST, format!("the body is not a program: {error}"));
        }
    };
    drop(body);
    match serde_json::to_vec(&turn.run_only(&program)) {
        Ok(answer) => respond(StatusCode::OK, "application/json", answer),
        Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

fn plain(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    respond(status, "text/plain; charset=utf-8", text.into_bytes())
}

fn respond(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let kind = header::HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
