//! Words, stems and sentences, as far as counting words needs them.
//!
//! Border: text in, pieces of text out. Made for English, harmless for other languages.

use std::ops::Range;

/// Words that tell texts apart from nothing.
const STOP_WORDS: &[&str] = &[
    "a", "about", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if",
    "in", "into", "is", "it", "its", "many", "me", "more", "most", "much", "my", "not", "of", "on",
    "one", "or", "our", "please", "s", "should", "so", "some", "t", "tell", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "was", "we", "were",
    "what", "when", "where", "which", "who", "whose", "why", "will", "with", "would", "you",
    "your",
];

/// Whether a word is left out of comparisons.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text, lower case. Numbers stay whole: `1,284`, `2.4`.
pub(super) fn words(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, character) in characters.iter().enumerate() {
        let is_digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
        let inside_number = matches!(character, ',' | '.')
            && is_digit(at.checked_sub(1).and_then(|before| characters.get(before)))
            && is_digit(characters.get(at + 1));
        if character.is_alphanumeric() || inside_number {
            word.extend(character.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The stem of a word: common English endings taken off, so that `lighthouses` meets `lighthouse`.
pub(super) fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| {
        word.strip_suffix(ending).filter(|rest| rest.chars().count() >= least)
    };
    if word.chars().any(|c| c.is_ascii_digit()) {
        return word.to_owned();
    }
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    let rest = cut("ing", 4)
        .or_else(|| cut("ed", 4))
        .or_else(|| cut("es", 4))
        .or_else(|| if word.ends_with("ss") { None } else { cut("s", 3) })
        .unwrap_or(word);
    rest.strip_suffix('e').filter(|rest| rest.chars().count() >= 3).unwrap_or(rest).to_owned()
}

/// The stems of a text's words that matter, in order, repeated ones included.
pub(super) fn stems(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect()
}

/// Abbreviations after which a full stop ends nothing.
const ABBREVIATIONS: &[&str] = &[
    "approx", "ca", "cf", "co", "corp", "dr", "e.g", "etc", "fig", "i.e", "inc", "jr", "ltd", "mr",
    "mrs", "ms", "no", "prof", "sr", "st", "u.s", "vol", "vs",
];

/// Where the sentences of a paragraph stand in it, without the blanks around them.
pub(super) fn sentences(paragraph: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut characters = paragraph.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if !matches!(character, '.' | '!' | '?' | '。' | '！' | '？') {
            continue;
        }
        let mut end = at + character.len_utf8();
        while let Some((at, closing)) =
            characters.next_if(|(_, c)| matches!(c, '"' | '”' | '’' | ')' | '.' | '!' | '?'))
        {
            end = at + closing.len_utf8();
        }
        let rest = paragraph.get(end..).unwrap_or_default();
        let next = rest.trim_start().chars().next();
        let ends_here = character.len_utf8() > 1
            || next.is_none()
            || (rest.starts_with(char::is_whitespace) && !next.is_some_and(char::is_lowercase));
        if ends_here && !(character == '.' && is_shortened(paragraph, start..at)) {
            sentences.push(start..end);
            start = end;
        }
    }
    sentences.push(start..paragraph.len());
    let sentences = sentences.iter().map(|sentence| trimmed(paragraph, sentence));
    sentences.filter(|sentence| sentence.start < sentence.end).collect()
}

/// Whether a full stop after this text belongs to its last word.
fn is_shortened(paragraph: &str, before: Range<usize>) -> bool {
    let before = paragraph.get(before).unwrap_or_default();
    let last = before.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    let is_initial = last.chars().count() == 1 && last.chars().all(char::is_alphabetic);
    is_initial || ABBREVIATIONS.contains(&last.as_str())
}

/// A part of a text without the blanks around it.
fn trimmed(text: &str, part: &Range<usize>) -> Range<usize> {
    let inner = text.get(part.clone()).unwrap_or_default();
    let start = part.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn words_and_stems() {
        assert_eq!(
            words("It's 1,284 metres, e.g. 2.4 bar."),
            ["it", "s", "1,284", "metres", "e", "g", "2.4", "bar"]
        );
        for (one, other) in [
            ("lighthouses", "lighthouse"),
            ("ferries", "ferry"),
            ("opened", "opening"),
            ("metres", "metre"),
            ("steps", "step"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_eq!(stem("glass"), "glass");
    }

    fn shown(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|sentence| &text[sentence]).collect()
    }

    #[test]
    fn sentences_end_where_they_end() {
        let text = "The tower is 2.4 m high, cf. the plan. Dr. Marsh said: \"It was loud.\" Was it? Yes. e.g. no";
        assert_eq!(
            shown(text),
            [
                "The tower is 2.4 m high, cf. the plan.",
                "Dr. Marsh said: \"It was loud.\"",
                "Was it?",
                "Yes. e.g. no",
            ]
        );
        assert_eq!(shown("一つ。二つ。"), ["一つ。", "二つ。"]);
    }

    proptest! {
        #[test]
        fn sentences_lose_nothing_but_blanks(text in "\\PC{0,80}") {
            let squeeze = |text: &str| text.split_whitespace().collect::<String>();
            let joined = shown(&text).concat();
            prop_assert_eq!(squeeze(&joined), squeeze(&text));
        }
    }
}
