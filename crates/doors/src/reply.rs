//! Responses, whole but for their sending.
//!
//! Border: status, headers and body as values; the component turns them into WASI's.

use std::borrow::Cow;

use quarry_admission::Cors;
pub use quarry_admission::cors::Headers;
use serde::Serialize;
use serde_json::json;

use crate::Refusal;

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
    /// The answer of `GET /healthz`.
    #[must_use]
    pub fn health(network: Network, database: Database) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        let health = Health { status: Alive::Ok, version, network, database };
        Reply::json(200, json!(health).to_string())
    }

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

    /// The answer to OPTIONS. `wanted` is what the browser asks to send.
    #[must_use]
    pub fn preflight(wanted: Option<&str>) -> Reply {
        let mut reply = Reply::empty();
        Cors::preflight(wanted, &mut reply.headers);
        reply
    }

    /// The answer to OPTIONS where something lives, which answers these methods.
    #[must_use]
    pub(crate) fn preflight_of(allow: String, wanted: Option<&str>) -> Reply {
        let mut reply = Reply::preflight(wanted);
        reply.headers.retain(|(name, _)| *name != "allow");
        reply.headers.push(("allow", allow.into()));
        reply
    }

    /// A refusal with a real status, for whoever reads JSON.
    #[must_use]
    pub fn refusal(refusal: &Refusal) -> Reply {
        let mut reply = Reply::json(refusal.status(), refusal.json());
        if let Refusal::MethodNotAllowed { allow } = refusal {
            reply.headers.push(("allow", allow.clone().into()));
        }
        reply.headers.extend(refusal.retry_after().map(retry_after));
        reply
    }

    /// An event stream that is over.
    #[must_use]
    pub fn stream(frames: Vec<u8>) -> Reply {
        Reply { status: 200, headers: stream_head(), body: frames.into() }
    }

    /// The ask with this id ends at its next step, not now.
    #[must_use]
    pub fn stopping(id: &str) -> Reply {
        Reply::json(202, json!(Stopping { id, status: Stops::Stopping }).to_string())
    }
}

/// A header with its value.
type Header = (&'static str, Cow<'static, str>);

/// How to prove who one is, said with each 401 of a door whose clients send a Bearer.
pub(crate) const fn challenge() -> Header {
    ("www-authenticate", Cow::Borrowed("Bearer"))
}

/// After how many seconds a retry may help.
pub(crate) fn retry_after(seconds: u64) -> Header {
    ("retry-after", seconds.to_string().into())
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

/// The server is alive.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Health {
    /// Always `ok`.
    status: Alive,
    /// Of this program.
    version: &'static str,
    /// Whether the host keeps the reader of pages out of private networks. `open`: no network
    /// rules are in force, and a public name that resolves to a private address is read; use the
    /// shipped runtime-config.toml. `unknown`: it cannot be told now.
    network: Network,
    /// Whether there is a SQLite database that runs and logs are kept in. Where it is `memory` (each
    /// connection has one of its own; give Spin a state directory) or `missing` (not granted), logs lie in
    /// key-value. With all but `kept` runs are refused.
    database: Database,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Alive {
    Ok,
}

/// The ask ends at its next step.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Stopping<'a> {
    /// The ask's id.
    id: &'a str,
    /// Always `stopping`.
    status: Stops,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Stops {
    Stopping,
}

/// Whether the host keeps the reader of pages out of private networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Network {
    /// It does.
    Guarded,
    /// It does not: a public name that leads inside is read.
    Open,
    /// It cannot be told now.
    Unknown,
}

/// Whether there is a database that runs and logs can be kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Database {
    /// All connections share it.
    Kept,
    /// It is in memory, where each connection has one of its own.
    Memory,
    /// The operator granted none.
    Missing,
    /// It does not answer now, or a newer version wrote it.
    Failing,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
        reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    #[test]
    fn a_refusal_has_its_status_and_headers() {
        let reply = Reply::refusal(&Refusal::RateLimited { retry_after: 9 });
        assert_eq!((reply.status, header(&reply, "retry-after")), (429, Some("9")));
        let allow = "GET, OPTIONS".to_owned();
        let reply = Reply::refusal(&Refusal::MethodNotAllowed { allow: allow.clone() });
        assert_eq!((reply.status, header(&reply, "allow")), (405, Some(allow.as_str())));
        assert_eq!(header(&reply, "content-type"), Some("application/json"));
    }

    #[test]
    fn a_preflight_is_answered_without_a_body() {
        let reply = Reply::preflight(None);
        assert_eq!((reply.status, reply.body.len()), (204, 0));
        assert_eq!(
            header(&reply, "access-control-allow-methods"),
            Some("GET, POST, DELETE, OPTIONS")
        );
        assert!(header(&reply, "access-control-allow-headers").unwrap().contains("Last-Event-ID"));
        assert_eq!(header(&reply, "access-control-max-age"), Some("86400"));
    }

    #[test]
    fn health_says_the_version_and_what_guards_the_network() {
        for (network, name) in
            [(Network::Guarded, "guarded"), (Network::Open, "open"), (Network::Unknown, "unknown")]
        {
            let reply = Reply::health(network, Database::Kept);
            let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
            let version = env!("CARGO_PKG_VERSION");
            let ok =
                json!({ "status": "ok", "version": version, "network": name, "database": "kept" });
            assert_eq!(body, ok);
        }
    }
}
