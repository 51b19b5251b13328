//! `/javascript/run`: the contract's records as JSON, for callers in other Spin components. By `POST`
//! as bodies, or by `GET` in the head, where they are small: then nobody waits for a body, and the
//! instance ends in the turn in which its request came, whatever else the host has to do.

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use quarry_types::in_head::{self, OUTCOME, PROGRAM};
use spin_sdk::http::{FromRequest as _, IntoResponse as _, Request};
use spin_sdk::wasip3;
use spin_sdk::wasip3::http::types::{self, ErrorCode, Fields};
use spin_sdk::wasip3::wit_future;

use crate::{bindings::javascript::Program, turn::Turn};

const PATH: &str = "/javascript/run";

/// A source of 1 MiB takes up to six bytes for each of its own in JSON.
const BODY: usize = 6 * quarry_script::limits::SOURCE + 1_024;

struct Service;

wasip3::http::service::export!(Service);

impl wasip3::exports::http::handler::Guest for Service {
    async fn handle(request: types::Request) -> Result<types::Response, ErrorCode> {
        let turn = Turn::begin();
        let program = request.get_headers().get(PROGRAM).into_iter().next();
        match program {
            Some(program) => in_head(turn, &program),
            None => in_bodies(turn, Request::from_request(request)?).await.into_response(),
        }
    }
}

fn in_head(turn: Turn, program: &[u8]) -> Result<types::Response, ErrorCode> {
    let answer = match parse(program).and_then(|program| run(turn, &program)) {
        Ok(answer) => answer,
        Err((status, why)) => return plain(status, why).into_response(),
    };
    if !in_head::fits(&answer) {
        return respond(StatusCode::OK, "application/json", answer).into_response();
    }
    let fields = Fields::from_list(&[(OUTCOME.to_owned(), answer)])
        .map_err(|error| ErrorCode::InternalError(Some(format!("{error:?}"))))?;
    // Dropping the writer says: no trailers.
    let (_trailers, trailers) = wit_future::new(|| Ok(None));
    Ok(types::Response::new(fields, None, trailers).0)
}

async fn in_bodies(turn: Turn, request: Request) -> Response<Full<Bytes>> {
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
    let program = parse(&body);
    drop(body);
    match program.and_then(|program| run(turn, &program)) {
        Ok(answer) => respond(StatusCode::OK, "application/json", answer),
        Err((status, why)) => plain(status, why),
    }
}

/// What the answer says instead.
type Refused = (StatusCode, String);

fn parse(program: &[u8]) -> Result<Program, Refused> {
    serde_json::from_slice(program)
        .map_err(|error| (StatusCode::BAD_REQUEST, format!("this is not a program: {error}")))
}

/// Runs a program; the outcome as JSON.
fn run(turn: Turn, program: &Program) -> Result<Vec<u8>, Refused> {
    serde_json::to_vec(&turn.run_only(program))
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
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
