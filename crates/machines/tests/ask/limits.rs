//! Limits of tools: how many calls there are, and which sites they go to.

use crate::driver::{Call, Driver, Reply, Run, with_iterations};
use crate::replies::{calls, ordinary, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams};
use quarry_tools::{Domains, Errand, Outcome, Page};
use serde_json::Value;

fn limited(config: impl FnOnce(AskConfig) -> AskConfig) -> AskParams {
    let params = with_iterations(4);
    AskParams { config: config(params.config.clone()), ..params }
}

/// A model that makes three calls in each round.
fn busy() -> impl FnMut(&Call) -> Reply {
    let mut others = ordinary(|_| text("I know.").into());
    move |call| match call.phase.as_str() {
        "tool_iteration" => {
            let n = call.iteration;
            let of = |at: u64| format!(r#"{{"code":"{}"}}"#, 10 * n + at);
            let (a, b, c) = (of(1), of(2), of(3));
            calls(&[
                ("a", "execute_javascript", a.as_str()),
                ("b", "execute_javascript", b.as_str()),
                ("c", "execute_javascript", c.as_str()),
            ])
            .into()
        }
        _ => others(call),
    }
}

fn rounds(run: &Run) -> usize {
    run.phases().iter().filter(|phase| **phase == "tool_iteration").count()
}

#[test]
fn no_more_calls_are_made_than_are_allowed_and_then_the_answer_is_written() {
    for (most, rounds_of) in [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3)] {
        let params = limited(|config| AskConfig { max_tool_calls: Some(most), ..config });
        let run = Driver::new(params, (busy(), tools)).finish();
        assert_eq!(run.jobs.len(), most as usize, "{most}");
        assert_eq!(rounds(&run), rounds_of, "{most}: no round is paid for that could call nothing");
        assert_eq!(run.all(EventName::ToolResult).len(), most as usize);
        assert!(!run.answer().is_empty());
    }
    let run = Driver::new(limited(|config| config), (busy(), tools)).finish();
    assert!(run.jobs.len() > 7, "without a limit there are more");
}

fn reading(url: &'static str) -> impl FnMut(&Call) -> Reply {
    let mut others = ordinary(|_| text("I know.").into());
    move |call| match (call.phase.as_str(), call.iteration) {
        ("tool_iteration", 1) => {
            let read = format!(r#"{{"url":"{url}"}}"#);
            calls(&[
                ("s", "search_web", r#"{"query":"sker"}"#),
                ("r", "scrape_web_content", read.as_str()),
            ])
            .into()
        }
        ("tool_iteration", _) => text("enough").into(),
        _ => others(call),
    }
}

fn within(names: &[&str]) -> AskParams {
    let domains = Domains::new(names.iter().map(|name| (*name).to_owned()));
    limited(|config| AskConfig { domains, ..config })
}

fn output(run: &Run, name: &str) -> Value {
    let results = run.all(EventName::ToolResult);
    let result = results.iter().find(|result| result["name"] == name).unwrap();
    serde_json::from_str(result["output"].as_str().unwrap()).unwrap()
}

#[test]
fn a_page_outside_is_not_read_and_the_model_is_told_where_it_may() {
    let run =
        Driver::new(within(&["sker.example"]), (reading("https://evil.test/a"), tools)).finish();
    assert!(run.jobs.iter().all(|job| !matches!(job, Errand::ReadPage { .. })), "{:?}", run.jobs);
    let results = run.all(EventName::ToolResult);
    let refused = results.iter().find(|result| result["name"] == "scrape_web_content").unwrap();
    assert_eq!((&refused["ok"], &refused["error"]["kind"]), (&false.into(), &"blocked".into()));
    let told = output(&run, "scrape_web_content")["error"].as_str().unwrap().to_owned();
    assert!(told.contains("https://evil.test/a") && told.contains("sker.example"), "{told}");
    // The model reads it, too.
    let next = &run.calls.iter().find(|call| call.iteration == 2).unwrap().request;
    assert!(next.messages.iter().any(|said| said.content.contains("lies outside")));
}

#[test]
fn searches_carry_the_sites_and_what_engines_find_elsewhere_is_no_evidence() {
    let run = Driver::new(within(&["Sker.example"]), (reading("https://www.sker.example/"), tools))
        .finish();
    let sent = run.jobs.iter().find_map(|job| match job {
        Errand::Search { domains, .. } => Some(domains.clone()),
        _ => None,
    });
    assert_eq!(sent.unwrap(), ["sker.example"]);
    assert!(
        run.jobs.iter().any(|job| matches!(job, Errand::ReadPage { .. })),
        "what lies within is read"
    );
    let found = output(&run, "search_web");
    let urls = found["results"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap());
    assert!(urls.clone().all(|url| url.contains("sker.example")), "{found}");
    let sources = run.the(EventName::FinalAnswer)["sources"].as_array().unwrap().clone();
    assert!(
        sources.iter().all(|source| source["url"].as_str().unwrap().contains("sker.example")),
        "{sources:?}"
    );
}

#[test]
fn a_page_that_leads_outside_brings_nothing() {
    let leading = |job: &Errand| match job {
        Errand::ReadPage { .. } => {
            let page =
                Page { url: "https://evil.test/b".into(), content: "x".into(), ..Page::default() };
            (5, Outcome::Page(page))
        }
        _ => tools(job),
    };
    let run = Driver::new(within(&["sker.example"]), (reading("https://sker.example/a"), leading))
        .finish();
    assert!(output(&run, "scrape_web_content")["error"].as_str().unwrap().contains("evil.test"));
    let sources = run.the(EventName::FinalAnswer)["sources"].as_array().unwrap().clone();
    assert!(sources.iter().all(|source| source["url"] != "https://evil.test/b"), "{sources:?}");
}
