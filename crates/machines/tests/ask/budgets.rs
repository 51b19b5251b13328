//! Budgets: reserved before a call, settled after it, never exceeded.

use crate::driver::{Call, PRICE, Reply, Run, params, run};
use crate::failures::behind_lost_tries;
use crate::replies::{USAGE, calls, ordinary, plan, programs, setup, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams};
use quarry_machines::core::{Budget, ContextProfile};
use quarry_tools::{Errand, Outcome, Page};
use quarry_types::{Completion, Usage};
use serde_json::{Value, json};

fn within(budget: Budget) -> AskParams {
    params(AskConfig { budget, max_iterations: 2, ..AskConfig::default() })
}

fn tokens(limit: u64) -> AskParams {
    within(Budget { usd: None, tokens: Some(limit) })
}

fn usd(limit: f64) -> AskParams {
    within(Budget { usd: Some(limit), tokens: None })
}

fn spent(run: &Run) -> u64 {
    run.the(EventName::CostSummary)["tokenCounts"]["total"].as_u64().unwrap()
}

/// A reply that reports to have used so much.
fn using(completion: Completion, input: u64) -> Reply {
    Completion { usage: Usage { input, ..USAGE }, ..completion }.into()
}

#[test]
fn a_budget_that_is_ample_changes_nothing() {
    let free = run(within(Budget::default()), (programs(2), tools));
    for (params, named) in
        [(tokens(1_000_000), json!({ "tokens": 1_000_000 })), (usd(1.0), json!({ "usd": 1.0 }))]
    {
        let mut held = run(params, (programs(2), tools));
        let init = held.events.iter_mut().find(|event| event.name == EventName::Init).unwrap();
        let mut told: Value = serde_json::from_str(&init.data).unwrap();
        // It says what was asked for, and nothing else is another.
        assert_eq!(told.as_object_mut().unwrap().remove("asked"), Some(json!({ "budget": named })));
        let plain = free.events.iter().find(|event| event.name == EventName::Init).unwrap();
        assert_eq!(told, serde_json::from_str::<Value>(&plain.data).unwrap());
        init.data.clone_from(&plain.data);
        assert_eq!(held, free);
    }
    assert_eq!(free.the(EventName::FinalAnswer).get("partial"), None);
}

/// Runs asks with ever larger budgets: each must hold, more must never buy less research, and
/// an answer must say when its research was cut short.
fn with_growing_budgets(budgets: impl Iterator<Item = (AskParams, f64)>, used: fn(&Run) -> f64) {
    let mut reached = Vec::new();
    for (params, limit) in budgets {
        let run = run(params, (programs(2), tools));
        reached.push(run.calls.len());
        if run.calls.is_empty() {
            continue;
        }
        assert!(used(&run) <= limit, "{} of {limit}", used(&run));
        assert_eq!(run.phases().last(), Some(&"final_synthesis"));
        let is_partial = run.the(EventName::FinalAnswer).get("partial") == Some(&json!(true));
        assert_eq!(is_partial, run.calls.len() < 5);
        assert_eq!(run.answer().contains("This answer is partial"), is_partial);
        assert_eq!(run.logged("leaves no room for more research"), is_partial);
    }
    assert!(reached.is_sorted(), "{reached:?}");
    reached.dedup();
    assert_eq!((reached.first(), reached.last()), (Some(&0), Some(&5)));
    assert!(reached.contains(&1) && reached.len() >= 4, "{reached:?}");
}

#[test]
fn a_call_whose_worst_case_does_not_fit_is_not_made() {
    let budgets = (0..4_000).step_by(25).map(|limit| (tokens(limit), limit as f64));
    with_growing_budgets(budgets, |run| spent(run) as f64);
}

#[test]
fn dollars_are_held_as_tokens_are() {
    let budgets = (0..6_000).step_by(25).map(|micro| f64::from(micro) / 1e6);
    with_growing_budgets(budgets.map(|limit| (usd(limit), limit)), |run| {
        run.the(EventName::CostSummary)["totalCost"].as_f64().unwrap()
    });
}

#[test]
fn research_stops_when_nine_tenths_are_used_though_more_would_fit() {
    for (used, phases) in [
        (90_000, vec!["initial_setup", "planning", "final_synthesis"]),
        (89_000, vec!["initial_setup", "planning", "tool_iteration", "final_synthesis"]),
    ] {
        let mut programs = programs(0);
        let model = move |call: &Call| match call.phase.as_str() {
            "planning" => using(plan("low"), used),
            _ => programs(call),
        };
        let run = run(tokens(100_000), (model, tools));
        assert_eq!(run.phases(), phases);
    }
}

#[test]
fn the_answers_ceiling_shrinks_to_what_is_left() {
    let mut programs = programs(0);
    let model = move |call: &Call| match call.phase.as_str() {
        "planning" => using(plan("high"), 9_000),
        _ => programs(call),
    };
    let run = run(tokens(10_000), (model, tools));
    let ceiling = u64::from(run.call("final_synthesis").request.max_output_tokens);
    assert!((128..760).contains(&ceiling), "{ceiling}");
    assert!(spent(&run) + ceiling <= 10_000);
}

/// A model that reads a long page, and of which one call uses so much.
fn reading(used: u64) -> impl FnMut(&Call) -> Reply {
    ordinary(move |call| match call.iteration {
        1 => {
            using(calls(&[("a", "scrape_web_content", r#"{"url":"https://long.example/"}"#)]), used)
        }
        _ => text("enough").into(),
    })
}

fn long_page(_: &Errand) -> (u64, Outcome) {
    let content = "Sker was lit in 1823. ".repeat(900);
    let url = "https://long.example/".to_owned();
    (5, Outcome::Page(Page { url, content, ..Page::default() }))
}

fn roomy(limit: u64) -> AskParams {
    let mut params = tokens(limit);
    params.config.profile = ContextProfile::Roomy;
    params
}

#[test]
fn evidence_shrinks_until_an_answer_fits() {
    let evidence = |run: &Run| run.call("final_synthesis").request.messages[1].content.len();
    let ample = run(roomy(100_000), (reading(100), long_page));
    assert!(evidence(&ample) > 6_000);
    // Reading costs more than was estimated: little is left, but enough for an answer.
    let tight = run(roomy(10_000), (reading(8_500), long_page));
    assert!((200..3_000).contains(&evidence(&tight)), "{}", evidence(&tight));
    assert_eq!(tight.the(EventName::FinalAnswer)["partial"], true);
    assert!(tight.call("final_synthesis").request.messages[1].content.contains("1823"));
}

#[test]
fn when_not_even_an_answer_fits_the_evidence_is_handed_out() {
    let run = run(roomy(10_000), (reading(9_700), long_page));
    let shown = run.the(EventName::Error);
    assert_eq!(shown["type"], "budget_exceeded");
    assert!(shown["error"].as_str().unwrap().contains("larger budget"));
    assert_eq!(shown["evidence"][0]["url"], "https://long.example/");
    assert_eq!(spent(&run), 240 + 9_720);
}

#[test]
fn a_budget_for_nothing_is_refused_before_anything_is_spent() {
    for params in [tokens(50), usd(1e-7), tokens(0), usd(0.0)] {
        let run = run(params, (programs(2), tools));
        assert_eq!(run.calls.len(), 0);
        assert_eq!(run.the(EventName::Error)["type"], "budget_exceeded");
        assert_eq!(run.all(EventName::CostSummary).len(), 0);
    }
}

#[test]
fn without_a_price_costs_are_unknown_and_tokens_are_held() {
    let mut unknown = tokens(1_000);
    unknown.model.price = None;
    let run = run(unknown, (programs(2), tools));
    assert_eq!(run.calls.len(), 1);
    let summary = run.the(EventName::CostSummary);
    assert_eq!(
        (&summary["totalCost"], &summary["stepCosts"][0]["cost"]),
        (&json!(0.0), &json!(0.0))
    );
    assert_eq!((&summary["costKnown"], &summary["unpricedCalls"]), (&json!(false), &json!(1)));
    assert_eq!(spent(&run), 120);
    assert!(run.all(EventName::LlmResponse).iter().all(|shown| shown["costKnown"] == false));
}

#[test]
fn without_a_price_dollars_cannot_be_held_and_nothing_is_spent() {
    let mut unknown = usd(100.0);
    unknown.model.price = None;
    let run = run(unknown, (programs(2), tools));
    assert_eq!(run.calls.len(), 0);
    assert!(run.the(EventName::Error)["error"].as_str().unwrap().contains("budget in tokens"));
}

#[test]
fn a_free_model_fits_any_budget_in_dollars() {
    let mut free = usd(0.0);
    free.model.price = Some(quarry_types::Price { input: 0.0, output: 0.0, ..PRICE });
    // Nothing is ever spent, so nine tenths of nothing must not count as used up.
    assert_eq!(run(free, (programs(2), tools)).calls.len(), 5);
}

/// A model that wants so many searches at once, each digested like this.
fn digesting(searches: usize, digest: impl Fn() -> Reply) -> impl FnMut(&Call) -> Reply {
    let search = r#"{"query":"Sker","generate_summary":true}"#;
    let many: Vec<String> = (0..searches).map(|n| format!("c{n}")).collect();
    ordinary(move |call| match (call.phase.as_str(), call.iteration) {
        ("search_summary", _) => digest(),
        (_, 1) => {
            let many: Vec<_> = many.iter().map(|id| (id.as_str(), "search_web", search)).collect();
            calls(&many).into()
        }
        _ => text("enough").into(),
    })
}

/// What tries came to whose use is unknown, at their worst.
fn lost(run: &Run) -> Vec<u64> {
    let summary = run.the(EventName::CostSummary);
    let lost = summary["unsettledCalls"].as_array().into_iter().flatten();
    lost.map(|call| call["mostTokens"].as_u64().unwrap()).collect()
}

#[test]
fn calls_side_by_side_of_which_each_try_is_lost_stay_within_the_budget() {
    let begun = |run: &Run| run.phases().iter().filter(|it| **it == "search_summary").count();
    let (mut all, mut again) = (Vec::new(), 0);
    for limit in (2_000..16_000).step_by(250) {
        let lose = || behind_lost_tries(text("1823"), 9);
        let worst = run(tokens(limit), (digesting(4, lose), tools));
        let lost = lost(&worst);
        let committed = spent(&worst) + lost.iter().sum::<u64>();
        assert!(committed <= limit, "{committed} of {limit}: {lost:?}");
        assert_eq!(worst.phases().last(), Some(&"final_synthesis"), "an answer has room still");
        // What may be lost later keeps no other from its first try.
        let best = run(tokens(limit), (digesting(4, || text("1823").into()), tools));
        assert_eq!(begun(&worst), begun(&best));
        all.push(begun(&worst));
        again = again.max(lost.len());
    }
    assert!(all.is_sorted() && all.last() == Some(&4), "{all:?}");
    assert!(again > 8, "there was room for more than a try of each: {again}");
}

#[test]
fn digests_of_one_iteration_share_what_is_left() {
    let mut model = digesting(10, || text("1823").into());
    let model = move |call: &Call| match call.phase.as_str() {
        "initial_setup" => using(setup(), 100),
        _ => model(call),
    };
    let run = run(tokens(4_000), (model, tools));
    let digests = run.phases().iter().filter(|phase| **phase == "search_summary").count();
    assert!((1..9).contains(&digests), "{digests}");
    let without =
        run.outputs().iter().filter(|output| output.get("summaryError").is_some()).count();
    assert_eq!(digests + without, 10);
    assert_eq!(run.events.last().unwrap().name, EventName::Complete);
}

#[test]
fn cached_and_reasoning_tokens_are_priced_as_such() {
    let mut priced = within(Budget::default());
    priced.model.price =
        Some(quarry_types::Price { cached_input: Some(0.1), reasoning: Some(3.0), ..PRICE });
    let usage = Usage { input: 100, output: 20, cached_input: 50, reasoning: 10, reported: true };
    let mut programs = programs(0);
    let model = move |call: &Call| match call.phase.as_str() {
        "planning" => Completion { usage, ..plan("low") }.into(),
        _ => programs(call),
    };
    let run = run(priced, (model, tools));
    let step = &run.the(EventName::CostSummary)["stepCosts"][1];
    let expected = (50.0 + 50.0 * 0.1 + 10.0 * 2.0 + 10.0 * 3.0) / 1e6;
    assert!((step["cost"].as_f64().unwrap() - expected).abs() < 1e-12);
    assert_eq!((&step["cachedInputTokens"], &step["reasoningTokens"]), (&json!(50), &json!(10)));
}
