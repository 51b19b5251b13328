//! How the tool loop ends: reference sections 17 and 18.

use crate::driver::{Call, Reply, run, with_iterations};
use crate::replies::{ANSWER, calls, ordinary, programs, text, tools};
use quarry_events::EventName;
use quarry_tools::{Errand, Found, Hit, Outcome};
use quarry_types::{Completion, FinishReason};
use serde_json::{Value, json};

fn iterations(run: &crate::driver::Run) -> usize {
    run.phases().iter().filter(|phase| **phase == "tool_iteration").count()
}

#[test]
fn no_calls_in_the_first_iteration_lead_straight_to_the_answer() {
    let run = run(with_iterations(3), (programs(0), tools));
    assert_eq!((iterations(&run), run.jobs.len()), (1, 0));
    assert_eq!(run.all(EventName::Tools).len(), 0);
    assert_eq!(run.answer(), ANSWER);
}

#[test]
fn a_reply_that_thoughts_left_nothing_of_is_asked_for_once_more_with_more_room() {
    let cut = || Completion { finish_reason: FinishReason::Length, ..text("") };
    let mut asked = 0;
    let model = ordinary(move |_| {
        asked += 1;
        match asked {
            1 => cut().into(),
            2 => calls(&[("a", "execute_javascript", r#"{"code":"1823"}"#)]).into(),
            _ => text("enough").into(),
        }
    });
    let world = run(with_iterations(3), (model, tools));
    assert_eq!((iterations(&world), world.jobs.len()), (3, 1));
    let ceilings: Vec<u32> =
        world.calls[2..5].iter().map(|it| it.request.max_output_tokens).collect();
    assert_eq!(ceilings, [512, 8_512, 512]);
    let last = world.the(EventName::FinalAnswer);
    assert_eq!((&last["finish"], last.get("partial")), (&json!("stop"), None));

    let stays = run(with_iterations(3), (ordinary(move |_| cut().into()), tools));
    assert_eq!(iterations(&stays), 2, "once");
    assert_eq!(stays.the(EventName::FinalAnswer)["partial"], true);
}

#[test]
fn only_a_model_that_says_so_wants_no_more_tools() {
    for (words, finish_reason, ends_well) in [
        ("enough", FinishReason::Stop, true),
        ("", FinishReason::Stop, true),
        ("It was first lit, as is widely kn", FinishReason::Length, true),
        ("enough", FinishReason::Other, false),
        ("", FinishReason::Other, false),
        ("", FinishReason::ContentFilter, false),
        ("", FinishReason::ToolCalls, false),
    ] {
        let reply = Completion { finish_reason, ..text(words) };
        let run = run(with_iterations(3), (ordinary(move |_| reply.clone().into()), tools));
        assert_eq!(iterations(&run), 1, "{words} {finish_reason:?}");
        let last = run.the(EventName::FinalAnswer);
        assert_eq!(last.get("endedEarly").is_none(), ends_well, "{words} {finish_reason:?}");
        assert_eq!(run.logged("Research ends early"), !ends_well);
    }
}

#[test]
fn no_calls_in_a_later_iteration_end_the_loop() {
    let run = run(with_iterations(5), (programs(2), tools));
    assert_eq!((iterations(&run), run.jobs.len()), (3, 2));
}

#[test]
fn the_cap_ends_the_loop() {
    for cap in 0..4 {
        let run = run(with_iterations(cap), (programs(99), tools));
        assert_eq!(iterations(&run), cap as usize);
        assert_eq!(run.answer(), ANSWER);
        let metadata = &run.the(EventName::Complete)["result"]["metadata"];
        assert_eq!(metadata["searchIterations"], cap);
    }
}

#[test]
fn the_cost_summary_comes_before_the_final_answer() {
    let run = run(with_iterations(1), (programs(1), tools));
    let tail = &run.names()[run.events.len() - 3..];
    assert_eq!(tail, ["cost_summary", "final_answer", "complete"]);
}

/// A model that searches on and on, in ever other words.
fn searching() -> impl FnMut(&Call) -> Reply {
    ordinary(|call| {
        let n = call.iteration;
        let query = match n % 2 {
            0 => format!("Sker lighthouse first lit {n}"),
            _ => format!("when was Sker lit, take {n}"),
        };
        let arguments = serde_json::json!({ "query": query }).to_string();
        calls(&[("same-id", "search_web", &arguments)]).into()
    })
}

#[test]
fn alternating_and_paraphrased_searches_do_not_run_to_the_cap() {
    let sides = |job: &Errand| {
        let Errand::Search { query, .. } = job else { panic!("{job:?}") };
        let side = if query.starts_with("when") { "a" } else { "b" };
        let hit = Hit { url: format!("https://{side}.example/"), ..Hit::default() };
        (5, Outcome::Found(Found { results: vec![hit], ..Found::default() }))
    };
    let run = run(with_iterations(20), (searching(), sides));
    assert_eq!(iterations(&run), 4, "a and b are new, then come a and b again");
    assert!(run.logged("brought nothing new"));
    assert_eq!(run.answer(), ANSWER);
}

#[test]
fn a_new_source_passage_or_number_keeps_the_loop_going() {
    let mut searches = 0;
    let growing = move |_: &Errand| {
        searches += 1;
        // The same page says something new every second time, up to the eighth.
        let said = [
            "",
            "in 1823",
            "in 1823",
            "in 1824",
            "in 1824",
            "A keeper lived beside the lamp for forty years",
        ];
        let description = said.get(searches).copied().unwrap_or_default().to_owned();
        let hit = Hit { url: "https://a.example/".to_owned(), description, ..Hit::default() };
        (5, Outcome::Found(Found { results: vec![hit], ..Found::default() }))
    };
    let run = run(with_iterations(20), (searching(), growing));
    assert_eq!(iterations(&run), 7, "new in 1, 3 and 5; then nothing in 6 and 7");
}

#[test]
fn calls_that_only_fail_teach_nothing() {
    let model = ordinary(|_| calls(&[("a", "browse", "{}")]).into());
    let run = run(with_iterations(20), (model, tools));
    assert_eq!(iterations(&run), 2);
}

#[test]
fn a_digest_is_written_from_two_sources_however_many_were_found() {
    let model = ordinary(|call| match (call.phase.as_str(), call.iteration) {
        ("search_summary", _) => text("Both say 1823.").into(),
        (_, 1) => {
            let arguments =
                r#"{"query":"Sker","limit":9,"load_content":true,"generate_summary":true}"#;
            calls(&[("a", "search_web", arguments)]).into()
        }
        _ => text("enough").into(),
    });
    let many = |_: &Errand| {
        let hit = |n: u32| Hit {
            title: format!("Title {n}"),
            // Long addresses must not push the fence's end out of the prompt.
            url: format!("https://{n}.example/{}", "p".repeat(1_900)),
            description: "word ".repeat(1_000),
            ..Hit::default()
        };
        let found = Found { results: (1..=9).map(hit).collect(), ..Found::default() };
        (5, Outcome::Found(found))
    };
    let run = run(with_iterations(3), (model, many));
    let digest = &run.call("search_summary").request.messages[1].content;
    assert!(digest.contains("Title 1") && digest.contains("Title 2"));
    assert!(!digest.contains("Title 3"));
    let output: Value = run.outputs().remove(0);
    assert_eq!(output["summary"], "Both say 1823.");
    assert_eq!(output["truncated"], true, "the output itself is bounded too");
    let result = run.the(EventName::ToolResult);
    assert!((result["cost"].as_f64().unwrap() - 140e-6).abs() < 1e-12, "what the digest cost");
}
