//! What a newcomer reads first: questions whose words many sentences share, with what must lead the answer, and what
//! must not. Beside them plain questions over the texts of `polar.json`: who refuses wrong answers must not refuse
//! the right ones.

use crate::asked::{self, Expected};
use crate::read::{self, Read};
use quarry_machines::extractive::{Asked, EvidenceSource, Length, Why, answer};
use serde_json::Value;

/// What is held of an answer.
struct Headline<'v> {
    question: &'v str,
    written: String,
    told: &'v Value,
}

impl Headline<'_> {
    fn words(&self, name: &str) -> Option<Vec<&str>> {
        let list = self.told.get(name)?.as_array().unwrap();
        Some(list.iter().map(|words| words.as_str().unwrap()).collect())
    }

    /// What is wrong with it.
    fn wrong(&self) -> Option<String> {
        let lead = self.written.split("\n\n").next().unwrap();
        let leads = self.words("leads").is_none_or(|leads| match leads.as_slice() {
            [] => lead.starts_with("No source says this"),
            leads => leads.iter().any(|words| lead.contains(words)),
        });
        let never = self.words("never").unwrap_or_default();
        let nowhere = self.words("nowhere").unwrap_or_default();
        let misleads = never.iter().any(|words| lead.contains(words))
            || nowhere.iter().any(|words| self.written.contains(words));
        (!leads || misleads).then(|| format!("{}\n{}\n", self.question, self.written))
    }
}

/// Those of these questions whose answers mislead.
fn wrong(questions: &Value, written: impl Fn(&str) -> String) -> Vec<String> {
    let questions = questions.as_array().unwrap().iter();
    let headlines = questions.map(|told| {
        let question = told["question"].as_str().unwrap();
        Headline { question, written: written(question), told }
    });
    headlines.filter_map(|headline| headline.wrong()).collect()
}

fn questions() -> Value {
    serde_json::from_str(include_str!("headlines.json")).unwrap()
}

#[test]
fn no_headline_over_the_demo_web_misleads() {
    let wrong = wrong(&questions()["island"], |question| {
        let list = serde_json::json!([{ "question": question, "parts": [] }]);
        asked::written(&Expected::all(&list)[0])
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_headline_over_the_demo_handbook_misleads() {
    let pages: Vec<Read> = read::handbook();
    let sources: Vec<EvidenceSource<'_>> =
        pages.iter().enumerate().map(|(at, page)| page.source(at + 1)).collect();
    let wrong = wrong(&questions()["handbook"], |query| {
        let asked = Asked { query, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
        answer(&asked, &sources, &[])
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The share of plain questions whose first quotation must answer.
const LEAST_SHARE_PLAIN: f64 = 0.85;

#[test]
fn plain_questions_are_answered() {
    let file: Value = serde_json::from_str(include_str!("polar.json")).unwrap();
    let texts = file["texts"].as_array().unwrap().iter();
    let texts: Vec<Read> = texts
        .map(|text| Read::markdown(text["title"].as_str().unwrap(), text["text"].as_str().unwrap()))
        .collect();
    let sources: Vec<EvidenceSource<'_>> =
        texts.iter().enumerate().map(|(at, text)| text.source(at + 1)).collect();
    let questions = Expected::all(&questions()["plain"]);
    let share = crate::share("plain", &questions, |expected| asked::judge(expected, &sources));
    assert!(share >= LEAST_SHARE_PLAIN);
}

#[test]
fn a_small_limit_keeps_the_answer_and_what_it_is_not() {
    let pages = read::handbook();
    let sources: Vec<EvidenceSource<'_>> =
        pages.iter().enumerate().map(|(at, page)| page.source(at + 1)).collect();
    for most_tokens in [1, 50] {
        let query = "What is the late fee?";
        let asked = Asked { query, length: Length::Medium, most_tokens, why: Why::Chosen };
        let written = answer(&asked, &sources, &[]);
        assert!(written.starts_with("**12 euros**"), "{written}");
        assert!(!written.contains("Other sources"), "{written}");
        assert!(written.contains("\n\nNo language model was used"), "{written}");
    }
}
