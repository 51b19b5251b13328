//! What reaches the model: profiles, pruning, ceilings, the operator's own prompts.

use crate::driver::{Call, Reply, Run, params, run};
use crate::replies::{answer, calls, ordinary, plan, programs, setup, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams, TokenCeilings};
use quarry_machines::core::ContextProfile;
use quarry_tools::{Errand, Outcome, Page, Program};
use quarry_types::{ChatError, ReasoningEffort, Role};

fn of(profile: ContextProfile) -> AskParams {
    params(AskConfig { profile, max_iterations: 4, ..AskConfig::default() })
}

/// A page of `é` for each address.
fn long_pages(job: &Errand) -> (u64, Outcome) {
    let Errand::ReadPage { url, .. } = job else { return tools(job) };
    let content = format!("{url} {}", "é".repeat(40_000));
    (5, Outcome::Page(Page { url: url.clone(), content, ..Page::default() }))
}

/// A model that reads three pages in each of two iterations.
fn reading() -> impl FnMut(&Call) -> Reply {
    ordinary(|call| {
        let n = call.iteration;
        if n > 2 {
            return text("enough").into();
        }
        let page =
            |at: u64| (format!("{n}-{at}"), format!(r#"{{"url":"https://{n}-{at}.example/"}}"#));
        let pages: Vec<(String, String)> = (1..4).map(page).collect();
        let pages: Vec<_> = pages
            .iter()
            .map(|(id, url)| (id.as_str(), "scrape_web_content", url.as_str()))
            .collect();
        calls(&pages).into()
    })
}

fn results(run: &Run, iteration: u64) -> Vec<&str> {
    let call = run.calls.iter().find(|call| call.iteration == iteration).unwrap();
    let results = call.request.messages.iter().filter(|message| message.role == Role::Tool);
    results.map(|message| message.content.as_str()).collect()
}

fn evidence(run: &Run) -> &str {
    &run.call("final_synthesis").request.messages[1].content
}

#[test]
fn the_frugal_profile_lets_300_characters_of_a_result_in() {
    let run = run(of(ContextProfile::Frugal), (reading(), long_pages));
    let shown = results(&run, 2);
    assert_eq!(shown.len(), 3);
    for result in shown {
        let inside: Vec<&str> = result.lines().collect();
        assert_eq!(inside.len(), 3, "one line between its fence lines");
        assert_eq!(inside[1].chars().count(), 300);
        assert!(inside[1].ends_with('…') && inside[1].starts_with(r#"{"url":"https://1-"#));
    }
    assert_eq!(results(&run, 3).len(), 6, "below the threshold nothing is pruned");
    assert_eq!(run.the(EventName::Init)["contextProfile"], "frugal");
    let text = evidence(&run);
    assert!(text.starts_with("Q: ") && text.contains("with the ids of passages"));
    assert!(
        text.contains("[q1] https://1-1.example/") && text.contains("[q2] https://1-2.example/")
    );
    assert!(!text.contains("[q3]"), "there is room for two");
    assert!(text.chars().count() < 900);
}

#[test]
fn the_roomy_profile_quotes_sources_at_length() {
    let run = run(of(ContextProfile::Roomy), (reading(), long_pages));
    assert!(results(&run, 2).iter().all(|result| result.chars().count() > 8_000));
    assert_eq!(run.the(EventName::Init)["contextProfile"], "roomy");
    for n in 1..=6 {
        assert!(evidence(&run).contains(&format!("[q{n}] https://")), "{n}");
    }
    assert!((30_000..61_000).contains(&evidence(&run).chars().count()));
}

#[test]
fn pruning_leaves_the_working_set() {
    let mut small = of(ContextProfile::Roomy);
    small.model.context_window = Some(30_000);
    let run = run(small, (reading(), long_pages));
    let third = run.calls.iter().find(|call| call.iteration == 3).unwrap();
    let roles: Vec<Role> = third.request.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Tool]);
    let ids: Vec<&str> =
        third.request.messages[2].tool_calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["2-2", "2-3"]);
    assert!(results(&run, 3)[0].contains("https://2-2.example/"));
}

#[test]
fn long_text_of_a_model_makes_the_frugal_context_prune() {
    let mut reading = reading();
    let model = move |call: &Call| {
        let mut reply = reading(call);
        if let Ok(completion) = &mut reply.result
            && call.phase == "tool_iteration"
            && call.iteration == 1
        {
            completion.text = "I think aloud. ".repeat(1_000);
        }
        reply
    };
    let run = run(of(ContextProfile::Frugal), (model, long_pages));
    assert_eq!(results(&run, 2).len(), 2, "above 3,000 tokens two results stay");
    assert_eq!(results(&run, 3).len(), 2, "of the last turn with calls");
}

#[test]
fn evidence_and_answer_fit_the_models_window() {
    let mut small = of(ContextProfile::Roomy);
    small.model.context_window = Some(4_000);
    small.config.ceilings.low = 2_000;
    let run = run(small, (reading(), long_pages));
    let request = &run.call("final_synthesis").request;
    let input: u64 =
        request.messages.iter().map(|m| quarry_types::tokens::estimate(&m.content)).sum();
    assert!(input + u64::from(request.max_output_tokens) <= 4_000, "{input}");
    assert!(request.max_output_tokens >= 128);
}

#[test]
fn a_window_that_holds_no_answer_is_an_error_that_says_what_to_do() {
    let mut tiny = of(ContextProfile::Frugal);
    tiny.model.context_window = Some(100);
    let run = run(tiny, (programs(0), tools));
    let shown = run.the(EventName::Error);
    assert_eq!(shown["type"], "context_too_long");
    assert!(shown["error"].as_str().unwrap().contains("another model"));
}

#[test]
fn a_window_that_only_the_provider_knows_is_told_in_its_words_with_what_to_do() {
    let mut unknown = of(ContextProfile::Frugal);
    unknown.model.context_window = None;
    let mut rest = programs(0);
    let model = move |call: &Call| match call.phase.as_str() {
        "final_synthesis" => {
            ChatError::ContextTooLong { message: "4096 tokens at most.".to_owned() }.into()
        }
        _ => rest(call),
    };
    let run = run(unknown, (model, tools));
    let shown = run.the(EventName::Error);
    assert_eq!(shown["type"], "context_too_long");
    let says = "the conversation does not fit the model's context: 4096 tokens at most; shorten the question, or choose a \
                model that takes more";
    assert_eq!(shown["error"], says);
}

fn planned(complexity: &'static str) -> impl FnMut(&Call) -> Reply {
    move |call| match call.phase.as_str() {
        "initial_setup" => setup().into(),
        "planning" => plan(complexity).into(),
        "final_synthesis" => answer(),
        _ => text("enough").into(),
    }
}

#[test]
fn complexity_chooses_the_ceiling() {
    for (complexity, ceiling) in
        [("low", 1024), ("medium", 2048), ("high", 4096), ("High", 4096), ("unheard of", 2048)]
    {
        let run = run(of(ContextProfile::Frugal), (planned(complexity), tools));
        assert_eq!(run.call("final_synthesis").request.max_output_tokens, ceiling, "{complexity}");
    }
}

#[test]
fn every_phase_has_its_configured_ceiling() {
    let ceilings = TokenCeilings {
        setup: 11,
        planning: 12,
        tool_synthesis: 13,
        math: 14,
        low: 15,
        medium: 16,
        high: 17,
    };
    let config = AskConfig {
        ceilings,
        reasoning_effort: Some(ReasoningEffort::Low),
        ..AskConfig::default()
    };
    let run = run(params(config), (planned("high"), tools));
    let given: Vec<u32> = run.calls.iter().map(|call| call.request.max_output_tokens).collect();
    assert_eq!(given, [11, 12, 13, 17]);
    assert!(
        run.calls.iter().all(|call| call.request.reasoning_effort == Some(ReasoningEffort::Low))
    );
}

#[test]
fn a_calculation_gets_prompts_and_a_ceiling_of_its_own() {
    let mut calculation = of(ContextProfile::Frugal);
    calculation.query = "What is 17 * 23?".to_owned();
    let run = run(calculation, (planned("high"), tools));
    let request = &run.call("final_synthesis").request;
    assert_eq!((request.max_output_tokens, request.temperature), (512, Some(0.1)));
    assert!(request.messages[1].content.contains("Give the result first"));
    let research = &run.call("tool_iteration").request;
    assert!(research.messages[1].content.contains("Work it out with execute_javascript"));
}

#[test]
fn results_of_programs_are_evidence() {
    let shown = |_: &Errand| {
        let script = Program { console: vec!["391".to_owned()], ..Program::default() };
        (5, Outcome::Program(script))
    };
    for profile in [ContextProfile::Frugal, ContextProfile::Roomy] {
        let run = run(of(profile), (programs(1), shown));
        assert!(evidence(&run).contains("391"));
    }
}

#[test]
fn the_operators_final_template_takes_the_defaults_place() {
    for profile in [ContextProfile::Frugal, ContextProfile::Roomy] {
        let mut templated = of(profile);
        templated.config.final_template = Some(
            "Asked: {{ORIGINAL_QUERY}} Known: {{ALL_INFORMATION}} {{UNKNOWN}} Be brief.".to_owned(),
        );
        templated.query = "What is {{ALL_INFORMATION}}?".to_owned();
        let run = run(templated, (reading(), long_pages));
        let text = evidence(&run);
        assert!(text.starts_with("Asked: What is {{ALL_INFORMATION}}? Known: "), "{text}");
        assert!(text.ends_with(" {{UNKNOWN}} Be brief."));
        assert!(text.contains("[q1] https://1-1.example/"));
        let system = &run.call("final_synthesis").request.messages[0].content;
        assert!(system.contains("It is now Tuesday"), "the present is added all the same");
    }
}

#[test]
fn the_operators_digest_prompt_keeps_the_rule_on_outside_text() {
    let mut own = of(ContextProfile::Frugal);
    own.config.digest_system_prompt = Some("You digest like a lawyer.".to_owned());
    let model = || {
        ordinary(|call| match (call.phase.as_str(), call.iteration) {
            ("search_summary", _) => text("1823").into(),
            (_, 1) => {
                calls(&[("a", "search_web", r#"{"query":"x","generate_summary":true}"#)]).into()
            }
            _ => text("enough").into(),
        })
    };
    let rule = "lines that begin with [[outside 7f3a]] comes from the outside";
    let system = |run: &Run| run.call("search_summary").request.messages[0].content.clone();
    let own = system(&run(own, (model(), tools)));
    assert!(own.starts_with("You digest like a lawyer.") && own.contains(rule), "{own}");
    let default = system(&run(of(ContextProfile::Frugal), (model(), tools)));
    assert!(default.contains(rule) && !default.contains("lawyer"));
}
