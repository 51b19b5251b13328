//! The key-value store as one search, or one visit, uses it.
//!
//! Border: nothing fails for want of it. A store that hangs takes seconds to say so, and whoever waited for each
//! call would have no time left for what was asked: after its first failure it is left alone.

use quarry_rim::store::{Store, StoreError};
use std::cell::RefCell;
use std::rc::Rc;

/// The store; none once it has failed.
pub struct Kept(RefCell<Option<Rc<Store>>>);

impl Kept {
    pub async fn open() -> Self {
        Self(RefCell::new(Store::open().await.ok()))
    }

    /// None where there is no value, and where that cannot be known.
    pub async fn get(&self, key: &str) -> Option<Vec<u8>> {
        let store = self.store()?;
        self.heard(store.get(key).await).flatten()
    }

    /// What cannot be written is what nobody finds.
    pub async fn set(&self, key: &str, value: impl AsRef<[u8]>) {
        if let Some(store) = self.store() {
            self.heard(store.set(key, value).await);
        }
    }

    pub async fn delete(&self, key: &str) {
        if let Some(store) = self.store() {
            self.heard(store.delete(key).await);
        }
    }

    fn store(&self) -> Option<Rc<Store>> {
        self.0.borrow().clone()
    }

    fn heard<T>(&self, done: Result<T, StoreError>) -> Option<T> {
        match done {
            Ok(value) => Some(value),
            // The value is to blame, and the store works.
            Err(StoreError::TooLarge(_)) => None,
            Err(StoreError::NotGranted | StoreError::Failed(_)) => {
                *self.0.borrow_mut() = None;
                None
            }
        }
    }
}
