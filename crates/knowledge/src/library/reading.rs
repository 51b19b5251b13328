//! One reader of a collection's index at a time within an instance, and those who wait for what it reads: each index
//! takes tens of MiB, and all who ask at once want the same.
//!
//! Border: who reads, and whose bells ring when that is over. What is read, and for how long it is waited for, is decided
//! by whoever waits.

use super::store::Bell;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// The readers of an instance, by collection.
#[derive(Debug, Default)]
pub(super) struct Readers(BTreeMap<u64, Weak<Reader>>);

/// Somebody who reads, and the bells of those who wait. However it ends, they are dropped with it: the first who hears
/// that looks, and reads if it has to.
#[derive(Debug, Default)]
pub(super) struct Reader(RefCell<Vec<Bell>>);

impl Readers {
    /// Begins to read; none: somebody does, and this bell rings when that is over.
    pub fn begin(&mut self, collection: u64, bell: impl FnOnce() -> Bell) -> Option<Rc<Reader>> {
        self.0.retain(|_, reader| reader.strong_count() > 0);
        if let Some(reader) = self.0.get(&collection).and_then(Weak::upgrade) {
            reader.0.borrow_mut().push(bell());
            return None;
        }
        let reader = Rc::<Reader>::default();
        self.0.insert(collection, Rc::downgrade(&reader));
        Some(reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bells_ring_when_their_reader_has_ended() {
        let mut readers = Readers::default();
        let rope = Rc::new(());
        let bell = || -> Bell { Box::new(rope.clone()) };
        let reader = readers.begin(1, bell).unwrap();
        assert!(readers.begin(2, bell).is_some(), "another collection");
        assert_eq!(Rc::strong_count(&rope), 1, "who reads has none");
        assert!(readers.begin(1, bell).is_none() && readers.begin(1, bell).is_none());
        assert_eq!(Rc::strong_count(&rope), 3);
        drop(reader);
        assert_eq!(Rc::strong_count(&rope), 1);
        assert!(readers.begin(1, bell).is_some(), "the next reads");
    }
}
