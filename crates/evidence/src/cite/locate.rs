//! Where words that somebody gives as a quotation stand in a text.
//!
//! Border: a text and a quotation in, a place of the text out, so that what is shown is cut from the text and
//! never the other's writing. Linear in both.

use crate::text::fold_into;
use std::ops::Range;

/// The longest place that a quotation may have whose middle is left out, in bytes.
const MOST: usize = 2_000;

/// A text as quotations are compared with it: letters folded, blanks and the signs of Markdown and of tables
/// as one blank.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    text: String,
    /// By byte of the folded text: where its character begins and ends in the text.
    places: Vec<(usize, usize)>,
}

impl Folded {
    /// Folds a text.
    #[must_use]
    pub fn new(text: &str) -> Folded {
        let mut folded = Folded::default();
        for (at, character) in text.char_indices() {
            let place = (at, at + character.len_utf8());
            if is_blank(character) {
                if !folded.text.is_empty() && !folded.text.ends_with(' ') {
                    folded.text.push(' ');
                }
            } else {
                fold_into(character, &mut folded.text);
            }
            folded.places.resize(folded.text.len(), place);
        }
        folded
    }

    /// Where a quotation stands in the text, in bytes. None: it does not stand there, or says nothing.
    #[must_use]
    pub fn find(&self, quotation: &Sought) -> Option<Range<usize>> {
        let mut place: Option<Range<usize>> = None;
        for part in &quotation.parts {
            let from = place.as_ref().map_or(0, |place| place.end);
            let found = self.next(part, from)?;
            place = Some(place.map_or(found.start, |place| place.start)..found.end);
        }
        let place = place?;
        let start = self.places.get(place.start)?.0;
        let end = self.places.get(place.end.checked_sub(1)?)?.1;
        (end - start <= MOST.max(quotation.length * 2)).then_some(start..end)
    }

    /// The next place of a part that cuts no word, in bytes of the folded text.
    fn next(&self, part: &str, from: usize) -> Option<Range<usize>> {
        let rest = self.text.get(from..)?;
        let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = self.text.as_bytes();
        let inner = part.as_bytes();
        let mut found = rest.match_indices(part).map(|(at, _)| from + at..from + at + part.len());
        found.find(|place| {
            let before = place.start.checked_sub(1).and_then(|at| bytes.get(at));
            let cuts_first = is_letter(before) && is_letter(inner.first());
            let cuts_last = is_letter(bytes.get(place.end)) && is_letter(inner.last());
            !cuts_first && !cuts_last
        })
    }
}

/// A quotation that is looked for, folded once. What is left out of it, shown by `...`, may be anything that
/// keeps the whole short.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    parts: Vec<String>,
    /// Bytes, folded.
    length: usize,
}

impl Sought {
    /// Folds a quotation.
    #[must_use]
    pub fn new(quotation: &str) -> Sought {
        let folded = Folded::new(quotation).text;
        let is_edge = |c: char| matches!(c, '.' | ',' | ';' | ' ' | '"' | '\'');
        let parts = folded.split("...").map(|part| part.trim_matches(is_edge));
        let parts = parts.filter(|part| part.contains(char::is_alphanumeric));
        Sought { parts: parts.map(str::to_owned).collect(), length: folded.len() }
    }

    /// Whether nothing is left out of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.parts.len() == 1
    }
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '|' | '*' | '_' | '`' | '#' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_stands_there_is_cut_from_there_however_it_was_written() {
        let text = "“The **tower**  of Sker”\nhas\t196 steps – it’s old. Čapek saw it, and smart people too.";
        let folded = Folded::new(text);
        let cut = |quotation: &str| folded.find(&Sought::new(quotation)).map(|place| &text[place]);
        assert_eq!(cut("the tower of sker"), Some("The **tower**  of Sker"));
        assert_eq!(cut("has 196 steps - it's old."), Some("has\t196 steps – it’s old"));
        assert_eq!(cut("…capek saw it…"), Some("Čapek saw it"));
        assert_eq!(cut("The tower ... 196 steps"), Some("The **tower**  of Sker”\nhas\t196 steps"));
        for nothing in
            ["196 step", "art people", "has 197 steps", "steps ... tower", "", " … ", "“”"]
        {
            assert_eq!(cut(nothing), None, "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn any_place_holds_the_words_that_were_sought(text in "\\PC{0,60}", quotation in "\\PC{0,12}") {
            if let Some(place) = Folded::new(&text).find(&Sought::new(&quotation)) {
                prop_assert!(text.get(place).is_some());
            }
        }

        #[test]
        fn whole_words_of_a_text_are_found_in_it(
            words in prop::collection::vec("[a-zA-Zéß0-9’–]{1,6}", 1..12), from in 0_usize..12, count in 1_usize..6,
        ) {
            let from = from.min(words.len() - 1);
            let part = words[from..(from + count).min(words.len())].join("\n ");
            let text = words.join("  ");
            let place = Folded::new(&text).find(&Sought::new(&part));
            if part.contains(char::is_alphanumeric) {
                prop_assert!(place.is_some(), "{} in {}", part, text);
            }
        }
    }
}
