//! What a reader would not see, and what is only hidden until a click or a script shows it.

use super::boiler;
use super::lines::{self, Line};
use super::measure::is_below;
use super::names;
use super::skip::Skip;
use super::sums::Sums;
use crate::html::{Attr, Tag, Tree};

/// Characters of text that is told as such by itself.
const LONG: u32 = 300;
/// Per cent of it that are prose.
const PROSE_SHARE: u64 = 80;

/// Marks what a reader would not see.
pub fn mark(tree: &Tree, sums: &Sums) -> Skip {
    // What lies in a hidden element is judged with it.
    let mut judged = 0;
    Skip::new(tree, |at| {
        let Some(tag) = tree.tag(at) else { return false };
        if tag.is_hidden() {
            return true;
        }
        let hidden = at >= judged
            && is_invisible(tree, at)
            && (is_dialog(tree, at) || !is_the_page(tree, sums, at));
        if !hidden {
            return false;
        }
        judged = tree.end(at);
        is_dialog(tree, at) || !is_unfolded_text(tree, at, tag)
    })
}

/// Whether a hidden element is text that a click unfolds, though no name says so: prose and next to
/// nothing else, and no markup that was written as text.
fn is_unfolded_text(tree: &Tree, at: u32, tag: Tag) -> bool {
    // What is sold is hidden from those who have not paid.
    let sold = names::all_words(tree, at).any(|word| word == "paywall");
    if sold || !tag.is_block() || boiler::has_word(tree, at) {
        return false;
    }
    let lines = lines::of(tree, tree.subtree(at), &Skip::default());
    let text: u32 = lines.iter().map(|line| line.text).sum();
    let is_text = |line: &&Line| line.is_prose() && line.sentence;
    let prose: u32 = lines.iter().filter(is_text).map(|line| line.text).sum();
    let raw = tree.subtree(at).any(|at| tree.text(at).contains("</"));
    text >= LONG && !is_below(prose, text, PROSE_SHARE) && !raw
}

/// Whether an element holds so much that it is hidden only until a script shows it.
fn is_the_page(tree: &Tree, sums: &Sums, at: u32) -> bool {
    let share = sums.share(tree, at);
    share >= 50 || (share >= 25 && sums.holds_h1(tree, at))
}

/// Words that name what a click unfolds: part of the page, though not shown at first.
const FOLDED: &[&str] = &[
    "accordion",
    "faq",
    "faqs",
    "answer",
    "answers",
    "tab",
    "tabs",
    "tabpanel",
    "panel",
    "collapse",
    "collapsed",
    "collapsible",
    "collapsable",
    "expand",
    "expandable",
    "expanded",
    "toggle",
    "spoiler",
    "readmore",
    "more",
    "truncated",
];

fn is_invisible(tree: &Tree, at: u32) -> bool {
    let hidden = tree.attr(at, Attr::Hidden).is_some_and(|value| value != "until-found");
    // Pages that are rendered on a server send late parts hidden, to be moved by a script.
    let late = tree.attr(at, Attr::Id).is_some_and(|id| id.starts_with("S:"));
    let style = tree.attr(at, Attr::Style).is_some_and(|style| {
        let style: String = style.chars().filter(|char| !char.is_whitespace()).take(300).collect();
        let style = style.to_ascii_lowercase();
        // `visibility:hidden` is left alone: pages that move their parts in begin with it.
        style.contains("display:none")
    });
    (hidden && !late || style) && !is_folded(tree, at)
}

fn is_dialog(tree: &Tree, at: u32) -> bool {
    matches!(tree.attr(at, Attr::Role), Some("dialog" | "alertdialog"))
}

fn is_folded(tree: &Tree, at: u32) -> bool {
    tree.attr(at, Attr::Role) == Some("tabpanel")
        || names::lower(tree, at).any(|name| {
            name.split(|char: char| !char.is_ascii_alphanumeric())
                .any(|word| FOLDED.contains(&word))
        })
}
