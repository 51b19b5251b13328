//! Set-up and plan, made of the question's own words.
//!
//! Border: a question in, advice out.

use super::arithmetic;
use super::question::Question;

const PERSONA: &str = "An extractive researcher without a language model, who quotes sources word for word and names them";

/// Questions of a plan.
const QUESTIONS: usize = 5;
/// Characters of the question that become the first of them.
const QUESTION_CHARACTERS: usize = 500;

/// How a question is to be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupAdvice {
    /// Who answers.
    pub persona: &'static str,
    /// The first questions; at least one, unless nothing was asked.
    pub questions: Vec<String>,
    /// `short`, `medium` or `long`.
    pub response_length: &'static str,
    /// `basic`: quotations are not reasoned about.
    pub reasoning_level: &'static str,
    /// The lowest there is: nothing here is left to chance.
    pub temperature: f64,
}

/// How the research is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanAdvice {
    /// What to look into, the first the most useful.
    pub research_questions: Vec<String>,
    /// Who answers.
    pub persona: &'static str,
    /// Why this plan, for people.
    pub reasoning: String,
    /// `low`, `medium` or `high`.
    pub complexity: &'static str,
}

/// The set-up for a question.
#[must_use]
pub fn setup(query: &str) -> SetupAdvice {
    let question = Question::new(query);
    let response_length = match question.terms {
        0..=3 => "short",
        4..=12 => "medium",
        _ => "long",
    };
    SetupAdvice {
        persona: PERSONA,
        questions: questions(&question),
        response_length,
        reasoning_level: "basic",
        temperature: 0.1,
    }
}

/// The plan for a question. The questions of a set-up stand; without any, the question's own parts
/// do.
#[must_use]
pub fn plan(query: &str, set_up: &[String]) -> PlanAdvice {
    let question = Question::new(query);
    let calculates = arithmetic::find(&question.text).is_some();
    let complexity = match question.terms {
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
    let research_questions = if set_up.is_empty() { questions(&question) } else { set_up.to_vec() };
    PlanAdvice { research_questions, persona: PERSONA, reasoning, complexity }
}

/// The question, its parts where it has several, and what sources agree on.
fn questions(question: &Question) -> Vec<String> {
    let brief = |text: &str| text.chars().take(QUESTION_CHARACTERS).collect::<String>();
    let mut questions = vec![brief(&question.text)];
    if question.parts.len() > 1 {
        questions.extend(question.parts.iter().take(QUESTIONS - 2).map(|part| brief(&part.text)));
    }
    questions.push("Where do the sources disagree, and which of them is newer?".to_owned());
    questions.retain(|question| !question.is_empty());
    questions
}
