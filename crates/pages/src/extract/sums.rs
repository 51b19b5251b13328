//! Running sums over the nodes, so that how much of the page an element holds is one subtraction.

use crate::html::{Tag, Tree};
use std::ops::Range;

/// Bytes of text and `<h1>` elements before each node.
pub struct Sums(Vec<(u64, u32)>);

impl Sums {
    /// Adds up.
    pub fn new(tree: &Tree) -> Self {
        let mut sums = Vec::with_capacity(tree.len() as usize + 1);
        let (mut text, mut h1, mut hidden_until) = (0, 0, 0);
        for at in 0..tree.len() {
            sums.push((text, h1));
            match tree.tag(at) {
                Some(tag) if tag.is_hidden() => hidden_until = hidden_until.max(tree.end(at)),
                Some(Tag::H1) => h1 += 1,
                None if at >= hidden_until => text += tree.text(at).trim().len() as u64,
                _ => {}
            }
        }
        sums.push((text, h1));
        Self(sums)
    }

    fn at(&self, place: u32) -> (u64, u32) {
        self.0.get(place as usize).copied().unwrap_or_default()
    }

    /// The bytes of text between two places.
    pub fn text_between(&self, from: u32, to: u32) -> u64 {
        self.at(to).0.saturating_sub(self.at(from).0)
    }

    /// The per cent of the page's text that an element holds.
    pub fn share(&self, tree: &Tree, at: u32) -> u64 {
        let total = self.0.last().map_or(1, |(text, _)| (*text).max(1));
        self.text_between(at, tree.end(at)) * 100 / total
    }

    /// Whether an element holds an `<h1>`.
    pub fn holds_h1(&self, tree: &Tree, at: u32) -> bool {
        self.at(tree.end(at)).1 > self.at(at).1
    }
}

/// How many nodes of some kind stand before each node, so that nothing is searched for them twice.
pub struct Count(Vec<u32>);

impl Count {
    /// Counts the nodes for which `is_one` says so.
    pub fn new(tree: &Tree, mut is_one: impl FnMut(u32) -> bool) -> Self {
        let mut counts = Vec::with_capacity(tree.len() as usize + 1);
        let mut count = 0;
        for at in 0..tree.len() {
            counts.push(count);
            count += u32::from(is_one(at));
        }
        counts.push(count);
        Self(counts)
    }

    fn at(&self, place: u32) -> u32 {
        self.0.get(place as usize).copied().unwrap_or_default()
    }

    /// How many of them a range of nodes holds.
    pub fn within(&self, range: Range<u32>) -> u32 {
        self.at(range.end).saturating_sub(self.at(range.start))
    }

    /// The first of them that is not before a place.
    pub fn first(&self, from: u32) -> Option<u32> {
        let before = self.at(from);
        let after = self.0.partition_point(|count| *count <= before);
        (after < self.0.len()).then(|| u32::try_from(after).unwrap_or(u32::MAX).saturating_sub(1))
    }
}
