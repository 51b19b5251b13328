//! The terms of a text, as an index and a question have them.
//!
//! Border: text in; folded stems without function words out. The same for both, or nothing would be found.

use quarry_evidence::text::{Shape, is_stop_word, stem, tokens};
use std::collections::BTreeMap;

/// Letters of a term; what is longer names nothing that anybody asks for. A letter has up to four bytes.
const LONGEST: usize = 40;

/// How much a word counts by where it stands.
pub const TITLE: u32 = 3;
/// In a heading above the chunk.
pub const HEADINGS: u32 = 2;
/// In the chunk itself.
pub const BODY: u32 = 1;

/// What French, Italian and Catalan write before a vowel without its own, and an apostrophe in its place. `t'` and `m'` are
/// left out: they begin names (`T'ang`) more often than anything that is asked for.
const ELIDED: &[&str] = &[
    "all", "c", "coll", "d", "dall", "dell", "j", "jusqu", "l", "lorsqu", "n", "nell", "puisqu",
    "qu", "quell", "quest", "quoiqu", "s", "sull", "un",
];

/// Gives the words of a text, folded, in their order. They are those of [`tokens`], which is asked for what is not plain
/// English only: no word and no number goes on over a blank, and most of what is written is letters and full stops. What is
/// [`ELIDED`] is no word: `l'assurance` and `d'assurance` are found by `assurance`.
pub fn each_word(text: &str, mut word: impl FnMut(&str)) {
    let mut folded = String::new();
    for piece in text.split_ascii_whitespace() {
        if !is_plain(piece.as_bytes()) {
            each_part(piece, |part| {
                let tokens = tokens(part).into_iter().filter(|token| token.shape != Shape::Sign);
                tokens.for_each(|token| word(&token.word));
            });
            continue;
        }
        let runs = piece.split(|sign: char| !sign.is_ascii_alphabetic());
        for run in runs.filter(|run| !run.is_empty()) {
            if run.bytes().all(|letter| letter.is_ascii_lowercase()) {
                word(run);
            } else {
                folded.clear();
                folded.push_str(run);
                folded.make_ascii_lowercase();
                word(&folded);
            }
        }
    }
}

/// Gives what stands around whatever is [`ELIDED`], in its order.
fn each_part<'t>(text: &'t str, mut part: impl FnMut(&'t str)) {
    let mut rest = text;
    let mut from = 0;
    for (at, sign) in text.match_indices(['\'', '’']) {
        let behind = text.get(at + sign.len()..).unwrap_or_default();
        let before = text.get(from..at).unwrap_or_default();
        let last = before.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default();
        let is_elided = ELIDED.iter().any(|elided| last.eq_ignore_ascii_case(elided));
        if is_elided && begins_with_vowel(behind) {
            part(before.strip_suffix(last).unwrap_or_default());
            (rest, from) = (behind, at + sign.len());
        }
    }
    part(rest);
}

/// Whether it begins with a vowel, or with the `h` that nobody hears.
fn begins_with_vowel(text: &str) -> bool {
    let first = text.chars().next().and_then(|first| first.to_lowercase().next());
    first.is_some_and(|first| "aeiouyhàâäæèéêëìíîïòóôöœùúûü".contains(first))
}

/// Whether each run of letters is a word, and nothing else is: no digits, no apostrophes, no initials.
fn is_plain(piece: &[u8]) -> bool {
    let is_known =
        piece.iter().all(|sign| sign.is_ascii() && !sign.is_ascii_digit() && *sign != b'\'');
    let mut pairs = piece.iter().zip(piece.iter().skip(1));
    is_known && !pairs.any(|(letter, stop)| letter.is_ascii_uppercase() && *stop == b'.')
}

/// The term that a word stands for; none where it names nothing.
#[must_use]
pub fn term(word: &str) -> Option<String> {
    if is_stop_word(word) {
        return None;
    }
    let term = stem(word);
    let is_word = term.len() <= LONGEST || term.chars().nth(LONGEST).is_none();
    is_word.then(|| term.into_owned())
}

/// The distinct terms of a question with how often each stands there, in the order of the alphabet: all of them, however
/// long it is, because who asks it has bounded it. None where it has function words alone.
#[must_use]
pub fn of_question(question: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    each_word(question, |word| {
        if let Some(term) = term(word) {
            *counts.entry(term).or_default() += 1;
        }
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words
    }

    fn of_tokens(text: &str) -> Vec<String> {
        let mut parts = Vec::new();
        each_part(text, |part| parts.push(part));
        let tokens =
            tokens(&parts.join(" ")).into_iter().filter(|token| token.shape != Shape::Sign);
        tokens.map(|token| token.word).collect()
    }

    #[test]
    fn words_of_all_kinds_are_those_that_tokens_are() {
        let text = "The U.S. fleet (A.B. and UN.) didn't pay Ann’s $1,200.50; e.g. A, \
            Émile\u{a0}5.\u{b}x y's%z -5 .5 well-known";
        assert_eq!(words(text), of_tokens(text));
    }

    #[test]
    fn a_word_is_one_term_however_its_dots_are_written() {
        for (as_one, as_two) in [
            ("\u{95b}\u{92e}\u{940}\u{928}", "\u{91c}\u{93c}\u{92e}\u{940}\u{928}"),
            ("\u{9ac}\u{9be}\u{9dc}\u{9bf}", "\u{9ac}\u{9be}\u{9a1}\u{9bc}\u{9bf}"),
        ] {
            let terms = of_question(as_one);
            assert_eq!(terms.len(), 1, "{terms:?}");
            assert_eq!(terms, of_question(as_two));
        }
    }

    #[test]
    fn a_word_is_found_behind_what_is_elided_before_it() {
        for (text, expected) in [
            ("L'hôtel, d’assurance (l'État)", "hotel assurance etat"),
            ("qu'une lorsqu'elle jusqu'à l'Île-d'Yeu", "une elle a ile yeu"),
            ("dell'acqua nell’università un'altra", "acqua universita altra"),
            // What is no article, or has none of its vowels behind it, is one word as it was.
            (
                "aujourd'hui O'Brien's Qur'an N'Djamena T'ang",
                "aujourdhui obrien quran ndjamena tang",
            ),
            ("can't rock'n'roll l' 'l'", "can not rocknroll l l"),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
        assert_eq!(of_question("l'hôtel"), of_question("Hôtel"));
    }

    #[test]
    fn a_word_is_as_long_in_every_script() {
        for word in ["საქართველოსთვის", "сельскохозяйственного", "πανεπιστημιουπόλεων"]
        {
            assert!(term(word).is_some(), "{word}");
        }
        assert_eq!(term(&"x".repeat(41)), None);
        assert_eq!(term(&"я".repeat(41)), None);
    }

    #[test]
    fn every_word_of_a_long_question_counts() {
        let letter = |at: u32| char::from(b'a' + u8::try_from(at % 26).unwrap());
        let word = |at: u32| format!("q{}{}{}", letter(at / 676), letter(at / 26), letter(at));
        let words: Vec<String> = (0..4_000).map(word).collect();
        let question = format!("{} beacon beacon", words.join(" "));
        let terms = of_question(&question);
        assert!(terms.len() > 3_000, "{}", terms.len());
        assert_eq!(terms["beacon"], 2, "the last word of all");
    }

    proptest! {
        #[test]
        fn words_are_those_that_tokens_are(
            text in "(\\PC|[ \n\t\u{b}\u{c}\u{a0}]|[0-9.,-]|'|n't|'s|U\\.S\\.|[A-Z][.]|[a-z]{1,3}|\u{301}|%){0,40}",
        ) {
            prop_assert_eq!(words(&text), of_tokens(&text));
        }
    }
}
