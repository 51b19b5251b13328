//! What events tell beyond the reference's fields: what doors and people need of an ask.

use crate::driver::{Run, params, resume, run, with_iterations};
use crate::replies::{ANSWER, calls, ordinary, programs, rate_limit, text, tools};
use quarry_events::{EventName, Fallback};
use quarry_machines::ask::AskConfig;
use quarry_tools::{Errand, FailureKind, Outcome};
use quarry_types::Completion;
use serde_json::{Value, json};

const SEARCH: (&str, &str, &str) = ("a", "search_web", r#"{"query":"Sker"}"#);

/// One iteration with this reply, then the answer.
fn once(reply: Completion) -> Run {
    let model = ordinary(move |call| match call.iteration {
        1 => reply.clone().into(),
        _ => text("enough").into(),
    });
    run(with_iterations(3), (model, tools))
}

fn place(run: &Run, name: EventName) -> usize {
    run.events.iter().position(|event| event.name == name).unwrap()
}

#[test]
fn sources_are_told_when_they_are_found_and_results_refer_to_them() {
    let run = once(calls(&[SEARCH, ("b", "search_web", r#"{"query":"Sker again"}"#)]));
    let added = run.the(EventName::Sources)["added"].clone();
    assert_eq!((&added[0]["n"], &added[0]["url"]), (&json!(1), &json!("https://sker.example/")));
    assert!(place(&run, EventName::Sources) < place(&run, EventName::ToolResult));
    for result in run.all(EventName::ToolResult) {
        assert_eq!((&result["ok"], &result["found"]), (&json!(true), &json!([1])));
        assert_eq!(result["urls"], json!(["https://sker.example/"]));
    }
}

#[test]
fn a_tool_that_fails_says_of_what_kind() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[
            SEARCH,
            ("b", "scrape_web_content", r#"{"url":"https://a.example/"}"#),
            ("c", "browse", "{}"),
            ("d", "search_web", "{}"),
        ])
        .into(),
        _ => text("enough").into(),
    });
    let failing = |job: &Errand| match job {
        Errand::ReadPage { .. } => (5, Outcome::failed(FailureKind::NotFound, "gone")),
        _ => (5, Outcome::failed(FailureKind::Timeout, "late")),
    };
    let run = run(with_iterations(3), (model, failing));
    let kinds: Vec<Value> = run
        .all(EventName::ToolResult)
        .iter()
        .map(|result| result["error"]["kind"].clone())
        .collect();
    assert_eq!(kinds, ["unknown_tool", "refused_arguments", "timeout", "not_found"]);
}

#[test]
fn the_words_beside_calls_are_a_thought() {
    let reply = Completion { text: "## Looking\nfor the date.".to_owned(), ..calls(&[SEARCH]) };
    let thought = once(reply).the(EventName::Thought);
    assert_eq!((&thought["title"], &thought["iteration"]), (&json!("Looking"), &json!(1)));
    assert_eq!(thought["text"], "## Looking\nfor the date.");
}

#[test]
fn citations_stand_where_they_are_in_the_answer() {
    let run = once(calls(&[SEARCH]));
    let answer = run.the(EventName::FinalAnswer);
    let cited = &answer["citations"][0];
    let (start, end) = (cited["start"].as_u64().unwrap(), cited["end"].as_u64().unwrap());
    let words: String = ANSWER.chars().skip(start as usize).take((end - start) as usize).collect();
    assert_eq!(words, "[1823](https://sker.example/)");
    assert_eq!((&cited["n"], &answer["finish"]), (&json!(1), &json!("stop")));
}

#[test]
fn the_end_says_how_it_ended_and_who_was_asked_to_answer() {
    let run = run(with_iterations(1), (programs(1), tools));
    let complete = run.the(EventName::Complete);
    assert_eq!(complete["ended"], "answered");
    assert_eq!(complete["result"]["persona"], "A historian of lighthouses", "the set-up's");
}

#[test]
fn a_rate_limit_tells_the_hour_and_what_was_spent() {
    let model = ordinary(|_| rate_limit().into());
    let run = run(with_iterations(3), (model, tools));
    let limited = run.the(EventName::QuotaExceeded);
    assert_eq!(limited["costSummary"]["totalTokens"], 240);
    let wait = limited["waitTime"].as_f64().unwrap();
    let at = |field: &str| {
        quarry_types::Timestamp::parse_iso(limited[field].as_str().unwrap()).unwrap().0
    };
    assert_eq!(at("resumeAfter") - at("timestamp"), (wait * 1_000.0) as u64);
}

#[test]
fn another_model_than_the_one_asked_for_is_named_three_times() {
    let mut fallen = with_iterations(1);
    let reason = "no key".to_owned();
    fallen.fallback = Some(Fallback { requested: "groq:big".to_owned(), reason });
    let run = run(fallen, (programs(1), tools));
    assert!(run.logged("groq:big cannot answer (no key)"));
    for event in [EventName::Init, EventName::FinalAnswer] {
        assert_eq!(run.the(event)["fallback"]["requested"], "groq:big");
    }
}

/// No effect asks for a model: nothing can be paid, and nothing can fail.
#[test]
fn without_a_language_model_rules_reply_to_typed_evidence() {
    let mut local = params(AskConfig::default());
    local.model.is_language_model = false;
    local.model.id = "local:extractive".parse().unwrap();
    let run = run(local, (|_: &crate::driver::Call| panic!("no model is called"), tools));
    assert!(run.calls.is_empty());
    let answer = run.answer();
    assert!(answer.contains("No language model was used"), "{answer}");
    assert!(answer.contains("1 February 1823") && answer.contains("(https://sker.example/"));
    assert_eq!(run.the(EventName::FinalAnswer).get("degraded"), None, "it was asked for");
    assert!(run.all(EventName::LlmResponse).len() >= 4, "clients still see each step");
    let tokens = &run.the(EventName::CostSummary)["tokenCounts"];
    assert_eq!(tokens["total"], 0, "rules use no tokens: {tokens}");
}

#[test]
fn what_the_originals_front_end_collected_is_gone_on_with() {
    let limited = ordinary(|call| match call.iteration {
        1 => calls(&[SEARCH]).into(),
        _ => rate_limit().into(),
    });
    let kept = run(with_iterations(3), (limited, tools)).continuation.unwrap();
    let collected = json!({ "workState": {
        "toolCallCycles": kept["toolCallCycles"], "llmCalls": [], "searchResults": [],
        "currentIteration": 1, "totalCost": 0, "totalTokens": 240,
        "persona": "A keeper of records", "questions": ["When?"], "setupData": null,
    } });
    let resumed = resume(with_iterations(3), &collected, (programs(0), tools));
    assert_eq!(resumed.answer(), ANSWER);
    assert_eq!(resumed.phases(), ["tool_iteration", "final_synthesis"]);
    let shown = resumed.the(EventName::Complete);
    assert_eq!(shown["result"]["persona"], "A keeper of records");
}
