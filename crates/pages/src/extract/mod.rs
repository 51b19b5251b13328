//! Finds a page's main text: marks what is not (navigation, cookie notes, shares, related links),
//! then chooses the element that holds most of what is left. Nothing here looks at a site's name.

mod boiler;
mod measure;
mod names;
mod onward;
mod product;
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
}

impl Content {
    /// A page that is main text from beginning to end.
    pub fn whole(tree: &Tree) -> Self {
        let skip = boiler::hidden(tree, &Sums::new(tree));
        Self { roots: vec![0], skip, extracted: true }
    }
}

/// Text of fewer characters is not worth telling apart.
const LITTLE: u32 = 80;

/// Chooses the main text of a page.
pub fn main_content(tree: &Tree) -> Content {
    let sums = Sums::new(tree);
    let product = product::is_product(tree);
    let thread = thread::find(tree, &sums);
    let mut skip = boiler::mark(tree, &sums);
    if thread.is_some() {
        thread::mark(tree, &sums, &mut skip);
    }
    if product {
        product::mark(tree, &sums, &mut skip);
    }
    let measure = Measure::new(tree, &skip);
    Onward { tree, sums: &sums, measure: &measure, product }.mark(&mut skip);
    let measure = Measure::new(tree, &skip);
    // Pages that are nothing but what we would leave out are better shown whole.
    if measure.page().text < LITTLE {
        return Content { extracted: false, ..Content::whole(tree) };
    }
    // A thing for sale is described around its name; the text of an article stands apart from its title.
    let name = first_h1(tree, &skip, tree.len()).filter(|_| product);
    let chosen = root::choose(tree, &measure, name);
    // Of a thread all posts are the main text, however long one of them is.
    let chosen = thread.filter(|at| tree.subtree(*at).contains(&chosen)).unwrap_or(chosen);
    root::prune(tree, &measure, chosen, &mut skip);
    teasers::mark(tree, &measure, &sums, chosen, &mut skip);
    if product {
        repeat::mark_all(tree, chosen, &mut skip);
    } else {
        repeat::mark(tree, chosen, &mut skip);
    }
    let titled = tree.subtree(chosen).any(|at| tree.tag(at) == Some(Tag::H1));
    let title = first_h1(tree, &skip, chosen).filter(|at| !titled && !leads_home(tree, *at));
    let roots = title.into_iter().chain([chosen]).collect();
    Content { roots, skip, extracted: true }
}

/// The first `<h1>` before a place that is not left out.
fn first_h1(tree: &Tree, skip: &Skip, before: u32) -> Option<u32> {
    skip.kept(tree, 0..before).find(|at| tree.tag(*at) == Some(Tag::H1))
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
