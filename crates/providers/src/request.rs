//! A chat request as the HTTP request that a provider wants.
//!
//! Border: an address, headers and bytes. Nothing is sent here.

use crate::catalogue::{self, Wire};
use crate::refused::Refused;
use crate::{chat_completions, messages, responses};
use quarry_types::{ChatError, ChatRequest};
use std::net::IpAddr;

/// Where a provider is: a base address from configuration, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Whether it is `https`.
    pub tls: bool,
    /// Host, and port where there is one.
    pub authority: String,
    /// The path before the endpoint's own, without a closing slash; may be empty.
    pub path: String,
}

impl Address {
    /// Takes a base address apart. `variable` names the setting, for the error.
    ///
    /// # Errors
    /// [`ChatError::Unsent`] when it is not an absolute http(s) address, or carries credentials:
    /// keys have variables of their own that nothing prints.
    pub fn parse(base_url: &str, variable: &str) -> Result<Self, ChatError> {
        let wrong = |why: &str| ChatError::Unsent {
            message: format!("{variable} {why}; write it like https://host/v1"),
        };
        let text = base_url.trim();
        let (tls, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest),
            _ => return Err(wrong("is not an http or https address")),
        };
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at_checked(at).unwrap_or((rest, "")),
            None => (rest, ""),
        };
        if authority.is_empty() {
            return Err(wrong("names no host"));
        }
        if authority.contains('@') {
            return Err(wrong("must not contain a user name or password"));
        }
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#');
        if rest.contains(is_odd) {
            return Err(wrong("must have neither a query nor blanks"));
        }
        let path = path.trim_end_matches('/').to_owned();
        Ok(Address { tls, authority: authority.to_owned(), path })
    }
}

/// Bytes that one segment takes at most on the way to another machine: Ethernet's.
const SEGMENT: usize = 1_460;
/// Within a private network, some of which have frames of 9,001 bytes. To fill one that has not costs microseconds.
const SEGMENT_NEARBY: usize = 8_961;
/// Within the same machine.
const SEGMENT_WITHIN: usize = 65_536;

impl Address {
    fn longest_segment(&self) -> usize {
        let host = self.host().to_ascii_lowercase();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
        match bare.parse().ok().map(|address: IpAddr| address.to_canonical()) {
            Some(address) if address.is_loopback() || address.is_unspecified() => SEGMENT_WITHIN,
            None if host == "localhost" || host.ends_with(".localhost") => SEGMENT_WITHIN,
            // Who speaks TLS there speaks it to a gateway, behind other networks.
            _ if self.tls => SEGMENT,
            Some(IpAddr::V4(address)) if address.is_private() => SEGMENT_NEARBY,
            Some(IpAddr::V6(address)) if address.is_unique_local() => SEGMENT_NEARBY,
            None if !host.contains('.') => SEGMENT_NEARBY,
            _ => SEGMENT,
        }
    }

    /// Without the port.
    fn host(&self) -> &str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => &self.authority,
        }
    }
}

/// A JSON text, with blanks behind it until it fills a segment.
///
/// A host that leaves Nagle's algorithm on, as Spin does, sends a request's head by itself and holds
/// what is shorter than a segment back until the head is acknowledged, which takes the other side up
/// to 40 ms on a connection that was used before. A whole segment leaves at once, and what follows it
/// does not wait, because two segments are acknowledged at once (RFC 1122, 4.2.3.2 and 4.2.3.4). JSON
/// may be followed by blanks (RFC 8259, section 2).
fn filled(mut body: Vec<u8>, segment: usize) -> Vec<u8> {
    if body.len() < segment {
        body.resize(segment, b' ');
    }
    body
}

/// What an HTTP request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Sends a body.
    Post,
}

/// An HTTP request, ready to send.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// What it does.
    pub method: Method,
    /// Whether to speak TLS.
    pub tls: bool,
    /// Host, and port where there is one.
    pub authority: String,
    /// The path.
    pub path: String,
    /// Headers, lower case. One of them may hold the key, so this type does not print them.
    pub headers: Vec<(String, Vec<u8>)>,
    /// JSON, empty for a GET.
    pub body: Vec<u8>,
}

impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpRequest")
            .field("authority", &self.authority)
            .field("path", &self.path)
            .field("body", &String::from_utf8_lossy(&self.body))
            .finish_non_exhaustive()
    }
}

/// Builds the HTTP request for a chat request, without what was refused of it before.
#[must_use]
pub fn build(
    request: &ChatRequest,
    refused: &Refused,
    address: &Address,
    key: Option<&str>,
) -> HttpRequest {
    let wire = catalogue::wire(&request.model, refused);
    let body = match wire {
        Wire::Responses => responses::body(request, refused),
        Wire::Messages => messages::body(request, refused),
        Wire::ChatCompletions | Wire::BuiltIn => chat_completions::body(request, refused),
    };
    let path = format!("{}{}", address.path, catalogue::endpoint(wire));
    post(address, path, wire, key, "text/event-stream", body)
}

/// A request that sends JSON to a provider.
pub(crate) fn post(
    address: &Address,
    path: String,
    wire: Wire,
    key: Option<&str>,
    accept: &str,
    body: Vec<u8>,
) -> HttpRequest {
    let body = filled(body, address.longest_segment());
    let header = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
    let mut headers = vec![
        header("content-type", "application/json"),
        header("accept", accept),
        header("content-length", &body.len().to_string()),
    ];
    headers.extend(catalogue::extra_headers(wire).iter().map(|(name, value)| header(name, value)));
    if let Some(key) = key {
        let (name, value) = catalogue::key_header(wire, key);
        headers.push(header(name, &value));
    }
    let (tls, authority) = (address.tls, address.authority.clone());
    HttpRequest { method: Method::Post, tls, authority, path, headers, body }
}

/// A request that reads a JSON file at an address.
#[must_use]
pub fn get(address: Address) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        tls: address.tls,
        authority: address.authority,
        path: if address.path.is_empty() { "/".to_owned() } else { address.path },
        headers: vec![("accept".to_owned(), b"application/json".to_vec())],
        body: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::Message;

    fn request(model: &str) -> ChatRequest {
        ChatRequest {
            model: model.parse().unwrap(),
            messages: vec![Message::user("hi")],
            tools: Vec::new(),
            temperature: None,
            max_output_tokens: 10,
            reasoning_effort: None,
            top_p: None,
            json: false,
            schema: None,
            streams_text: false,
        }
    }

    #[test]
    fn a_body_fills_a_segment_so_that_no_part_of_it_waits() {
        let request = request("openai:m");
        let near = [
            "http://localhost:8080/v1",
            "http://127.0.0.1",
            "http://[::1]:11434",
            "http://[::1]/v1",
            "http://LOCALHOST",
            "http://llm.localhost:80",
            "http://0.0.0.0:11434",
            "http://[::ffff:127.0.0.1]:11434",
            "https://127.0.0.1",
        ];
        let nearby = [
            "http://10.0.0.7:8000",
            "http://192.168.1.2/v1",
            "http://[fd00::7]",
            "http://ollama:11434/v1",
        ];
        let far = [
            "https://api.openai.com/v1",
            "https://10.0.0.7",
            "http://172.32.0.1",
            "https://[2001:db8::1]/v1",
            "http://[2001:db8::1]:80/v1",
        ];
        let sizes = near.map(|url| (url, SEGMENT_WITHIN)).into_iter();
        let sizes = sizes.chain(nearby.map(|url| (url, SEGMENT_NEARBY)));
        let sizes = sizes.chain(far.map(|url| (url, SEGMENT)));
        for (url, size) in sizes {
            let address = Address::parse(url, "base_url").unwrap();
            let HttpRequest { body, headers, .. } =
                build(&request, &Refused::default(), &address, None);
            assert_eq!(body.len(), size, "{url}");
            let length = headers.iter().find(|(name, _)| name == "content-length").unwrap();
            assert_eq!(length.1, size.to_string().into_bytes());
            assert!(serde_json::from_slice::<serde_json::Value>(&body).unwrap().is_object());
        }
    }

    #[test]
    fn what_is_longer_than_a_segment_stays_as_it_is() {
        assert_eq!(filled(b"[1, 2]".to_vec(), 6), b"[1, 2]");
        assert_eq!(filled(b"[1]".to_vec(), 5), b"[1]  ");
    }

    fn address(text: &str) -> Result<Address, ChatError> {
        Address::parse(text, "custom_base_url")
    }

    #[test]
    fn a_base_address_is_taken_apart() {
        let parsed = address(" http://127.0.0.1:8080/v1/ ").unwrap();
        let expected =
            Address { tls: false, authority: "127.0.0.1:8080".to_owned(), path: "/v1".to_owned() };
        assert_eq!(parsed, expected);
        assert_eq!(address("https://host").unwrap().path, "");
    }

    #[test]
    fn a_wrong_address_says_which_setting_and_never_shows_it() {
        for wrong in [
            "",
            "host/v1",
            "ftp://host",
            "https://",
            "https://u:secret@h/v1",
            "http://h/?k=secret",
            "http://h h",
        ] {
            let error = address(wrong).unwrap_err().to_string();
            assert!(error.starts_with("custom_base_url "), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn the_key_is_in_one_header_and_is_not_printed() {
        for (model, name, value) in [
            ("openai:gpt-4o", "authorization", "Bearer canary"),
            ("anthropic:claude-haiku-4-5", "x-api-key", "canary"),
        ] {
            let request = request(model);
            let address = address("https://h/v1").unwrap();
            let built = build(&request, &Refused::default(), &address, Some("canary"));
            let with_key: Vec<_> = built
                .headers
                .iter()
                .filter(|(_, value)| String::from_utf8_lossy(value).contains("canary"))
                .collect();
            assert_eq!(with_key, [&(name.to_owned(), value.as_bytes().to_vec())]);
            assert!(!format!("{built:?}").contains("canary"));
        }
    }
}
