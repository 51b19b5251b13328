//! What stands before a request's body: method, address, headers.
//!
//! Border: reads what any door may need; what it means is the doors' affair.

use crate::Hidden;

/// The head of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// In capitals.
    pub method: String,
    /// Without the query string.
    pub path: String,
    /// What follows the `?`.
    pub query: Option<String>,
    /// `Accept`, all of them together.
    pub accept: Option<String>,
    /// `Origin`.
    pub origin: Option<String>,
    /// `Host`, where the runtime passes it on.
    pub host: Option<String>,
    /// `Sec-Fetch-Site`: what a browser says of the page that sends a request.
    pub fetch_site: Option<String>,
    /// `Last-Event-ID`.
    pub last_event_id: Option<String>,
    /// `Authorization`.
    pub authorization: Option<Hidden>,
    /// `api-key` or `x-api-key`: a Bearer token as some clients send it.
    pub plain_key: Option<Hidden>,
    /// `X-Provider-Key`: the caller's own key for a model's provider; what is no text in it is replaced, so that it is refused
    /// and nobody else pays.
    pub provider_key: Option<Hidden>,
    /// `x-stainless-retry-count`: how often a client of OpenAI's has sent the same before.
    pub retries: Option<u32>,
    /// `Access-Control-Request-Headers`: what a browser asks to send.
    pub wanted_headers: Option<String>,
    /// `X-Quarry-Baton`: what one instance of ours hands to the next: a lease, and a caller's own key.
    pub baton: Option<Hidden>,
    /// `Idempotency-Key`; what is no text in it is replaced, so that it is refused and not overlooked.
    pub idempotency_key: Option<String>,
    /// `Prefer`, all of them together.
    pub prefer: Option<String>,
    /// Where the request came from, as the host saw it: an address with its port.
    pub client_address: Option<String>,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// Bytes of the body, where the client told.
    pub content_length: Option<u64>,
    /// Whether a WebSocket is wanted: by its key, since hosts keep `Upgrade` to themselves.
    pub wants_socket: bool,
    /// What clients of the Model Context Protocol say of a message.
    pub mcp: McpHead,
}

/// The headers of the Model Context Protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpHead {
    /// `MCP-Protocol-Version`.
    pub version: Option<String>,
    /// `Mcp-Method`.
    pub method: Option<String>,
    /// `Mcp-Name`.
    pub name: Option<String>,
    /// `Mcp-Session-Id`.
    pub session: Option<String>,
}

impl Head {
    /// Reads a head. Header names may have any case; a value that is no text counts as absent.
    #[must_use]
    pub fn read(method: String, target: &str, headers: &[(String, Vec<u8>)]) -> Head {
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query.to_owned())),
            None => (target, None),
        };
        let values = |name: &'static str| {
            let named = headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
            named.map(|(_, value)| String::from_utf8(value.clone()).ok())
        };
        let first = |name| values(name).next().flatten();
        let lossy = |name: &'static str| {
            let named = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            named.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
        };
        // What may stand on several lines, as one line has it.
        let all = |name| {
            let values: Vec<String> = values(name).flatten().collect();
            (!values.is_empty()).then(|| values.join(", "))
        };
        Head {
            method,
            path: plain(single_slashes(path)),
            query,
            accept: all("accept"),
            origin: first("origin"),
            host: first("host"),
            fetch_site: first("sec-fetch-site"),
            last_event_id: first("last-event-id"),
            authorization: first("authorization").map(Hidden),
            plain_key: first("api-key").or_else(|| first("x-api-key")).map(Hidden),
            provider_key: lossy("x-provider-key").map(Hidden),
            retries: first("x-stainless-retry-count").and_then(|count| count.trim().parse().ok()),
            wanted_headers: first("access-control-request-headers"),
            baton: first("x-quarry-baton").map(Hidden),
            idempotency_key: lossy("idempotency-key"),
            prefer: all("prefer"),
            // Spin puts its own after any that the client sent: only the last one is true.
            client_address: values("spin-client-addr").next_back().flatten(),
            content_type: first("content-type"),
            content_length: first("content-length").and_then(|length| length.parse().ok()),
            wants_socket: values("sec-websocket-key").next().is_some(),
            mcp: McpHead {
                version: first("mcp-protocol-version"),
                method: first("mcp-method"),
                name: first("mcp-name"),
                session: first("mcp-session-id"),
            },
        }
    }

    /// The page of another site that wants something done; none: whoever asks only reads, is no page, or is one of ours.
    #[must_use]
    pub fn foreign_page(&self) -> Option<&str> {
        if matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS") {
            return None;
        }
        let origin = self.origin.as_deref()?;
        // Behind a proxy the host may be another; what a browser says of its page is not for the page to say.
        let is_own = matches!(self.fetch_site.as_deref(), Some("same-origin" | "none"));
        let host = origin.split_once("://").map(|(_, host)| host);
        (!is_own && (host.is_none() || host != self.host.as_deref())).then_some(origin)
    }

    /// Whether a body may follow that nobody has asked for. Of methods that have none by their
    /// meaning only an announced one is believed: looking for it costs time.
    #[must_use]
    pub fn may_have_body(&self) -> bool {
        match self.method.as_str() {
            "GET" | "HEAD" | "OPTIONS" => self.content_length.is_some_and(|length| length > 0),
            _ => self.content_length != Some(0),
        }
    }
}

/// Addresses are put together of a base with a slash at its end and a path with one at its beginning, or with none.
fn single_slashes(path: &str) -> String {
    let mut single = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter != '/' || !single.ends_with('/') {
            single.push(letter);
        }
    }
    if single.len() > 1 && single.ends_with('/') {
        single.pop();
    }
    single
}

/// Azure's clients put `/openai` before what they share with those of OpenAI.
fn plain(path: String) -> String {
    match path.strip_prefix("/openai").filter(|rest| rest.starts_with("/v1/")) {
        Some(shared) => shared.to_owned(),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(target: &str, headers: &[(&str, &str)]) -> Head {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
            .collect();
        Head::read("POST".into(), target, &headers)
    }

    #[test]
    fn the_first_header_counts_and_of_the_hosts_own_the_last() {
        let head = read(
            "/ask?stream=true&x=?",
            &[
                ("Accept", "a/b"),
                ("accept", "c/d"),
                ("spin-client-addr", "203.0.113.9:1"),
                ("spin-client-addr", "192.0.2.7:4000"),
                ("Content-Length", "12"),
            ],
        );
        assert_eq!((head.path.as_str(), head.query.as_deref()), ("/ask", Some("stream=true&x=?")));
        assert_eq!(head.accept.as_deref(), Some("a/b, c/d"), "it may stand on several lines");
        assert_eq!(head.client_address.as_deref(), Some("192.0.2.7:4000"));
        assert_eq!(head.content_length, Some(12));
        assert_eq!(read("/", &[]).query, None);
    }

    #[test]
    fn a_page_of_another_site_is_told_from_our_own_and_from_no_page() {
        let page = "https://a.org";
        for (headers, foreign) in [
            (&[][..], None),
            (&[("origin", page)][..], Some(page)),
            (&[("origin", page), ("host", "a.org")][..], None),
            (&[("origin", page), ("host", "b.org")][..], Some(page)),
            (&[("origin", page), ("sec-fetch-site", "same-origin")][..], None),
            (
                &[("origin", page), ("sec-fetch-site", "cross-site"), ("host", "b.org")][..],
                Some(page),
            ),
            (&[("origin", "null"), ("host", "null")][..], Some("null")),
        ] {
            assert_eq!(read("/ask", headers).foreign_page(), foreign, "{headers:?}");
            let reads = Head { method: "GET".into(), ..read("/ask", headers) };
            assert_eq!(reads.foreign_page(), None);
        }
    }

    #[test]
    fn slashes_that_meet_are_one() {
        assert_eq!(
            read("https:/v1//chat///completions?u=http://x", &[]).path,
            "https:/v1/chat/completions"
        );
        assert_eq!(read("//", &[]).path, "/");
        assert_eq!(
            read("/v1/models//?limit=1", &[]).path,
            "/v1/models",
            "the last one says nothing"
        );
    }

    #[test]
    fn azures_clients_are_at_the_same_doors() {
        let plain = |target: &str| read(target, &[]).path;
        assert_eq!(plain("/openai/v1//responses/?api-version=preview"), "/v1/responses");
        for other in ["/openai", "/openai/v1", "/openai/responses", "/openaiv1/responses"] {
            assert_eq!(plain(other), other);
        }
    }

    #[test]
    fn what_is_no_text_is_not_there() {
        let headers = [
            ("origin".to_owned(), vec![0xff]),
            ("content-length".into(), b"x".to_vec()),
            ("idempotency-key".into(), vec![0xff]),
            ("x-provider-key".into(), b"sk-\xff".to_vec()),
        ];
        let head = Head::read("GET".into(), "/", &headers);
        assert_eq!((head.origin, head.content_length), (None, None));
        // A key that would be overlooked makes a second run of what should be one.
        assert_eq!(head.idempotency_key.as_deref(), Some("\u{fffd}"));
        // And another would pay in the place of this one.
        assert_eq!(head.provider_key, Some(Hidden("sk-\u{fffd}".into())));
    }

    #[test]
    fn no_secret_is_printed_and_preferences_add_up() {
        let head = read(
            "/runs",
            &[
                ("Authorization", "Bearer sesame"),
                ("X-Quarry-Baton", "sk-sesame"),
                ("Prefer", "respond-async"),
                ("prefer", "wait=5"),
            ],
        );
        assert!(!format!("{head:?}").contains("sesame"));
        assert_eq!(head.baton, Some(Hidden("sk-sesame".into())));
        assert_eq!(head.prefer.as_deref(), Some("respond-async, wait=5"));
    }

    #[test]
    fn bodies_are_expected_where_they_are_usual_or_announced() {
        for (method, length, expected) in [
            ("GET", None, false),
            ("GET", Some(0), false),
            ("GET", Some(5), true),
            ("OPTIONS", None, false),
            ("POST", None, true),
            ("POST", Some(0), false),
            ("DELETE", Some(5), true),
        ] {
            let head = Head { method: method.into(), content_length: length, ..Head::default() };
            assert_eq!(head.may_have_body(), expected, "{method} {length:?}");
        }
    }
}
