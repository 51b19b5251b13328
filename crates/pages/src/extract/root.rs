//! Chooses the element that holds the main text, and drops link lists from it.

use super::measure::Measure;
use super::skip::Skip;
use super::sums::Count;
use crate::html::{Attr, Tag, Tree};

/// The element whose text is the main text; it holds the element to `keep`, if there is one.
pub fn choose(tree: &Tree, measure: &Measure, keep: Option<u32>) -> u32 {
    let page = measure.page();
    let most = |at: &u32| measure.of(tree, *at).text * 2 >= page.text;
    let body =
        (0..tree.len()).find(|at| tree.tag(*at) == Some(Tag::Body)).filter(most).unwrap_or(0);
    let named = named(tree, measure).filter(|at| measure.of(tree, *at).text * 3 >= page.text);
    let outer = named.unwrap_or(body);
    narrow(tree, measure, outer, keep)
}

/// The element that the page itself calls its main part.
fn named(tree: &Tree, measure: &Measure) -> Option<u32> {
    let body = (0..tree.len())
        .filter(|at| tree.attr(*at, Attr::Itemprop).is_some_and(|name| name == "articleBody"));
    let main = (0..tree.len()).filter(|at| {
        tree.tag(*at) == Some(Tag::Main)
            || tree.attr(*at, Attr::Role).is_some_and(|role| role.trim() == "main")
    });
    // Teasers may be longer than the text.
    body.chain(main).max_by_key(|at| {
        let amount = measure.of(tree, *at);
        (amount.prose, amount.text)
    })
}

/// Less prose than this says nothing about where the main text is.
const LITTLE_PROSE: u32 = 400;

/// More prose than this before an element belongs with it: an introduction, a question.
const STRAY_PROSE: u32 = 300;

/// Goes inwards while one child holds nearly all prose, and what it leaves behind is little beside it.
fn narrow(tree: &Tree, measure: &Measure, from: u32, keep: Option<u32>) -> u32 {
    let mut at = from;
    loop {
        let here = measure.of(tree, at);
        let best = tree
            .children(at)
            .filter(|child| {
                tree.tag(*child).is_some_and(|tag| {
                    tag.is_block() && !matches!(tag, Tag::P | Tag::Ul | Tag::Ol | Tag::Li)
                })
            })
            .max_by_key(|child| (measure.of(tree, *child).prose, measure.of(tree, *child).text));
        let Some(child) = best else { return at };
        let loses =
            |kept: u32| tree.subtree(at).contains(&kept) && !tree.subtree(child).contains(&kept);
        if keep.is_some_and(loses) {
            return at;
        }
        let inner = measure.of(tree, child);
        let own =
            |amount: super::measure::Amount| u64::from(amount.text.saturating_sub(amount.links));
        let nearly_all = own(inner) * 100 >= own(here) * 97
            && u64::from(inner.text) * 100 >= u64::from(here.text) * 90;
        let before = measure.between(at, child).prose;
        let prose = before < STRAY_PROSE
            && here.prose >= LITTLE_PROSE
            && u64::from(inner.prose) * 100 >= u64::from(here.prose) * 85
            && own(inner) * 100 >= own(here) * 60;
        if !(nearly_all || prose) {
            return at;
        }
        at = child;
    }
}

/// Drops blocks inside the main text that are mostly links, unless the main text is such a list.
pub fn prune(tree: &Tree, measure: &Measure, root: u32, skip: &mut Skip) {
    if measure.of(tree, root).link_density() > 0.5 {
        return;
    }
    let links = Count::new(tree, |at| tree.tag(at) == Some(Tag::A));
    skip.mark_where(tree, root + 1..tree.end(root), |at| {
        let amount = measure.of(tree, at);
        let list = matches!(
            tree.tag(at),
            Some(Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table | Tag::Aside)
        );
        list && amount.text > 0
            && amount.prose == 0
            && amount.link_density() > 0.8
            && links.within(tree.subtree(at)) >= 3
    });
}
