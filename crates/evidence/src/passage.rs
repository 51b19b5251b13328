//! Passages: the pieces of a page that a citation can point at.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Names a passage: unique in its page, and the same as long as its headings and its words are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Anchor(String);

impl Anchor {
    /// The anchor that a reader of pages gave.
    #[must_use]
    pub const fn new(anchor: String) -> Self {
        Anchor(anchor)
    }

    /// As it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A piece of a page. Source: the interface `quarry:web/pages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// What tells it from the others of its page.
    pub anchor: Anchor,
    /// The headings it stands under, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// Plain text.
    #[serde(serialize_with = "quarry_types::json::long::serialize")]
    pub text: String,
    /// What leads to it behind the address of its page: without `#`, or with the `?` of what the page's server
    /// finds; empty when nothing does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fragment: String,
}

impl Passage {
    /// A passage with the address that browsers scroll to. Of that only the fragment is kept: the
    /// rest is the address of the source.
    #[must_use]
    pub fn new(anchor: Anchor, headings: Vec<String>, text: String, url: &str) -> Self {
        let fragment = url.split_once('#').map(|(_, fragment)| fragment.to_owned());
        Passage { anchor, headings, text, fragment: fragment.unwrap_or_default() }
    }

    /// A piece of a document of one's own, whose server opens it at this place: `?from=7`.
    #[must_use]
    pub const fn of_own(
        anchor: Anchor,
        headings: Vec<String>,
        text: String,
        place: String,
    ) -> Self {
        Passage { anchor, headings, text, fragment: place }
    }

    /// Characters that a reader gets of it: its text and its headings.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.shown().map(|text| text.chars().count()).sum()
    }

    /// Bytes of all that is kept of it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let shown: usize = self.shown().map(str::len).sum();
        shown + self.anchor.0.len() + self.fragment.len()
    }

    /// Whether a reader gets the same of both.
    pub(crate) fn says_the_same_as(&self, other: &Passage) -> bool {
        self.text == other.text && self.headings == other.headings
    }

    fn shown(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().chain([&self.text]).map(String::as_str)
    }
}

/// Passages as one text: headings with the signs of Markdown, a blank line between blocks.
pub fn joined(passages: &[Passage]) -> String {
    let mut out = String::new();
    let mut above: &[String] = &[];
    for passage in passages {
        let same = above.iter().zip(&passage.headings).take_while(|(one, other)| one == other);
        let same = same.count();
        for (level, heading) in passage.headings.iter().enumerate().skip(same) {
            let sign = "#".repeat((level + 1).min(6));
            push_block(&mut out, &format!("{sign} {heading}"));
        }
        above = &passage.headings;
        push_block(&mut out, &passage.text);
    }
    out
}

fn push_block(out: &mut String, block: &str) {
    if !out.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(block);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(headings: &[&str], text: &str) -> Passage {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Passage::new(Anchor::new("p-1".to_owned()), headings, text.to_owned(), "")
    }

    #[test]
    fn only_the_fragment_of_an_address_is_kept() {
        let at = |url: &str| {
            Passage::new(Anchor::new("p-1".to_owned()), Vec::new(), String::new(), url).fragment
        };
        assert_eq!(at("https://a.example/x#:~:text=a,b"), ":~:text=a,b");
        assert_eq!(at("https://a.example/x"), "");
    }

    #[test]
    fn joined_passages_say_each_heading_once_above_what_stands_under_it() {
        let passages = [
            passage(&[], "before"),
            passage(&["Light"], "a"),
            passage(&["Light", "Visiting"], "b"),
            passage(&["Light", "Visiting"], "c"),
            passage(&["Light"], "d"),
            passage(&["Fog", "Visiting"], "e"),
        ];
        assert_eq!(
            joined(&passages),
            "before\n\n# Light\n\na\n\n## Visiting\n\nb\n\nc\n\nd\n\n# Fog\n\n## Visiting\n\ne"
        );
    }

    #[test]
    fn bytes_are_of_all_that_is_kept_and_characters_of_what_is_shown() {
        let passage = Passage::new(
            Anchor::new("p-1".to_owned()),
            vec!["é".to_owned()],
            "ab".to_owned(),
            "https://a.example/#xyz",
        );
        assert_eq!((passage.bytes(), passage.characters()), (3 + 2 + 2 + 3, 3));
    }
}
