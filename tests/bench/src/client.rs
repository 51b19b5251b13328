//! Clients with kept-alive connections that note when the first and the last byte came.
//!
//! They acknowledge at once, unless told otherwise. Spin's listener (and so the local host's) leaves
//! Nagle's algorithm on, and a client that delays its acknowledgements measures its own 40 ms timer
//! wherever a server sends two small segments and waits; real clients do, now and then.

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const JSON: &str = "application/json";

#[derive(Debug, Clone)]
pub struct Target {
    pub address: SocketAddr,
    /// As whoever wrote the address names it.
    host: String,
    method: &'static str,
    path: String,
    header: Option<(&'static str, &'static str)>,
    body: Bytes,
    content_type: String,
    /// What it takes, where that does not follow from what it sends.
    accept: Option<&'static str>,
    acknowledged: Acknowledged,
}

/// When a client says that something arrived.
#[derive(Debug, Clone, Copy)]
enum Acknowledged {
    AtOnce,
    /// With the next request, or after the system's delay.
    Late,
}

impl Target {
    pub fn get(address: SocketAddr, path: impl Into<String>) -> Target {
        let acknowledged = Acknowledged::AtOnce;
        let content_type = JSON.to_owned();
        let (host, path) = (address.to_string(), path.into());
        Target {
            address,
            host,
            method: "GET",
            path,
            header: None,
            body: Bytes::new(),
            content_type,
            accept: None,
            acknowledged,
        }
    }

    pub fn post(address: SocketAddr, path: impl Into<String>, body: &Value) -> Target {
        Target::get(address, path).posting(body)
    }

    /// Of a server by another name than its address.
    pub fn named(self, host: &str) -> Target {
        Target { host: host.to_owned(), ..self }
    }

    /// With a header of its own.
    pub fn with(self, name: &'static str, value: &'static str) -> Target {
        Target { header: Some((name, value)), ..self }
    }

    pub fn posting(self, body: &Value) -> Target {
        Target { method: "POST", body: Bytes::from(body.to_string()), ..self }
    }

    /// Bytes of a media type.
    pub fn sending(self, body: Bytes, content_type: String) -> Target {
        Target { method: "POST", body, content_type, ..self }
    }

    pub fn accepting(self, types: &'static str) -> Target {
        Target { accept: Some(types), ..self }
    }

    /// What is sent as it is gets one answer.
    fn accept(&self) -> &'static str {
        self.accept.unwrap_or(if self.content_type == JSON { "text/event-stream" } else { JSON })
    }

    pub fn acknowledged_late(self) -> Target {
        Target { acknowledged: Acknowledged::Late, ..self }
    }
}

/// One answer.
pub struct Measured {
    /// Until the first byte of the body.
    pub first_byte: Duration,
    /// Until the end.
    pub total: Duration,
    pub body: Vec<u8>,
}

/// Sends `count` requests from `clients` connections.
pub async fn run(target: &Target, clients: usize, count: usize) -> Result<Vec<Measured>> {
    run_each(vec![target.clone(); count], clients).await
}

/// Sends each of these once, from `clients` connections to the server of the first.
pub async fn run_each(targets: Vec<Target>, clients: usize) -> Result<Vec<Measured>> {
    let count = targets.len();
    let (targets, next) = (Arc::new(targets), Arc::new(AtomicUsize::new(0)));
    let mut tasks = JoinSet::new();
    for _ in 0..clients {
        let (targets, next) = (targets.clone(), next.clone());
        tasks.spawn(async move {
            let mut measured = Vec::new();
            let Some(first) = targets.first() else { return Ok(measured) };
            let mut line = Line::to(first).await?;
            while let Some(target) = targets.get(next.fetch_add(1, Ordering::SeqCst)) {
                measured.push(line.send(target).await?);
            }
            anyhow::Ok(measured)
        });
    }
    let mut all = Vec::with_capacity(count);
    while let Some(measured) = tasks.join_next().await {
        all.extend(measured??);
    }
    Ok(all)
}

pub async fn once(target: &Target) -> Result<Measured> {
    Line::to(target).await?.send(target).await
}

/// A connection that is kept.
pub struct Line(SendRequest<Full<Bytes>>);

impl Line {
    /// To a target's server.
    pub async fn to(target: &Target) -> Result<Line> {
        let stream = TcpStream::connect(target.address).await;
        let stream = stream.context("the server does not answer")?;
        stream.set_nodelay(true)?;
        let stream = Acknowledging { stream, when: target.acknowledged };
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Line(sender))
    }

    /// One request.
    pub async fn send(&mut self, target: &Target) -> Result<Measured> {
        send(&mut self.0, target).await
    }
}

async fn send(connection: &mut SendRequest<Full<Bytes>>, target: &Target) -> Result<Measured> {
    let mut request = Request::builder()
        .method(target.method)
        .uri(target.path.as_str())
        .header("host", target.host.as_str())
        .header("content-type", target.content_type.as_str())
        .header("accept", target.accept());
    if let Some((name, value)) = target.header {
        request = request.header(name, value);
    }
    let request = request.body(Full::new(target.body.clone()))?;
    let started = Instant::now();
    connection.ready().await?;
    let mut response = connection.send_request(request).await?;
    if !response.status().is_success() {
        bail!("status {}", response.status());
    }
    let (mut first_byte, mut body) = (None, Vec::new());
    while let Some(frame) = response.frame().await {
        if let Some(data) = frame?.data_ref() {
            first_byte.get_or_insert_with(|| started.elapsed());
            body.extend_from_slice(data);
        }
    }
    let total = started.elapsed();
    Ok(Measured { first_byte: first_byte.unwrap_or(total), total, body })
}

/// A connection whose system is told after each read when to acknowledge; it forgets.
struct Acknowledging {
    stream: TcpStream,
    when: Acknowledged,
}

impl AsyncRead for Acknowledging {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        #[cfg(target_os = "linux")]
        self.stream.set_quickack(matches!(self.when, Acknowledged::AtOnce))?;
        polled
    }
}

impl AsyncWrite for Acknowledging {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
