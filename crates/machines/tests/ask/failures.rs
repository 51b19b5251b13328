//! Failures: reference section 11, and what a failed call costs.

use crate::driver::{Call, FailedTry, Reply, Run, resume, run, with_iterations};
use crate::replies::{
    ANSWER, broken_off, calls, ordinary, plan, programs, rate_limit, setup, text, tools,
    turned_away,
};
use quarry_events::EventName;
use quarry_machines::core::Budget;
use quarry_tools::{Errand, FailureKind, Found, Hit, Outcome, Program};
use quarry_types::{ChatError, Completion, FinishReason, Role};
use serde_json::{Value, json};

/// Every way in which a call can fail.
pub fn every_error() -> Vec<ChatError> {
    let message = || "in the provider's words".to_owned();
    vec![
        rate_limit(),
        ChatError::NoCredit { message: message() },
        ChatError::Unauthorized { message: message() },
        ChatError::MissingKey { message: "set openai_api_key".to_owned() },
        ChatError::UnknownModel { message: message() },
        ChatError::ContextTooLong { message: message() },
        ChatError::Rejected { status: 400, message: message() },
        broken_off(),
        ChatError::Connection { message: message() },
        turned_away(),
        ChatError::Malformed { message: message() },
        ChatError::Other { message: message() },
    ]
}

/// The ordinary case, in which every call of one phase ends so.
pub fn failing(phase: &str, reply: impl Into<Reply>) -> impl FnMut(&Call) -> Reply {
    let (phase, reply, mut programs) = (phase.to_owned(), reply.into(), programs(2));
    move |call| if call.phase == phase { reply.clone() } else { programs(call) }
}

fn failed(phase: &str, reply: impl Into<Reply>) -> Run {
    run(with_iterations(2), (failing(phase, reply), tools))
}

const ABROAD: &str = "Country, region, or territory not supported";
const PHASES: [&str; 4] = ["initial_setup", "planning", "tool_iteration", "final_synthesis"];

#[test]
fn every_error_in_every_phase_ends_with_the_right_last_event() {
    for (phase, error) in PHASES.iter().flat_map(|p| every_error().into_iter().map(move |e| (p, e)))
    {
        let run = failed(phase, error.clone());
        let last = run.events.last().unwrap();
        let expected = match (&error, *phase) {
            (ChatError::RateLimited { .. }, _) => EventName::QuotaExceeded,
            (_, "final_synthesis") => EventName::Complete,
            (
                ChatError::NoCredit { .. }
                | ChatError::Unauthorized { .. }
                | ChatError::MissingKey { .. }
                | ChatError::UnknownModel { .. },
                _,
            ) => EventName::Error,
            _ => EventName::Complete,
        };
        assert_eq!(last.name, expected, "{error} in {phase}");
        assert_eq!(run.continuation.is_some(), expected == EventName::QuotaExceeded);
    }
}

#[test]
fn a_key_or_credit_problem_ends_at_once_and_says_what_to_do() {
    for (error, kind) in [
        (ChatError::MissingKey { message: "set openai_api_key".to_owned() }, "missing_key"),
        (ChatError::Unauthorized { message: "bad key".to_owned() }, "unauthorized"),
        (ChatError::NoCredit { message: "pay first".to_owned() }, "no_credit"),
        (ChatError::UnknownModel { message: "no such model".to_owned() }, "unknown_model"),
        (ChatError::Rejected { status: 403, message: ABROAD.to_owned() }, "provider_failed"),
    ] {
        let run = failed("initial_setup", error.clone());
        let shown = run.the(EventName::Error);
        assert_eq!((&shown["type"], &shown["error"]), (&json!(kind), &json!(error.to_string())));
        assert_eq!(run.calls.len(), 1, "no later call could succeed either");
    }
}

#[test]
fn a_problem_after_research_hands_out_what_was_found() {
    let mut turns = 0;
    let model = ordinary(move |_| {
        turns += 1;
        match turns {
            1 => calls(&[
                ("a", "search_web", r#"{"query":"Sker"}"#),
                ("b", "execute_javascript", r#"{"code":"1823"}"#),
            ])
            .into(),
            _ => ChatError::NoCredit { message: "pay first".to_owned() }.into(),
        }
    });
    let run = run(with_iterations(3), (model, tools));
    let shown = run.the(EventName::FinalAnswer);
    assert_eq!(shown["finish"], "provider_error");
    assert!(shown["degraded"]["reason"].as_str().unwrap().contains("pay first"));
    let content = shown["content"].as_str().unwrap();
    assert!(content.contains("pay first") && content.contains("**1823**"), "{content}");
    assert_eq!(run.the(EventName::CostSummary)["stepCosts"].as_array().unwrap().len(), 3);
}

#[test]
fn tools_that_fail_keep_the_loop_alive() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[
            ("a", "search_web", r#"{"query":"x"}"#),
            ("b", "scrape_web_content", r#"{"url":"https://a.example/"}"#),
            ("c", "execute_javascript", r#"{"code":"while(1);","timeout":99}"#),
            ("d", "execute_javascript", r#"{"code":"throw 1"}"#),
        ])
        .into(),
        _ => text("enough").into(),
    });
    let broken = |job: &Errand| {
        let outcome = match job {
            Errand::Search { .. } => {
                Outcome::failed(FailureKind::Failed, "no provider answered".to_owned())
            }
            Errand::SearchKnowledge(_) => {
                Outcome::failed(FailureKind::Failed, "no documents".to_owned())
            }
            Errand::ReadPage { .. } => Outcome::failed(FailureKind::Failed, "timed out".to_owned()),
            Errand::RunProgram { timeout_ms: 10_000, .. } => Outcome::Program(Program {
                error: Some("time limit reached".to_owned()),
                limit: Some("time".to_owned()),
                ..Program::default()
            }),
            Errand::RunProgram { .. } => {
                Outcome::failed(FailureKind::Failed, "unavailable".to_owned())
            }
        };
        (5, outcome)
    };
    let run = run(with_iterations(3), (model, broken));
    assert_eq!(
        run.outputs(),
        [
            json!({ "error": "no provider answered" }),
            json!({ "url": "https://a.example/", "error": "timed out" }),
            json!({ "error": "time limit reached", "limit": "time" }),
            json!({ "error": "unavailable" }),
        ]
    );
    assert_eq!(run.phases().iter().filter(|phase| **phase == "tool_iteration").count(), 2);
    let last = run.call("final_synthesis");
    assert!(last.request.messages[1].content.contains("No evidence was gathered."));
}

#[test]
fn an_outcome_of_the_wrong_kind_is_an_output_all_the_same() {
    let wrong = |_: &Errand| {
        let hit = Hit { url: "https://x.example/".to_owned(), ..Hit::default() };
        (5, Outcome::Found(Found { results: vec![hit], ..Found::default() }))
    };
    let run = run(with_iterations(1), (programs(1), wrong));
    assert_eq!(run.outputs()[0], json!({ "error": "no program was run" }));
}

#[test]
fn a_set_up_that_fails_falls_back_to_defaults() {
    for (reply, log) in [
        (Reply::from(turned_away()), "The set-up failed"),
        (Reply::from(text("I would rather not.")), "could not be read in full"),
        (Reply::from(text("")), "could not be read in full"),
    ] {
        let run = failed("initial_setup", reply);
        assert!(run.logged(log));
        let shown = run.the(EventName::SetupComplete);
        assert!(shown["persona"].as_str().unwrap().contains("researcher"));
        assert_eq!(shown["questions"].as_array().unwrap().len(), 3);
        assert_eq!(run.events.last().unwrap().name, EventName::Complete);
    }
}

#[test]
fn a_plan_that_fails_falls_back_to_the_set_up() {
    for reply in [
        Reply::from(turned_away()),
        Reply::from(broken_off()),
        Reply::from(text("no plan")),
        Reply::from(text(r#"{"research_questions": [], "optimal_persona": 7}"#)),
    ] {
        let run = failed("planning", reply);
        let questions = run.the(EventName::ResearchQuestions);
        assert_eq!(questions["questions"], json!(["When was it built?", "Who lit it?"]));
        assert_eq!(run.the(EventName::Persona)["persona"], "A historian of lighthouses");
        assert_eq!(run.call("final_synthesis").request.max_output_tokens, 2048, "medium");
    }
}

#[test]
fn a_plan_cut_off_at_its_ceiling_is_read_as_far_as_it_goes() {
    let mut reply = text(r#"{"optimal_persona": "A keeper", "research_questions": ["One?", "Tw"#);
    reply.finish_reason = FinishReason::Length;
    let run = failed("planning", reply);
    assert_eq!(run.the(EventName::ResearchQuestions)["questions"], json!(["One?", "Tw"]));
}

#[test]
fn a_research_call_that_fails_leads_to_the_answer() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[("a", "scrape_web_content", r#"{"url":"https://sker.example/"}"#)]).into(),
        _ => ChatError::ContextTooLong { message: "too long".to_owned() }.into(),
    });
    let run = run(with_iterations(3), (model, tools));
    assert!(run.logged("Research ends early"));
    assert!(run.call("final_synthesis").request.messages[1].content.contains("1823"));
}

/// The model answers all the same, from its memory if need be: nobody may take that for research.
#[test]
fn research_that_failed_is_told_with_the_answer_and_why() {
    let refused = ChatError::Rejected { status: 400, message: "no tools here".to_owned() };
    let model = || {
        let refused = refused.clone();
        ordinary(move |_| refused.clone().into())
    };
    let run = run(with_iterations(3), (model(), tools));
    let last = run.the(EventName::FinalAnswer);
    assert_eq!((&last["partial"], &last["finish"]), (&json!(true), &json!("broken")));
    assert!(last["endedEarly"]["reason"].as_str().unwrap().contains("no tools here"), "{last}");
    assert!(run.answer().starts_with(ANSWER), "{}", run.answer());
    assert!(
        run.answer().contains("research ended early") && run.answer().contains("no tools here")
    );
    assert_eq!(run.the(EventName::Complete)["result"]["partial"], true);

    let mut limited = model();
    let limited = move |call: &Call| match call.phase.as_str() {
        "final_synthesis" => rate_limit().into(),
        _ => limited(call),
    };
    let state = crate::driver::run(with_iterations(3), (limited, tools)).continuation.unwrap();
    let resumed = resume(with_iterations(3), &state, (model(), tools));
    let last = resumed.the(EventName::FinalAnswer);
    assert!(last["endedEarly"]["reason"].as_str().unwrap().contains("no tools here"), "{last}");
    assert!(!resumed.answer().contains("budget"), "{}", resumed.answer());
}

#[test]
fn an_answer_that_fails_says_so_in_the_answer() {
    let run = failed("final_synthesis", turned_away());
    assert!(run.answer().contains("overloaded"), "{}", run.answer());
    assert_eq!(run.the(EventName::FinalAnswer)["costSummary"]["totalTokens"], 480);
}

#[test]
fn an_answer_that_breaks_off_keeps_what_was_written() {
    let pieces = vec!["It was ".to_owned(), "first lit".to_owned()];
    let run = failed("final_synthesis", Reply { pieces, ..turned_away().into() });
    assert!(run.answer().starts_with("It was first lit\n\n*The answer breaks off here"));
    let lost = &run.the(EventName::CostSummary)["unsettledCalls"];
    assert_eq!(lost[0]["stepName"], "final_synthesis", "it had begun, so it may have cost");
}

#[test]
fn an_empty_or_short_answer_is_named_as_such() {
    let of = |words: &str, finish_reason| {
        let run = failed("final_synthesis", Completion { finish_reason, ..text(words) });
        let finish = run.the(EventName::FinalAnswer)["finish"].as_str().unwrap().to_owned();
        (finish, run.answer())
    };
    let (finish, answer) = of("  ", FinishReason::Stop);
    assert_eq!(finish, "provider_error");
    assert!(answer.contains("the model wrote no answer"), "{answer}");
    let (finish, answer) = of("  ", FinishReason::ContentFilter);
    assert_eq!(finish, "filter");
    assert!(answer.contains("filter held the answer back"));
    let (finish, answer) = of("It was", FinishReason::Other);
    assert_eq!(finish, "broken");
    assert!(answer.contains("The answer breaks off here"), "{answer}");
    let (finish, answer) = of("It was", FinishReason::Length);
    assert_eq!(finish, "length");
    assert!(answer.ends_with("reached its length limit.*"));
}

/// Markers that nothing has, whatever signs stand around them, are no answer; neither are markers alone.
#[test]
fn an_answer_of_nothing_but_markers_is_quoted_instead() {
    for written in
        ["[q99] [q98]", "- [q99]\n- [q98].\n", "([q99], https://evil.example/x)", "**[q1]**"]
    {
        let streamed = Reply {
            pieces: written.split_inclusive(' ').map(str::to_owned).collect(),
            ..Reply::from(text(written))
        };
        for reply in [streamed, text(written).into()] {
            let mut others = ordinary(|call| match call.iteration {
                1 => {
                    calls(&[("a", "search_web", r#"{"query":"Sker","load_content":true}"#)]).into()
                }
                _ => text("enough").into(),
            });
            let model = move |call: &Call| match call.phase.as_str() {
                "final_synthesis" => reply.clone(),
                _ => others(call),
            };
            let run = run(with_iterations(2), (model, tools));
            let last = run.the(EventName::FinalAnswer);
            assert!(
                last["degraded"]["reason"].as_str().unwrap().contains("wrote no answer"),
                "{written}: {last}"
            );
            assert!(run.answer().contains("1 February 1823"), "{written}: {}", run.answer());
            let cited = last["citations"].as_array().unwrap();
            assert!(cited.iter().all(|it| it["verdict"] == "supported"), "{cited:?}");
        }
    }
}

#[test]
fn an_ask_ends_well_when_every_call_fails() {
    let world = (|_: &Call| Reply::from(turned_away()), tools);
    let run = run(with_iterations(2), world);
    assert_eq!(run.phases(), PHASES);
    let error = run.the(EventName::Error);
    assert_eq!(
        (&error["type"], &error["code"]),
        (&json!("provider_failed"), &json!("PROVIDER_FAILED"))
    );
    assert!(run.all(EventName::CostSummary).is_empty(), "who is turned away pays nothing");
}

#[test]
fn a_call_that_broke_off_is_listed_with_the_most_that_it_can_have_cost() {
    let run = failed("planning", broken_off());
    let summary = run.the(EventName::CostSummary);
    let lost = &summary["unsettledCalls"];
    assert_eq!(lost.as_array().unwrap().len(), 1);
    assert_eq!(lost[0]["stepName"], "planning");
    let most = lost[0]["mostTokens"].as_u64().unwrap();
    assert!(most > 300, "prompt and ceiling: {most}");
    assert!(lost[0]["mostCost"].as_f64().unwrap() > 600e-6);
    assert_eq!(summary["stepCosts"].as_array().unwrap().len(), 4, "what is known stays apart");
    let set_up = failed("initial_setup", broken_off());
    assert_eq!(set_up.the(EventName::SetupComplete)["costKnown"], false, "unknown, not 0");
}

/// A reply behind tries that broke off.
pub fn behind_lost_tries(reply: impl Into<Reply>, tries: usize) -> Reply {
    let lost = FailedTry { wait_ms: 1_000, reason: "it broke off".to_owned(), may_be_paid: true };
    Reply { retries: vec![lost; tries], ..reply.into() }
}

#[test]
fn each_try_that_broke_off_is_listed_though_the_call_came_to_its_end() {
    let run = failed("planning", behind_lost_tries(plan("simple"), 2));
    let summary = run.the(EventName::CostSummary);
    let lost = summary["unsettledCalls"].as_array().unwrap();
    assert_eq!(lost.len(), 2);
    for lost in lost {
        assert_eq!(
            (&lost["stepName"], &lost["reason"]),
            (&json!("planning"), &json!("it broke off"))
        );
        assert!(lost["mostTokens"].as_u64().unwrap() > 300, "prompt and ceiling: {lost}");
    }
    assert_eq!(summary["costKnown"], false);
    assert_eq!(summary["stepCosts"].as_array().unwrap().len(), 5, "and what its last try cost");
}

#[test]
fn what_broke_off_is_tried_again_as_far_as_the_budget_holds_the_worst_of_each_try() {
    let lost = |budget: Budget| {
        let mut params = with_iterations(1);
        params.config.budget = budget;
        let reply = behind_lost_tries(setup(), 2);
        let run = run(params, (failing("initial_setup", reply), tools));
        let lost = run.all(EventName::CostSummary).pop().map(|it| it["unsettledCalls"].clone());
        let lost = lost.iter().filter_map(Value::as_array).flatten();
        lost.map(|lost| lost["mostTokens"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let unbounded = lost(Budget::default());
    assert_eq!(unbounded.len(), 2);
    let mut fewer = Vec::new();
    for tokens in (0..40).map(|step| unbounded[0] + step * 250) {
        let lost = lost(Budget { tokens: Some(tokens), usd: None });
        assert!(lost.iter().sum::<u64>() <= tokens, "{lost:?} of {tokens}");
        fewer.push(lost.len());
    }
    fewer.dedup();
    assert_eq!(fewer, [0, 1, 2], "with each budget more");
}

#[test]
fn failed_calls_leave_no_trace_in_the_conversation() {
    let run = failed("final_synthesis", turned_away());
    let second = run.calls.iter().find(|call| call.iteration == 2).unwrap();
    assert_eq!(second.request.messages.iter().filter(|m| m.role == Role::Tool).count(), 1);
}
