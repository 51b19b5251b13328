//! Text of a format that has no Markdown, as Markdown that says the same.
//!
//! Border: used where a paragraph is written as it stands. What would be a heading or a fence is neither: a listing of
//! `# apt update` named everything behind it, and three backticks swallowed it.

use std::borrow::Cow;

/// What a line begins with that Markdown takes for a heading or for a fence.
const MARKS: [&str; 3] = ["#", "```", "~~~"];

/// A paragraph of plain text.
pub fn paragraph(text: &str) -> Cow<'_, str> {
    let is_marked = |line: &str| MARKS.iter().any(|mark| line.trim_start().starts_with(mark));
    if !text.lines().any(is_marked) {
        return Cow::Borrowed(text);
    }
    let escaped = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let (blank, rest) = line.split_at(indent);
        if is_marked(line) { format!("{blank}\\{rest}") } else { line.to_owned() }
    };
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_plain_paragraph_is_a_heading_or_a_fence() {
        for (text, expected) in [
            ("Sker has 196 steps # and a lamp.", "Sker has 196 steps # and a lamp."),
            ("# apt update", "\\# apt update"),
            ("first\n  ## second\nthird", "first\n  \\## second\nthird"),
            ("```\ncode", "\\```\ncode"),
            ("~~~", "\\~~~"),
            ("", ""),
        ] {
            assert_eq!(paragraph(text), expected);
        }
    }
}
