//! Whether one text copies another: by the runs of five words that they share.
//!
//! Border: texts in the order in which they count, in; which of those before each copies, out. Linear: a run of
//! words remembers only the first texts that have it.

use quarry_evidence::text::tokens;
use quarry_types::fnv::bits64 as fingerprint;
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

/// Words of a shingle.
const WORDS: usize = 5;
/// The share of the one text's shingles that the other has to have.
const ALIKE: f64 = 0.8;
/// Shingles below which a text is too short to be called a copy.
const LEAST: usize = 12;
/// Texts that a shingle remembers: boilerplate stands in many.
const HOLDERS: usize = 4;

/// The shingles of a text, as fingerprints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(BTreeSet<u64>);

/// Whom a text is like, by the place among those that were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// Nobody.
    None,
    /// It has little that this one has not.
    Copy(usize),
    /// It has nearly all of this one, and much more.
    Extends(usize),
}

/// Texts that others are compared with.
#[derive(Debug, Default)]
pub struct Shingles {
    sizes: Vec<usize>,
    holders: BTreeMap<u64, Vec<usize>>,
}

impl Shingles {
    /// The shingles of a text.
    #[must_use]
    pub fn of(text: &str) -> Text {
        let words: Vec<u64> =
            tokens(text).iter().map(|token| fingerprint(token.word.bytes())).collect();
        let of = |window: &[u64]| fingerprint(window.iter().flat_map(|word| word.to_le_bytes()));
        Text(words.windows(WORDS).map(of).gather())
    }

    /// Whom of those that were kept a text is like; of several the one it shares most with.
    #[must_use]
    pub fn like(&self, text: &Text) -> Likeness {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for holders in text.0.iter().filter_map(|shingle| self.holders.get(shingle)) {
            for holder in holders {
                *shared.entry(*holder).or_default() += 1;
            }
        }
        let best =
            shared.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, shared)) = best else { return Likeness::None };
        let size = self.sizes.get(at).copied().unwrap_or_default();
        if is_share(shared, text.0.len()) {
            Likeness::Copy(at)
        } else if is_share(shared, size) {
            Likeness::Extends(at)
        } else {
            Likeness::None
        }
    }

    /// Keeps a text, for later ones to be compared with.
    pub fn keep(&mut self, text: &Text) {
        let at = self.sizes.len();
        self.sizes.push(text.0.len());
        for shingle in &text.0 {
            let holders = self.holders.entry(*shingle).or_default();
            if holders.len() < HOLDERS {
                holders.push(at);
            }
        }
    }

    /// Forgets the text that was kept last, which is this one.
    pub fn forget_last(&mut self, text: &Text) {
        if self.sizes.pop().is_none() {
            return;
        }
        let at = self.sizes.len();
        for shingle in &text.0 {
            if let Some(holders) = self.holders.get_mut(shingle) {
                holders.retain(|holder| *holder != at);
                if holders.is_empty() {
                    self.holders.remove(shingle);
                }
            }
        }
    }
}

/// Whether so many shared shingles are nearly all of so many.
fn is_share(shared: usize, all: usize) -> bool {
    #[allow(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = shared as f64 / all.max(1) as f64;
    all >= LEAST && share >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "The lighthouse of Sker stands on a rock in the north of the bay. It was built in 1823 \
        by Ann Marsh and has 196 steps, a lamp of brass and a horn that nobody hears.";

    fn like(before: &[&str], text: &str) -> Likeness {
        let mut shingles = Shingles::default();
        for text in before {
            let text = Shingles::of(text);
            shingles.keep(&text);
        }
        shingles.like(&Shingles::of(text))
    }

    #[test]
    fn copies_are_told_from_texts_that_quote_and_texts_that_share_a_subject() {
        let other = "Bread of the island is baked from rye in two ovens, and sold on the square on Fridays \
            before noon by those who bake it.";
        assert_eq!(like(&[other, TEXT], &TEXT.to_uppercase()), Likeness::Copy(1));
        assert_eq!(
            like(&[TEXT], TEXT.split_once("by Ann").unwrap().0),
            Likeness::Copy(0),
            "an excerpt"
        );
        let longer = format!("{TEXT} {other} {}", other.replace(' ', " and "));
        assert_eq!(like(&[TEXT], &longer), Likeness::Extends(0));
        assert_eq!(like(&[TEXT], other), Likeness::None);
        assert_eq!(
            like(
                &[TEXT],
                "The lighthouse of Sker has 212 steps and was built on a rock in the south of the bay by Tom Reed"
            ),
            Likeness::None
        );
        assert_eq!(
            like(&["has 196 steps, a lamp"], "has 196 steps, a lamp"),
            Likeness::None,
            "too short"
        );
        assert_eq!(like(&[""], ""), Likeness::None);
    }

    #[test]
    fn fingerprints_are_those_of_the_published_algorithm() {
        assert_eq!(fingerprint("".bytes()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint("a".bytes()), 0xaf63_dc4c_8601_ec8c);
    }

    proptest! {
        #[test]
        fn any_text_of_some_length_is_a_copy_of_itself(text in "([a-z]{1,6} ){20,40}", odd in "\\PC{0,40}") {
            let kept = format!("{text}{odd}");
            let mut shingles = Shingles::default();
            let own = Shingles::of(&kept);
            let expected = if own.0.len() >= LEAST { Likeness::Copy(0) } else { Likeness::None };
            shingles.keep(&own);
            prop_assert_eq!(shingles.like(&own), expected);
        }
    }
}
