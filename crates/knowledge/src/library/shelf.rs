//! Indexes that an instance keeps between requests, so that a search reads only what is new; and, while a request loads
//! one document after the other, the words that were read already.
//!
//! Border: bounded memory; whose a collection is has been checked by whoever knows its number.

use super::index::Index;
use crate::rank::segment::Builder;
use std::rc::Rc;

/// Bytes that all indexes may take together. The one of a hundred thousand chunks takes about half.
const MOST: usize = 96 * 1024 * 1024;

/// What an instance keeps.
#[derive(Debug, Default)]
pub struct Shelf {
    /// The one used last at the end.
    indexes: Vec<Rc<Index>>,
    builder: Builder,
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

    /// Keeps it in place of an older one, and lets go of what is too much.
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
        let mut bytes: usize = self.indexes.iter().map(|index| index.bytes()).sum();
        while bytes > MOST && !self.indexes.is_empty() {
            bytes -= self.indexes.remove(0).bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(collection: u64, version: u64) -> Rc<Index> {
        Rc::new(Index { collection, version, ..Index::default() })
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
