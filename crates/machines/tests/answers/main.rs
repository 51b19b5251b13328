//! How often the first quotation of `local:extractive` answers: questions over the demo web
//! (`island.json`), which the rules were made with, and over texts of other subjects (`unseen.json`),
//! which they were not, and what strangers ask of single pages (`strangers.json`, `everyday.json`).
//!
//! `TELL=1 cargo test -p quarry-machines --test answers -- --nocapture` tells each question that is not
//! answered, else only the shares. Who changes a rule looks at the share of `unseen.json`, and not at its
//! questions.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "tests, where a panic is the report"
)]

mod asked;
mod classes;
mod everyday;
mod headlines;
mod polar;
mod read;
mod strangers;

use asked::{Expected, Outcome, judge};
use quarry_machines::extractive::EvidenceSource;
use read::Read;
use serde_json::Value;

/// The share of parts of questions whose first quotation must answer.
const LEAST_SHARE: f64 = 0.9;

/// The same where the rules were not made with the questions.
const LEAST_SHARE_UNSEEN: f64 = 0.8;

fn island() -> Vec<Expected> {
    Expected::all(&serde_json::from_str(include_str!("island.json")).unwrap())
}

fn unseen() -> (Vec<Read>, Vec<Expected>) {
    let file: Value = serde_json::from_str(include_str!("unseen.json")).unwrap();
    let texts = file["texts"].as_array().unwrap().iter();
    let texts = texts.map(|text| {
        Read::markdown(text["title"].as_str().unwrap(), text["text"].as_str().unwrap())
    });
    (texts.collect(), Expected::all(&file["questions"]))
}

/// Measures, tells what failed, and returns the share.
fn share(name: &str, questions: &[Expected], outcome: impl Fn(&Expected) -> Vec<Outcome>) -> f64 {
    let tells = std::env::var_os("TELL").is_some();
    let outcomes: Vec<Outcome> = questions.iter().flat_map(outcome).collect();
    let right = outcomes.iter().filter(|outcome| outcome.is_right).count();
    for wrong in outcomes.iter().filter(|outcome| !outcome.is_right && tells) {
        println!("{name}: {}", wrong.told);
    }
    let share = right as f64 / outcomes.len() as f64;
    println!("{name}: {right} of {} parts, {:.1} %", outcomes.len(), share * 100.0);
    share
}

#[test]
fn the_first_quotation_answers_over_the_whole_demo_web() {
    let questions = island();
    assert!(questions.len() >= 80);
    let pages = read::island();
    let sources: Vec<EvidenceSource<'_>> =
        pages.iter().enumerate().map(|(at, page)| page.source(at + 1)).collect();
    let share = share("all pages", &questions, |expected| judge(expected, &sources));
    assert!(share >= LEAST_SHARE);
}

/// `ANSWERS=1` shows what people read.
#[test]
fn answers_are_written_for_people() {
    for expected in island().iter().filter(|expected| !expected.is_calculation()) {
        let written = asked::written(expected);
        if std::env::var_os("ANSWERS").is_some() {
            println!("# {}\n\n{written}\n", expected.question);
        }
        let last = written.rsplit("\n\n").next().unwrap();
        assert!(last.starts_with("No language model was used"), "{written}");
        let speaks_to_machines = written.contains("Grand Combs") || written.contains("guest4471");
        assert!(!speaks_to_machines, "{written}");
    }
}

#[test]
fn the_first_quotation_answers_over_what_the_searches_find() {
    let share = share("as asked", &island(), asked::after_research);
    assert!(share >= LEAST_SHARE);
}

#[test]
fn the_first_quotation_answers_over_other_texts() {
    let (texts, questions) = unseen();
    assert!(questions.len() >= 60);
    let sources: Vec<EvidenceSource<'_>> =
        texts.iter().enumerate().map(|(at, text)| text.source(at + 1)).collect();
    let share = share("other texts", &questions, |expected| judge(expected, &sources));
    assert!(share >= LEAST_SHARE_UNSEEN);
}

/// What ranking a megabyte takes: `cargo test --release -p quarry-machines --test answers -- --ignored
/// --nocapture`.
#[test]
#[ignore = "tells a time, and asserts none"]
fn a_megabyte_is_ranked_in() {
    let pages = read::island();
    let mut sources: Vec<EvidenceSource<'_>> = Vec::new();
    let mut bytes = 0;
    while bytes < 1_000_000 {
        for page in &pages {
            let source = page.source(sources.len() + 1);
            bytes += source.passages.iter().map(|passage| passage.text.len()).sum::<usize>();
            sources.push(source);
        }
    }
    for question in [
        "How tall is the Orrin Head lighthouse?",
        "What did the Orrin Bridge cost, and who paid for it?",
    ] {
        let began = std::time::Instant::now();
        let parts = quarry_machines::extractive::ranking(question, &sources);
        println!("{bytes} bytes, {} parts: {:?}", parts.len(), began.elapsed());
    }
}
