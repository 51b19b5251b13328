//! A server of the site's files and of a fake `ask` that does what a test tells it to.

use crate::browser::PATIENCE;
use anyhow::{Context, Result, anyhow};
use bytes::Bytes;
use futures::TryStreamExt;
use futures::channel::mpsc as chunks;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// The very list that the component serves.
#[path = "../../../components/console/src/files.rs"]
#[expect(dead_code, reason = "entity tags are the component's")]
mod files;

/// What the interface says of itself: the page makes its fields of it.
const DOCUMENT: &str = include_str!("../../../crates/doors/src/openapi.json");

/// Whose time the page goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// The machine's.
    Real,
    /// The test's: it passes by [`crate::Browser::advance`].
    Manual,
}

/// The server; dropping it ends it.
pub struct Fake {
    address: SocketAddr,
    calls: mpsc::UnboundedReceiver<Call>,
    server: JoinHandle<()>,
}

/// What the page asked of the server, in the order of arrival.
#[derive(Debug)]
pub enum Call {
    /// `POST /ask`.
    Ask(Ask),
    /// `GET /ask/{id}/events`.
    Rejoin(Rejoin),
    /// `POST /ask/{id}/stop`; the id.
    Stop(String),
    /// Anything about runs, documents, or questions that follow up.
    Run(Run),
    /// Anything else that is no file of the site: nothing the page should ever ask for.
    Other(String),
}

/// An ask that waits for its answer.
#[derive(Debug)]
pub struct Ask {
    /// The body.
    pub body: Value,
    /// `Idempotency-Key`; empty where there is none.
    pub key: String,
    /// Where the answer goes.
    pub reply: Reply,
}

/// A rejoin that waits for its answer.
#[derive(Debug)]
pub struct Rejoin {
    /// The ask.
    pub id: String,
    /// `Last-Event-ID`.
    pub after: u64,
    /// Where the answer goes.
    pub reply: Reply,
}

/// A request about runs, documents, or questions that follow up, that waits for its answer.
#[derive(Debug)]
pub struct Run {
    /// Method, path and query: `GET /runs?status=failed`.
    pub line: String,
    /// The body; null where there is none, or it is not JSON.
    pub body: Value,
    /// The body as it came.
    pub bytes: Bytes,
    /// Its headers.
    pub headers: HeaderMap,
    /// Where the answer goes.
    pub reply: Reply,
}

impl Run {
    /// A header; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Where an answer goes.
#[derive(Debug)]
pub struct Reply(oneshot::Sender<Response<Body>>);

/// A stream of events to the page. Dropping it ends it as a server does whose time is up.
#[derive(Debug)]
pub struct Events(chunks::UnboundedSender<io::Result<Bytes>>);

type Body = UnsyncBoxBody<Bytes, io::Error>;

impl Fake {
    /// Serves on a free port of this machine.
    pub async fn start(time: Time) -> Result<Fake> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.context("cannot listen")?;
        let address = listener.local_addr()?;
        let (sender, calls) = mpsc::unbounded_channel();
        let server = tokio::spawn(serve(listener, time, sender));
        Ok(Fake { address, calls, server })
    }

    /// The console's address.
    pub fn console(&self) -> String {
        format!("http://{}/console/", self.address)
    }

    /// The address of the page of runs, or of one run.
    pub fn runs(&self, id: &str) -> String {
        let place = if id.is_empty() { String::new() } else { format!("#{id}") };
        format!("http://{}/console/runs/{place}", self.address)
    }

    /// The address of the page of documents, or of one document, or of a passage of it.
    pub fn knowledge(&self, place: &str) -> String {
        let place = if place.is_empty() { String::new() } else { format!("#{place}") };
        format!("http://{}/console/knowledge/{place}", self.address)
    }

    /// The next call of the page.
    pub async fn call(&mut self) -> Result<Call> {
        let call = tokio::time::timeout(PATIENCE, self.calls.recv()).await;
        call.context("the page did not call")?.context("the server has ended")
    }

    /// The next call, which must be an ask.
    pub async fn ask(&mut self) -> Result<Ask> {
        match self.call().await? {
            Call::Ask(ask) => Ok(ask),
            other => Err(anyhow!("expected an ask, got {other:?}")),
        }
    }

    /// The next call, which must be a rejoin.
    pub async fn rejoin(&mut self) -> Result<Rejoin> {
        match self.call().await? {
            Call::Rejoin(rejoin) => Ok(rejoin),
            other => Err(anyhow!("expected a rejoin, got {other:?}")),
        }
    }

    /// The next call, which must be a stop; the ask's id.
    pub async fn stop(&mut self) -> Result<String> {
        match self.call().await? {
            Call::Stop(id) => Ok(id),
            other => Err(anyhow!("expected a stop, got {other:?}")),
        }
    }

    /// The next call, which must be this one about runs or documents.
    pub async fn run(&mut self, line: &str) -> Result<Run> {
        match self.call().await? {
            Call::Run(run) if run.line == line => Ok(run),
            other => Err(anyhow!("expected {line}, got {other:?}")),
        }
    }

    /// A call that came and was not taken.
    pub fn untaken(&mut self) -> Option<Call> {
        self.calls.try_recv().ok()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Reply {
    /// Answers with a stream of events.
    pub fn stream(self) -> Events {
        let (sender, receiver) = chunks::unbounded();
        let body = StreamBody::new(receiver.map_ok(Frame::data)).boxed_unsync();
        self.send(response(StatusCode::OK, "text/event-stream", body));
        Events(sender)
    }

    /// Answers with JSON.
    pub fn json(self, status: StatusCode, value: &Value) {
        self.send(response(status, "application/json", full(value.to_string())));
    }

    /// Answers with a text.
    pub fn text(self, media_type: &'static str, text: &str) {
        self.send(response(StatusCode::OK, media_type, full(text.to_owned())));
    }

    /// Answers without content: there is nothing more.
    pub fn nothing(self) {
        self.send(response(StatusCode::NO_CONTENT, "text/plain", full(String::new())));
    }

    /// Refuses, as the interface does outside of a stream.
    pub fn refuse(self, status: StatusCode, kind: &str, message: &str) {
        let error = serde_json::json!({ "error": { "type": kind, "message": message } });
        self.send(response(status, "application/json", full(error.to_string())));
    }

    fn send(self, response: Response<Body>) {
        // A page that left needs no answer.
        let _ = self.0.send(response);
    }
}

impl Events {
    /// Sends one event.
    pub fn event(&self, number: u64, name: &str, data: &Value) {
        self.raw(&format!("id: {number}\nevent: {name}\ndata: {data}\n\n"));
    }

    /// Sends one event that has no number: of a stream that cannot be joined again.
    pub fn unnumbered(&self, name: &str, data: &Value) {
        self.raw(&format!("event: {name}\ndata: {data}\n\n"));
    }

    /// Sends bytes as they are.
    pub fn raw(&self, text: &str) {
        let _ = self.0.unbounded_send(Ok(Bytes::copy_from_slice(text.as_bytes())));
    }

    /// Ends the stream as the end of a file does.
    pub fn end(self) {}

    /// Breaks the connection.
    pub fn cut(self) {
        let _ = self.0.unbounded_send(Err(io::ErrorKind::ConnectionReset.into()));
    }
}

async fn serve(listener: TcpListener, time: Time, calls: mpsc::UnboundedSender<Call>) {
    while let Ok((stream, _)) = listener.accept().await {
        let calls = calls.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let calls = calls.clone();
                async move { Ok::<_, Infallible>(answer(request, time, calls).await) }
            });
            // A page that leaves early is no concern of this server.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    time: Time,
    calls: mpsc::UnboundedSender<Call>,
) -> Response<Body> {
    let path = request.uri().path().to_owned();
    if let Some(name) = path.strip_prefix("/console/") {
        return file(name, time);
    }
    let method = request.method().clone();
    if path == "/openapi.json" {
        return response(StatusCode::OK, "application/json", full(DOCUMENT.to_owned()));
    }
    let after =
        request.headers().get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let (reply, answer) = oneshot::channel();
    let reply = Reply(reply);
    let call = match (method, parts.as_slice()) {
        (Method::POST, ["ask"]) => {
            let key = request.headers().get("idempotency-key");
            let key = key.and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
            let body = request.into_body().collect().await.map(|body| body.to_bytes());
            let body = serde_json::from_slice(&body.unwrap_or_default()).unwrap_or_default();
            Call::Ask(Ask { body, key, reply })
        }
        (Method::GET, ["ask", id, "events"]) => {
            Call::Rejoin(Rejoin { id: (*id).to_owned(), after: after.unwrap_or(0), reply })
        }
        (Method::POST, ["ask", id, "stop"]) => {
            let _ = calls.send(Call::Stop((*id).to_owned()));
            return response(StatusCode::ACCEPTED, "application/json", full("{}".to_owned()));
        }
        (method, ["runs" | "knowledge", ..] | ["v1", "responses", ..]) => {
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            let headers = request.headers().clone();
            let bytes = request.into_body().collect().await.map(|body| body.to_bytes());
            let bytes = bytes.unwrap_or_default();
            let body = serde_json::from_slice(&bytes).unwrap_or_default();
            Call::Run(Run { line: format!("{method} {path}{query}"), body, bytes, headers, reply })
        }
        (method, _) => {
            let _ = calls.send(Call::Other(format!("{method} {path}")));
            return response(StatusCode::NOT_FOUND, "text/plain", full("nothing here".to_owned()));
        }
    };
    let _ = calls.send(call);
    // A test that ends before it answers leaves the page without an answer.
    answer.await.unwrap_or_else(|_| {
        response(StatusCode::SERVICE_UNAVAILABLE, "text/plain", full(String::new()))
    })
}

fn file(name: &str, time: Time) -> Response<Body> {
    if name == "clock.js" && time == Time::Manual {
        let clock = include_str!("clock.js").to_owned();
        return response(StatusCode::OK, "text/javascript", full(clock));
    }
    let Some(file) = files::find(name) else {
        return response(StatusCode::NOT_FOUND, "text/plain", full("no such file".to_owned()));
    };
    let body = Full::new(Bytes::from_static(file.content)).map_err(|never| match never {});
    let mut response = response(StatusCode::OK, file.media_type, body.boxed_unsync());
    let policy = HeaderValue::from_static(files::POLICY);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

fn full(text: String) -> Body {
    Full::new(Bytes::from(text)).map_err(|never| match never {}).boxed_unsync()
}

fn response(status: StatusCode, media_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
