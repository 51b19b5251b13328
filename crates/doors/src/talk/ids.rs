//! Names for what people share: an ask's id opens the ask, so it stands in no id that goes around.

use sha2::{Digest, Sha256};

/// Characters that are kept of a hash.
pub(crate) const KEPT: usize = 24;

/// The hash of a text, in hexadecimal digits.
pub(crate) fn hash(text: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    Sha256::digest(text).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The id of something that belongs to an ask.
pub(crate) fn of(prefix: &str, ask: &str) -> String {
    let mut hash = hash(ask.as_bytes());
    hash.truncate(KEPT);
    format!("{prefix}{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_does_not_tell_the_ask() {
        let ask = "019a00000000abcdef00000000000000";
        let id = of("chatcmpl-", ask);
        assert_eq!(id.len(), "chatcmpl-".len() + KEPT);
        assert!(!id.contains(&ask[..8]));
        assert_eq!(id, of("chatcmpl-", ask));
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
