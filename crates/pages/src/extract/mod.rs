//! Finds a page's main text: marks what is not (navigation, cookie notes, shares, related links),
//! then chooses the element that holds most of what is left. Nothing here looks at a site's name.

mod agree;
mod article;
mod boiler;
mod comments;
mod copies;
mod described;
mod edges;
mod hidden;
mod labels;
mod lines;
mod measure;
mod names;
mod onward;
mod posts;
mod product;
mod quotes;
mod repeat;
mod root;
mod skip;
mod sums;
mod teasers;
#[cfg(test)]
mod tests;
mod thread;

pub use names::words as name_words;
pub use skip::Skip;

use crate::html::{Attr, Tag, Tree};
use measure::{Measure, is_below};
use onward::Onward;
use std::ops::Range;
use sums::Sums;

/// Which nodes make the main text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The nodes to render, in document order.
    pub roots: Vec<u32>,
    /// The nodes to leave out.
    pub skip: Skip,
    /// Whether main text was told apart from the rest; if not, the whole page is the root.
    pub extracted: bool,
    /// The heading that is the title of an article or a thread, and no part of its text.
    pub title: Option<u32>,
}

impl Content {
    /// A page that is main text from beginning to end.
    pub fn whole(tree: &Tree) -> Self {
        let skip = hidden::mark(tree, &Sums::new(tree));
        Self { roots: vec![0], skip, extracted: true, title: None }
    }
}

/// Text of fewer characters is not worth telling apart.
const LITTLE: u32 = 80;

/// Characters of a sentence that may be a message; a shorter one asks to wait.
const MESSAGE: u32 = 20;

/// Posts have leads, too: a question before its answers. More blocks than this are something else.
const MAX_QUESTION: usize = 20;
/// Blocks between a title and an article that say what it is about.
const MAX_LEAD: usize = 3;

/// Headings of the first rank above an article of which one may be its title.
const HEADINGS: usize = 3;

/// Per cent of the main text that may stand above its headline.
const HEAD_SHARE: u64 = 15;

/// What a page says of its main text itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said<'a> {
    /// That text, as the page's own data has it.
    pub body: Option<&'a str>,
    /// What it is about.
    pub description: Option<&'a str>,
    /// Whether it is an article.
    pub is_article: bool,
}

/// Chooses the main text of a page.
pub fn main_content(tree: &Tree, said: Said<'_>) -> Content {
    let sums = Sums::new(tree);
    let product = product::is_product(tree);
    let mut skip = boiler::mark(tree, &sums, product);
    let thread = thread::find(tree, &skip);
    let enough = comments::enough_text(said.is_article);
    let thread = comments::mark_under_text(tree, &sums, (thread, enough), &mut skip);
    if thread.is_some() {
        thread::mark(tree, &sums, &mut skip);
    }
    if product {
        product::mark(tree, &sums, &mut skip);
    }
    let measure = Measure::new(tree, &skip);
    Onward { tree, sums: &sums, measure: &measure, product, enough }.mark(&mut skip);
    let measure = Measure::new(tree, &skip);
    // Pages that are nothing but what we would leave out are better shown whole.
    if measure.page().text < LITTLE {
        return little(tree, skip);
    }
    // A thing for sale is described around its name; the text of an article stands apart from its title.
    let name = first_h1(tree, &skip, 0..tree.len()).filter(|_| product);
    let chosen = root::choose(tree, &measure, name);
    // Of a thread all posts are the main text, however long one of them is.
    let chosen = thread.filter(|at| tree.subtree(*at).contains(&chosen)).unwrap_or(chosen);
    if let Some(at) = thread {
        posts::mark(tree, &measure, chosen, at, &mut skip);
    }
    root::prune(tree, &measure, chosen, &mut skip);
    teasers::mark(tree, &measure, &sums, chosen, &mut skip);
    labels::mark(tree, chosen, &mut skip);
    copies::mark(tree, &measure, chosen, &mut skip);
    if product {
        repeat::mark_all(tree, chosen, &mut skip);
    } else {
        repeat::mark(tree, chosen, &mut skip);
    }
    let within = first_h1(tree, &skip, tree.subtree(chosen));
    let before = title_above(tree, &skip, chosen).filter(|_| within.is_none());
    // A heading below other text is none of the page's.
    let whole = measure.of(tree, chosen).text;
    let headline =
        within.filter(|at| is_below(measure.between(chosen, *at).text, whole, HEAD_SHARE));
    let article = !product && thread.is_none() && article::is_article(tree, &measure, chosen);
    let most = if thread.is_some() { MAX_QUESTION } else { MAX_LEAD };
    let mut lead = Vec::new();
    if article || thread.is_some() && before.is_some() {
        lead = article::lead(tree, before, chosen, &skip, most);
    }
    if article && lead.is_empty() {
        lead = described::lead(tree, &sums, (said.description, before), chosen, &mut skip);
    }
    if article {
        Onward { tree, sums: &sums, measure: &measure, product, enough }
            .mark_labels(chosen, &mut skip);
        article::mark(tree, &measure, chosen, headline, said.body, &mut skip);
    }
    let title = headline.or(before).filter(|_| article || thread.is_some());
    let mut roots: Vec<u32> = before.into_iter().chain(lead).chain([chosen]).collect();
    roots.sort_unstable();
    Content { roots, skip, extracted: true, title }
}

/// A page that is next to nothing but what we would leave out: shown whole, unless that is menus around a
/// message, which says what went wrong.
fn little(tree: &Tree, skip: Skip) -> Content {
    let whole = Content { extracted: false, ..Content::whole(tree) };
    let menus = Measure::new(tree, &whole.skip).page().link_density() > 0.5;
    let lines = lines::of(tree, 0..tree.len(), &skip);
    let says = |line: &lines::Line| line.text >= MESSAGE && line.links == 0 && line.sentence;
    if menus && lines.iter().any(says) { Content { skip, ..whole } } else { whole }
}

/// The first `<h1>` of a range that is not left out.
fn first_h1(tree: &Tree, skip: &Skip, range: Range<u32>) -> Option<u32> {
    skip.kept(tree, range).find(|at| tree.tag(*at) == Some(Tag::H1))
}

/// The first `<h1>` above an element that may be its title: not the site's name.
fn title_above(tree: &Tree, skip: &Skip, at: u32) -> Option<u32> {
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
