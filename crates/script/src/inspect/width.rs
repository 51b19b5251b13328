//! How many columns a text takes in a terminal: East Asian and emoji take two, marks none.

use unicode_width::UnicodeWidthChar as _;

/// Columns that a text takes; a control character takes none.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}
