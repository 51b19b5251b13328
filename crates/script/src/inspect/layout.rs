//! Where lines break: one line when it fits, aligned columns for long lists, else a line each.
//!
//! Border: it sees finished texts and numbers, no values.

use unicode_width::UnicodeWidthChar as _;

use super::Options;

/// Levels of nesting that may share a line.
const SHARED: usize = 3;
/// Lists that are longer than this are laid out in columns.
const SHORT: usize = 6;
/// The most columns that a list gets.
const MOST: usize = 12;
/// After each entry but the last: a comma and a blank.
const SEPARATOR: usize = 2;

/// One structure whose parts are already texts.
pub(super) struct Group<'a> {
    /// What stands before the opening bracket, such as an error's text. May be empty.
    pub(super) base: &'a str,
    pub(super) open: &'a str,
    pub(super) close: &'a str,
    /// For a list: whether all its entries are numbers. `None` for what is not a list.
    pub(super) list: Option<bool>,
    /// Blanks before each further line.
    pub(super) indentation: usize,
    pub(super) options: Options,
    /// Levels of nesting below.
    pub(super) below: usize,
}

impl Group<'_> {
    /// Joins the parts.
    pub(super) fn join(&self, mut parts: Vec<String>) -> String {
        let before = parts.len();
        if let Some(numeric) = self.list
            && before > SHORT
        {
            parts = in_columns(parts, numeric, self.indentation, self.options);
        }
        let blank = if self.base.is_empty() { "" } else { " " };
        let Self { base, open, close, .. } = self;
        if self.below < SHARED && before == parts.len() && self.fits(&parts) {
            let line = parts.join(", ");
            if !line.contains('\n') {
                return format!("{base}{blank}{open} {line} {close}");
            }
        }
        let indentation = " ".repeat(self.indentation);
        let lines = parts.join(&format!(",\n{indentation}  "));
        format!("{base}{blank}{open}\n{indentation}  {lines}\n{indentation}{close}")
    }

    fn fits(&self, parts: &[String]) -> bool {
        // Ten columns stay free.
        let start = parts.len() + self.indentation + units(self.open) + units(self.base) + 10;
        let mut total = parts.len() + start;
        if total + parts.len() > self.options.line {
            return false;
        }
        for part in parts {
            total += units(part);
            if total > self.options.line {
                return false;
            }
        }
        !self.base.contains('\n')
    }
}

/// Length in the language's units.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// How many columns a text takes in a terminal: East Asian and emoji take two, marks and control
/// characters none.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Puts entries side by side when they are many and of like width.
fn in_columns(
    mut parts: Vec<String>,
    numeric: bool,
    indentation: usize,
    options: Options,
) -> Vec<String> {
    // The words about what is left out have a line of their own.
    let rest = if parts.len() > options.items { parts.pop() } else { None };
    let all = parts.len() + usize::from(rest.is_some());
    let widths: Vec<usize> = parts.iter().map(|part| columns(part)).collect();
    let total: usize = widths.iter().map(|width| width + SEPARATOR).sum();
    let widest = widths.iter().max().copied().unwrap_or(0);
    let room = options.line.saturating_sub(indentation);
    let count = column_count(total, widest, parts.len(), all, room);
    if count <= 1 {
        parts.extend(rest);
        return parts;
    }
    let mut column_widths = vec![0; count];
    for row in widths.chunks(count) {
        for (column, width) in column_widths.iter_mut().zip(row) {
            *column = (*column).max(width + SEPARATOR);
        }
    }
    let mut lines: Vec<String> = parts
        .chunks(count)
        .zip(widths.chunks(count))
        .map(|(row, widths)| line(row, widths, &column_widths, numeric))
        .collect();
    lines.extend(rest);
    lines
}

/// How many columns look good: about as high as wide. At most 1 when there should be none.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "texts are far shorter than 2^52 bytes, and the results are small and positive"
)]
fn column_count(total: usize, widest: usize, shown: usize, all: usize, room: usize) -> usize {
    let cell = widest + SEPARATOR;
    let alike = total as f64 / cell as f64 > 5.0 || widest <= 6;
    if cell * 3 >= room || !alike {
        return 1;
    }
    // A character is about two and a half times as high as wide.
    let bias = (cell as f64 - total as f64 / all as f64).max(0.0).sqrt();
    let biased = (cell as f64 - 3.0 - bias).max(1.0);
    let square = (2.5 * biased * shown as f64).sqrt() / biased;
    // Halves are rounded up.
    let square = (square + 0.5).floor() as usize;
    square.min(room / cell).min(MOST)
}

/// One line of entries: numbers to the right of their column, others to the left.
fn line(row: &[String], widths: &[usize], columns: &[usize], numeric: bool) -> String {
    let mut line = String::new();
    let last = row.len() - 1;
    for (index, ((part, width), column)) in row.iter().zip(widths).zip(columns).enumerate() {
        let blanks = " ".repeat(column.saturating_sub(width + SEPARATOR));
        if numeric {
            line.push_str(&blanks);
        }
        line.push_str(part);
        if index < last {
            line.push_str(", ");
            if !numeric {
                line.push_str(&blanks);
            }
        }
    }
    line
}
