//! Set-up and plan, made of the question's own words.
//!
//! Border: a question in, the JSON object that the prompt asks for out.

use super::arithmetic;
use super::question::Question;
use serde_json::json;

const PERSONA: &str = "An extractive researcher without a language model, who quotes sources word for word and names them";

/// The reply to the set-up prompt.
pub(super) fn set_up(question: &Question) -> String {
    let length = match question.terms.len() {
        0..=3 => "short",
        4..=12 => "medium",
        _ => "long",
    };
    json!({
        "persona": PERSONA,
        "questions": questions(question),
        "response_length": length,
        "reasoning_level": "basic",
        "temperature": 0.1,
    })
    .to_string()
}

/// The reply to the planning prompt.
pub(super) fn planning(question: &Question) -> String {
    let calculates = arithmetic::find(&question.text).is_some();
    let complexity = match question.terms.len() {
        _ if calculates => "low",
        0..=5 => "low",
        6..=14 => "medium",
        _ => "high",
    };
    let reasoning = if calculates {
        "The question holds a calculation that a program can work out.".to_owned()
    } else {
        format!(
            "No language model is in use, so the plan follows the question's own terms: {}.",
            question.key_words().join(", ")
        )
    };
    json!({
        "research_questions": questions(question),
        "optimal_persona": PERSONA,
        "reasoning": reasoning,
        "complexity_assessment": complexity,
    })
    .to_string()
}

/// The question, its parts where it has several, and what sources agree on.
fn questions(question: &Question) -> Vec<String> {
    let mut questions = vec![question.text.chars().take(500).collect::<String>()];
    let parts: Vec<String> = question
        .text
        .split_inclusive('?')
        .flat_map(|part| part.split(", and "))
        .map(|part| part.trim().to_owned())
        .filter(|part| part.split_whitespace().count() > 2 && *part != question.text)
        .take(2)
        .collect();
    questions.extend(parts);
    let terms = question.key_words();
    if !terms.is_empty() {
        let terms: Vec<String> = terms.into_iter().take(8).collect();
        questions.push(format!("What do sources say about {}?", terms.join(", ")));
    }
    questions.push("Where do the sources disagree, and which of them is newer?".to_owned());
    questions.truncate(5);
    questions
}
