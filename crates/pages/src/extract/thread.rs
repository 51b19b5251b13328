//! Threads: pages that are posts by several people. What stands around each post (who wrote it, how
//! often, with how many stars) is repeated with every one and says nothing of the matter.

use super::measure::{Measure, is_below};
use super::names;
use super::skip::Skip;
use super::sums::{Count, Sums};
use crate::html::{Attr, Tag, Tree};
use std::collections::HashMap;

/// Words that name a post.
const POSTS: &[&str] =
    &["post", "posts", "postbit", "message", "answer", "reply", "comment", "ipscomment"];

/// Words that name what stands around a post's text, but for who wrote it and when.
const FURNITURE: &[&str] = &[
    "userinfo",
    "userdetails",
    "usercard",
    "userbar",
    "userextras",
    "extrainfo",
    "extras",
    "profile",
    "postprofile",
    "avatar",
    "signature",
    "postsignature",
    "sig",
    "rank",
    "badge",
    "badges",
    "reputation",
    "karma",
    "likes",
    "like",
    "reaction",
    "reactions",
    "reactionsbar",
    "vote",
    "votes",
    "votecell",
    "voting",
    "score",
    "permalink",
    "actions",
    "actionbar",
    "controls",
    "buttons",
    "postfoot",
    "postfootleft",
    "postleft",
    "moderatorbar",
    "statistics",
    "stats",
    "edited",
    "lastedit",
    "editline",
    "report",
    "toolbar",
    "tools",
    "menu",
    "online",
    "offline",
    "quickreply",
    "flair",
    "badgecount",
];

/// Words that say that a name is about the text after all.
const TEXT: &[&str] =
    &["content", "body", "text", "prose", "markdown", "entry", "html", "copy", "description"];

/// Per cent of the text that a thread is.
const MIN_SHARE: u64 = 40;
/// Posts that make a thread.
pub const MANY: usize = 3;
/// Posts that make one where their markup says what they are.
const MANY_TYPED: usize = 2;

/// Marks what stands around the posts of a thread, wherever on the page.
pub fn mark(tree: &Tree, sums: &Sums, skip: &mut Skip) {
    skip.mark_where(tree, 1..tree.len(), |at| is_furniture(tree, at, sums) || is_figure(tree, at));
}

/// The element that holds the posts of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// Which it is.
    pub at: u32,
    /// Whether the posts are named as remarks on something else.
    pub is_remarks: bool,
}

/// The element that holds the posts: siblings that are named alike after posts, and at least 40 % of the
/// text that is not left out.
pub fn find(tree: &Tree, skip: &Skip) -> Option<Thread> {
    let elsewhere = lead_elsewhere(tree);
    let mut threads = Vec::new();
    let mut at = 0;
    while at < tree.len() {
        if tree.tag(at).is_some_and(|tag| tag.is_block()) && is_thread(tree, at, &elsewhere) {
            threads.push(at);
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    if threads.is_empty() {
        return None;
    }
    let measure = Measure::new(tree, skip);
    let text = |at: &u32| measure.of(tree, *at).text;
    // Of equal ones the first.
    let most = threads.into_iter().rev().max_by_key(text)?;
    let is_much = !is_below(text(&most), measure.page().text, MIN_SHARE);
    is_much.then(|| Thread { at: most, is_remarks: is_remarks(tree, most, &elsewhere) })
}

/// Whether the posts are named as remarks on something else.
fn is_remarks(tree: &Tree, at: u32, elsewhere: &Count) -> bool {
    tree.children(at).filter(|child| is_entry(tree, *child, elsewhere)).any(|child| {
        names::written(tree, child)
            .any(|name| names::words(name).iter().any(|word| word == "comment"))
            || tree.attr(child, Attr::Itemtype).is_some_and(|kind| kind.ends_with("/Comment"))
    })
}

/// Whether an element directly holds many posts, all named alike.
fn is_thread(tree: &Tree, at: u32, elsewhere: &Count) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    tree.children(at).filter(|child| is_entry(tree, *child, elsewhere)).any(|child| {
        post_names(tree, child).any(|(name, many)| {
            let count = counts.entry(name).or_default();
            *count += 1;
            *count >= many
        })
    })
}

/// The names that may make an element a post, and how many of a name make a thread.
fn post_names(tree: &Tree, at: u32) -> impl Iterator<Item = (&str, usize)> {
    let kind = tree.attr(at, Attr::Itemtype).filter(|kind| {
        ["/Comment", "/Answer", "/DiscussionForumPosting"].iter().any(|end| kind.ends_with(end))
    });
    let names = names::written(tree, at).filter(|name| {
        names::words(name)
            .iter()
            .any(|word| POSTS.contains(&word.as_str()) || word.ends_with("post"))
    });
    // What says that it is an answer need not be there so often.
    names.map(|name| (name, MANY)).chain(kind.map(|kind| (kind, MANY_TYPED)))
}

/// The posts of a thread: the children that share the commonest name of a post.
pub fn posts(tree: &Tree, thread: u32) -> Vec<u32> {
    let mut named: HashMap<&str, Vec<u32>> = HashMap::new();
    for child in tree.children(thread) {
        for (name, _) in post_names(tree, child) {
            let posts = named.entry(name).or_default();
            if posts.last() != Some(&child) {
                posts.push(child);
            }
        }
    }
    let most = |one: &Vec<u32>, other: &Vec<u32>| one.len().cmp(&other.len()).then(other.cmp(one));
    named.into_values().max_by(most).unwrap_or_default()
}

/// Whether an element may be a post. An entry of a list of articles has a heading that leads to the article.
fn is_entry(tree: &Tree, at: u32, elsewhere: &Count) -> bool {
    matches!(
        tree.tag(at),
        Some(Tag::Div | Tag::Li | Tag::Article | Tag::Section | Tag::Table | Tag::Tr | Tag::Other)
    ) && elsewhere.within(tree.subtree(at)) == 0
}

/// The headings that lead to other pages, and are not the names of those who wrote.
fn lead_elsewhere(tree: &Tree) -> Count {
    let of_person = |at: u32| {
        names::all_words(tree, at)
            .any(|word| matches!(word.as_str(), "user" | "username" | "author" | "name"))
    };
    let links = Count::new(tree, |at| is_page_link(tree, at));
    Count::new(tree, |at| {
        tree.tag(at).and_then(Tag::heading).is_some()
            && (links.within(tree.subtree(at)) > 0
                || tree.parent(at).is_some_and(|parent| is_page_link(tree, parent)))
            && !of_person(at)
    })
}

fn is_page_link(tree: &Tree, at: u32) -> bool {
    tree.tag(at) == Some(Tag::A)
        && tree.attr(at, Attr::Href).is_some_and(|href| !href.contains('#'))
}

fn is_furniture(tree: &Tree, at: u32, sums: &Sums) -> bool {
    let Some(tag) = tree.tag(at) else { return false };
    if matches!(tag, Tag::Html | Tag::Body | Tag::Main) || tag.heading().is_some() {
        return false;
    }
    let named = names::written(tree, at).any(|name| {
        let words = names::words(name);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        // `userDetails` and `user-details` are two words here.
        let joined = words.windows(2).any(|pair| FURNITURE.contains(&pair.concat().as_str()));
        (joined || any(FURNITURE))
            && !any(TEXT)
            && !matches!(words.first().map(String::as_str), Some("has" | "no" | "with"))
    });
    named && sums.share(tree, at) < 25
}

/// What figures and buttons around posts say, without their numbers, lower case.
const FIGURES: &[&str] = &[
    "",
    "posts",
    "posts:",
    "post",
    "messages",
    "messages:",
    "points",
    "points:",
    "reaction score",
    "reaction score:",
    "reputation",
    "reputation:",
    "likes",
    "like",
    "likes:",
    "replies",
    "reply",
    "views",
    "view",
    "votes",
    "vote",
    "answers",
    "member",
    "full member",
    "senior member",
    "junior member",
    "new member",
    "registered",
    "registered user",
    "offline",
    "online",
    "website",
    "original poster",
    "author",
    "thread starter",
    "op",
    "level",
    "year member",
    "+ year member",
    "joined",
    "joined:",
    "join date",
    "join date:",
    "registered:",
    "location",
    "location:",
    "click to expand",
    "click to shrink",
    "click to expand...",
    "click to shrink...",
    "show more replies",
    "quote",
    "report",
    "report inappropriate content",
    "share",
    "edit",
    "reply with quote",
    "upvote",
    "downvote",
    "permalink",
    "copy link",
    "back to top",
    "top",
    "posts · joined",
    "discussion starter",
    "registered:",
];

/// A block that says nothing but a figure: a count of posts, a rank, a button's name.
fn is_figure(tree: &Tree, at: u32) -> bool {
    let block = tree.tag(at).is_some_and(|tag| {
        (tag.is_block() || tag == Tag::A)
            && !matches!(tag, Tag::Pre | Tag::Table | Tag::Tr | Tag::Td | Tag::Th)
    });
    if !block {
        return false;
    }
    let text = tree.flat_text(at, 60);
    if text.len() >= 60 {
        return false;
    }
    let date = text.contains([':', '-', '/']) && !text.contains(char::is_alphabetic);
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| {
            !word.starts_with(|char: char| char.is_ascii_digit() || matches!(char, '#' | '+'))
        })
        .collect();
    !date && !text.is_empty() && FIGURES.contains(&words.join(" ").to_lowercase().as_str())
}
