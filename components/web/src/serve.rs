//! `POST /search/search`, `/pages/read` and `/network/state`: the contract's records as JSON, for
//! callers in other Spin components.

use crate::bindings::{pages::PageRequest, search::SearchQuery};
use crate::{find, read};
use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use serde::{Serialize, de::DeserializeOwned};
use spin_sdk::http::Request;

/// Bytes of a request: a query or an address.
const BODY: usize = 64 * 1024;

#[spin_sdk::http_service]
async fn handle(request: Request) -> Response<Full<Bytes>> {
    match answer(request).await {
        Ok(body) => respond(StatusCode::OK, "application/json", body),
        Err((StatusCode::METHOD_NOT_ALLOWED, why)) => {
            let mut refused = respond(StatusCode::METHOD_NOT_ALLOWED, PLAIN, why.into_bytes());
            refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
            refused
        }
        Err((status, why)) => respond(status, PLAIN, why.into_bytes()),
    }
}

const PLAIN: &str = "text/plain; charset=utf-8";

type Refused = (StatusCode, String);

async fn answer(request: Request) -> Result<Vec<u8>, Refused> {
    let path = request.uri().path().to_owned();
    if !matches!(path.as_str(), "/search/search" | "/pages/read" | "/network/state") {
        return Err((
            StatusCode::NOT_FOUND,
            "there are /search/search, /pages/read and /network/state here".to_owned(),
        ));
    }
    if request.method() != Method::POST {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "use POST".to_owned()));
    }
    let body = Limited::new(request.into_body(), BODY).collect().await;
    let body = body
        .map_err(|error| {
            (StatusCode::PAYLOAD_TOO_LARGE, format!("the body cannot be read: {error}"))
        })?
        .to_bytes();
    match path.as_str() {
        "/pages/read" => {
            let request: PageRequest = parse(&body)?;
            json(&read::requested(request).await)
        }
        "/network/state" => json(&read::network().await),
        _ => {
            let query: SearchQuery = parse(&body)?;
            json(&find::search(query).await)
        }
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|error| {
        (StatusCode::BAD_REQUEST, format!("the body is not the parameter: {error}"))
    })
}

fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, Refused> {
    serde_json::to_vec(value)
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

fn respond(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
