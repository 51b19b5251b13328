//! Estimating tokens where no provider has counted them.
//!
//! Source: the estimation rule of the ask contract: ASCII bytes / 4 + other characters / 1.5,
//! rounded up.

/// Estimates the tokens of a text.
#[must_use]
pub fn estimate(text: &str) -> u64 {
    let (ascii, other) = counts(text);
    // In twelfths, so that no rounding creeps in before the end: 1/4 = 3/12, 1/1.5 = 8/12.
    (ascii * 3 + other * 8).div_ceil(12)
}

/// ASCII characters, and others. Every request is counted, and most are ASCII, which is seen a word
/// at a time.
fn counts(text: &str) -> (u64, u64) {
    if text.is_ascii() {
        return (text.len() as u64, 0);
    }
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    (ascii, text.chars().count() as u64 - ascii)
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn ascii_and_other_characters_weigh_differently() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abcd"), 1);
        assert_eq!(estimate("abcde"), 2);
        assert_eq!(estimate("日本語"), 2);
        assert_eq!(estimate("ab日"), 2);
    }
}
