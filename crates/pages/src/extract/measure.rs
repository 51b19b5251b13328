//! How much text and how much of it is links: sums over the flat tree, so that any element is
//! measured by a subtraction.

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

/// A paragraph of fewer characters is not prose.
const PROSE: u32 = 60;

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
        Self { sums: with_prose(tree, plain) }
    }

    /// An element's amount.
    pub fn of(&self, tree: &Tree, at: u32) -> Amount {
        self.between(at, tree.end(at))
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

/// Adds the prose: text of blocks without blocks inside, long enough and not mostly links.
fn with_prose(tree: &Tree, mut sums: Vec<Amount>) -> Vec<Amount> {
    let get = |sums: &[Amount], place: u32| sums.get(place as usize).copied().unwrap_or_default();
    let mut prose = 0;
    let mut block: Option<(u32, u32)> = None;
    for at in 0..=tree.len() {
        if let Some((start, end)) = block.filter(|(_, end)| *end == at) {
            let amount = get(&sums, end).minus(get(&sums, start));
            if amount.text >= PROSE && amount.links * 2 < amount.text {
                prose += amount.text;
            }
            block = None;
        }
        if let Some(entry) = sums.get_mut(at as usize) {
            entry.prose = prose;
        }
        // An inner block ends the claim of an outer one: only leaves count.
        if tree.tag(at).is_some_and(|tag| tag.is_block()) {
            block = Some((at, tree.end(at)));
        }
    }
    sums
}

fn count(text: &str) -> u32 {
    let wide = text.chars().filter(|char| !char.is_whitespace()).count();
    u32::try_from(wide).unwrap_or(u32::MAX)
}
