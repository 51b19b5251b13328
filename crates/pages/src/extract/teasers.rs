//! Teasers inside an article: cards in a row, each with a heading that leads to another page.

use super::measure::Measure;
use super::skip::Skip;
use super::sums::Sums;
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
    let mut rows = Vec::new();
    let mut rest = measure.of(tree, root);
    let limit = rest.text / 100 * MAX_SHARE;
    let mut at = root + 1;
    while at < tree.end(root) {
        if skip.is(at) {
            at = tree.end(at);
        } else if measure.of(tree, at).text <= limit && is_row(tree, sums, at) {
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

fn is_row(tree: &Tree, sums: &Sums, at: u32) -> bool {
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
        if text <= LONG && is_card(tree, child) {
            cards += 1;
        } else {
            others += 1;
        }
    }
    cards >= MANY && others == 0
}

/// A card has one heading, which is or holds or stands in a link.
fn is_card(tree: &Tree, at: u32) -> bool {
    let mut headings =
        tree.subtree(at).filter(|inner| tree.tag(*inner).and_then(Tag::heading).is_some());
    let (Some(heading), None) = (headings.next(), headings.next()) else { return false };
    if heading == at {
        return false;
    }
    let inside = tree.subtree(heading).any(|inner| is_link(tree, inner));
    let around = std::iter::successors(Some(heading), |up| tree.parent(*up))
        .take_while(|up| *up >= at)
        .any(|up| is_link(tree, up));
    inside || around
}

fn is_link(tree: &Tree, at: u32) -> bool {
    tree.tag(at) == Some(Tag::A)
        && tree.attr(at, Attr::Href).is_some_and(|href| !href.starts_with('#'))
}
