//! Finds a page's main text: marks what is not (navigation, cookie notes, shares, related links),
//! then chooses the element that holds most of what is left. Nothing here looks at a site's name.

mod agree;
mod article;
mod boiler;
mod comments;
mod copies;
mod described;
mod edges;
mod headline;
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

pub use headline::leads_home;
pub use names::words as name_words;
pub use skip::Skip;

use crate::html::{Tag, Tree};
use headline::Headline;
use measure::Measure;
use onward::Onward;
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

/// The share of links of a page that is menus.
const MENUS: f64 = 0.5;

/// Characters of a sentence that may be a message; a shorter one asks to wait.
const MESSAGE: u32 = 20;

/// Posts have leads, too: a question before its answers. More blocks than this are something else.
const MAX_QUESTION: usize = 20;
/// Blocks between a title and an article that say what it is about.
const MAX_LEAD: usize = 3;

/// What a page says of its main text itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said<'a> {
    /// That text, as the page's own data has it.
    pub body: Option<&'a str>,
    /// What it is about.
    pub description: Option<&'a str>,
    /// What it is called, in each way in which the page says so: mostly with the name of the site.
    pub called: &'a [String],
    /// Whether it is an article.
    pub is_article: bool,
}

/// Chooses the main text of a page.
pub fn main_content(tree: &Tree, said: Said<'_>) -> Content {
    let sums = Sums::new(tree);
    let product = product::is_product(tree);
    let enough = comments::enough_text(said.is_article);
    let (mut skip, thread) = told_by_names(tree, &sums, product, enough);
    let measure = Measure::new(tree, &skip);
    Onward { tree, sums: &sums, measure: &measure, product }.mark(&mut skip);
    let measure = Measure::new(tree, &skip);
    // Pages that are nothing but what we would leave out are better shown whole.
    if measure.page().text < LITTLE {
        return little(tree, skip);
    }
    // A thing for sale is described around its name; the text of an article stands apart from its title.
    let name = headline::first_h1(tree, &skip, 0..tree.len()).filter(|_| product);
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
    let Headline { within, above } = headline::find(tree, &measure, &skip, chosen, said.called);
    let article = !product && thread.is_none() && article::is_article(tree, &measure, chosen);
    let most = if thread.is_some() { MAX_QUESTION } else { MAX_LEAD };
    let mut lead = Vec::new();
    if article || thread.is_some() && above.is_some() {
        // Between a title of a lower rank and the text stand captions, too.
        let title = above.filter(|at| tree.tag(*at) == Some(Tag::H1));
        lead = article::lead(tree, title, chosen, &skip, most);
    }
    if article && lead.is_empty() {
        lead = described::lead(tree, &sums, (said.description, above), chosen, &mut skip);
    }
    if article {
        Onward { tree, sums: &sums, measure: &measure, product }.mark_labels(chosen, &mut skip);
        article::mark(tree, &measure, chosen, within, said.body, &mut skip);
    }
    let title = within.or(above).filter(|_| article || thread.is_some());
    Content { roots: in_order(tree, above, &lead, chosen), skip, extracted: true, title }
}

/// What names and places alone tell: what is to be left out, and the thread, if the page is one. Comments are left out
/// below `enough` text.
fn told_by_names(tree: &Tree, sums: &Sums, product: bool, enough: u32) -> (Skip, Option<u32>) {
    let comments = comments::all(tree);
    let mut skip = boiler::mark(tree, sums, &comments, product);
    let thread = thread::find(tree, &skip);
    let thread = comments::mark_under_text(tree, sums, (thread, enough), &comments, &mut skip);
    if thread.is_some() {
        thread::mark(tree, sums, &mut skip);
    }
    if product {
        product::mark(tree, sums, &mut skip);
    }
    (skip, thread)
}

/// A title, a lead and the text below them, each once: a box of the lead may hold the title.
fn in_order(tree: &Tree, title: Option<u32>, lead: &[u32], text: u32) -> Vec<u32> {
    let apart = |at: &u32| !lead.iter().any(|block| tree.subtree(*block).contains(at));
    let mut roots: Vec<u32> =
        title.filter(apart).into_iter().chain(lead.iter().copied()).chain([text]).collect();
    roots.sort_unstable();
    roots
}

/// A page that is next to nothing but what we would leave out: shown whole, unless that is menus around a
/// message, which says what went wrong.
fn little(tree: &Tree, skip: Skip) -> Content {
    let whole = Content { extracted: false, ..Content::whole(tree) };
    let menus = Measure::new(tree, &whole.skip).page().link_density() > MENUS;
    let mut footless = whole.skip.clone();
    footless.mark_where(tree, 0..tree.len(), |at| tree.tag(at) == Some(Tag::Footer));
    let measure = Measure::new(tree, &footless);
    let lines = lines::of(tree, 0..tree.len(), &skip);
    let (mut says, mut named) = (false, false);
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.links == 0) {
        let is_heading = line.kind.is_heading();
        let heads = heads_links(tree, &measure, line);
        // Links that a heading names are what the page is for, whatever it says beside them.
        named |= is_heading && heads;
        // What a script will put below a heading is not there yet.
        let waits = !tree.state.is_empty() && index + 1 == lines.len();
        let is_message = line.text >= MESSAGE && line.sentence && !is_of_rights(tree, line);
        says |= !heads && (is_message || is_heading && !waits);
    }
    if menus && says && !named { Content { skip, ..whole } } else { whole }
}

/// Whether a line says whose the page is.
fn is_of_rights(tree: &Tree, line: &lines::Line) -> bool {
    line.nodes.clone().any(|at| tree.text(at).contains('©'))
}

/// Whether most of what follows a line in its part of the page is links, or on the page where nothing follows in that
/// part: then they are what it names.
fn heads_links(tree: &Tree, measure: &Measure, line: &lines::Line) -> bool {
    let is_part = |at: &u32| {
        matches!(tree.tag(*at), Some(Tag::Main | Tag::Article | Tag::Section | Tag::Body))
    };
    let mut around = std::iter::successors(tree.parent(line.block), |at| tree.parent(*at));
    let until = |end: u32| measure.between(line.nodes.end, end);
    let part = around.find(is_part).map(|at| until(tree.end(at)));
    let after = part.filter(|part| part.text > 0).unwrap_or_else(|| until(tree.len()));
    after.link_density() > MENUS
}
