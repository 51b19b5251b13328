//! Blocks and lines: prefixes of lists and quotations, blank lines between blocks, the limit.

use super::{Block, Rendered, Style};
use crate::html::tree::push_collapsed;
use crate::plain;

/// What stands before each line of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prefix {
    /// `> `
    Quote,
    /// A marker on the first line, as many spaces on the others.
    Item(String),
}

pub struct Writer {
    style: Style,
    limit: usize,
    out: String,
    line: String,
    prefixes: Vec<(Prefix, bool)>,
    /// Blocks written so far: whoever remembers the number sees whether one came between.
    blocks: usize,
    /// Where the blocks lie in the text.
    places: Vec<Block>,
    /// The level of the heading that is being written.
    heading: Option<usize>,
    /// Whether the last block stood in a list, to keep items of one list together.
    last_was_item: bool,
    full: bool,
}

impl Writer {
    pub fn new(style: Style, limit: usize) -> Self {
        let (out, line) = (String::new(), String::new());
        Self {
            style,
            limit,
            out,
            line,
            prefixes: Vec::new(),
            blocks: 0,
            places: Vec::new(),
            heading: None,
            last_was_item: false,
            full: false,
        }
    }

    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Bytes that may yet be written.
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.out.len())
    }

    pub fn blocks(&self) -> usize {
        self.blocks
    }

    pub fn line(&self) -> &str {
        &self.line
    }

    /// Text of the page; white space collapses.
    pub fn text(&mut self, text: &str) {
        if self.full {
            return;
        }
        if self.line.is_empty() {
            push_collapsed(&mut self.line, text.trim_start());
        } else {
            push_collapsed(&mut self.line, text);
        }
        self.full |= self.line.len() + self.out.len() > self.limit;
    }

    /// Text as it is.
    pub fn raw(&mut self, text: &str) {
        self.line.push_str(text);
    }

    /// Takes back what was written on the line from `from` on.
    pub fn take_from(&mut self, from: usize) -> String {
        if self.line.is_char_boundary(from) { self.line.split_off(from) } else { String::new() }
    }

    pub fn line_break(&mut self) {
        if !self.line.trim().is_empty() {
            self.line.truncate(self.line.trim_end().len());
            self.line.push('\n');
        }
    }

    pub fn push(&mut self, prefix: Prefix) {
        self.prefixes.push((prefix, false));
    }

    pub fn pop(&mut self) {
        self.prefixes.pop();
    }

    /// The next block stands apart, though it may be an item.
    pub fn loosen(&mut self) {
        if self.prefixes.is_empty() {
            self.last_was_item = false;
        }
    }

    /// Ends the block.
    pub fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        let text = match self.style {
            Style::Markdown => guard_start(text),
            Style::Plain => text.to_owned(),
        };
        self.emit(&text);
    }

    /// Ends a block that is a heading.
    pub fn flush_heading(&mut self, level: usize) {
        self.heading = Some(level);
        self.flush();
        self.heading = None;
    }

    pub fn rule(&mut self) {
        self.flush();
        if self.style == Style::Markdown && self.blocks > 0 {
            self.emit("---");
        }
    }

    pub fn code_block(&mut self, text: &str, language: &str) {
        if text.trim().is_empty() {
            return;
        }
        match self.style {
            Style::Plain => self.emit(text),
            Style::Markdown => {
                let mut fence = "```".to_owned();
                while text.contains(&fence) && fence.len() < 40 {
                    fence.push('`');
                }
                self.emit(&format!("{fence}{language}\n{text}\n{fence}"));
            }
        }
    }

    /// A block as it is.
    pub fn emit(&mut self, text: &str) {
        let item = self.prefixes.iter().any(|(prefix, _)| matches!(prefix, Prefix::Item(_)));
        if !self.out.is_empty() {
            let together = item && self.last_was_item;
            self.out.push_str(if together { "\n" } else { "\n\n" });
        }
        self.last_was_item = item;
        self.blocks += 1;
        let from = self.out.len();
        for (at, line) in text.lines().enumerate() {
            // Marks of nested boxes before each line may be longer than all lines.
            if self.out.len() > self.limit {
                break;
            }
            if at > 0 {
                self.out.push('\n');
            }
            let prefix = match self.style {
                Style::Markdown => self.prefix(),
                Style::Plain => self.bullet(),
            };
            self.out.push_str(if line.is_empty() { prefix.trim_end() } else { &prefix });
            self.out.push_str(line.trim_end());
        }
        self.places.push(Block { range: from..self.out.len(), heading: self.heading });
        self.full |= self.out.len() > self.limit;
    }

    /// The marker of the innermost item, on its first line.
    fn bullet(&mut self) -> String {
        match self.prefixes.last_mut() {
            Some((Prefix::Item(marker), used)) if !*used => {
                *used = true;
                marker.clone()
            }
            _ => String::new(),
        }
    }

    fn prefix(&mut self) -> String {
        let mut text = String::new();
        let innermost =
            self.prefixes.iter().rposition(|(prefix, _)| matches!(prefix, Prefix::Item(_)));
        for (at, (prefix, used)) in self.prefixes.iter_mut().enumerate() {
            match prefix {
                Prefix::Quote => text.push_str("> "),
                // An outer item whose first block is an inner list has only its indent.
                Prefix::Item(marker) if !*used && Some(at) == innermost => {
                    text.push_str(marker);
                    *used = true;
                }
                Prefix::Item(marker) => {
                    text.extend(std::iter::repeat_n(' ', marker.len()));
                    *used = true;
                }
            }
        }
        text
    }

    pub fn finish(mut self) -> Rendered {
        self.flush();
        let end = self.out.floor_char_boundary(self.limit);
        let truncated = self.full;
        self.out.truncate(end);
        self.places.retain(|block| block.range.end <= end);
        Rendered { text: self.out, truncated, blocks: self.places, title: None }
    }
}

/// A paragraph that happens to begin like a quotation or a bullet gets a backslash. One that begins like
/// a heading does not: our own headings come through here, too.
pub fn guard_start(text: &str) -> String {
    plain::guarded(text, &["> ", "- ", "+ ", "* "]).into_owned()
}
