//! The server: takes requests, records them, plays the script's reply with its faults.

use crate::gates::Gates;
use crate::record::{Phase, Recorded, Wire};
use crate::script::{Fault, Reply, Script, Split};
use crate::{anthropic, identity, openai, pieces};
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

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    calls: watch::Sender<usize>,
    gates: Gates,
}

#[derive(Default)]
struct State {
    script: Arc<Script>,
    used: Vec<usize>,
    requests: Vec<Recorded>,
}

impl ScriptedProvider {
    /// Listens on a free port of this machine.
    pub async fn start(script: Script) -> Result<ScriptedProvider> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0)), script).await
    }

    /// Listens on a given address: for a Quarry that is already running and configured for it.
    pub async fn start_on(address: SocketAddr, script: Script) -> Result<ScriptedProvider> {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        shared.state().script = Arc::new(script);
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

    /// For `anthropic_base_url`.
    pub fn anthropic_base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Where the key set for ID tokens is.
    pub fn key_set_url(&self) -> String {
        format!("http://{}/keys", self.address)
    }

    /// Puts another script in place; its rules start afresh.
    pub fn set_script(&self, script: Script) {
        let mut state = self.shared.state();
        state.script = Arc::new(script);
        state.used.clear();
    }

    /// Everything that was asked so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// The model calls so far.
    pub fn calls(&self) -> Vec<Recorded> {
        let mut requests = self.requests();
        requests.retain(|request| request.call.is_some());
        requests
    }

    /// Forgets what was recorded.
    pub fn forget(&self) {
        self.shared.state().requests.clear();
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
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request and takes its reply from the script.
    fn take(&self, recorded: Recorded) -> Option<Reply> {
        let mut state = self.state();
        let script = state.script.clone();
        let reply = recorded.call.and_then(|_| script.reply(&recorded, &mut state.used));
        let is_call = recorded.call.is_some();
        if !script.unrecorded {
            state.requests.push(recorded);
        }
        drop(state);
        if is_call {
            self.calls.send_modify(|calls| *calls += 1);
        }
        reply
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        // Frames are small and each one counts.
        let _ = stream.set_nodelay(true);
        let shared = shared.clone();
        connections.spawn(async move {
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
    let path = head.uri.path().to_owned();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let wire = match path.as_str() {
        _ if head.method != Method::POST => None,
        path if path.ends_with("/chat/completions") => Some(Wire::OpenAi),
        path if path.ends_with("/messages") => Some(Wire::Anthropic),
        _ => None,
    };
    let headers = head.headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let recorded = Recorded {
        method: head.method.to_string(),
        path: head.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
        headers: headers.collect(),
        call: wire.map(|wire| (wire, Phase::of(wire, &body))),
        body: body.clone(),
    };
    let script = shared.state().script.clone();
    let refused = wire.and_then(|wire| refusal(&script, wire, &recorded));
    let reply = shared.take(recorded);
    let Some(wire) = wire else {
        return Ok(fixed(&script, &head.method, &path));
    };
    let unscripted = || Reply::status(418, "the script has no reply for this request");
    let reply = refused.unwrap_or_else(|| reply.unwrap_or_else(unscripted));
    play(shared, wire, reply, &body).await
}

/// A wrong key and a call that does not stream are refused, whatever the script says.
fn refusal(script: &Script, wire: Wire, request: &Recorded) -> Option<Reply> {
    let sent = match wire {
        Wire::OpenAi => {
            request.header("authorization").and_then(|value| value.strip_prefix("Bearer "))
        }
        Wire::Anthropic => request.header("x-api-key"),
    };
    if script.key.is_some() && script.key.as_deref() != sent {
        return Some(Reply::status(401, "Incorrect API key provided"));
    }
    if request.body.get("stream") != Some(&Value::Bool(true)) {
        return Some(Reply::status(400, "this provider streams only: set `stream`"));
    }
    None
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

async fn play(
    shared: Arc<Shared>,
    wire: Wire,
    reply: Reply,
    request: &Value,
) -> io::Result<Response<Body>> {
    if let Some(signal) = &reply.hold {
        shared.gates.pass(signal).await;
    }
    match reply.fault {
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::Refuse) => return Err(io::Error::other("refused by the script")),
        _ => {}
    }
    let mut response = if let Some(raw) = &reply.raw {
        let body = Full::new(Bytes::from(raw.clone())).map_err(|never| match never {});
        let media_type = reply.media_type.as_deref().unwrap_or("text/event-stream");
        typed(reply.status.unwrap_or(200), media_type, body.boxed_unsync())
    } else if let Some(status) = reply.status {
        let error = match wire {
            Wire::OpenAi => openai::error(&reply, status),
            Wire::Anthropic => anthropic::error(&reply, status),
        };
        respond(status, &error)
    } else {
        typed(200, "text/event-stream; charset=utf-8", stream(shared, wire, &reply, request))
    };
    for (name, value) in &reply.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(io::Error::other)?;
        let value = HeaderValue::from_str(value).map_err(io::Error::other)?;
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

/// The body of a streamed completion.
fn stream(shared: Arc<Shared>, wire: Wire, reply: &Reply, request: &Value) -> Body {
    let frames = with_faults(wire, reply, wire_frames(wire, reply, request));
    let mut writes = match reply.split {
        Split::Whole if reply.hold_midway.is_none() => vec![frames.concat().into_bytes()],
        Split::Whole | Split::Frames => frames.into_iter().map(String::into_bytes).collect(),
        Split::Awkward => pieces::awkward(frames.concat().as_bytes()),
    };
    let half = writes.len().div_ceil(2);
    let ending = match reply.fault {
        Some(fault @ (Fault::Cut | Fault::HangMidway)) => {
            if let [whole] = writes.as_mut_slice() {
                whole.truncate(whole.len() / 2);
            }
            writes.truncate(half);
            Some(fault)
        }
        _ => None,
    };
    let hold = reply.hold_midway.clone();
    let writes =
        futures::stream::iter(writes.into_iter().enumerate()).then(move |(index, write)| {
            // Frame 0 opens the message; of Chat Completions frame 1 is the first piece of content.
            let signal = hold.clone().filter(|_| index == 2);
            let shared = shared.clone();
            async move {
                if let Some(signal) = signal {
                    shared.gates.pass(&signal).await;
                }
                Ok(Frame::data(Bytes::from(write)))
            }
        });
    let ending = futures::stream::iter(ending).then(|fault| async move {
        if fault == Fault::HangMidway {
            std::future::pending::<()>().await;
        }
        // Lets what was written leave before the connection breaks.
        tokio::task::yield_now().await;
        Err(io::Error::other("cut by the script"))
    });
    StreamBody::new(writes.chain(ending)).boxed_unsync()
}

fn wire_frames(wire: Wire, reply: &Reply, request: &Value) -> Vec<String> {
    let end = if reply.split == Split::Awkward { "\r\n" } else { "\n" };
    let mut frames: Vec<String> = match wire {
        Wire::OpenAi => openai::frames(reply, request)
            .into_iter()
            .map(|data| format!("data: {data}{end}{end}"))
            .collect(),
        Wire::Anthropic => anthropic::frames(reply, request)
            .into_iter()
            .map(|(event, data)| format!("event: {event}{end}data: {data}{end}{end}"))
            .collect(),
    };
    if reply.split == Split::Awkward {
        frames.insert(0, format!(": the provider is thinking{end}{end}"));
    }
    frames
}

/// The faults that lie in the frames themselves.
fn with_faults(wire: Wire, reply: &Reply, mut frames: Vec<String>) -> Vec<String> {
    let half = frames.len() / 2;
    match reply.fault {
        Some(Fault::Truncate) => frames.truncate(half),
        Some(Fault::BrokenFrame) => {
            frames.insert(half, "data: {\"choices\":[{\"delta\":{\"content\":\"bro\n\n".to_owned());
        }
        Some(Fault::ErrorFrame) => {
            frames.truncate(half);
            frames.push(match wire {
                Wire::OpenAi => format!("data: {}\n\n", openai::error(reply, 500)),
                Wire::Anthropic => {
                    format!("event: error\ndata: {}\n\n", anthropic::error(reply, 529))
                }
            });
        }
        Some(Fault::Hang | Fault::HangMidway | Fault::Refuse | Fault::Cut) | None => {}
    }
    frames
}

fn respond(status: u16, body: &Value) -> Response<Body> {
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never| match never {});
    typed(status, "application/json", body.boxed_unsync())
}

fn typed(status: u16, media_type: &str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(media_type) = HeaderValue::from_str(media_type) {
        response.headers_mut().insert(CONTENT_TYPE, media_type);
    }
    response
}
