//! Responses, whole but for their sending.
//!
//! Border: status, headers and body as values; the component turns them into WASI's.

use std::borrow::Cow;

use serde_json::json;

use crate::{Cors, Event, EventName, Refusal, frames};

/// Header names are lower-case.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// A response whose body is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// Without `content-length`, which follows from the body.
    pub headers: Headers,
    /// The body.
    pub body: Cow<'static, [u8]>,
}

impl Reply {
    /// A JSON text.
    #[must_use]
    pub fn json(status: u16, body: impl Into<Cow<'static, str>>) -> Reply {
        let body = match body.into() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        Reply {
            status,
            headers: vec![
                ("content-type", "application/json".into()),
                ("cache-control", "no-cache".into()),
            ],
            body,
        }
    }

    /// No body at all.
    #[must_use]
    pub const fn empty() -> Reply {
        Reply { status: 204, headers: Headers::new(), body: Cow::Borrowed(&[]) }
    }

    /// The answer to OPTIONS.
    #[must_use]
    pub fn preflight() -> Reply {
        let mut reply = Reply::empty();
        Cors::preflight(&mut reply.headers);
        reply
    }

    /// A refusal: for JSON callers a real status, for streams 200 and one `error` event, as in
    /// the original contract. A path that does not exist is 404 for everybody.
    #[must_use]
    pub fn refusal(refusal: &Refusal, as_stream: bool, timestamp: &str) -> Reply {
        if as_stream {
            let event = Event {
                sequence: Some(1),
                name: EventName::Error,
                data: refusal.event_data(timestamp),
            };
            return Reply { status: 200, headers: stream_head(), body: frames(&[event]).into() };
        }
        let mut reply = Reply::json(refusal.status(), refusal.json());
        if let Refusal::MethodNotAllowed { allow } = refusal {
            reply.headers.push(("allow", (*allow).into()));
        }
        if let Some(seconds) = refusal.retry_after() {
            reply.headers.push(("retry-after", seconds.to_string().into()));
        }
        reply
    }
}

/// Headers of an event stream.
#[must_use]
pub fn stream_head() -> Headers {
    vec![
        ("content-type", "text/event-stream; charset=utf-8".into()),
        ("cache-control", "no-cache".into()),
        // nginx would keep events back until its buffer is full.
        ("x-accel-buffering", "no".into()),
    ]
}

/// Whether the host keeps the reader of pages out of private networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It does.
    Guarded,
    /// It does not: a public name that leads inside is read.
    Open,
    /// It cannot be told now.
    Unknown,
}

/// The answer of `GET /healthz`.
#[must_use]
pub fn health(network: Network) -> Reply {
    let network = match network {
        Network::Guarded => "guarded",
        Network::Open => "open",
        Network::Unknown => "unknown",
    };
    let version = env!("CARGO_PKG_VERSION");
    let body = json!({ "status": "ok", "version": version, "network": network });
    Reply::json(200, body.to_string())
}

/// The answer of `POST /ask/{id}/stop`: the ask ends at its next step, not now.
#[must_use]
pub fn stopping(id: &str) -> Reply {
    Reply::json(202, json!({ "id": id, "status": "stopping" }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
        reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    #[test]
    fn json_callers_get_a_real_status() {
        let reply = Reply::refusal(&Refusal::RateLimited { retry_after: 9 }, false, "T");
        assert_eq!((reply.status, header(&reply, "retry-after")), (429, Some("9")));
        let allow = "GET, OPTIONS";
        let reply = Reply::refusal(&Refusal::MethodNotAllowed { allow }, false, "T");
        assert_eq!((reply.status, header(&reply, "allow")), (405, Some(allow)));
        assert_eq!(header(&reply, "content-type"), Some("application/json"));
    }

    #[test]
    fn streams_get_one_error_event() {
        let reply = Reply::refusal(&Refusal::MissingKey("no key".into()), true, "T");
        assert_eq!(reply.status, 200);
        assert_eq!(header(&reply, "content-type"), Some("text/event-stream; charset=utf-8"));
        assert_eq!(
            String::from_utf8(reply.body.into_owned()).unwrap(),
            "id: 1\nevent: error\n\
             data: {\"error\":\"no key\",\"type\":\"missing_key\",\"timestamp\":\"T\"}\n\n"
        );
    }

    #[test]
    fn a_preflight_is_answered_without_a_body() {
        let reply = Reply::preflight();
        assert_eq!((reply.status, reply.body.len()), (204, 0));
        assert_eq!(header(&reply, "access-control-allow-methods"), Some("GET, POST, OPTIONS"));
        assert!(header(&reply, "access-control-allow-headers").unwrap().contains("Last-Event-ID"));
        assert_eq!(header(&reply, "access-control-max-age"), Some("86400"));
    }

    #[test]
    fn health_says_the_version_and_what_guards_the_network() {
        for (network, name) in
            [(Network::Guarded, "guarded"), (Network::Open, "open"), (Network::Unknown, "unknown")]
        {
            let reply = health(network);
            let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
            let version = env!("CARGO_PKG_VERSION");
            assert_eq!(body, json!({ "status": "ok", "version": version, "network": name }));
        }
    }
}
