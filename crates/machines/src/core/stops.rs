//! Sequences that end a text, wherever its pieces are cut.

use serde::{Deserialize, Serialize};

/// Ends a text before the first of some sequences.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stops {
    sequences: Vec<String>,
    /// What may be the beginning of one.
    held: String,
    is_met: bool,
}

impl Stops {
    /// Of these sequences; empty ones end nothing.
    #[must_use]
    pub fn new(mut sequences: Vec<String>) -> Self {
        sequences.retain(|sequence| !sequence.is_empty());
        Stops { sequences, ..Stops::default() }
    }

    /// Whether one was met.
    #[must_use]
    pub const fn is_met(&self) -> bool {
        self.is_met
    }

    /// Takes the next piece, and gives what of the text cannot belong to a sequence.
    pub fn pass(&mut self, piece: &str) -> String {
        if self.is_met {
            return String::new();
        }
        self.held.push_str(piece);
        if let Some(at) = self.first(&self.held) {
            self.is_met = true;
            let mut text = std::mem::take(&mut self.held);
            text.truncate(at);
            return text;
        }
        let ready = self.held.len() - self.begun();
        let rest = self.held.split_off(ready);
        std::mem::replace(&mut self.held, rest)
    }

    /// What was held back, when nothing more comes.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// A whole text up to the first sequence.
    pub fn cut<'t>(&mut self, whole: &'t str) -> &'t str {
        match self.first(whole) {
            Some(at) => {
                self.is_met = true;
                self.held.clear();
                whole.get(..at).unwrap_or(whole)
            }
            None => whole,
        }
    }

    /// Where the one begins that is whole first: which one that is, no later text changes.
    fn first(&self, text: &str) -> Option<usize> {
        let met = self
            .sequences
            .iter()
            .filter_map(|sequence| text.find(sequence).map(|at| (at + sequence.len(), at)));
        met.min().map(|(_, at)| at)
    }

    /// Bytes at the end of what is held with which a sequence may have begun.
    fn begun(&self) -> usize {
        let of_one = |sequence: &String| {
            let begins = sequence.char_indices().map(|(at, _)| at).rev();
            let mut begins = begins.filter_map(|at| sequence.get(..at));
            begins.find(|begin| self.held.ends_with(begin)).map_or(0, str::len)
        };
        self.sequences.iter().map(of_one).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_cutting_gives_what_the_whole_text_gives(
            pieces in prop::collection::vec("[abé]{0,4}", 0..8),
            sequences in prop::collection::vec("[abé]{0,3}", 0..3),
        ) {
            let mut whole = Stops::new(sequences.clone());
            let text = pieces.concat();
            let expected = whole.cut(&text).to_owned();
            let mut stops = Stops::new(sequences);
            let mut passed: String = pieces.iter().map(|piece| stops.pass(piece)).collect();
            passed.push_str(&stops.rest());
            prop_assert_eq!(passed, expected);
            prop_assert_eq!(stops.is_met(), whole.is_met());
        }
    }

    #[test]
    fn nothing_is_held_that_cannot_be_a_stop() {
        let mut stops = Stops::new(vec!["END".into()]);
        assert_eq!(stops.pass("one E"), "one ");
        assert_eq!(stops.pass("xit, EN"), "Exit, ");
        assert_eq!(stops.pass("D and more"), "");
        assert!(stops.is_met());
        assert_eq!(stops.pass("even more"), "");
    }
}
