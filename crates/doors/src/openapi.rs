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
    use quarry_events::EventName;

    use crate::native::{MAX_BODY_BYTES, MAX_ITERATIONS, MAX_QUERY_CHARACTERS};
    use crate::{ROUTES, Refusal, Reply};

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
    fn it_has_the_requests_fields_and_limits() {
        let document = document();
        let request = at(&document, "/components/schemas/AskRequest");
        let fields: BTreeSet<String> = [
            "query",
            "model",
            "apiKey",
            "accessSecret",
            "google_token",
            "googleToken",
            "continuation",
            "continuationContext",
            "stream",
            "budget",
            "max_iterations",
            "sources",
        ]
        .map(str::to_owned)
        .into();
        assert_eq!(keys(&request["properties"]), fields);
        assert_eq!(request["properties"]["query"]["maxLength"], MAX_QUERY_CHARACTERS);
        assert_eq!(request["properties"]["max_iterations"]["maximum"], MAX_ITERATIONS);
        let budget = keys(at(request, "/properties/budget/properties"));
        assert_eq!(budget, ["tokens", "usd"].map(str::to_owned).into());
        assert_eq!(MAX_BODY_BYTES, 1 << 20, "the text says 1 MiB");
    }

    #[test]
    fn it_has_every_refusal() {
        let document = document();
        let text = String::new;
        let refusals = [
            Refusal::InvalidJson(text()),
            Refusal::field("", ""),
            Refusal::BadContinuation(text()),
            Refusal::Unauthorized(text()),
            Refusal::MissingKey(text()),
            Refusal::Forbidden(text()),
            Refusal::NotFound(text()),
            Refusal::MethodNotAllowed { allow: "" },
            Refusal::TooLarge { limit: 0 },
            Refusal::RateLimited { retry_after: 0 },
            Refusal::Busy { message: text(), retry_after: 0 },
            Refusal::Internal(text()),
            Refusal::Unavailable(text()),
        ];
        let kinds: Vec<&str> = refusals.iter().map(Refusal::kind).collect();
        let listed = at(&document, "/components/schemas/Error/properties/error/properties/type");
        assert_eq!(listed["enum"], serde_json::json!(kinds));
        let responses = keys(at(&document, "/paths/~1ask/post/responses"));
        for refusal in refusals {
            assert!(responses.contains(&refusal.status().to_string()), "{refusal:?}");
        }
    }

    #[test]
    fn it_has_every_header() {
        let mut sent = BTreeSet::new();
        let mut add = |headers: &crate::Headers| {
            sent.extend(headers.iter().map(|(name, _)| (*name).to_owned()));
        };
        add(&crate::stream_head());
        add(&Reply::preflight().headers);
        add(&Reply::refusal(&Refusal::RateLimited { retry_after: 1 }, false, "").headers);
        add(&Reply::refusal(&Refusal::MethodNotAllowed { allow: "" }, false, "").headers);
        let mut headers = crate::Headers::new();
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
