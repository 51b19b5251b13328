//! What a collection of documents is called.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a collection of documents: 1 to 64 of `a`–`z`, `0`–`9`, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    inline,
    extend("maxLength" = CollectionName::MAX_CHARACTERS, "pattern" = "^[a-z0-9_-]*$"),
))]
pub struct CollectionName(String);

/// Why a text is no name of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("wants 1 to {} of a–z, 0–9, - and _, as in field-manuals", CollectionName::MAX_CHARACTERS)]
pub struct CollectionNameError;

impl CollectionName {
    /// The collection of whoever names none.
    pub const DEFAULT: &'static str = "default";
    /// Characters of a name.
    pub const MAX_CHARACTERS: usize = 64;

    /// Reads one; none: `default`.
    ///
    /// # Errors
    /// [`CollectionNameError`] for what is no name.
    pub fn read(name: Option<&str>) -> Result<CollectionName, CollectionNameError> {
        let name = name.unwrap_or(Self::DEFAULT);
        let plain = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        if (1..=Self::MAX_CHARACTERS).contains(&name.len()) && name.bytes().all(plain) {
            return Ok(CollectionName(name.to_owned()));
        }
        Err(CollectionNameError)
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is that of whoever names none.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == Self::DEFAULT
    }
}

impl fmt::Display for CollectionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for CollectionName {
    type Error = CollectionNameError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        CollectionName::read(Some(&name))
    }
}

impl From<CollectionName> for String {
    fn from(name: CollectionName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_has_a_plain_name() {
        assert!(CollectionName::read(None).unwrap().is_default());
        for name in ["a", "field-manuals_2", &"x".repeat(64)] {
            assert_eq!(CollectionName::read(Some(name)).unwrap().as_str(), name);
        }
        for wrong in ["", "A", "a/b", "ä", "a b", "../x", &"a".repeat(65)] {
            assert_eq!(CollectionName::read(Some(wrong)), Err(CollectionNameError), "{wrong}");
        }
        let wants = "wants 1 to 64 of a–z, 0–9, - and _, as in field-manuals";
        assert_eq!(CollectionNameError.to_string(), wants);
    }

    #[test]
    fn what_is_kept_of_it_is_its_text_and_reads_back() {
        let boats = CollectionName::read(Some("boats")).unwrap();
        assert_eq!(serde_json::to_string(&boats).unwrap(), "\"boats\"");
        assert_eq!(serde_json::from_str::<CollectionName>("\"boats\"").unwrap(), boats);
        assert!(serde_json::from_str::<CollectionName>("\"A b\"").is_err());
    }
}
