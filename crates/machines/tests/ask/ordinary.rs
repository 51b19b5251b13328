//! The ordinary case: two tool iterations, then the answer.

use crate::driver::{FailedTry, Run, run, with_iterations};
use crate::replies::{ANSWER, programs, tools};
use quarry_events::EventName;
use quarry_types::Role;
use serde_json::{Value, json};
use std::fmt::Write;

fn ordinary() -> Run {
    run(with_iterations(2), (programs(2), tools))
}

/// The order that the ask contract gives.
const ORDER: &str = "log init step log llm_call llm_request llm_response setup_complete step log \
    llm_call log log llm_request llm_response log persona research_questions \
    log llm_request llm_response log tools tool_result \
    log llm_request llm_response log tools tool_result \
    log llm_request answer_delta answer_delta llm_response cost_summary final_answer complete";

#[test]
fn events_come_in_the_order_of_the_contract() {
    let mut names = ordinary().names();
    // What is added to the reference's events stands between them.
    names.retain(|name| !["stage", "sources", "thought", "waiting"].contains(name));
    assert_eq!(names, ORDER.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn names_and_payload_keys_are_the_golden_ones() {
    let mut shown = String::new();
    for event in ordinary().events {
        let data: Value = serde_json::from_str(&event.data).unwrap();
        writeln!(shown, "{} {}", event.name.as_str(), keys(&data)).unwrap();
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ask/ordinary.golden");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &shown).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(shown, golden, "see the difference, then run again with BLESS=1");
}

/// The keys of an object, with those of the objects in it.
fn keys(value: &Value) -> String {
    match value {
        // What models and tools chose is not ours to fix.
        Value::Object(members) => {
            let inner = |(name, value): (&String, &Value)| match name.as_str() {
                "args" | "parameters" => name.clone(),
                _ => format!("{name}{}", keys(value)),
            };
            format!("{{{}}}", members.iter().map(inner).collect::<Vec<_>>().join(" "))
        }
        Value::Array(items) => {
            let mut kinds: Vec<String> = Vec::new();
            for kind in items.iter().map(keys).filter(|kind| !kind.is_empty()) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            if kinds.is_empty() { String::new() } else { format!("[{}]", kinds.join("|")) }
        }
        _ => String::new(),
    }
}

#[test]
fn payloads_have_the_fields_of_the_reference() {
    let run = ordinary();
    for (name, fields) in [
        (EventName::Log, "message timestamp"),
        (EventName::Init, "query model timestamp allowEnvFallback id"),
        (EventName::Persona, "persona research_questions_needed reasoning"),
        (EventName::ResearchQuestions, "questions questions_needed reasoning"),
        (EventName::LlmRequest, "phase model request timestamp"),
        (EventName::LlmResponse, "phase model response timestamp"),
        (EventName::Tools, "iteration pending calls"),
        (EventName::ToolResult, "iteration call_id name args output"),
        (EventName::AnswerDelta, "text"),
        (EventName::CostSummary, "totalCost tokenCounts stepCosts"),
        (EventName::FinalAnswer, "content timestamp costSummary"),
        (EventName::Complete, "result executionTime timestamp"),
    ] {
        let all = run.all(name);
        assert!(!all.is_empty(), "{}", name.as_str());
        for (data, field) in all.iter().flat_map(|d| fields.split(' ').map(move |f| (d, f))) {
            assert!(data.get(field).is_some(), "{}.{field}", name.as_str());
        }
    }
}

#[test]
fn the_whole_costs_what_its_calls_cost() {
    let run = ordinary();
    let summary = run.the(EventName::CostSummary);
    assert_eq!(summary["tokenCounts"], json!({ "input": 500, "output": 100, "total": 600 }));
    let phases: Vec<&str> = summary["stepCosts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["stepName"].as_str().unwrap())
        .collect();
    let expected = "initial_setup planning tool_iteration_1 tool_iteration_2 final_synthesis";
    assert_eq!(phases, expected.split(' ').collect::<Vec<_>>());
    assert!((summary["totalCost"].as_f64().unwrap() - 700e-6).abs() < 1e-12);
    let complete = run.the(EventName::Complete);
    assert_eq!(complete["result"]["response"], ANSWER);
    assert_eq!(complete["result"]["metadata"]["totalLLMCalls"], 5);
    assert_eq!(complete["executionTime"], 520, "five calls of 100 ms, two tools of 10 ms");
}

#[test]
fn pieces_of_the_answer_join_to_the_answer() {
    let run = ordinary();
    let pieces = run.all(EventName::AnswerDelta);
    let joined: String = pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    assert_eq!((joined.as_str(), run.answer().as_str()), (ANSWER, ANSWER));
}

#[test]
fn each_phase_says_what_time_it_is_and_uses_what_came_before() {
    let run = ordinary();
    let now = "Tuesday, 2026-10-20 21:35:00 UTC";
    for call in &run.calls {
        let text: String = call.request.messages.iter().map(|m| m.content.as_str()).collect();
        assert!(text.contains(now), "{}", call.phase);
        assert!(text.contains("lighthouse of Sker"), "{}", call.phase);
    }
    assert!(run.call("planning").request.messages[1].content.contains("historian of lighthouses"));
    let last = &run.call("final_synthesis").request;
    assert!(last.messages[0].content.contains("You are a keeper of records"));
    assert_eq!((last.temperature, last.tools.len()), (Some(0.2), 0));
    assert!(run.call("initial_setup").request.json && run.call("planning").request.json);
    let second = run.calls.iter().find(|call| call.iteration == 2).unwrap();
    let roles: Vec<Role> = second.request.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool]);
    assert_eq!(second.request.tools.len(), 3);
}

#[test]
fn a_retry_shows_as_a_log() {
    let mut programs = programs(1);
    let world = (
        move |call: &crate::driver::Call| {
            let mut reply = programs(call);
            if call.phase == "planning" {
                let reason = "rate limited".to_owned();
                reply.retries.push(FailedTry { wait_ms: 1_200, reason, may_be_paid: false });
            }
            reply
        },
        tools,
    );
    let run = run(with_iterations(1), world);
    assert!(run.logged("rate limited; trying again in 2 s"));
    let waiting = run.the(EventName::Waiting);
    assert_eq!((&waiting["seconds"], &waiting["message"]), (&json!(1.2), &json!("rate limited")));
    assert_eq!(run.the(EventName::CostSummary)["costKnown"], true, "nobody bills for a refusal");
}
