//! The model's judgement of doubtful citations, where it is asked for.

use crate::driver::{Call, Driver, Reply, Run, World, run, with_iterations};
use crate::replies::{USAGE, calls, ordinary, rate_limit, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::AskParams;
use quarry_machines::core::{Budget, Input};
use quarry_types::{Completion, Usage};
use serde_json::{Value, json};

/// One sentence that the page says, one with another date, one that has words of it.
pub const WORDS: &str = "The lamp of Sker was lit for the first time on 1 February 1823 [q1]. \
    The lamp of Sker was lit for the first time on 9 May 1911 [q1]. \
    The lamp of Sker was lit for the first time by a famous pirate captain [q1].";

/// An ask whose doubtful citations a model is to judge.
pub fn judged() -> AskParams {
    let mut params = with_iterations(2);
    params.config.verify_with_model = true;
    params
}

/// A model that answers with [`WORDS`], and judges so.
pub fn model(judgement: impl Fn() -> Reply) -> impl FnMut(&Call) -> Reply {
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

/// The verdicts on an answer's citations, each with whether the model gave it.
pub fn verdicts(run: &Run) -> Vec<(Value, bool)> {
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
    // The link was shown before; below the answer stands that nothing vouches for it.
    let content = run.answer();
    let doubt = "*(unverified) The model that checked again did not find: [1] for “The lamp of Sker was lit for the \
        first time on 9 May 1911”.*";
    assert!(content.ends_with(&format!("\n\n{doubt}")), "{content}");
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

/// An ask whose process died while its citations were judged; and how it would have ended.
fn died_while_judged(reply: &'static str) -> (Driver<impl World>, Run) {
    let whole = run(judged(), (model(move || text(reply).into()), tools));
    let mut died = Driver::new(judged(), (model(|| text("never came").into()), tools));
    died.until("citation_check");
    (died, whole)
}

/// A model that may be asked for its judgement alone.
fn judge(reply: &'static str) -> impl FnMut(&Call) -> Reply {
    move |call| match call.phase.as_str() {
        "citation_check" => text(reply).into(),
        other => panic!("{other} is paid for already"),
    }
}

#[test]
fn an_answer_is_not_written_again_because_its_check_was_interrupted() {
    let reply = r#"{"verdicts": {"1": "not_found", "2": "partly"}}"#;
    let (died, whole) = died_while_judged(reply);
    let revived = died.revived(judged(), (judge(reply), tools)).finish();
    assert_eq!(revived.phases(), ["citation_check"]);
    assert_eq!(
        revived.call("citation_check").request.messages,
        whole.call("citation_check").request.messages
    );
    assert_eq!((revived.answer(), verdicts(&revived)), (whole.answer(), verdicts(&whole)));
    let shown = |run: &Run| run.the(EventName::FinalAnswer)["confidence"].clone();
    assert_eq!(shown(&revived), shown(&whole));
    // Its readers are told what the first ones were told.
    let told = |run: &Run| -> Vec<Value> {
        let cited = run.all(EventName::Citation).into_iter();
        cited
            .map(|mut it| {
                it["timestamp"].take();
                it
            })
            .collect()
    };
    assert_eq!(told(&revived), told(&whole));
    let lost = revived.the(EventName::CostSummary)["unsettledCalls"].clone();
    assert_eq!(lost.as_array().map(Vec::len), Some(1), "the call that was cut off may have cost");
}

#[test]
fn each_citation_of_a_kept_answer_is_told_before_it_is_shown_again() {
    let (died, _) = died_while_judged("{}");
    let revived = died.revived(judged(), (judge("{}"), tools)).finish();
    let mut shown = 0;
    let mut told = 0;
    for event in &revived.events {
        let data: Value = serde_json::from_str(&event.data).unwrap();
        match event.name {
            EventName::AnswerDelta => shown += data["text"].as_str().unwrap().chars().count(),
            EventName::Citation => {
                assert_eq!(data["start"], shown, "a link appears with what it rests on");
                told += 1;
            }
            _ => {}
        }
    }
    assert_eq!(told, 3);
}

#[test]
fn a_kept_answer_that_cannot_be_judged_any_more_ends_as_it_is_and_says_so() {
    let (died, _) = died_while_judged("{}");
    let mut poor = judged();
    poor.config.budget = Budget { tokens: Some(1), ..Budget::default() };
    let mut refused = with_iterations(2);
    refused.own.verify_with_model = Some(false);
    for (params, why) in
        [(poor, "the budget leaves no room for it"), (refused, "this request does not ask for it")]
    {
        let revived =
            died.revived(params, (model(|| panic!("nobody asked for it")), tools)).finish();
        assert!(revived.calls.is_empty() && revived.logged(why), "{why}: {:?}", revived.phases());
        let expected = ["supported", "partly", "partly"].map(|verdict| (json!(verdict), false));
        assert_eq!(verdicts(&revived), expected);
        assert_eq!(revived.the(EventName::Complete)["ended"], "answered");
    }
}

#[test]
fn a_kept_answer_outlives_any_number_of_deaths_and_a_stop() {
    let (died, whole) = died_while_judged("{}");
    let mut again = died.revived(judged(), (judge("{}"), tools));
    let before_it_began = again.revived(judged(), (judge("{}"), tools));
    assert!(before_it_began.ask.continuation().synthesis_due, "a client's state has no answer");
    assert_eq!(before_it_began.finish().answer(), whole.answer());
    again.until("citation_check");
    let mut third = again.revived(judged(), (judge("{}"), tools));
    third.until("citation_check");
    third.handle(Input::Stop);
    let third = third.finish();
    assert_eq!((third.answer(), third.phases()), (whole.answer(), vec!["citation_check"]));
    let lost = third.the(EventName::CostSummary)["unsettledCalls"].clone();
    assert_eq!(lost.as_array().map(Vec::len), Some(3));
}

#[test]
fn another_question_has_no_use_for_the_answer_that_was_kept() {
    let (died, _) = died_while_judged("{}");
    let mut other = judged();
    other.query = "Who lit the lighthouse of Sker?".to_owned();
    let revived = died.revived(other, (model(|| text("{}").into()), tools)).finish();
    assert_eq!(revived.phases(), ["final_synthesis", "citation_check"]);
}

#[test]
fn more_doubts_than_one_call_judges_are_counted_as_they_are() {
    let doubtful = "The lamp of Sker was lit for the first time by a famous pirate captain [q1]. ";
    let long = doubtful.repeat(40);
    let many = move |call: &Call| match call.phase.as_str() {
        "final_synthesis" => text(&long).into(),
        _ => {
            let all: Vec<String> = (1..=40).map(|n| format!("\"{n}\": \"not_found\"")).collect();
            let reply = format!("{{{}}}", all.join(","));
            model(move || text(&reply).into())(call)
        }
    };
    let run = run(judged(), (many, tools));
    assert!(run.logged("The model judges the first 32 of 40 doubtful citations"));
    let asked = &run.call("citation_check").request.messages[1].content;
    assert!(asked.contains("\n32. Sentence") && !asked.contains("\n33. Sentence"));
    let judged = verdicts(&run);
    assert!(judged.iter().take(32).all(|(verdict, by_model)| verdict == "not_found" && *by_model));
    assert!(judged.iter().skip(32).all(|(verdict, by_model)| verdict == "partly" && !by_model));
}
