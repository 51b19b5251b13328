//! At a glance: whether a word can be one of a list.
//!
//! Border: words in, yes or no out. Most words are none of a list, and by their first letter and their length that is
//! nearly always plain.

/// What words of a list begin with, and how long they are then.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gate([u32; 32]);

impl Gate {
    /// That of a list.
    #[must_use]
    pub const fn of(words: &[&str]) -> Gate {
        let (mut gate, mut rest) = (Gate([0; 32]), words);
        while let [word, others @ ..] = rest {
            gate = gate.with(word);
            rest = others;
        }
        gate
    }

    /// The same, with another word.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "a place below 32; `get_mut` is not for constants")]
    pub const fn with(mut self, word: &str) -> Gate {
        let (place, bit) = Self::place(word);
        self.0[place] |= bit;
        self
    }

    /// Whether a word may be one of the list. Where not, it is none.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "a place below 32")]
    pub const fn may_have(&self, word: &str) -> bool {
        let (place, bit) = Self::place(word);
        self.0[place] & bit != 0
    }

    const fn place(word: &str) -> (usize, u32) {
        let length = if word.len() < 31 { word.len() } else { 31 };
        match word.as_bytes() {
            [first, ..] => ((*first & 31) as usize, 1 << length),
            [] => (0, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_word_of_the_list_is_kept_out(words in prop::collection::vec("\\PC{0,40}", 0..9)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let gate = Gate::of(&words);
            prop_assert!(words.iter().all(|word| gate.may_have(word)));
        }
    }

    #[test]
    fn most_other_words_are() {
        let gate = Gate::of(&["never", "not"]);
        assert!(!["keeper", "no", "nobody", "the", ""].iter().any(|word| gate.may_have(word)));
    }
}
