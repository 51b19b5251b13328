//! Labels of links: the same words on links to different pages ("Read more", "View") say nothing of any.

use super::skip::Skip;
use crate::html::tree::{beginning, push_collapsed};
use crate::html::{Attr, Tag, Tree};
use std::collections::{HashMap, HashSet};

/// Pages that links of the same words lead to.
const MANY: usize = 3;
/// Bytes of a label.
const LONG: usize = 30;

/// Marks such links inside `root`, where each is all that its block says.
pub fn mark(tree: &Tree, root: u32, skip: &mut Skip) {
    let mut targets: HashMap<String, HashSet<&str>> = HashMap::new();
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut stands_alone = stands_alone(tree);
    for at in skip.kept(tree, tree.subtree(root)) {
        let Some(href) = tree.attr(at, Attr::Href).filter(|_| tree.tag(at) == Some(Tag::A)) else {
            continue;
        };
        let text = shown(tree, at, skip).to_lowercase();
        let words = !text.is_empty() && !text.contains(|char: char| char.is_ascii_digit());
        if words && text.len() <= LONG && stands_alone(at) {
            targets.entry(text.clone()).or_default().insert(href);
            found.push((at, text));
        }
    }
    for (at, text) in found {
        if targets.get(&text).is_some_and(|targets| targets.len() >= MANY) {
            skip.mark(at);
        }
    }
}

/// The text of a link without what is left out of it, up to a little more than a label's length.
fn shown(tree: &Tree, at: u32, skip: &Skip) -> String {
    let mut text = String::new();
    for inner in skip.kept(tree, tree.subtree(at)) {
        push_collapsed(&mut text, beginning(tree.text(inner), LONG * 2));
        if text.len() > LONG * 2 {
            break;
        }
    }
    text.trim().to_owned()
}

/// Whether a link is no heading, no item of a list, no cell and no part of a sentence.
fn stands_alone<'a>(tree: &'a Tree) -> impl FnMut(u32) -> bool + 'a {
    // An element may hold very many links, and is looked through once.
    let mut judged: HashMap<u32, bool> = HashMap::new();
    move |at| {
        tree.parent(at).is_some_and(|parent| {
            *judged.entry(parent).or_insert_with(|| {
                let plain = matches!(
                    tree.tag(parent),
                    Some(Tag::P | Tag::Div | Tag::Section | Tag::Article | Tag::Span)
                );
                plain && tree.children(parent).all(|child| tree.text(child).trim().is_empty())
            })
        })
    }
}
