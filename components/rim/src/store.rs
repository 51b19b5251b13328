//! The key-value store, with values of bounded size and, where it is wanted, an expiry.
//!
//! Spin's store knows no expiry and no lock. An expiry stands in front of its value, and whoever
//! reads looks at it. The bound is here because hosts differ in theirs.

use spin_sdk::key_value;

/// The name of the only store that Quarry uses.
const NAME: &str = "default";

/// Bytes of a value at most, its expiry included: what the smallest host takes.
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
            key_value::Error::StoreTableFull => Self::Failed("too many are open".to_owned()),
            key_value::Error::Other(why) => Self::Failed(why),
        }
    }
}

/// The store, opened.
pub struct Store(key_value::Store);

impl Store {
    /// Opens it.
    ///
    /// # Errors
    /// When it is not granted or does not answer.
    pub async fn open() -> Result<Self, StoreError> {
        Ok(Self(key_value::Store::open(NAME).await?))
    }

    /// The value of a key; none when there is none.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.get(key).await?)
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
        Ok(self.0.set(key, value).await?)
    }

    /// The value that was set with an expiry after `now_ms`, in milliseconds since 1970; none when
    /// it has expired, or has no expiry.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn get_fresh(&self, key: &str, now_ms: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let value = self.get(key).await?;
        Ok(value.and_then(|value| unexpired(&value, now_ms).map(<[u8]>::to_vec)))
    }

    /// Sets a value that counts until `expires_ms`, in milliseconds since 1970.
    ///
    /// # Errors
    /// As [`Store::set`].
    pub async fn set_until(
        &self,
        key: &str,
        expires_ms: u64,
        value: impl AsRef<[u8]>,
    ) -> Result<(), StoreError> {
        self.set(key, with_expiry(expires_ms, value.as_ref())).await
    }

    /// Whether there is a value.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn exists(&self, key: &str) -> Result<bool, StoreError> {
        Ok(self.0.exists(key).await?)
    }

    /// Deletes a key, whether it is there or not.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn delete(&self, key: &str) -> Result<(), StoreError> {
        Ok(self.0.delete(key).await?)
    }

    /// All keys.
    ///
    /// # Errors
    /// When the store does not answer, or breaks off.
    pub async fn keys(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.0.get_keys().await.collect().await?)
    }
}

/// A value behind its expiry: `1700000000000\n…`.
pub fn with_expiry(expires_ms: u64, value: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{expires_ms}\n").into_bytes();
    bytes.extend_from_slice(value);
    bytes
}

/// The value behind an expiry that lies after `now_ms`.
pub fn unexpired(bytes: &[u8], now_ms: u64) -> Option<&[u8]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (expires, value) = bytes.split_at_checked(end)?;
    let expires: u64 = std::str::from_utf8(expires).ok()?.parse().ok()?;
    (expires > now_ms).then(|| value.get(1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_until_its_expiry() {
        let bytes = with_expiry(1_000, b"a\nb");
        assert_eq!(unexpired(&bytes, 999), Some(b"a\nb".as_slice()));
        assert_eq!(unexpired(&bytes, 1_000), None);
        assert_eq!(unexpired(&with_expiry(5, b""), 4), Some(b"".as_slice()));
        for other in [b"".as_slice(), b"1000", b"x\ny", b"-1\ny", b"\xff\ny"] {
            assert_eq!(unexpired(other, 0), None, "{other:?}");
        }
    }
}
