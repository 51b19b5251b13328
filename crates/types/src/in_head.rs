//! Small records between components of ours that travel in the head of a request or an answer.
//!
//! A body comes in pieces: each side has to be woken for them, and an instance lives until the other
//! has read its answer. What is in the head is there at once.

/// The header of a request that has a program: the record as JSON.
pub const PROGRAM: &str = "quarry-program";

/// The header of the answer that has its outcome, as JSON; only such a request is answered so.
pub const OUTCOME: &str = "quarry-outcome";

/// Bytes at most: a host may refuse large heads, and most records are far smaller.
const MOST: usize = 4 * 1024;

/// Whether a record's JSON may be a header's value: it is short and has printable ASCII alone.
#[must_use]
pub fn fits(json: &[u8]) -> bool {
    json.len() <= MOST && json.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_and_plain_fits() {
        assert!(fits(br#"{"source":"6 * 7","timeout_ms":5000}"#));
        assert!(fits(&[b'~'; MOST]));
        assert!(!fits(&[b'~'; MOST + 1]));
    }

    #[test]
    fn what_a_header_may_change_or_refuse_does_not() {
        for json in ["\"é\"", "\"\u{7f}\"", "{\n}", "\"\t\"", "\"\0\""] {
            assert!(!fits(json.as_bytes()), "{json:?}");
        }
    }
}
