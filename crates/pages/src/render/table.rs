//! Tables: those that hold data become rows; those that only lay out a page do not.

use super::Input;
use crate::html::{Tag, Tree};

const MAX_COLUMNS: usize = 40;
const MAX_CELL: usize = 600;

/// The rows of a data table, or `None` for one that is layout.
pub fn read(input: &Input<'_>, at: u32) -> Option<Vec<Vec<String>>> {
    let tree = input.tree;
    if !is_data(tree, at) {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut next = at + 1;
    while next < tree.end(at) {
        if input.skip.is(next) {
            next = tree.end(next);
            continue;
        }
        match tree.tag(next) {
            Some(Tag::Tr) => rows.push(Vec::new()),
            Some(Tag::Caption) => {
                next = tree.end(next);
                continue;
            }
            Some(Tag::Td | Tag::Th) => {
                if let Some(row) = rows.last_mut().filter(|row| row.len() < MAX_COLUMNS) {
                    row.push(tree.flat_text(next, MAX_CELL));
                }
                next = tree.end(next);
                continue;
            }
            _ => {}
        }
        next += 1;
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    (rows.len() >= 2 && rows.iter().any(|row| row.len() >= 2)).then_some(rows)
}

/// Cells of data are short and hold no blocks of their own.
fn is_data(tree: &Tree, at: u32) -> bool {
    let (mut cells, mut blocks) = (0u32, 0u32);
    for inner in at + 1..tree.end(at) {
        match tree.tag(inner) {
            Some(Tag::Table | Tag::Pre | Tag::Blockquote | Tag::Form | Tag::H1 | Tag::H2) => {
                return false;
            }
            Some(Tag::Td | Tag::Th) => {
                cells += 1;
                if tree.flat_text(inner, MAX_CELL + 1).len() > MAX_CELL {
                    return false;
                }
            }
            Some(Tag::Ul | Tag::Ol | Tag::H3 | Tag::H4 | Tag::Dl) => blocks += 1,
            _ => {}
        }
    }
    cells > 1 && blocks * 4 <= cells
}
