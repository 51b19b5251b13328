//! The headers of responses, by the headers that are really sent.

use quarry_admission::Cors;
use quarry_types::json::put;
use serde_json::{Map, Value, json};

use super::document::Contradiction;
use crate::Headers;

/// What is said of a header.
struct Header {
    description: &'static str,
    kind: Kind,
    /// Whether it is always there where a response has it.
    always: bool,
}

enum Kind {
    /// The value that is sent, and no other.
    Fixed,
    Text,
    Seconds,
}

/// None for a header that nobody has described.
fn described(name: &str) -> Option<Header> {
    let (description, kind, always) = match name {
        "access-control-allow-origin" => (
            "`*`, or the caller's origin when `cors_allowed_origins` lists it (at `/mcp` and `/mcp/connector`: when it is this machine's, or `mcp_allowed_origins` lists it); absent otherwise.",
            Kind::Text,
            false,
        ),
        "x-vercel-ai-ui-message-stream" => {
            ("The version of the stream's protocol.", Kind::Text, false)
        }
        "access-control-expose-headers" => ("What scripts may read.", Kind::Text, false),
        "vary" => (
            "What the answer depends on: `Accept` for a report, `Origin` when allowed origins are listed.",
            Kind::Text,
            false,
        ),
        "location" => ("The address of the run that has begun.", Kind::Text, true),
        "preference-applied" => {
            ("`wait=` and the seconds that the answer was to wait at most.", Kind::Text, false)
        }
        "content-security-policy" => {
            ("With HTML: nothing may be loaded or run.", Kind::Text, false)
        }
        "retry-after-ms" => ("The same in milliseconds.", Kind::Seconds, false),
        "x-should-retry" => (
            "`false` where the same request would fail again, or be paid for again.",
            Kind::Text,
            false,
        ),
        "x-request-id" => {
            ("A name for the request, to be quoted to its operator.", Kind::Text, false)
        }
        "x-quarry-ask" => {
            ("The ask's id: who knows it may join and stop the ask.", Kind::Text, false)
        }
        "x-quarry-ignored" => ("Fields of the request that were ignored.", Kind::Text, false),
        "mcp-session-id" => (
            "A session's name, where `initialize` began one. It proves nothing.",
            Kind::Text,
            false,
        ),
        "www-authenticate" => ("`Bearer`: how to prove who one is.", Kind::Text, true),
        "retry-after" => ("Seconds after which a retry may help.", Kind::Seconds, true),
        "allow" => ("The methods that the path answers.", Kind::Text, true),
        "cache-control" => ("`no-cache`.", Kind::Fixed, true),
        "x-accel-buffering" => ("`no`: proxies must not keep events back.", Kind::Fixed, false),
        "access-control-allow-methods" => ("What may be asked.", Kind::Text, true),
        "access-control-allow-headers" => ("What may be sent.", Kind::Text, true),
        "access-control-max-age" => {
            ("Seconds that a browser may remember this.", Kind::Seconds, true)
        }
        _ => return None,
    };
    Some(Header { description, kind, always })
}

/// What every response to a page of another origin carries besides.
fn for_other_origins() -> Headers {
    let origin = "https://front.example";
    let mut headers = Headers::new();
    Cors::Listed(vec![origin.to_owned()]).apply(Some(origin), &mut headers);
    headers
}

/// References to the headers of a response that sends these; the headers themselves go among the
/// components.
pub(super) fn references(
    sent: Headers,
    components: &mut Map<String, Value>,
) -> Result<Value, Contradiction> {
    let mut references = Map::new();
    for (name, value) in for_other_origins().into_iter().chain(sent) {
        // OpenAPI says content types elsewhere.
        if name == "content-type" {
            continue;
        }
        let shown = as_written(name);
        let component = shown.replace('-', "");
        let header = described(name).ok_or(Contradiction::Header(name))?;
        let header = header.value(&value);
        let before = components.insert(component.clone(), header.clone());
        if before.is_some_and(|before| before != header) {
            return Err(Contradiction::TwoValues(name));
        }
        references.insert(shown, json!({ "$ref": format!("#/components/headers/{component}") }));
    }
    Ok(references.into())
}

impl Header {
    fn value(&self, sent: &str) -> Value {
        let schema = match self.kind {
            Kind::Fixed => json!({ "const": sent }),
            Kind::Text => json!({ "type": "string" }),
            Kind::Seconds => json!({ "type": "integer", "minimum": 1 }),
        };
        let mut value = json!({ "description": self.description, "schema": schema });
        if self.always {
            put(&mut value, "required", true);
        }
        value
    }
}

/// `Retry-After` for `retry-after`.
fn as_written(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(capital).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_two_values_is_no_document() {
        let name = "cache-control";
        let mut components = Map::new();
        references(vec![(name, "one".into())], &mut components).unwrap();
        let again = references(vec![(name, "one".into())], &mut components);
        assert!(again.is_ok());
        let other = references(vec![(name, "two".into())], &mut components);
        assert_eq!(other, Err(Contradiction::TwoValues(name)));
    }

    #[test]
    fn a_header_that_nobody_described_is_no_document() {
        let mut components = Map::new();
        let sent = vec![("retry-after", "7".into()), ("content-type", "a/b".into())];
        let references = references(sent, &mut components).unwrap();
        assert_eq!(references["Retry-After"]["$ref"], "#/components/headers/RetryAfter");
        assert!(components.contains_key("RetryAfter") && references.get("Content-Type").is_none());
        let sent = vec![("x-more", "1".into())];
        let refused = super::references(sent, &mut components);
        assert_eq!(refused, Err(Contradiction::Header("x-more")));
    }
}
