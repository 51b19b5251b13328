//! Teasers inside an article: cards in a row, each with a heading that leads to another page.

use super::measure::Measure;
use super::skip::Skip;
use super::sums::{Count, Sums};
use crate::html::{Attr, Tag, Tree};

/// Cards in a row.
const MANY: usize = 3;
/// Bytes of text of one card.
const LONG: u64 = 500;
/// Characters of prose that make an article.
const MIN_PROSE: u32 = 600;
/// More of the main text than this, in per cent, and the page is a list of such cards.
const MAX_SHARE: u32 = 45;

/// Marks rows of teasers below `root`, when all else there is mostly prose.
pub fn mark(tree: &Tree, measure: &Measure, sums: &Sums, root: u32, skip: &mut Skip) {
    let cards = Cards::new(tree);
    let mut rows = Vec::new();
    let mut rest = measure.of(tree, root);
    let limit = rest.text / 100 * MAX_SHARE;
    let mut at = root + 1;
    while at < tree.end(root) {
        if skip.is(at) {
            at = tree.end(at);
        } else if measure.of(tree, at).text <= limit && cards.are_in_row(tree, sums, at) {
            rest = rest.minus(measure.of(tree, at));
            rows.push(at);
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    let article = rest.prose >= MIN_PROSE && u64::from(rest.prose) * 10 >= u64::from(rest.text) * 7;
    if article {
        rows.into_iter().for_each(|row| skip.mark(row));
    }
}

/// What tells cards.
struct Cards {
    headings: Count,
    links: Count,
}

impl Cards {
    fn new(tree: &Tree) -> Self {
        let heading = |at: u32| tree.tag(at).and_then(Tag::heading).is_some();
        Self {
            headings: Count::new(tree, heading),
            links: Count::new(tree, |at| is_link(tree, at)),
        }
    }

    fn are_in_row(&self, tree: &Tree, sums: &Sums, at: u32) -> bool {
        let block = tree.tag(at).is_some_and(|tag| tag.is_block() || tag == Tag::Other);
        if !block {
            return false;
        }
        let (mut cards, mut others) = (0, 0);
        for child in tree.children(at) {
            let text = sums.text_between(child, tree.end(child));
            if text == 0 {
                continue;
            }
            if text <= LONG && self.is_card(tree, child) {
                cards += 1;
            } else {
                others += 1;
            }
        }
        cards >= MANY && others == 0
    }

    /// A card has one heading, which is or holds or stands in a link.
    fn is_card(&self, tree: &Tree, at: u32) -> bool {
        if self.headings.within(tree.subtree(at)) != 1 {
            return false;
        }
        let Some(heading) = self.headings.first(at).filter(|heading| *heading > at) else {
            return false;
        };
        let around = || {
            std::iter::successors(tree.parent(heading), |up| tree.parent(*up))
                .take_while(|up| *up >= at)
                .any(|up| is_link(tree, up))
        };
        self.links.within(tree.subtree(heading)) > 0
            || self.links.within(at..heading) > 0 && around()
    }
}

fn is_link(tree: &Tree, at: u32) -> bool {
    tree.tag(at) == Some(Tag::A)
        && tree.attr(at, Attr::Href).is_some_and(|href| !href.starts_with('#'))
}
