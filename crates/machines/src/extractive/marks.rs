//! Lines of Markdown as readers see them.
//!
//! Border: a line in; what it shows out, as pieces cut from the line byte for byte. A line without
//! marks is one piece.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

/// A line without its marks: links show their words, pictures nothing.
#[derive(Debug)]
pub(super) struct Line<'a> {
    line: &'a str,
    /// What is seen of the line; in order, no two touching.
    kept: Vec<Range<usize>>,
    shown: Cow<'a, str>,
}

impl<'a> Line<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        if !line.bytes().any(|byte| matches!(byte, b'[' | b'*' | b'_' | b'`')) {
            let kept = iter::once(0..line.len()).collect();
            return Line { line, kept, shown: Cow::Borrowed(line) };
        }
        let mut kept = Kept { line, ranges: Vec::new() };
        // Beyond the last closing bracket no link ends, and none is looked for.
        let last_close = line.rfind(')').unwrap_or(0);
        let mut from = 0;
        while let Some(open) = kept.line.get(from..).and_then(|rest| rest.find('[')) {
            let open = from + open;
            match link(line, open, last_close) {
                Some(Link { words, end }) => {
                    let before = line.get(from..open).unwrap_or_default();
                    match before.strip_suffix('!') {
                        Some(before) => kept.unmarked(from..from + before.len()),
                        None => {
                            kept.unmarked(from..open);
                            kept.unmarked(words);
                        }
                    }
                    from = end;
                }
                None => {
                    kept.unmarked(from..open + 1);
                    from = open + 1;
                }
            }
        }
        kept.unmarked(from..line.len());
        let shown: String =
            kept.ranges.iter().filter_map(|range| line.get(range.clone())).collect();
        let shown = Cow::Owned(shown);
        Line { line, kept: kept.ranges, shown }
    }

    /// What a reader sees.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// The pieces of the line that show this part of what a reader sees.
    pub(super) fn cut(&self, part: &Range<usize>) -> Vec<&'a str> {
        let mut pieces = Vec::new();
        let mut before = 0;
        for range in &self.kept {
            let from = part.start.clamp(before, before + range.len()) - before;
            let to = part.end.clamp(before, before + range.len()) - before;
            before += range.len();
            let piece = self.line.get(range.start + from..range.start + to).unwrap_or_default();
            if !piece.is_empty() {
                pieces.push(piece);
            }
        }
        pieces
    }
}

struct Kept<'a> {
    line: &'a str,
    ranges: Vec<Range<usize>>,
}

impl Kept<'_> {
    /// Keeps a part of the line but for signs of emphasis and code.
    fn unmarked(&mut self, part: Range<usize>) {
        let Some(text) = self.line.get(part.clone()) else { return };
        let mut start = 0;
        let mut at = 0;
        while let Some(rest) = text.get(at..) {
            let Some(next) = rest.find(['*', '_', '`']) else { break };
            let mark = at + next;
            let rest = text.get(mark..).unwrap_or_default();
            let length = if rest.starts_with('`') {
                1
            } else if rest.starts_with("**") || rest.starts_with("__") {
                2
            } else {
                at = mark + 1;
                continue;
            };
            self.push(part.start + start..part.start + mark);
            at = mark + length;
            start = at;
        }
        self.push(part.start + start..part.end);
    }

    fn push(&mut self, range: Range<usize>) {
        match self.ranges.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.ranges.push(range),
        }
    }
}

struct Link {
    words: Range<usize>,
    end: usize,
}

/// `[words](target)`, its words without a bracket that opens.
fn link(line: &str, open: usize, last_close: usize) -> Option<Link> {
    let words = open + 1;
    let rest = line.get(words..)?;
    let reach = rest.find('[').unwrap_or(rest.len());
    let words = words..words + rest.get(..reach)?.find("](")?;
    let target = words.end + 2;
    if target > last_close {
        return None;
    }
    let end = target + line.get(target..)?.find(')')? + 1;
    Some(Link { words, end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn links_show_their_words_and_pictures_nothing() {
        for (line, shown) in [
            ("The [tower](https://a.example/t) has **196** steps.", "The tower has 196 steps."),
            ("![A tower](https://a.example/t.png) It is `tall`.", " It is tall."),
            ("a [b] c](d", "a [b] c](d"),
            ("[[a](b)](c)", "[a](c)"),
            ("2*3 and snake_case", "2*3 and snake_case"),
            ("__x__ [a](b) [c](d", "x a [c](d"),
        ] {
            assert_eq!(Line::new(line).shown(), shown, "{line}");
        }
    }

    #[test]
    fn cuts_are_pieces_of_the_line() {
        let line = Line::new("The [tower](https://a.example/t) has **196** steps.");
        assert_eq!(line.cut(&(0..9)), ["The ", "tower"]);
        assert_eq!(line.cut(&(10..24)), ["has ", "196", " steps."]);
        assert_eq!(Line::new("plain text").cut(&(2..7)), ["ain t"]);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_what_is_cut(text in "(\\PC|\\[|\\]\\(|\\)|\\*\\*|!\\[){0,40}") {
            let line = Line::new(&text);
            prop_assert_eq!(line.cut(&(0..line.shown().len())).concat(), line.shown());
            let mut from = 0;
            for piece in line.cut(&(0..line.shown().len())) {
                let at = text[from..].find(piece);
                prop_assert!(at.is_some(), "{piece:?} after {from} of {text:?}");
                from += at.unwrap() + piece.len();
            }
        }
    }
}
