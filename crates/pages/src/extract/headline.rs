//! The heading that is a page's title: that which says what the page is called, else one of the first rank.

use super::measure::{Measure, is_below};
use super::skip::Skip;
use crate::html::{Attr, Tag, Tree};
use std::ops::Range;

/// Headings of the first rank above an article of which one may be its title.
const HEADINGS: usize = 3;

/// Per cent of the main text that may stand above its headline.
const HEAD_SHARE: u64 = 15;

/// Bytes of a heading that are read.
const LONG: usize = 500;

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
pub fn find(
    tree: &Tree,
    measure: &Measure,
    skip: &Skip,
    root: u32,
    called: Option<&str>,
) -> Headline {
    let whole = measure.of(tree, root).text;
    // A heading below other text is none of the page's.
    let begins = |at: &u32| is_below(measure.between(root, *at).text, whole, HEAD_SHARE);
    let is_first = |at: &u32| begins(at) && measure.between(root, *at).prose == 0;
    let called = called.map(names).unwrap_or_default();
    let named = |range: Range<u32>| {
        let is_called =
            |at: &u32| is_heading(tree, *at) && called.contains(&words(&tree.flat_text(*at, LONG)));
        skip.kept(tree, range).find(is_called)
    };
    if let Some(at) = named(tree.subtree(root)).filter(is_first) {
        return Headline { within: Some(at), above: None };
    }
    match first_h1(tree, skip, tree.subtree(root)) {
        Some(at) => Headline { within: Some(at).filter(begins), above: None },
        None => {
            let above = named(0..root).or_else(|| h1_above(tree, skip, root));
            Headline { within: None, above }
        }
    }
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
fn leads_home(tree: &Tree, at: u32) -> bool {
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

fn is_heading(tree: &Tree, at: u32) -> bool {
    tree.tag(at).is_some_and(|tag| tag.heading().is_some())
}

/// What a page with this title is called: with and without the name of its site.
fn names(title: &str) -> Vec<String> {
    let mut parts = vec![title];
    for mark in MARKS {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let own = parts.into_iter().max_by_key(|part| part.len()).unwrap_or_default();
    [title, own].map(words).into_iter().filter(|name| !name.is_empty()).collect()
}

/// The words of a text, lower case and one space apart.
fn words(text: &str) -> String {
    let parts = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
