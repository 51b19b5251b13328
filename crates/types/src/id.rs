//! Ids of asks and runs: 128 bits, the first 48 of them the time of birth.
//!
//! The rest is random, so an id cannot be guessed: knowing one is the permission to join its
//! stream. The time in front lets a sweep tell old keys without reading their values.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

macro_rules! id {
    ($(#[doc = $doc:literal])+ $name:ident) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// An id for what is born at `unix_ms`, from 80 random bits (more are ignored).
            #[must_use]
            pub const fn new(unix_ms: u64, random: u128) -> Self {
                let time = (unix_ms as u128 & ((1 << 48) - 1)) << 80;
                $name(time | (random & ((1 << 80) - 1)))
            }

            /// Reads an id; none when the text is not one.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                let is_id = text.len() == 32 && text.bytes().all(is_digit);
                is_id.then(|| u128::from_str_radix(text, 16).ok().map($name)).flatten()
            }

            /// When it was born, in milliseconds since 1970.
            #[must_use]
            pub const fn born_at(self) -> u64 {
                (self.0 >> 80) as u64
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                $name::parse(&text).ok_or_else(|| de::Error::custom("not an id"))
            }
        }
    };
}

id! {
    /// The id of an ask: 32 lower-case hexadecimal digits.
    AskId
}

id! {
    /// The id of a run: 32 lower-case hexadecimal digits.
    RunId
}

#[cfg(test)]
mod tests {
    use super::AskId;

    #[test]
    fn an_id_reads_back_and_knows_its_birth() {
        let id = AskId::new(1_700_000_000_123, 0xabcdef);
        assert_eq!(AskId::parse(&id.to_string()), Some(id));
        assert_eq!(id.born_at(), 1_700_000_000_123);
        let kept = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<AskId>(&kept).unwrap(), id);
        for wrong in ["", "../x", "ABCDEF00000000000000000000000000", "12"] {
            assert_eq!(AskId::parse(wrong), None, "{wrong}");
        }
    }
}
