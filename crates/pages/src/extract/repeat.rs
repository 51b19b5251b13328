//! Text that a page says twice: once for wide screens and once for narrow ones, or in a summary
//! that a click unfolds.

use super::skip::Skip;
use crate::html::{Tag, Tree};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Shorter text may well be meant twice.
const LONG: usize = 80;

/// Marks each block inside `root` that was there before, whatever its length: a page about one thing
/// shows its name and price in many places.
pub fn mark_all(tree: &Tree, root: u32, skip: &mut Skip) {
    let mut seen = HashSet::new();
    for (at, hash) in blocks(tree, root, 1, skip) {
        if !seen.insert(hash) {
            skip.mark(at);
        }
    }
}

/// Marks long blocks inside `root` that were there before, where at least two come again in a row:
/// one alone may be what several entries of a list have in common.
pub fn mark(tree: &Tree, root: u32, skip: &mut Skip) {
    let blocks = blocks(tree, root, LONG, skip);
    let mut first: HashMap<u64, usize> = HashMap::new();
    let before: Vec<Option<usize>> = blocks
        .iter()
        .enumerate()
        .map(|(index, (_, hash))| {
            let earlier = first.get(hash).copied();
            first.entry(*hash).or_insert(index);
            earlier
        })
        .collect();
    let follows = |index: usize| {
        let pair = (before.get(index).copied().flatten(), before.get(index + 1).copied().flatten());
        matches!(pair, (Some(one), Some(next)) if next == one + 1)
    };
    for (index, (at, _)) in blocks.iter().enumerate() {
        if follows(index) || (index > 0 && follows(index - 1)) {
            skip.mark(*at);
        }
    }
}

/// The blocks of `least` bytes or more that hold no other block, each with a hash of its text.
fn blocks(tree: &Tree, root: u32, least: usize, skip: &Skip) -> Vec<(u32, u64)> {
    let mut blocks = Vec::new();
    let mut at = root;
    while at < tree.end(root) {
        let Some(tag) = tree.tag(at) else {
            at += 1;
            continue;
        };
        let passed = skip.is(at)
            || tag.is_hidden()
            // People quote; lists, code and tables repeat themselves with reason.
            || matches!(tag, Tag::Blockquote | Tag::Pre | Tag::Table | Tag::Ul | Tag::Ol);
        if passed {
            at = tree.end(at);
        } else if tag.is_block() && is_leaf(tree, at) {
            let text = tree.flat_text(at, usize::MAX);
            if text.len() >= least {
                blocks.push((at, hash(&text)));
            }
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    blocks
}

fn is_leaf(tree: &Tree, at: u32) -> bool {
    (at + 1..tree.end(at)).all(|inner| !tree.tag(inner).is_some_and(|tag| tag.is_block()))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
