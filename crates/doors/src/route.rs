//! Which path and method lead to which door.
//!
//! Border: decides on the path and the method alone. A new route is a line in [`ROUTES`]; what the
//! OpenAPI document says of it, its door declares.

use quarry_types::Timestamp;

use crate::door::{Door, Opened, Voice};
use crate::native::{Ask, Events, Stop};
use crate::service::{Description, Health};
use crate::{Head, Refusal, Reply};

/// Characters an ask's id may have.
pub const MAX_ID_CHARACTERS: usize = 64;

/// A path, the method that it answers, and the door behind it.
#[derive(Clone, Copy)]
pub struct RouteEntry {
    /// Path; `{id}` stands for one segment.
    pub pattern: &'static str,
    /// The method, besides OPTIONS.
    pub method: &'static str,
    /// Its name in the document, and so in the clients that are made from it.
    pub name: &'static str,
    pub(crate) door: &'static dyn Door,
}

const fn route(
    pattern: &'static str,
    method: &'static str,
    name: &'static str,
    door: &'static dyn Door,
) -> RouteEntry {
    RouteEntry { pattern, method, name, door }
}

/// Every route.
pub const ROUTES: [RouteEntry; 6] = [
    route("/", "POST", "askAtRoot", &Ask),
    route("/ask", "POST", "ask", &Ask),
    route("/ask/{id}/events", "GET", "joinAsk", &Events),
    route("/ask/{id}/stop", "POST", "stopAsk", &Stop),
    route("/healthz", "GET", "health", &Health),
    route("/openapi.json", "GET", "openapi", &Description),
];

/// Where a request gets to.
pub enum Entrance {
    /// No further: this is its answer.
    Closed(Reply),
    /// To a door.
    Open(Visit),
}

/// A request at its door.
#[derive(Clone)]
pub struct Visit {
    door: &'static dyn Door,
    id: String,
}

impl Visit {
    /// Bytes that the body may have; none: it is not read.
    #[must_use]
    pub fn body_limit(&self) -> Option<usize> {
        self.door.body_limit()
    }

    /// How to answer when the body could not be read.
    #[must_use]
    pub fn voice(&self, head: &Head) -> Box<dyn Voice> {
        self.door.voice(head)
    }

    /// Reads the request.
    #[must_use]
    pub fn open(&self, head: &Head, body: &[u8]) -> Opened {
        self.door.open(head, &self.id, body)
    }
}

/// Finds a request's door. OPTIONS is answered at once; so are a path where nothing lives (404
/// for everybody) and a method that its path does not answer (405 in the door's own way).
#[must_use]
pub fn enter(head: &Head, now: Timestamp) -> Entrance {
    if head.method == "OPTIONS" {
        return Entrance::Closed(Reply::preflight());
    }
    let mut others: Option<RouteEntry> = None;
    for entry in ROUTES {
        let Some(id) = matched(entry.pattern, &head.path) else { continue };
        if entry.method == head.method {
            return Entrance::Open(Visit { door: entry.door, id: id.to_owned() });
        }
        others = others.or(Some(entry));
    }
    let Some(other) = others else {
        let unknown = "nothing lives at this path; GET /openapi.json lists what does";
        return Entrance::Closed(Reply::refusal(&Refusal::NotFound(unknown.into())));
    };
    let refusal = Refusal::MethodNotAllowed { allow: allowed(other.pattern) };
    Entrance::Closed(other.door.voice(head).refuse(&refusal, now))
}

/// Value of `Allow`: every method of a path.
fn allowed(pattern: &str) -> String {
    let methods = ROUTES.iter().filter(|entry| entry.pattern == pattern);
    let mut methods: Vec<&str> = methods.map(|entry| entry.method).collect();
    methods.push("OPTIONS");
    methods.join(", ")
}

/// What stands in the place of `{id}`, or an empty text when the pattern has none.
fn matched<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{id}") else {
        return (pattern == path).then_some("");
    };
    let id = path.strip_prefix(before)?.strip_suffix(after)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    ((1..=MAX_ID_CHARACTERS).contains(&id.len()) && id.bytes().all(plain)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Order;

    const NOW: Timestamp = Timestamp(0);

    fn head(method: &str, path: &str) -> Head {
        Head { method: method.into(), path: path.into(), ..Head::default() }
    }

    fn order(method: &str, path: &str, body: &str) -> Order {
        let head = head(method, path);
        match enter(&head, NOW) {
            Entrance::Open(visit) => visit.open(&head, body.as_bytes()).order.unwrap(),
            Entrance::Closed(reply) => Order::Reply(reply),
        }
    }

    fn closed(head: &Head) -> Reply {
        match enter(head, NOW) {
            Entrance::Closed(reply) => reply,
            Entrance::Open(_) => panic!("{head:?} found a door"),
        }
    }

    fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
        reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    #[test]
    fn paths_lead_to_doors() {
        for path in ["/", "/ask"] {
            let Order::Start(request) = order("POST", path, r#"{"query":"why?"}"#) else {
                panic!("{path} starts nothing")
            };
            assert_eq!(request.query, "why?");
        }
        let id = || "0af3".to_owned();
        let rejoined = order("GET", "/ask/0af3/events", "");
        assert_eq!(rejoined, Order::Rejoin { id: id(), after: 0 });
        assert_eq!(order("POST", "/ask/0af3/stop", ""), Order::Stop { id: id() });
        for (method, path, status) in
            [("GET", "/openapi.json", 200), ("OPTIONS", "/ask", 204), ("OPTIONS", "/nowhere", 204)]
        {
            let Order::Reply(reply) = order(method, path, "") else { panic!("{path}") };
            assert_eq!(reply.status, status, "{method} {path}");
        }
        assert_eq!(order("GET", "/healthz", ""), Order::Health);
    }

    #[test]
    fn other_methods_are_told_what_is_allowed() {
        for entry in ROUTES {
            let path = entry.pattern.replace("{id}", "0af3");
            for method in ["GET", "POST", "DELETE", "HEAD", "PURGE"] {
                if method == entry.method {
                    continue;
                }
                let reply = closed(&head(method, &path));
                assert_eq!(reply.status, 405, "{method} {path}");
                let allow = format!("{}, OPTIONS", entry.method);
                assert_eq!(header(&reply, "allow"), Some(allow.as_str()), "{method} {path}");
            }
        }
    }

    #[test]
    fn where_there_are_streams_a_refusal_can_be_one() {
        for (method, path, streams) in [
            ("GET", "/", true),
            ("DELETE", "/ask", true),
            ("POST", "/ask/0af3/events", true),
            ("GET", "/ask/0af3/stop", false),
            ("POST", "/healthz", false),
            ("GET", "/nowhere", false),
        ] {
            let accept = Some("text/event-stream".to_owned());
            let reply = closed(&Head { accept, ..head(method, path) });
            let kind = header(&reply, "content-type").unwrap();
            assert_eq!(kind.starts_with("text/event-stream"), streams, "{method} {path}");
        }
    }

    #[test]
    fn other_paths_are_unknown() {
        let long = format!("/ask/{}/events", "a".repeat(65));
        for path in ["/ask/", "/ask//events", "/ask/a/b/events", "/ask/a%2e/stop", "/v1", &long] {
            assert_eq!(closed(&head("GET", path)).status, 404, "{path}");
        }
    }
}
