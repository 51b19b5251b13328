//! The words of the evidence by number, and how much each tells.

use super::words;
use quarry_types::fnv;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Words that are found again at once.
const RECENT: usize = 1_024;

/// A root of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(u32);

/// The roots of the evidence, with the sentences that have them.
#[derive(Debug, Default)]
pub struct Lexicon {
    terms: BTreeMap<String, Term>,
    /// Folded words that were met, so that each finds its root once.
    words: BTreeMap<String, Term>,
    /// Of these the last ones, by a number made of their letters: most words of a text are few.
    recent: Vec<Option<(String, Term)>>,
    /// By term.
    roots: Vec<String>,
    /// By term: whether all its words that were met say too little to be looked for. Their root may be another word's:
    /// `used` has that of `us`.
    is_small: Vec<bool>,
    /// By term: the sentences that have it, in order.
    places: Vec<Vec<u32>>,
    /// By term: the passages whose title or headings have it, in order.
    above: Vec<Vec<u32>>,
}

impl Lexicon {
    /// The term of a folded word that stands in a sentence.
    pub fn note(&mut self, word: &str, sentence: Option<u32>) -> Term {
        let term = self.of(word);
        if let Some((places, sentence)) = self.places.get_mut(term.0 as usize).zip(sentence) {
            note(places, sentence);
        }
        term
    }

    /// Notes a folded word that stands above a passage.
    pub fn note_above(&mut self, word: &str, passage: u32) {
        let term = self.of(word);
        if let Some(above) = self.above.get_mut(term.0 as usize) {
            note(above, passage);
        }
    }

    /// The term of a folded word, which may be new.
    fn of(&mut self, word: &str) -> Term {
        self.recent.resize(RECENT, None);
        let at = slot(word);
        // A word can be empty: what `n't` leaves where it stands alone.
        if let Some(Some((recent, term))) = self.recent.get(at)
            && recent == word
        {
            return *term;
        }
        let term = match self.words.get(word) {
            Some(term) => *term,
            None => {
                let term = self.term(words::root(word));
                if let Some(is_small) = self.is_small.get_mut(term.0 as usize) {
                    *is_small &= words::is_function_word(word);
                }
                self.words.insert(word.to_owned(), term);
                term
            }
        };
        if let Some(recent) = self.recent.get_mut(at) {
            *recent = Some((word.to_owned(), term));
        }
        term
    }

    /// Forgets what only helps to take words in.
    pub fn close(&mut self) {
        self.recent = Vec::new();
        self.words = BTreeMap::new();
    }

    /// The term of a root, which may be new.
    fn term(&mut self, root: Cow<'_, str>) -> Term {
        if let Some(term) = self.terms.get(root.as_ref()) {
            return *term;
        }
        let term = Term(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        self.roots.push(root.to_string());
        self.is_small.push(true);
        self.places.push(Vec::new());
        self.above.push(Vec::new());
        self.terms.insert(root.into_owned(), term);
        term
    }

    /// The term of a root, if the evidence has it.
    pub fn get(&self, root: &str) -> Option<Term> {
        self.terms.get(root).copied()
    }

    /// The root of a term.
    pub fn root(&self, term: Term) -> &str {
        self.roots.get(term.0 as usize).map_or("", String::as_str)
    }

    /// Whether all words of this term that were met say too little to be looked for.
    pub fn is_small(&self, term: Term) -> bool {
        self.is_small.get(term.0 as usize).copied().unwrap_or_default()
    }

    /// The sentences with this term, in order.
    pub fn places(&self, term: Term) -> &[u32] {
        self.places.get(term.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The passages whose title or headings have this term, in order.
    pub fn above(&self, term: Term) -> &[u32] {
        self.above.get(term.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// How much a term tells among so many sentences: those that few sentences have, and those that none
    /// has, tell most.
    pub fn weight(&self, term: Option<Term>, sentences: usize) -> f64 {
        let having = term.map_or(0, |term| self.places(term).len());
        #[allow(clippy::cast_precision_loss, reason = "counts of sentences are small")]
        let ratio = (sentences as f64 + 1.0) / (having as f64 + 1.0);
        1.0 + ratio.ln()
    }
}

/// Where a word stands among the recent ones.
fn slot(word: &str) -> usize {
    let mixed = fnv::bits32(word.bytes());
    (mixed ^ (mixed >> 16)) as usize % RECENT
}

/// Notes a place behind all before it, once.
fn note(places: &mut Vec<u32>, place: u32) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;
    use proptest::prelude::*;

    /// The sentences that have a root, by the root: what a lexicon holds, without any haste.
    fn plain(sentences: &[String]) -> BTreeMap<String, Vec<u32>> {
        let mut places: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (sentence, at) in sentences.iter().zip(0..) {
            for token in tokens(sentence) {
                note(places.entry(words::root(&token.word).into_owned()).or_default(), at);
            }
        }
        places
    }

    #[test]
    fn a_term_is_small_where_all_its_words_are() {
        let is_small = |text: &str| {
            let mut lexicon = Lexicon::default();
            let terms = tokens(text).into_iter().map(|it| lexicon.note(&it.word, Some(0)));
            let terms: Vec<Term> = terms.collect();
            terms.into_iter().all(|term| lexicon.is_small(term))
        };
        assert!(is_small("this was his during these, and they, because it does, have any"));
        for text in ["us used", "use", "lamp"] {
            assert!(!is_small(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn words_that_are_found_again_at_once_are_those_that_were_met(
            sentences in prop::collection::vec("(n't|did n't|[Oo]rrin|lamps?|[a-z]{1,2}|[0-9]| ){0,30}", 0..8),
            more in 0_u32..3_000,
        ) {
            // So many words that some have the place of others.
            let more = (0..more).map(|n| format!("w{n} n't w{}", n / 2));
            let sentences: Vec<String> = sentences.iter().cloned().chain(more).collect();
            let mut lexicon = Lexicon::default();
            for (sentence, at) in sentences.iter().zip(0..) {
                for token in tokens(sentence) {
                    let term = lexicon.note(&token.word, Some(at));
                    let root = words::root(&token.word);
                    prop_assert_eq!(lexicon.root(term), root.as_ref());
                }
            }
            let plain = plain(&sentences);
            prop_assert_eq!(lexicon.terms.len(), plain.len());
            for (root, places) in &plain {
                prop_assert_eq!(lexicon.get(root).map(|term| lexicon.places(term)), Some(&**places), "{}", root);
            }
        }
    }
}
