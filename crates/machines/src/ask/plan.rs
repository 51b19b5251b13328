//! Reading the set-up and the research plan from what a model wrote.
//!
//! Whatever cannot be read falls back to defaults: a bad plan never stops an ask.

use crate::core::reply::{text_of, texts_of, word_of};
use quarry_types::json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MAX_QUESTIONS: usize = 8;

/// What the set-up call decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The expert role.
    pub persona: String,
    /// The first questions.
    pub questions: Vec<String>,
    /// `short`, `medium` or `long`.
    pub response_length: String,
    /// `basic`, `detailed` or `comprehensive`.
    pub reasoning_level: String,
    /// 0.1 to 0.9.
    pub temperature: f64,
}

/// How demanding a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    /// A fact.
    Low,
    /// The usual.
    Medium,
    /// Several angles.
    High,
}

impl Complexity {
    /// The complexity of this name; medium for any other word.
    #[must_use]
    pub fn read(word: &str) -> Self {
        match word {
            "low" => Complexity::Low,
            "high" => Complexity::High,
            _ => Complexity::Medium,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Complexity::Low => "low",
            Complexity::Medium => "medium",
            Complexity::High => "high",
        }
    }
}

/// The research plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The questions to look into.
    pub research_questions: Vec<String>,
    /// The expert role.
    pub optimal_persona: String,
    /// Why.
    pub reasoning: String,
    /// How demanding the question is.
    pub complexity_assessment: Complexity,
}

impl Setup {
    /// Reads a set-up; the flag says whether anything had to be filled in by default.
    #[must_use]
    pub fn read(text: &str, query: &str) -> (Setup, bool) {
        let fallback = Setup::fallback(query);
        let Some(value) = json::read(text).filter(Value::is_object) else {
            return (fallback, true);
        };
        let persona = text_of(&value, "persona");
        let questions = texts_of(&value, "questions", MAX_QUESTIONS);
        let complete = persona.is_some() && questions.is_some();
        let one_of = |name: &str, allowed: [&str; 3], default: String| {
            word_of(&value, name).filter(|word| allowed.contains(&word.as_str())).unwrap_or(default)
        };
        let temperature = value.get("temperature").and_then(Value::as_f64);
        let setup = Setup {
            persona: persona.unwrap_or(fallback.persona),
            questions: questions.unwrap_or(fallback.questions),
            response_length: one_of(
                "response_length",
                ["short", "medium", "long"],
                fallback.response_length,
            ),
            reasoning_level: one_of(
                "reasoning_level",
                ["basic", "detailed", "comprehensive"],
                fallback.reasoning_level,
            ),
            temperature: temperature.map_or(fallback.temperature, |given| given.clamp(0.1, 0.9)),
        };
        (setup, !complete)
    }

    /// The set-up when there is no usable reply.
    #[must_use]
    pub fn fallback(query: &str) -> Setup {
        Setup {
            persona: "An expert researcher who weighs sources and answers from evidence".to_owned(),
            questions: vec![
                format!("What is known about this: {query}"),
                format!("What is the current state of this: {query}"),
                format!("What follows for the asker from this: {query}"),
            ],
            response_length: "medium".to_owned(),
            reasoning_level: "detailed".to_owned(),
            temperature: 0.7,
        }
    }
}

impl Plan {
    /// Reads a plan; the flag says whether anything had to be filled in from the set-up.
    #[must_use]
    pub fn read(text: &str, setup: &Setup) -> (Plan, bool) {
        let fallback = Plan::fallback(setup);
        let Some(value) = json::read(text).filter(Value::is_object) else {
            return (fallback, true);
        };
        let persona = text_of(&value, "optimal_persona");
        let questions = texts_of(&value, "research_questions", MAX_QUESTIONS);
        let complete = persona.is_some() && questions.is_some();
        let complexity = word_of(&value, "complexity_assessment").unwrap_or_default();
        let plan = Plan {
            research_questions: questions.unwrap_or(fallback.research_questions),
            optimal_persona: persona.unwrap_or(fallback.optimal_persona),
            reasoning: text_of(&value, "reasoning").unwrap_or(fallback.reasoning),
            complexity_assessment: Complexity::read(&complexity),
        };
        (plan, !complete)
    }

    /// The plan when there is no usable reply: the set-up's questions and expert.
    #[must_use]
    pub fn fallback(setup: &Setup) -> Plan {
        Plan {
            research_questions: setup.questions.clone(),
            optimal_persona: setup.persona.clone(),
            reasoning: "The plan could not be read, so the first questions stand.".to_owned(),
            complexity_assessment: Complexity::Medium,
        }
    }
}

/// The question that a set-up made of a conversation, to stand alone.
#[must_use]
pub fn standalone(text: &str) -> Option<String> {
    text_of(&json::read(text)?, "question")
}

/// Questions as a numbered list, one a line.
#[must_use]
pub fn numbered(questions: &[String]) -> String {
    let lines: Vec<String> = questions
        .iter()
        .enumerate()
        .map(|(i, question)| format!("{}. {question}", i + 1))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_inside_prose_is_read() {
        let text = "Here you go:\n```json\n{\"persona\": \"A sailor\", \"questions\": [\"a\", \"\"], \
                    \"response_length\": \"huge\", \"temperature\": 7}\n```";
        let (setup, defaulted) = Setup::read(text, "q");
        assert!(!defaulted);
        assert_eq!((setup.persona.as_str(), setup.questions.len()), ("A sailor", 1));
        assert_eq!((setup.response_length.as_str(), setup.temperature), ("medium", 0.9));
    }

    #[test]
    fn a_question_that_stands_alone_is_read_where_there_is_one() {
        let text = r#"{"persona": "A sailor", "question": "How tall is the lighthouse of Sker?"}"#;
        assert_eq!(standalone(text).as_deref(), Some("How tall is the lighthouse of Sker?"));
        for nothing in [r#"{"persona": "A sailor"}"#, r#"{"question": " "}"#, "I cannot"] {
            assert_eq!(standalone(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_cannot_be_read_falls_back() {
        assert_eq!(Setup::read("I cannot do that", "q"), (Setup::fallback("q"), true));
        let setup = Setup::fallback("q");
        assert_eq!(Plan::read("[1, 2]", &setup), (Plan::fallback(&setup), true));
        let (plan, defaulted) = Plan::read(r#"{"research_questions": ["x"]}"#, &setup);
        assert!(defaulted);
        assert_eq!(plan.research_questions, ["x"]);
        assert_eq!(plan.optimal_persona, setup.persona);
    }

    #[test]
    fn questions_read_as_a_list() {
        assert_eq!(numbered(&["a".into(), "b".into()]), "1. a\n2. b");
    }
}
