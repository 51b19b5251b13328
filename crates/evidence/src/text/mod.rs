//! Words, stems and sentences, for whatever compares texts.
//!
//! Border: text in, pieces of text out. Made for English, harmless for other languages; everything is
//! linear in the text, whatever its bytes.

mod fold;
mod gate;
mod number;
mod porter;
mod sentence;
mod stop;
mod token;

pub use fold::{fold, fold_into};
pub use gate::Gate;
pub use number::small_number;
pub use porter::stem;
pub use sentence::{ends_sentence, sentences};
pub use stop::{Stop, goes_on, stop};
pub use token::{Shape, Token, is_wide, tokens};

/// Words that tell texts apart from nothing.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anybody",
    "anyone",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "ever",
    "for",
    "from",
    "had",
    "has",
    "have",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "many",
    "me",
    "more",
    "most",
    "much",
    "my",
    "not",
    "of",
    "on",
    "one",
    "or",
    "our",
    "please",
    "really",
    "s",
    "should",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "still",
    "t",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// Whether a word is left out of comparisons.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    const GATE: Gate = Gate::of(STOP_WORDS);
    GATE.may_have(word) && STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
    }
}
