//! Serves the pages and the search over HTTP.

use crate::page::{self, Page};
use crate::search;
use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const HITS_PER_PAGE: usize = 10;

/// The small web while it is served; dropping it ends it.
pub struct DemoWeb {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

struct Shared {
    pages: Vec<Page>,
    requests: Mutex<Vec<String>>,
}

impl DemoWeb {
    /// Serves it on a free port of this machine.
    pub async fn start() -> Result<DemoWeb> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Serves it on a given address.
    pub async fn start_on(address: SocketAddr) -> Result<DemoWeb> {
        let pages = page::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pages"))?;
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { pages, requests: Mutex::default() });
        let server = tokio::spawn(serve(listener, shared.clone()));
        Ok(DemoWeb { address, shared, server })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a URL without a final slash; also what `searxng_url` is set to.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The paths with queries that were asked for so far, in order.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for DemoWeb {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = shared.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let response = answer(&shared, &request);
                async move { Ok::<_, Infallible>(response) }
            });
            // A client that leaves early is no concern of a demo server.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

fn answer(shared: &Shared, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let target = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    shared.requests.lock().unwrap_or_else(PoisonError::into_inner).push(target);
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return respond(StatusCode::METHOD_NOT_ALLOWED, "text/plain", "only GET".to_owned());
    }
    match request.uri().path() {
        "/search" => answer_search(shared, request),
        path => {
            let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
            match shared.pages.iter().find(|page| page.name == name) {
                Some(page) => respond(StatusCode::OK, "text/html", page.html.clone()),
                None => respond(StatusCode::NOT_FOUND, "text/plain", "no such page".to_owned()),
            }
        }
    }
}

/// Answers as SearXNG does; without `format=json` with a list for people.
fn answer_search(shared: &Shared, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let query = request.uri().query().unwrap_or_default();
    let parameters: Vec<(String, String)> =
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let get = |name: &str| {
        parameters.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    };
    let asked = get("q");
    if asked.is_empty() {
        return respond(StatusCode::BAD_REQUEST, "text/plain", "q is missing".to_owned());
    }
    let page_number = get("pageno").parse::<usize>().unwrap_or(1).max(1);
    let hits = search::search(&shared.pages, asked);
    let shown = hits.iter().skip((page_number - 1) * HITS_PER_PAGE).take(HITS_PER_PAGE);
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if get("format") != "json" {
        let items: String = shown
            .map(|hit| {
                let page = hit.page;
                format!("<li><a href=\"{}\">{}</a></li>\n", page.name, page.title)
            })
            .collect();
        let html = format!("<!doctype html><title>Search</title>\n<ol>\n{items}</ol>\n");
        return respond(StatusCode::OK, "text/html", html);
    }
    let results: Vec<_> = shown
        .map(|hit| {
            json!({
                "url": format!("http://{host}/{}", hit.page.name),
                "title": hit.page.title,
                "content": hit.snippet,
                "engine": "demo",
                "engines": ["demo"],
                "category": "general",
                "score": (hit.score * 1000.0).round() / 1000.0,
                "publishedDate": hit.page.published.as_ref().map(|day| format!("{day}T00:00:00")),
            })
        })
        .collect();
    let body = json!({
        "query": asked,
        "number_of_results": hits.len(),
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    });
    respond(StatusCode::OK, "application/json", body.to_string())
}

fn respond(status: StatusCode, media_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let content_type = match media_type {
        "text/html" => "text/html; charset=utf-8",
        other => other,
    };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
