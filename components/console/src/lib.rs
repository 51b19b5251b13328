//! Serves the browser console: the files of `site/`, unchanged.
//!
//! Border: it answers GET and HEAD with what was compiled into it, and reaches nothing.

mod files;

use bytes::Bytes;
use files::File;
use http::header::{self, HeaderName, HeaderValue};
use http::{Method, Response, StatusCode};
use http_body_util::Full;
use spin_sdk::http::Request;

#[spin_sdk::http_service]
async fn handle(request: Request) -> Response<Full<Bytes>> {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let refused = text(StatusCode::METHOD_NOT_ALLOWED, "use GET");
        return with(refused, header::ALLOW, "GET, HEAD");
    }
    let Some(name) = request.uri().path().strip_prefix("/console") else {
        return text(StatusCode::NOT_FOUND, "there is only /console/ here");
    };
    for (page, address) in
        [("", "/console/"), ("/runs", "/console/runs/"), ("/knowledge", "/console/knowledge/")]
    {
        if name == page {
            let mut moved = text(StatusCode::PERMANENT_REDIRECT, "a page ends with a slash");
            // What an address says behind the question mark is said of the page.
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            if let Ok(to) = HeaderValue::from_str(&format!("{address}{query}")) {
                moved.headers_mut().insert(header::LOCATION, to);
            }
            return moved;
        }
    }
    match name.strip_prefix('/').and_then(files::find) {
        Some(file) => serve(&file, &request),
        None => text(StatusCode::NOT_FOUND, "no such file; the console is at /console/"),
    }
}

fn serve(file: &File, request: &Request) -> Response<Full<Bytes>> {
    let known = request.headers().get_all(header::IF_NONE_MATCH);
    let is_known = known.iter().any(|tags| tags.to_str().is_ok_and(|tags| file.is_known_as(tags)));
    let is_head = request.method() == Method::HEAD;
    let content = if is_known || is_head { &[][..] } else { file.content };
    let mut response = Response::new(Full::new(Bytes::from_static(content)));
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    for (name, value) in [
        (header::CONTENT_TYPE, file.media_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, files::POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        response = with(response, name, value);
    }
    if let Ok(tag) = HeaderValue::from_str(&file.tag()) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    with(response, header::X_CONTENT_TYPE_OPTIONS, "nosniff")
}

fn text(status: StatusCode, words: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(words.as_bytes())));
    *response.status_mut() = status;
    with(response, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

fn with(
    mut response: Response<Full<Bytes>>,
    name: HeaderName,
    value: &'static str,
) -> Response<Full<Bytes>> {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
