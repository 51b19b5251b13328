//! What this instance drives: told directly what concerns it, whatever its store does.
//!
//! Border: `quarry-journal` knows the names and the wishes; here each is one instance's.

use quarry_journal::UnderWay;
use quarry_types::AskId;
use std::cell::RefCell;

thread_local! {
    /// This instance's. A name is a hash, and tells nothing of anybody.
    static UNDER_WAY: RefCell<UnderWay> = const { RefCell::new(UnderWay::new()) };
}

/// An ask that is driven here, until it is dropped.
pub struct Driving(AskId);

impl Driving {
    pub fn begin(id: AskId) -> Self {
        UNDER_WAY.with_borrow_mut(|all| all.begins(id));
        Driving(id)
    }

    /// Whether somebody has wanted its end since this was asked last.
    pub fn is_to_end(&self) -> bool {
        UNDER_WAY.with_borrow_mut(|all| all.is_to_end(self.0))
    }
}

impl Drop for Driving {
    fn drop(&mut self) {
        UNDER_WAY.with_borrow_mut(|all| all.ends(self.0));
    }
}

/// A reader of an ask that it did not begin, until it is dropped.
pub struct Reader(AskId);

impl Reader {
    pub fn joins(id: AskId) -> Self {
        UNDER_WAY.with_borrow_mut(|all| all.joins(id));
        Reader(id)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        UNDER_WAY.with_borrow_mut(|all| all.leaves(self.0));
    }
}

/// Whether such a one reads an ask that is driven here.
pub fn is_read(id: AskId) -> bool {
    UNDER_WAY.with_borrow(|all| all.is_read(id))
}

/// It has this name, too, where it is driven here.
pub fn name(id: AskId, name: &str) {
    UNDER_WAY.with_borrow_mut(|all| all.name(id, name));
}

/// The newest that has this name.
pub fn named(name: &str) -> Option<AskId> {
    UNDER_WAY.with_borrow(|all| all.named(name))
}

/// Whether it is driven here.
pub fn is_driven(id: AskId) -> bool {
    UNDER_WAY.with_borrow(|all| all.is_driven(id))
}

/// Somebody wants its end; whether it is driven here, and hears of it at its next step.
pub fn wants_end(id: AskId) -> bool {
    UNDER_WAY.with_borrow_mut(|all| all.wants_end(id))
}
