//! The server: takes requests, records them, plays the script's reply with its faults.

use crate::connection::Connection;
use crate::gates::Gates;
use crate::identity;
use crate::playback::{End, Playback, Write};
use crate::record::Recorded;
use crate::run::ScriptRun;
use crate::script::Script;
use anyhow::{Context, Result};
use bytes::Bytes;
use futures::StreamExt;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

type Body = UnsyncBoxBody<Bytes, io::Error>;

/// The provider while it listens; dropping it ends it and every open connection.
pub struct ScriptedProvider {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

/// How callers are treated, as far as they can tell by the time that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// What is ready leaves in one write, and when to acknowledge is left to the system.
    Prompt,
    /// As providers are met: acknowledgements are delayed on every kept-alive connection, the head
    /// leaves before the body, and each piece of a stream is a write of its own.
    AsMet,
}

struct Shared {
    run: Mutex<ScriptRun>,
    manner: Manner,
    calls: watch::Sender<usize>,
    gates: Gates,
}

impl ScriptedProvider {
    /// Listens on a free port of this machine.
    pub async fn start(script: Script) -> Result<ScriptedProvider> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0)), script).await
    }

    /// Listens on a given address: for a Quarry that is already running and configured for it.
    pub async fn start_on(address: SocketAddr, script: Script) -> Result<ScriptedProvider> {
        Self::start_as(address, script, Manner::Prompt).await
    }

    /// Listens on a given address and treats its callers like this.
    pub async fn start_as(
        address: SocketAddr,
        script: Script,
        manner: Manner,
    ) -> Result<ScriptedProvider> {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let run = Mutex::new(ScriptRun::new(script));
        let shared = Arc::new(Shared {
            run,
            manner,
            calls: watch::Sender::default(),
            gates: Gates::default(),
        });
        let server = tokio::spawn(accept(listener, shared.clone()));
        Ok(ScriptedProvider { address, shared, server })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a URL without a final slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// For `<provider>_base_url` of the providers that speak Chat Completions.
    pub fn openai_base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Puts another script in place; its rules start afresh.
    pub fn set_script(&self, script: Script) {
        self.shared.run().begin(script);
    }

    /// Everything that was asked so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.run().requests().to_vec()
    }

    /// The model calls so far.
    pub fn calls(&self) -> Vec<Recorded> {
        let mut requests = self.requests();
        requests.retain(|request| request.call.is_some());
        requests
    }

    /// Forgets what was recorded.
    pub fn forget(&self) {
        self.shared.run().forget();
    }

    /// How many model calls have arrived since the start, recorded or not.
    pub fn served(&self) -> usize {
        *self.shared.calls.borrow()
    }

    /// Waits until so many model calls have arrived since the start.
    pub async fn called(&self, count: usize) {
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = self.shared.calls.subscribe().wait_for(|calls| *calls >= count).await;
    }

    /// Waits until so many replies wait for a signal.
    pub async fn holding(&self, signal: &str, count: usize) {
        self.shared.gates.arrived(signal, count).await;
    }

    /// Waits until so many that asked for a reply that waits for a signal have hung up.
    pub async fn left(&self, signal: &str, count: usize) {
        self.shared.gates.left(signal, count).await;
    }

    /// Gives a signal, once and for all.
    pub fn release(&self, signal: &str) {
        self.shared.gates.open(signal);
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Shared {
    fn run(&self) -> std::sync::MutexGuard<'_, ScriptRun> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request and takes its reply from the script; none for what is no model call.
    fn take(&self, recorded: Recorded) -> (Arc<Script>, Option<Playback>) {
        let mut run = self.run();
        let playback = run.answer(recorded);
        let script = run.script();
        drop(run);
        if playback.is_some() {
            self.calls.send_modify(|calls| *calls += 1);
        }
        (script, playback)
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        // Frames are small and each one counts.
        let _ = stream.set_nodelay(true);
        let shared = shared.clone();
        connections.spawn(async move {
            let stream = Connection::new(stream, shared.manner);
            let service = service_fn(move |request| answer(shared.clone(), request));
            // Broken connections are part of the game.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let target = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let headers = head.headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let recorded = Recorded::new(head.method.as_str(), &target, headers.collect(), &bytes);
    let (script, playback) = shared.take(recorded);
    match playback {
        Some(playback) => play(shared, playback).await,
        None => Ok(fixed(&script, &head.method, head.uri.path())),
    }
}

/// Answers what is no model call.
fn fixed(script: &Script, method: &Method, path: &str) -> Response<Body> {
    if method != Method::GET {
        return respond(404, &json!({ "error": "no such path" }));
    }
    if let Some(file) = script.files.get(path) {
        return respond(200, file);
    }
    if path.ends_with("/models") {
        let models: Vec<_> = script
            .models
            .iter()
            .map(|id| json!({ "id": id, "object": "model", "created": 0, "owned_by": "scripted" }))
            .collect();
        return respond(200, &json!({ "object": "list", "data": models }));
    }
    if path == "/keys" {
        return match identity::key_set() {
            Ok(keys) => {
                let mut response = respond(200, &keys);
                let lifetime = HeaderValue::from_static("public, max-age=3600");
                response.headers_mut().insert(CACHE_CONTROL, lifetime);
                response
            }
            Err(error) => respond(500, &json!({ "error": error.to_string() })),
        };
    }
    respond(404, &json!({ "error": "no such path" }))
}

/// Plays a reply.
async fn play(shared: Arc<Shared>, playback: Playback) -> io::Result<Response<Body>> {
    let Playback { hold, response, end } = playback;
    if let Some(signal) = &hold {
        shared.gates.pass(signal).await;
    }
    let Some(played) = response else {
        if end == End::Silence {
            std::future::pending::<()>().await;
        }
        return Err(io::Error::other("refused by the script"));
    };
    let body = if played.is_stream {
        stream(shared, played.writes, end)
    } else {
        let bytes: Vec<u8> = played.writes.into_iter().flat_map(|write| write.bytes).collect();
        Full::new(Bytes::from(bytes)).map_err(|never| match never {}).boxed_unsync()
    };
    let mut response = with_status(played.status, body);
    for (name, value) in &played.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(io::Error::other)?;
        let value = HeaderValue::from_str(value).map_err(io::Error::other)?;
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

/// The body of a streamed completion.
fn stream(shared: Arc<Shared>, writes: Vec<Write>, end: End) -> Body {
    let writes = futures::stream::iter(writes).then(move |write| {
        let shared = shared.clone();
        async move {
            if shared.manner == Manner::AsMet {
                // What was written before leaves meanwhile.
                tokio::task::yield_now().await;
            }
            if let Some(signal) = &write.hold {
                shared.gates.pass(signal).await;
            }
            Ok(Frame::data(Bytes::from(write.bytes)))
        }
    });
    let ending = (end != End::Whole).then_some(end);
    let ending = futures::stream::iter(ending).then(|end| async move {
        if end == End::Silence {
            std::future::pending::<()>().await;
        }
        // Lets what was written leave before the connection breaks.
        tokio::task::yield_now().await;
        Err(io::Error::other("cut by the script"))
    });
    StreamBody::new(writes.chain(ending)).boxed_unsync()
}

fn respond(status: u16, body: &Value) -> Response<Body> {
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never| match never {});
    let mut response = with_status(status, body.boxed_unsync());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn with_status(status: u16, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}
