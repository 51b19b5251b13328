//! Indexes that an instance keeps between requests, so that a search reads only what is new.
//!
//! Border: bounded memory; whose a collection is has been checked by whoever knows its number.

use super::index::Index;
use std::rc::Rc;

/// Bytes that all indexes may take together. The one of a hundred thousand chunks takes about half.
const MOST: usize = 96 * 1024 * 1024;

/// Indexes, the one used last at the end.
#[derive(Debug, Default)]
pub struct Shelf(Vec<Rc<Index>>);

impl Shelf {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Shelf {
        Shelf(Vec::new())
    }

    /// The index of a collection, whatever its version.
    pub(super) fn get(&mut self, collection: u64) -> Option<Rc<Index>> {
        let index = self.take(collection)?;
        self.0.push(index.clone());
        Some(index)
    }

    /// Takes it away.
    pub(super) fn take(&mut self, collection: u64) -> Option<Rc<Index>> {
        let at = self.0.iter().position(|index| index.collection == collection)?;
        Some(self.0.remove(at))
    }

    /// Keeps it in place of an older one, and lets go of what is too much.
    pub(super) fn put(&mut self, index: Rc<Index>) {
        if self
            .0
            .iter()
            .any(|known| known.collection == index.collection && known.version > index.version)
        {
            return;
        }
        self.take(index.collection);
        self.0.push(index);
        let mut bytes: usize = self.0.iter().map(|index| index.bytes()).sum();
        while bytes > MOST && !self.0.is_empty() {
            bytes -= self.0.remove(0).bytes();
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
