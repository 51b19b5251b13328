//! What a client may send back as a state, and what is refused.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn call(response: Value) -> CycleCall {
    CycleCall {
        request: CallRequest {
            id: "c1".into(),
            kind: function(),
            function: CallFunction { name: "search_web".into(), arguments: "{}".into() },
        },
        response,
        duration: 3,
        cost: Some(0.0),
    }
}

fn source(n: usize, text: String) -> KeptSource {
    KeptSource { n, url: format!("https://{n}.example/"), text, ..KeptSource::default() }
}

fn state() -> ContinuationState {
    ContinuationState {
        tool_call_cycles: vec![vec![call("{}".into())]],
        current_iteration: 1,
        total_cost: Some(1.25e-7),
        total_tokens: 12,
        version: VERSION,
        id: "x".into(),
        query: "q".into(),
        model: "openai:x".into(),
        setup_data: Some(KeptSetup { persona: "p".into(), ..KeptSetup::default() }),
        ..ContinuationState::default()
    }
}

#[test]
fn the_seven_fields_of_the_contract_are_there() {
    let (value, _) = state().write(None);
    for field in SEVEN {
        assert!(value.get(field).is_some(), "{field}");
    }
}

#[test]
fn a_signature_survives_a_client_that_rewrites_the_json() {
    let (value, _) = state().write(Some("s3cret"));
    assert_eq!(ContinuationState::read(&value, Some("s3cret")).unwrap().query, "q");
    // As JavaScript's JSON.stringify would: whole floats lose their fraction, order changes.
    let mut members: Vec<_> = value.as_object().unwrap().clone().into_iter().collect();
    members.reverse();
    let mut rewritten: Value = members.into_iter().collect::<serde_json::Map<_, _>>().into();
    rewritten["toolCallCycles"][0][0]["cost"] = 0.into();
    assert!(ContinuationState::read(&rewritten, Some("s3cret")).is_ok());
}

#[test]
fn foreign_and_altered_states_are_refused() {
    let (signed, _) = state().write(Some("s3cret"));
    let read = |value: &Value, secret| ContinuationState::read(value, secret).map(|_| ());
    let mut altered = signed.clone();
    altered["query"] = "another".into();
    assert_eq!(read(&altered, Some("s3cret")), Err(StateError::Signature));
    assert_eq!(read(&signed, Some("other")), Err(StateError::Signature));
    let (unsigned, _) = state().write(None);
    assert_eq!(read(&unsigned, Some("s3cret")), Err(StateError::Signature));
    assert_eq!(read(&json!({ "workState": unsigned }), Some("s3cret")), Err(StateError::Signature));
    let mut newer = unsigned.clone();
    newer["version"] = 9.into();
    assert_eq!(read(&newer, None), Err(StateError::Version(9)));
}

#[test]
fn what_is_no_state_is_refused_with_the_fields_that_are_wanted() {
    for wrong in [json!({ "a": 1 }), json!({ "workState": {} }), json!({ "toolCallCycles": 1 })] {
        let error = ContinuationState::read(&wrong, None).unwrap_err().to_string();
        assert!(error.contains("toolCallCycles, llmCalls, searchResults"), "{error}");
    }
}

#[test]
fn what_the_originals_front_end_collects_is_read() {
    let cycle = json!([{
        "request": { "id": "a", "function": { "name": "search_web", "arguments": "{\"query\":\"x\"}" } },
        "response": "{\"results\":[]}", "completed": true
    }]);
    let collected = json!({ "workState": {
        "toolCallCycles": [cycle], "llmCalls": [{ "content": "…" }], "searchResults": [],
        "currentIteration": 1, "totalCost": 0, "totalTokens": 0,
        "persona": "A sailor", "questions": ["When?"], "setupData": null,
    } });
    let read = ContinuationState::read(&collected, None).unwrap();
    assert_eq!(read.tool_call_cycles[0][0].call().name, "search_web");
    let setup = read.setup_data.unwrap();
    assert_eq!((setup.persona.as_str(), setup.questions.len()), ("A sailor", 1));
}

#[test]
fn a_large_state_drops_its_oldest_pages_first() {
    let mut large = state();
    large.search_results = (1..=3).map(|n| source(n, "x".repeat(400_000))).collect();
    let (value, dropped) = large.write(Some("s3cret"));
    assert!(dropped);
    assert!(value.to_string().len() <= MAX_BYTES);
    let kept = ContinuationState::read(&value, Some("s3cret")).unwrap();
    let lengths: Vec<usize> = kept.search_results.iter().map(|s| s.text.len()).collect();
    assert_eq!(lengths, [0, 400_000, 400_000]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is long in a state, it is written within its size and reads back.
    #[test]
    fn no_state_is_too_large(
        calls in 0_usize..40,
        arguments in 0_usize..60_000,
        descriptions in 0_usize..60_000,
        sources in 0_usize..60,
        small in 0_usize..=MOST_ITEMS,
    ) {
        let mut large = state();
        large.query = "é".repeat(32_768);
        let mut long = call(json!("y".repeat(arguments)));
        long.request.function.arguments = "\"".repeat(arguments);
        large.tool_call_cycles = vec![vec![long; 4]; calls / 4];
        large.search_results = (1..=sources).map(|n| KeptSource {
            description: "d".repeat(descriptions), ..source(n, String::new())
        }).collect();
        large.llm_calls = vec![KeptCall::default(); small];
        let (value, _) = large.write(Some("s3cret"));
        prop_assert!(value.to_string().len() <= MAX_BYTES, "{}", value.to_string().len());
        prop_assert!(ContinuationState::read(&value, Some("s3cret")).is_ok());
    }
}

/// A state in which every field is written.
#[cfg(feature = "schema")]
fn full_state() -> ContinuationState {
    let step = KeptStep { timestamp: "2026-01-02T03:04:05.678Z".into(), ..KeptStep::default() };
    let usage = crate::core::Used::from(&quarry_types::Usage::default());
    let kept = KeptCall {
        response: json!(KeptResponse { content: "yes", usage }),
        step: Some(step),
        ..KeptCall::default()
    };
    let source = KeptSource {
        date: Some("2026".into()),
        query: Some("q".into()),
        ..source(1, "text".into())
    };
    let plan = KeptPlan { setup: Some(KeptSetup::default()), ..KeptPlan::default() };
    ContinuationState {
        llm_calls: vec![kept, KeptCall::default()],
        search_results: vec![source],
        research_plan: Some(plan),
        cost_known: Some(true),
        unpriced_calls: Some(1),
        partial: true,
        ended_early: Some(quarry_events::EndedEarly { reason: "it broke".into() }),
        open_cycle: vec![call(Value::Null)],
        unsettled: vec![KeptUnsettled::default()],
        ..state()
    }
}

#[test]
fn a_state_that_no_ask_comes_to_is_refused_before_anybody_goes_on_from_it() {
    let of = |name: &str, count: usize, item: Value| {
        let mut state = state().write(None).0;
        state[name] = Value::Array(vec![item; count]);
        ContinuationState::read(&state, None).map(drop)
    };
    let search = |results| {
        let mut cycle = json!([call(Value::Null)]);
        cycle[0]["response"] = json!({ "results": vec![json!({ "url": "u" }); results] });
        cycle
    };
    assert_eq!(of("toolCallCycles", MOST_CYCLES, json!([])), Ok(()));
    let refused = [
        of("toolCallCycles", MOST_CYCLES + 1, json!([])),
        of("toolCallCycles", 1, json!(vec![call(Value::Null); MOST_ITEMS + 1])),
        of("toolCallCycles", 3, search(MOST_ITEMS / 2)),
        of("llmCalls", MOST_ITEMS + 1, json!({})),
        of("searchResults", MOST_ITEMS + 1, json!({})),
        of("unsettled", MOST_ITEMS + 1, json!({})),
    ];
    for refused in refused {
        let told = refused.unwrap_err().to_string();
        assert!(told.contains("more than") && told.contains("send back"), "{told}");
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_and_the_reader_agree() {
    let mut written = quarry_events::schema::written();
    crate::schema::add(&mut written);
    let components = json!({ "schemas": written.take_definitions(true) });
    let judge = |name: &str| {
        let reference = format!("#/components/schemas/{name}");
        let root = json!({ "$ref": reference, "components": components });
        jsonschema::draft202012::options().build(&root).unwrap()
    };
    let (whole, least) = (judge("ContinuationState"), judge("SufficientState"));
    let (state, _) = full_state().write(Some("s3cret"));
    let fields = &components["schemas"]["ContinuationState"]["properties"];
    let names: Vec<&String> = fields.as_object().unwrap().keys().collect();
    assert_eq!(state.as_object().unwrap().keys().collect::<Vec<_>>(), names);
    assert!(whole.is_valid(&state) && least.is_valid(&state));
    let read = |state: &Value| ContinuationState::read(state, None);
    assert!(read(&state).is_ok());
    for name in names {
        let mut wrong = state.clone();
        let is_text = matches!(name.as_str(), "id" | "query" | "model" | "signature");
        wrong[name] = if is_text { json!(1) } else { json!("wrong") };
        assert!(!whole.is_valid(&wrong) && read(&wrong).is_err(), "{name}");
        let mut without = state.clone();
        without.as_object_mut().unwrap().remove(name);
        assert_eq!(least.is_valid(&without), !SEVEN.contains(&name.as_str()), "{name}");
    }
    let bare: serde_json::Map<_, _> =
        SEVEN.map(|name| (name.to_owned(), state[name].clone())).into_iter().collect();
    let bare = Value::Object(bare);
    assert!(least.is_valid(&bare) && read(&bare).is_ok());
}
