//! The words of the evidence by number, and how much each tells.

use super::words;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A root of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(u32);

/// The roots of the evidence, with the sentences that have them.
#[derive(Debug, Default)]
pub struct Lexicon {
    terms: BTreeMap<String, Term>,
    /// Folded words that were met, so that each finds its root once.
    words: BTreeMap<String, Term>,
    /// By term.
    roots: Vec<String>,
    /// By term: the sentences that have it, in order.
    places: Vec<Vec<u32>>,
}

impl Lexicon {
    /// The term of a folded word, which may be new, noted for a sentence if it stands in one.
    pub fn note(&mut self, word: &str, sentence: Option<u32>) -> Term {
        let term = match self.words.get(word) {
            Some(term) => *term,
            None => {
                let term = self.term(words::root(word));
                self.words.insert(word.to_owned(), term);
                term
            }
        };
        if let Some(sentence) = sentence
            && let Some(places) = self.places.get_mut(term.0 as usize)
            && places.last() != Some(&sentence)
        {
            places.push(sentence);
        }
        term
    }

    /// The term of a root, which may be new.
    fn term(&mut self, root: Cow<'_, str>) -> Term {
        if let Some(term) = self.terms.get(root.as_ref()) {
            return *term;
        }
        let term = Term(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        self.roots.push(root.to_string());
        self.places.push(Vec::new());
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

    /// The sentences with this term, in order.
    pub fn places(&self, term: Term) -> &[u32] {
        self.places.get(term.0 as usize).map_or(&[], Vec::as_slice)
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
