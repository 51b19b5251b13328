//! What is said of every answer of the protocols of others, whichever door gave it: its name, and what of the request's
//! head is ignored.
//!
//! Border: heads in, headers out. What of a body is ignored is said by its door.

use crate::responses::unread;
use crate::talk::{ids, own_key};
use crate::{Head, Headers};

/// What begins the paths of these protocols.
const PATHS: [&str; 5] = ["/v1/", "/openai/", "/api/chat", "/agui", "/mcp"];

/// The header that names what is ignored.
const IGNORED: &str = "x-quarry-ignored";

/// Adds it. `random` is a number that nobody had: answers without an ask have no other name, and clients print it.
pub fn name_answer(head: &Head, headers: &mut Headers, random: impl FnOnce() -> u128) {
    // A browser's own question is no request of these protocols.
    if head.method == "OPTIONS" || !PATHS.iter().any(|path| head.path.starts_with(path)) {
        return;
    }
    if !headers.iter().any(|(name, _)| *name == "x-request-id") {
        headers.push(("x-request-id", ids::of("req_", &random().to_string()).into()));
    }
    for ignored in ignored(head) {
        match headers.iter_mut().find(|(name, _)| *name == IGNORED) {
            Some((_, names)) => *names = format!("{names}, {ignored}").into(),
            None => headers.push((IGNORED, ignored.into())),
        }
    }
}

/// What a head asks for that nobody here does.
fn ignored(head: &Head) -> Vec<String> {
    let is_openais = head.path.starts_with("/v1/");
    let mut ignored = if is_openais { unread(head) } else { Vec::new() };
    // These protocols have names of their own for what is sent again.
    let knows_no_key = head.method == "POST" && !is_openais;
    let is_named = own_key(head).is_some();
    ignored.extend((knows_no_key && is_named).then(|| "idempotency-key".to_owned()));
    ignored
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(head: &Head, mut headers: Headers, name: &str) -> Vec<String> {
        name_answer(head, &mut headers, || 7);
        let named = headers.into_iter().filter(|(known, _)| *known == name);
        named.map(|(_, value)| value.into_owned()).collect()
    }

    fn head(method: &str, path: &str) -> Head {
        Head { method: method.to_owned(), path: path.to_owned(), ..Head::default() }
    }

    #[test]
    fn every_answer_of_these_protocols_has_a_name() {
        let named =
            |method: &str, path: &str, headers| said(&head(method, path), headers, "x-request-id");
        for path in [
            "/v1/models",
            "/v1/nowhere",
            "/openai/nowhere",
            "/api/chat",
            "/api/chat/c1/stop",
            "/agui",
            "/mcp",
        ] {
            let fresh = named("POST", path, Vec::new());
            assert!(fresh.len() == 1 && fresh[0].starts_with("req_"), "{path}: {fresh:?}");
            assert!(!fresh[0].ends_with("_7"));
            assert!(named("OPTIONS", path, Vec::new()).is_empty());
        }
        let of_an_ask = vec![("x-request-id", "req_a".into())];
        assert_eq!(named("POST", "/v1/responses", of_an_ask), ["req_a"]);
        assert!(named("POST", "/ask", Vec::new()).is_empty());
    }

    #[test]
    fn what_of_a_head_nobody_does_is_named() {
        let shown = |query: &str| {
            let head =
                Head { query: Some(query.to_owned()), ..head("GET", "/v1/responses/resp_0af3") };
            said(&head, Vec::new(), "x-quarry-ignored")
        };
        for query in ["include[]=a", "stream=true&include%5B%5D=a&include%5B%5D=b", "include=a"] {
            assert_eq!(shown(query), ["include"], "{query}");
        }
        assert!(shown("stream=true").is_empty() && shown("include[]=").is_empty());
        assert_eq!(shown("before=a&include=b"), ["before, include"]);
        let azures = Head {
            query: Some("api-version=2026-10-01".to_owned()),
            ..head("POST", "/v1/chat/completions")
        };
        assert_eq!(said(&azures, Vec::new(), "x-quarry-ignored"), ["api-version"]);
        let keyed = |path: &str, headers| {
            let head = Head { idempotency_key: Some("k".to_owned()), ..head("POST", path) };
            said(&head, headers, "x-quarry-ignored")
        };
        for path in ["/api/chat", "/mcp", "/agui"] {
            assert_eq!(keyed(path, Vec::new()), ["idempotency-key"], "{path}");
        }
        let of_the_body = vec![("x-quarry-ignored", "tools".into())];
        assert_eq!(keyed("/agui", of_the_body), ["tools, idempotency-key"]);
        assert!(keyed("/v1/responses", Vec::new()).is_empty());
    }
}
