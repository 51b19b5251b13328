//! Stopping: at any moment, with a consistent last event and a state to go on from.

use crate::driver::{Call, Driver, Reply, resume, with_iterations};
use crate::replies::{ANSWER, calls, ordinary, programs, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::Ask;
use quarry_machines::core::{Input, Machine, Ticket};
use quarry_tools::{FailureKind, Outcome};
use serde_json::json;

/// A model whose search is digested, so that every stage is passed through.
fn searching() -> impl FnMut(&Call) -> Reply {
    ordinary(|call| match (call.phase.as_str(), call.iteration) {
        ("search_summary", _) => text("A digest that says 1823.").into(),
        (_, 1) => {
            calls(&[("a", "search_web", r#"{"query":"Sker","generate_summary":true}"#)]).into()
        }
        _ => text("enough").into(),
    })
}

#[test]
fn a_stop_at_any_moment_ends_well_and_can_be_gone_on_from() {
    for steps in 0.. {
        let mut driver = Driver::new(with_iterations(2), (searching(), tools));
        (0..steps).for_each(|_| assert!(driver.step()));
        if driver.ask.has_ended() {
            assert!(steps > 8, "every stage was passed through");
            return;
        }
        let under_way = driver.run.calls.len() - driver.run.all(EventName::LlmResponse).len();
        driver.handle(Input::Stop);
        assert!(driver.ask.is_stopped());
        let run = driver.finish();
        let tail = &run.names()[run.events.len() - 3..];
        assert_eq!(tail, ["log", "cost_summary", "complete"]);
        let result = &run.the(EventName::Complete)["result"];
        assert_eq!((&result["stopped"], &result["response"]), (&json!(true), &json!(null)));
        let lost = run.the(EventName::CostSummary)["unsettledCalls"].as_array().map_or(0, Vec::len);
        assert_eq!(lost, under_way, "a dropped call may have cost something");
        let state = run.continuation.expect("a stopped ask can be gone on with");
        assert_eq!(resume(with_iterations(2), &state, (searching(), tools)).answer(), ANSWER);
    }
}

#[test]
fn what_somebody_stopped_is_kept_as_such_and_what_its_client_left_is_not() {
    for (input, is_stopped) in [(Input::Stop, true), (Input::Left, false)] {
        let mut driver = Driver::new(with_iterations(2), (searching(), tools));
        driver.until("search_summary");
        driver.handle(input);
        assert!(driver.ask.has_ended());
        // What comes behind an end changes nothing.
        driver.handle(Input::Stop);
        assert_eq!(driver.ask.is_stopped(), is_stopped);
        let stored = serde_json::to_string(&driver.ask).unwrap();
        let kept: Ask = serde_json::from_str(&stored).unwrap();
        assert_eq!(kept.is_stopped(), is_stopped);
        assert_eq!(stored.contains("is_stopped"), is_stopped);
        let next = driver.revived(with_iterations(2), (searching(), tools));
        assert!(!next.ask.is_stopped());
        assert_eq!(next.finish().answer(), ANSWER);
    }
}

#[test]
fn nothing_happens_after_the_end() {
    let mut driver = Driver::new(with_iterations(1), (programs(1), tools));
    while !driver.ask.has_ended() {
        driver.step();
    }
    let events = driver.run.events.len();
    for ticket in (0..10).map(Ticket) {
        driver.handle(Input::Begin);
        driver.handle(Input::Stop);
        driver.handle(Input::ModelText { ticket, text: "late".to_owned() });
        let reason = "late".to_owned();
        driver.handle(Input::ModelRetry { ticket, wait_ms: 1, reason, may_be_paid: true });
        driver.handle(Input::ModelDone { ticket, result: Ok(text("late")) });
        driver.handle(Input::ToolDone {
            ticket,
            outcome: Outcome::failed(FailureKind::Failed, "late"),
        });
    }
    assert_eq!(driver.finish().events.len(), events);
}

#[test]
fn an_ask_begins_once() {
    let mut driver = Driver::new(with_iterations(1), (programs(1), tools));
    driver.step();
    let events = driver.run.events.len();
    driver.handle(Input::Begin);
    assert_eq!(driver.run.events.len(), events);
}
