//! Serves the pages and the search over HTTP.

use crate::body::Sent;
use crate::hosts::{self, Manner, SEARCH_HOST};
use crate::site::DemoSite;
use anyhow::{Context, Result};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue, LOCATION};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
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
    /// How long the slow site takes.
    delay: Duration,
}

impl DemoWeb {
    /// Serves it on a free port of this machine.
    pub async fn start() -> Result<DemoWeb> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Serves it on a given address; no site is slow.
    pub async fn start_on(address: SocketAddr) -> Result<DemoWeb> {
        Self::start_with(address, Duration::ZERO).await
    }

    /// Serves it on a given address; the slow site answers after `delay`.
    pub async fn start_with(address: SocketAddr, delay: Duration) -> Result<DemoWeb> {
        let site = DemoSite::load()?;
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { site, requests: Mutex::default(), delay });
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

    /// The search that tells pages at the hosts of their sites. Whoever asks must resolve
    /// [`hosts`](crate::hosts::hosts) to this machine.
    pub fn named_url(&self) -> String {
        format!("http://{SEARCH_HOST}:{}", self.address.port())
    }

    /// All that it answers at, as `host:port`; what `web_allowed_hosts` is set to.
    pub fn authorities(&self) -> impl Iterator<Item = String> {
        let port = self.address.port();
        let named = hosts::hosts().map(move |host| format!("{host}:{port}"));
        std::iter::once(self.address.to_string()).chain(named)
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
                let shared = shared.clone();
                async move { Ok::<_, Infallible>(answer(&shared, &request).await) }
            });
            // A client that leaves early is no concern of a demo server.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(shared: &Shared, request: &Request<Incoming>) -> Response<Sent> {
    let target = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    shared.requests.lock().unwrap_or_else(PoisonError::into_inner).push(target.clone());
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let answer = shared.site.answer(request.method().as_str(), &target, host);
    if answer.manner == Manner::Slow {
        tokio::time::sleep(shared.delay).await;
    }
    let mut response = Response::new(Sent::new(&answer));
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(answer.media_type));
    if let Some(location) = answer.location.and_then(|to| HeaderValue::try_from(to).ok()) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}
