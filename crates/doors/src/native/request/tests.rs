//! Bodies that are taken, and bodies that are refused with the field's name.

use serde_json::{Value, json};

use super::*;
use crate::{Budget, Sources};

fn read(body: &Value) -> Result<AskRequest, Refusal> {
    Parsed::read(body.to_string().as_bytes(), Keyed::No).request
}

fn refused_field(body: &Value) -> String {
    match read(body) {
        Err(Refusal::InvalidField { field, .. }) => field,
        other => panic!("{body} gave {other:?}"),
    }
}

#[test]
fn a_question_is_enough() {
    let request = read(&json!({ "query": "why?", "unknown": [1] })).unwrap();
    assert_eq!(
        request,
        AskRequest {
            query: "why?".into(),
            wish: Wish::default(),
            manners: Manners::default(),
            model: None,
            api_key: None,
            access_secret: None,
            google_token: None,
            resume: None,
            budget: Budget::default(),
            max_iterations: None,
            verify_with_model: None,
            sources: Sources { web: true, knowledge: false, program: true },
            collection: None,
            domains: Vec::new(),
            max_tool_calls: None,
        }
    );
}

#[test]
fn every_field_is_read() {
    let request = read(&json!({
        "query": "why?", "model": "groq:x", "apiKey": "k\n", "accessSecret": "s",
        "googleToken": "t", "budget": { "usd": 0.5, "tokens": 9 }, "max_iterations": 50,
        "sources": ["web", "knowledge"], "collection": "boats", "stream": true,
        "verify_with_model": true,
    }))
    .unwrap();
    assert_eq!(request.model.as_deref(), Some("groq:x"));
    assert_eq!(request.api_key.as_deref(), Some("k"));
    assert_eq!(request.access_secret.as_deref(), Some("s"));
    assert_eq!(request.google_token.as_deref(), Some("t"));
    assert_eq!(request.budget, Budget { usd: Some(0.5), tokens: Some(9) });
    assert_eq!(request.max_iterations, Some(50));
    assert_eq!(request.verify_with_model, Some(true));
    assert_eq!(request.sources, Sources { web: true, knowledge: true, program: true });
    assert_eq!(request.collection.as_ref().map(CollectionName::as_str), Some("boats"));
}

#[test]
fn empty_and_null_inputs_are_not_given() {
    let request = read(&json!({
        "query": "why?", "model": "", "apiKey": null, "google_token": "", "googleToken": "t",
        "continuation": false, "continuationContext": null, "budget": null, "sources": null,
        "collection": "",
    }))
    .unwrap();
    assert_eq!((request.model, request.api_key, request.resume), (None, None, None));
    assert_eq!((request.google_token.as_deref(), request.collection), (Some("t"), None));
}

#[test]
fn wrong_types_name_their_field() {
    for (body, field) in [
        (json!({}), "query"),
        (json!({ "query": "" }), "query"),
        (json!({ "query": " \n" }), "query"),
        (json!({ "query": 1 }), "query"),
        (json!({ "query": "a".repeat(MAX_QUERY_CHARACTERS + 1) }), "query"),
        (json!({ "query": "q", "model": 1 }), "model"),
        (json!({ "query": "q", "apiKey": {} }), "apiKey"),
        (json!({ "query": "q", "apiKey": "a\nb" }), "apiKey"),
        (json!({ "query": "q", "accessSecret": true }), "accessSecret"),
        (json!({ "query": "q", "google_token": 1 }), "google_token"),
        (json!({ "query": "q", "googleToken": [] }), "googleToken"),
        (json!({ "query": "q", "stream": "yes" }), "stream"),
        (json!({ "query": "q", "continuation": "yes" }), "continuation"),
        (json!({ "query": "q", "continuationContext": "{}" }), "continuationContext"),
        (json!({ "continuation": true }), "continuationContext"),
        (json!({ "continuation": true, "continuationContext": {} }), "continuationContext"),
        (
            json!({ "continuation": true, "continuationContext": { "id": 3 } }),
            "continuationContext.id",
        ),
        (json!({ "query": "q", "budget": 1 }), "budget"),
        (json!({ "query": "q", "budget": { "usd": 0 } }), "budget.usd"),
        (json!({ "query": "q", "budget": { "usd": "1" } }), "budget.usd"),
        (json!({ "query": "q", "budget": { "tokens": 1.5 } }), "budget.tokens"),
        (json!({ "query": "q", "budget": { "tokens": 0 } }), "budget.tokens"),
        (json!({ "query": "q", "max_iterations": 0 }), "max_iterations"),
        (json!({ "query": "q", "max_iterations": 51 }), "max_iterations"),
        (json!({ "query": "q", "max_iterations": "3" }), "max_iterations"),
        (json!({ "query": "q", "verify_with_model": 1 }), "verify_with_model"),
        (json!({ "query": "q", "sources": "books" }), "sources"),
        (json!({ "query": "q", "sources": [] }), "sources"),
        (json!({ "query": "q", "sources": [1] }), "sources"),
        (json!({ "query": "q", "collection": "A b" }), "collection"),
        (json!({ "query": "q", "collection": "a".repeat(65) }), "collection"),
        (json!({ "query": "q", "collection": ["boats"] }), "collection"),
        // Of two that are wrong the first is told: the form of the answer, then the question.
        (json!({ "query": "", "stream": 1 }), "stream"),
        (json!({ "query": "", "model": 1, "sources": [] }), "query"),
        // A wrong one is told although the other is used.
        (json!({ "query": "q", "google_token": "t", "googleToken": 1 }), "googleToken"),
    ] {
        assert_eq!(refused_field(&body), field, "{body}");
    }
}

#[test]
fn every_text_has_a_limit() {
    for (field, most) in [
        ("query", MAX_QUERY_CHARACTERS),
        ("model", MAX_MODEL_CHARACTERS),
        ("apiKey", MAX_KEY_CHARACTERS),
        ("accessSecret", MAX_SECRET_CHARACTERS),
        ("google_token", MAX_TOKEN_CHARACTERS),
        ("googleToken", MAX_TOKEN_CHARACTERS),
    ] {
        let body = |length: usize| {
            let mut body = json!({ "query": "q" });
            body[field] = "ü".repeat(length).into();
            body
        };
        assert!(read(&body(most)).is_ok(), "{field}");
        let Err(Refusal::InvalidField { field: named, message }) = read(&body(most + 1)) else {
            panic!("{field} has no limit")
        };
        assert_eq!(named, field);
        assert!(message.contains(&format!("at most {most} characters")), "{message}");
        // Neither a key nor a secret stands in what is said about it.
        assert!(!message.contains('ü'), "{message}");
    }
    let id = |length| {
        let id = "a".repeat(length);
        read(&json!({ "continuation": true, "continuationContext": { "id": id } }))
    };
    assert!(id(MAX_ID_CHARACTERS).is_ok());
    assert!(id(MAX_ID_CHARACTERS + 1).is_err());
}

#[test]
fn characters_are_counted_not_bytes() {
    let query = "ü".repeat(MAX_QUERY_CHARACTERS);
    assert_eq!(read(&json!({ "query": query })).unwrap().query, query);
    let query = "ü".repeat(MAX_QUERY_CHARACTERS + 1);
    assert_eq!(refused_field(&json!({ "query": query })), "query");
}

#[test]
fn sources_have_four_spellings() {
    let both = Sources { web: true, knowledge: true, program: true };
    for (sources, expected) in [
        (json!("web"), Sources { web: true, knowledge: false, program: true }),
        (json!("knowledge"), Sources { web: false, knowledge: true, program: true }),
        (json!("both"), both),
        (json!(["knowledge", "web"]), both),
        (json!(["both"]), both),
    ] {
        let request = read(&json!({ "query": "q", "sources": sources })).unwrap();
        assert_eq!(request.sources, expected, "{sources}");
    }
}

#[test]
fn a_continuation_is_kept_here_or_carried_by_the_caller() {
    let resume = |context: Value| {
        read(&json!({ "continuation": true, "continuationContext": context })).unwrap().resume
    };
    assert_eq!(resume(json!({ "id": "0af3" })), Some(Continuation::Kept("0af3".into())));
    assert_eq!(
        resume(json!({ "id": "0af3", "currentIteration": 2 })),
        Some(Continuation::State(r#"{"id":"0af3","currentIteration":2}"#.into()))
    );
    // Without the flag it is a fresh ask, which needs its question.
    let fresh = json!({ "continuationContext": { "id": "0af3" } });
    assert_eq!(refused_field(&fresh), "query");
}

#[test]
fn a_state_keeps_its_bytes() {
    let state = r#"{ "totalCost": 0.30000000000000004, "a": 1.10e2, "b": 1e400 }"#;
    let body = format!(r#"{{"continuation":true,"continuationContext":{state}}}"#);
    // A number that no float can hold is no JSON for us.
    assert!(matches!(
        Parsed::read(body.as_bytes(), Keyed::No).request,
        Err(Refusal::InvalidJson(_))
    ));
    let (state, body) = (state.replace("1e400", "1e40"), body.replace("1e400", "1e40"));
    let request = Parsed::read(body.as_bytes(), Keyed::No).request.unwrap();
    assert_eq!(request.resume, Some(Continuation::State(state)));
}

#[test]
fn what_is_no_object_is_refused() {
    for body in ["", "[]", "\"q\"", "{", "{\"query\":\"a\"} x", "\u{feff}{}"] {
        let parsed = Parsed::read(body.as_bytes(), Keyed::No);
        assert!(matches!(parsed.request, Err(Refusal::InvalidJson(_))), "{body}");
    }
    assert!(Parsed::read(b"{\"query\":\"\xff\"}", Keyed::No).request.is_err());
}

#[test]
fn a_refused_body_still_says_how_to_answer() {
    let parsed = Parsed::read(br#"{"stream":true,"query":1}"#, Keyed::No);
    assert_eq!(parsed.stream, Some(true));
    assert!(parsed.request.is_err());
}

/// What may be sent for the fields of a body: usable for some, unusable for others.
fn values() -> Vec<Value> {
    let texts = ["x", "web", "true", "ü"].map(Value::from);
    let limits = [MAX_MODEL_CHARACTERS, MAX_KEY_CHARACTERS, MAX_SECRET_CHARACTERS];
    let limits = limits.into_iter().chain([MAX_TOKEN_CHARACTERS, MAX_QUERY_CHARACTERS]);
    let long = limits.flat_map(|most| [most, most + 1].map(|length| json!("ü".repeat(length))));
    let most = i64::from(MAX_ITERATIONS);
    let numbers = [-1, 0, 1, most, most + 1].map(Value::from);
    let id = |length| json!({ "id": "ü".repeat(length) });
    let state = ["toolCallCycles", "llmCalls", "searchResults", "currentIteration"];
    let state = state.into_iter().chain(["researchPlan", "totalCost", "totalTokens"]);
    let state: serde_json::Map<_, _> = state
        .map(|name| match name {
            "currentIteration" | "totalCost" | "totalTokens" => (name.to_owned(), json!(0)),
            "researchPlan" => (name.to_owned(), Value::Null),
            _ => (name.to_owned(), json!([])),
        })
        .collect();
    let mut values = vec![
        json!(true),
        json!(false),
        json!(0.5),
        json!(3.0),
        json!(1e300),
        json!([]),
        json!({}),
        state.into(),
        json!(["web"]),
        json!(["web", "both", "knowledge"]),
        json!(["books"]),
        json!(["web", 1]),
        json!([["web"]]),
        json!({ "web": null }),
        id(0),
        id(1),
        id(MAX_ID_CHARACTERS),
        id(MAX_ID_CHARACTERS + 1),
        json!({ "id": 3 }),
        json!({ "id": null }),
        json!({ "usd": 0 }),
        json!({ "usd": 1e-9, "tokens": 1 }),
        json!({ "usd": "1" }),
        json!({ "usd": null, "tokens": null }),
        json!({ "tokens": 0 }),
        json!({ "tokens": 1.5 }),
        json!({ "tokens": 1e3 }),
        json!({ "tokens": u64::MAX }),
        json!({ "tokens": -1 }),
        json!({ "more": 1 }),
    ];
    values.extend(texts.into_iter().chain(long).chain(numbers));
    values
}

/// The document's word on bodies.
fn documented() -> (jsonschema::Validator, Vec<String>) {
    let document: Value = serde_json::from_str(&crate::openapi::text().unwrap()).unwrap();
    let reference = "#/components/schemas/AskRequest";
    let fields = document["components"]["schemas"]["AskRequest"]["properties"].as_object().unwrap();
    let names = fields.keys().cloned().collect();
    let root = json!({ "$ref": reference, "components": document["components"] });
    (jsonschema::draft202012::options().build(&root).unwrap(), names)
}

#[test]
fn the_document_and_the_parser_agree_about_every_field() {
    let (document, names) = documented();
    assert_eq!(names.len(), 14);
    let going_on = json!({ "continuation": true, "continuationContext": { "id": "0af3" } });
    for name in names {
        let (mut taken, mut refused) = (0, 0);
        for value in values() {
            // A context counts only with the flag, and a missing question only without.
            let mut body = going_on.clone();
            body[&name] = value.clone();
            if name == "continuation" {
                body["query"] = "q".into();
            }
            // Whether a context is a state is not for the door to say.
            if name == "continuationContext" && value.get("id").is_none() && value != json!({}) {
                continue;
            }
            let read = read(&body);
            let shown = body.to_string().chars().take(120).collect::<String>();
            assert_eq!(read.is_ok(), document.is_valid(&body), "{shown}: {read:?}");
            match read {
                Ok(_) => taken += 1,
                Err(Refusal::InvalidField { field, .. }) => {
                    assert_eq!(field.split('.').next(), Some(name.as_str()), "{shown}");
                    refused += 1;
                }
                Err(other) => panic!("{other:?}"),
            }
        }
        assert!(taken > 0 && refused > 0, "{name}: {taken} taken, {refused} refused");
        let mut body = going_on.clone();
        body[&name] = Value::Null;
        // Nobody should send these two as null, but for the question it does no harm.
        let expected = !matches!(name.as_str(), "continuation" | "continuationContext");
        assert_eq!(read(&body).is_ok(), expected, "{name}: null");
        assert_eq!(document.is_valid(&body), name != "query", "{name}: null");
    }
}

#[test]
fn what_the_document_does_not_name_is_ignored() {
    let (document, _) = documented();
    for body in [json!({ "query": "q", "api_key": 1 }), json!({ "query": "q", "Model": [] })] {
        assert!(read(&body).is_ok() && document.is_valid(&body), "{body}");
    }
    for body in [json!({}), json!({ "model": "groq:x" }), json!({ "continuation": true })] {
        assert!(read(&body).is_err() && !document.is_valid(&body), "{body}");
    }
}
