//! Where sentences end.
//!
//! Border: a paragraph in, ranges of bytes out. Made for English, harmless for other languages.

use std::ops::Range;

/// Abbreviations after which a full stop ends nothing.
const ABBREVIATIONS: &[&str] = &[
    "approx", "ca", "cf", "co", "corp", "dr", "e.g", "etc", "fig", "i.e", "inc", "jr", "ltd", "mr",
    "mrs", "ms", "no", "prof", "sr", "st", "u.s", "vol", "vs",
];

/// Where the sentences of a paragraph stand in it, without the blanks around them.
#[must_use]
pub fn sentences(paragraph: &str) -> Vec<Range<usize>> {
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
        if ends_here
            && !(character == '.' && is_abbreviation(paragraph.get(start..at).unwrap_or_default()))
        {
            sentences.push(start..end);
            start = end;
        }
    }
    sentences.push(start..paragraph.len());
    let sentences = sentences.iter().map(|sentence| trimmed(paragraph, sentence));
    sentences.filter(|sentence| sentence.start < sentence.end).collect()
}

/// Whether a full stop after this text belongs to its last word.
#[must_use]
pub fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default();
    // The longest is short: longer words are not looked at.
    if last.len() > 16 {
        return false;
    }
    let last = last.to_lowercase();
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
