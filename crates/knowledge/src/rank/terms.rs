//! The terms of a text, as an index and a question have them.
//!
//! Border: text in; folded stems without function words out. The same for both, or nothing would be found.

use quarry_evidence::text::{Shape, is_stop_word, stem, tokens};
use std::collections::BTreeMap;

/// Bytes of a term; what is longer names nothing that anybody asks for.
const LONGEST: usize = 40;
/// Characters of a question that are looked at, and distinct terms of it.
const QUESTION: usize = 32 * 1024;
const QUESTION_TERMS: usize = 64;

/// How much a word counts by where it stands.
pub const TITLE: u32 = 3;
/// In a heading above the chunk.
pub const HEADINGS: u32 = 2;
/// In the chunk itself.
pub const BODY: u32 = 1;

/// The words of a text, folded, in their order.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let tokens = tokens(text).into_iter().filter(|token| token.shape != Shape::Sign);
    tokens.map(|token| token.word)
}

/// The term that a word stands for; none where it names nothing.
#[must_use]
pub fn term(word: &str) -> Option<String> {
    if is_stop_word(word) {
        return None;
    }
    let term = stem(word);
    (term.len() <= LONGEST).then(|| term.into_owned())
}

/// The terms of a text in their order.
pub fn terms(text: &str) -> impl Iterator<Item = String> {
    words(text).filter_map(|word| term(&word))
}

/// The distinct terms of a question with how often each stands there, in the order of the alphabet. None where it
/// has function words alone.
#[must_use]
pub fn of_question(question: &str) -> BTreeMap<String, u32> {
    let head = question.get(..question.floor_char_boundary(QUESTION)).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for term in terms(head) {
        if counts.len() < QUESTION_TERMS || counts.contains_key(&term) {
            *counts.entry(term).or_default() += 1;
        }
    }
    counts
}
