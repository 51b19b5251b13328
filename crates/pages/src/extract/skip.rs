//! Which nodes are left out.

use crate::html::{Tag, Tree};
use std::ops::Range;

/// The nodes that are left out with all they hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skip(Vec<bool>);

impl Skip {
    /// Leaves out what `is_out` says.
    pub fn new(tree: &Tree, is_out: impl FnMut(u32) -> bool) -> Self {
        Self((0..tree.len()).map(is_out).collect())
    }

    /// Whether a node itself is marked.
    pub fn is(&self, at: u32) -> bool {
        self.0.get(at as usize).copied().unwrap_or(false)
    }

    /// Whether it is left out, or never shown.
    pub fn hides(&self, tree: &Tree, at: u32) -> bool {
        self.is(at) || tree.tag(at).is_some_and(Tag::is_hidden)
    }

    /// Leaves a node out.
    pub fn mark(&mut self, at: u32) {
        if let Some(flag) = self.0.get_mut(at as usize) {
            *flag = true;
        }
    }

    /// Leaves a node out no longer.
    pub fn clear(&mut self, at: u32) {
        if let Some(flag) = self.0.get_mut(at as usize) {
            *flag = false;
        }
    }

    /// Leaves out the outermost nodes of a range for which `is_out` says so.
    pub fn mark_where(
        &mut self,
        tree: &Tree,
        range: Range<u32>,
        mut is_out: impl FnMut(u32) -> bool,
    ) {
        let mut at = range.start;
        while at < range.end {
            if self.is(at) {
                at = tree.end(at);
            } else if is_out(at) {
                self.mark(at);
                at = tree.end(at);
            } else {
                at += 1;
            }
        }
    }

    /// The nodes of a range that are not left out, in document order.
    pub fn kept<'a>(&'a self, tree: &'a Tree, range: Range<u32>) -> impl Iterator<Item = u32> + 'a {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let here = at;
                if self.is(here) {
                    at = tree.end(here);
                    continue;
                }
                at += 1;
                return Some(here);
            }
            None
        })
    }
}
