//! The model's judgement of doubtful citations, where it is asked for.

use crate::driver::{Call, Driver, Reply, Run, run, with_iterations};
use crate::replies::{USAGE, calls, ordinary, rate_limit, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::AskParams;
use quarry_machines::core::{Budget, Input};
use quarry_types::{Completion, Usage};
use serde_json::{Value, json};

/// One sentence that the page says, one with another date, one that has words of it.
const WORDS: &str = "The lamp of Sker was lit for the first time on 1 February 1823 [q1]. \
    The lamp of Sker was lit for the first time on 9 May 1911 [q1]. \
    The lamp of Sker was lit for the first time by a famous pirate captain [q1].";

fn judged() -> AskParams {
    let mut params = with_iterations(2);
    params.config.verify_with_model = true;
    params
}

fn model(judgement: impl Fn() -> Reply) -> impl FnMut(&Call) -> Reply {
    let mut others = ordinary(|call| match call.iteration {
        1 => calls(&[("a", "search_web", r#"{"query":"Sker","load_content":true}"#)]).into(),
        _ => text("enough").into(),
    });
    move |call| match call.phase.as_str() {
        "final_synthesis" => text(WORDS).into(),
        "citation_check" => judgement(),
        _ => others(call),
    }
}

fn verdicts(run: &Run) -> Vec<(Value, bool)> {
    let answer = run.the(EventName::FinalAnswer);
    let citations = answer["citations"].as_array().unwrap().iter();
    citations.map(|it| (it["verdict"].clone(), it["by_model"] == true)).collect()
}

#[test]
fn doubtful_citations_are_judged_in_one_call_and_say_by_whom() {
    let reply = r#"{"verdicts": {"1": "not_found", "2": "partly"}}"#;
    let run = run(judged(), (model(|| text(reply).into()), tools));
    assert_eq!(
        verdicts(&run),
        [(json!("supported"), false), (json!("not_found"), true), (json!("partly"), true)]
    );
    let asked = &run.call("citation_check").request.messages[1].content;
    assert!(
        asked.contains("1. Sentence: The lamp of Sker was lit for the first time on 9 May 1911")
    );
    assert!(asked.contains("Quotation: The lamp of Sker was lit") && !asked.contains("3. "));
    // Readers who joined before are told of the new verdicts.
    assert_eq!(run.all(EventName::Citation).len(), 3 + 2);
    let told = run.all(EventName::Citation).pop().unwrap();
    assert_eq!((&told["by_model"], &told["verdict"]), (&json!(true), &json!("partly")));
    let costs = run.the(EventName::CostSummary);
    assert_eq!(costs["stepCosts"].as_array().unwrap().last().unwrap()["phase"], "citation_check");
}

#[test]
fn no_model_overrules_another_figure() {
    let reply = r#"{"verdicts": {"1": "supported", "2": "supported"}}"#;
    let run = run(judged(), (model(|| text(reply).into()), tools));
    assert_eq!(
        verdicts(&run),
        [(json!("supported"), false), (json!("partly"), false), (json!("supported"), true)]
    );
}

#[test]
fn without_the_wish_or_without_a_doubt_nothing_is_asked() {
    let run_of = |params| run(params, (model(|| panic!("nobody asked for it")), tools));
    assert_eq!(verdicts(&run_of(with_iterations(2))).len(), 3);
    let sure = |call: &Call| match call.phase.as_str() {
        "final_synthesis" => text(WORDS.split_inclusive(". ").next().unwrap()).into(),
        _ => model(|| panic!("there is no doubt"))(call),
    };
    assert_eq!(verdicts(&run(judged(), (sure, tools))), [(json!("supported"), false)]);
}

#[test]
fn whatever_goes_wrong_the_answer_stands_with_the_verdicts_of_the_check() {
    let unreadable = run(judged(), (model(|| text("I think so.").into()), tools));
    let limited = run(judged(), (model(|| rate_limit().into()), tools));
    for (run, why) in [(&unreadable, "cannot be read"), (&limited, "The check's verdicts stand")] {
        let expected = ["supported", "partly", "partly"].map(|verdict| (json!(verdict), false));
        assert_eq!(verdicts(run), expected, "{why}");
        assert!(run.logged(why), "{why}");
        assert_eq!(run.the(EventName::Complete)["ended"], "answered");
    }
}

#[test]
fn a_budget_that_the_answer_used_up_is_kept() {
    let mut poor = judged();
    poor.config.budget = Budget { tokens: Some(3_000), ..Budget::default() };
    let mut others = model(|| panic!("it costs more than is left"));
    let long = move |call: &Call| match call.phase.as_str() {
        "final_synthesis" => {
            let usage = Usage { input: 600, output: 1_600, ..USAGE };
            Completion { usage, ..text(WORDS) }.into()
        }
        _ => others(call),
    };
    let run = run(poor, (long, tools));
    assert!(run.logged("the budget leaves no room for it"));
    assert_eq!(verdicts(&run).len(), 3);
    assert_eq!(run.the(EventName::Complete)["ended"], "answered");
}

#[test]
fn whoever_stops_while_citations_are_judged_gets_the_answer() {
    let mut driver = Driver::new(judged(), (model(|| text("{}").into()), tools));
    driver.until("citation_check");
    driver.handle(Input::Stop);
    let run = driver.finish();
    assert_eq!(verdicts(&run).len(), 3);
    assert_eq!(run.the(EventName::Complete)["ended"], "answered");
    assert!(
        run.the(EventName::CostSummary)["unsettledCalls"]
            .as_array()
            .is_some_and(|lost| lost.len() == 1)
    );
}
