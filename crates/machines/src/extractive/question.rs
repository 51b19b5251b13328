//! A question and its terms.
//!
//! Border: text in; terms, key words and search queries out.

use super::words;
use std::collections::{BTreeMap, BTreeSet};

/// Terms that a query is made of.
const QUERY_TERMS: usize = 10;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// As it was asked.
    pub text: String,
    /// How many of its words matter, each counted once.
    pub terms: usize,
    /// The number of the term that a stem is.
    own: BTreeMap<String, usize>,
    /// The terms that a stem speaks of, by number.
    index: BTreeMap<String, Vec<usize>>,
}

/// How measures are asked for, and how they are said: who asks how tall a thing is reads of its
/// height.
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

/// Words that ask for a number or a date.
const FIGURE_WORDS: [&str; 21] = [
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
];

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let mut own = BTreeMap::new();
        let mut index: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for stem in words::stems(text) {
            if own.contains_key(&stem) {
                continue;
            }
            let term = own.len();
            for kin in kin(&stem) {
                index.entry(kin).or_default().push(term);
            }
            index.entry(stem.clone()).or_default().push(term);
            own.insert(stem, term);
        }
        for terms in index.values_mut() {
            terms.dedup();
        }
        Question { text: text.trim().to_owned(), terms: own.len(), own, index }
    }

    /// The terms that a stem speaks of: the term that it is, and those that it answers.
    pub(super) fn hits(&self, stem: &str) -> &[usize] {
        self.index.get(stem).map(Vec::as_slice).unwrap_or_default()
    }

    /// The terms that a text speaks of, in order.
    pub(super) fn all_hits(&self, text: &str) -> BTreeSet<usize> {
        words::stems(text).iter().flat_map(|stem| self.hits(stem)).copied().collect()
    }

    /// The terms that a word of the question is.
    pub(super) fn own_terms(&self, word: &str) -> BTreeSet<usize> {
        words::stems(word).iter().filter_map(|stem| self.own.get(stem)).copied().collect()
    }

    /// Its words that matter, as they were written, each once.
    pub(super) fn key_words(&self) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for word in self
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ';' | '"' | '(' | ')'))
        {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let lower = word.to_lowercase();
            // `it's` is not a word to search for.
            let bare = lower.split(['\'', '’']).next().unwrap_or_default();
            if !word.is_empty() && !words::is_stop_word(bare) && known.insert(lower) {
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
        let mut by_length: Vec<(usize, usize)> =
            words.iter().map(|word| word.chars().count()).enumerate().collect();
        by_length.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
        by_length.truncate(words.len().div_ceil(2).clamp(1, 4));
        by_length.sort_unstable();
        let kept: Vec<&str> =
            by_length.iter().filter_map(|(at, _)| words.get(*at)).map(String::as_str).collect();
        kept.join(" ")
    }

    /// Whether a number or a date would answer it.
    pub(super) fn wants_figure(&self) -> bool {
        let lower = self.text.to_lowercase();
        FIGURE_WORDS.iter().any(|words| lower.contains(words))
    }
}

/// Stems of words that answer this one.
fn kin(stem: &str) -> BTreeSet<String> {
    let asked = MEASURES.iter().filter(|(asked, _)| words::stem(asked) == stem);
    asked.flat_map(|(_, said)| *said).map(|word| words::stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_made_of_the_words_that_matter() {
        let question = Question::new(
            "How many steps does the Orrin Head lighthouse have, and when was it automated?",
        );
        assert_eq!(question.query(), "steps Orrin Head lighthouse automated");
        assert_eq!(question.broader_query(), "steps lighthouse automated");
        assert_eq!(Question::new("what is this?").query(), "what is this?");
        assert_eq!(Question::new("").broader_query(), "");
    }

    #[test]
    fn a_stem_speaks_of_the_term_that_it_is_and_of_those_that_it_answers() {
        let question = Question::new("How tall and how high is the tall tower?");
        assert_eq!(question.terms, 3);
        assert_eq!(question.hits("tall"), [0, 1]);
        assert_eq!(question.hits("height"), [0, 1]);
        assert_eq!(question.hits("tower"), [2]);
        assert!(question.hits("width").is_empty());
        assert_eq!(Question::new("old prices, old costs").hits("cost"), [1, 2]);
    }
}
