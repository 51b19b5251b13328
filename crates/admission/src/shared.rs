//! What people share of what they began, and by what they find it again: no such name opens anything.
//!
//! Border: ids and names of askers in, hashes out.

use sha2::{Digest, Sha256};

/// Characters of a hash that stand in a name that goes around.
pub const SHARED: usize = 24;

/// Stands in the place of what was kept of something while it is being deleted: nobody reads it.
pub const FORGOTTEN: &str = "forgotten";

/// The hash of a text, in hexadecimal digits.
#[must_use]
pub fn hash(text: &[u8]) -> String {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
    let mut digits = Vec::with_capacity(2 * Sha256::output_size());
    for byte in Sha256::digest(text) {
        digits.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    String::from_utf8(digits).unwrap_or_default()
}

/// What may be known by everybody of something with this id.
#[must_use]
pub fn shared_name(id: &str) -> String {
    let mut hash = hash(id.as_bytes());
    hash.truncate(SHARED);
    hash
}

/// The key of the note that leads from a shared name to what has it, for whoever began it and nobody else.
#[must_use]
pub fn shared_key(by: &str, shared: &str) -> String {
    hash(format!("items\n{by}\n{shared}").as_bytes())
}

/// The key of the note of what goes on with this ask and asks the same: whoever wants that, there is one at a time.
#[must_use]
pub fn continuation_key(ask: &str) -> String {
    hash(format!("goes on from {ask}").as_bytes())
}

/// The same of what goes on with it and asks this instead, however the words are spaced, with these wishes beside it, as one
/// text: one for each question and all that is wished of its answer.
#[must_use]
pub fn other_continuation_key(ask: &str, question: &str, wishes: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    hash(format!("asks of {ask}\n{}\n{wishes}", words.join(" ")).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_shared_leads_its_owner_alone_anywhere() {
        let id = "019a00000000abcdef00000000000000";
        let name = shared_name(id);
        assert_eq!(name.len(), SHARED);
        assert!(!name.contains(&id[..8]));
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_ne!(shared_key("ada", &name), shared_key("eve", &name));
    }

    #[test]
    fn what_goes_on_with_an_ask_has_one_key_for_each_question_and_what_is_wished_of_its_answer() {
        let of = other_continuation_key;
        let one = of("0af3", "Which lamp?", "[]");
        assert_eq!(one, of("0af3", " Which\n lamp? ", "[]"));
        for other in [
            of("0af3", "Which lamps?", "[]"),
            of("0af4", "Which lamp?", "[]"),
            of("0af3", "Whichlamp?", "[]"),
            of("0af3", "Which lamp?", "[1]"),
            of("0af3", "Which lamp? []", ""),
            continuation_key("0af3"),
        ] {
            assert_ne!(one, other);
        }
    }
}
