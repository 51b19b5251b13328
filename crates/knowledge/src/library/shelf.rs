//! Indexes that an instance keeps between requests, so that a search reads only what is new; and, while a request loads
//! one document after the other, the words that were read already.
//!
//! Border: bounded memory; whose a collection is has been checked by whoever knows its number.

use super::index::Index;
use super::store::Bell;
use crate::rank::segment::Builder;
use quarry_types::single_flight::SingleFlight;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes that all indexes may take together. The one of a hundred thousand chunks takes about half.
const MOST: usize = 96 * 1024 * 1024;
/// By which part of its chunks a collection without room has to shrink before it is tried again.
const NOTICEABLE: usize = 16;

/// What an instance keeps.
#[derive(Debug)]
pub struct Shelf {
    /// Bytes that all indexes may take together.
    pub(super) most: usize,
    /// The one used last at the end.
    indexes: Vec<Rc<Index>>,
    /// Who reads which: each takes tens of MiB, and all who ask at once want the same.
    pub(super) readers: SingleFlight<u64, (), Bell>,
    builder: Builder,
    /// Collections that wait for vectors, by their numbers.
    waiting: BTreeMap<u64, Wait>,
    /// What was found when collections were tried last.
    tried: BTreeMap<u64, Tried>,
}

impl Default for Shelf {
    fn default() -> Self {
        let (indexes, builder) = (Vec::new(), Builder::default());
        let (waiting, tried) = (BTreeMap::new(), BTreeMap::new());
        Shelf { most: MOST, indexes, readers: SingleFlight::default(), builder, waiting, tried }
    }
}

/// Why a collection has no vectors of the model that is set.
#[derive(Debug)]
struct Wait {
    model: String,
    tried: Tried,
    why: String,
}

/// What was found when a collection was tried.
#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    /// Chunks that it had.
    chunks: usize,
    /// Tokens that it would take; none: it has no room for them, whatever may be paid.
    wants: Option<u64>,
}

impl Tried {
    /// Whether so many chunks may get their vectors, when so many tokens may be paid for. To find out takes the texts
    /// of all chunks: what only may be a little less is not tried.
    fn may_end(&self, chunks: usize, left: u64) -> bool {
        let wide = |chunks: usize| u128::try_from(chunks).unwrap_or(u128::MAX);
        match self.wants {
            Some(wants) => {
                let all = u128::from(wants).saturating_mul(wide(chunks));
                all <= u128::from(left).saturating_mul(wide(self.chunks))
            }
            None => chunks < self.chunks - self.chunks / NOTICEABLE,
        }
    }
}

impl Shelf {
    /// An empty one.
    #[must_use]
    pub fn new() -> Shelf {
        Shelf::default()
    }

    /// What makes segments, empty, with the words that it knows.
    pub(super) const fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// Lets go of the words that were read: no document is kept by them when a request has ended.
    pub(super) fn forget(&mut self) {
        self.builder = Builder::default();
    }

    /// A collection of so many chunks is tried. Until that has succeeded it waits as it did.
    pub(super) fn tries(&mut self, (collection, chunks): (u64, usize)) {
        self.tried.insert(collection, Tried { chunks, wants: None });
    }

    /// It would take so many tokens to be embedded anew, which are too many.
    pub(super) fn wants(&mut self, collection: u64, tokens: u64) {
        self.tried.entry(collection).or_default().wants = Some(tokens);
    }

    /// A collection that was tried waits for vectors of this model, and why.
    pub(super) fn wait(&mut self, collection: u64, model: &str, why: String) {
        let tried = self.tried.remove(&collection).unwrap_or_default();
        self.waiting.insert(collection, Wait { model: model.to_owned(), tried, why });
    }

    /// Why a collection of so many chunks still waits, when this model may be paid for so many tokens; none: it may be
    /// tried. With fewer chunks than it had, whoever took them away, what was too dear or too large may not be any more.
    pub(super) fn waits(
        &self,
        (collection, chunks): (u64, usize),
        left: Option<(&str, u64)>,
    ) -> Option<String> {
        let (model, left) = left?;
        let wait = self.waiting.get(&collection).filter(|wait| wait.model == model)?;
        (!wait.tried.may_end(chunks, left)).then(|| wait.why.clone())
    }

    /// It has the vectors that it is to have.
    pub(super) fn waits_no_more(&mut self, collection: u64) {
        self.tried.remove(&collection);
        self.waiting.remove(&collection);
    }

    /// The index of a collection, whatever its version.
    pub(super) fn get(&mut self, collection: u64) -> Option<Rc<Index>> {
        let index = self.take(collection)?;
        self.indexes.push(index.clone());
        Some(index)
    }

    /// Takes it away.
    pub(super) fn take(&mut self, collection: u64) -> Option<Rc<Index>> {
        let at = self.indexes.iter().position(|index| index.collection == collection)?;
        Some(self.indexes.remove(at))
    }

    /// Keeps it in place of an older one, and lets go of what is too much. However large it is, it stays: to read it
    /// again for each question would take longer than to answer.
    pub(super) fn put(&mut self, index: Rc<Index>) {
        if self
            .indexes
            .iter()
            .any(|known| known.collection == index.collection && known.version > index.version)
        {
            return;
        }
        self.take(index.collection);
        self.indexes.push(index);
        self.lets_go(self.most, 1);
    }

    /// Lets go of what has no room beside one of so many bytes that is about to be read.
    pub(super) fn makes_room(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.lets_go(self.most.saturating_sub(bytes), 0);
    }

    /// Lets go of what is more than so many bytes, but not of so many that were used last.
    fn lets_go(&mut self, most: usize, stay: usize) {
        let mut bytes: usize = self.indexes.iter().map(|index| index.bytes()).sum();
        while bytes > most && self.indexes.len() > stay {
            bytes -= self.indexes.remove(0).bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::lsa::{Vector, Vectors};
    use crate::rank::search::Collection;

    fn index(collection: u64, version: u64) -> Rc<Index> {
        Rc::new(Index { collection, version, ..Index::default() })
    }

    #[test]
    fn the_index_used_last_stays_however_large_it_is() {
        let mut embedded = Vectors::new(1, 100);
        embedded.push(&Vector::of(&[1.0; 100]));
        let large = |collection| {
            let content = Collection { embedded: vec![embedded.clone()], ..Collection::default() };
            Rc::new(Index { collection, content, ..Index::default() })
        };
        let mut shelf = Shelf::new();
        shelf.most = 50;
        shelf.put(large(1));
        assert!(shelf.get(1).is_some(), "it would be read again for each question");
        shelf.put(large(2));
        assert!(shelf.get(1).is_none() && shelf.get(2).is_some());
    }

    #[test]
    fn a_collection_waits_until_more_may_be_paid_for_or_something_has_changed() {
        let mut shelf = Shelf::new();
        shelf.tries((1, 9));
        shelf.wants(1, 900);
        shelf.wait(1, "openai:large", "too dear".to_owned());
        let waits = |shelf: &Shelf, chunks, model, left| {
            shelf.waits((1, chunks), Some((model, left))).is_some()
        };
        assert!(waits(&shelf, 9, "openai:large", 899));
        assert!(!waits(&shelf, 9, "openai:large", 900));
        assert!(!waits(&shelf, 9, "openai:small", 0) && shelf.waits((1, 9), None).is_none());
        // While it is tried, others go on; and with more of it, more is wanted.
        shelf.tries((1, 9));
        assert!(waits(&shelf, 9, "openai:large", 899) && waits(&shelf, 10, "openai:large", 999));
        shelf.waits_no_more(1);
        assert!(!waits(&shelf, 9, "openai:large", 0));
        // What has no room has none for any money, whatever was too dear before.
        shelf.wants(1, 900);
        shelf.tries((1, 9));
        shelf.wait(1, "openai:large", "too large".to_owned());
        assert!(waits(&shelf, 9, "openai:large", u64::MAX));
        // Until there is less of it than there was.
        assert!(waits(&shelf, 20, "openai:large", 0) && waits(&shelf, 12, "openai:large", 0));
        assert!(!waits(&shelf, 8, "openai:large", 0));
    }

    #[test]
    fn a_collection_that_shrinks_a_little_is_not_tried_each_time() {
        let mut shelf = Shelf::new();
        let model = "openai:large";
        let waits =
            |shelf: &Shelf, chunks, left| shelf.waits((1, chunks), Some((model, left))).is_some();
        shelf.tries((1, 100_000));
        shelf.wants(1, 50_000_000);
        shelf.wait(1, model, "too dear".to_owned());
        assert!(waits(&shelf, 99_999, 1_000_000) && waits(&shelf, 2_001, 1_000_000));
        assert!(!waits(&shelf, 2_000, 1_000_000));
        shelf.tries((1, 100_000));
        shelf.wait(1, model, "too large".to_owned());
        assert!(waits(&shelf, 99_999, u64::MAX) && waits(&shelf, 93_750, u64::MAX));
        assert!(!waits(&shelf, 93_749, u64::MAX));
    }

    #[test]
    fn an_older_version_does_not_come_back() {
        let mut shelf = Shelf::new();
        shelf.put(index(1, 4));
        shelf.put(index(2, 1));
        shelf.put(index(1, 3));
        assert_eq!(shelf.get(1).map(|index| index.version), Some(4));
        shelf.put(index(1, 5));
        assert_eq!(shelf.get(1).map(|index| index.version), Some(5));
        assert!(shelf.take(2).is_some() && shelf.get(2).is_none());
    }
}
