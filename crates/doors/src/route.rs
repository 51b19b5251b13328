//! Which path and method lead to which door.
//!
//! Border: decides on the path and the method alone. A new route is a line in [`ROUTES`]; what the
//! OpenAPI document says of it, its door declares.

use quarry_types::Timestamp;

use crate::agui::AgUi;
use crate::chat::{self, Chat};
use crate::consult::Consult;
use crate::door::{Door, Opened, Voice};
use crate::knowledge::Knowledge;
use crate::mcp::Mcp;
use crate::native::{Ask, Events, Stop};
use crate::responses::{self, Responses};
use crate::runs::Runs;
use crate::service::{Description, Health};
use crate::ui::Ui;
use crate::{Head, Refusal, Reply};

/// Characters an id may have.
pub const MAX_ID_CHARACTERS: usize = 64;

/// Where one model is shown, and bytes that its name may have there.
pub(crate) const MODEL: &str = "/v1/models/{id}";
const MAX_MODEL_BYTES: usize = 600;

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
pub const ROUTES: [RouteEntry; 46] = [
    route("/", "POST", "askAtRoot", &Ask),
    route("/ask", "POST", "ask", &Ask),
    route("/ask/{id}/events", "GET", "joinAsk", &Events),
    route("/ask/{id}/stop", "POST", "stopAsk", &Stop),
    route("/v1/chat/completions", "POST", "completeChat", &Chat::Complete),
    route("/v1/models", "GET", "listModels", &Chat::List),
    route(MODEL, "GET", "showModel", &Chat::Show),
    route("/v1/responses", "POST", "createResponse", &Responses::Create),
    route("/v1/responses/{id}", "GET", "showResponse", &Responses::Show),
    route("/v1/responses/{id}", "DELETE", "deleteResponse", &Responses::Delete),
    route("/v1/responses/{id}/input_items", "GET", "listInputItems", &Responses::Items),
    route("/v1/responses/{id}/cancel", "POST", "cancelResponse", &Responses::Cancel),
    route("/api/chat", "POST", "chatForPage", &Ui::Chat),
    route("/api/chat/{id}/stream", "GET", "joinChatOfPage", &Ui::Rejoin),
    route("/api/chat/{id}/stop", "POST", "stopChatOfPage", &Ui::Stop),
    route("/agui", "POST", "runAgent", &AgUi::Run),
    route("/agui/capabilities", "GET", "showCapabilities", &AgUi::Capabilities),
    route("/mcp", "POST", "sendMessage", &Mcp::Send),
    route("/mcp", "GET", "joinMessages", &Mcp::Join),
    route("/mcp", "DELETE", "endSession", &Mcp::End),
    route("/mcp/connector", "POST", "sendToConnector", &Mcp::Connect),
    route("/knowledge/ask", "POST", "askKnowledge", &Consult),
    route("/runs", "POST", "createRun", &Runs::Create),
    route("/runs", "GET", "listRuns", &Runs::List),
    route("/runs/drive", "POST", "driveDueRuns", &Runs::DriveDue),
    route("/runs/{id}", "GET", "showRun", &Runs::Show),
    route("/runs/{id}", "DELETE", "deleteRun", &Runs::Delete),
    route("/runs/{id}/events", "GET", "joinRun", &Runs::Events),
    route("/runs/{id}/abort", "POST", "abortRun", &Runs::Abort),
    route("/runs/{id}/resume", "POST", "resumeRun", &Runs::Resume),
    route("/runs/{id}/guidance", "POST", "guideRun", &Runs::Guide),
    route("/runs/{id}/fork", "POST", "forkRun", &Runs::Fork),
    route("/runs/{id}/report", "GET", "showReport", &Runs::Report),
    route("/runs/{id}/trace", "GET", "showTrace", &Runs::Trace),
    route("/runs/{id}/drive", "POST", "driveRun", &Runs::Drive),
    route("/knowledge/documents", "POST", "loadDocuments", &Knowledge::Load),
    route("/knowledge/documents", "GET", "listDocuments", &Knowledge::List),
    route("/knowledge/documents/{id}", "GET", "showDocument", &Knowledge::Show),
    route("/knowledge/documents/{id}", "DELETE", "deleteDocument", &Knowledge::Delete),
    route("/knowledge/documents/{id}/chunks", "GET", "listChunks", &Knowledge::Chunks),
    route("/knowledge/search", "POST", "searchKnowledge", &Knowledge::Search),
    route("/knowledge/collections", "GET", "listCollections", &Knowledge::Collections),
    route("/knowledge/collections/{id}/stats", "GET", "showStats", &Knowledge::Stats),
    route("/knowledge/collections/{id}/reindex", "POST", "reindexCollection", &Knowledge::Reindex),
    route("/healthz", "GET", "health", &Health),
    route("/openapi.json", "GET", "openapi", &Description),
];

/// What whoever only wants to know whether it is there may ask for without its body. What is told as it comes is none
/// of it: that begins something.
const WITHOUT_BODY: [&str; 4] = ["/healthz", "/openapi.json", "/v1/models", MODEL];

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

    /// Bytes that it may have of somebody whose head does not prove that it is let in; none: as many as of all.
    #[must_use]
    pub fn stranger_limit(&self) -> Option<usize> {
        self.door.stranger_limit()
    }

    /// The page of another site that the rule of `cors_allowed_origins` is about; none: there is none, or the door judges it.
    #[must_use]
    pub fn foreign_page<'h>(&self, head: &'h Head) -> Option<&'h str> {
        head.foreign_page().filter(|_| !self.door.judges_pages())
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
    let found = pattern(&head.path).filter(|_| !responses::is_elsewhere(head));
    let Some((pattern, id)) = found else {
        if head.method == "OPTIONS" {
            return Entrance::Closed(Reply::preflight(head.wanted_headers.as_deref()));
        }
        let refusal = Refusal::NotFound(chat::instead(&head.path).into());
        return Entrance::Closed(if chat::is_ours(&head.path) {
            chat::nothing_here(&refusal)
        } else {
            Reply::refusal(&refusal)
        });
    };
    if head.method == "OPTIONS" {
        return Entrance::Closed(Reply::preflight_of(
            allowed(pattern),
            head.wanted_headers.as_deref(),
        ));
    }
    // The server leaves the body out.
    let method = match head.method.as_str() {
        "HEAD" if WITHOUT_BODY.contains(&pattern) => "GET",
        method => method,
    };
    if let Some(entry) = of(pattern).find(|entry| entry.method == method) {
        return Entrance::Open(Visit { door: entry.door, id: id.to_owned() });
    }
    let refusal = Refusal::MethodNotAllowed { allow: allowed(pattern) };
    let other = of(pattern).next();
    Entrance::Closed(match other {
        Some(other) => other.door.voice(head).refuse(&refusal, now),
        None => Reply::refusal(&refusal),
    })
}

/// Whether a door at a request's path judges itself which pages may call, and read what is answered there: whatever the
/// method, since a browser asks first.
#[must_use]
pub fn judges_pages(head: &Head) -> bool {
    let found = pattern(&head.path);
    found.is_some_and(|(pattern, _)| of(pattern).any(|entry| entry.door.judges_pages()))
}

/// The pattern of a path, and what stands in the place of its `{id}`. A path that is written out wins over
/// one with an id: its word is nobody's.
fn pattern(path: &str) -> Option<(&'static str, &str)> {
    let written = ROUTES.iter().find(|entry| entry.pattern == path);
    let written = written.map(|entry| (entry.pattern, ""));
    written.or_else(|| {
        ROUTES.iter().find_map(|entry| Some((entry.pattern, matched(entry.pattern, path)?)))
    })
}

/// The routes of a pattern.
fn of(pattern: &str) -> impl Iterator<Item = &'static RouteEntry> {
    static TABLE: [RouteEntry; ROUTES.len()] = ROUTES;
    TABLE.iter().filter(move |entry| entry.pattern == pattern)
}

/// Value of `Allow`: every method of a path.
pub(crate) fn allowed(pattern: &str) -> String {
    let mut methods: Vec<&str> = of(pattern).map(|entry| entry.method).collect();
    methods.extend(WITHOUT_BODY.contains(&pattern).then_some("HEAD"));
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
    // A model's name has a provider in front and, with some, a slash, which clients write as a percent sign.
    if pattern == MODEL {
        let named = |byte: u8| plain(byte) || b".:%@+/".contains(&byte);
        return ((1..=MAX_MODEL_BYTES).contains(&id.len()) && id.bytes().all(named)).then_some(id);
    }
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
        assert_eq!(order("HEAD", "/healthz", ""), Order::Health);
        assert_eq!(closed(&head("HEAD", "/ask/0af3/events")).status, 405, "it would be told");
    }

    #[test]
    fn a_body_is_read_as_json_whatever_its_content_type() {
        for entry in ROUTES.iter().filter(|entry| entry.method == "POST") {
            let path = entry.pattern.replace("{id}", "0af3");
            let read = |kind: &str| {
                let head = Head { content_type: Some(kind.to_owned()), ..head("POST", &path) };
                match enter(&head, NOW) {
                    Entrance::Open(visit) => Ok(visit.open(&head, br#"{"query":"why?"}"#).order),
                    Entrance::Closed(reply) => Err(reply.status),
                }
            };
            // The first is what curl says of what it is given with `-d`.
            for kind in ["application/x-www-form-urlencoded", "text/plain", "application/xml"] {
                assert_eq!(read(kind), read("application/json"), "{path}, {kind}");
            }
        }
    }

    /// Whoever sends it is let in, or not, by what is read of it.
    #[test]
    fn no_body_is_read_that_holds_more_values_than_may_be() {
        let many = format!(r#"{{"x":[{}]}}"#, vec!["0"; 100_000].join(","));
        for entry in ROUTES.iter().filter(|entry| entry.door.body_limit().is_some()) {
            let path = entry.pattern.replace("{id}", "019b0000000000000000000000000af3");
            let head = head(entry.method, &path);
            let Entrance::Open(visit) = enter(&head, NOW) else { panic!("{path}") };
            match visit.open(&head, many.as_bytes()).order {
                Err(refusal) => assert!(refusal.to_string().contains("100000 values"), "{path}"),
                Ok(Order::Mcp(_)) => {}
                Ok(order) => panic!("{path}: {order:?}"),
            }
        }
    }

    #[test]
    fn other_methods_are_told_what_is_allowed() {
        for entry in ROUTES {
            let path = entry.pattern.replace("{id}", "0af3");
            for method in ["GET", "POST", "DELETE", "HEAD", "PURGE"] {
                let allow = allowed(entry.pattern);
                if allow.split(", ").any(|allowed| allowed == method) {
                    continue;
                }
                let reply = closed(&head(method, &path));
                assert_eq!(reply.status, 405, "{method} {path}");
                assert_eq!(header(&reply, "allow"), Some(allow.as_str()), "{method} {path}");
            }
        }
    }

    #[test]
    fn a_path_tells_all_of_its_methods() {
        for (path, allow) in [
            ("/runs", "POST, GET, OPTIONS"),
            ("/runs/0af3", "GET, DELETE, OPTIONS"),
            ("/runs/drive", "POST, OPTIONS"),
            ("/runs/0af3/drive", "POST, OPTIONS"),
            ("/runs/0af3/report", "GET, OPTIONS"),
            ("/ask", "POST, OPTIONS"),
        ] {
            let refused = closed(&head("PATCH", path));
            assert_eq!((refused.status, header(&refused, "allow")), (405, Some(allow)), "{path}");
            let preflight = closed(&head("OPTIONS", path));
            assert_eq!((preflight.status, header(&preflight, "allow")), (204, Some(allow)));
            let for_browsers = header(&preflight, "access-control-allow-methods").unwrap();
            for method in allow.split(", ") {
                assert!(for_browsers.contains(method), "{method} not in {for_browsers}");
            }
        }
    }

    #[test]
    fn a_path_has_one_rule_of_pages_whatever_is_done_there() {
        for entry in ROUTES {
            let path = entry.pattern.replace("{id}", "0af3");
            for method in [entry.method, "OPTIONS", "PURGE"] {
                let is_own = judges_pages(&head(method, &path));
                assert_eq!(is_own, entry.door.judges_pages(), "{method} {path}");
                assert_eq!(is_own, ["/mcp", "/mcp/connector"].contains(&&*path), "{method} {path}");
            }
        }
        assert!(!judges_pages(&head("GET", "/nowhere")));
    }

    #[test]
    fn what_this_protocol_has_and_we_have_not_is_not_found() {
        let socket = Head { wants_socket: true, ..head("GET", "/v1/responses") };
        let others = [
            head("POST", "/v1/responses/compact"),
            head("POST", "/v1/responses/input_tokens"),
            head("GET", "/v1/responses/compact"),
            head("POST", "/v1/conversations"),
        ];
        for head in others.into_iter().chain([socket]) {
            let reply = closed(&head);
            assert_eq!(reply.status, 404, "{head:?}");
            let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(body["error"]["code"], "not_found");
        }
        assert_eq!(closed(&head("GET", "/v1/responses")).status, 405);
        assert!(matches!(order("GET", "/v1/responses/resp_0af3", ""), Order::Response(_)));
    }

    #[test]
    fn who_asks_for_a_deployment_is_told_what_there_is() {
        for path in ["/openai/deployments/quarry/chat/completions", "/openai/responses"] {
            let reply = closed(&head("POST", path));
            assert_eq!(reply.status, 404, "{path}");
            let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(body["error"]["code"], "not_found");
            assert!(
                body["error"]["message"].as_str().unwrap().contains("/v1 as its base"),
                "{body}"
            );
        }
    }

    #[test]
    fn drive_is_no_run() {
        for method in ["GET", "DELETE"] {
            let reply = closed(&head(method, "/runs/drive"));
            assert_eq!((reply.status, header(&reply, "allow")), (405, Some("POST, OPTIONS")));
        }
        assert!(matches!(order("POST", "/runs/drive", ""), Order::Run(_)));
    }

    #[test]
    fn where_there_are_streams_a_refusal_can_be_one() {
        for (method, path, streams) in [
            ("GET", "/", true),
            ("DELETE", "/ask", true),
            ("POST", "/ask/0af3/events", true),
            ("GET", "/ask/0af3/stop", false),
            ("POST", "/healthz", false),
            ("PUT", "/runs", false),
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
        for path in [
            "/ask/",
            "/ask//events",
            "/ask/a/b/events",
            "/ask/a%2e/stop",
            "/v1",
            "/runs/",
            "/runs//events",
            "/runs/a/b",
            "/runs/a/events/",
            &long,
        ] {
            assert_eq!(closed(&head("GET", path)).status, 404, "{path}");
        }
    }
}
