//! The scripted server: takes cursor requests, carries them out, or does what a fault says.

use crate::fault::{Fault, Faults};
use crate::statement;
use crate::streams::{Refusal, Shared as Connection, Streams};
use crate::tls;
use crate::wire::{self, CursorRequest, PipelineRequest, Statement};
use anyhow::Result;
use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::AUTHORIZATION;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use quarry_test_provider::Gates;
use serde_json::Value;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// The token that it wants.
pub const TOKEN: &str = "canary-libsql-token-31c8";

type Body = UnsyncBoxBody<Bytes, io::Error>;

/// A libSQL server that can misbehave. Dropping it ends it and every open connection.
pub struct ScriptedServer {
    address: SocketAddr,
    /// Behind TLS: the certificate that it shows, in PEM.
    certificate: Option<String>,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

struct Shared {
    streams: Mutex<Streams>,
    faults: Mutex<Faults>,
    statements: Mutex<Vec<(String, Option<String>)>>,
    gates: Gates,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScriptedServer {
    /// Listens on a free port of this machine, with a database in this directory.
    pub async fn start(directory: &Path) -> Result<Self> {
        Self::behind(None, directory).await
    }

    /// The same behind TLS, with a certificate of its own that nobody else vouches for.
    pub async fn start_secure(directory: &Path) -> Result<Self> {
        Self::behind(Some(tls::made()?), directory).await
    }

    async fn behind(tls: Option<tls::Made>, directory: &Path) -> Result<Self> {
        let shared = Arc::new(Shared {
            streams: Mutex::new(Streams::new(directory)?),
            faults: Mutex::default(),
            statements: Mutex::default(),
            gates: Gates::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (certificate, acceptor) = tls.map(|made| (made.certificate, made.acceptor)).unzip();
        let server = tokio::spawn(accept(listener, acceptor, shared.clone()));
        Ok(ScriptedServer { address, certificate, shared, server })
    }

    /// Its address as a URL without a final slash.
    pub fn url(&self) -> String {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The certificate that it shows, in PEM; none: it speaks in the clear.
    pub fn certificate(&self) -> Option<&str> {
        self.certificate.as_deref()
    }

    /// From now on this goes wrong with statements that have these words: with those of them, counted from 0.
    pub fn fault(&self, words: &str, which: Range<u32>, fault: Fault) {
        lock(&self.shared.faults).add((words, None), which, fault);
    }

    /// The same with those of them that have this text among their values.
    pub fn fault_with(&self, (words, value): (&str, &str), which: Range<u32>, fault: Fault) {
        lock(&self.shared.faults).add((words, Some(value)), which, fault);
    }

    /// Nothing goes wrong any more.
    pub fn heal(&self) {
        lock(&self.shared.faults).clear();
    }

    /// The statements that arrived so far, whatever became of them, each with its first value if that is a
    /// text.
    pub fn statements(&self) -> Vec<(String, Option<String>)> {
        lock(&self.shared.statements).clone()
    }

    /// Forgets which statements arrived.
    pub fn forget_statements(&self) {
        lock(&self.shared.statements).clear();
    }

    /// Ends every stream, as if nobody had used it for ten seconds.
    pub fn expire(&self) {
        lock(&self.shared.streams).expire();
    }

    /// Knows no stream any more, as if it had been started anew.
    pub fn forget_streams(&self) {
        lock(&self.shared.streams).forget();
    }

    /// Waits until so many statements wait for a signal.
    pub async fn holding(&self, signal: &str, count: usize) {
        self.shared.gates.arrived(signal, count).await;
    }

    /// Gives a signal, once and for all.
    pub fn release(&self, signal: &str) {
        self.shared.gates.open(signal);
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        _ = stream.set_nodelay(true);
        let (shared, tls) = (shared.clone(), tls.clone());
        connections.spawn(async move {
            match tls {
                None => serve(stream, shared).await,
                // Who does not trust it leaves before the first request.
                Some(tls) => {
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, shared).await;
                    }
                }
            }
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, shared: Arc<Shared>) {
    let service = service_fn(move |request| answer(shared.clone(), request));
    // Broken connections are part of the game.
    _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let expected = format!("Bearer {TOKEN}");
    if request
        .headers()
        .get(AUTHORIZATION)
        .is_none_or(|given| given.as_bytes() != expected.as_bytes())
    {
        let body = r#"{"error":"Unauthenticated: `AUTH_HTTP_HEADER_MISSING`"}"#;
        return Ok(plain(StatusCode::UNAUTHORIZED, body));
    }
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    match path.as_str() {
        "/v3/cursor" => cursor(&shared, &body).await,
        // All that a client of ours sends here is the end of a stream.
        "/v3/pipeline" => {
            if let Ok(PipelineRequest { baton: Some(baton) }) = serde_json::from_slice(&body) {
                lock(&shared.streams).close(&baton);
            }
            Ok(plain(StatusCode::OK, r#"{"baton":null,"base_url":null,"results":[]}"#))
        }
        _ => Ok(plain(StatusCode::NOT_FOUND, "no such path")),
    }
}

async fn cursor(shared: &Arc<Shared>, body: &[u8]) -> io::Result<Response<Body>> {
    let request: CursorRequest = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return Ok(plain(StatusCode::BAD_REQUEST, error.to_string())),
    };
    let [step] = request.batch.steps.as_slice() else {
        return Ok(plain(StatusCode::BAD_REQUEST, "a cursor here has one step"));
    };
    let statement = &step.stmt;
    lock(&shared.statements).push((statement.sql.clone(), statement.subject()));
    let fault = lock(&shared.faults).take(statement);
    match &fault {
        Some(Fault::Hold(signal)) => shared.gates.pass(signal).await,
        Some(Fault::CutBefore) => return Err(io::Error::other("cut before")),
        Some(Fault::Status(status)) => {
            let status = StatusCode::from_u16(*status).map_err(io::Error::other)?;
            return Ok(plain(status, r#"{"error":"something went wrong"}"#));
        }
        _ => {}
    }
    if statement::is_refused(&statement.sql) {
        let why = "Internal Error: `SQL string could not be parsed: unsupported statement";
        let body = serde_json::json!({ "error": format!("{why}: {}`", statement.sql) });
        return Ok(plain(StatusCode::INTERNAL_SERVER_ERROR, body.to_string()));
    }
    let acquired = lock(&shared.streams).acquire(request.baton.as_deref());
    let (connection, baton) = match acquired {
        Ok(acquired) => acquired,
        Err(refusal) => return Ok(refused(refusal)),
    };
    let mut lines = vec![wire::head(&baton)];
    match &fault {
        Some(Fault::Busy) => lines.push(statement::busy()),
        _ => lines.extend(carry_out(connection, step.stmt.clone()).await?),
    }
    match &fault {
        Some(Fault::CutAfter) => Err(io::Error::other("cut after")),
        Some(Fault::CutInside) => Ok(Response::new(cut(&lines))),
        Some(Fault::HoldAfter(signal)) => {
            shared.gates.pass(signal).await;
            Ok(Response::new(whole(written(&lines))))
        }
        _ => Ok(Response::new(whole(written(&lines)))),
    }
}

async fn carry_out(connection: Connection, statement: Statement) -> io::Result<Vec<Value>> {
    let work = move || statement::run(&lock(&connection), &statement);
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
}

fn refused(refusal: Refusal) -> Response<Body> {
    let body = match refusal {
        Refusal::Expired => {
            r#"{"message":"The stream has expired due to inactivity","code":"STREAM_EXPIRED"}"#
        }
        Refusal::Invalid => "Received an invalid baton",
        Refusal::Reused => "Received a baton that has already been used",
    };
    plain(StatusCode::BAD_REQUEST, body)
}

fn written(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn whole(text: impl Into<Bytes>) -> Body {
    Full::new(text.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}

/// A body that breaks off behind the columns.
fn cut(lines: &[Value]) -> Body {
    let kept = written(lines.get(..2).unwrap_or(lines));
    let pieces = [Ok(Frame::data(Bytes::from(kept))), Err(io::Error::other("cut inside"))];
    StreamBody::new(futures::stream::iter(pieces)).boxed_unsync()
}

fn plain(status: StatusCode, body: impl Into<Bytes>) -> Response<Body> {
    let mut response = Response::new(whole(body));
    *response.status_mut() = status;
    response
}
