//! Whether anything new was found: passages and numbers not seen before.

use quarry_types::fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A passage shorter than this many characters says too little to count as new.
const PASSAGE_CHARACTERS: usize = 40;

/// What was seen so far, and whether the current iteration added to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    /// Fingerprints of passages and numbers: short ones, for a checkpoint holds thousands. That one of them is
    /// another's by chance can at worst make one passage seem known.
    seen: BTreeSet<u32>,
    learned: bool,
    barren: u32,
}

impl Learning {
    /// Iterations in a row that brought nothing new.
    pub const fn barren_iterations(&self) -> u32 {
        self.barren
    }

    /// How much was seen so far.
    pub fn seen(&self) -> usize {
        self.seen.len()
    }

    /// Ends an iteration.
    pub fn end_iteration(&mut self) {
        self.barren = if self.learned { 0 } else { self.barren.saturating_add(1) };
        self.learned = false;
    }

    /// Something new was found, whatever its words.
    pub const fn note_new(&mut self) {
        self.learned = true;
    }

    /// Notes the passages and numbers of a text; any not seen before counts as learning.
    pub fn note(&mut self, text: &str) {
        for line in text.split(['\n', '.', ';']) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let passage = words.join(" ").to_lowercase();
            if passage.chars().count() >= PASSAGE_CHARACTERS {
                self.see(&passage);
            }
        }
        for word in text.split_whitespace() {
            let number: String = word.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            let number = number.trim_matches('.');
            if !number.is_empty() {
                self.see(number);
            }
        }
    }

    fn see(&mut self, passage: &str) {
        self.learned |= self.seen.insert(fnv::bits32(passage.bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::Learning;

    #[test]
    fn what_a_checkpoint_of_another_version_has_seen_is_not_new() {
        let kept = r#"{"seen":[2279835011],"learned":false,"barren":0}"#;
        let mut learning: Learning = serde_json::from_str(kept).unwrap();
        learning.note("42");
        learning.end_iteration();
        assert_eq!(learning.barren_iterations(), 1);
    }

    #[test]
    fn a_new_number_is_learning_and_an_old_passage_is_not() {
        let mut learning = Learning::default();
        let passage = "The lamp was lit for the first time by the keeper of the island";
        learning.note(passage);
        learning.end_iteration();
        assert_eq!(learning.barren_iterations(), 0);
        learning.note(&passage.to_uppercase());
        learning.end_iteration();
        assert_eq!(learning.barren_iterations(), 1);
        learning.note("42");
        learning.end_iteration();
        assert_eq!(learning.barren_iterations(), 0);
    }
}
