//! Lists of words that are looked for by their roots, as the evidence keeps its words.
//!
//! Border: words in, look-ups of roots out. A list is written as words and never as roots: an entry to which no word
//! comes would be found nowhere, and nobody would see it.

use super::words;
use crate::text::Gate;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Words that are known by their roots.
#[derive(Debug)]
pub struct Roots {
    gate: Gate,
    roots: BTreeSet<String>,
}

impl Roots {
    /// Those of these folded words. Forms with roots of their own, as of `tie` and `tied`, are named each.
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Roots {
        let roots = words.into_iter().map(|word| words::root(word).into_owned());
        let roots: BTreeSet<String> = roots.gather();
        let gate = roots.iter().fold(Gate::default(), |gate, root| gate.with(root));
        Roots { gate, roots }
    }

    /// Whether a root is that of one of them.
    pub fn has(&self, root: &str) -> bool {
        self.gate.may_have(root) && self.roots.contains(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_root_whatever_that_is() {
        let words = ["his", "its", "they", "tied", "the", "married"];
        let roots = Roots::of(words);
        for word in words.into_iter().chain(["marry", "marries"]) {
            assert!(roots.has(&words::root(word)), "{word}");
        }
        assert!(!roots.has("they") && !roots.has(""));
    }
}
