//! How alike two titles are.

use std::collections::BTreeSet;

/// Titles that are more alike than this are taken for the same.
pub const SIMILARITY_THRESHOLD: f64 = 0.5;

/// Dice's coefficient of two texts by their pairs of characters, without regard to case: twice the pairs that both
/// have by the pairs of each, 0 to 1. Equal texts give 1, an empty one 0.
#[must_use]
pub fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    if a == b {
        return 1.0;
    }
    let (a, b) = (pairs(&a), pairs(&b));
    let all = a.len() + b.len();
    if all == 0 {
        return 0.0;
    }
    #[allow(clippy::cast_precision_loss, reason = "titles are short")]
    let share = 2.0 * a.intersection(&b).count() as f64 / all as f64;
    share
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    text.chars().zip(text.chars().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn pairs_of_characters_decide() {
        for (a, b, expected) in [
            ("night", "nacht", 0.25),
            ("Fees", "fees", 1.0),
            ("", "", 0.0),
            ("", "a", 0.0),
            ("a", "a", 1.0),
            ("a", "b", 0.0),
            ("abcd", "abce", 2.0 * 2.0 / 6.0),
            ("aaaa", "aa", 1.0),
        ] {
            assert!((similarity(a, b) - expected).abs() < 1e-12, "{a} {b} {}", similarity(a, b));
            assert!((similarity(b, a) - expected).abs() < 1e-12, "{b} {a}");
        }
    }
}
