//! Calls as models make them: several at once, invented, malformed, out of order.

use crate::driver::{Driver, Run, run, with_iterations};
use crate::replies::{calls, ordinary, text, tools};
use quarry_events::EventName;
use quarry_machines::core::{Input, Machine, Ticket};
use quarry_tools::{Errand, FailureKind, Outcome};
use quarry_types::{Completion, Role};
use serde_json::{Value, json};

/// An ask whose first iteration makes these calls.
fn with_calls(reply: Completion) -> Run {
    run(with_iterations(3), (once(reply), tools))
}

fn once(reply: Completion) -> impl FnMut(&crate::driver::Call) -> crate::driver::Reply {
    ordinary(move |call| match call.iteration {
        1 => reply.clone().into(),
        _ => text("enough").into(),
    })
}

/// The ids of all tool results, in the order in which they were shown.
fn shown(run: &Run) -> Vec<Value> {
    run.all(EventName::ToolResult).into_iter().map(|result| result["call_id"].clone()).collect()
}

/// The ids of all tool results in the second iteration's request.
fn told(run: &Run) -> Vec<&str> {
    let second = run.calls.iter().find(|call| call.iteration == 2).unwrap();
    let results = second.request.messages.iter().filter(|message| message.role == Role::Tool);
    results.map(|message| message.tool_call_id.as_deref().unwrap()).collect()
}

#[test]
fn a_call_that_is_refused_says_why_and_the_loop_goes_on() {
    for (name, arguments, problem) in [
        ("browse", "{}", "there is no tool \"browse\"; there are search_web"),
        ("search_web", r#"{"query":"x","count":3}"#, "unknown property \"count\""),
        ("search_web", "{}", "property \"query\" is required"),
        ("search_web", "", "property \"query\" is required"),
        ("search_web", r#"{"query":7}"#, "property \"query\" must be of type string"),
        ("search_web", "query = x", "not one whole JSON object"),
        ("execute_javascript", r#"{"code":"fetch('x').then("#, "not one whole JSON object"),
        ("scrape_web_content", r#"["https://a.example/"]"#, "not one whole JSON object"),
    ] {
        let run = with_calls(calls(&[("a", name, arguments)]));
        let error = run.outputs()[0]["error"].as_str().unwrap().to_owned();
        assert!(error.contains(problem), "{name} {arguments}: {error}");
        assert_eq!(run.jobs.len(), 0, "{name} {arguments}");
        assert!(run.phases().ends_with(&["tool_iteration", "final_synthesis"]));
        let second = run.calls.iter().find(|call| call.iteration == 2).unwrap();
        let result = second.request.messages.last().unwrap();
        assert!(result.content.contains(&problem[..20].replace('"', "\\\"")), "the model is told");
    }
}

#[test]
fn what_a_provider_wants_back_goes_back_and_is_shown_to_nobody() {
    let mut reply = calls(&[("a", "execute_javascript", r#"{"code":"1823"}"#)]);
    reply.reasoning = Some("canary thoughts".to_owned());
    reply.tool_calls[0].signature = Some("canary signature".to_owned());
    let run = with_calls(reply);
    let second = run.calls.iter().find(|call| call.iteration == 2).unwrap();
    let said = second.request.messages.iter().find(|it| it.role == Role::Assistant).unwrap();
    assert_eq!(said.reasoning.as_deref(), Some("canary thoughts"));
    assert_eq!(said.tool_calls[0].signature.as_deref(), Some("canary signature"));
    assert!(run.events.iter().all(|event| !event.data.contains("canary")));
}

#[test]
fn arguments_with_slips_are_repaired() {
    for arguments in
        [r#"{"code": "1",}"#, "{'code': '1'}", "```json\n{\"code\": \"1\"}\n```", r#"{"code": "1""#]
    {
        let run = with_calls(calls(&[("a", "execute_javascript", arguments)]));
        let job = Errand::RunProgram { code: "1".to_owned(), timeout_ms: 5_000 };
        assert_eq!(run.jobs, [job], "{arguments}");
        assert_eq!(run.the(EventName::Tools)["calls"][0]["args"], json!({ "code": "1" }));
    }
}

#[test]
fn figures_out_of_range_are_clamped() {
    let run = with_calls(calls(&[
        ("a", "execute_javascript", r#"{"code":"1","timeout":99}"#),
        ("b", "search_web", r#"{"query":"x","limit":0,"timeout":99.7,"load_content":null}"#),
    ]));
    let Errand::RunProgram { timeout_ms: 10_000, .. } = run.jobs[0] else {
        panic!("{:?}", run.jobs)
    };
    let Errand::Search { limit: 1, timeout_ms: 60_000, load_content: false, .. } = run.jobs[1]
    else {
        panic!("{:?}", run.jobs)
    };
}

#[test]
fn more_calls_than_allowed_are_answered_but_not_run() {
    let many: Vec<String> = (1..=20).map(|n| format!("c{n}")).collect();
    let many: Vec<(&str, &str, &str)> =
        many.iter().map(|id| (id.as_str(), "execute_javascript", r#"{"code":"1"}"#)).collect();
    let run = with_calls(calls(&many));
    assert_eq!(run.jobs.len(), 16);
    assert_eq!(run.the(EventName::Tools)["pending"], 20);
    let refused = run.outputs().iter().filter(|output| output.get("error").is_some()).count();
    assert_eq!(refused, 4);
    // The context is pruned, or all twenty are in it; never something between without its call.
    assert!(!told(&run).is_empty());
}

#[test]
fn every_call_gets_an_id_of_its_own() {
    let code = r#"{"code":"1"}"#;
    let model = ordinary(move |call| match call.iteration {
        1 => calls(&[
            ("iter-1-call-2", "execute_javascript", code),
            ("", "execute_javascript", r#"{"code":"2000"}"#),
            ("same", "execute_javascript", code),
            ("same", "execute_javascript", code),
        ])
        .into(),
        2 => calls(&[("same", "execute_javascript", r#"{"code":"3000"}"#)]).into(),
        _ => text("enough").into(),
    });
    let run = run(with_iterations(3), (model, tools));
    let ids = shown(&run);
    let distinct: std::collections::BTreeSet<String> = ids.iter().map(Value::to_string).collect();
    assert_eq!((ids.len(), distinct.len()), (5, 5), "{ids:?}");
}

#[test]
fn results_show_as_they_come_and_are_told_in_the_order_of_their_calls() {
    let reply = calls(&[
        ("slow", "execute_javascript", r#"{"code":"3"}"#),
        ("refused", "browse", "{}"),
        ("fast", "execute_javascript", r#"{"code":"1"}"#),
    ]);
    let timed = |job: &Errand| {
        let Errand::RunProgram { code, .. } = job else { panic!("{job:?}") };
        (code.parse::<u64>().unwrap() * 1_000, tools(job).1)
    };
    let run = run(with_iterations(3), (once(reply), timed));
    assert_eq!(shown(&run), ["refused", "fast", "slow"]);
    assert_eq!(told(&run), ["slow", "refused", "fast"]);
    let durations: Vec<Value> =
        run.all(EventName::ToolResult).iter().map(|result| result["duration"].clone()).collect();
    assert_eq!(durations, [0, 1_000, 3_000]);
}

#[test]
fn late_and_unknown_tickets_change_nothing() {
    let reply = calls(&[
        ("a", "execute_javascript", r#"{"code":"1"}"#),
        ("b", "search_web", r#"{"query":"x","generate_summary":true}"#),
    ]);
    let model = || {
        let mut research = once(reply.clone());
        move |call: &crate::driver::Call| match call.phase.as_str() {
            "search_summary" => text("digest").into(),
            _ => research(call),
        }
    };
    let plain = run(with_iterations(3), (model(), tools));
    let mut disturbed = Driver::new(with_iterations(3), (model(), tools));
    while !disturbed.ask.has_ended() {
        for ticket in (0..12).map(Ticket) {
            if is_open(&disturbed, ticket) {
                continue;
            }
            disturbed.handle(Input::ModelDone { ticket, result: Ok(text("late")) });
            disturbed.handle(Input::ModelText { ticket, text: "late".to_owned() });
            let outcome = Outcome::failed(FailureKind::Failed, "late".to_owned());
            disturbed.handle(Input::ToolDone { ticket, outcome });
            let reason = "late".to_owned();
            disturbed.handle(Input::ModelRetry { ticket, wait_ms: 1, reason, may_be_paid: true });
        }
        disturbed.handle(Input::Begin);
        disturbed.step();
    }
    assert_eq!(disturbed.finish(), plain);
}

/// Whether the machine waits for this ticket, as far as its checkpoint shows it.
fn is_open<W: crate::driver::World>(driver: &Driver<W>, ticket: Ticket) -> bool {
    fn holds(value: &Value, ticket: u64) -> bool {
        match value {
            Value::Object(members) => {
                members.get("ticket").and_then(Value::as_u64) == Some(ticket)
                    || members.values().any(|value| holds(value, ticket))
            }
            Value::Array(items) => items.iter().any(|value| holds(value, ticket)),
            _ => false,
        }
    }
    // Before it begins, beginning is what it waits for.
    driver.run.events.is_empty() || holds(&serde_json::to_value(&driver.ask).unwrap(), ticket.0)
}

#[test]
fn pieces_for_other_calls_are_no_part_of_the_answer() {
    let mut driver = Driver::new(with_iterations(1), (once(text("enough")), tools));
    driver.until("tool_iteration");
    let ticket = Ticket(3);
    assert!(is_open(&driver, ticket));
    driver.handle(Input::ModelText { ticket, text: "thinking aloud".to_owned() });
    driver.until("final_synthesis");
    driver.handle(Input::ModelText { ticket, text: "late".to_owned() });
    driver.handle(Input::ModelText { ticket: Ticket(4), text: String::new() });
    let run = driver.finish();
    assert_eq!(run.all(EventName::AnswerDelta).len(), 2);
}

#[test]
fn a_digest_that_fails_leaves_the_results() {
    let reply = calls(&[("a", "search_web", r#"{"query":"x","generate_summary":true}"#)]);
    let mut research = once(reply);
    let model = move |call: &crate::driver::Call| match call.phase.as_str() {
        "search_summary" => crate::replies::broken_off().into(),
        _ => research(call),
    };
    let run = run(with_iterations(3), (model, tools));
    let output = &run.outputs()[0];
    assert!(output["summaryError"].as_str().unwrap().contains("timed out"));
    assert_eq!(output["count"], 1);
    assert_eq!(run.the(EventName::ToolResult)["costKnown"], false, "nobody knows");
}

#[test]
fn an_empty_search_is_not_digested() {
    let reply = calls(&[("a", "search_web", r#"{"query":"x","generate_summary":true}"#)]);
    let nothing = |_: &Errand| (5, Outcome::Found(Default::default()));
    let run = run(with_iterations(3), (once(reply), nothing));
    assert!(!run.phases().contains(&"search_summary"));
    assert_eq!(run.outputs()[0]["count"], 0);
}

#[test]
fn what_a_provider_would_refuse_is_not_sent_back_to_it() {
    // The invariants check names and arguments of every request.
    let run = with_calls(calls(&[("a", "read the page\n", "{'url': "), ("b", "", "nothing")]));
    assert_eq!(run.the(EventName::Tools)["calls"][0]["name"], "read the page\n");
    assert_eq!(told(&run), ["a", "b"]);
}

#[test]
fn without_the_web_only_programs_are_on_offer() {
    let mut params = with_iterations(3);
    params.config.sources.web = false;
    let reply = calls(&[("a", "search_web", r#"{"query":"x"}"#)]);
    let run = run(params, (once(reply), tools));
    let offered = &run.calls[2].request.tools;
    assert_eq!(
        offered.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
        ["execute_javascript"]
    );
    let told = serde_json::to_string(&run.calls[2].request.messages).unwrap();
    assert!(told.contains("Calculate with execute_javascript"), "{told}");
    for absent in ["search_web", "scrape_web_content", "search_knowledge"] {
        assert!(!told.contains(absent), "{absent} is named and not on offer: {told}");
    }
    assert!(run.outputs()[0]["error"].as_str().unwrap().contains("there is no tool"));
}
