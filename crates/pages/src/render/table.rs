//! Tables: those that hold data become rows; those that only lay out a page do not. A name that spans rows or
//! columns is said in each of them, so that a row can be read by itself.

use super::writer::guard_start;
use super::{Input, Renderer, Style};
use crate::html::tree::push_collapsed;
use crate::html::{Attr, Tag};

/// Bytes of text in a cell of data.
const MAX_CELL: usize = 600;
/// Bytes of a name, in a table's style; what is longer is said once, however many rows and columns it spans.
const MAX_NAME: usize = 100;
/// Columns into which cells span; beyond, each is said once.
const MAX_COLUMNS: usize = 40;

impl Renderer<'_> {
    pub(super) fn table(&mut self, at: u32) {
        self.flush();
        match self.data(at) {
            Some(text) => self.out.emit(&text),
            None => self.children(at),
        }
        self.flush();
    }

    /// A table of data as text, its caption above it; none for one that is layout.
    fn data(&mut self, at: u32) -> Option<String> {
        if !is_data(self.input, at) {
            return None;
        }
        let tree = self.input.tree;
        let mut grid = Grid::new(self.style);
        let mut caption = String::new();
        let (mut next, mut part_end) = (at + 1, tree.end(at));
        while next < tree.end(at) && grid.bytes <= self.out.room() && !self.out.is_full() {
            let tag = tree.tag(next);
            let mut inner = next + 1;
            if next >= part_end {
                grid.end_part();
                part_end = tree.end(at);
            }
            // A row that is left out is one of those that a cell spans.
            if tag == Some(Tag::Tr) {
                grid.end_row();
            } else if matches!(tag, Some(Tag::Thead | Tag::Tbody | Tag::Tfoot)) {
                grid.end_part();
                part_end = tree.end(next);
            }
            if self.input.skip.hides(tree, next) {
                inner = tree.end(next);
            } else if matches!(tag, Some(Tag::Td | Tag::Th)) {
                let text = self.in_one_line(next);
                let span = |attr: Attr| {
                    tree.attr(next, attr).and_then(|value| value.trim().parse().ok()).unwrap_or(1)
                };
                let (columns, rows) = (span(Attr::Colspan), span(Attr::Rowspan));
                grid.cell(Cell { text, columns, rows, is_head: tag == Some(Tag::Th) });
                inner = tree.end(next);
            } else if tag == Some(Tag::Caption) {
                caption = self.in_one_line(next);
                inner = tree.end(next);
            }
            next = inner;
        }
        grid.end_row();
        grid.text(&caption)
    }
}

/// Cells of data are short and hold no blocks of their own.
fn is_data(input: &Input<'_>, at: u32) -> bool {
    let tree = input.tree;
    let (mut cells, mut blocks) = (0u32, 0u32);
    let (mut cell_until, mut text) = (at, String::new());
    let mut next = at + 1;
    while next < tree.end(at) {
        if input.skip.hides(tree, next) {
            next = tree.end(next);
            continue;
        }
        match tree.tag(next) {
            Some(Tag::Table | Tag::Pre | Tag::Blockquote | Tag::Form | Tag::H1 | Tag::H2) => {
                return false;
            }
            Some(Tag::Td | Tag::Th) => {
                cells += 1;
                cell_until = tree.end(next);
                text.clear();
            }
            Some(Tag::Ul | Tag::Ol | Tag::H3 | Tag::H4 | Tag::Dl) => blocks += 1,
            Some(_) => {}
            None if next < cell_until => push_collapsed(&mut text, tree.text(next)),
            None => {}
        }
        if text.len() > MAX_CELL {
            return false;
        }
        next += 1;
    }
    cells > 1 && blocks * 4 <= cells
}

/// Whether a text may be said in other rows and columns, too: it is short, and no mark of punctuation.
fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME && text.contains(char::is_alphanumeric)
}

/// A cell, and how many rows and columns it is said to span; no rows means all that follow.
struct Cell {
    text: String,
    columns: usize,
    rows: usize,
    is_head: bool,
}

/// The rows of a table as they are read.
struct Grid {
    style: Style,
    /// Each as text, and how many cells it has.
    rows: Vec<(String, usize)>,
    /// Bytes of that text.
    bytes: usize,
    /// The cells of the row that is being read.
    open: Vec<Cell>,
    /// By column: what spans from above, and how many rows yet.
    above: Vec<(String, usize)>,
    /// Whether a row has more than one cell of its own.
    is_wide: bool,
}

impl Grid {
    fn new(style: Style) -> Self {
        let (rows, open, above) = (Vec::new(), Vec::new(), Vec::new());
        Self { style, rows, bytes: 0, open, above, is_wide: false }
    }

    fn cell(&mut self, cell: Cell) {
        self.open.push(cell);
    }

    /// Nothing spans from one part of a table into the next.
    fn end_part(&mut self) {
        self.end_row();
        self.above.clear();
    }

    fn end_row(&mut self) {
        let open = std::mem::take(&mut self.open);
        let is_wide = open.len() > 1;
        // A row without a cell of its own says nothing.
        let cells = if open.is_empty() { Vec::new() } else { self.expanded(open) };
        for (_, rows) in &mut self.above {
            *rows = rows.saturating_sub(1);
        }
        if cells.iter().all(String::is_empty) {
            return;
        }
        let text = match self.style {
            Style::Plain => cells.join("\t").trim_end().to_owned(),
            Style::Markdown => {
                let cells: Vec<String> =
                    cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
                format!("| {} ", cells.join(" | "))
            }
        };
        self.is_wide |= is_wide;
        self.bytes += text.len();
        self.rows.push((text, cells.len()));
    }

    /// A row with what spans into it.
    fn expanded(&mut self, open: Vec<Cell>) -> Vec<String> {
        // What is alone in its row is the title of those below.
        let most = if open.len() == 1 { 1 } else { MAX_COLUMNS };
        let mut cells: Vec<String> = Vec::new();
        for Cell { text, columns, rows, is_head } in open {
            while let Some(above) = self.spanning(cells.len()) {
                cells.push(above.to_owned());
            }
            let rows = if rows == 0 { usize::MAX } else { rows };
            let name = if is_name(&text) { text.clone() } else { String::new() };
            let mut own = Some(text);
            for column in 0..columns.clamp(1, most) {
                let place = cells.len();
                // The head of several columns is that of each; anything else stands in the first.
                let said = if column == 0 || is_head { name.as_str() } else { "" };
                if place < MAX_COLUMNS && rows > 1 {
                    self.span(place, said, rows);
                }
                if column == 0 || place < MAX_COLUMNS {
                    cells.push(own.take().unwrap_or_else(|| said.to_owned()));
                }
            }
        }
        let last = self.above.iter().rposition(|(_, rows)| *rows > 0);
        for place in cells.len()..last.map_or(0, |last| last + 1) {
            cells.push(self.spanning(place).unwrap_or_default().to_owned());
        }
        cells
    }

    /// What spans from above into a column.
    fn spanning(&self, place: usize) -> Option<&str> {
        self.above.get(place).filter(|(_, rows)| *rows > 0).map(|(text, _)| text.as_str())
    }

    fn span(&mut self, place: usize, name: &str, rows: usize) {
        if self.above.len() <= place {
            self.above.resize_with(place + 1, Default::default);
        }
        if let Some(above) = self.above.get_mut(place) {
            *above = (name.to_owned(), rows);
        }
    }

    /// The table below its caption; none where that is no table.
    fn text(self, caption: &str) -> Option<String> {
        if self.rows.len() < 2 || !self.is_wide {
            return None;
        }
        let widest = self.rows.iter().map(|(_, cells)| *cells).max().unwrap_or_default();
        let mut out = match (caption, self.style) {
            ("", _) => String::new(),
            (_, Style::Plain) => format!("{caption}\n"),
            (_, Style::Markdown) => format!("{}\n\n", guard_start(caption)),
        };
        for (at, (text, cells)) in self.rows.iter().enumerate() {
            out.push_str(text);
            if self.style == Style::Markdown {
                // Only the first row must have all columns.
                let missing = if at == 0 { widest - cells } else { 0 };
                out.push_str(&"|  ".repeat(missing));
                out.push('|');
                if at == 0 {
                    out.push('\n');
                    out.push_str(&"| --- ".repeat(widest));
                    out.push('|');
                }
            }
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        Some(out)
    }
}
