//! A database on a libSQL server, as Spin 4.1 has it: with what libsql 0.5.0 does for it, and no more.
//!
//! Each statement is a request of its own (`POST /v3/cursor`). A connection is a stream of the server's, which
//! hands a baton from one answer to the next; once it has refused a baton, because nobody used the stream for
//! ten seconds or because it was started anew, the connection fails for good. What changes and row ids come to
//! is never asked for. An answer that ends behind its rows is taken for whole.
//!
//! Source: `crates/sqlite-libsql` of Spin, and `src/hrana` of that crate.

mod refused;
mod wire;

use std::fmt::Display;
use std::pin::Pin;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http::header::AUTHORIZATION;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::RootCertStore;
use tokio::sync::Mutex;

use super::answer::{Answer, Telling, asked};
use crate::bindings::sqlite::{Error, RowResult, Value};
use crate::runtime_config::LibSql;
use wire::{Entry, Head};

/// What a connection tells of changes, whatever changed.
pub(crate) const CHANGES: u64 = 0;

/// What a connection tells of the last row that was inserted.
pub(crate) const LAST_INSERT_ROWID: i64 = 0;

type Http = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A connection to a server.
pub(crate) struct RemoteConnection {
    url: String,
    authorization: String,
    client: Http,
    /// What goes on with the stream; held until the first line of an answer is there.
    baton: Mutex<Option<String>>,
}

impl std::fmt::Debug for RemoteConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteConnection").field("url", &self.url).finish_non_exhaustive()
    }
}

impl RemoteConnection {
    pub(crate) fn new(database: &LibSql, roots: Arc<RootCertStore>) -> Self {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        let tls =
            rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        Self {
            url: database.url.0.trim_end_matches('/').to_owned(),
            authorization: format!("Bearer {}", database.token.0),
            client: Client::builder(TokioExecutor::new()).build(connector),
            baton: Mutex::default(),
        }
    }

    /// Begins a statement, and waits for its columns.
    pub(crate) async fn execute(
        self: Arc<Self>,
        statement: String,
        parameters: Vec<Value>,
    ) -> Result<Answer, Error> {
        let (mut telling, asked) = asked();
        tokio::spawn(async move {
            let done = self.run(&statement, &parameters, &mut telling).await;
            telling.end(done);
        });
        asked.answer().await
    }

    async fn run(
        &self,
        statement: &str,
        parameters: &[Value],
        telling: &mut Telling,
    ) -> Result<(), Error> {
        if let Some(why) = refused::by_client(statement) {
            return Err(Error::Io(why));
        }
        let mut lines = self.open_cursor(statement, parameters).await?;
        let mut has_begun = false;
        while let Some(line) = lines.next().await.map_err(cursor)? {
            match serde_json::from_slice(&line).map_err(json)? {
                Entry::StepBegin { cols } => {
                    has_begun = true;
                    let names = cols.into_iter().map(|column| column.name.unwrap_or_default());
                    telling.columns(names.collect())?;
                }
                Entry::Row { row } => {
                    let values = row.into_iter().map(wire::Cell::value);
                    telling.row(RowResult { values: values.collect::<Result<_, _>>()? }).await?;
                }
                Entry::StepEnd {} => break,
                Entry::StepError { error: wire::Failure { message, code } } => {
                    let why = format!("error at step 0: (error code: {code}) `{message}`");
                    return Err(cursor(why));
                }
                Entry::Error { error } => return Err(cursor(error)),
            }
        }
        if has_begun { Ok(()) } else { Err(cursor("cursor stream ended prematurely")) }
    }

    /// Sends a statement, and keeps the baton that its answer begins with.
    async fn open_cursor(&self, statement: &str, parameters: &[Value]) -> Result<Lines, Error> {
        let mut baton = self.baton.lock().await;
        let body = wire::request(baton.as_deref(), statement, parameters);
        let response = self.send("/v3/cursor", body).await.map_err(http)?;
        let status = response.status();
        let mut lines = Lines { body: response.into_body(), read: BytesMut::new() };
        if status != StatusCode::OK {
            let body = lines.rest().await.map_err(http)?;
            return Err(hrana(format!("api error: `{}`", String::from_utf8_lossy(&body))));
        }
        let Some(head) = lines.next().await.map_err(http)? else {
            return Err(cursor("cursor stream ended prematurely"));
        };
        let Head { baton: next } = serde_json::from_slice(&head).map_err(json)?;
        *baton = next;
        Ok(lines)
    }

    async fn send(&self, path: &str, body: String) -> Result<Response<Incoming>, String> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("{}{path}", self.url))
            .header(AUTHORIZATION, &self.authorization)
            .header("x-libsql-client-version", "libsql-remote-0.5.0")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| error.to_string())?;
        self.client.request(request).await.map_err(|error| chain(&error))
    }
}

impl Drop for RemoteConnection {
    fn drop(&mut self) {
        let Some(baton) = self.baton.get_mut().take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (url, authorization) = (self.url.clone(), self.authorization.clone());
        let client = self.client.clone();
        // Nobody waits for it, and the server forgets the stream anyway.
        runtime.spawn(async move {
            let closing = Self { url, authorization, client, baton: Mutex::default() };
            _ = closing.send("/v3/pipeline", wire::close(&baton)).await;
        });
    }
}

/// The lines of an answer, as they come.
struct Lines {
    body: Incoming,
    read: BytesMut,
}

impl Lines {
    /// The next line without its end; none when there are no more.
    async fn next(&mut self) -> Result<Option<BytesMut>, String> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let mut line = self.read.split_to(end + 1);
                line.truncate(end);
                return Ok(Some(line));
            }
            match Pin::new(&mut self.body).frame().await {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.read.extend_from_slice(&data);
                    }
                }
                Some(Err(error)) => return Err(chain(&error)),
                None if self.read.is_empty() => return Ok(None),
                None => return Ok(Some(self.read.split())),
            }
        }
    }

    async fn rest(mut self) -> Result<BytesMut, String> {
        while let Some(frame) = self.body.frame().await {
            if let Ok(data) = frame.map_err(|error| chain(&error))?.into_data() {
                self.read.extend_from_slice(&data);
            }
        }
        Ok(self.read)
    }
}

fn hrana(why: impl Display) -> Error {
    Error::Io(format!("Hrana: `{why}`"))
}

fn http(why: String) -> Error {
    hrana(format!("http error: `{why}`"))
}

fn cursor(why: impl Display) -> Error {
    hrana(format!("cursor error: `{why}`"))
}

fn json(error: serde_json::Error) -> Error {
    hrana(format!("json error: `{error}`"))
}

/// An error with all that led to it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
