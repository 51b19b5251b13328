//! The words of the evidence by number, and how much each tells.

use super::words;
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
    recent: Vec<(String, Term)>,
    /// By term.
    roots: Vec<String>,
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
        self.recent.resize_with(RECENT, || (String::new(), Term(0)));
        let at = slot(word);
        if let Some((_, term)) = self.recent.get(at).filter(|(recent, _)| recent == word) {
            return *term;
        }
        let term = match self.words.get(word) {
            Some(term) => *term,
            None => {
                let term = self.term(words::root(word));
                self.words.insert(word.to_owned(), term);
                term
            }
        };
        if let Some(recent) = self.recent.get_mut(at) {
            *recent = (word.to_owned(), term);
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

/// Where a word stands among the recent ones (FNV-1a).
fn slot(word: &str) -> usize {
    let mixed = word
        .bytes()
        .fold(0x811c_9dc5_u32, |mixed, byte| (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (mixed ^ (mixed >> 16)) as usize % RECENT
}

/// Notes a place behind all before it, once.
fn note(places: &mut Vec<u32>, place: u32) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}
