//! The lead of an article that stands apart from it, told by what the page says of itself: its description.

use super::agree;
use super::hidden;
use super::lines::{self, Kind, Line};
use super::skip::Skip;
use super::sums::Sums;
use crate::html::Tree;
use std::collections::HashSet;

/// Per cent of a line that the description must know.
const KNOWN: usize = 70;
/// Per cent of a line that the text must know to say it itself.
const SAID: usize = 50;

/// The blocks above the text below `root` that say what the description says and the text does not. They are left out
/// no longer.
pub fn lead(
    tree: &Tree,
    sums: &Sums,
    (description, title): (Option<&str>, Option<u32>),
    root: u32,
    skip: &mut Skip,
) -> Vec<u32> {
    let known: HashSet<u64> = description.into_iter().flat_map(agree::rows).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let holds = |block: u32, at: u32| tree.subtree(block).contains(&at);
    let may_be = |line: &Line| {
        let stands_apart =
            tree.end(line.block) <= root && !title.is_some_and(|title| holds(line.block, title));
        line.kind == Kind::Plain && line.is_long() && line.links == 0 && stands_apart
    };
    let above = lines::of(tree, 0..root, &hidden::mark(tree, sums)).into_iter().filter(may_be);
    let rows = |line: Line| (agree::rows(&agree::text(tree, &line)), line);
    let found: Vec<(Vec<u64>, Line)> =
        above.map(rows).filter(|(rows, _)| share(rows, &known) >= KNOWN).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let text = lines::of(tree, tree.subtree(root), skip);
    let mut said: HashSet<u64> =
        text.iter().flat_map(|line| agree::rows(&agree::text(tree, line))).collect();
    let mut blocks: Vec<u32> = Vec::new();
    for (rows, line) in found {
        let block = line.block;
        let is_taken = blocks.iter().any(|at| holds(*at, block) || holds(block, *at));
        if !is_taken && share(&rows, &said) < SAID {
            said.extend(rows);
            line.clear(tree, skip);
            blocks.push(block);
        }
    }
    blocks
}

/// Per cent of the rows that are known.
fn share(rows: &[u64], known: &HashSet<u64>) -> usize {
    rows.iter().filter(|row| known.contains(row)).count() * 100 / rows.len().max(1)
}
