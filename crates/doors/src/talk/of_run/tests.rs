//! Events of runs, made up, and what is told of them.

use super::*;
use serde_json::Value;

fn event(sequence: u64, name: EventName, data: Value) -> Event<EventName> {
    Event { sequence: Some(sequence), name, data: data.to_string() }
}

fn told(run: &mut OfRun, name: EventName, data: Value) -> Vec<Told> {
    run.read(&event(1, name, data))
}

#[test]
fn a_question_is_told_with_what_came_of_it() {
    let mut run = OfRun::default();
    told(&mut run, EventName::NodeStarted, json!({ "node_id": "n1", "question": "Why?" }));
    let findings =
        json!([{ "claim": "So.", "verified": true }, { "claim": "Or so.", "verified": false }]);
    told(&mut run, EventName::SynthesisCompleted, json!({ "node_id": "n1", "findings": findings }));
    let sufficiency = json!({ "score": 0.5, "rationale": "Half.", "gaps": ["Who?"] });
    let judged = json!({ "node_id": "n1", "sufficiency": sufficiency });
    told(&mut run, EventName::NodeSufficiencyEvaluated, judged);
    let left =
        json!({ "node_id": "n1", "resolution_reason": "no_gain", "message": "Nothing new." });
    let all = told(&mut run, EventName::NodeUnresolved, left);
    let [Told::Thought { title, text }] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(title, "Why?");
    assert_eq!(
        text,
        "- So.\n- Or so. (not verified)\n\nSufficiency 0.50: Half.\n- Missing: Who?\nStill open: Nothing new."
    );
}

#[test]
fn a_report_that_begins_anew_is_told_once() {
    let mut run = OfRun::default();
    for (text, anew) in [("Lost", false), ("Kept [1](https://a.example/)", true), (".", false)] {
        let delta = json!({ "section": 1, "text": text, "anew": anew });
        let pieces = told(&mut run, EventName::ReportDelta, delta);
        assert!(!pieces.iter().any(|it| matches!(it, Told::Piece(_))));
    }
    let metrics = json!({ "tokens": 7, "cost": 0.5, "cost_known": true, "unsettled_calls": 0 });
    let all = told(&mut run, EventName::RunCompleted, json!({ "summary_metrics": metrics }));
    let pieces: String = all
        .iter()
        .filter_map(|it| if let Told::Piece(it) = it { Some(it.as_str()) } else { None })
        .collect();
    assert_eq!(pieces, "Kept [1](https://a.example/).");
    assert_eq!(run.spent(), Some(Spent { tokens: 7, cost: Some(0.5) }));
}

#[test]
fn what_a_run_used_is_told_where_it_says_what_went_in_and_what_came_out() {
    let costs_of = |apart: bool, unsettled: u64, name| {
        let mut metrics = json!({
            "tokens": 7, "cost": 0.5, "cost_known": unsettled == 0, "unsettled_calls": unsettled,
        });
        if apart {
            metrics["input_tokens"] = json!(4);
            metrics["output_tokens"] = json!(3);
        }
        let all = told(&mut OfRun::default(), name, json!({ "summary_metrics": metrics }));
        let is_last = |it: &Told| matches!(it, Told::Complete | Told::Failed { .. });
        assert!(all.last().is_some_and(is_last), "{all:?}");
        let costs = all.into_iter().find_map(|it| match it {
            Told::Costs(costs) => Some(costs),
            _ => None,
        });
        costs.map(|it| (it.token_counts.input, it.token_counts.output, it.is_whole(), it.known()))
    };
    for end in [EventName::RunCompleted, EventName::RunAborted, EventName::RunFailed] {
        assert_eq!(costs_of(true, 0, end), Some((4, 3, true, Some(0.5))));
        // Whoever ends a run cuts off what nobody knows the use of, and is told the rest.
        let is_told = end == EventName::RunAborted;
        assert_eq!(costs_of(true, 2, end), Some((4, 3, is_told, None)));
        assert_eq!(costs_of(false, 0, end), None, "as runs of before tell it");
    }
}

#[test]
fn what_came_from_a_cache_and_what_was_thought_is_told_of_a_run_as_of_an_ask() {
    let parts_of = |more: Value| {
        let mut metrics = json!({
            "tokens": 7, "input_tokens": 4, "output_tokens": 3, "cost": 0.5, "cost_known": true, "unsettled_calls": 0,
        });
        metrics.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let ended = json!({ "summary_metrics": metrics });
        let all = told(&mut OfRun::default(), EventName::RunCompleted, ended);
        let costs = all.into_iter().find_map(|it| match it {
            Told::Costs(costs) => Some(costs),
            _ => None,
        });
        let costs = costs.unwrap();
        (costs.sum(|step| step.cached_input_tokens), costs.sum(|step| step.reasoning_tokens))
    };
    assert_eq!(parts_of(json!({ "cached_input_tokens": 2, "reasoning_tokens": 1 })), (2, 1));
    assert_eq!(parts_of(json!({})), (0, 0));
}

#[test]
fn a_run_that_waits_for_a_time_goes_on_and_one_that_waits_for_somebody_has_failed_here() {
    let mut run = OfRun::default();
    let waiting =
        json!({ "reason": "rate_limit", "until": "2026-01-01T00:01:00Z", "hint": "Wait." });
    let data = json!({ "at": "2026-01-01T00:00:00Z", "waiting": waiting });
    let all = told(&mut run, EventName::RunWaiting, data);
    assert!(matches!(all.as_slice(), [Told::Wait(_)]), "{all:?}");
    assert_eq!(run.waits().map(|it| (it.seconds, it.is_limit)), Some((60.0, true)));
    told(&mut run, EventName::RunResumed, json!({ "by_request": false }));
    assert_eq!(run.waits(), None);
    let data = json!({ "waiting": { "reason": "needs_key", "hint": "Resume it with a key." } });
    let all = told(&mut run, EventName::RunWaiting, data);
    let [Told::Failed { kind, message, .. }] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(*kind, FailureKind::MissingKey);
    assert!(message.contains("with a key"));
}

#[test]
fn ends_that_were_gone_on_from_do_not_count_for_how_it_stands_now() {
    let names = [
        EventName::RunStarted,
        EventName::RunFailed,
        EventName::RunResumed,
        EventName::RunWaiting,
        EventName::RunResumed,
        EventName::RunAborted,
    ];
    let mut events: Vec<_> = (1..).zip(names).map(|(n, name)| event(n, name, json!({}))).collect();
    standing(&mut events);
    let left: Vec<_> = events.iter().map(|event| event.sequence.unwrap()).collect();
    assert_eq!(left, [1, 3, 5, 6]);
}

#[test]
fn a_wait_does_not_count_once_somebody_ended_the_run() {
    let left = |names: &[EventName]| {
        let mut events: Vec<_> =
            (1..).zip(names).map(|(n, name)| event(n, *name, json!({}))).collect();
        standing(&mut events);
        events.iter().map(|event| event.sequence.unwrap()).collect::<Vec<_>>()
    };
    // Who ends a run that waits does not resume it first.
    let ended = [EventName::RunStarted, EventName::RunWaiting, EventName::RunAborted];
    assert_eq!(left(&ended), [1, 3]);
    assert_eq!(left(&ended[..2]), [1, 2], "it waits");
    let twice = [EventName::RunAborted, EventName::RunResumed, EventName::RunWaiting];
    assert_eq!(left(&twice), [2, 3], "it waits again");
}
