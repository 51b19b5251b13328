//! The words that an answer shows by themselves, over pages of everyday kinds (`everyday.json`): a museum, a budget, a
//! school, a recipe, a table. Of one sentence with several figures the wrong one is worse than none.

use crate::read::Read;
use quarry_machines::extractive::{Asked, EvidenceSource, Length, Why, answer};
use serde_json::Value;

/// The share of questions whose answer begins with the right words, and of those with others, at most.
const LEAST_RIGHT: f64 = 0.8;
const MOST_WRONG: f64 = 0.05;

/// The words that the answer from a page begins with, if it shows any by themselves.
fn shown(question: &str, page: &Read) -> Option<String> {
    let asked =
        Asked { query: question, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
    let sources: [EvidenceSource<'_>; 1] = [page.source(1)];
    let answer = answer(&asked, &sources, &[]);
    let (words, _) = answer.strip_prefix("**")?.split_once("**")?;
    Some(words.to_owned())
}

#[test]
fn the_words_that_are_shown_are_those_that_were_asked_for() {
    let file: Value = serde_json::from_str(include_str!("everyday.json")).unwrap();
    let tells = std::env::var_os("TELL").is_some();
    let (mut all, mut right, mut wrong) = (0_u32, 0_u32, 0_u32);
    for page in file.as_array().unwrap() {
        let word = |name: &str| page[name].as_str().unwrap();
        let read = Read::markdown(word("title"), word("text"));
        for asked in page["questions"].as_array().unwrap() {
            let question = asked["question"].as_str().unwrap();
            let shown = shown(question, &read);
            all += 1;
            match shown {
                shown if shown.as_deref() == asked["words"].as_str() => right += 1,
                None if tells => println!("everyday: {question} shows nothing"),
                None => {}
                Some(words) => {
                    wrong += 1;
                    println!("everyday: {question} shows {words}");
                }
            }
        }
    }
    println!("everyday: {right} of {all} right, {wrong} wrong");
    assert!(all >= 60);
    assert!(f64::from(right) >= f64::from(all) * LEAST_RIGHT);
    assert!(f64::from(wrong) <= f64::from(all) * MOST_WRONG);
}
