//! A report as Markdown, in pieces. Texts of pages and models are escaped, so they never become markup.

use super::block::{Block, Inline, Item};

/// Where a citation is shown: which, and from where to where in code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The citation, as [`Inline::Cite`] has it.
    pub mark: usize,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Writes a section piece by piece.
#[derive(Debug, Default)]
pub struct Writer {
    /// A heading, a paragraph, an item, a table each.
    pub pieces: Vec<String>,
    /// The citations in them.
    pub shown: Vec<Shown>,
    /// Code points of the pieces before.
    written: usize,
}

impl Writer {
    /// Writes a block.
    pub fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(content) => self.line("", content, "\n\n"),
            Block::Heading(text) => {
                let text = escaped(text, false);
                self.give(format!("### {text}\n\n"));
            }
            Block::List(items) => self.list(items, |_| "- ".to_owned()),
            Block::Sources(items) => self.list(items, |n| format!("{n}. ")),
            Block::Table(head, rows) => self.table(head, rows),
        }
    }

    fn list(&mut self, items: &[Item], mark: impl Fn(usize) -> String) {
        for (n, item) in (1..).zip(items) {
            let mark = mark(n);
            let ends = |is_last: bool| if is_last && n == items.len() { "\n\n" } else { "\n" };
            self.line(&mark, &item.content, ends(item.below.is_empty()));
            let below = format!("{}- ", " ".repeat(mark.len()));
            for (at, content) in (1..).zip(&item.below) {
                self.line(&below, content, ends(at == item.below.len()));
            }
        }
    }

    fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell, false)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", " --- |".repeat(head.len()));
        let body: String = rows.iter().map(|cells| row(cells)).collect();
        self.give(format!("{}{rule}{body}\n", row(head)));
    }

    fn line(&mut self, before: &str, content: &[Inline], after: &str) {
        let mut out = before.to_owned();
        let mut length = before.chars().count();
        for (at, inline) in content.iter().enumerate() {
            let piece = inline_text(inline, at == 0);
            let start = self.written + length;
            length += piece.chars().count();
            if let Inline::Cite { mark: Some(mark), .. } = inline {
                self.shown.push(Shown { mark: *mark, start, end: self.written + length });
            }
            out.push_str(&piece);
        }
        out.push_str(after);
        self.give(out);
    }

    fn give(&mut self, piece: String) {
        self.written += piece.chars().count();
        self.pieces.push(piece);
    }
}

fn inline_text(inline: &Inline, is_first: bool) -> String {
    let marked = |text: &str, mark: &str| {
        let text = escaped(text.trim(), false);
        if text.is_empty() { text } else { format!("{mark}{text}{mark}") }
    };
    match inline {
        Inline::Text(text) => escaped(text, is_first),
        Inline::Strong(text) => marked(text, "**"),
        Inline::Quiet(text) => marked(text, "*"),
        Inline::Quote(text) => format!("“{}”", escaped(text, false)),
        Inline::Link { words, address: Some(address) } => {
            format!("[{}]({address})", escaped(words, false))
        }
        Inline::Link { words, address: None } => escaped(words, is_first),
        Inline::Cite { n, address: Some(address), .. } => format!("[{n}]({address})"),
        Inline::Cite { n, address: None, .. } => format!("\\[{n}\\]"),
    }
}

/// A text as Markdown shows it. At the beginning of a line it also begins no list and no heading.
pub fn escaped(text: &str, begins_line: bool) -> String {
    let text = if begins_line { text.trim_start() } else { text };
    let mut out = String::with_capacity(text.len() + 8);
    let mut is_number = begins_line;
    let mut previous = '\0';
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_within = |c: char| c.is_alphanumeric();
        let is_marked = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '|' | '~' => true,
            '_' => !(is_within(previous) && next.is_some_and(is_within)),
            // What would become a link by itself.
            ':' => next == Some('/'),
            '#' | '+' | '-' | '=' => begins_line && at == 0,
            '.' | ')' => (begins_line && is_number && at > 0) || (c == '.' && ends_with_www(&out)),
            _ => false,
        };
        is_number &= c.is_ascii_digit();
        if is_marked {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
        previous = c;
    }
    out
}

/// Whether what was written ends as addresses without a scheme begin.
fn ends_with_www(written: &str) -> bool {
    let end = written.len().checked_sub(3).and_then(|from| written.get(from..));
    end.is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        for (text, expected) in [
            ("1. one", "1\\. one"),
            ("- a", "\\- a"),
            ("# a", "\\# a"),
            ("C# and snake_case", "C# and snake_case"),
            ("[1](javascript:x) *b*", "\\[1\\](javascript:x) \\*b\\*"),
            ("<b>&lt;", "\\<b\\>\\&lt;"),
            ("https://x www.x", "https\\://x www\\.x"),
            ("1999", "1999"),
        ] {
            assert_eq!(escaped(text, true), expected);
        }
    }

    #[test]
    fn places_of_citations_count_what_is_written_around_them() {
        let mut writer = Writer::default();
        let cite =
            Inline::Cite { n: 1, address: Some("https://a.example/".to_owned()), mark: Some(4) };
        writer.block(&Block::says("é*"));
        let content = vec![Inline::text("é "), cite];
        writer.block(&Block::List(vec![Item { content, below: Vec::new() }]));
        let text: Vec<char> = writer.pieces.concat().chars().collect();
        let [shown] = writer.shown.as_slice() else { panic!() };
        let marker: String = text[shown.start..shown.end].iter().collect();
        assert_eq!((shown.mark, marker.as_str()), (4, "[1](https://a.example/)"));
    }
}
