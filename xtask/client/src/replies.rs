//! What Quarry answers: events as they come, JSON, texts, and refusals in words.

use crate::words;
use anyhow::{Context, Error, Result, anyhow};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::{Response, StatusCode};
use quarry_events::{Failure, FailureKind};
use quarry_sse::Parser;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;
use xtask::options::wrong;

/// Bytes that one event may have; a `quota_exceeded` carries up to 900 KB of state.
const EVENT_LIMIT: usize = 4 * 1024 * 1024;

/// Bytes of a refusal that are read, and characters that are told of it.
const REFUSAL_BYTES: usize = 64 * 1024;
const REFUSAL: usize = 2_000;
/// The field in which a program sends the access secret.
const SECRET_FIELD: &str = "`accessSecret`";
/// The longest pause that is kept before a request is made again.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// A request was refused.
#[derive(Debug)]
pub struct Refused {
    /// With which status.
    pub status: StatusCode,
    /// Why.
    pub message: String,
    /// Behind which time it may be asked again, as the server says.
    pub retry_after: Option<Duration>,
}

impl Refused {
    async fn of(response: Response<Incoming>) -> Refused {
        let status = response.status();
        let after = response.headers().get("retry-after").and_then(|after| after.to_str().ok());
        let retry_after =
            after.and_then(|after| after.trim().parse().ok()).map(Duration::from_secs);
        let body = Limited::new(response.into_body(), REFUSAL_BYTES).collect().await;
        let bytes = body.map(|body| body.to_bytes()).unwrap_or_default();
        let message = explain(&String::from_utf8_lossy(&bytes));
        Refused { status, message, retry_after }
    }
}

/// A refusal that came as the event of a stream, before anything had begun; none: what it says is no refusal, or not
/// one of whoever asks.
#[must_use]
pub fn refusal(failure: &Failure) -> Option<Refused> {
    use FailureKind::{BadContinuation, Forbidden, InvalidField, InvalidJson, Unauthorized};
    let status = match failure.kind {
        InvalidJson | InvalidField | BadContinuation => StatusCode::BAD_REQUEST,
        Unauthorized => StatusCode::UNAUTHORIZED,
        Forbidden => StatusCode::FORBIDDEN,
        _ => return None,
    };
    let message = words::shorten(&failure.error, REFUSAL);
    Some(Refused { status, message, retry_after: None })
}

/// How long to wait before what failed so is tried again; none: it would fail again. A connection that broke says nothing
/// of that, and `usual` is waited.
#[must_use]
pub fn pause(error: &Error, usual: Duration) -> Option<Duration> {
    let Some(refused) = error.downcast_ref::<Refused>() else { return Some(usual) };
    let passes = matches!(refused.status.as_u16(), 408 | 429 | 500..=599);
    let pause = refused.retry_after.unwrap_or(usual);
    (passes && pause <= LONGEST_PAUSE).then_some(pause)
}

/// A connection broke.
#[must_use]
pub fn broken() -> Error {
    anyhow!("the connection broke")
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status, self.message)
    }
}

impl std::error::Error for Refused {}

/// An error as a task tells it: where what was asked for cannot be had the options were wrong, though only the server
/// knew. And where a program would send its secret in a field, a person has it in the environment.
#[must_use]
pub fn judged(error: Error) -> Error {
    if has_status(&error, StatusCode::BAD_REQUEST) {
        return wrong(&error);
    }
    let refused = error.downcast_ref::<Refused>();
    match refused.is_some_and(|refused| refused.message.contains(SECRET_FIELD)) {
        true => anyhow!("{error:#}\nhint: set ACCESS_SECRET in the environment; it is sent along"),
        false => error,
    }
}

/// Whether what was asked for is not there.
pub fn is_missing(error: &Error) -> bool {
    has_status(error, StatusCode::NOT_FOUND)
}

fn has_status(error: &Error, status: StatusCode) -> bool {
    error.downcast_ref::<Refused>().is_some_and(|refused| refused.status == status)
}

/// One event of a stream.
pub struct Frame {
    /// Its number.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its payload, JSON.
    pub data: String,
}

/// The events of a stream.
pub struct Frames {
    body: Incoming,
    parser: Parser,
    ready: VecDeque<Frame>,
    broken: Option<hyper::Error>,
}

impl Frames {
    /// Those of an answer; none where it says that nothing is left. What is no stream is a refusal.
    pub async fn of(response: Response<Incoming>) -> Result<Option<Frames>> {
        let status = response.status();
        if status == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Err(Refused::of(response).await.into());
        }
        let (body, parser) = (response.into_body(), Parser::new(EVENT_LIMIT));
        Ok(Some(Frames { body, parser, ready: VecDeque::new(), broken: None }))
    }

    /// The next; none: the stream ended, or the connection broke, and [`Frames::why_broken`] says why. Whoever stops
    /// waiting for it loses nothing.
    pub async fn next(&mut self) -> Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            let part = match self.body.frame().await {
                None => return Ok(None),
                Some(Ok(part)) => part,
                Some(Err(why)) => {
                    self.broken = Some(why);
                    return Ok(None);
                }
            };
            let Some(chunk) = part.data_ref() else { continue };
            let ready = &mut self.ready;
            self.parser.push(chunk, |event| {
                let [id, name, data] = [event.id, event.event, event.data].map(str::to_owned);
                ready.push_back(Frame { id, name, data });
            })?;
        }
    }

    /// Why the connection broke, of a stream whose end was that; none: it ended as streams do.
    #[must_use]
    pub fn why_broken(self) -> Option<hyper::Error> {
        self.broken
    }
}

/// A text that was asked for, or the refusal.
pub async fn text(response: Response<Incoming>) -> Result<String> {
    let status = response.status();
    if status.is_success() {
        return body(response).await.context("the answer broke off");
    }
    Err(Refused::of(response).await.into())
}

/// JSON that was asked for, or the refusal.
pub async fn json(response: Response<Incoming>) -> Result<serde_json::Value> {
    let text = text(response).await?;
    serde_json::from_str(&text).context("the answer is no JSON")
}

async fn body(response: Response<Incoming>) -> Result<String> {
    let bytes = response.into_body().collect().await?.to_bytes();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// An error body in words. Whoever refuses may be anybody: no sign of it does anything to a terminal.
fn explain(body: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let message = value.pointer("/error/message").or(value.get("error"));
    match message.and_then(serde_json::Value::as_str) {
        Some(message) => words::shorten(message, REFUSAL),
        None => words::shorten(body, REFUSAL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::options::is_wrong;

    #[test]
    fn only_what_the_server_calls_wrong_is_a_wrong_option() {
        let refused =
            |status| Error::from(Refused { status, message: String::new(), retry_after: None });
        let refuses_options = |error| is_wrong(&judged(error));
        assert!(refuses_options(refused(StatusCode::BAD_REQUEST)));
        assert!(refuses_options(refused(StatusCode::BAD_REQUEST).context("more")));
        assert!(!refuses_options(refused(StatusCode::NOT_FOUND)));
        assert!(!refuses_options(anyhow::anyhow!("400")));
    }

    #[test]
    fn who_needs_a_secret_is_told_where_a_person_sets_it() {
        let message = "this server wants an access secret; send it as `accessSecret`".to_owned();
        let status = StatusCode::UNAUTHORIZED;
        let told = judged(Refused { status, message, retry_after: None }.into()).to_string();
        assert!(told.ends_with("\nhint: set ACCESS_SECRET in the environment; it is sent along"));
    }

    #[test]
    fn a_refusal_is_told_in_the_servers_words() {
        for (body, told) in [
            (r#"{"error":{"message":"no such knob"}}"#, "no such knob"),
            (r#"{"error":"gone"}"#, "gone"),
            (" bad gateway\n", "bad gateway"),
            ("\u{1b}]0;x\u{7}\u{202e}no", "]0;xno"),
        ] {
            assert_eq!(explain(body), told);
        }
        assert_eq!(explain(&"x".repeat(REFUSAL + 1)).chars().count(), REFUSAL);
    }

    #[test]
    fn what_passes_is_tried_again_when_the_server_says() {
        let usual = Duration::from_millis(500);
        let refused = |status: u16, seconds: Option<u64>| {
            let status = StatusCode::from_u16(status).unwrap();
            let retry_after = seconds.map(Duration::from_secs);
            pause(&Refused { status, message: String::new(), retry_after }.into(), usual)
        };
        assert_eq!(pause(&broken(), usual), Some(usual));
        for passing in [408, 429, 500, 503] {
            assert_eq!(refused(passing, None), Some(usual));
            assert_eq!(refused(passing, Some(7)), Some(Duration::from_secs(7)));
        }
        assert_eq!(refused(429, Some(3_600)), None, "nobody waits for an hour");
        assert_eq!([400, 404, 409].map(|status| refused(status, Some(1))), [None; 3]);
    }
}
