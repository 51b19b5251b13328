//! What a text asks about, as a set of stems: texts of equal sets ask the same.
//!
//! Border: text in, stems out. Shared by the policies that compare questions and queries.

use quarry_evidence::text::{Shape, Token, is_stop_word, stem, tokens};
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Function words of German, French and Spanish that are no words of English. Sorted.
const FUNCTION_WORDS: &[&str] = &[
    "avec", "combien", "como", "cual", "cuando", "cuanto", "dans", "das", "de", "del", "dem",
    "der", "des", "du", "ein", "eine", "einem", "einen", "einer", "el", "es", "est", "esta", "et",
    "fue", "ist", "ja", "la", "las", "le", "les", "los", "para", "por", "quand", "que", "quel",
    "quelle", "qui", "quien", "sind", "sont", "su", "um", "una", "und", "une", "von", "wann",
    "warum", "welche", "welcher", "wer", "werden", "wie", "wird", "wo", "wurde", "zu", "zum",
    "zur",
];
/// Words that turn a text into its contrary: they are no mere function words here.
const NEGATIONS: &[&str] = &["not"];
/// Signs that belong to a short name before them: `C++`, `C#`.
const NAME_SIGNS: [char; 2] = ['+', '#'];

/// The stems of a text without function words; of a text of nothing else all its words.
#[must_use]
pub fn content(text: &str) -> BTreeSet<String> {
    let words = words(text);
    // A text in capitals throughout says nothing by them.
    let shouts = words.iter().all(|word| word.shape != Shape::Lower);
    let told = words.iter().filter(|word| !word.is_function_word(shouts));
    let stems: BTreeSet<String> = told.map(|word| stem(&word.text).into_owned()).gather();
    if stems.is_empty() { words.into_iter().map(|word| word.text).gather() } else { stems }
}

/// How much two sets share: what is in both, of what is in either. Empty sets share nothing.
#[must_use]
pub fn jaccard(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let either = one.len() + other.len() - both;
    #[expect(clippy::cast_precision_loss, reason = "counts of words stay small")]
    let share = both as f64 / either.max(1) as f64;
    share
}

/// Which of several texts any of the others speaks of: by half of what sets it apart from the rest. What all
/// speak of tells none of them, unless it is all that there is: *who built it* and *when was it built*.
#[must_use]
pub fn told(texts: &[String], others: &[&str]) -> Vec<bool> {
    let stems: Vec<BTreeSet<String>> = texts.iter().map(|text| content(text)).collect();
    let first = stems.first().cloned().unwrap_or_default();
    let shared = stems.iter().skip(1).fold(first, |all, stems| &all & stems);
    let others: Vec<BTreeSet<String>> = others.iter().map(|other| content(other)).collect();
    let is_told = |stems: &BTreeSet<String>| {
        let own = stems - &shared;
        let own = if own.is_empty() { stems.clone() } else { own };
        let named = |other: &BTreeSet<String>| own.intersection(other).count();
        !own.is_empty() && others.iter().any(|other| named(other) * 2 >= own.len())
    };
    stems.iter().map(is_told).collect()
}

/// A word, or what scripts without blanks write in one go.
struct Word {
    text: String,
    shape: Shape,
}

impl Word {
    fn is_function_word(&self, shouts: bool) -> bool {
        // `WHO`, `US` and `IT` are names.
        let is_acronym = self.shape == Shape::Upper && !shouts;
        let word = self.text.as_str();
        !is_acronym
            && !NEGATIONS.contains(&word)
            && (is_stop_word(word) || FUNCTION_WORDS.binary_search(&word).is_ok())
    }
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut before: Option<Token> = None;
    for token in tokens(text) {
        let joins = before
            .as_ref()
            .is_some_and(|before| before.touches(&token) && before.is_word() && token.is_word());
        match words.last_mut().filter(|_| joins) {
            Some(last) => last.text.push_str(&token.word),
            None => {
                let signs = text.get(token.end..).unwrap_or_default().chars().take(2);
                let signs = signs.take_while(|sign| NAME_SIGNS.contains(sign));
                let text = token.word.chars().chain(signs).collect();
                words.push(Word { text, shape: token.shape });
            }
        }
        before = Some(token);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        content(text).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn function_words_are_sorted_for_the_search() {
        assert!(FUNCTION_WORDS.is_sorted());
    }

    #[test]
    fn texts_that_ask_the_same_have_equal_stems() {
        for (one, other) in [
            ("How tall is the tower?", "tall towers"),
            ("What is the height of the Dom?", "height: DOM"),
            ("Wie hoch ist der Turm?", "hoch Turm"),
            ("quel est le prix du cuivre", "prix cuivre"),
            ("population of Ulm in 2,020", "Ulm 2020 populations"),
            ("THE DAM AT ULM", "the dam at Ulm"),
        ] {
            assert_eq!(shown(one), shown(other), "{one} | {other}");
        }
    }

    #[test]
    fn texts_that_ask_something_else_do_not() {
        for (one, other) in [
            ("WHO report on salt", "who reports on salt"),
            ("C++ memory model", "C memory model"),
            ("drugs approved for gout", "drugs not approved for gout"),
            ("日本 経済", "本日 経済"),
            ("price in €", "price in $"),
            ("what is it", "who was that"),
            ("the fur trade", "trade"),
            ("aux cable", "cable"),
        ] {
            assert_ne!(shown(one), shown(other), "{one} | {other}");
        }
        assert_eq!((shown(""), shown("?!")), (String::new(), String::new()));
    }

    #[test]
    fn a_text_is_told_by_what_sets_it_apart() {
        let texts = ["the length of the dam", "the cost of the dam", "the dam"].map(str::to_owned);
        assert_eq!(told(&texts, &["dam", "what the dam cost"]), [false, true, true]);
        assert_eq!(told(&[], &["dam"]), Vec::<bool>::new());
    }

    #[test]
    fn what_sets_share_is_told() {
        let share = |one: &str, other: &str| jaccard(&content(one), &content(other));
        assert!((share("a dam b c d e", "dam b c d f") - 2.0 / 3.0).abs() < 1e-9);
        assert!(share("", "").abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn a_text_with_a_word_has_stems(text in "(\\PC|the |C\\+\\+|[0-9]){0,40}") {
            prop_assert_eq!(content(&text).is_empty(), tokens(&text).is_empty());
        }
    }
}
