//! What stands between, before and after the posts of a thread, and what stands alike in each of them.

use super::lines::{self, Line};
use super::measure::{Measure, is_below};
use super::skip::Skip;
use super::{quotes, thread};
use crate::html::Tree;
use std::collections::HashMap;

/// Per cent of a thread that what follows it may be and still be none of it.
const AFTER_SHARE: u64 = 60;

/// Per cent of a thread that its posts are where what stands between them is none.
const POSTS_SHARE: u64 = 80;
/// Of so many posts one in which a line stands, or more, and it says nothing of any.
const REPEATED: usize = 2;
/// Characters of a line that may be a label.
const LABEL: u32 = 100;

/// Marks what is no post's own below `root`, which holds the thread or lies in it.
pub fn mark(tree: &Tree, measure: &Measure, root: u32, thread: u32, skip: &mut Skip) {
    mark_around(tree, measure, root, thread, skip);
    let posts = thread::posts(tree, thread);
    mark_between(tree, measure, &posts, thread, skip);
    mark_repeated(tree, &posts, skip);
    quotes::mark(tree, thread, skip);
}

/// Marks what stands around the posts in the same element: what follows them, and what comes before
/// them up to the first prose, which may be a question.
fn mark_around(tree: &Tree, measure: &Measure, root: u32, thread: u32, skip: &mut Skip) {
    if thread <= root || thread >= tree.end(root) {
        return;
    }
    let posts = measure.of(tree, thread);
    let after = tree.end(thread)..tree.end(root);
    let follows = measure.between(after.start, after.end);
    if is_below(follows.text, posts.text, AFTER_SHARE)
        || is_below(follows.prose, posts.prose, AFTER_SHARE)
    {
        skip.mark_where(tree, after, |_| true);
    }
    let lines = lines::of(tree, root..thread, skip);
    let question = lines.iter().position(Line::is_prose).unwrap_or(lines.len());
    let labels = lines.iter().take(question).filter(|line| !line.kind.is_heading());
    labels.for_each(|line| line.mark(tree, skip));
}

/// Marks what stands between the posts and after the last: notices, forms, more questions.
fn mark_between(tree: &Tree, measure: &Measure, posts: &[u32], thread: u32, skip: &mut Skip) {
    let Some(first) = posts.first() else { return };
    let text: u32 = posts.iter().map(|at| measure.of(tree, *at).text).sum();
    let from = *first..tree.end(thread);
    if is_below(text, measure.between(from.start, from.end).text, POSTS_SHARE) {
        return;
    }
    let mut next = posts.iter().peekable();
    for child in tree.children(thread).skip_while(|child| child < first) {
        if next.next_if(|post| **post == child).is_none() {
            skip.mark(child);
        }
    }
}

/// Marks short lines that stand in at least half of the posts: labels, ranks, the thread's title. Links
/// are left alone: people who write often have their names there.
fn mark_repeated(tree: &Tree, posts: &[u32], skip: &mut Skip) {
    let mut found: HashMap<String, Vec<Line>> = HashMap::new();
    for post in posts {
        let mut of_post: HashMap<String, Line> = HashMap::new();
        for line in lines::of(tree, tree.subtree(*post), skip) {
            if line.text > LABEL || line.links * 2 > line.text {
                continue;
            }
            if let Some(label) = line.label(tree) {
                of_post.entry(label).or_insert(line);
            }
        }
        of_post.into_iter().for_each(|(label, line)| found.entry(label).or_default().push(line));
    }
    for lines in found.values() {
        if lines.len() >= thread::MANY && lines.len() * REPEATED >= posts.len() {
            lines.iter().for_each(|line| line.mark(tree, skip));
        }
    }
}
