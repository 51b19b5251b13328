//! Articles: one text of several paragraphs. What stands around or between them in the same element
//! is told by its place: after the element that holds the paragraphs, in a box between them, beside
//! a picture.

use super::agree;
use super::edges;
use super::lines::{self, Kind};
use super::measure::{Measure, is_below};
use super::names;
use super::skip::Skip;
use crate::html::{Attr, Tag, Tree};

/// Characters of prose that make an article.
const MIN_PROSE: u32 = 200;
/// Per cent of the text that are prose in an article.
const PROSE_SHARE: u64 = 55;
/// Per cent of the prose that the element of the paragraphs holds.
const CORE_SHARE: u64 = 70;
/// What follows that element is the article's all the same when it is longer than this, in per cent of it.
const AFTER_SHARE: u64 = 60;
/// Per cent of the text that a caption may be, or a box about the author.
const ASIDE_SHARE: u64 = 15;
/// Per cent of the prose that stand beside boxes, not in them, where paragraphs and boxes are told apart.
const FLOW_SHARE: u64 = 90;
/// Per cent of the text that a box between paragraphs may be.
const BOX_SHARE: u64 = 8;
/// More boxes about authors are the matter of the page: a staff, a list of speakers.
const MAX_AUTHORS: usize = 2;
/// More boxes that say who wrote something, and when, are of entries: remarks on a match as it was played.
const MAX_ABOUT: usize = 8;

/// Whether most of an element's text is prose.
pub fn is_article(tree: &Tree, measure: &Measure, root: u32) -> bool {
    let amount = measure.of(tree, root);
    amount.prose >= MIN_PROSE && !is_below(amount.prose, amount.text, PROSE_SHARE)
}

/// Marks what does not belong to the article below `root`. `body` is its text as the page's own
/// data has it.
pub fn mark(
    tree: &Tree,
    measure: &Measure,
    root: u32,
    title: Option<u32>,
    body: Option<&str>,
    skip: &mut Skip,
) {
    let text = measure.of(tree, root).text;
    let aside = |at: u32| is_below(measure.of(tree, at).text, text, ASIDE_SHARE);
    let holds_title = |at: u32| title.is_some_and(|title| tree.subtree(at).contains(&title));
    let about = |at: u32| is_about_text(tree, at) && aside(at) && !holds_title(at);
    mark_few(tree, root + 1..tree.end(root), MAX_ABOUT, about, skip);
    skip.mark_where(tree, root + 1..tree.end(root), |at| is_caption(tree, at) && aside(at));
    let core = core(tree, measure, root);
    let after = measure.between(tree.end(core), tree.end(root)).text;
    if is_below(after, measure.of(tree, core).text, AFTER_SHARE) {
        skip.mark_where(tree, tree.end(core)..tree.end(root), |_| true);
    }
    mark_boxes(tree, measure, core, title, skip);
    let author = |at: u32| is_author(tree, at) && aside(at);
    mark_few(tree, measure.first_prose(tree, root)..tree.end(root), MAX_AUTHORS, author, skip);
    let mut lines = lines::of(tree, root..tree.end(root), skip);
    if let Some(body) = body {
        agree::mark(tree, body, &mut lines, skip);
    }
    edges::mark(tree, title, &mut lines, skip);
}

/// The blocks before the text that say what it is about: long lines between the title, or else the
/// last heading, and the text. More than `most` of them are something else.
pub fn lead(tree: &Tree, title: Option<u32>, root: u32, skip: &Skip, most: usize) -> Vec<u32> {
    let from = title.map_or(0, |title| tree.end(title));
    let lines = lines::of(tree, from..root, skip);
    let heading =
        lines.iter().rposition(|line| matches!(line.kind, Kind::Heading(_)) && !line.is_long());
    let first = match (title, heading) {
        (Some(_), _) => 0,
        (None, Some(heading)) => heading + 1,
        (None, None) => return Vec::new(),
    };
    let long = lines.iter().skip(first).filter(|line| line.is_long() && line.links * 3 < line.text);
    let leads: Vec<u32> = long.map(|line| line.block).collect();
    let apart = leads.iter().all(|at| tree.end(*at) <= root);
    if apart && leads.len() <= most { leads } else { Vec::new() }
}

/// The innermost element that holds nearly all prose of another.
fn core(tree: &Tree, measure: &Measure, root: u32) -> u32 {
    let prose = |at: &u32| measure.of(tree, *at).prose;
    let mut at = root;
    while let Some(child) = tree
        .children(at)
        .filter(|child| is_container(tree, *child))
        .max_by_key(prose)
        .filter(|child| !is_below(prose(child), prose(&root), CORE_SHARE))
    {
        at = child;
    }
    at
}

fn is_container(tree: &Tree, at: u32) -> bool {
    tree.tag(at).is_some_and(|tag| {
        tag.is_block()
            && !matches!(tag, Tag::P | Tag::Ul | Tag::Ol | Tag::Li | Tag::Blockquote | Tag::Table)
    })
}

/// Marks boxes without lists, tables or code between paragraphs: where nearly all prose stands directly in
/// one element, what is wrapped once more is something else.
fn mark_boxes(tree: &Tree, measure: &Measure, core: u32, title: Option<u32>, skip: &mut Skip) {
    let all = measure.of(tree, core);
    let (boxes, flow): (Vec<u32>, Vec<u32>) = tree.children(core).partition(|at| is_box(tree, *at));
    let direct: u32 = flow.iter().map(|at| measure.of(tree, *at).prose).sum();
    if is_below(direct, all.prose, FLOW_SHARE) {
        return;
    }
    let structured = |at: u32| {
        matches!(
            tree.tag(at),
            Some(Tag::Table | Tag::Pre | Tag::Blockquote | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Code)
        )
    };
    let first = flow.iter().copied().find(|at| measure.of(tree, *at).prose > 0).unwrap_or(core);
    boxes
        .into_iter()
        .filter(|at| is_below(measure.of(tree, *at).text, all.text, BOX_SHARE))
        .filter(|at| !tree.subtree(*at).any(structured))
        // A box around the first paragraph makes it look important.
        .filter(|at| *at > first || measure.of(tree, *at).prose == 0)
        .for_each(|at| mark_beside(tree, at, title, skip));
}

/// Marks an element; of one around the title what stands beside that.
fn mark_beside(tree: &Tree, at: u32, title: Option<u32>, skip: &mut Skip) {
    let mut around = Some(at);
    while let Some(at) = around.take() {
        let Some(title) = title.filter(|title| tree.subtree(at).contains(title)) else {
            skip.mark(at);
            return;
        };
        if at == title {
            return;
        }
        for child in tree.children(at) {
            match tree.subtree(child).contains(&title) {
                true => around = Some(child),
                false => skip.mark(child),
            }
        }
    }
}

fn is_box(tree: &Tree, at: u32) -> bool {
    matches!(
        tree.tag(at),
        Some(
            Tag::Div
                | Tag::Section
                | Tag::Article
                | Tag::Details
                | Tag::Figure
                | Tag::Address
                | Tag::Center
                | Tag::Other
        )
    )
}

/// What says who wrote a text, when and under which headings: `entry-meta`, `postDate`, `article-tags`.
fn is_about_text(tree: &Tree, at: u32) -> bool {
    const TEXTS: &[&str] = &["entry", "post", "article", "story"];
    const ABOUT: &[&str] = &[
        "meta",
        "metadata",
        "info",
        "date",
        "dates",
        "byline",
        "author",
        "authors",
        "tag",
        "tags",
        "category",
        "categories",
        "published",
        "updated",
        "share",
        "sharing",
        "actions",
        "copyright",
        "credit",
        "credits",
    ];
    let block = tree.tag(at).is_some_and(|tag| {
        tag.is_block() && tag.heading().is_none() && !matches!(tag, Tag::Article | Tag::Main)
    });
    // Most names are told without taking them apart.
    let may_be =
        |name: &&str| ["ntry", "ost", "rticle", "tory"].iter().any(|part| name.contains(part));
    block
        && names::written(tree, at).filter(may_be).any(|name| {
            let words = names::words(name);
            let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
            let of_another =
                words.first().is_some_and(|word| names::OF_ANOTHER.contains(&word.as_str()));
            any(TEXTS) && any(ABOUT) && !of_another
        })
}

/// Marks the boxes of a range for which `is_box` says so, unless there are more than `most`.
fn mark_few(
    tree: &Tree,
    range: std::ops::Range<u32>,
    most: usize,
    is_box: impl Fn(u32) -> bool,
    skip: &mut Skip,
) {
    let mut found = skip.clone();
    let mut boxes = 0;
    found.mark_where(tree, range, |at| {
        let out = is_box(at);
        boxes += usize::from(out);
        out
    });
    if boxes <= most {
        *skip = found;
    }
}

fn is_author(tree: &Tree, at: u32) -> bool {
    const WORDS: &[&str] = &["author", "authors", "bio", "byline", "contributor", "contributors"];
    tree.tag(at).is_some_and(|tag| tag.is_block() && tag.heading().is_none())
        && (tree.attr(at, Attr::Itemprop).is_some_and(|name| name == "author")
            || names::all_words(tree, at).any(|word| WORDS.contains(&word.as_str())))
}

/// What says what a picture beside it shows.
fn is_caption(tree: &Tree, at: u32) -> bool {
    let element = tree.tag(at).is_some_and(|tag| !matches!(tag, Tag::H1 | Tag::Caption));
    if !element || !names::written(tree, at).any(is_name_of_caption) {
        return false;
    }
    let around = tree.parent(at).unwrap_or(at);
    let picture = |at: u32| edges::is_picture(tree, at);
    (around..at).rev().take(edges::NEAR).any(picture)
        || (at..tree.end(around)).take(edges::NEAR).any(picture)
}

fn is_name_of_caption(name: &str) -> bool {
    const NAMES: &[&str] = &["imagedescription", "bildunterschrift", "photocredit", "imagecredit"];
    const PICTURES: &[&str] = &["image", "img", "picture", "photo"];
    let words = names::words(name);
    let picture = words.iter().position(|word| PICTURES.contains(&word.as_str()));
    let said = |word: &String| matches!(word.as_str(), "description" | "credit");
    words.iter().any(|word| word.ends_with("caption") || NAMES.contains(&word.as_str()))
        || picture.is_some_and(|at| words.iter().skip(at).any(said))
}
