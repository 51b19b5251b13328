//! Where sentences end.
//!
//! Border: a paragraph in, ranges of bytes out. Made for English, harmless for other languages.

use super::stop::goes_on;
use std::ops::Range;

/// Whether a sentence ends with this character, in whatever script; a full stop, which may belong to a word, is none.
#[must_use]
pub const fn ends_sentence(character: char) -> bool {
    matches!(
        character,
        '!' | '?' | '。' | '！' | '？' | '।' | '॥' | '؟' | '۔' | '။' | '។' | '።' | '։'
    )
}

/// Where the sentences of a paragraph stand in it, without the blanks around them.
#[must_use]
pub fn sentences(paragraph: &str) -> Vec<Range<usize>> {
    // The first bytes of what may end a sentence.
    let may_end = |byte: &u8| {
        matches!(byte, b'.' | b'!' | b'?' | 0xD6 | 0xD8 | 0xDB | 0xE0 | 0xE1 | 0xE3 | 0xEF)
    };
    let next_end = |from: usize| {
        let rest = paragraph.as_bytes().get(from..)?;
        rest.iter().position(may_end).map(|at| from + at)
    };
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(at) = next_end(from) {
        let mut characters = paragraph.get(at..).unwrap_or_default().chars();
        let Some(character) = characters.next() else { break };
        let mut end = at + character.len_utf8();
        from = end;
        if character != '.' && !ends_sentence(character) {
            continue;
        }
        for closing in characters {
            if !matches!(closing, '"' | '”' | '’' | ')' | '.' | '!' | '?') {
                break;
            }
            end += closing.len_utf8();
        }
        from = end;
        let rest = paragraph.get(end..).unwrap_or_default();
        let next = rest.trim_start().chars().next();
        let ends_here = character.len_utf8() > 1
            || next.is_none()
            || (rest.starts_with(char::is_whitespace) && !next.is_some_and(char::is_lowercase));
        let before = || paragraph.get(start..at).unwrap_or_default();
        if ends_here && !(character == '.' && next.is_some() && goes_on(before(), word(rest))) {
            sentences.push(start..end);
            start = end;
        }
    }
    sentences.push(start..paragraph.len());
    let sentences = sentences.iter().map(|sentence| trimmed(paragraph, sentence));
    sentences.filter(|sentence| sentence.start < sentence.end).collect()
}

/// Marks and blanks before a word that are looked past.
const MOST_MARKS: usize = 8;

/// The first word of a text, whatever marks it stands between; empty where none is near.
fn word(text: &str) -> &str {
    let mut near = text.char_indices().take(MOST_MARKS);
    let start = near.find(|(_, c)| c.is_alphanumeric()).map_or(text.len(), |(at, _)| at);
    let text = text.get(start..).unwrap_or_default();
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
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
        assert_eq!(
            shown(
                "It was sold by Gov. Tom Reed on Jan. 5, 2020. In the U.S. The law of Sec. 4 holds. No. Tom left."
            ),
            [
                "It was sold by Gov. Tom Reed on Jan. 5, 2020.",
                "In the U.S.",
                "The law of Sec. 4 holds.",
                "No.",
                "Tom left.",
            ]
        );
        assert_eq!(
            shown(
                "Sie wurde am 3. März 1990 gebaut. Das war im 20. Jahrhundert. Er zahlte 5. Dann ging er."
            ),
            [
                "Sie wurde am 3. März 1990 gebaut.",
                "Das war im 20. Jahrhundert.",
                "Er zahlte 5.",
                "Dann ging er.",
            ]
        );
        assert_eq!(shown("一つ。二つ。"), ["一つ。", "二つ。"]);
        assert_eq!(shown("वह गया। वह आया।"), ["वह गया।", "वह आया।"]);
        assert_eq!(shown("أين هو؟ هنا."), ["أين هو؟", "هنا."]);
    }

    #[test]
    fn whatever_ends_a_sentence_is_looked_for() {
        for end in
            (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| ends_sentence(*c))
        {
            assert_eq!(shown(&format!("a{end} B")).len(), 2, "{end}");
        }
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
