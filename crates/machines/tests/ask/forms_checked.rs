//! Answers as JSON whose citations a model judges before: two calls behind the answer, of which the form is what was asked for.

use crate::checking::{WORDS, judged, model, verdicts};
use crate::driver::{Call, Driver, Reply, Run, World};
use crate::replies::{USAGE, broken_off, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskParams, Form, Wish};
use quarry_machines::core::{Budget, Input, request_estimate};
use quarry_types::{Completion, Usage};
use serde_json::{Value, json};
use std::cell::Cell;

const LAMP: &str = r#"{"year": 1823}"#;
const JUDGEMENT: &str = r#"{"verdicts": {"1": "not_found", "2": "not_found"}}"#;

fn wishing() -> AskParams {
    AskParams { wish: Wish { form: Some(Form::JsonObject), ..Wish::default() }, ..judged() }
}

/// A reply that took all that it was given.
fn using_all(call: &Call, reply: &str) -> Reply {
    let (input, output) =
        (request_estimate(&call.request), u64::from(call.request.max_output_tokens));
    let usage = Usage { input, output, reported: true, ..Usage::default() };
    Completion { usage, ..text(reply) }.into()
}

/// A model that uses so much for its research, all that it may for the answer, and whose judgement may have cost as much as
/// it can.
fn dear(research: u64) -> impl FnMut(&Call) -> Reply {
    let mut others = model(|| broken_off().into());
    move |call| match call.phase.as_str() {
        "tool_iteration" if call.iteration == 2 => {
            let usage = Usage { input: research, ..USAGE };
            Completion { usage, ..text("enough") }.into()
        }
        "final_synthesis" => using_all(call, WORDS),
        "final_format" => using_all(call, LAMP),
        _ => others(call),
    }
}

#[test]
fn no_answer_is_lost_because_it_was_to_be_judged() {
    const TOKENS: u64 = 6_000;
    let [mut judged, mut not_judged] = [0, 0];
    // So much is left for the answer, or a little less.
    for left in (900..4_000).step_by(50) {
        let mut params = wishing();
        params.config.budget = Budget { tokens: Some(TOKENS), ..Budget::default() };
        let run = Driver::new(params, (dear(TOKENS - left - 400), tools)).finish();
        if !run.phases().contains(&"final_synthesis") {
            // Nothing was paid for that is lost.
            assert_eq!(run.the(EventName::Error)["type"], "budget_exceeded");
            continue;
        }
        assert_eq!(run.answer(), LAMP, "{left}: {:?}", run.phases());
        let summary = run.the(EventName::CostSummary);
        let lost = summary["unsettledCalls"].as_array().into_iter().flatten();
        let lost: u64 = lost.map(|call| call["mostTokens"].as_u64().unwrap()).sum();
        let spent = summary["tokenCounts"]["total"].as_u64().unwrap();
        assert!(spent + lost <= TOKENS, "{left}: {spent} and {lost}");
        match run.phases().contains(&"citation_check") {
            true => judged += 1,
            false => not_judged += usize::from(run.logged("the budget leaves no room for it")),
        }
    }
    assert!(judged > 10 && not_judged > 10, "{judged}, {not_judged}");
}

/// What a model is asked for that writes these texts as the form, one after the other, and judges as it is told here.
fn putting<'t>(asked: &'t Cell<u32>, texts: &'t [&'t str]) -> impl World + 't {
    let mut others = model(move || {
        asked.set(asked.get() + 1);
        text(JUDGEMENT).into()
    });
    let mut texts = texts.iter();
    let model = move |call: &Call| -> Reply {
        match call.phase.as_str() {
            "final_format" => text(texts.next().unwrap()).into(),
            _ => others(call),
        }
    };
    (model, tools)
}

fn form_calls(run: &Run) -> Vec<&Call> {
    run.calls.iter().filter(|call| call.phase == "final_format").collect()
}

#[test]
fn what_was_judged_is_not_judged_again_because_its_form_was_interrupted() {
    let asked = Cell::new(0);
    let whole = Driver::new(wishing(), putting(&asked, &[LAMP])).finish();
    for ends in [None, Some(Input::Stop)] {
        asked.set(0);
        let mut died = Driver::new(wishing(), putting(&asked, &[LAMP]));
        died.until("final_format");
        ends.into_iter().for_each(|input| died.handle(input));
        let revived = died.revived(judged(), putting(&asked, &[LAMP])).finish();
        assert_eq!((asked.get(), revived.phases()), (1, vec!["final_format"]));
        assert_eq!(form_calls(&revived)[0].request, form_calls(&whole)[0].request);
        assert_eq!((revived.answer(), verdicts(&revived)), (whole.answer(), verdicts(&whole)));
        assert!(verdicts(&revived).iter().any(|(_, by_model)| *by_model));
    }
    // One that nobody has judged yet is, where that is wanted now.
    asked.set(0);
    let mut unjudged = wishing();
    unjudged.config.verify_with_model = false;
    let mut died = Driver::new(unjudged, putting(&asked, &[LAMP]));
    died.until("final_format");
    let mut wanted = judged();
    wanted.own.verify_with_model = Some(true);
    let revived = died.revived(wanted, putting(&asked, &[LAMP])).finish();
    assert_eq!(revived.phases(), ["citation_check", "final_format"]);
}

/// An ask that died while the model was told what is wrong with its form.
fn died_in_repair(asked: &Cell<u32>, params: AskParams) -> Driver<impl World> {
    let mut died = Driver::new(params, putting(asked, &["In 1823.", LAMP]));
    died.until("final_format");
    while form_calls(&died.run).len() < 2 {
        assert!(died.step());
    }
    died
}

#[test]
fn a_form_that_did_not_fit_is_not_paid_for_again_because_its_repair_was_interrupted() {
    for is_direct in [false, true] {
        let asked = Cell::new(0);
        let mut params = wishing();
        params.wish.is_direct = is_direct;
        let died = died_in_repair(&asked, params);
        let repair = form_calls(&died.run)[1].request.clone();
        let revived = died.revived(judged(), putting(&asked, &[LAMP])).finish();
        assert_eq!(revived.phases(), ["final_format"], "{is_direct}");
        assert_eq!(form_calls(&revived)[0].request, repair);
        assert_eq!((revived.answer(), asked.get()), (LAMP.to_owned(), u32::from(!is_direct)));
        // It is the second and last try still.
        let failed = died.revived(judged(), putting(&asked, &["no"])).finish();
        assert!(failed.the(EventName::Error)["error"].as_str().unwrap().contains("twice"));
        // A death more changes nothing, and a client goes on with the answer.
        let again = died.revived(judged(), putting(&asked, &[LAMP]));
        assert!(again.ask.continuation().synthesis_due);
        let again = again.revived(judged(), putting(&asked, &[LAMP])).finish();
        assert_eq!((again.phases(), again.answer()), (vec!["final_format"], LAMP.to_owned()));
    }
}

#[test]
fn what_is_wished_otherwise_is_put_into_its_form_anew_and_what_is_asked_otherwise_written_anew() {
    let asked = Cell::new(0);
    let died = died_in_repair(&asked, wishing());
    let mut shorter = judged();
    shorter.wish.max_tokens = Some(900);
    let revived = died.revived(shorter, putting(&asked, &["no", LAMP])).finish();
    assert_eq!(revived.phases(), ["final_format", "final_format"]);
    assert_eq!((revived.answer(), asked.get()), (LAMP.to_owned(), 1));
    let mut other = wishing();
    other.query = "Who lit the lighthouse of Sker?".to_owned();
    let revived = died.revived(other, putting(&asked, &[LAMP])).finish();
    assert_eq!(revived.phases(), ["final_synthesis", "citation_check", "final_format"]);
}

/// What is kept of asks that were interrupted before this was known of them.
#[test]
fn an_answer_that_was_kept_before_says_nothing_of_its_check() {
    let asked = Cell::new(0);
    let mut died = Driver::new(wishing(), putting(&asked, &[LAMP]));
    died.until("final_format");
    let mut kept: Value = serde_json::to_value(&died.ask).unwrap();
    let answer = kept.pointer_mut("/stage/Forming/answer").unwrap().as_object_mut().unwrap();
    assert_eq!(answer.remove("is_checked"), Some(json!(true)));
    died.ask = serde_json::from_value(kept).unwrap();
    let revived = died.revived(judged(), putting(&asked, &[LAMP])).finish();
    assert_eq!(revived.answer(), LAMP);
}
