//! Web and documents of one's own in one ask: one evidence, one numbering, one check of citations.

use crate::driver::{Run, params, run};
use crate::replies::{calls, ordinary, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams};
use quarry_machines::core::ModelSheet;
use quarry_tools::{
    Errand, FailureKind, Outcome, OwnPassage, Passages, Sources, Spent, ToolFailure,
};
use quarry_types::CollectionName;
use serde_json::{Value, json};

const KEEPERS: &str = "Two keepers serve at the lighthouse of Sker since 2019.";
const OPENED: &str = "/knowledge/documents/rota/chunks?from=3";

fn with(sources: Sources) -> AskParams {
    params(AskConfig { sources, ..AskConfig::default() })
}

fn hybrid() -> AskParams {
    with(Sources { web: true, knowledge: true, program: true })
}

fn own(query: &str) -> Outcome {
    assert!(!query.is_empty());
    let passage = OwnPassage {
        document: "rota".into(),
        title: "Keepers' rota".into(),
        headings: vec!["Staff".into()],
        number: 3,
        text: KEEPERS.into(),
        address: OPENED.into(),
        score: 0.8,
        date: Some("2024-03-01".into()),
        ..OwnPassage::default()
    };
    Outcome::Passages(Passages { passages: vec![passage], ..Passages::default() })
}

fn both(job: &Errand) -> (u64, Outcome) {
    match job {
        Errand::SearchKnowledge(query) => (5, own(&query.text)),
        Errand::Search { .. } | Errand::ReadPage { .. } | Errand::RunProgram { .. } => tools(job),
    }
}

fn tool_names(run: &Run) -> Vec<String> {
    let first = run.calls.iter().find(|call| call.phase == "tool_iteration").unwrap();
    first.request.tools.iter().map(|tool| tool.name.clone()).collect()
}

#[test]
fn sources_decide_which_tools_there_are() {
    let model = || ordinary(|_| text("enough").into());
    for (sources, searches) in [
        (Sources { web: true, knowledge: false, program: true }, vec!["search_web"]),
        (Sources { web: false, knowledge: true, program: true }, vec!["search_knowledge"]),
        (
            Sources { web: true, knowledge: true, program: true },
            vec!["search_web", "search_knowledge"],
        ),
    ] {
        let mut named = tool_names(&run(with(sources), (model(), both)));
        named.retain(|name| name.starts_with("search_"));
        assert_eq!(named, searches);
    }
}

#[test]
fn programs_are_offered_where_they_may_be_run() {
    let model = || ordinary(|_| text("enough").into());
    for program in [true, false] {
        let sources = Sources { web: true, knowledge: false, program };
        let named = tool_names(&run(with(sources), (model(), both)));
        assert_eq!(named.iter().any(|name| name == "execute_javascript"), program, "{named:?}");
    }
}

#[test]
fn both_kinds_stand_in_one_numbering_and_each_citation_opens_its_place() {
    let written = "Two keepers serve at the lighthouse of Sker since 2019 [q2]. The lamp of Sker was lit for the first time on 1 February 1823 [q1].";
    let model = |call: &crate::driver::Call| match (call.phase.as_str(), call.iteration) {
        ("final_synthesis", _) => text(written).into(),
        ("tool_iteration", 1) => calls(&[
            ("a", "scrape_web_content", r#"{"url":"https://sker.example/"}"#),
            ("b", "search_knowledge", r#"{"query":"keepers"}"#),
        ])
        .into(),
        _ => ordinary(|_| text("enough").into())(call),
    };
    // The documents come after the page: numbers follow the answer, not what came first.
    let late = |job: &Errand| match both(job) {
        (_, outcome @ Outcome::Passages(_)) => (90, outcome),
        other => other,
    };
    let run = run(hybrid(), (model, late));
    let answer = run.the(EventName::FinalAnswer);
    let content = answer["content"].as_str().unwrap();
    assert!(content.contains(&format!("since 2019 [1]({OPENED})")), "{content}");
    assert!(content.contains("1823 [2](https://sker.example/"), "{content}");
    let shown: Vec<(&Value, &Value)> =
        answer["sources"].as_array().unwrap().iter().map(|it| (&it["n"], &it["title"])).collect();
    assert_eq!(shown, [(&1.into(), &"Keepers' rota".into()), (&2.into(), &"Sker".into())]);
    for citation in answer["citations"].as_array().unwrap() {
        assert_eq!(citation["verdict"], "supported", "{citation}");
    }
    let told = run.all(EventName::Tools);
    let lines: Vec<&str> = told[0]["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["line"].as_str().unwrap())
        .collect();
    assert!(lines.contains(&"Searching the documents: keepers"), "{lines:?}");
}

#[test]
fn what_the_vector_of_a_question_cost_is_told_with_the_call_and_in_the_sums() {
    let model = || {
        ordinary(|call| match call.iteration {
            1 => calls(&[("b", "search_knowledge", r#"{"query":"keepers"}"#)]).into(),
            _ => text("enough").into(),
        })
    };
    let costs = |run: &Run| {
        let complete = run.the(EventName::Complete)["result"]["metadata"].clone();
        (complete["total_cost"].as_f64().unwrap(), complete["totalLLMCalls"].clone())
    };
    let spent = |tokens, cost| {
        move |job: &Errand| match both(job) {
            (ms, Outcome::Passages(found)) => {
                let spent = Some(Spent { model: "openai:embeds".to_owned(), tokens, cost });
                (ms, Outcome::Passages(Passages { spent, ..found }))
            }
            other => other,
        }
    };
    let (free, llm_calls) = costs(&run(hybrid(), (model(), spent(0, Some(0.0)))));
    let run_paid = run(hybrid(), (model(), spent(400, Some(0.25))));
    let (paid, same_calls) = costs(&run_paid);
    assert!((paid - free - 0.25).abs() < 1e-9, "{paid} {free}");
    assert_eq!(llm_calls, same_calls);
    let result = run_paid.the(EventName::ToolResult);
    assert_eq!((&result["cost"], &result["costKnown"]), (&json!(0.25), &json!(true)));
    let told = run_paid.the(EventName::CostSummary);
    let steps = told["stepCosts"].as_array().unwrap();
    let step = steps.iter().find(|step| step["phase"] == "question_embedding").unwrap();
    assert_eq!((&step["model"], &step["inputTokens"]), (&json!("openai:embeds"), &json!(400)));
    // Where no price is known, the sum says so.
    let unpriced = run(hybrid(), (model(), spent(400, None)));
    assert_eq!(unpriced.the(EventName::CostSummary)["costKnown"], false);
    assert_eq!(unpriced.the(EventName::ToolResult)["costKnown"], false);
}

#[test]
fn documents_that_cannot_be_searched_are_a_tool_that_failed() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[("b", "search_knowledge", r#"{"query":"keepers"}"#)]).into(),
        _ => text("enough").into(),
    });
    let away = |_: &Errand| (5, Outcome::failed(FailureKind::Unavailable, "the store is away"));
    let run = run(hybrid(), (model, away));
    let result = run.the(EventName::ToolResult);
    assert_eq!((&result["ok"], &result["error"]["kind"]), (&false.into(), &"unavailable".into()));
    run.the(EventName::FinalAnswer);
}

#[test]
fn a_search_that_failed_behind_a_paid_vector_tells_what_that_cost() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[("b", "search_knowledge", r#"{"query":"keepers"}"#)]).into(),
        _ => text("enough").into(),
    });
    let away = |_: &Errand| {
        let spent = Spent { model: "openai:embeds".to_owned(), tokens: 400, cost: Some(0.25) };
        let failure = ToolFailure::new(FailureKind::Unavailable, "the store is away".to_owned());
        (5, Outcome::Failed(failure.behind(Some(spent))))
    };
    let run = run(hybrid(), (model, away));
    let result = run.the(EventName::ToolResult);
    assert_eq!((&result["ok"], &result["cost"]), (&json!(false), &json!(0.25)));
    let told = run.the(EventName::CostSummary);
    let steps = told["stepCosts"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["phase"] == "question_embedding"), "{told}");
}

/// Which collections were searched, in the order of the searches.
fn searched(run: &Run) -> Vec<Option<&str>> {
    let named = run.jobs.iter().filter_map(|job| match job {
        Errand::SearchKnowledge(query) => Some(query.collection.as_deref()),
        Errand::Search { .. } | Errand::ReadPage { .. } | Errand::RunProgram { .. } => None,
    });
    named.collect()
}

#[test]
fn a_search_that_names_no_collection_has_that_of_its_ask_and_one_that_names_another_has_that() {
    let model = || {
        |call: &crate::driver::Call| match (call.phase.as_str(), call.iteration) {
            ("tool_iteration", 1) => calls(&[
                ("a", "search_knowledge", r#"{"query":"keepers"}"#),
                ("b", "search_knowledge", r#"{"query":"keepers","collection":"staff"}"#),
            ])
            .into(),
            _ => ordinary(|_| text("enough").into())(call),
        }
    };
    let mut asked = hybrid();
    assert_eq!(searched(&run(asked.clone(), (model(), both))), [None, Some("staff")]);
    asked.config.collection = CollectionName::read(Some("boats")).ok();
    assert_eq!(searched(&run(asked, (model(), both))), [Some("boats"), Some("staff")]);
}

#[test]
fn without_a_language_model_documents_are_quoted() {
    let mut only_own = with(Sources { web: false, knowledge: true, program: true });
    only_own.config.collection = CollectionName::read(Some("boats")).ok();
    let local = ModelSheet {
        id: "local:extractive".parse().unwrap(),
        price: None,
        is_language_model: false,
        thinks: false,
        ..only_own.model.clone()
    };
    let query = "How many keepers serve at the lighthouse of Sker?".to_owned();
    let asked = AskParams { model: local, query, ..only_own };
    let no_model = |_: &crate::driver::Call| -> crate::driver::Reply { panic!("rules answer") };
    let run = run(asked, (no_model, both));
    assert!(run.jobs.iter().all(|job| matches!(job, Errand::SearchKnowledge(_))), "{:?}", run.jobs);
    assert!(searched(&run).iter().all(|named| *named == Some("boats")), "{:?}", run.jobs);
    let answer = run.answer();
    assert!(answer.contains(KEEPERS) && answer.contains(&format!("[1]({OPENED})")), "{answer}");
}

#[test]
fn a_document_that_is_replaced_while_the_ask_goes_on_is_cited_as_it_is_now() {
    let of = |number: &str, state: &str| OwnPassage {
        text: KEEPERS.replace("Two", number),
        address: format!("{OPENED}&as_of={state}"),
        title: format!("Keepers' rota {state}"),
        ..match own("keepers") {
            Outcome::Passages(found) => found.passages[0].clone(),
            other => panic!("{other:?}"),
        }
    };
    let replaced = |job: &Errand| match job {
        Errand::SearchKnowledge(query) => {
            let now = if query.text == "keepers" { of("Two", "a") } else { of("Three", "b") };
            (5, Outcome::Passages(Passages { passages: vec![now], ..Passages::default() }))
        }
        other => tools(other),
    };
    let written = "Three keepers serve at the lighthouse of Sker since 2019 [q1].";
    let model = |call: &crate::driver::Call| match (call.phase.as_str(), call.iteration) {
        ("final_synthesis", _) => text(written).into(),
        ("tool_iteration", 1) => {
            calls(&[("a", "search_knowledge", r#"{"query":"keepers"}"#)]).into()
        }
        ("tool_iteration", 2) => {
            calls(&[("b", "search_knowledge", r#"{"query":"keepers of Sker"}"#)]).into()
        }
        _ => ordinary(|_| text("enough").into())(call),
    };
    let sources = Sources { web: false, knowledge: true, program: false };
    let run = run(with(sources), (model, replaced));
    let answer = run.the(EventName::FinalAnswer);
    assert_eq!(answer["citations"][0]["verdict"], "supported", "{answer}");
    assert_eq!(answer["citations"][0]["url"], format!("{OPENED}&as_of=b"));
    assert_eq!(answer["sources"][0]["title"], "Keepers' rota b");
    let last = run.calls.iter().find(|call| call.phase == "final_synthesis").unwrap();
    let shown = serde_json::to_string(&last.request.messages).unwrap();
    assert!(shown.contains("Three keepers") && !shown.contains("[q2]"), "{shown}");
}
