//! Doubtful citations of an answer from documents are judged by the model, where that is wished for.

use crate::world::{Run, Script, asked, fees, local, run, stopped};
use quarry_events::{EventName, Fallback};
use quarry_machines::consult::ConsultParams;
use quarry_machines::core::Budget;
use quarry_types::ChatError;
use serde_json::{Value, json};

/// One sentence that the document says, one with another figure, one that has words of it.
const WORDS: &str = "The late fee is 12 euros a day since 1 May 2025 [Fees > Late return]. \
    The late fee is 40 euros a day since 1 May 2025 [Fees > Late return]. \
    The late fee is 12 euros a day since a famous pirate captain asked for it [Fees > Late return].";

fn judged() -> ConsultParams {
    ConsultParams { verify_with_model: true, ..asked() }
}

fn writes() -> Script {
    Script::new(vec![fees()]).streams(WORDS)
}

fn verdicts(run: &Run) -> Vec<(Value, bool)> {
    let answer = run.the(EventName::FinalAnswer);
    let told = run.the(EventName::KnowledgeAnswer);
    assert_eq!(told["verifiedCitations"], answer["citations"], "both have the same verdicts");
    let citations = answer["citations"].as_array().unwrap().iter();
    citations.map(|it| (it["verdict"].clone(), it["by_model"] == true)).collect()
}

fn logged(run: &Run, words: &str) -> bool {
    let said = |log: &Value| log["message"].as_str().is_some_and(|said| said.contains(words));
    run.all(EventName::Log).iter().any(said)
}

#[test]
fn doubtful_citations_are_judged_in_one_call_that_is_paid_for_as_all_are() {
    let judgement = r#"{"verdicts": {"1": "supported", "2": "not_found"}}"#;
    let run = run(judged(), writes().streams(judgement));
    assert_eq!(
        verdicts(&run),
        // No model overrules another figure.
        [(json!("supported"), false), (json!("partly"), false), (json!("not_found"), true)]
    );
    assert_eq!(run.requests.len(), 2);
    let pairs = &run.requests[1].messages[1].content;
    assert!(pairs.contains("1. Sentence: The late fee is 40 euros a day"), "{pairs}");
    let told = run.all(EventName::Citation);
    assert_eq!(told.len(), 3 + 1, "readers who joined before are told of the new verdict");
    let costs = run.the(EventName::CostSummary);
    assert_eq!(costs["stepCosts"].as_array().unwrap().last().unwrap()["phase"], "citation_check");
    assert_eq!(run.the(EventName::Complete)["result"]["metadata"]["totalLLMCalls"], 2);
    let verified = run.the(EventName::KnowledgeAnswer)["confidence"]["verified"].as_f64().unwrap();
    assert!((verified - 1.0 / 3.0).abs() < 1e-9, "{verified}");
}

#[test]
fn without_the_wish_without_a_doubt_or_without_an_answer_nothing_is_asked() {
    assert_eq!(run(asked(), writes()).requests.len(), 1);
    let sure = Script::new(vec![fees()]).streams(WORDS.split_inclusive(". ").next().unwrap());
    assert_eq!(run(judged(), sure).requests.len(), 1);
    assert!(run(judged(), Script::new(Vec::new())).requests.is_empty());
}

#[test]
fn whatever_goes_wrong_the_answer_stands_with_the_verdicts_of_the_check() {
    let limited = ChatError::RateLimited { wait_seconds: 90.0, message: "slow down".to_owned() };
    for (script, why) in [
        (writes().streams("I think so."), "cannot be read"),
        (writes().fails(limited), "The check's verdicts stand"),
    ] {
        let run = run(judged(), script);
        let expected = ["supported", "partly", "partly"].map(|verdict| (json!(verdict), false));
        assert_eq!(verdicts(&run), expected, "{why}");
        assert!(logged(&run, why), "{why}");
        assert_eq!(run.the(EventName::Complete)["ended"], "answered");
    }
}

#[test]
fn a_budget_that_the_answer_used_up_is_kept() {
    let of = |tokens| {
        let budget = Budget { usd: None, tokens: Some(tokens) };
        run(ConsultParams { budget, ceiling: 16, ..judged() }, writes())
    };
    // The least that has room for an answer.
    let run = (100..4_000).step_by(10).map(of).find(|run| !run.requests.is_empty()).unwrap();
    assert_eq!(run.requests.len(), 1);
    assert!(logged(&run, "the budget leaves no room for it"), "{:?}", run.all(EventName::Log));
    assert_eq!(verdicts(&run).len(), 3);
}

#[test]
fn whoever_stops_while_citations_are_judged_gets_the_answer() {
    let run = stopped(judged(), writes(), 1);
    assert_eq!(verdicts(&run).len(), 3);
    assert_eq!(run.the(EventName::Complete)["ended"], "answered");
    let lost = run.the(EventName::CostSummary)["unsettledCalls"].clone();
    assert_eq!(lost.as_array().map(Vec::len), Some(1));
}

#[test]
fn where_rules_stand_in_for_a_model_the_answer_is_worth_more_than_its_judgement() {
    let fallback = Fallback { requested: "groq:x".to_owned(), reason: "no key".to_owned() };
    let params = ConsultParams { fallback: Some(fallback), verify_with_model: true, ..local() };
    let run = run(params, Script::new(vec![fees()]));
    assert!(run.requests.is_empty());
    assert_eq!(run.the(EventName::Complete)["ended"], "answered");
}

/// What the entry of the only title says.
fn entry(written: &str, found: Vec<quarry_tools::OwnPassage>) -> Value {
    let run = run(asked(), Script::new(found).streams(written));
    run.the(EventName::KnowledgeAnswer)["citations"][0].clone()
}

const TRUE: &str = "The late fee is 12 euros a day since 1 May 2025";
const FALSE: &str = "A famous pirate captain buried seven chests of silver under the northern pier";

#[test]
fn a_citation_has_the_verdict_of_its_own_sentence() {
    // The first sentence is given a citation of ours; the title stands for the second alone.
    let other = entry(&format!("{TRUE}. {FALSE} [Fees]."), vec![fees()]);
    assert_eq!((&other["verdict"], &other["n"]), (&json!("not_found"), &json!(1)), "{other}");
    let own = entry(&format!("{FALSE}. {TRUE} [Fees]."), vec![fees()]);
    assert_eq!((&own["verdict"], &own["n"]), (&json!("supported"), &json!(1)), "{own}");
}

#[test]
fn a_short_title_is_checked_as_any_other() {
    let faq = crate::world::passage("faq", 0, "FAQ", "Boats", "Rowing boats are lent daily.", 0.5);
    let entry = entry(&format!("{FALSE} [FAQ]."), vec![faq]);
    assert_eq!((&entry["matched"], &entry["verdict"]), (&json!(true), &json!("not_found")));
}

#[test]
fn a_title_that_is_cited_several_times_has_its_worst_verdict_and_the_number_that_stands_there() {
    for written in
        [format!("{FALSE} [Fees]. {TRUE} [Fees]."), format!("{TRUE} [Fees]. {FALSE} [Fees].")]
    {
        let entry = entry(&written, vec![fees()]);
        assert_eq!((&entry["verdict"], &entry["n"]), (&json!("not_found"), &json!(1)), "{entry}");
    }
}

#[test]
fn where_another_document_says_the_sentence_the_one_that_was_cited_does_not() {
    let boats = crate::world::passage(
        "boats",
        0,
        "Boats",
        "Rowing",
        "There are nine rowing boats in the harbour.",
        0.5,
    );
    for written in [
        format!("{TRUE} [Boats]. There are nine rowing boats in the harbour [Boats]."),
        format!("{TRUE} [Boats] [Fees]. There are nine rowing boats in the harbour [Boats]."),
    ] {
        let entry = entry(&written, vec![fees(), boats.clone()]);
        assert_eq!(
            (&entry["title"], &entry["verdict"]),
            (&json!("Boats"), &json!("not_found")),
            "{entry}"
        );
        assert_eq!((&entry["url"], &entry["quote"]), (&Value::Null, &Value::Null), "{entry}");
    }
}

/// Another document with the title of the fees, that was found before them.
fn twin() -> quarry_tools::OwnPassage {
    quarry_tools::OwnPassage {
        org: Some("Boat Club".to_owned()),
        source_urls: vec!["https://club.example/fees".to_owned()],
        ..crate::world::passage("boats", 0, "Fees", "Boats", "A rowing boat costs 5 euros.", 0.9)
    }
}

/// What is told of this answer from both.
fn of_twins(written: &str) -> Value {
    run(asked(), Script::new(vec![twin(), fees()]).streams(written)).the(EventName::KnowledgeAnswer)
}

fn source(org: &str, url: &str, section: Option<&str>) -> Value {
    json!({ "title": "Fees", "org": org, "url": url, "section": section })
}

#[test]
fn of_two_documents_with_one_title_the_source_is_the_one_that_is_quoted() {
    let board = |section| source("Harbour Board", "https://board.example/fees", section);
    let club = |section| source("Boat Club", "https://club.example/fees", section);
    let boat = "A rowing boat costs 5 euros";
    for (written, sources) in [
        (format!("{TRUE} [Fees]."), json!([board(None)])),
        (format!("{boat} [Fees]."), json!([club(None)])),
        (format!("{TRUE} [Fees]. {boat} [Fees]."), json!([board(None), club(None)])),
        (format!("{TRUE} [Fees > Late return]."), json!([board(Some("Late return"))])),
        (format!("{boat} [Fees > Boats]."), json!([club(Some("Boats"))])),
    ] {
        let told = of_twins(&written);
        assert_eq!(told["sources"], sources, "{written}: {told}");
    }
}

#[test]
fn of_two_documents_with_one_title_the_section_says_which_is_meant() {
    for written in
        [format!("{TRUE} [Fees > Late return]."), format!("{FALSE} [Fees > Late return].")]
    {
        let entry = &of_twins(&written)["citations"][0];
        assert_eq!(entry["docId"], "fees", "{entry}");
        let verdict = if written.starts_with(TRUE) { "supported" } else { "not_found" };
        assert_eq!(entry["verdict"], verdict, "{entry}");
    }
}

#[test]
fn of_two_documents_with_one_title_the_entry_is_of_the_one_that_is_quoted() {
    let told = of_twins(&format!("{TRUE} [Fees]."));
    let entry = &told["citations"][0];
    assert_eq!((&entry["docId"], &entry["n"]), (&json!("fees"), &json!(1)), "{entry}");
    assert_eq!(entry["sourceUrls"], json!(["https://board.example/fees"]), "{entry}");
    assert_eq!(entry["url"], told["verifiedCitations"][0]["url"], "{entry}");
}
