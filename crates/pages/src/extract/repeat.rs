//! Text that a page says twice: once for wide screens and once for narrow ones, or in a summary
//! that a click unfolds.

use super::skip::Skip;
use crate::html::{Tag, Tree};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Shorter text may well be meant twice.
const LONG: usize = 80;
/// Longer text is hardly what several entries of a list have in common.
const LONGER: usize = 150;

/// Marks each block inside `root` that was there before, whatever its length: a page about one thing
/// shows its name and price in many places.
pub fn mark_all(tree: &Tree, root: u32, skip: &mut Skip) {
    let mut seen = HashSet::new();
    for block in blocks(tree, root, 1, skip) {
        if !seen.insert(block.hash) {
            skip.mark(block.at);
        }
    }
}

/// Marks long blocks inside `root` that were there before, the less long ones where at least two come
/// again in a row: one alone may be what several entries of a list have in common.
pub fn mark(tree: &Tree, root: u32, skip: &mut Skip) {
    let blocks = blocks(tree, root, LONG, skip);
    let mut first: HashMap<u64, usize> = HashMap::new();
    let before: Vec<Option<usize>> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            let earlier = first.get(&block.hash).copied();
            first.entry(block.hash).or_insert(index);
            earlier
        })
        .collect();
    let follows = |index: usize| {
        let pair = (before.get(index).copied().flatten(), before.get(index + 1).copied().flatten());
        matches!(pair, (Some(one), Some(next)) if next == one + 1)
    };
    for (index, block) in blocks.iter().enumerate() {
        let again = before.get(index).is_some_and(Option::is_some) && block.length >= LONGER;
        if again || follows(index) || (index > 0 && follows(index - 1)) {
            skip.mark(block.at);
        }
    }
}

/// A block that holds no other.
struct Block {
    at: u32,
    hash: u64,
    /// Bytes of its text.
    length: usize,
}

/// The blocks of `least` bytes or more.
fn blocks(tree: &Tree, root: u32, least: usize, skip: &Skip) -> Vec<Block> {
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
                blocks.push(Block { at, hash: hash(&text), length: text.len() });
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
