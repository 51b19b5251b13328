//! How much text and how much of it is links: sums over the flat tree, so that any element is
//! measured by a subtraction.

use super::lines::{self, Line};
use super::skip::Skip;
use crate::html::{Tag, Tree};

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

/// Adds the prose: lines that are long enough and not mostly links.
fn with_prose(tree: &Tree, skip: &Skip, mut sums: Vec<Amount>) -> Vec<Amount> {
    let mut prose = 0;
    let mut at = 0;
    for line in lines::of(tree, 0..tree.len(), skip).into_iter().filter(Line::is_prose) {
        // What begins within a line is measured with it.
        sums.iter_mut().take(line.nodes.end as usize).skip(at).for_each(|sum| sum.prose = prose);
        prose += line.text;
        at = line.nodes.end as usize;
    }
    sums.iter_mut().skip(at).for_each(|sum| sum.prose = prose);
    sums
}

fn count(text: &str) -> u32 {
    let wide = text.chars().filter(|char| !char.is_whitespace()).count();
    u32::try_from(wide).unwrap_or(u32::MAX)
}
