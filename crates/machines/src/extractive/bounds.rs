//! Whether a figure is told exactly, or by where it ends: `less than 50`, `between 4 and 9 million`.
//!
//! Border: a sentence and where its figure stands in; yes or no out.

use super::words;
use std::ops::Range;

/// Words, lower case, behind which a figure is a bound, or less than nothing.
const BOUNDING: [&str; 16] = [
    "above",
    "almost",
    "below",
    "beyond",
    "between",
    "exceeding",
    "from",
    "least",
    "minus",
    "most",
    "nearly",
    "over",
    "than",
    "to",
    "under",
    "until",
];

/// Whether a figure of a text covers no range, is no bound and is not told as less than nothing in words.
pub(super) fn is_exact(text: &str, bytes: &Range<usize>) -> bool {
    let before = text.get(..bytes.start).unwrap_or_default();
    let behind = text.get(bytes.end..).unwrap_or_default();
    let all = words::words(before);
    let last = all.last().map(String::as_str).unwrap_or_default();
    let first = all.iter().nth_back(1).map(String::as_str).unwrap_or_default();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_second = matches!(last, "and" | "or") && is_number(first);
    let is_signed = before.trim_end().ends_with(['-', '–', '−', '<', '>', '≤', '≥', '/', '±', '~']);
    let next = words::words(behind);
    let word = |at: usize| next.get(at).map(String::as_str).unwrap_or_default();
    let goes_on = match (word(0), word(1)) {
        ("or" | "and", "above" | "fewer" | "less" | "more" | "over" | "so" | "under" | "up")
        | ("below", "freezing" | "zero")
        | ("at", "least" | "most") => true,
        ("to" | "or", number) => is_number(number),
        _ => false,
    };
    let is_open = behind.trim_start().starts_with(['-', '–', '−', '/', '±', '+'])
        && behind.trim_start().chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == ' ');
    !(BOUNDING.contains(&last) || is_second || is_signed || goes_on || is_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_and_a_range_are_no_exact_figures() {
        for (text, figure, exact) in [
            ("It is 50 metres high.", "50 metres", true),
            ("It is about 50 metres high, and 3 wide.", "50 metres", true),
            ("It fell to -20 °C at night.", "-20 °C", false),
            ("The least was -20 °C at night.", "-20 °C", true),
            ("The least was minus 20 °C.", "20 °C", false),
            ("The least was 20 °C below zero.", "20 °C", false),
            ("It is less than 50 metres high.", "50 metres", false),
            ("It is at least 50 metres high.", "50 metres", false),
            ("It cost between 4 and 9 million euros.", "9 million euros", false),
            ("It cost 4 to 9 million euros.", "9 million euros", false),
            ("It cost 4–9 million euros.", "9 million euros", false),
            ("It is 50 metres or more.", "50 metres", false),
            ("It is 50–60 metres high.", "50", false),
        ] {
            let start = text.find(figure).unwrap();
            assert_eq!(is_exact(text, &(start..start + figure.len())), exact, "{text}");
        }
    }
}
