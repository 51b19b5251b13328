//! `POST /search/search`, `/pages/read` and `/network/state`: the contract's records as JSON, for
//! callers in other Spin components. `/pages/extract` takes a document as it is.

use crate::bindings::{
    pages::{Document, PageRequest},
    search::SearchQuery,
};
use crate::{find, read};
use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use serde::{Serialize, de::DeserializeOwned};
use spin_sdk::http::Request;

/// Bytes of a request: a query or an address.
const BODY: usize = 64 * 1024;

/// Bytes of a document.
const DOCUMENT: usize = 20 * 1024 * 1024;

/// The function that takes one.
const EXTRACT: &str = "/pages/extract";

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
    if !matches!(path.as_str(), "/search/search" | "/pages/read" | EXTRACT | "/network/state") {
        return Err((
            StatusCode::NOT_FOUND,
            "there are /search/search, /pages/read, /pages/extract and /network/state here"
                .to_owned(),
        ));
    }
    if request.method() != Method::POST {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "use POST".to_owned()));
    }
    let about = (path == EXTRACT).then(|| about(&request)).transpose()?;
    let limit = if path == EXTRACT { DOCUMENT } else { BODY };
    let body = Limited::new(request.into_body(), limit).collect().await;
    let body = body
        .map_err(|error| {
            (StatusCode::PAYLOAD_TOO_LARGE, format!("the body cannot be read: {error}"))
        })?
        .to_bytes();
    if let Some((media_type, max_characters)) = about {
        let document = Document { bytes: body.to_vec(), media_type, max_characters };
        return json(&read::extract(document).await);
    }
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

/// What a document's head and address say: its media type, and how much of it is wanted.
fn about(request: &Request) -> Result<(String, u64), Refused> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let most = request.uri().query().and_then(|query| query.strip_prefix("max-characters="));
    let most = most.and_then(|most| most.parse().ok());
    let wants = || (StatusCode::BAD_REQUEST, "send ?max-characters= and a number".to_owned());
    Ok((kind.unwrap_or_default().to_owned(), most.ok_or_else(wants)?))
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
