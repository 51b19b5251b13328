//! How much text and how much of it is links: sums over the flat tree, so that any element is
//! measured by a subtraction.

use super::lines;
use super::skip::Skip;
use crate::html::{Tag, Tree};
use std::ops::Range;

/// The text of an element, in characters that are not white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// All of it.
    pub text: u32,
    /// What stands in links.
    pub links: u32,
    /// What stands in paragraphs and the like that are long enough to be prose.
    pub prose: u32,
}

impl Amount {
    /// The share of the text that is links, 0 to 1.
    pub fn link_density(self) -> f64 {
        if self.text == 0 { 0.0 } else { f64::from(self.links) / f64::from(self.text) }
    }

    /// What is left without another amount.
    pub fn minus(self, other: Self) -> Self {
        Self {
            text: self.text.saturating_sub(other.text),
            links: self.links.saturating_sub(other.links),
            prose: self.prose.saturating_sub(other.prose),
        }
    }
}

/// The sums.
pub struct Measure {
    sums: Vec<Amount>,
}

impl Measure {
    /// Measures what is not skipped.
    pub fn new(tree: &Tree, skip: &Skip) -> Self {
        let length = tree.len();
        let mut plain = Vec::with_capacity(length as usize + 1);
        let mut sum = Amount::default();
        let (mut skip_until, mut link_until) = (0, 0);
        for at in 0..length {
            plain.push(sum);
            if at < skip_until {
                continue;
            }
            match tree.tag(at) {
                Some(tag) if tag.is_hidden() || skip.is(at) => skip_until = tree.end(at),
                Some(Tag::A) => link_until = link_until.max(tree.end(at)),
                Some(_) => {}
                None if skip.is(at) => {}
                None => {
                    let count = count(tree.text(at));
                    sum.text += count;
                    if at < link_until {
                        sum.links += count;
                    }
                }
            }
        }
        plain.push(sum);
        Self { sums: with_prose(tree, skip, plain) }
    }

    /// An element's amount.
    pub fn of(&self, tree: &Tree, at: u32) -> Amount {
        self.between(at, tree.end(at))
    }

    /// Where the first prose of an element ends, its own end where it has none.
    pub fn first_prose(&self, tree: &Tree, at: u32) -> u32 {
        let from = self.sums.get(at as usize).map_or(0, |sum| sum.prose);
        let next = self.sums.partition_point(|sum| sum.prose <= from);
        u32::try_from(next).unwrap_or(u32::MAX).min(tree.end(at))
    }

    /// The amount between two places.
    pub fn between(&self, from: u32, to: u32) -> Amount {
        let get = |place: u32| self.sums.get(place as usize).copied().unwrap_or_default();
        get(to).minus(get(from))
    }

    /// The whole page's amount.
    pub fn page(&self) -> Amount {
        self.sums.last().copied().unwrap_or_default()
    }
}

/// Adds the prose: what stands between two edges of blocks, when it is long and mostly no links.
fn with_prose(tree: &Tree, skip: &Skip, mut sums: Vec<Amount>) -> Vec<Amount> {
    let (mut prose, mut from, mut at) = (0, 0, 0);
    // The blocks that are open: where each ends, and whether it is a heading.
    let mut blocks: Vec<(u32, bool)> = Vec::new();
    while at <= tree.len() {
        let left_out = skip.hides(tree, at);
        let begins = tree.tag(at).filter(|tag| !left_out && tag.is_block());
        let ends = blocks.last().is_some_and(|(end, _)| *end <= at);
        if begins.is_some() || ends || at == tree.len() {
            let heading = blocks.last().is_some_and(|(_, heading)| *heading);
            prose += prose_between(&mut sums, from..at, prose, heading);
            from = at;
        }
        while blocks.last().is_some_and(|(end, _)| *end <= at) {
            blocks.pop();
        }
        blocks.extend(begins.map(|tag| (tree.end(at), tag.heading().is_some())));
        at = if left_out { tree.end(at) } else { at + 1 };
    }
    sums.iter_mut().skip(from as usize).for_each(|sum| sum.prose = prose);
    sums
}

/// Gives the nodes of a line the prose before it, and how much the line adds.
fn prose_between(sums: &mut [Amount], line: Range<u32>, before: u32, heading: bool) -> u32 {
    let get = |place: u32| sums.get(place as usize).copied().unwrap_or_default();
    let amount = get(line.end).minus(get(line.start));
    for sum in sums.iter_mut().take(line.end as usize).skip(line.start as usize) {
        sum.prose = before;
    }
    if !heading && lines::is_prose(amount.text, amount.links) { amount.text } else { 0 }
}

/// Whether a part is less than so many per cent of a whole.
pub fn is_below(part: u32, whole: u32, percent: u64) -> bool {
    u64::from(part) * 100 < u64::from(whole) * percent
}

fn count(text: &str) -> u32 {
    let wide = text.chars().filter(|char| !char.is_whitespace()).count();
    u32::try_from(wide).unwrap_or(u32::MAX)
}
