//! Bodies that are taken, and bodies that are refused with the field's name and what it wants.

use proptest::prelude::*;
use quarry_types::Knobs;
use serde_json::json;

use super::*;
use crate::order::{Budget, Sources};

fn create(body: &Value) -> Result<Request, Refusal> {
    Create::read(body.to_string().as_bytes(), None).map(|(request, _)| request)
}

fn refused(body: &Value) -> (String, String) {
    match create(body) {
        Err(Refusal::InvalidField { field, message }) => (field, message),
        other => panic!("{body} gave {other:?}"),
    }
}

#[test]
fn a_task_is_enough_and_every_knob_goes_on() {
    let request = create(&json!({ "task": "why?" })).unwrap();
    let expected = Request {
        task: "why?".into(),
        model: None,
        models: Roles::default(),
        api_key: None,
        config: serde_json::to_string(&Knobs::default()).unwrap(),
        budget: Budget::default(),
        sources: Sources { web: true, knowledge: false, program: true },
        collection: None,
        guidance: None,
        idempotency_key: None,
        key_lasts_ms: None,
        senders_key: None,
        is_spare_key: false,
        keeps: None,
    };
    assert_eq!(request, expected);
    let nothing = json!({
        "task": "why?", "model": "", "models": null, "apiKey": null, "config": null, "effort": null,
        "budget": {}, "sources": null, "collection": "", "guidance": " ", "accessSecret": "", "google_token": null,
    });
    assert_eq!(create(&nothing).unwrap(), expected);
}

#[test]
fn every_field_is_read() {
    let body = json!({
        "task": "why?", "model": "groq:x",
        "models": { "plan": "openai:a", "judge": ["groq:b", "local:extractive"], "read": "", "write": [] },
        "apiKey": "sk-canary", "accessSecret": "s-canary", "google_token": "t-canary",
        "config": { "max_rounds": 2 }, "effort": "quick",
        "budget": { "usd": 0.5, "tokens": 9 }, "sources": "both", "collection": "boats",
        "guidance": "only primary sources",
    });
    let (request, credentials) =
        Create::read(body.to_string().as_bytes(), Some("key".into())).unwrap();
    let hidden = |text: &str| Some(Hidden(text.to_owned()));
    assert_eq!(request.models.plan, ["openai:a"]);
    assert_eq!(request.models.judge, ["groq:b", "local:extractive"]);
    assert!(request.models.read.is_empty() && request.models.write.is_empty());
    assert_eq!(request.api_key, hidden("sk-canary"));
    assert_eq!(credentials.secret, hidden("s-canary"));
    assert_eq!(credentials.google_token, hidden("t-canary"));
    let knobs: Knobs = serde_json::from_str(&request.config).unwrap();
    assert_eq!(knobs, Knobs { max_rounds: 2, ..RunEffort::Quick.knobs() });
    assert_eq!(request.budget, Budget { usd: Some(0.5), tokens: Some(9) });
    assert_eq!(request.sources, Sources { web: true, knowledge: true, program: true });
    assert_eq!(request.collection.as_ref().map(CollectionName::as_str), Some("boats"));
    assert_eq!(request.guidance.as_deref(), Some("only primary sources"));
    assert_eq!(request.idempotency_key.as_deref(), Some("key"));
    assert!(!format!("{request:?}{credentials:?}").contains("canary"), "nothing secret is printed");
}

#[test]
fn what_is_wrong_is_named_with_what_it_wants() {
    let long = "a".repeat(MAX_TASK_CHARACTERS + 1);
    let spoken = "a".repeat(MAX_GUIDANCE_CHARACTERS + 1);
    let named = "m".repeat(MAX_MODEL_CHARACTERS + 1);
    for (more, field, wants) in [
        (json!({ "task": null }), "task", "missing or empty"),
        (json!({ "task": " \n" }), "task", "missing or empty"),
        (json!({ "task": 1 }), "task", "wants a text"),
        (json!({ "task": long }), "task", "at most 32768 characters"),
        (json!({ "model": named }), "model", "at most 200 characters"),
        (json!({ "models": "groq:x" }), "models", "wants an object"),
        (json!({ "models": { "plan": 1 } }), "models.plan", "provider:name"),
        (json!({ "models": { "read": [""] } }), "models.read", "provider:name"),
        (json!({ "models": { "write": [named] } }), "models.write", "at most 200"),
        (json!({ "models": { "judge": vec!["groq:x"; 9] } }), "models.judge", "at most 8"),
        (json!({ "models": { "planer": "groq:x" } }), "models", "the nearest is `plan`"),
        (json!({ "apiKey": {} }), "apiKey", "wants a text"),
        (json!({ "accessSecret": true }), "accessSecret", "wants a text"),
        (json!({ "google_token": 1 }), "google_token", "wants a text"),
        (json!({ "effort": "hard" }), "effort", "\"quick\", \"standard\" or \"deep\""),
        (json!({ "effort": { "quick": null } }), "effort", "\"quick\""),
        (json!({ "config": [] }), "config", "wants an object"),
        (
            json!({ "config": { "timeouts": { "run": 9 } } }),
            "config.timeouts.run",
            "from 10 to 86400",
        ),
        (json!({ "config": { "max_dept": 1 } }), "config.max_dept", "the nearest is `max_depth`"),
        (json!({ "budget": { "usd": 0 } }), "budget.usd", "above 0"),
        (json!({ "budget": { "usdd": 1 } }), "budget", "the nearest is `usd`"),
        (json!({ "sources": "books" }), "sources", "knowledge"),
        (json!({ "collection": "A b" }), "collection", "wants 1 to 64 of a–z"),
        (json!({ "collection": 1 }), "collection", "wants a text"),
        (json!({ "guidance": spoken }), "guidance", "at most 8192 characters"),
        (json!({ "apikey": "sk-canary" }), "apikey", "the nearest is `apiKey`"),
        (json!({ "guidence": "x" }), "guidence", "the nearest is `guidance`"),
        (json!({ "query": "x" }), "query", "is no field here"),
    ] {
        let mut body = json!({ "task": "why?" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (named, message) = refused(&body);
        assert_eq!(named, field, "{message}");
        assert!(message.contains(wants), "{field}: {message}");
        assert!(!message.contains("canary"));
    }
}

#[test]
fn characters_are_counted_not_bytes() {
    let task = "ü".repeat(MAX_TASK_CHARACTERS);
    assert_eq!(create(&json!({ "task": task })).unwrap().task, task);
}

#[test]
fn what_is_no_object_is_refused_and_says_what_to_send() {
    for body in ["", "[]", "\"q\"", "{", "{\"task\":\"a\"} x", "\u{feff}{}"] {
        let refusal = Create::read(body.as_bytes(), None).unwrap_err();
        assert_eq!((refusal.status(), refusal.kind().as_str()), (400, "invalid_json"), "{body}");
        assert!(refusal.to_string().contains("{\"task\": \"…\"}"), "{refusal}");
    }
    assert!(Create::read(b"{\"task\":\"\xff\"}", None).is_err());
    let refusal = Guide::read(b"[]").unwrap_err();
    assert!(refusal.to_string().contains("{\"text\": \"…\"}"), "{refusal}");
}

#[test]
fn a_resumption_may_say_nothing_and_passes_on_only_what_was_given() {
    let nothing = Resumption {
        api_key: None,
        budget: Budget::default(),
        config: "{}".to_owned(),
        force: false,
    };
    for body in ["", "{}", r#"{"config":{},"force":false,"apiKey":" \n"}"#] {
        assert_eq!(Resume::read(body.as_bytes()).unwrap().0, nothing, "{body}");
    }
    let body =
        br#"{"config":{"timeouts":{"run":3600},"max_rounds":5.0},"force":true,"budget":{"usd":2}}"#;
    let (resumption, _) = Resume::read(body).unwrap();
    assert_eq!(resumption.config, r#"{"timeouts":{"run":3600},"max_rounds":5}"#);
    assert!(resumption.force);
    assert_eq!(resumption.budget.usd, Some(2.0));
    for (body, field) in [
        (r#"{"force":"yes"}"#, "force"),
        (r#"{"task":"another"}"#, "task"),
        (r#"{"config":{"max_depth":7}}"#, "config.max_depth"),
    ] {
        let Err(Refusal::InvalidField { field: named, .. }) = Resume::read(body.as_bytes()) else {
            panic!("{body} was taken")
        };
        assert_eq!(named, field);
    }
}

/// It pays at its provider, and is handed from driver to driver.
#[test]
fn a_key_is_read_without_what_was_copied_with_it() {
    let hidden = Some(Hidden("sk-canary".to_owned()));
    let own = json!({ "task": "why?", "apiKey": "sk-canary\n" });
    assert_eq!(create(&own).unwrap().api_key, hidden);
    let own = br#"{"apiKey":" sk-canary\r\n"}"#;
    assert_eq!(Resume::read(own).unwrap().0.api_key, hidden);
    assert_eq!(Fork::read(own, None).unwrap().0.api_key, hidden);
    for body in [br#"{"apiKey":"sk\ncanary"}"#.as_slice(), br#"{"apiKey":"sk\u0000"}"#] {
        let refused = [Resume::read(body).map(drop), Fork::read(body, None).map(drop)];
        for refusal in refused.map(Result::unwrap_err) {
            assert!(refusal.to_string().contains("`apiKey` has a control character"), "{refusal}");
        }
    }
}

#[test]
fn a_branch_says_where_it_leaves_and_what_differs() {
    let (branch, _) = Fork::read(b"", None).unwrap();
    assert_eq!((branch.at, branch.task, branch.config.as_str()), (None, None, "{}"));
    let body = br#"{"at":12,"task":"why not?","model":"groq:x","config":{"max_depth":0}}"#;
    let (branch, _) = Fork::read(body, None).unwrap();
    assert_eq!((branch.at, branch.task.as_deref()), (Some(12), Some("why not?")));
    assert_eq!(
        (branch.model.as_deref(), branch.config.as_str()),
        (Some("groq:x"), r#"{"max_depth":0}"#)
    );
    for body in [r#"{"at":0}"#, r#"{"at":-1}"#, r#"{"at":"12"}"#, r#"{"after":1}"#] {
        assert!(
            matches!(Fork::read(body.as_bytes(), None), Err(Refusal::InvalidField { .. })),
            "{body}"
        );
    }
}

#[test]
fn guidance_is_a_text_that_says_something() {
    assert_eq!(Guide::read(br#"{"text":"look at 2024"}"#).unwrap().0, "look at 2024");
    let long = json!({ "text": "a".repeat(MAX_GUIDANCE_CHARACTERS + 1) }).to_string();
    for body in ["{}", r#"{"text":" "}"#, r#"{"text":1}"#, r#"{"txt":"x"}"#, &long] {
        assert!(
            matches!(Guide::read(body.as_bytes()), Err(Refusal::InvalidField { .. })),
            "{body}"
        );
    }
}

/// The document's word on a body.
fn documented(name: &str) -> jsonschema::Validator {
    let document: Value = serde_json::from_str(&crate::openapi::text().unwrap()).unwrap();
    let reference = format!("#/components/schemas/{name}");
    let root = json!({ "$ref": reference, "components": document["components"] });
    jsonschema::draft202012::options().build(&root).unwrap()
}

/// What may be sent for a field: usable for some, unusable for others.
fn values() -> Vec<Value> {
    let text = |length: usize| json!("ü".repeat(length));
    let mut values: Vec<Value> = [-1, 0, 1, 7, 86_401].map(Value::from).into();
    for most in [MAX_MODEL_CHARACTERS, MAX_SECRET_CHARACTERS, MAX_GUIDANCE_CHARACTERS] {
        values.extend([text(most), text(most + 1)]);
    }
    values.extend([text(MAX_KEY_CHARACTERS + 1), text(MAX_TOKEN_CHARACTERS + 1)]);
    values.extend([text(MAX_TASK_CHARACTERS), text(MAX_TASK_CHARACTERS + 1)]);
    values.extend([
        json!(true),
        json!("x"),
        json!("deep"),
        json!("web"),
        json!([]),
        json!(["web"]),
        json!({}),
        json!({ "usd": 1, "tokens": 3.0 }),
        json!({ "usd": -1 }),
        json!({ "plan": "groq:x", "read": ["a:b", "c:d"], "judge": null }),
        json!({ "plan": [""] }),
        json!({ "plan": vec!["a:b"; MAX_MODELS + 1] }),
        json!({ "max_depth": 6, "timeouts": { "run": 10, "query": null }, "sufficiency_threshold": 0.5 }),
        json!({ "max_depth": 7 }),
        json!({ "timeouts": { "run": 9 } }),
        json!({ "timeouts": null, "report_style": "concise", "on_timeout": null }),
        json!({ "report_style": "long" }),
        json!({ "more": 1 }),
        Value::Null,
    ]);
    values
}

#[test]
fn the_document_and_the_parser_agree_about_every_field() {
    type Read = fn(&[u8]) -> Result<(), Refusal>;
    let bodies: [(&str, Value, Read); 4] = [
        ("RunRequest", json!({ "task": "t" }), |body| Create::read(body, None).map(drop)),
        ("RunResumption", json!({}), |body| Resume::read(body).map(drop)),
        ("RunGuidance", json!({ "text": "t" }), |body| Guide::read(body).map(drop)),
        ("RunBranch", json!({}), |body| Fork::read(body, None).map(drop)),
    ];
    let document: Value = serde_json::from_str(&crate::openapi::text().unwrap()).unwrap();
    for (name, least, read) in bodies {
        let schema = documented(name);
        let fields = document["components"]["schemas"][name]["properties"].as_object().unwrap();
        for field in fields.keys().map(String::as_str).chain(["unknown"]) {
            let (mut taken, mut refused) = (0, 0);
            for value in values() {
                let mut body = least.clone();
                body[field] = value;
                let shown: String = body.to_string().chars().take(120).collect();
                let read = read(body.to_string().as_bytes());
                assert_eq!(read.is_ok(), schema.is_valid(&body), "{name}: {shown}: {read:?}");
                if read.is_ok() { taken += 1 } else { refused += 1 }
            }
            assert!(refused > 0 && (taken > 0) == (field != "unknown"), "{name}.{field}");
        }
        assert_eq!(read(b"{}").is_ok(), schema.is_valid(&json!({})), "{name}");
    }
}

proptest! {
    #[test]
    fn no_bytes_bring_a_reader_down(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Create::read(&bytes, None);
        let _ = Resume::read(&bytes);
        let _ = Guide::read(&bytes);
        let _ = Fork::read(&bytes, None);
    }

    /// Objects of our own fields with anything in them: what is read is within its bounds.
    #[test]
    fn what_is_read_is_within_its_bounds(
        name in "[a-zA-Z_]{1,24}",
        number in any::<f64>(),
        whole in any::<i64>(),
        text in ".{0,40}",
    ) {
        for value in [json!(number), json!(whole), json!(text), json!({ &name: number }), json!([text])] {
            for field in ["task", "config", "budget", "models", "effort", "sources", "guidance", &name] {
                let mut body = json!({ "task": "t" });
                body[field] = value.clone();
                if let Ok(request) = create(&body) {
                    let knobs: Knobs = serde_json::from_str(&request.config).unwrap();
                    prop_assert!(knobs.max_depth <= 6 && (1..=10).contains(&knobs.max_rounds));
                    prop_assert!(!request.task.trim().is_empty());
                }
            }
            for knob in ["max_depth", "cache_ttl", "sufficiency_threshold", "timeouts", "on_timeout", &name] {
                let body = json!({ "task": "t", "config": { knob: value } });
                if let Ok(request) = create(&body) {
                    let knobs: Knobs = serde_json::from_str(&request.config).unwrap();
                    prop_assert!(knobs.max_depth <= 6 && knobs.cache_ttl <= 2_592_000);
                    prop_assert!((0.0..=1.0).contains(&knobs.sufficiency_threshold));
                }
            }
        }
    }
}
