//! The key-value store, opened once an instance, with values of bounded size.
//!
//! Border: it knows no expiry and no lock, as Spin's does not; what counts for how long is for whoever
//! keeps it to say. The bound is here because hosts differ in theirs.

mod listing;

use crate::clock;
use spin_sdk::key_value;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The name of the only store that Quarry uses.
const NAME: &str = "default";

/// For how long one call is waited for: a store that hangs must not hold a request for ever.
const LIMIT: Duration = Duration::from_secs(5);

/// Bytes of a value at most: what the smallest host takes.
pub const MAX_VALUE: usize = 1_000_000;

/// Why the store did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The value is larger than [`MAX_VALUE`]. A retry will not help.
    #[error("a value of {0} bytes is more than the store takes")]
    TooLarge(usize),
    /// The component was granted no store. A retry will not help.
    #[error("the key-value store is not granted to this component")]
    NotGranted,
    /// Anything else, in the host's words. A retry may help.
    #[error("the key-value store failed: {0}")]
    Failed(String),
}

impl From<key_value::Error> for StoreError {
    fn from(error: key_value::Error) -> Self {
        match error {
            key_value::Error::NoSuchStore | key_value::Error::AccessDenied => Self::NotGranted,
            key_value::Error::StoreTableFull => Self::too_many(),
            key_value::Error::Other(why) => Self::Failed(why),
        }
    }
}

impl StoreError {
    fn too_many() -> Self {
        Self::Failed("too many are open".to_owned())
    }
}

thread_local! {
    /// This instance's store, while it answers. No data of anybody's.
    static OPENED: RefCell<Option<Rc<Store>>> = const { RefCell::new(None) };
}

/// The store, opened.
pub struct Store(key_value::Store);

impl Store {
    /// The instance's store, opened if it is not.
    ///
    /// # Errors
    /// When it is not granted or does not answer.
    pub async fn open() -> Result<Rc<Self>, StoreError> {
        if let Some(store) = OPENED.with_borrow(Clone::clone) {
            return Ok(store);
        }
        let store = Rc::new(Self(answered(key_value::Store::open(NAME)).await?));
        OPENED.set(Some(Rc::clone(&store)));
        Ok(store)
    }

    /// The value of a key; none when there is none.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        answered(self.0.get(key)).await
    }

    /// Sets a value, whatever was there.
    ///
    /// # Errors
    /// When the value is too large, or the store does not answer.
    pub async fn set(&self, key: &str, value: impl AsRef<[u8]>) -> Result<(), StoreError> {
        let length = value.as_ref().len();
        if length > MAX_VALUE {
            return Err(StoreError::TooLarge(length));
        }
        answered(self.0.set(key, value)).await
    }

    /// Whether there is a value.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn exists(&self, key: &str) -> Result<bool, StoreError> {
        answered(self.0.exists(key)).await
    }

    /// Deletes a key, whether it is there or not.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn delete(&self, key: &str) -> Result<(), StoreError> {
        answered(self.0.delete(key)).await
    }

    /// All keys, which no other call waits for.
    ///
    /// # Errors
    /// When the store does not answer.
    pub fn keys(&self) -> Result<Vec<String>, StoreError> {
        listing::keys().inspect_err(|_| OPENED.set(None))
    }
}

/// What comes of a call; after one that failed, or does not end, the store is opened anew.
async fn answered<T>(
    call: impl Future<Output = Result<T, key_value::Error>>,
) -> Result<T, StoreError> {
    let ended = clock::within(LIMIT, call).await;
    let hangs = || Err(StoreError::Failed("it does not answer".to_owned()));
    ended
        .map_or_else(hangs, |result| result.map_err(StoreError::from))
        .inspect_err(|_| OPENED.set(None))
}
