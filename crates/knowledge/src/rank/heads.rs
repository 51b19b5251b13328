//! Words by their first bytes, for whoever looks for many of them: all are taken apart once, and a look is a few comparisons
//! of numbers.
//!
//! Border: it finds what the words themselves find.

use super::packed::{HEAD, Words, head};
use std::cell::OnceCell;

/// Words that their first bytes tell from all others, in their order.
#[derive(Debug, Clone, Default)]
pub struct Heads {
    heads: Vec<u128>,
    numbers: Vec<u32>,
}

impl Heads {
    /// Takes words apart.
    #[must_use]
    pub fn of(words: &Words) -> Heads {
        let mut heads = Heads::default();
        let mut walk = words.walk();
        while let Some(word) = walk.word() {
            if is_told(word) {
                heads.heads.push(head(word));
                heads.numbers.push(walk.number());
            }
            walk.advance();
        }
        heads
    }
}

/// Whether no other word has its head: one without a zero that ends within it.
fn is_told(word: &[u8]) -> bool {
    word.len() < HEAD && !word.contains(&0)
}

/// The heads of words, made when they are wanted first. They are made of the words: whatever has the same words is the same.
#[derive(Debug, Clone, Default)]
pub struct KeptHeads(OnceCell<Heads>);

impl PartialEq for KeptHeads {
    fn eq(&self, _: &KeptHeads) -> bool {
        true
    }
}

impl KeptHeads {
    /// Looks through the words that they are of.
    pub fn looks<'w>(&'w self, words: &'w Words) -> Looks<'w> {
        Looks { words, heads: self.0.get_or_init(|| Heads::of(words)), from: 0 }
    }

    /// Bytes of memory that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = size_of::<u128>() + size_of::<u32>();
        self.0.get().map_or(0, |heads| heads.heads.len() * each)
    }
}

/// A way through words in their order.
#[derive(Debug)]
pub struct Looks<'w> {
    words: &'w Words,
    heads: &'w Heads,
    from: usize,
}

impl Looks<'_> {
    /// The number of a word, which comes behind all that were asked for before.
    pub fn find(&mut self, word: &[u8]) -> Option<u32> {
        if !is_told(word) {
            return self.words.find_bytes(word);
        }
        let head = head(word);
        let rest = self.heads.heads.get(self.from..)?;
        let is_before = |other: &u128| *other < head;
        let mut reach = 1;
        while rest.get(reach).is_some_and(is_before) {
            reach *= 2;
        }
        let among = rest.get(reach / 2..rest.len().min(reach + 1))?;
        self.from += reach / 2 + among.partition_point(is_before);
        let is_there = self.heads.heads.get(self.from) == Some(&head);
        self.heads.numbers.get(self.from).copied().filter(|_| is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_words_find_is_found(
            words in prop::collection::btree_map("(a{13})?[ab\\x00]{0,6}", any::<u32>(), 0..80),
            asked in prop::collection::btree_set("(a{13})?[ab\\x00]{0,7}", 0..60),
        ) {
            let packed = Words::pack(words.iter().map(|(word, number)| (word.as_str(), *number)));
            let heads = KeptHeads::default();
            for _ in 0..2 {
                let mut looks = heads.looks(&packed);
                for asked in &asked {
                    prop_assert_eq!(looks.find(asked.as_bytes()), words.get(asked).copied());
                }
            }
        }
    }
}
