//! Comments under a text, told by what elements are named, and from a thread by the text above them.

use super::measure::Measure;
use super::names;
use super::skip::Skip;
use super::sums::Sums;
use super::thread::Thread;
use crate::html::{Attr, Tag, Tree};

/// Whole class names and ids of comments under something else.
const COMMENTS: &[&str] =
    &["comments", "commentlist", "comments-list", "js-comments", "respond", "disqus_thread"];

/// Words that make a name with `comment` the name of all comments.
const COMMENT_PARTS: &[&str] = &[
    "area",
    "list",
    "section",
    "wrapper",
    "thread",
    "block",
    "container",
    "form",
    "respond",
    "box",
    "region",
    "holder",
    "component",
];

/// What they are on, or whose they are, where a name begins with it and ends with one of the words after it:
/// `article-comments`, `leserKommentare`.
const OF_ALL: &[&str] = &[
    "entry", "post", "article", "story", "content", "user", "reader", "leser", "node", "page",
    "blog", "news", "section", "block",
];
const ALL: &[&str] = &["comments", "kommentare"];

/// Characters of prose that make a text of which comments are no part, however many.
pub const TEXT: u32 = 1000;
/// The same of what elements are named as comments, where the page says that it is an article.
const ARTICLE: u32 = 250;

/// Characters of prose above what is named as comments that make them no part of the page's text.
pub const fn enough_text(is_article: bool) -> u32 {
    if is_article { ARTICLE } else { TEXT }
}

/// Marks comments that are much of the page, where `enough` text stands above them. Gives the thread if
/// it is none of them.
pub fn mark_under_text(
    tree: &Tree,
    sums: &Sums,
    (thread, enough): (Option<Thread>, u32),
    all: &Skip,
    skip: &mut Skip,
) -> Option<u32> {
    let measure = Measure::new(tree, skip);
    let under_text = |at: u32| measure.between(0, at).prose >= enough && !sums.holds_h1(tree, at);
    skip.mark_where(tree, 0..tree.len(), |at| {
        let holds =
            matches!(tree.tag(at), Some(Tag::Div | Tag::Section | Tag::Ul | Tag::Ol | Tag::Other));
        let remarks = thread.is_some_and(|thread| thread.at == at && thread.is_remarks);
        holds && under_text(at) && (remarks || all.is(at))
    });
    thread
        .map(|thread| thread.at)
        .filter(|at| !std::iter::successors(Some(*at), |up| tree.parent(*up)).any(|up| skip.is(up)))
}

/// The elements that hold all comments on something; those inside them are not meant.
pub fn all(tree: &Tree) -> Skip {
    let named = |at: u32| {
        // Most names are told without taking them apart.
        let values = [Attr::Class, Attr::Id].into_iter().filter_map(|attr| tree.attr(at, attr));
        let may_be = |value: &str| {
            ["omment", "OMMENT", "espond", "isqus"].iter().any(|part| value.contains(part))
        };
        values.into_iter().any(may_be) && names::written(tree, at).any(is_name_of_all)
    };
    let mut found = Skip::new(tree, |_| false);
    found.mark_where(tree, 0..tree.len(), named);
    found
}

fn is_name_of_all(name: &str) -> bool {
    let words = names::words(name);
    let is = |word: Option<&String>, list: &[&str]| {
        word.is_some_and(|word| list.contains(&word.as_str()))
    };
    COMMENTS.contains(&name.to_ascii_lowercase().as_str())
        || is(words.first(), OF_ALL) && is(words.last(), ALL)
        // `comment-list`, but not `list-comments`, which may be a remark in a list.
        || words.iter().position(|word| word.starts_with("comment")).is_some_and(|at| {
            words.iter().skip(at + 1).any(|word| COMMENT_PARTS.contains(&word.as_str()))
        })
}
