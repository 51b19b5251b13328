//! Keys against doing a thing twice: whose they are, and what they stand for.

use super::Hash;

/// A key that came with a request, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// Under which the caller's run is found.
    pub key: String,
    /// A hash of what was asked with it.
    pub asked: String,
}

impl Idempotency {
    /// A key of a caller's who asks this. Callers without a name share one space of keys: there a key counts
    /// only with what is asked, so that nobody learns that a stranger has used it.
    #[must_use]
    pub fn of(caller: Option<&str>, key: &str, asked: &str) -> Self {
        let asked = Hash::of(asked).to_string();
        let key = match caller {
            Some(_) => key.to_owned(),
            None => Hash::of(&format!("{key}\n{asked}")).to_string(),
        };
        Idempotency { key, asked }
    }
}

#[cfg(test)]
mod tests {
    use super::Idempotency;

    #[test]
    fn a_stranger_with_the_same_key_and_another_wish_meets_nobody() {
        let of = |caller, key, asked| Idempotency::of(caller, key, asked);
        assert_eq!(of(None, "k", "a"), of(None, "k", "a"));
        assert_ne!(of(None, "k", "a").key, of(None, "k", "b").key);
        assert_ne!(of(None, "k", "a").key, of(None, "l", "a").key);
        // Who has a name is told that the key stands for something else.
        let (one, other) = (of(Some("ada"), "k", "a"), of(Some("ada"), "k", "b"));
        assert_eq!((one.key.as_str(), one.key == other.key), ("k", true));
        assert_ne!(one.asked, other.asked);
    }
}
