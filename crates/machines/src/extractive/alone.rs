//! The parts of a question as one would ask each alone, and what to search for.
//!
//! Border: a question in, its parts and queries out. What a part leaves out is taken from the first: a
//! pronoun's place by what the first is about, a bare *and when?* by the rest of it.

use super::kind::{is_asking, is_auxiliary};
use super::lexicon;
use super::parts::{self, Leaning, PartText};
use super::question::Question;
use super::words;
use quarry_evidence::text::{Token, tokens};

/// Words among which a question's auxiliary stands: `how many of them did …`.
const FRONT: usize = 4;
/// Words that say what a question is about, at most.
const SUBJECT_WORDS: usize = 8;

/// What a question asks, one by one, each understood without the others; one part where it asks one thing.
#[must_use]
pub fn parts(question: &str) -> Vec<String> {
    let split = parts::split(question);
    let Some(first) = split.first().map(|part| part.text.clone()) else { return Vec::new() };
    let subject = Subject::of(&first);
    split.into_iter().map(|part| alone(part, &first, subject.as_ref())).collect()
}

/// What to search for, the question's parts one by one; empty for a question without words.
#[must_use]
pub fn queries(question: &str) -> Vec<String> {
    let mut queries = Question::new(question).queries(|_| false);
    queries.retain(|query| query.contains(char::is_alphanumeric));
    queries
}

fn alone(part: PartText, first: &str, subject: Option<&Subject>) -> String {
    match (part.leaning, subject) {
        (Leaning::None, _) => part.text,
        (Leaning::Whole, _) => asked_of(&part.text, first),
        (Leaning::Pronoun, Some(subject)) => subject.put_into(&part.text),
        (Leaning::Loose, Some(subject)) if subject.is_named => subject.put_behind(&part.text),
        (Leaning::Pronoun | Leaning::Loose, _) => part.text,
    }
}

/// `By whom?` after `When was it built?` is `By whom was it built?`.
fn asked_of(asking: &str, first: &str) -> String {
    let asking = asking.trim_end_matches('?');
    let first = first.trim_end_matches('?');
    if parts::says_what_was_said(&words::words(asking)) {
        return format!("{asking}: {first}?");
    }
    let found = tokens(first);
    let word = |at: usize| found.get(at).map(|token| token.word.as_str()).unwrap_or_default();
    let from = |at: usize| found.get(at).and_then(|token| first.get(token.start..));
    let auxiliary = (1..FRONT).find(|at| is_auxiliary(word(*at))).and_then(from);
    let behind = from(1).unwrap_or_default();
    match (word(0), auxiliary) {
        ("who", _) => format!("{asking} was it that someone {behind}?"),
        ("how" | "when" | "where" | "why" | "what" | "which", Some(rest)) => {
            format!("{asking} {rest}?")
        }
        ("what" | "which", None) => format!("{asking} was it that something {behind}?"),
        _ => format!("{asking}: {first}?"),
    }
}

/// What a question is about: `the Orrin Head lighthouse`.
struct Subject {
    text: String,
    is_named: bool,
}

impl Subject {
    fn of(question: &str) -> Option<Subject> {
        let found = tokens(question);
        let is_name = |token: &Token| token.is_name() && !token.begins;
        let is_determiner = |token: &Token| matches!(token.word.as_str(), "the" | "a" | "an");
        let begin = found.iter().position(|token| is_name(token) || is_determiner(token))?;
        let mut end = begin + 1;
        while end < found.len().min(begin + SUBJECT_WORDS) {
            let Some(token) = found.get(end) else { break };
            let joins = matches!(token.word.as_str(), "of" | "the");
            if token.opens || (words::is_stop_word(&token.word) && !joins) {
                break;
            }
            end += 1;
        }
        let before = found.get(..begin).unwrap_or_default();
        let asks = before.iter().rev().find(|token| is_auxiliary(&token.word));
        let mut kept = found.get(begin..end)?;
        if let Some((last, rest)) = kept.split_last()
            && rest.len() > usize::from(rest.first().is_some_and(is_determiner))
            && asks.is_some_and(|auxiliary| is_verb(last, &auxiliary.word))
        {
            kept = rest;
        }
        while let Some((_, rest)) =
            kept.split_last().filter(|(last, _)| matches!(last.word.as_str(), "of" | "the"))
        {
            kept = rest;
        }
        let text = question.get(kept.first()?.start..kept.last()?.end)?;
        Some(Subject { text: text.to_owned(), is_named: kept.iter().any(is_name) })
    }

    /// In the place of the first pronoun.
    fn put_into(&self, part: &str) -> String {
        let found = tokens(part);
        for (at, token) in found.iter().enumerate() {
            let is_before_noun = found.get(at + 1).is_some_and(|next| {
                !words::is_stop_word(&next.word) && !is_asking(&next.word) && next.is_word()
            });
            let owner = match token.word.as_str() {
                "it" | "he" | "she" | "they" | "him" | "them" => "",
                "its" | "his" | "their" => "'s",
                "her" if is_before_noun => "'s",
                "her" => "",
                _ => continue,
            };
            let before = part.get(..token.start).unwrap_or_default();
            let behind = part.get(token.end..).unwrap_or_default();
            return format!("{before}{}{owner}{behind}", self.text);
        }
        self.put_behind(part)
    }

    fn put_behind(&self, part: &str) -> String {
        format!("{} ({})?", part.trim_end_matches('?'), self.text)
    }
}

/// Whether the last word before a question's end is what was done: `when did the dam open?`.
fn is_verb(last: &Token, auxiliary: &str) -> bool {
    let word = last.word.as_str();
    if last.is_name() {
        return false;
    }
    let is_form = word.ends_with("ed")
        || word.ends_with("ing")
        || matches!(word, "born" | "done")
        || lexicon::base(word).is_some();
    matches!(auxiliary, "did" | "do" | "does" | "can" | "could" | "will" | "would" | "should")
        || is_form
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_part_is_understood_without_the_others() {
        for (question, expected) in [
            ("How tall is the tower?", &["How tall is the tower?"][..]),
            (
                "How long is the dam and who designed it?",
                &["How long is the dam?", "Who designed the dam?"],
            ),
            (
                "When did the Orrin Head lighthouse open, and what is its height?",
                &[
                    "When did the Orrin Head lighthouse open?",
                    "What is the Orrin Head lighthouse's height?",
                ],
            ),
            (
                "Where was Ada Lovelace born, and who taught her?",
                &["Where was Ada Lovelace born?", "Who taught Ada Lovelace?"],
            ),
            (
                "When was the dam built, and by whom?",
                &["When was the dam built?", "By whom was the dam built?"],
            ),
            (
                "Who built the dam, and when?",
                &["Who built the dam?", "When was it that someone built the dam?"],
            ),
            (
                "How many people live in Ulm, and who is the mayor?",
                &["How many people live in Ulm?", "Who is the mayor (Ulm)?"],
            ),
            (
                "How many people live in Ulm, and how has that changed?",
                &[
                    "How many people live in Ulm?",
                    "How has that changed: How many people live in Ulm?",
                ],
            ),
            (
                "Who built the dam, and who is mayor of Ulm?",
                &["Who built the dam?", "Who is mayor of Ulm?"],
            ),
            (
                "Which is deeper, the lake or the bay?",
                &["How deep is the lake?", "How deep is the bay?"],
            ),
        ] {
            assert_eq!(parts(question), expected, "{question}");
        }
    }

    #[test]
    fn a_question_without_words_is_searched_for_by_nothing() {
        assert_eq!(queries("?!"), Vec::<String>::new());
        assert_eq!(queries("what is this?"), ["what is this?"]);
    }

    proptest! {
        #[test]
        fn any_question_has_parts(text in "(\\PC|the |of | it |her |Ada | and who|, and when|\\? | is| did){0,40}") {
            prop_assert!(!parts(&text).is_empty());
        }
    }
}
