//! Text of a format that has no Markdown, as Markdown that says the same.
//!
//! Border: used where a paragraph is written as it stands. What would be a heading or a fence is neither: a listing of
//! `# apt update` named everything behind it, and three backticks swallowed it.

use std::borrow::Cow;

/// What a line begins with that Markdown takes for a heading or for a fence.
const MARKS: [&str; 3] = ["#", "```", "~~~"];

/// A paragraph of plain text.
pub fn paragraph(text: &str) -> String {
    text.split('\n').map(|line| guarded(line, &MARKS)).collect::<Vec<_>>().join("\n")
}

/// A line with a backslash before what it begins with, where that is one of these marks.
pub fn guarded<'l>(line: &'l str, marks: &[&str]) -> Cow<'l, str> {
    let rest = line.trim_start();
    if !marks.iter().any(|mark| rest.starts_with(mark)) {
        return Cow::Borrowed(line);
    }
    let (blank, rest) = line.split_at(line.len() - rest.len());
    format!("{blank}\\{rest}").into()
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
