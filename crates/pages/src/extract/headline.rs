//! The heading that is a page's title: that which says what the page is called, else one of the first rank.

use super::agree;
use super::measure::{Measure, is_below};
use super::skip::Skip;
use crate::html::{Attr, Tag, Tree};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// Headings of the first rank above an article of which one may be its title.
const HEADINGS: usize = 3;

/// Per cent of the main text that may stand above its headline.
const HEAD_SHARE: u64 = 15;

/// Bytes of a heading that are read.
const LONG: usize = 500;

/// Parts of a title that are looked at.
const MAX_PARTS: usize = 6;

/// What parts a title from the name of its site, between spaces.
const MARKS: &[&str] = &[" | ", " - ", " – ", " — ", " · ", " • ", " » ", " « ", " :: "];

/// Where the title stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headline {
    /// Within the main text, and at its beginning.
    pub within: Option<u32>,
    /// Above it.
    pub above: Option<u32>,
}

/// Finds the title of the main text below `root`; `called` is what the page says it is called.
pub fn find(tree: &Tree, measure: &Measure, skip: &Skip, root: u32, called: &[String]) -> Headline {
    let whole = measure.of(tree, root).text;
    // A heading below other text is none of the page's.
    let begins = |at: &u32| is_below(measure.between(root, *at).text, whole, HEAD_SHARE);
    let is_first = |at: &u32| begins(at) && measure.between(root, *at).prose == 0;
    let mut names = names(called);
    let first = skip.kept(tree, tree.subtree(root)).take_while(is_first);
    if let Some(at) = named(tree, &mut names, first) {
        return Headline { within: Some(at), above: None };
    }
    match first_h1(tree, skip, tree.subtree(root)) {
        Some(at) => Headline { within: Some(at).filter(begins), above: None },
        None => {
            let above = named(tree, &mut names, skip.kept(tree, 0..root));
            Headline { within: None, above: above.or_else(|| h1_above(tree, skip, root)) }
        }
    }
}

/// The heading that says most of what the page is called, where it first does; of those that say as much, the nearest
/// to the text: the site's name stands above.
fn named(
    tree: &Tree,
    names: &mut HashMap<String, usize>,
    nodes: impl Iterator<Item = u32>,
) -> Option<u32> {
    let mut said = Vec::new();
    for at in nodes.filter(|at| tree.is_heading(*at)) {
        let name = words(&tree.flat_text(at, LONG));
        if names.contains_key(&name) && !leads_home(tree, at) {
            said.extend(names.remove(&name).map(|unsaid| (unsaid, Reverse(at))));
        }
    }
    said.into_iter().min().map(|(_, Reverse(at))| at)
}

/// The first `<h1>` of a range that is not left out.
pub fn first_h1(tree: &Tree, skip: &Skip, range: Range<u32>) -> Option<u32> {
    skip.kept(tree, range).find(|at| tree.tag(*at) == Some(Tag::H1))
}

/// The first `<h1>` above an element that may be its title: not the site's name.
fn h1_above(tree: &Tree, skip: &Skip, at: u32) -> Option<u32> {
    let headings = skip.kept(tree, 0..at).filter(|at| tree.tag(*at) == Some(Tag::H1));
    headings.take(HEADINGS).find(|at| !leads_home(tree, *at))
}

/// Whether a heading is the site's name, which leads to its first page.
pub fn leads_home(tree: &Tree, at: u32) -> bool {
    let home = |at: u32| {
        let path = tree.attr(at, Attr::Href).unwrap_or_default().trim();
        let rest = path.split_once("://").map_or(path, |(_, rest)| {
            rest.find('/').and_then(|slash| rest.get(slash..)).unwrap_or("/")
        });
        tree.tag(at) == Some(Tag::A) && matches!(rest, "/" | "./" | "/index.html" | "/index.php")
    };
    let around = tree.parent(at).is_some_and(home);
    around || tree.subtree(at).any(home)
}

/// What a page with these titles is called: each run of their parts, and how many parts it leaves unsaid. Which of them
/// is the name of its site, no title tells.
fn names(titles: &[String]) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    for title in titles {
        let mut parts = vec![title.as_str()];
        for mark in MARKS {
            parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
        }
        let parts: Vec<String> = parts.into_iter().take(MAX_PARTS).map(words).collect();
        for from in 0..parts.len() {
            for to in from + 1..=parts.len() {
                let unsaid = parts.len() - (to - from);
                let name = parts.get(from..to).unwrap_or_default().join(" ");
                names
                    .entry(name)
                    .and_modify(|least: &mut usize| *least = unsaid.min(*least))
                    .or_insert(unsaid);
            }
        }
    }
    names.remove("");
    names
}

/// The words of a text, lower case and one space apart.
fn words(text: &str) -> String {
    agree::words(text).join(" ")
}
