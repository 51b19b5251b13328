//! What holds for every run, whatever models and tools do.

use crate::driver::{FENCE, Run};
use quarry_events::EventName;
use quarry_types::{ChatRequest, Role};
use serde_json::Value;
use std::collections::BTreeSet;

/// Checks a run that came to its end.
#[track_caller]
pub fn check(run: &Run) {
    for (at, event) in run.events.iter().enumerate() {
        assert_eq!(event.sequence, at as u64 + 1, "the numbering has no gaps");
        assert!(!event.data.contains('\n'), "a payload is one line");
        assert!(serde_json::from_str::<Value>(&event.data).unwrap().is_object());
    }
    let last = run.events.iter().filter(|event| event.name.is_last()).count();
    assert_eq!(last, 1, "exactly one last event: {:?}", run.names());
    assert!(run.events.last().unwrap().name.is_last(), "{:?}", run.names());
    sums_equal_their_parts(run);
    the_pieces_are_the_answer(run);
    stages_begin_and_end(run);
    events_say_when_they_were(run);
    every_call_has_one_result(run);
    for call in &run.calls {
        calls_and_results_pair_up(&call.request);
        outside_text_is_fenced(&call.request);
    }
}

#[track_caller]
fn sums_equal_their_parts(run: &Run) {
    let name = EventName::CostSummary;
    let summaries = run.all(name);
    assert!(summaries.len() <= 1);
    let Some(summary) = summaries.first() else { return };
    let steps = summary["stepCosts"].as_array().unwrap();
    let sum = |name: &str| steps.iter().map(|step| step[name].as_u64().unwrap()).sum::<u64>();
    let counts = &summary["tokenCounts"];
    assert_eq!(counts["input"], sum("inputTokens"));
    assert_eq!(counts["output"], sum("outputTokens"));
    assert_eq!(counts["total"], sum("inputTokens") + sum("outputTokens"));
    let costs: f64 = steps.iter().map(|step| step["cost"].as_f64().unwrap()).sum();
    let total = summary["totalCost"].as_f64().unwrap();
    assert!((total - costs).abs() < 1e-12, "{total} is not {costs}");
    let unsettled = summary["unsettledCalls"].as_array().map_or(0, Vec::len);
    let unknown = steps.iter().filter(|step| step["costKnown"] == false).count() + unsettled;
    assert_eq!(summary["unpricedCalls"], unknown);
    assert_eq!(summary["costKnown"], unknown == 0, "an unknown part makes the sum unknown");
}

/// A client that joins the pieces has the answer, to the byte.
#[track_caller]
fn the_pieces_are_the_answer(run: &Run) {
    let Some(answer) = run.all(EventName::FinalAnswer).pop() else { return };
    let mut joined = String::new();
    for piece in run.all(EventName::AnswerDelta) {
        assert_eq!(piece["at"], joined.chars().count());
        joined.push_str(piece["text"].as_str().unwrap());
    }
    assert_eq!(answer["content"], joined);
    if answer["format"] == "json" && answer["finish"] != "filter" {
        assert!(serde_json::from_str::<Value>(&joined).unwrap().is_object(), "{joined}");
    }
    for cited in answer["citations"].as_array().unwrap() {
        let place = |name: &str| cited[name].as_u64().unwrap() as usize;
        let (start, end) = (place("start"), place("end"));
        if answer["format"] == "json" {
            assert_eq!((start, end), (0, 0), "nothing has a place in JSON");
            continue;
        }
        assert!(start < end && end <= joined.chars().count(), "{cited}");
    }
}

/// Stages do not overlap, and none is left open.
#[track_caller]
fn stages_begin_and_end(run: &Run) {
    let mut open = None;
    let mut ids = BTreeSet::new();
    for stage in run.all(EventName::Stage) {
        let id = stage["id"].as_str().unwrap().to_owned();
        if stage["state"] == "begun" {
            assert!(ids.insert(id.clone()), "{id} begins twice");
            assert_eq!(open.replace(id), None, "one stage at a time");
        } else {
            assert_eq!(open.take(), Some(id), "only what began ends");
        }
    }
    assert_eq!(open, None);
}

#[track_caller]
fn events_say_when_they_were(run: &Run) {
    for event in &run.events {
        let data: Value = serde_json::from_str(&event.data).unwrap();
        assert!(data["timestamp"].is_string(), "{} {}", event.name.as_str(), event.data);
    }
}

/// Each call that `tools` announced has one `tool_result`, unless the run was stopped before.
#[track_caller]
fn every_call_has_one_result(run: &Run) {
    let key =
        |value: &Value| format!("{} {} {}", value["id"], value["iteration"], value["call_id"]);
    let mut open = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for event in &run.events {
        let data: Value = serde_json::from_str(&event.data).unwrap();
        if event.name == EventName::Tools {
            let calls = data["calls"].as_array().unwrap();
            assert_eq!(data["pending"], calls.len());
            for call in calls {
                assert!(ids.insert(call["id"].as_str().unwrap().to_owned()), "{call}");
                assert!(open.insert(key(call)), "{call} was announced before");
            }
        } else if event.name == EventName::ToolResult && data.get("continued").is_none() {
            assert!(open.remove(&key(&data)), "{data} was not announced");
            assert_eq!(data["ok"] == true, data.get("error").is_none(), "{data}");
        }
    }
    let stopped = run.logged("Stopped on request");
    assert!(open.is_empty() || stopped, "calls without a result: {open:?}");
}

/// No provider accepts a result without its call, or a call without its result right after it.
#[track_caller]
pub fn calls_and_results_pair_up(request: &ChatRequest) {
    let mut ids = BTreeSet::new();
    let mut waiting: Vec<&str> = Vec::new();
    for (at, message) in request.messages.iter().enumerate() {
        assert_eq!(message.role == Role::System, at == 0 && request.messages.len() > 1);
        if message.role == Role::Tool {
            let id = message.tool_call_id.as_deref().unwrap();
            let place = waiting.iter().position(|waits| *waits == id);
            waiting.remove(place.expect("a result has its call before it"));
            continue;
        }
        assert!(waiting.is_empty(), "calls without a result: {waiting:?}");
        for call in &message.tool_calls {
            assert!(ids.insert(call.id.as_str()), "the id {} is there twice", call.id);
            assert!(serde_json::from_str::<Value>(&call.arguments).unwrap().is_object());
            assert!(!call.name.is_empty() && !call.name.contains(char::is_whitespace));
            waiting.push(&call.id);
        }
    }
    assert!(waiting.is_empty(), "calls without a result: {waiting:?}");
}

/// What came from outside stands between two fence lines and cannot end them itself.
#[track_caller]
fn outside_text_is_fenced(request: &ChatRequest) {
    for message in &request.messages {
        let lines: Vec<&str> =
            message.content.lines().filter(|line| line.starts_with(FENCE)).collect();
        let marks = message.content.matches(FENCE).count();
        match message.role {
            Role::Tool => {
                let [first, last] = lines[..] else { panic!("fence lines: {lines:?}") };
                assert!(message.content.starts_with(first) && message.content.ends_with(last));
                assert_eq!((last, marks), (format!("{FENCE} end").as_str(), 2));
            }
            Role::User => {
                // What was said before, the evidence and the caller's wishes each have a fence of their own, and our
                // own words name the mark.
                let named = message.content.matches(&format!("begin with {FENCE}")).count();
                assert!(
                    marks == lines.len() + named && matches!(lines.len(), 0 | 2 | 4 | 6),
                    "{lines:?}"
                );
                for fence in lines.chunks(2) {
                    assert!(
                        fence[0] != format!("{FENCE} end") && fence[1] == format!("{FENCE} end")
                    );
                }
            }
            Role::System | Role::Assistant => assert_eq!(lines.len(), 0, "{lines:?}"),
        }
    }
}
