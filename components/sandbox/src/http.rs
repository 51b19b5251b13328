//! `POST /javascript/run`: the contract's records as JSON, for callers in other Spin components.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt as _, Full, Limited};
use spin_sdk::http::Request;

use crate::{
    bindings::javascript::Program,
    turn::{self, Left, Turn},
};

const PATH: &str = "/javascript/run";

/// A source of 1 MiB takes up to six bytes for each of its own in JSON.
const BODY: usize = 6 * quarry_script::limits::SOURCE + 1_024;

#[spin_sdk::http_service]
async fn handle(request: Request) -> Response<Answer> {
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
    let (answer, left) = match turn::run(turn, &program) {
        Ok((outcome, left)) => (Ok(outcome), Some(left)),
        Err(error) => (Err(error), None),
    };
    match serde_json::to_vec(&answer) {
        Ok(answer) => respond(StatusCode::OK, "application/json", answer, left),
        Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

/// A body. The host drops it when it has taken all of it, or will take no more.
struct Answer {
    bytes: Full<Bytes>,
    /// Tidied up then.
    _left: Option<Left>,
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.bytes).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.bytes.size_hint()
    }
}

fn plain(status: StatusCode, text: String) -> Response<Answer> {
    respond(status, "text/plain; charset=utf-8", text.into_bytes(), None)
}

fn respond(
    status: StatusCode,
    kind: &'static str,
    body: Vec<u8>,
    left: Option<Left>,
) -> Response<Answer> {
    let bytes = Full::new(Bytes::from(body));
    let mut response = Response::new(Answer { bytes, _left: left });
    *response.status_mut() = status;
    let kind = header::HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
