//! Serves the pages and the search over HTTP.

use crate::site::DemoSite;
use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The small web while it is served; dropping it ends it.
pub struct DemoWeb {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

struct Shared {
    site: DemoSite,
    requests: Mutex<Vec<String>>,
}

impl DemoWeb {
    /// Serves it on a free port of this machine.
    pub async fn start() -> Result<DemoWeb> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Serves it on a given address.
    pub async fn start_on(address: SocketAddr) -> Result<DemoWeb> {
        let site = DemoSite::load()?;
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { site, requests: Mutex::default() });
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
    shared.requests.lock().unwrap_or_else(PoisonError::into_inner).push(target.clone());
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let answer = shared.site.answer(request.method().as_str(), &target, host);
    let mut response = Response::new(Full::new(Bytes::from(answer.body)));
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(answer.media_type));
    response
}
