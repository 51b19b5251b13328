//! Parts of a page that it has twice, for wide screens and for narrow ones, or as slides that go round:
//! an element of several lines whose text is that of an earlier one.

use super::measure::Measure;
use super::skip::Skip;
use crate::html::{Tag, Tree};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Characters of a part that is told as a copy; shorter ones may well be meant twice.
const LONG: u64 = 60;
/// What a text before another weighs.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// What comes before a node: texts, the characters in them, and a hash of them in their order.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    texts: u32,
    characters: u64,
    hash: u64,
}

/// Marks the copies inside `root`.
pub fn mark(tree: &Tree, measure: &Measure, root: u32, skip: &mut Skip) {
    let before = sums(tree, root, skip);
    let get = |at: u32| before.get((at - root) as usize).copied().unwrap_or_default();
    let mut first: HashMap<(u64, u32), u32> = HashMap::new();
    let mut at = root + 1;
    while at < tree.end(root) {
        // Lists and tables repeat themselves with reason.
        let passed = matches!(
            tree.tag(at),
            Some(Tag::Ul | Tag::Ol | Tag::Dd | Tag::Li | Tag::Dl | Tag::Table | Tag::Pre)
        );
        if passed || skip.is(at) {
            at = tree.end(at);
            continue;
        }
        let (from, to) = (get(at), get(tree.end(at)));
        let texts = to.texts - from.texts;
        let part = tree.tag(at).is_some_and(Tag::is_block)
            && texts >= 2
            && to.characters - from.characters >= LONG
            && measure.of(tree, at).prose > 0;
        if part {
            let hash = to.hash.wrapping_sub(from.hash.wrapping_mul(BASE.wrapping_pow(texts)));
            let end = *first.entry((hash, texts)).or_insert(tree.end(at));
            if end <= at {
                skip.mark(at);
                at = tree.end(at);
                continue;
            }
        }
        at += 1;
    }
}

fn sums(tree: &Tree, root: u32, skip: &Skip) -> Vec<Before> {
    let mut sums = Vec::new();
    let mut sum = Before::default();
    let mut out_until = 0;
    for at in root..tree.end(root) {
        sums.push(sum);
        if at < out_until {
            continue;
        }
        if skip.hides(tree, at) {
            out_until = tree.end(at);
            continue;
        }
        let text = tree.text(at).trim();
        if !text.is_empty() {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            sum.hash = sum.hash.wrapping_mul(BASE).wrapping_add(hasher.finish());
            sum.texts += 1;
            sum.characters += text.chars().count() as u64;
        }
    }
    sums.push(sum);
    sums
}
