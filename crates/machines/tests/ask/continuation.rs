//! Rate limits, continuation states, and going on from them: reference section 10.

use crate::driver::{Call, Driver, Reply, Run, START, params, resume, run, with_iterations};
use crate::failures::failing;
use crate::replies::{ANSWER, broken_off, calls, ordinary, programs, rate_limit, text, tools};
use quarry_events::EventName;
use quarry_machines::Listed;
use quarry_machines::ask::{Ask, AskConfig, AskParams, ContinuationState, StateError};
use quarry_machines::core::{Budget, ContextProfile, Machine};
use quarry_tools::{Errand, Found, Hit, Outcome, Page};
use quarry_types::Timestamp;
use serde_json::{Value, json};

/// The seven fields of the reference.
const SEVEN: [&str; 7] = [
    "toolCallCycles",
    "llmCalls",
    "searchResults",
    "currentIteration",
    "researchPlan",
    "totalCost",
    "totalTokens",
];

/// The ordinary case, in which the n-th call (from 0) hits a rate limit.
fn limited(nth: usize) -> impl FnMut(&Call) -> Reply {
    let mut programs = programs(2);
    let mut made = 0;
    move |call| {
        made += 1;
        if made == nth + 1 { rate_limit().into() } else { programs(call) }
    }
}

fn interrupted(nth: usize) -> Run {
    run(with_iterations(2), (limited(nth), tools))
}

fn tokens(run: &Run) -> u64 {
    run.the(EventName::CostSummary)["tokenCounts"]["total"].as_u64().unwrap()
}

#[test]
fn a_rate_limit_in_any_phase_becomes_a_state() {
    for nth in 0..5 {
        let run = interrupted(nth);
        assert_eq!(run.calls.len(), nth + 1);
        let shown = run.the(EventName::QuotaExceeded);
        assert_eq!(shown["waitTime"], 432.5);
        assert!(shown["message"].as_str().unwrap().contains("8 minutes"));
        let state = &shown["continuationState"];
        assert_eq!(Some(state), run.continuation.as_ref());
        for field in SEVEN {
            assert!(state.get(field).is_some(), "{field}");
        }
        assert_eq!(state["llmCalls"].as_array().unwrap().len(), nth);
        assert_eq!(state["currentIteration"], nth.saturating_sub(2).min(2));
        assert_eq!(state["totalTokens"], nth * 120);
        assert_eq!(state["researchPlan"].is_null(), nth < 2);
        assert_eq!(run.all(EventName::FinalAnswer).len(), 0);
    }
}

#[test]
fn a_resumed_ask_goes_on_exactly_where_it_stood() {
    let whole = run(with_iterations(2), (programs(2), tools));
    for nth in 0..5 {
        let state = interrupted(nth).continuation.unwrap();
        let resumed = resume(with_iterations(2), &state, (programs(2), tools));
        assert_eq!(resumed.answer(), ANSWER);
        assert_eq!(resumed.calls, whole.calls[nth..], "finished calls are not paid twice");
        assert_eq!(resumed.jobs, whole.jobs[nth.saturating_sub(2).min(2)..]);
        assert_eq!(tokens(&resumed), tokens(&whole), "the totals add up");
        for name in [EventName::CostSummary, EventName::FinalAnswer] {
            let mut summaries = [whole.the(name), resumed.the(name)];
            summaries.iter_mut().for_each(without_times);
            assert_eq!(summaries[0], summaries[1]);
        }
    }
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("timestamp");
            members.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn what_is_known_is_shown_again_in_the_order_of_the_reference() {
    let state = interrupted(4).continuation.unwrap();
    let resumed = resume(with_iterations(2), &state, (programs(2), tools));
    let order = "log init tool_result tool_result llm_response llm_response llm_response \
        llm_response log persona research_questions stage log llm_request answer_delta answer_delta \
        llm_response stage cost_summary final_answer complete";
    assert_eq!(resumed.names(), order.split_whitespace().collect::<Vec<_>>());
    for result in resumed.all(EventName::ToolResult) {
        assert_eq!(result["continued"], true);
        assert_eq!(result["duration"], 10);
    }
    let responses = resumed.all(EventName::LlmResponse);
    for (at, response) in responses[..4].iter().enumerate() {
        assert_eq!(response["type"], "continuation_restore");
        assert_eq!(response["iteration"], at + 1);
        assert_eq!(response["usage"]["prompt_tokens"], 100);
    }
    assert_eq!(responses[4].get("type"), None);
}

#[test]
fn a_checkpoint_of_any_moment_can_be_gone_on_with() {
    let whole = run(with_iterations(2), (programs(2), tools));
    let mut steps = 0;
    loop {
        let mut driver = Driver::new(with_iterations(2), (programs(2), tools));
        (0..=steps).for_each(|_| assert!(driver.step()));
        if driver.ask.has_ended() {
            break;
        }
        let (state, _) = driver.ask.continuation().write(None);
        let finished = state["llmCalls"].as_array().unwrap().len();
        let under_way = driver.run.calls.len() - finished;
        let resumed = resume(with_iterations(2), &state, (programs(2), tools));
        assert_eq!(resumed.answer(), ANSWER);
        assert_eq!(resumed.calls, whole.calls[finished..], "after {steps} steps");
        assert_eq!(tokens(&resumed), tokens(&whole));
        let summary = resumed.the(EventName::CostSummary);
        let lost = summary["unsettledCalls"].as_array().map_or(0, Vec::len);
        assert_eq!(lost, under_way, "a call cut off by a crash may have cost something");
        steps += 1;
    }
    assert!(steps > 7, "every moment was tried");
}

#[test]
fn a_restored_ask_that_has_not_begun_is_still_a_state() {
    let state = interrupted(4).continuation.unwrap();
    let read = ContinuationState::read(&state, None).unwrap();
    let again = Ask::resume(with_iterations(2), read.clone(), START).continuation();
    assert_eq!((again.synthesis_due, &again.tool_call_cycles), (true, &read.tool_call_cycles));
    assert_eq!((again.total_tokens, again.llm_calls), (read.total_tokens, read.llm_calls));
}

/// A model that wants three tools at once, one of which does not exist.
fn three_tools() -> impl FnMut(&Call) -> Reply {
    ordinary(|call| match call.iteration {
        1 => {
            let mut reply = calls(&[
                ("slow", "scrape_web_content", r#"{"url":"https://sker.example/"}"#),
                ("none", "browse", "{}"),
                ("fast", "execute_javascript", r#"{"code":"1 + 1"}"#),
            ]);
            reply.text = "I will look.".to_owned();
            reply.into()
        }
        _ => text("enough").into(),
    })
}

fn slow_pages(job: &Errand) -> (u64, Outcome) {
    let (after, outcome) = tools(job);
    (if matches!(job, Errand::ReadPage { .. }) { 5_000 } else { after }, outcome)
}

#[test]
fn an_ask_interrupted_among_its_tools_runs_only_those_that_are_missing() {
    let mut driver = Driver::new(with_iterations(3), (three_tools(), slow_pages));
    while driver.run.all(EventName::ToolResult).len() < 2 {
        assert!(driver.step());
    }
    let (state, _) = driver.ask.continuation().write(None);
    let whole = driver.finish();
    assert_eq!(state["openCycle"].as_array().unwrap().len(), 3);
    let resumed = resume(with_iterations(3), &state, (three_tools(), slow_pages));
    assert!(matches!(resumed.jobs[..], [Errand::ReadPage { .. }]), "{:?}", resumed.jobs);
    let announced = resumed.the(EventName::Tools);
    assert_eq!(
        (&announced["pending"], &announced["calls"][0]["call_id"]),
        (&json!(1), &json!("slow"))
    );
    let results = resumed.all(EventName::ToolResult);
    let ids: Vec<&Value> = results.iter().map(|result| &result["call_id"]).collect();
    assert_eq!(ids, ["none", "fast", "slow"]);
    assert_eq!(resumed.calls[0].request.messages, whole.calls[3].request.messages);
    assert_eq!(tokens(&resumed), tokens(&whole));
}

#[test]
fn the_seven_fields_alone_are_enough() {
    let state = interrupted(3).continuation.unwrap();
    let mut seven = Value::Object(Default::default());
    for field in SEVEN {
        seven[field] = state[field].clone();
    }
    for call in seven["llmCalls"].as_array_mut().unwrap() {
        call.as_object_mut().unwrap().remove("step");
    }
    let resumed = resume(with_iterations(2), &seven, (programs(2), tools));
    assert_eq!((resumed.answer().as_str(), resumed.calls.len()), (ANSWER, 2));
    assert_eq!(tokens(&resumed), 600, "usage comes from the calls");
    seven["llmCalls"] = json!([]);
    let resumed = resume(with_iterations(2), &seven, (programs(2), tools));
    assert_eq!(tokens(&resumed), 600, "and without them from the totals");
    assert!(
        (resumed.the(EventName::CostSummary)["totalCost"].as_f64().unwrap() - 700e-6).abs() < 1e-12
    );
}

#[test]
fn cycles_without_a_plan_are_gone_on_with_all_the_same() {
    let mut state = interrupted(3).continuation.unwrap();
    state["researchPlan"] = Value::Null;
    let resumed = resume(with_iterations(2), &state, (programs(2), tools));
    assert_eq!(resumed.phases(), ["tool_iteration", "final_synthesis"]);
    assert_eq!(resumed.calls[0].iteration, 2);
}

#[test]
fn hostile_figures_do_no_harm() {
    let mut state = interrupted(3).continuation.unwrap();
    for call in state["llmCalls"].as_array_mut().unwrap() {
        call["step"]["inputTokens"] = u64::MAX.into();
        call["step"]["cost"] = (-5.0).into();
    }
    state["currentIteration"] = u32::MAX.into();
    let read = ContinuationState::read(&state, None).unwrap();
    let mut ask = Ask::resume(params(AskConfig::default()), read, START);
    assert!(!ask.handle(quarry_machines::core::Input::Begin, START).effects.is_empty());
    let again = ask.continuation();
    assert_eq!((again.total_tokens, again.total_cost), (u64::MAX, Some(0.0)));
}

#[test]
fn a_partial_answer_is_still_partial_after_a_rate_limit() {
    let config =
        AskConfig { budget: Budget { usd: None, tokens: Some(1_700) }, ..AskConfig::default() };
    let cut_short = run(params(config.clone()), (failing("final_synthesis", rate_limit()), tools));
    assert!(cut_short.logged("leaves no room for more research"));
    let resumed = resume(params(config), &cut_short.continuation.unwrap(), (programs(2), tools));
    assert_eq!(resumed.the(EventName::FinalAnswer)["partial"], true);
    assert!(resumed.answer().contains("This answer is partial"));
}

#[test]
fn the_budget_goes_on_counting_after_a_rate_limit() {
    let state = run(with_iterations(2), (failing("planning", broken_off()), tools));
    assert!(state.the(EventName::CostSummary)["unsettledCalls"].is_array());
    let mut broken = failing("initial_setup", broken_off());
    let model = move |call: &Call| match call.phase.as_str() {
        "planning" => rate_limit().into(),
        _ => broken(call),
    };
    let state = run(with_iterations(2), (model, tools)).continuation.unwrap();
    let most = state["unsettled"][0]["mostTokens"].as_u64().unwrap();
    // Enough for an answer, but not beside what the lost call may have used.
    let config = AskConfig {
        budget: Budget { usd: None, tokens: Some(most + 300) },
        ..AskConfig::default()
    };
    let resumed = resume(params(config), &state, (programs(2), tools));
    assert_eq!(resumed.the(EventName::Error)["type"], "budget_exceeded");
}

#[test]
fn a_rate_limit_within_a_digest_lets_the_results_stand_and_shows_at_the_next_call() {
    let mut limited = false;
    let model = ordinary(move |call| match (call.phase.as_str(), call.iteration) {
        ("search_summary", _) => {
            limited = true;
            rate_limit().into()
        }
        ("tool_iteration", 1) => {
            calls(&[("a", "search_web", r#"{"query":"Sker","generate_summary":true}"#)]).into()
        }
        _ if limited => rate_limit().into(),
        _ => text("enough").into(),
    });
    let interrupted = run(with_iterations(3), (model, tools));
    let output = &interrupted.outputs()[0];
    assert!(output["summaryError"].as_str().unwrap().contains("7m12.5s"));
    assert_eq!(output["results"][0]["url"], "https://sker.example/");
    assert_eq!(interrupted.the(EventName::ToolResult)["cost"], 0.0, "turned away: nothing to pay");
    let state = &interrupted.the(EventName::QuotaExceeded)["continuationState"];
    assert_eq!(state["currentIteration"], 1);
    let resumed = resume(with_iterations(3), state, (programs(0), tools));
    assert_eq!(resumed.phases(), ["tool_iteration", "final_synthesis"]);
    assert_eq!(resumed.the(EventName::FinalAnswer)["sources"][0]["url"], "https://sker.example/");
}

#[test]
fn a_state_too_large_drops_page_contents_and_says_so() {
    let model = || {
        ordinary(|call| match call.phase.as_str() {
            "final_synthesis" => rate_limit().into(),
            _ if call.iteration > 3 => rate_limit().into(),
            _ => {
                let id = format!("c{}", call.iteration);
                let arguments = r#"{"query":"Sker","limit":50,"load_content":true}"#;
                let many: Vec<(String, &str, &str)> =
                    (0..10).map(|n| (format!("{id}-{n}"), "search_web", arguments)).collect();
                let many: Vec<_> = many.iter().map(|(id, n, a)| (id.as_str(), *n, *a)).collect();
                calls(&many).into()
            }
        })
    };
    let mut pages = 0;
    let large = move |_: &Errand| {
        pages += 1;
        let hit = |n: u32| {
            let url = format!("https://{pages}-{n}.example/");
            let content = format!("{url} {}", "word ".repeat(4_000));
            let page = Page { url: url.clone(), content, ..Page::default() };
            Hit { url, title: "T".to_owned(), page: Some(Ok(page)), ..Hit::default() }
        };
        (5, Outcome::Found(Found { results: vec![hit(1), hit(2)], ..Found::default() }))
    };
    let config =
        || AskConfig { profile: ContextProfile::Roomy, max_iterations: 9, ..AskConfig::default() };
    let interrupted = run(params(config()), (model(), large));
    assert!(interrupted.logged("the oldest page contents were dropped"));
    let state = interrupted.continuation.unwrap();
    let size = state.to_string().len();
    assert!(size <= 900_000, "{size}");
    let first: Value =
        serde_json::from_str(state["toolCallCycles"][0][0]["response"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&first["results"][0]["content"], &first["results"][0]["truncated"]),
        (&json!(""), &json!(true))
    );
    let resumed = resume(params(config()), &state, (programs(0), tools));
    let sources = resumed.the(EventName::FinalAnswer)["sources"].as_array().unwrap().len();
    assert_eq!(sources, 60, "every source is still known");
}

fn signing() -> AskParams {
    AskParams { secret: Some("a configured secret".to_owned()), ..with_iterations(2) }
}

#[test]
fn a_signed_state_goes_round_and_an_altered_one_is_refused() {
    let state = run(signing(), (limited(3), tools)).continuation.unwrap();
    assert_eq!(resume(signing(), &state, (programs(2), tools)).answer(), ANSWER);
    let mut altered = state.clone();
    altered["toolCallCycles"][0][0]["response"] = "{\"result\":\"mine\"}".into();
    let secret = Some("a configured secret");
    assert_eq!(ContinuationState::read(&altered, secret), Err(StateError::Signature));
    assert!(StateError::Signature.to_string().contains("ask again"));
}

#[test]
fn a_state_is_about_time_too() {
    // Whole seconds of wait read as whole numbers, as JavaScript writes them.
    let error =
        quarry_types::ChatError::RateLimited { wait_seconds: 60.0, message: "m".to_owned() };
    let run = run(with_iterations(2), (failing("planning", error), tools));
    assert_eq!(run.the(EventName::QuotaExceeded)["waitTime"].to_string(), "60");
    let state = ContinuationState::read(&run.continuation.unwrap(), None).unwrap();
    let mut ask = Ask::resume(with_iterations(2), state, Timestamp(START.0 + 60_000));
    let reaction = ask.handle(quarry_machines::core::Input::Begin, Timestamp(START.0 + 61_000));
    let request = reaction.events.iter().find(|event| event.name == EventName::LlmRequest).unwrap();
    assert!(request.data.contains("21:36:01 UTC"), "a resumed ask knows what time it is now");
}

#[test]
fn what_a_model_wrote_beside_its_calls_is_kept() {
    let model = || {
        let mut programs = programs(2);
        move |call: &Call| {
            let mut reply = programs(call);
            if let Ok(completion) = &mut reply.result
                && call.phase == "tool_iteration"
            {
                completion.text = format!("Thought {}.", call.iteration);
            }
            reply
        }
    };
    let whole = run(with_iterations(3), (model(), tools));
    let mut driver = Driver::new(with_iterations(3), (model(), tools));
    while driver.run.calls.len() < 5 {
        driver.step();
    }
    let (state, _) = driver.ask.continuation().write(None);
    let resumed = resume(with_iterations(3), &state, (model(), tools));
    assert_eq!(resumed.calls, whole.calls[4..]);
    assert_eq!(resumed.calls[0].request.messages[2].content, "Thought 1.");
}

#[test]
fn a_source_is_known_even_when_its_call_was_cut() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[("a", "scrape_web_content", r#"{"url":"https://sker.example/"}"#)]).into(),
        _ => rate_limit().into(),
    });
    let mut state = run(with_iterations(3), (model, tools)).continuation.unwrap();
    state["toolCallCycles"][0][0]["response"] = "{\"url\": \"https://sk…".into();
    let mut roomy = with_iterations(3);
    roomy.config.profile = ContextProfile::Roomy;
    let resumed = resume(roomy, &state, (programs(0), tools));
    assert!(
        resumed.call("final_synthesis").request.messages[1].content.contains("1 February 1823")
    );
    assert_eq!(resumed.the(EventName::FinalAnswer)["sources"].as_array().unwrap().len(), 1);
}

/// Whatever moment a checkpoint is of, the machine that is revived from it asks for nothing that
/// the checkpoint already knows, and pays at most for what was under way once more.
#[test]
fn a_revived_checkpoint_repeats_nothing_that_it_knows() {
    let whole = run(with_iterations(2), (programs(2), tools));
    for steps in 0.. {
        let mut driver = Driver::new(with_iterations(2), (programs(2), tools));
        (0..=steps).for_each(|_| assert!(driver.step()));
        if driver.ask.has_ended() {
            assert!(steps > 8, "every stage was passed through");
            break;
        }
        let finished = driver.run.all(EventName::LlmResponse).len();
        let under_way = driver.run.calls.len() - finished;
        let revived = driver.revived(with_iterations(2), (programs(2), tools)).finish();
        assert_eq!(revived.answer(), ANSWER);
        assert_eq!(revived.calls, whole.calls[finished..], "after {steps} steps");
        let summary = revived.the(EventName::CostSummary);
        let lost = summary["unsettledCalls"].as_array().map_or(0, Vec::len);
        assert_eq!(lost, under_way, "what was under way is on record");
    }
}

/// Envelopes in stores carry it: with another name every ask that was kept would be unknown.
#[test]
fn the_machines_name_stays_what_stores_know() {
    assert_eq!(Ask::NAME, "ask");
}

/// A call that ended before its round was interrupted is evidence once.
#[test]
fn a_revived_round_learns_nothing_twice() {
    let model = || {
        ordinary(|call| match call.iteration {
            1 => calls(&[
                ("a", "execute_javascript", r#"{"code":"1823 + 7"}"#),
                ("b", "scrape_web_content", r#"{"url":"https://sker.example/"}"#),
            ])
            .into(),
            _ => text("enough").into(),
        })
    };
    let mut roomy = with_iterations(3);
    roomy.config.profile = ContextProfile::Roomy;
    let mut driver = Driver::new(roomy.clone(), (model(), slow_pages));
    while driver.run.all(EventName::ToolResult).is_empty() {
        assert!(driver.step());
    }
    let (state, _) = driver.ask.continuation().write(None);
    let revived = driver.revived(roomy.clone(), (model(), slow_pages)).finish();
    for run in [revived, resume(roomy, &state, (model(), slow_pages))] {
        let prompt = &run.call("final_synthesis").request.messages[1].content;
        assert_eq!(prompt.matches("Calculation result:").count(), 1, "{prompt}");
        assert_eq!(run.jobs.len(), 1, "the page alone was yet to be read");
    }
}
