//! A report in Markdown, as a terminal shows it: links shortened, marks in colours.
//!
//! Border: pieces of what a run writes as its report in, text out. It knows the marks that reports have and no
//! others; what it does not know is shown as it stands.

use crate::lines::{Span, lines, painted};
use crate::show::Style;

/// Shows one report, piece by piece.
#[derive(Default)]
pub struct ReportText {
    /// A line that is not whole yet.
    open: String,
    /// Rows of it that were shown.
    rows: usize,
    /// Whether an empty line stands last.
    is_apart: bool,
}

impl ReportText {
    /// A piece, which may end anywhere. Of a line that is not whole yet, the rows are shown that are full.
    pub fn show(&mut self, piece: &str, room: usize, style: Style) -> String {
        self.open.push_str(piece);
        let end = self.open.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.open.split_off(end);
        let whole = std::mem::replace(&mut self.open, rest);
        let mut out: String = whole.lines().map(|line| self.line(line, room, style)).collect();
        out.push_str(&self.full_rows(room, style));
        out
    }

    /// A sentence was told whole, so that no mark in it is open; where a line may still become something else, it
    /// waits.
    fn full_rows(&mut self, room: usize, style: Style) -> String {
        if self.open.starts_with(['#', '|']) || !self.open.ends_with(['.', '!', '?', ')', '”']) {
            return String::new();
        }
        let shown = shown(&self.open, room, style);
        let end = shown.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
        let full = shown.get(..end).unwrap_or_default();
        let rows = full.lines().skip(self.rows).map(|row| format!("{row}\n")).collect();
        self.rows = self.rows.max(full.lines().count());
        rows
    }

    /// Whether an empty line stands last.
    pub const fn is_apart(&self) -> bool {
        self.is_apart
    }

    /// What waits still.
    pub fn end(&mut self, room: usize, style: Style) -> String {
        let line = std::mem::take(&mut self.open);
        if line.is_empty() { String::new() } else { self.line(&line, room, style) }
    }

    fn line(&mut self, line: &str, room: usize, style: Style) -> String {
        if line.trim().is_empty() {
            let shown = if self.is_apart { "" } else { "\n" };
            self.is_apart = true;
            return shown.to_owned();
        }
        self.is_apart = false;
        let rows = std::mem::take(&mut self.rows);
        shown(line, room, style).lines().skip(rows).map(|row| format!("{row}\n")).collect()
    }
}

/// A line with something in it, in rows of so many columns.
fn shown(line: &str, room: usize, style: Style) -> String {
    let marks = line.chars().take_while(|c| *c == '#').count();
    if marks > 0 {
        let title = line.get(marks..).unwrap_or_default().trim();
        let bold: String = spans(title).into_iter().map(|span| span.text).collect();
        return block("", &[painted("1", bold)], room, style);
    }
    let start = item(line);
    let (mark, content) = line.split_at(start);
    // A row of a table is one line however long it is.
    let room = if line.starts_with('|') { usize::MAX } else { room };
    block(mark, &spans(content), room, style)
}

/// A mark, and lines that stand behind it.
fn block(mark: &str, spans: &[Span], room: usize, style: Style) -> String {
    let columns = mark.chars().count();
    let behind = lines(spans, room.saturating_sub(columns).max(20), style);
    let indent = " ".repeat(columns);
    let numbered = behind.iter().enumerate();
    numbered.map(|(at, line)| format!("{}{line}\n", if at == 0 { mark } else { &indent })).collect()
}

/// Where the content of an item begins; 0: it is none.
fn item(line: &str) -> usize {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    match (digits, bare.get(digits..).unwrap_or_default()) {
        (0, rest) if rest.starts_with("- ") => indent + 2,
        (1.., rest) if rest.starts_with(". ") => indent + digits + 2,
        _ => 0,
    }
}

/// The colours of what is strong, quiet, a link.
const STRONG: &str = "1";
const QUIET: &str = "2";
const LINK: &str = "36";

/// A line's content with its marks read.
fn spans(content: &str) -> Vec<Span> {
    let mut reader = Reader { spans: Vec::new(), text: String::new(), code: "" };
    let mut rest = content;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\\' => {
                let escaped = after.chars().next().unwrap_or(c);
                reader.text.push(escaped);
                after.get(escaped.len_utf8()..).unwrap_or_default()
            }
            '*' if after.starts_with('*') => {
                reader.turn(STRONG);
                after.get(1..).unwrap_or_default()
            }
            '*' => {
                reader.turn(QUIET);
                after
            }
            '[' => match link(after) {
                Some((words, address, behind)) => {
                    reader.link(words, address);
                    behind
                }
                None => {
                    reader.text.push(c);
                    after
                }
            },
            _ => {
                reader.text.push(c);
                after
            }
        };
    }
    reader.close();
    reader.spans
}

struct Reader {
    spans: Vec<Span>,
    text: String,
    code: &'static str,
}

impl Reader {
    fn close(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.spans.push(Span { code: self.code, text });
        }
    }

    fn turn(&mut self, code: &'static str) {
        self.close();
        self.code = if self.code == code { "" } else { code };
    }

    /// A citation is its number: section 4 has the address. Any other link is its words and the address.
    fn link(&mut self, words: &str, address: &str) {
        self.close();
        let is_number = !words.is_empty() && words.bytes().all(|byte| byte.is_ascii_digit());
        if is_number {
            return self.spans.push(painted(LINK, format!("[{words}]")));
        }
        self.spans.extend(spans_of_words(words));
        self.spans.push(painted(LINK, format!(" {address}")));
    }
}

/// The words of a link have no marks, only escapes.
fn spans_of_words(words: &str) -> Option<Span> {
    let mut text = String::with_capacity(words.len());
    let mut characters = words.chars();
    while let Some(c) = characters.next() {
        let shown = if c == '\\' { characters.next().unwrap_or(c) } else { c };
        text.push(shown);
    }
    (!text.is_empty()).then_some(Span { code: "", text })
}

/// The words and the address of a link whose bracket is open, and what stands behind it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let mut is_escaped = false;
    let end = text.char_indices().find_map(|(at, c)| {
        let ends = !is_escaped && matches!(c, ']' | '[');
        is_escaped = !is_escaped && c == '\\';
        ends.then_some(at)
    })?;
    let (words, rest) = text.split_at(end);
    let (address, behind) = rest.strip_prefix("](")?.split_once(')')?;
    Some((words, address, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "# What did it \\*cost\\*?\n\n## 1. Executive answer\n\n**It cost 186 million** [1](https://x/a#p-1). It has 2\\. [2](https://x/%28b%29)\n\n\n- An item that is long enough to be broken [1](https://x/a)\n  - below *(unverified)*\n\n| Part | Value |\n| --- | --- |\n| verified | 0.75 |\n\n1. [Lights \\[of\\] Sker](https://x/a) — tier 1\n";

    fn shown(room: usize, style: Style) -> String {
        let mut text = ReportText::default();
        text.show(REPORT, room, style)
    }

    #[test]
    fn citations_are_numbers_and_sources_have_their_addresses() {
        assert_eq!(
            shown(usize::MAX, Style::Plain),
            "What did it *cost*?

1. Executive answer

It cost 186 million [1]. It has 2. [2]

- An item that is long enough to be broken [1]
  - below (unverified)

| Part | Value |
| --- | --- |
| verified | 0.75 |

1. Lights [of] Sker https://x/a — tier 1
"
        );
    }

    #[test]
    fn on_a_narrow_terminal_lines_are_broken_beneath_their_marks() {
        let shown = shown(24, Style::Plain);
        assert!(shown.contains("It cost 186 million [1].\nIt has 2. [2]\n"), "{shown}");
        assert!(
            shown.contains("- An item that is long\n  enough to be broken\n  [1]\n"),
            "{shown}"
        );
        assert!(shown.contains("| verified | 0.75 |\n"), "{shown}");
    }

    #[test]
    fn marks_become_colours() {
        let shown = shown(usize::MAX, Style::Terminal);
        assert!(shown.contains("\x1b[1mIt cost 186 million\x1b[0m \x1b[36m[1]\x1b[0m."));
        assert!(shown.contains("below \x1b[2m(unverified)\x1b[0m\n"));
    }

    #[test]
    fn a_report_is_the_same_however_it_is_cut() {
        for size in [1, 2, 3, 7, 50] {
            let mut text = ReportText::default();
            let characters: Vec<char> = REPORT.chars().collect();
            let mut out = String::new();
            for piece in characters.chunks(size) {
                out.push_str(&text.show(&piece.iter().collect::<String>(), 40, Style::Terminal));
            }
            out.push_str(&text.end(40, Style::Terminal));
            assert_eq!(out, shown(40, Style::Terminal), "{size}");
        }
    }

    #[test]
    fn what_is_no_mark_is_shown_as_it_stands() {
        let mut text = ReportText::default();
        let odd = "a [b (c) [d](e \\";
        assert_eq!(text.show(odd, 80, Style::Plain), "");
        assert_eq!(text.end(80, Style::Plain), "a [b (c) [d](e \\\n");
    }

    #[test]
    fn a_line_is_shown_row_by_row_while_it_is_written() {
        let mut text = ReportText::default();
        let mut show = |piece: &str| text.show(piece, 24, Style::Plain);
        assert_eq!(show("## 1. Executive answer\n\nIt cost"), "1. Executive answer\n\n");
        assert_eq!(show(" 186 million [1](https://x/a)."), "", "the row may go on");
        assert_eq!(show(" A toll paid for it."), "It cost 186 million [1].\n");
        assert_eq!(show(" Nobody"), "", "it is no sentence yet");
        assert_eq!(show(" knows more.\n\n- It"), "A toll paid for it.\nNobody knows more.\n\n");
        assert_eq!(text.end(24, Style::Plain), "- It\n");
    }
}
