//! The OpenAPI document.
//!
//! Border: a file, served as it is. `cargo xtask openapi` writes it: paths, headers and requests
//! from `openapi/skeleton.json`, the events from their declarations. The tests hold it to the
//! routes, the events, the request's fields and the refusals.

/// The document, OpenAPI 3.1.
pub const DOCUMENT: &str = include_str!("openapi.json");

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::DOCUMENT;
    use quarry_admission::Cors;
    use quarry_admission::Proof;
    use quarry_events::{EventName, FailureKind};

    use crate::door::Door as _;
    use crate::native::{self, MAX_BODY_BYTES, MAX_ITERATIONS};
    use crate::{Head, Headers, ROUTES, Refusal, Reply, status};

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).unwrap()
    }

    fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
        value.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
    }

    fn keys(value: &Value) -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    }

    fn every<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get(key));
                map.values().for_each(|inner| every(inner, key, found));
            }
            Value::Array(items) => items.iter().for_each(|inner| every(inner, key, found)),
            _ => {}
        }
    }

    #[test]
    fn it_is_of_this_version_and_every_reference_leads_somewhere() {
        let document = document();
        assert!(at(&document, "/openapi").as_str().unwrap().starts_with("3.1."));
        assert_eq!(at(&document, "/info/version"), env!("CARGO_PKG_VERSION"));
        let mut references = Vec::new();
        every(&document, "$ref", &mut references);
        assert!(references.len() > 100);
        let mut used = BTreeSet::new();
        for reference in references {
            let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
            at(&document, pointer);
            used.insert(pointer.to_owned());
        }
        for kind in ["schemas", "responses", "parameters", "headers"] {
            for name in keys(at(&document, &format!("/components/{kind}"))) {
                let pointer = format!("/components/{kind}/{name}");
                assert!(used.contains(&pointer), "nothing uses {pointer}");
            }
        }
    }

    #[test]
    fn it_has_every_route_and_no_other() {
        let document = document();
        let mut listed = BTreeSet::new();
        let mut operations = BTreeSet::new();
        for (path, item) in at(&document, "/paths").as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                listed.insert((path.clone(), method.to_uppercase()));
                let id = operation["operationId"].as_str().unwrap();
                assert!(operations.insert(id.to_owned()), "{id} twice");
            }
        }
        let mut known = BTreeSet::new();
        for entry in &ROUTES {
            known.insert((entry.pattern.to_owned(), entry.method.to_owned()));
            known.insert((entry.pattern.to_owned(), "OPTIONS".to_owned()));
        }
        assert_eq!(listed, known);
    }

    #[test]
    fn it_has_every_event_and_no_other() {
        let document = document();
        let frames = at(&document, "/components/schemas/Frame/oneOf").as_array().unwrap();
        let mut listed = BTreeSet::new();
        for frame in frames {
            let name = at(frame, "/properties/event/const").as_str().unwrap();
            assert!(at(frame, "/properties/data/$ref").is_string(), "{name}");
            listed.insert(name);
        }
        assert_eq!(listed, EventName::ALL.map(EventName::as_str).into());
    }

    #[test]
    fn it_has_the_requests_fields() {
        // A body in which every field leads on to the next.
        let body = br#"{ "query": "q", "budget": {}, "continuation": false }"#;
        native::asked::take();
        assert!(native::Ask.open(&Head::default(), "", body).order.is_ok());
        let asked = native::asked::take();
        let document = document();
        let request = at(&document, "/components/schemas/AskRequest/properties");
        let mut documented = keys(request);
        documented.extend(
            keys(at(request, "/budget/properties")).iter().map(|name| format!("budget.{name}")),
        );
        assert_eq!(asked, documented);
    }

    #[test]
    fn it_has_the_requests_limits() {
        let document = document();
        let request = at(&document, "/components/schemas/AskRequest/properties");
        let text = |name: &str, length: u64| {
            let length = usize::try_from(length).unwrap();
            serde_json::json!({ "query": "q", name: "x".repeat(length) })
        };
        let number = |name: &str, number: u64| serde_json::json!({ "query": "q", name: number });
        let is_taken = |body: Value| {
            let body = body.to_string();
            native::Ask.open(&Head::default(), "", body.as_bytes()).order.is_ok()
        };
        let mut limits = 0;
        for (name, field) in request.as_object().unwrap() {
            if let Some(most) = field["maxLength"].as_u64() {
                assert!(is_taken(text(name, most)) && !is_taken(text(name, most + 1)), "{name}");
                limits += 1;
            } else {
                let kinds = field["type"].as_array().into_iter().flatten();
                let is_text = field["type"] == "string" || kinds.clone().any(|k| k == "string");
                assert!(!is_text, "{name} has no limit in the document");
            }
        }
        assert_eq!(limits, 6);
        assert_eq!(request["max_iterations"]["maximum"], MAX_ITERATIONS);
        assert!(is_taken(number("max_iterations", MAX_ITERATIONS)));
        assert!(!is_taken(number("max_iterations", MAX_ITERATIONS + 1)));
        assert_eq!(MAX_BODY_BYTES, 1 << 20, "the text says 1 MiB");
    }

    /// Whether a request can be refused with this kind before an ask begins. A new kind does not
    /// compile until it is said here.
    const fn is_refusal(kind: FailureKind) -> bool {
        match kind {
            FailureKind::InvalidJson
            | FailureKind::InvalidField
            | FailureKind::BadContinuation
            | FailureKind::Unauthorized
            | FailureKind::MissingKey
            | FailureKind::Forbidden
            | FailureKind::NotFound
            | FailureKind::MethodNotAllowed
            | FailureKind::TooLarge
            | FailureKind::TooSlow
            | FailureKind::RateLimited
            | FailureKind::Busy
            | FailureKind::Internal
            | FailureKind::Unavailable => true,
            FailureKind::NoCredit
            | FailureKind::UnknownModel
            | FailureKind::ProviderFailed
            | FailureKind::ContextTooLong
            | FailureKind::BudgetExceeded
            | FailureKind::Interrupted => false,
        }
    }

    #[test]
    fn it_has_every_refusal() {
        let document = document();
        let refusals = FailureKind::ALL.into_iter().filter(|kind| is_refusal(*kind));
        let error = at(&document, "/components/schemas/Error/properties/error/properties");
        let listed = |name: &str| {
            let words = error[name]["enum"].as_array().unwrap().iter();
            words.map(|word| word.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
        };
        let (kinds, mut codes): (BTreeSet<_>, BTreeSet<_>) =
            refusals.map(|kind| (kind.as_str().to_owned(), kind.code().to_owned())).unzip();
        let theirs = [Proof::AccessSecret, Proof::ExpiredToken, Proof::Token, Proof::Account];
        codes.extend(theirs.into_iter().filter_map(Proof::code).map(str::to_owned));
        assert_eq!((listed("type"), listed("code")), (kinds, codes));
        let responses = keys(at(&document, "/paths/~1ask/post/responses"));
        for kind in FailureKind::ALL {
            assert!(responses.contains(&status(kind).to_string()), "{kind:?}");
        }
    }

    #[test]
    fn it_has_every_header() {
        let mut sent = BTreeSet::new();
        let mut add = |headers: &Headers| {
            sent.extend(headers.iter().map(|(name, _)| (*name).to_owned()));
        };
        add(&crate::stream_head());
        add(&Reply::preflight().headers);
        add(&Reply::refusal(&Refusal::RateLimited { retry_after: 1 }).headers);
        add(&Reply::refusal(&Refusal::MethodNotAllowed { allow: String::new() }).headers);
        let mut headers = Headers::new();
        Cors::Listed(vec!["https://a.org".into()]).apply(Some("https://a.org"), &mut headers);
        add(&headers);
        // OpenAPI says content types elsewhere.
        sent.remove("content-type");
        let document = document();
        let mut groups = Vec::new();
        every(&document, "headers", &mut groups);
        let described: BTreeSet<String> =
            groups.iter().flat_map(|group| keys(group)).map(|name| name.to_lowercase()).collect();
        for name in sent {
            assert!(described.contains(&name), "{name}");
        }
    }
}
