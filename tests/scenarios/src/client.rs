//! A client of Quarry's HTTP API, as plain as clients come. Whatever it receives must be as the
//! OpenAPI document says, else it fails: so every test checks the document, too.

use crate::contract::Answered;
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::combinators::{BoxBody, UnsyncBoxBody};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame, SizeHint};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use quarry_sse::Parser;
use quarry_test_provider::FOREVER;
use serde_json::Value;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

const EVENT_LIMIT: usize = 4 * 1024 * 1024;

/// What whoever may have come before is told while the store does not answer: it began nothing, and is to come again.
const SLOW: &str = "the store takes too long";

/// How often it comes again, and after how long each time. That is longer than a store is waited for that hangs.
const TRIES: usize = 60;
const PAUSE: Duration = Duration::from_millis(250);

type RequestBody = UnsyncBoxBody<Bytes, Infallible>;
type AnswerBody = BoxBody<Bytes, hyper::Error>;

/// One event as it was received.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number; 0 when the frame had none.
    pub sequence: u64,
    /// Its name.
    pub name: String,
    /// Its payload, as the bytes that came.
    pub raw: String,
    /// Its payload.
    pub data: Value,
}

impl Event {
    /// Whether a stream may end after it.
    pub fn is_last(&self) -> bool {
        matches!(
            self.name.as_str(),
            "complete"
                | "error"
                | "quota_exceeded"
                | "run_completed"
                | "run_failed"
                | "run_aborted"
        )
    }
}

/// Bytes of a stream, read as events. Each must be as documented.
pub struct Frames {
    answered: Answered,
    parser: Parser,
    ready: VecDeque<Event>,
}

impl Frames {
    /// For a stream with this place in the OpenAPI document.
    pub fn new(answered: Answered) -> Frames {
        Frames { answered, parser: Parser::new(EVENT_LIMIT), ready: VecDeque::new() }
    }

    /// Takes bytes in, cut anywhere.
    pub fn push(&mut self, chunk: &[u8]) -> Result<()> {
        let mut problem = None;
        let Frames { answered, parser, ready } = self;
        parser.push(chunk, |event| match serde_json::from_str(event.data) {
            Ok(data) => ready.push_back(Event {
                sequence: event.id.parse().unwrap_or(0),
                name: event.event.to_owned(),
                raw: event.data.to_owned(),
                data,
            }),
            Err(error) => problem = Some(format!("{}: {error}: {}", event.event, event.data)),
        })?;
        if let Some(problem) = problem {
            bail!("an event is no JSON: {problem}");
        }
        as_documented(ready.iter().flat_map(|event| answered.event(event)))
    }

    /// The next event that has come whole.
    pub fn pop(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }
}

/// A response whose body is still open. Dropping it closes the connection.
pub struct Open {
    /// The status.
    pub status: StatusCode,
    /// Header names in lower case with their values.
    pub headers: Vec<(String, String)>,
    /// Its place in the OpenAPI document.
    pub answered: Answered,
    body: AnswerBody,
    frames: Frames,
    // Keeps the connection: without a sender it would be shut down.
    _sender: SendRequest<RequestBody>,
}

impl Open {
    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The next event; none when the stream has ended, in good order or not.
    pub async fn next(&mut self) -> Result<Option<Event>> {
        // Comments that keep the connection are none.
        timeout(FOREVER, self.next_frame()).await.context("no event came for minutes")?
    }

    async fn next_frame(&mut self) -> Result<Option<Event>> {
        loop {
            if let Some(event) = self.frames.pop() {
                return Ok(Some(event));
            }
            let Some(Ok(frame)) = self.body.frame().await else { return Ok(None) };
            let Some(chunk) = frame.data_ref() else { continue };
            self.frames.push(chunk)?;
        }
    }

    /// The next bytes as they come; none at the end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        let Some(frame) = self.body.frame().await.transpose()? else { return Ok(None) };
        Ok(Some(frame.into_data().unwrap_or_default()))
    }

    /// Reads on until an event of this name and returns it.
    pub async fn until(&mut self, name: &str) -> Result<Event> {
        let mut seen = Vec::new();
        while let Some(event) = self.next().await? {
            if event.name == name {
                return Ok(event);
            }
            seen.push(event.name);
        }
        bail!("the stream ended without `{name}`; it had {}", seen.join(", "))
    }

    /// All remaining events.
    pub async fn events(mut self) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        let told =
            |events: &Vec<Event>| events.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        while let Some(event) =
            self.next().await.with_context(|| format!("behind {}", told(&events).join(", ")))?
        {
            events.push(event);
        }
        Ok(events)
    }

    /// The whole body as text.
    pub async fn text(self) -> Result<String> {
        let body = timeout(FOREVER, self.body.collect());
        let bytes = body.await.context("the body does not end")??.to_bytes();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The same, unless it says that the store was slow.
    async fn unless_slow(mut self) -> Result<Option<Open>> {
        if self.status != StatusCode::TOO_MANY_REQUESTS {
            return Ok(Some(self));
        }
        let body = timeout(FOREVER, (&mut self.body).collect());
        let body = body.await.context("the body does not end")??.to_bytes();
        let is_slow = body.windows(SLOW.len()).any(|words| words == SLOW.as_bytes());
        self.body = Full::new(body).map_err(|never| match never {}).boxed();
        Ok((!is_slow).then_some(self))
    }

    /// Whether its first event says so. It is read again with the others.
    async fn tells_of_slow_store(&mut self) -> Result<bool> {
        let Some(first) = self.next().await? else { return Ok(false) };
        let is_slow = first.name == "error" && first.raw.contains(SLOW);
        self.frames.ready.push_front(first);
        Ok(is_slow)
    }

    /// The whole body as JSON.
    pub async fn json(self) -> Result<Value> {
        let answered = self.answered.clone();
        let text = self.text().await?;
        let body = serde_json::from_str(&text);
        let body = body.with_context(|| format!("the body is no JSON: {text}"))?;
        as_documented(answered.body(&body))?;
        Ok(body)
    }
}

pub(crate) fn as_documented(wrong: impl IntoIterator<Item = String>) -> Result<()> {
    let wrong: Vec<String> = wrong.into_iter().collect();
    if !wrong.is_empty() {
        bail!("not as GET /openapi.json says:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// `GET`.
pub async fn get(url: &str, headers: &[(&str, &str)]) -> Result<Open> {
    send("GET", url, headers, String::new()).await
}

/// A request as a line has it, such as `GET /healthz`.
pub async fn by_line(
    base: &str,
    line: &str,
    headers: &[(&str, &str)],
    body: String,
) -> Result<Open> {
    let (method, path) = line.split_once(' ').context("a line has a method and a path")?;
    send(method, &format!("{base}{path}"), headers, body).await
}

/// What a request with a JSON body, or none where that is null, is answered: the status, and JSON, null where there is
/// nothing (204).
pub async fn exchanged(base: &str, line: &str, body: &Value) -> Result<(u16, Value)> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let open = by_line(base, line, &[], body).await?;
    let status = open.status.as_u16();
    Ok((status, if status == 204 { Value::Null } else { open.json().await? }))
}

/// `POST` with a JSON body, asking for a stream.
pub async fn ask(base: &str, body: &Value) -> Result<Open> {
    ask_at(&format!("{base}/"), body).await
}

/// The same at one of the addresses of an ask. What goes on with another is sent again as in [`send`]: it is told in the
/// stream that the store was slow.
pub async fn ask_at(url: &str, body: &Value) -> Result<Open> {
    let headers = [("accept", "text/event-stream"), ("content-type", "application/json")];
    let goes_on = body.get("continuation").is_some();
    for tried in 0..TRIES {
        let mut open = send("POST", url, &headers, body.to_string()).await?;
        if !goes_on || open.status != StatusCode::OK || !open.tells_of_slow_store().await? {
            return Ok(open);
        }
        comes_again(tried, "POST", url).await;
    }
    bail!("{}", given_up("POST", url))
}

/// Any request, on a connection of its own. It is sent again, as clients do, while it is refused because the store was slow
/// for a moment: a machine may stop at any time.
pub async fn send(method: &str, url: &str, headers: &[(&str, &str)], body: String) -> Result<Open> {
    let body = Bytes::from(body);
    for tried in 0..TRIES {
        let body = Full::new(body.clone()).boxed_unsync();
        let open = send_body(method, url, headers, body).await?;
        if let Some(open) = open.unless_slow().await? {
            return Ok(open);
        }
        comes_again(tried, method, url).await;
    }
    bail!("{}", given_up(method, url))
}

/// Waits for the next try. The first time it says so: a test that takes long for that reason is no mystery then.
#[expect(clippy::print_stderr, reason = "a part of the test's report")]
async fn comes_again(tried: usize, method: &str, url: &str) {
    if tried == 0 {
        eprintln!("{method} {url}: \"{SLOW}\"; sent again, {TRIES} times at most");
    }
    sleep(PAUSE).await;
}

fn given_up(method: &str, url: &str) -> String {
    let seconds = PAUSE.as_secs_f64() * TRIES as f64;
    format!(
        "{method} {url}: \"{SLOW}\" was the answer to each of {TRIES} tries, over {seconds} s and more; the store hangs, or a refusal that should pass does not"
    )
}

/// The same, sent once, for whoever wants to see that refusal.
pub async fn send_once(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: String,
) -> Result<Open> {
    send_body(method, url, headers, Full::new(Bytes::from(body)).boxed_unsync()).await
}

/// A body of so many bytes, whose pieces come when they are sent. It ends with the last byte, or
/// breaks off when the sender is dropped before.
pub fn piecewise(length: u64) -> (mpsc::UnboundedSender<Bytes>, RequestBody) {
    let (sender, pieces) = mpsc::unbounded_channel();
    (sender, Pieces { pieces, length }.boxed_unsync())
}

struct Pieces {
    pieces: mpsc::UnboundedReceiver<Bytes>,
    length: u64,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.pieces.poll_recv(context).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length)
    }
}

/// Any request with any body, on a connection of its own.
pub async fn send_body(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: RequestBody,
) -> Result<Open> {
    let rest = url.strip_prefix("http://").context("tests speak plain HTTP")?;
    let (authority, path) = match rest.find('/') {
        Some(slash) => rest.split_at(slash),
        None => (rest, "/"),
    };
    let stream = TcpStream::connect(authority).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path).header("host", authority);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = sender.send_request(request.body(body)?);
    let response = timeout(FOREVER, answer)
        .await
        .with_context(|| format!("{method} {path} was not answered for minutes"))??;
    let (head, body) = response.into_parts();
    let headers = head.headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let headers: Vec<_> = headers.collect();
    let content_type = headers.iter().find(|(name, _)| name == "content-type");
    let content_type = content_type.map(|(_, value)| value.as_str());
    let answered = Answered::new(method, path, head.status.as_u16(), content_type);
    as_documented(answered.head(&headers))?;
    Ok(Open {
        status: head.status,
        headers,
        frames: Frames::new(answered.clone()),
        answered,
        body: body.boxed(),
        _sender: sender,
    })
}
