//! What a reader sees of the words of an answer: without the signs of Markdown and of markup.
//!
//! Border: a text in, a text or a yes or no out.

use super::scan::is_harmless;
use std::borrow::Cow;

/// Bytes of an element of markup without attributes.
const MOST_ELEMENT: usize = 16;

/// A sentence without the signs that begin its line.
pub fn begun(text: &str) -> &str {
    text.trim().trim_start_matches(['#', '>', '-', '*', '+', '|', ' '])
}

/// The element of markup that is all but closed at the end of a text: where it begins, and whether it parts lines.
pub fn element(text: &str) -> Option<(usize, bool)> {
    let near = text.floor_char_boundary(text.len().saturating_sub(MOST_ELEMENT));
    let start = near + text.get(near..)?.rfind('<')?;
    let name = text.get(start + 1..)?;
    let parts = name.trim_matches(['/', ' ']);
    let is_break = parts.eq_ignore_ascii_case("br") || parts.eq_ignore_ascii_case("hr");
    is_harmless(name).then_some((start, is_break))
}

/// A text without elements of markup, which no reader sees.
fn untagged(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match element(&out).filter(|_| c == '>') {
            Some((start, is_break)) => {
                out.truncate(start);
                if is_break {
                    out.push(' ');
                }
            }
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A sentence without the signs of Markdown.
pub fn shown(text: &str) -> String {
    let text = untagged(text);
    let text = begun(&text);
    let cells: String = text.chars().map(|c| if c == '|' { ',' } else { c }).collect();
    cells.replace(['*', '`'], "").replace("__", "")
}

/// Whether a sentence begins with what stands for something that was named before.
pub fn begins_with_pronoun(shown: &str) -> bool {
    let mut words = shown.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut word = || words.next().unwrap_or_default().to_lowercase();
    let (first, _, third) = (word(), word(), word());
    let is_pronoun = matches!(
        first.as_str(),
        "it" | "he" | "she" | "they" | "this" | "these" | "its" | "his" | "her" | "their"
    );
    // "It was in 1823 that …" stands for nothing.
    let is_empty = first == "it"
        && matches!(
            third.as_str(),
            "in" | "on" | "at" | "not" | "only" | "during" | "until" | "there"
        );
    is_pronoun && !is_empty
}

/// Whether a sentence begins as a question does.
pub fn begins_question(shown: &str) -> bool {
    let first = shown.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    matches!(
        first.unwrap_or_default().to_lowercase().as_str(),
        "am" | "are"
            | "can"
            | "could"
            | "did"
            | "do"
            | "does"
            | "had"
            | "has"
            | "have"
            | "how"
            | "is"
            | "may"
            | "might"
            | "must"
            | "shall"
            | "should"
            | "was"
            | "were"
            | "what"
            | "when"
            | "where"
            | "which"
            | "who"
            | "whose"
            | "why"
            | "will"
            | "would"
    )
}
