//! The question in a prompt, and its terms.
//!
//! Border: messages in; a question out, even where no prompt of ours wrote them.

use super::words;
use quarry_types::{Message, Role};

/// Characters of a message that stand for the question when none is marked.
const FALLBACK_CHARACTERS: usize = 500;
/// Terms that a query is made of.
const QUERY_TERMS: usize = 10;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// As it was asked.
    pub text: String,
    /// Its words that matter, each once, in order.
    pub terms: Vec<Term>,
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    stem: String,
    /// Stems of words that answer it: who asks how tall a thing is reads of its height.
    kin: Vec<String>,
}

impl Term {
    fn new(stem: String) -> Self {
        let kin = MEASURES.iter().filter(|(asked, _)| words::stem(asked) == stem);
        let kin = kin.flat_map(|(_, said)| *said).map(|word| words::stem(word)).collect();
        Term { stem, kin }
    }

    /// Whether a stem is this word, or one that answers it.
    pub(super) fn is(&self, stem: &str) -> bool {
        self.stem == stem || self.kin.iter().any(|kin| kin == stem)
    }

    /// Whether one of these stems is.
    pub(super) fn is_among(&self, stems: &[String]) -> bool {
        stems.iter().any(|stem| self.is(stem))
    }
}

/// How measures are asked for, and how they are said.
const MEASURES: [(&str, &[&str]); 14] = [
    ("big", &["size", "large", "area"]),
    ("cost", &["price", "costs"]),
    ("deep", &["depth"]),
    ("expensive", &["price", "cost"]),
    ("far", &["distance", "away"]),
    ("fast", &["speed"]),
    ("heavy", &["weight", "weighs", "mass"]),
    ("high", &["height", "tall"]),
    ("large", &["size", "big", "area"]),
    ("long", &["length", "duration", "lasts"]),
    ("old", &["age", "built", "founded"]),
    ("price", &["cost", "costs"]),
    ("tall", &["height", "high"]),
    ("wide", &["width"]),
];

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let mut terms: Vec<Term> = Vec::new();
        for stem in words::stems(text) {
            if !terms.iter().any(|term| term.stem == stem) {
                terms.push(Term::new(stem));
            }
        }
        Question { text: text.trim().to_owned(), terms }
    }

    /// Its words that matter, as they were written, each once.
    pub(super) fn key_words(&self) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for word in self
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ';' | '"' | '(' | ')'))
        {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let lower = word.to_lowercase();
            let known = kept.iter().any(|kept| kept.to_lowercase() == lower);
            // `it's` is not a word to search for.
            let bare = lower.split(['\'', '’']).next().unwrap_or_default();
            if !word.is_empty() && !known && !words::is_stop_word(bare) {
                kept.push(word.to_owned());
            }
        }
        kept
    }

    /// What to search for.
    pub(super) fn query(&self) -> String {
        let mut words = self.key_words();
        words.truncate(QUERY_TERMS);
        if words.is_empty() { self.text.chars().take(200).collect() } else { words.join(" ") }
    }

    /// The same in other words, as far as that can be done without knowing any: the longest words,
    /// which are the rarest.
    pub(super) fn broader_query(&self) -> String {
        let words = self.key_words();
        let mut by_length: Vec<usize> = (0..words.len()).collect();
        let length = |at: &usize| words.get(*at).map_or(0, |word| word.chars().count());
        by_length.sort_by_key(|at| std::cmp::Reverse(length(at)));
        by_length.truncate(words.len().div_ceil(2).clamp(1, 4));
        by_length.sort_unstable();
        let kept: Vec<&str> =
            by_length.iter().filter_map(|at| words.get(*at)).map(String::as_str).collect();
        kept.join(" ")
    }

    /// Whether a number or a date would answer it.
    pub(super) fn wants_figure(&self) -> bool {
        let lower = self.text.to_lowercase();
        [
            "how many",
            "how much",
            "how long",
            "how tall",
            "how high",
            "how far",
            "how old",
            "how big",
            "how often",
            "how deep",
            "how wide",
            "how fast",
            "when ",
            "what year",
            "which year",
            "what date",
            "cost",
            "price",
            "number of",
            "population",
            "percent",
        ]
        .iter()
        .any(|words| lower.contains(words))
    }
}

/// Labels that end a question in our prompts.
const ENDS: [&str; 7] = [
    "\nLook into:",
    "\nEvidence:",
    "\nResults:",
    "\nData:",
    "\nThis is a calculation",
    "\nAnswer with URLs",
    "\nAnswer the question",
];

/// The question that a conversation is about.
pub(super) fn of(messages: &[Message]) -> Question {
    let users = || messages.iter().filter(|message| message.role == Role::User);
    let marked = users().find_map(|message| {
        ["Question:", "Q:", "Query:", "User query:"].iter().find_map(|label| {
            let at = if message.content.starts_with(label) {
                label.len()
            } else {
                message.content.find(&format!("\n{label}"))? + 1 + label.len()
            };
            let rest = message.content.get(at..)?;
            let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
            rest.get(..end).map(str::trim).filter(|text| !text.is_empty())
        })
    });
    let text = marked.map(str::to_owned).or_else(|| {
        users()
            .next_back()
            .map(|message| message.content.chars().take(FALLBACK_CHARACTERS).collect())
    });
    Question::new(&text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_found_in_any_prompt() {
        for content in [
            "Question: How tall is it?",
            "Plan this.\n\n{ \"questions\": [] }\n\nQuestion: How tall is it?",
            "Question: How tall is it?\n\nLook into:\n1. x",
            "Q: How tall is it?\nData: {}\nAnswer with URLs:",
            "How tall is it?",
        ] {
            let question = of(&[Message::system("You are …"), Message::user(content)]);
            assert_eq!(question.text, "How tall is it?", "{content}");
        }
    }

    #[test]
    fn queries_are_made_of_the_words_that_matter() {
        let question = Question::new(
            "How many steps does the Orrin Head lighthouse have, and when was it automated?",
        );
        assert_eq!(question.query(), "steps Orrin Head lighthouse automated");
        assert_eq!(question.broader_query(), "steps lighthouse automated");
        assert_eq!(Question::new("what is this?").query(), "what is this?");
    }
}
