//! The document that is served: of this version, whole, and of this code.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::text;
use quarry_admission::{Proof, Unproven};
use quarry_events::{EventName, FailureKind, run};
use quarry_types::Timestamp;

use crate::route::MAX_ID_CHARACTERS;
use crate::{Entrance, Head, Keyless, ROUTES, Refusal, enter, status};

fn document() -> Value {
    serde_json::from_str(&text().unwrap()).unwrap()
}

#[test]
fn what_is_packed_is_the_file_without_its_blanks() {
    let file: Value = serde_json::from_str(include_str!("../openapi.json")).unwrap();
    assert_eq!(text().unwrap(), file.to_string());
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
    for kind in ["RunFrame", "RunLine"] {
        let all = at(&document, &format!("/components/schemas/{kind}/oneOf")).as_array().unwrap();
        let names = all.iter().map(|one| at(one, "/properties/event/const").as_str().unwrap());
        let names: Vec<&str> = names.collect();
        assert_eq!(names, run::EventName::ALL.map(run::EventName::as_str), "{kind}");
    }
}

/// One of each kind.
fn refusals() -> Vec<Refusal> {
    let unproven = |proof| Unproven::new(proof, "");
    let keyless = Keyless {
        message: String::new(),
        query: String::new(),
        model: String::new(),
        context_profile: "roomy",
        user: None,
        operator_keys: false,
    };
    let mut all = vec![
        Refusal::InvalidJson(String::new()),
        Refusal::field("model", ""),
        Refusal::NoObject { why: String::new(), send: "" },
        Refusal::NeedsKey(String::new()),
        Refusal::NotAcceptable(""),
        Refusal::Conflict { message: String::new(), status: String::new() },
        Refusal::Taken(String::new()),
        Refusal::ReusedKey,
        Refusal::BadContinuation(String::new()),
        Refusal::MissingKey(Box::new(keyless)),
        Refusal::ForeignPage(String::new()),
        Refusal::NotFound(String::new()),
        Refusal::MethodNotAllowed { allow: String::new() },
        Refusal::TooLarge { limit: 1 },
        Refusal::BrokeOff,
        Refusal::TooSlow { seconds: 1 },
        Refusal::RateLimited { retry_after: 1 },
        Refusal::Busy { message: String::new(), retry_after: 1 },
        Refusal::Provider { kind: FailureKind::NoCredit, message: String::new() },
        Refusal::Provider { kind: FailureKind::ProviderFailed, message: String::new() },
        Refusal::Internal(String::new()),
        Refusal::Unavailable(String::new()),
    ];
    all.extend(Proof::ALL.map(|proof| Refusal::Unauthorized(unproven(proof))));
    all.extend(Proof::ALL.map(|proof| Refusal::Forbidden(unproven(proof))));
    all
}

#[test]
fn it_has_every_refusal() {
    let document = document();
    let error = at(&document, "/components/schemas/Error/properties/error/properties");
    let listed = |name: &str| {
        let words = error[name]["enum"].as_array().unwrap().iter();
        words.map(|word| word.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let told = |word: fn(&Refusal) -> &str| {
        refusals().iter().map(|refusal| word(refusal).to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(listed("type"), told(|refusal| refusal.kind().as_str()));
    assert_eq!(listed("code"), told(Refusal::code));
    let mut responses = keys(at(&document, "/paths/~1ask/post/responses"));
    assert!(!responses.contains("406"), "an ask has none of these");
    responses.extend(keys(at(&document, "/paths/~1runs~1{id}~1report/get/responses")));
    for kind in FailureKind::ALL {
        assert!(responses.contains(&status(kind).to_string()), "{kind:?}");
    }
}

#[test]
fn the_id_in_a_path_is_as_the_document_says() {
    let document = document();
    let schema = at(&document, "/components/parameters/AskId/schema");
    let documented = jsonschema::draft202012::options().build(schema).unwrap();
    let short = (b'!'..=b'~').map(|byte| char::from(byte).to_string());
    let others = [0, MAX_ID_CHARACTERS, MAX_ID_CHARACTERS + 1].map(|length| "a".repeat(length));
    for id in short.chain(others).chain(["a b".to_owned(), "ü".to_owned()]) {
        let path = format!("/ask/{id}/events");
        let head = Head { method: "GET".into(), path, ..Head::default() };
        let is_open = matches!(enter(&head, Timestamp(0)), Entrance::Open(_));
        assert_eq!(is_open, documented.is_valid(&json!(id)), "{id}");
    }
}

#[test]
fn what_a_run_is_answered_with_is_as_the_document_says() {
    let document = document();
    let of_runs = at(&document, "/paths").as_object().unwrap().iter();
    let mut tags = BTreeSet::new();
    for (path, item) in of_runs.filter(|(path, _)| path.starts_with("/runs")) {
        for (method, operation) in item.as_object().unwrap() {
            if method == "options" {
                continue;
            }
            tags.extend(operation["tags"].as_array().unwrap().iter().map(Value::to_string));
            assert!(operation["security"].is_array(), "{method} {path}");
            let in_path = operation["parameters"].to_string().contains("/RunId\"");
            assert_eq!(in_path, path.contains("{id}"), "{method} {path}");
            // An ask's answers say nothing about a run.
            let text = operation["responses"].to_string();
            assert!(!text.contains("responses/RateLimited") && !text.contains("Answer"), "{path}");
        }
    }
    assert_eq!(tags, BTreeSet::from(["\"runs\"".to_owned()]));
    let report = at(&document, "/paths/~1runs~1{id}~1report/get/responses/200/content");
    let kinds = ["application/json", "text/html", "text/markdown"].map(str::to_owned);
    assert_eq!(keys(report), kinds.into());
    let node = at(&document, "/components/schemas/RunNode/required").as_array().unwrap();
    for field in ["node_id", "parent_id", "depth", "question", "state", "citations", "children"] {
        assert!(node.contains(&field.into()), "{field}");
    }
    let snapshot = at(&document, "/components/schemas/RunSnapshot/properties");
    for field in ["run_id", "task", "status", "config", "root_node_id", "summary_metrics", "nodes"]
    {
        assert!(snapshot.get(field).is_some(), "{field}");
    }
}

#[cfg(feature = "schema")]
#[test]
fn two_types_of_one_name_are_no_document() {
    use crate::openapi::{Contradiction, document};
    for (name, second) in [("SourceName", "SourceName"), ("Health", "Health2")] {
        let mut written = quarry_events::schema::written();
        // One that the same types do not give.
        written.definitions_mut().insert(second.to_owned(), json!({ "type": "integer" }));
        assert_eq!(document(written), Err(Contradiction::TwoSchemas(second.to_owned())), "{name}");
    }
    assert!(document(quarry_events::schema::written()).is_ok());
}
