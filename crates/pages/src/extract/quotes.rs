//! Quotations in a thread: whoever answers quotes what stands above. What was said before on the
//! page is left out; what was said elsewhere stays.

use super::agree::rows;
use super::names;
use super::skip::Skip;
use crate::html::{Tag, Tree, tree::push_collapsed};
use std::collections::HashSet;

/// Per cent of a quotation that must stand above it.
const KNOWN: usize = 70;

/// Marks the quotations inside a thread that repeat what is above them.
pub fn mark(tree: &Tree, thread: u32, skip: &mut Skip) {
    let mut known: HashSet<u64> = HashSet::new();
    let mut said = String::new();
    let mut at = thread;
    while at < tree.end(thread) {
        let Some(tag) = tree.tag(at) else {
            push_collapsed(&mut said, tree.text(at));
            at += 1;
            continue;
        };
        if skip.is(at) || tag.is_hidden() {
            at = tree.end(at);
            continue;
        }
        if tag.is_block() {
            said.push(' ');
        }
        if !is_quotation(tree, at, tag) {
            at += 1;
            continue;
        }
        known.extend(rows(&std::mem::take(&mut said)));
        let quoted = tree.flat_text(at, usize::MAX);
        let all = rows(&quoted);
        let found = all.iter().filter(|row| known.contains(row)).count();
        if !all.is_empty() && found * 100 >= all.len() * KNOWN {
            skip.mark(at);
        } else {
            said.push_str(&quoted);
        }
        at = tree.end(at);
    }
}

fn is_quotation(tree: &Tree, at: u32, tag: Tag) -> bool {
    tag == Tag::Blockquote
        || tag.is_block()
            && names::lower(tree, at)
                .any(|name| name.starts_with("quote") || name.starts_with("bbcode_quote"))
}
