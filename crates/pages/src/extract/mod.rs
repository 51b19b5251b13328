//! Finds a page's main text: marks what is not (navigation, cookie notes, shares, related links),
//! then chooses the element that holds most of what is left. Nothing here looks at a site's name.

mod boiler;
mod measure;
mod root;
#[cfg(test)]
mod tests;

use crate::html::Tree;

/// Which nodes make the main text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The nodes to render, in document order.
    pub roots: Vec<u32>,
    /// Nodes to leave out, by place.
    pub skip: Vec<bool>,
    /// Whether main text was told apart from the rest; if not, the whole page is the root.
    pub extracted: bool,
}

/// Chooses the main text of a page.
pub fn main_content(tree: &Tree) -> Content {
    let mut skip = boiler::mark(tree);
    let measure = measure::Measure::new(tree, &skip);
    // Pages that are nothing but what we would leave out are better shown whole.
    if measure.page().text < 80 {
        return whole(tree);
    }
    let chosen = root::choose(tree, &measure);
    root::prune(tree, &measure, chosen, &mut skip);
    let mut roots = root::title_before(tree, chosen, &skip);
    roots.push(chosen);
    Content { roots, skip, extracted: true }
}

/// Whether a page says next to nothing itself but more in a `<noscript>`, which is then the page.
pub fn prefers_noscript(tree: &Tree) -> bool {
    const LITTLE: usize = 400;
    tree.noscript.len() > LITTLE && tree.flat_text_all(2 * LITTLE).len() < LITTLE
}

fn whole(tree: &Tree) -> Content {
    Content { roots: vec![0], skip: boiler::hidden(tree), extracted: false }
}
