//! Long bodies, which are kept once under the hash of what they say.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};

/// Bytes of a body that stands in its entry; a longer one is a blob.
pub const LONGEST_INLINE: usize = 4 * 1024;

/// SHA-256 of a text, as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(String);

impl Hash {
    /// Of this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut digits = String::with_capacity(64);
        for byte in Sha256::digest(text.as_bytes()) {
            // A string takes all that is written.
            _ = write!(digits, "{byte:02x}");
        }
        Hash(digits)
    }

    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A long body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blob {
    /// What names it.
    pub hash: Hash,
    /// One value of JSON.
    pub body: String,
}

#[cfg(test)]
mod tests {
    use super::Hash;

    #[test]
    fn a_hash_is_the_standard_one() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of("abc").as_str(), expected);
    }
}
